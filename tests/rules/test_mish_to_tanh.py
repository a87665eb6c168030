"""mish-to-tanh: drawn shapes and numbers, and types that are refused."""

from onnx import TensorProto

from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of
from tests.helpers.rule_cases import hold
from tests.helpers.unary import drawn_shape, unary

RULE = "mish-to-tanh"
SCALE = 4.0


def case(random):
    """The operator on 64 numbers or more, so that one of them is far from zero."""
    return unary("Mish", [*drawn_shape(random)[:3], 64], opset=random.choice((18, 20)))


test_random_cases = hold(RULE, case, scale=SCALE)


def test_half_floats_are_refused():
    assert reason_of(opened(unary("Mish", opset=20, dtype=TensorProto.FLOAT16)), RULE, "Mish") == "narrow_float"


def test_form_with_the_operator_softplus_is_bit_equal():
    model = opened(unary("Mish", (1, 400), opset=18))
    after = applied(model, RULE, "Mish", "softplus").after
    assert [n.op.name for n in after.nodes] == ["Softplus", "Tanh", "Mul"]
    assert max_rel(model, after, feeds_of(model, scale=4)) == 0.0
