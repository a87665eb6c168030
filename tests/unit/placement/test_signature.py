import numpy as np
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.signature import Numbers, sign
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto


def signatures(nodes, outputs, tensors=None, numbers=None, shape=(1, 4, 8, 8)):
    message = proto(nodes, {"x": list(shape)}, dict.fromkeys(outputs), tensors)
    model = infer_shapes(from_proto(message), InProcessRunner())
    constants = frozenset(model.main.initializers)
    found = sign(model, model.main, constants, model.nodes, Numbers() if numbers is None else numbers)
    return {node.name: found[node.id] for node in model.nodes}


def node(op, inputs, name, **attributes):
    return helper.make_node(op, inputs.split(), [name], name, **attributes)


def test_equal_nodes_have_equal_signatures_in_two_models():
    numbers = Numbers()
    first = signatures([node("Relu", "x", "a"), node("Relu", "a", "b"), node("Abs", "b", "c")], ["c"], numbers=numbers)
    second = signatures([node("Abs", "x", "p"), node("Relu", "p", "q"), node("Abs", "q", "r")], ["r"], numbers=numbers)
    assert first["a"] == first["b"] == second["q"]
    assert first["c"] == second["r"]
    assert first["c"] != second["p"]


def test_shapes_attributes_and_constants_tell_nodes_apart():
    numbers = Numbers()
    chain = [node("LeakyRelu", "x", "a", alpha=0.1), node("Abs", "a", "b")]
    other = [node("LeakyRelu", "x", "a", alpha=0.2), node("Abs", "a", "b")]
    usual = signatures(chain, ["b"], numbers=numbers)["a"]
    assert usual != signatures(other, ["b"], numbers=numbers)["a"]
    assert usual != signatures(chain, ["b"], numbers=numbers, shape=(1, 4, 8, 9))["a"]
    weights = {"w": np.ones((1, 4, 8, 8), np.float32)}
    added = signatures([node("Add", "x w", "a"), node("Add", "x x", "b")], ["a", "b"], weights, numbers)
    assert added["a"] != added["b"]


def test_an_add_of_two_computed_tensors_marks_what_it_reads():
    weights = {"w": np.ones((1, 4, 8, 8), np.float32)}
    nodes = [
        node("Relu", "x", "a"),
        node("Relu", "x", "b"),
        node("Relu", "x", "c"),
        node("Add", "a b", "sum"),
        node("Add", "c w", "bias"),
        node("Abs", "sum", "y"),
        node("Abs", "bias", "z"),
    ]
    found = signatures(nodes, ["y", "z"], weights)
    assert found["a"] == found["b"] != found["c"]


def test_an_output_of_the_model_is_told_apart():
    found = signatures([node("Relu", "x", "a"), node("Relu", "x", "b"), node("Abs", "b", "c")], ["a", "c"])
    assert found["a"] != found["b"]


def test_a_zero_in_a_factor_tells_nodes_apart():
    weights = {"w": np.array([1, 2], np.float32), "z": np.array([1, 0], np.float32), "v": np.array([3, 4], np.float32)}
    nodes = [node("Mul", f"x {name}", f"m{name}") for name in "wzv"]
    found = signatures(nodes, ["mw", "mz", "mv"], weights, shape=(1, 2))
    assert found["mw"] == found["mv"] != found["mz"]


def test_transposes_on_both_sides_tell_a_node_apart():
    nodes = [
        node("Transpose", "x", "t", perm=[0, 2, 3, 1]),
        node("Softmax", "t", "a", axis=-1),
        node("Transpose", "a", "ta", perm=[0, 3, 1, 2]),
        node("Softmax", "t", "b", axis=-1),
        node("Transpose", "b", "tb", perm=[0, 3, 1, 2]),
        node("Abs", "b", "ab"),
        node("Softmax", "t", "c", axis=-1),
        node("Transpose", "c", "tc", perm=[0, 3, 1, 2]),
    ]
    found = signatures(nodes, ["ta", "tb", "ab", "tc"])
    assert found["a"] == found["c"] != found["b"]


def test_a_chain_of_transposes_is_between_transposes():
    turn = {"perm": [0, 2, 3, 1]}
    nodes = [node("Transpose", a, b, **turn) for a, b in ("xa", "ab", "bc")]
    found = signatures(nodes, ["c"], shape=(1, 4, 4, 4))
    assert found["a"] != found["b"]


def test_an_attribute_of_another_type_tells_nodes_apart():
    """1 equals 1.0, but a Softmax with a fractional axis is not one that a table can judge."""
    nodes = [node("Softmax", "x", "a", axis=1), node("Softmax", "x", "b", axis=1.0)]
    nodes += [
        node("AveragePool", "x", "c", kernel_shape=[1, 1]),
        node("AveragePool", "x", "d", kernel_shape=[1.0, 1.0]),
    ]
    found = signatures([*nodes, *(node("Abs", name, f"y{name}") for name in "abcd")], [f"y{name}" for name in "abcd"])
    assert found["a"] != found["b"]
    assert found["c"] != found["d"]


def test_some_nodes_of_a_model_are_signed_as_all_are():
    nodes = [node("Relu", "x", "a"), node("Relu", "a", "b"), node("Add", "a b", "c"), node("Relu", "c", "d")]
    model = infer_shapes(from_proto(proto(nodes, {"x": [1, 4]}, {"d": None})), InProcessRunner())
    numbers = Numbers()
    found = sign(model, model.main, frozenset(), model.nodes, numbers)
    for one in model.nodes:
        assert sign(model, model.main, frozenset(), [one], numbers) == {one.id: found[one.id]}
