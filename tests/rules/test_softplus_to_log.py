"""softplus-to-log: drawn shapes and numbers, and types that are refused."""

import numpy as np
import pytest
from onnx import TensorProto

from tests.helpers.rewriting import applied, opened, reason_of, run
from tests.helpers.rule_cases import hold
from tests.helpers.unary import drawn_shape, unary

RULE = "softplus-to-log"
SCALE = 5.0


def case(random):
    """The operator on 64 numbers or more, so that one of them is far from zero."""
    return unary("Softplus", [*drawn_shape(random)[:3], 64], opset=random.choice((7, 11, 13)))


test_random_cases = hold(RULE, case, scale=SCALE)


def test_half_floats_are_refused():
    assert reason_of(opened(unary("Softplus", opset=13, dtype=TensorProto.FLOAT16)), RULE, "Softplus") == "narrow_float"


@pytest.mark.parametrize("value", [-200.0, -88.0, 0.0, 89.0, 3e38])
def test_large_numbers_do_not_overflow(value):
    model = opened(unary("Softplus", (1,)))
    feeds = {"x": np.array([value], np.float32)}
    a, b = run(model, feeds)[0], run(applied(model, RULE, "Softplus").after, feeds)[0]
    assert np.isfinite(b).all()
    assert abs(a - b) <= 1e-6 * max(abs(a), 1e-3)
