"""gelu-to-erf: both forms of the operator."""

from onnx import TensorProto

from tests.helpers.gelu import operator
from tests.helpers.rewriting import applied, opened, reason_of
from tests.helpers.rule_cases import hold
from tests.helpers.unary import drawn_shape

RULE = "gelu-to-erf"


def case(random):
    """The operator in either form."""
    return operator(drawn_shape(random) or [1], random.choice(("none", "tanh")))


test_random_cases = hold(RULE, case)


def test_form_follows_the_attribute():
    for approximate, op in (("none", "Erf"), ("tanh", "Tanh")):
        after = applied(opened(operator(approximate=approximate)), RULE, "Gelu").after
        assert op in {n.op.name for n in after.nodes}


def test_half_floats_are_refused():
    assert reason_of(opened(operator(dtype=TensorProto.FLOAT16)), RULE, "Gelu") == "narrow_float"
