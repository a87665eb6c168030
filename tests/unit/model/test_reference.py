"""References: a node is found again by what it makes, else by its name, else not at all."""

from dataclasses import replace

from onnx import TensorProto, helper

from inspector.model.load import from_proto
from inspector.model.reference import NodeRef, refer, resolve
from tests.helpers.models import conv, proto


def test_every_node_is_found_again():
    model, again = from_proto(conv()), from_proto(conv())
    for node in model.nodes:
        assert resolve(again, refer(model, node)).id == node.id


def test_name_helps_where_the_output_changed_and_the_operator_must_agree():
    model = from_proto(conv())
    ref = refer(model, model.main.nodes[0])
    assert resolve(model, replace(ref, outputs=("elsewhere",))).name == "conv"
    assert resolve(model, replace(ref, outputs=("elsewhere",), name="gone")) is None
    assert resolve(model, replace(ref, op="Relu")) is None
    assert resolve(model, replace(ref, graph="If_9/then_branch")) is None


def test_a_name_that_is_there_twice_tells_nothing():
    nodes = [helper.make_node("Relu", [a], [b], "same") for a, b in (("x", "a"), ("a", "y"))]
    model = from_proto(proto(nodes, {"x": [1]}, {"y": [1]}))
    assert resolve(model, NodeRef("Relu", "same", ("gone",))) is None
    assert resolve(model, NodeRef("Relu", "same", ("y",))).outputs == ("y",)


def test_nodes_of_bodies_are_told_apart_from_those_of_the_main_graph():
    body = helper.make_graph(
        [helper.make_node("Relu", ["x"], ["t"], "inner")],
        "b",
        [],
        [helper.make_tensor_value_info("t", TensorProto.FLOAT, [1])],
    )
    nodes = [helper.make_node("If", ["c"], ["y"], "choose", then_branch=body, else_branch=body)]
    model = from_proto(proto(nodes, {"x": [1], "c": []}, {"y": [1]}, dtypes={"c": TensorProto.BOOL}))
    inner = [node for node in model.nodes if node.name == "inner"]
    assert len(inner) == 2
    assert [resolve(model, refer(model, node)).id for node in inner] == [node.id for node in inner]
