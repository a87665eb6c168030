"""A warm cache may save work, never change an answer."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper

from inspector.model.edit import Editor
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.model.shape import of
from inspector.placement import reuse
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import PlacementCache, place
from inspector.placement.target import Device, Qtype
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto

CATALOG = load_catalog()
OPS = ("Relu", "Sigmoid", "Abs", "Tanh", "Softmax", "HardSigmoid", "LeakyRelu")


def chain(ops):
    nodes, x = [], "x"
    for i, op in enumerate(ops):
        inputs = [x, "w"] if op == "Conv" else [x, "x"] if op == "Add" else [x]
        nodes.append(helper.make_node(op, inputs, [f"v{i}"], f"n{i}"))
        x = f"v{i}"
    message = proto(nodes, {"x": [1, 4, 8, 8]}, {x: None}, {"w": np.ones((4, 4, 1, 1), np.float32)}, opset=11, ir=6)
    return infer_shapes(from_proto(message), InProcessRunner())


def same(a, b):
    return (a.verdicts, a.segments, a.crossings, a.graph_checks) == (
        b.verdicts,
        b.segments,
        b.crossings,
        b.graph_checks,
    )


def edited(model, index, op):
    node = model.main.nodes[index]
    editor = Editor(model, rule="swap")
    editor.remove(node.id)
    editor.node(op, node.inputs[:1], node.outputs, base=node)
    return editor.finish()


@given(
    st.lists(st.sampled_from([*OPS, "Conv", "Conv", "Add"]), min_size=2, max_size=10),
    st.data(),
    st.sampled_from(["x3", "x5", "j6p"]),
)
def test_an_edited_model_is_placed_as_if_for_the_first_time(ops, data, platform):
    model, target, cache = chain(ops), resolve_target(CATALOG, platform), PlacementCache()
    place(model, CATALOG, target, cache=cache)
    for _ in range(2):
        model = edited(model, data.draw(st.integers(0, len(ops) - 1)), data.draw(st.sampled_from(OPS)))
        assert same(place(model, CATALOG, target, cache=cache), place(model, CATALOG, target))


@pytest.fixture
def signed(monkeypatch):
    """Collect the nodes whose signatures are taken."""
    counted = []
    original = reuse.sign
    monkeypatch.setattr(
        reuse,
        "sign",
        lambda model, graph, constants, nodes, numbers: (
            counted.extend(nodes) or original(model, graph, constants, nodes, numbers)
        ),
    )
    return counted


def test_only_the_surroundings_of_an_edit_are_looked_at_again(signed):
    model, target, cache = chain(["Conv", *["Relu"] * 40, "Conv"]), resolve_target(CATALOG, "x5"), PlacementCache()
    place(model, CATALOG, target, cache=cache)
    signed.clear()
    place(edited(model, 20, "Abs"), CATALOG, target, cache=cache)
    assert 0 < len(signed) < 10
    signed.clear()
    place(model, CATALOG, resolve_target(CATALOG, "x3"), cache=cache)
    assert len(signed) < 10


def test_a_lost_shape_is_noticed():
    model, target, cache = chain(["Conv", "Tanh", "Conv"]), resolve_target(CATALOG, "x3"), PlacementCache()
    place(model, CATALOG, target, cache=cache)
    values = {**model.values[0], "v0": replace(model.values[0]["v0"], shape=of(1, 4, 900, 900))}
    other = replace(model, values=(MappingProxyType(values),))
    assert same(place(other, CATALOG, target, cache=cache), place(other, CATALOG, target))


def test_a_weight_that_may_be_overridden_is_noticed():
    """A weight that a caller may replace is not constant, which the X3 limits of Conv and MatMul ask about."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], "product")]
    message = proto(nodes, {"x": [1, 4, 8, 8]}, {"y": None}, {"w": np.ones((8, 8), np.float32)}, opset=11, ir=6)
    model, target, cache = (
        infer_shapes(from_proto(message), InProcessRunner()),
        resolve_target(CATALOG, "x3"),
        PlacementCache(),
    )
    before = place(model, CATALOG, target, cache=cache)
    main = replace(model.main, overridable=frozenset({"w"}))
    other = replace(model, graphs=(main,))
    after = place(other, CATALOG, target, cache=cache)
    assert same(after, place(other, CATALOG, target))
    assert before.verdicts != after.verdicts


def test_options_of_the_target_are_noticed():
    model, cache = chain(["Conv", "Softmax", "Conv"]), PlacementCache()
    target, node = resolve_target(CATALOG, "x5"), model.main.nodes[1].id
    place(model, CATALOG, target, cache=cache)
    for other in (
        replace(target, forced=MappingProxyType({node: Device.BPU})),
        replace(target, qtypes=MappingProxyType({node: Qtype.INT16})),
        replace(target, qtype=Qtype.INT16),
    ):
        assert same(place(model, CATALOG, other, cache=cache), place(model, CATALOG, other))
