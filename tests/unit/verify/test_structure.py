from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from onnx import helper

from inspector.model.load import load_model
from inspector.verify.structure import depth, difference, probes, varying
from tests.helpers import models


@pytest.fixture
def load(tmp_path):
    counter = iter(range(100))

    def build(nodes, tensors=None, outputs=("y",)):
        proto = models.proto(nodes, {"x": [2, 3]}, dict.fromkeys(outputs), tensors, opset=14)
        return load_model(models.write(proto, tmp_path / f"{next(counter)}.onnx"))

    return build


def node(op, inputs, output, **attributes):
    return helper.make_node(op, inputs.split(), [output], **attributes)


def labels(nodes):
    return [n.outputs[0] for n in nodes]


def test_equal_files_do_not_differ(load):
    nodes, tensors = [node("Mul", "x k", "a"), node("Relu", "a", "y")], {"k": np.ones(600, np.float32)}
    found = difference(load(nodes, tensors), load(nodes, tensors))
    assert found.changed_before == found.changed_after == ()
    assert found.reached == ()
    assert found.near == frozenset()


def test_only_what_a_change_reaches(load):
    before = load([node("Relu", "x", "a"), node("Exp", "a", "b"), node("Neg", "x", "c"), node("Add", "b c", "y")])
    after = load([node("Relu", "x", "a"), node("Log", "a", "b"), node("Neg", "x", "c"), node("Add", "b c", "y")])
    found = difference(before, after)
    assert labels(found.changed_after) == ["b"]
    assert found.reached == ("b", "y")
    assert found.near == {"b"}


def test_a_renamed_tensor_is_followed_to_the_next_common_one(load):
    before = load([node("Exp", "x", "b"), node("Relu", "b", "c"), node("Neg", "c", "y")])
    after = load([node("Exp", "x", "b2"), node("Relu", "b2", "c"), node("Neg", "c", "y")])
    assert difference(before, after).near == {"c"}


@pytest.mark.parametrize("size", [3, 3000])
def test_constants_are_compared_by_value(load, size):
    nodes = [node("Add", "x k", "y")]
    one, same = np.ones((1, 1, 1, size), np.float32), np.ones((1, 1, 1, size), np.float32)
    other = one.copy()
    other[..., -1] = 2
    assert not difference(load(nodes, {"k": one}), load(nodes, {"k": same})).reached
    assert difference(load(nodes, {"k": one}), load(nodes, {"k": other})).reached == ("y",)
    assert difference(load(nodes, {"k": one}), load(nodes, {"k": one.reshape(1, 1, size)})).reached == ("y",)


def test_constant_nodes_and_attributes(load):
    def constant(value):
        return load([node("Constant", "", "k", value_float=value), node("Mul", "x k", "y")])

    assert not difference(constant(1.0), constant(1.0)).reached
    assert difference(constant(1.0), constant(2.0)).reached == ("k", "y")


def test_depth_is_the_longest_path(load):
    model = load([node("Relu", "x", "a"), node("Exp", "a", "b"), node("Add", "x b", "y")])
    assert depth(model) == 3


def test_what_depends_on_the_values_of_inputs(load):
    model = load([node("Shape", "x", "s"), node("Cast", "s", "f", to=1), node("Relu", "x", "r"), node("Exp", "r", "y")])
    assert {"x", "r", "y"} <= varying(model)
    assert varying(model).isdisjoint({"s", "f"})


def test_ranges_of_activations(load):
    tensors = {"lo": np.float32(0), "hi": np.float32(6)}
    model = load(
        [
            node("HardSigmoid", "x", "a", alpha=0.25, beta=0.5),
            node("HardSwish", "a", "b"),
            node("Clip", "b lo hi", "c"),
            node("Relu", "c", "y"),
        ],
        tensors,
    )
    assert [(p.low, p.high) for p in probes(model, model.main.nodes)] == [(-2.0, 2.0), (-3.0, 3.0), (0.0, 6.0)]


def test_bound_sizes_do_not_make_a_difference(load):
    model = load([node("Relu", "x", "y")])
    assert not difference(model, replace(model, dims=MappingProxyType({"n": 2}))).reached
