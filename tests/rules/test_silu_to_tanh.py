"""silu-to-tanh: either order, gates that others read, other products."""

from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, node_of, opened, reason_of
from tests.helpers.rule_cases import hold
from tests.helpers.unary import drawn_shape

RULE = "silu-to-tanh"
SCALE = 4.0


def silu(shape=(1, 2, 3, 4), *, swapped=False, shown=(), gate_of="x", dtype=TensorProto.FLOAT, opset=13):
    """x * sigmoid(x)."""
    nodes = [
        helper.make_node("Sigmoid", [gate_of], ["g"], "gate"),
        helper.make_node("Mul", ["g", "x"] if swapped else ["x", "g"], ["y"], "mul"),
    ]
    inputs = {name: list(shape) for name in ("x", gate_of)}
    kinds = dict.fromkeys((*inputs, "y", "g"), dtype)
    return proto(nodes, inputs, {n: list(shape) for n in (*shown, "y")}, opset=opset, dtypes=kinds)


def case(random):
    """SiLU of 64 numbers or more, so that one of them is far from zero."""
    shape = [*drawn_shape(random)[:3], 64]
    return silu(shape, swapped=random.random() < 0.5, opset=random.choice((7, 11, 13)))


test_random_cases = hold(RULE, case, scale=SCALE)


def test_operators():
    after = applied(opened(silu()), RULE, "Mul").after
    assert [n.op.name for n in after.nodes] == ["Mul", "Tanh", "Add", "Mul"]


def test_gate_that_is_an_output_is_kept():
    assert reason_of(opened(silu(shown=["g"])), RULE, "Mul") == "graph_output"


def test_gate_of_another_value_is_not_its_business():
    model = opened(silu(gate_of="z"))
    assert not rule_of(RULE).match(model, node_of(model, "Mul")).relevant


def test_half_floats_are_refused():
    assert reason_of(opened(silu(dtype=TensorProto.FLOAT16)), RULE, "Mul") == "narrow_float"
