"""hardsigmoid-to-clip: drawn shapes and numbers, and types that are refused."""

import pytest
from onnx import TensorProto

from tests.helpers.rewriting import applied, opened, reason_of
from tests.helpers.rule_cases import hold
from tests.helpers.unary import drawn_shape, unary

RULE = "hardsigmoid-to-clip"
SCALE = 2.0


def case(random):
    """The operator on a drawn shape."""
    return unary(
        "HardSigmoid",
        drawn_shape(random),
        opset=random.choice((7, 10, 11, 13)),
        dtype=TensorProto.FLOAT,
        **({"alpha": random.uniform(-1, 1), "beta": random.uniform(-1, 1)} if random.random() < 0.7 else {}),
    )


test_random_cases = hold(RULE, case, scale=SCALE)


def test_half_floats_are_refused():
    assert (
        reason_of(opened(unary("HardSigmoid", opset=13, dtype=TensorProto.FLOAT16)), RULE, "HardSigmoid")
        == "narrow_float"
    )


def test_operators():
    after = applied(opened(unary("HardSigmoid")), RULE, "HardSigmoid").after
    assert [n.op.name for n in after.nodes] == ["Mul", "Add", "Clip"]


@pytest.mark.parametrize("alpha", [float("inf"), float("nan")])
def test_numbers_that_are_not_finite_are_refused(alpha):
    assert reason_of(opened(unary("HardSigmoid", alpha=alpha)), RULE, "HardSigmoid") == "odd_attribute"
