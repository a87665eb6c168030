"""softmax-to-exp: every axis, large numbers, and the Softmax over several axes of old versions."""

import numpy as np
from onnx import TensorProto

from tests.helpers.rewriting import applied, opened, reason_of, run
from tests.helpers.rule_cases import hold
from tests.rules.test_softmax_axis import case, softmax

RULE = "softmax-to-exp"
__all__ = ["case"]

test_random_cases = hold(RULE, case)


def test_large_numbers_do_not_overflow():
    model = opened(softmax((2, 3), 1))
    after = applied(model, RULE, "Softmax").after
    feeds = {"x": np.array([[1000, 999, -1000], [3e38, 0, -3e38]], np.float32)}
    assert np.allclose(run(model, feeds)[0], run(after, feeds)[0], rtol=1e-6, atol=1e-7)


def test_operators():
    after = applied(opened(softmax((2, 3, 4), 1)), RULE, "Softmax").after
    assert [n.op.name for n in after.nodes] == ["ReduceMax", "Sub", "Exp", "ReduceSum", "Div"]


def test_refusals():
    assert reason_of(opened(softmax((2, 3, 4), 1, opset=11)), RULE, "Softmax") == "softmax_flattens"
    assert reason_of(opened(softmax((2, 3), 1, dtype=TensorProto.FLOAT16)), RULE, "Softmax") == "narrow_float"
