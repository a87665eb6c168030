import numpy as np
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.wires import Wires
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto


def wired(nodes, outputs, folded=(), tensors=None):
    message = proto(nodes, {"x": [1, 4, 8, 8]}, dict.fromkeys(outputs), tensors)
    model = infer_shapes(from_proto(message), InProcessRunner())
    gone = {node.id: "fold-no-op" for node in model.nodes if node.name in folded}
    return Wires(model, model.main, frozenset(model.main.initializers), gone)


def node(op, inputs, name, **attributes):
    return helper.make_node(op, inputs.split(), [name], name, **attributes)


def test_constants_are_left_out_and_repeats_count_once():
    weights = {"w": np.ones((1, 4, 8, 8), np.float32)}
    wires = wired([node("Add", "x w", "a"), node("Mul", "a a", "b")], ["b"], tensors=weights)
    assert [wires.reads(place) for place in range(2)] == [["x"], ["a"]]
    assert wires.source.tolist() == [-1, 0]
    assert wires.target.tolist() == [0, 1]
    assert [wires.names[number] for number in wires.value] == ["x", "a"]


def test_no_ops_are_seen_through_from_both_sides():
    nodes = [node("Relu", "x", "a"), node("Identity", "a", "i"), node("Identity", "i", "j"), node("Abs", "j", "b")]
    wires = wired([*nodes, node("Identity", "b", "k")], ["k"], folded="ijk")
    assert [standing.name for standing in wires.nodes] == ["a", "b"]
    assert wires.sources(1) == [0]
    assert wires.maker("j").name == "a"
    assert wires.only_reader("i") == 1
    assert wires.outputs == ("b",)
    assert wires.only_reader("b") == -1


def test_a_value_that_two_nodes_read_or_that_leaves_has_no_only_reader():
    nodes = [node("Relu", "x", "a"), node("Abs", "a", "b"), node("Neg", "a", "c"), node("Neg", "b", "d")]
    wires = wired(nodes, ["b", "c", "d"])
    assert wires.only_reader("a") == -1
    assert wires.only_reader("b") == -1
    assert wires.readers("a") == [1, 2]


def test_what_a_body_captures_is_read_by_its_owner():
    inner = helper.make_graph(
        [helper.make_node("Abs", ["a"], ["r"])], "body", [], [helper.make_empty_tensor_value_info("r")]
    )
    nodes = [node("Relu", "x", "a"), node("ReduceMax", "x", "m", keepdims=0), node("Cast", "m", "c", to=9)]
    wires = wired([*nodes, node("If", "c", "y", then_branch=inner, else_branch=inner)], ["y"])
    assert wires.reads(3) == ["c", "a"]


def test_positions_by_operator_and_sizes():
    wires = wired([node("Relu", "x", "a"), node("Abs", "a", "b"), node("Relu", "b", "c")], ["c"])
    assert wires.of_ops(frozenset({"Relu", "Neg"})) == (0, 2)
    assert dict(zip(wires.names, wires.bytes(range(4)), strict=True)) == dict.fromkeys("xabc", 4 * 64 * 4)
