"""drop-noop: every operator that may do nothing, near misses, names of outputs, and readers with bodies."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.model.save import full_proto
from inspector.rewrite.find import apply_all
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match, Preview
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "drop-noop"
SHAPE = (2, 3, 4)
INTS = {
    "pads": [0] * 6,
    "starts": [0],
    "far": [99],
    "axes": [1],
    "steps": [1],
    "back": [-1],
    "lowest": [-99],
    "shape": [2, -1, 4],
    "ones": [1, 1, 1],
    "wide": [2, 3, 4],
    "one": [1],
}
NOTHING = {
    "Identity": (["x"], {}),
    "Dropout": (["x"], {}),
    "Cast": (["x"], {"to": TensorProto.FLOAT}),
    "Pad": (["x", "pads"], {}),
    "Slice": (["x", "starts", "far", "axes", "steps"], {}),
    "Transpose": (["x"], {"perm": [0, 1, 2]}),
    "Reshape": (["x", "shape"], {}),
    "Expand": (["x", "ones"], {}),
    "Tile": (["x", "ones"], {}),
    "Concat": (["x"], {"axis": 1}),
}
SOMETHING = {
    "Cast": (["x"], {"to": TensorProto.DOUBLE}),
    "Slice": (["x", "back", "lowest", "axes", "back"], {}),
    "Transpose": (["x"], {"perm": [0, 2, 1]}),
    "Concat": (["x", "x"], {"axis": 1}),
    "Relu": (["x"], {}),
}


def model_of(op, inputs, attributes, *, place="middle", opset=13):
    """Relu, the operator, Neg; or the operator first or last."""
    nodes = [
        helper.make_node("Relu", ["in"], ["x"], "relu"),
        helper.make_node(op, inputs, ["y"], "subject", **attributes),
        helper.make_node("Neg", ["y"], ["out"], "neg"),
    ]
    source, result = "in", "out"
    if place == "first":
        nodes, source = nodes[1:], "x"
    if place == "last":
        nodes, result = nodes[:2], "y"
    tensors = {name: np.array(INTS[name], np.int64) for name in inputs if name in INTS}
    kinds = {"y": TensorProto.DOUBLE, "out": TensorProto.DOUBLE} if attributes.get("to") == TensorProto.DOUBLE else {}
    return proto(nodes, {source: list(SHAPE)}, {result: [None] * 3}, tensors, opset=opset, dtypes=kinds)


def case(random):
    """One of the operators, where it does nothing or something, anywhere in a small graph."""
    table = NOTHING if random.random() < 0.8 else SOMETHING
    op = random.choice(sorted(table))
    return model_of(op, *table[op], place=random.choice(("first", "middle", "last")))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize("op", NOTHING)
@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_node_that_does_nothing_goes(op, place):
    model = opened(model_of(op, *NOTHING[op], place=place))
    after = applied(model, RULE, op).after
    assert op not in {n.op.name for n in after.nodes}
    assert {n.name for n in after.nodes} == {n.name for n in model.nodes} - {"subject"}
    assert max_rel(model, after, feeds_of(model)) == 0.0


@pytest.mark.parametrize("op", SOMETHING)
def test_node_that_does_something_stays(op):
    model = opened(model_of(op, *SOMETHING[op]))
    assert not rule_of(RULE).match(model, node_of(model, op)).relevant


def test_dropout_in_training_or_with_a_mask_that_is_read_stays():
    training = [helper.make_node("Dropout", ["x", "ratio", "mode"], ["y"], "drop")]
    tensors = {"ratio": np.float32(0.5), "mode": np.array(True)}
    model = opened(proto(training, {"x": [2]}, {"y": [2]}, tensors))
    assert not isinstance(rule_of(RULE).match(model, model.nodes[0].id), Match)
    masked = [helper.make_node("Dropout", ["x"], ["y", "m"], "drop")]
    model = opened(proto(masked, {"x": [2]}, {"y": [2], "m": [2]}, dtypes={"m": TensorProto.BOOL}))
    assert not isinstance(rule_of(RULE).match(model, model.nodes[0].id), Match)


def test_name_of_an_output_is_kept_for_all_its_readers():
    nodes = [
        helper.make_node("Relu", ["in"], ["x"], "relu"),
        helper.make_node("Identity", ["x"], ["y"], "subject"),
        helper.make_node("Neg", ["x"], ["z"], "neg"),
    ]
    model = opened(proto(nodes, {"in": [2]}, {"y": [2], "z": [2]}))
    after = applied(model, RULE, "Identity").after
    assert [(n.name, list(n.inputs), list(n.outputs)) for n in after.nodes] == [
        ("relu", ["in"], ["y"]),
        ("neg", ["y"], ["z"]),
    ]


def test_value_that_must_keep_two_names_is_refused():
    both = [helper.make_node("Relu", ["in"], ["x"], "relu"), helper.make_node("Identity", ["x"], ["y"], "subject")]
    assert reason_of(opened(proto(both, {"in": [2]}, {"x": [2], "y": [2]})), RULE, "Identity") == "noop_output"
    alone = [helper.make_node("Identity", ["x"], ["y"], "subject")]
    assert reason_of(opened(proto(alone, {"x": [2]}, {"y": [2]})), RULE, "Identity") == "noop_output"


def test_value_that_a_body_reads_is_refused():
    body = helper.make_graph([helper.make_node("Neg", ["y"], ["b"], "inner")], "body", [],
                             [helper.make_tensor_value_info("b", TensorProto.FLOAT, [2])])  # fmt: skip
    nodes = [
        helper.make_node("Identity", ["x"], ["y"], "subject"),
        helper.make_node("If", ["c"], ["z"], "if", then_branch=body, else_branch=body),
    ]
    model = opened(proto(nodes, {"x": [2], "c": []}, {"z": [2]}, dtypes={"c": TensorProto.BOOL}))
    assert reason_of(model, RULE, "Identity") == "captured"


def test_chain_of_them_goes_one_after_the_other():
    nodes = [helper.make_node("Relu", ["in"], ["x0"], "relu")]
    nodes += [helper.make_node("Identity", [f"x{i}"], [f"x{i + 1}"], f"id{i}") for i in range(4)]
    model = opened(proto(nodes, {"in": [2]}, {"x4": [2]}))
    steps = [step for step in apply_all(model, rule_of(RULE)) if isinstance(step, Preview)]
    assert [n.op.name for n in steps[-1].after.nodes] == ["Relu"]
    assert [o.name for o in full_proto(steps[-1].after).graph.output] == ["x4"]


def test_rewired_node_keeps_its_attributes_and_says_who_touched_it():
    nodes = [
        helper.make_node("Identity", ["x"], ["y"], "subject"),
        helper.make_node("LeakyRelu", ["y"], ["z"], "act", doc_string="why", alpha=0.3),
    ]
    after = applied(opened(proto(nodes, {"x": [2]}, {"z": [2]})), RULE, "Identity").after
    (node,) = after.nodes
    assert node.name == "act"
    assert node.attributes["alpha"] == pytest.approx(0.3)
    assert node.proto.doc_string == "why"
    assert {e.key: e.value for e in node.proto.metadata_props}["inspector.rule"] == RULE
