"""leakyrelu-forms: drawn shapes and numbers, and types that are refused."""

import pytest
from onnx import TensorProto

from tests.helpers.rewriting import applied, match_of, opened, reason_of
from tests.helpers.rule_cases import hold
from tests.helpers.unary import drawn_shape, unary

RULE = "leakyrelu-forms"
SCALE = 3.0


def case(random):
    """The operator on a drawn shape."""
    return unary(
        "LeakyRelu",
        drawn_shape(random),
        opset=random.choice((7, 10, 11, 13)),
        dtype=TensorProto.FLOAT,
        alpha=random.choice((0.0, 0.01, 0.3, 1.0, 1.5, -0.2)),
    )


test_random_cases = hold(RULE, case, scale=SCALE)


def test_half_floats_are_refused():
    assert (
        reason_of(opened(unary("LeakyRelu", opset=13, dtype=TensorProto.FLOAT16)), RULE, "LeakyRelu") == "narrow_float"
    )


@pytest.mark.parametrize(
    ("alpha", "variants"),
    [
        (0.1, ("prelu", "max", "relu")),
        (1.0, ("prelu", "max", "relu")),
        (1.5, ("prelu", "relu")),
        (-0.1, ("prelu", "relu")),
    ],
)
def test_steep_slopes_have_no_maximum(alpha, variants):
    assert match_of(opened(unary("LeakyRelu", alpha=alpha)), RULE, "LeakyRelu").variants == variants


def test_operators():
    model = opened(unary("LeakyRelu"))
    operators = {
        v: [n.op.name for n in applied(model, RULE, "LeakyRelu", v).after.nodes] for v in ("prelu", "max", "relu")
    }
    assert operators == {"prelu": ["PRelu"], "max": ["Mul", "Max"], "relu": ["Relu", "Mul", "Relu", "Mul", "Add"]}


def test_slope_that_is_not_finite_is_refused():
    assert reason_of(opened(unary("LeakyRelu", alpha=float("nan"))), RULE, "LeakyRelu") == "odd_attribute"
