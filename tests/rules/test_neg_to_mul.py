"""neg-to-mul: exact, with a constant of the rank of the feature."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, opened, reason_of, run
from tests.helpers.rule_cases import hold

RULE = "neg-to-mul"


def negated(shape, *, opset=13, dtype=TensorProto.FLOAT):
    """-x."""
    node = helper.make_node("Neg", ["x"], ["y"], "neg")
    return proto([node], {"x": list(shape)}, {"y": list(shape)}, opset=opset, dtypes={"x": dtype, "y": dtype})


def case(random):
    """A change of sign of a tensor of drawn rank and type."""
    shape = [random.randint(1, 4) for _ in range(random.randint(0, 5))]
    dtype = random.choice((TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT32, TensorProto.INT64))
    return negated(shape, opset=random.choice((7, 10, 11, 13)), dtype=dtype)


test_random_cases = hold(RULE, case)


def test_zeros_infinities_and_nan_change_their_sign():
    model = opened(negated((5,)))
    after = applied(model, RULE, "Neg").after
    feeds = {"x": np.array([0.0, -0.0, np.inf, -np.inf, np.nan], np.float32)}
    a, b = run(model, feeds)[0], run(after, feeds)[0]
    assert np.array_equal(a, b, equal_nan=True)
    assert np.array_equal(np.signbit(a[:4]), np.signbit(b[:4]))


def test_constant_has_the_rank_of_the_feature():
    after = applied(opened(negated((1, 2, 3, 4))), RULE, "Neg").after
    assert [d.size for d in after.value(0, after.nodes[0].inputs[1]).shape] == [1, 1, 1, 1]


@pytest.mark.parametrize("dtype", [TensorProto.INT8, TensorProto.INT16])
def test_types_that_mul_does_not_take_are_refused(dtype):
    assert reason_of(opened(negated((2, 2), dtype=dtype)), RULE, "Neg") == "arithmetic_type"
