"""Properties of placement on graphs made at random: losing knowledge never helps, and answers do not depend on luck."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper

from inspector.model.graph import Model, Value
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto, load_model
from inspector.placement import local
from inspector.placement.catalog import Catalog, load_catalog, resolve_target
from inspector.placement.engine import PlacementCache, place
from inspector.placement.predicates import evaluate
from inspector.placement.target import Target
from inspector.placement.verdict import Outcome, Side, Verdict
from inspector.text import render
from inspector.worker.client import InProcessRunner
from tests.golden.problems import PROBLEMS
from tests.helpers.models import proto

PLATFORMS = ("x3", "x5", "ultra", "j6e", "j6p")
CATALOG = load_catalog()
MARCHES = {march: platform.id for platform in CATALOG.platforms for march in platform.marches}
TARGETS = [resolve_target(CATALOG, platform, march=march) for march, platform in MARCHES.items()]
KNOWLEDGE = ("shape", "rank kept", "dtype", "constant")
DATA = Path(__file__).resolve().parent.parent / "data"
STORED = [*(problem.id for problem in PROBLEMS), *sorted(path.name for path in DATA.glob("*.onnx"))]
_UNARY = ("Relu", "Sigmoid", "Tanh", "Abs", "Exp", "Sqrt", "LeakyRelu", "Softmax", "Identity", "HardSigmoid", "Erf")
_RANK = {Outcome.FAIL: 0, Outcome.UNKNOWN: 1, Outcome.PASS: 2}


def loaded(message) -> Model:
    return infer_shapes(from_proto(message), InProcessRunner())


@st.composite
def networks(draw):
    """A chain of up to 12 operators on [1, 4, 8, 8] with skips, layout operators and a shape chain now and then."""
    values, nodes = ["x"], []
    tensors = {"w": np.ones((4, 4, 1, 1), np.float32), "k": np.ones(4, np.float32), "two": np.float32(2)}
    tensors |= {"first": np.array([0]), "flat": np.array([-1])}
    for i in range(draw(st.integers(1, 12))):
        x, out = draw(st.sampled_from(values[-3:])), f"v{i}"
        kind = draw(
            st.sampled_from(["conv", "conv", "unary", "add", "silu", "bn", "scale", "transpose", "view", "pool"])
        )
        if kind == "conv":
            nodes.append(helper.make_node("Conv", [x, "w"], [out], out, kernel_shape=[1, 1]))
        elif kind == "unary":
            nodes.append(helper.make_node(draw(st.sampled_from(_UNARY)), [x], [out], out))
        elif kind == "add":
            nodes.append(helper.make_node("Add", [x, draw(st.sampled_from(values))], [out], out))
        elif kind == "silu":
            nodes += [
                helper.make_node("Sigmoid", [x], [f"s{i}"], f"s{i}"),
                helper.make_node("Mul", [x, f"s{i}"], [out], out),
            ]
        elif kind == "bn":
            nodes.append(helper.make_node("BatchNormalization", [x, "k", "k", "k", "k"], [out], out))
        elif kind == "scale":
            nodes.append(helper.make_node(draw(st.sampled_from(["Mul", "Div", "Pow"])), [x, "two"], [out], out))
        elif kind == "transpose":
            nodes.append(helper.make_node("Transpose", [x], [out], out, perm=[0, 1, 3, 2]))
        elif kind == "pool":
            nodes.append(helper.make_node("MaxPool", [x], [out], out, kernel_shape=[1, 1]))
        else:
            nodes += [
                helper.make_node("Shape", [x], [f"s{i}"], f"s{i}"),
                helper.make_node("Reshape", [x, f"s{i}"], [out], out),
            ]
        values.append(out)
    return proto(nodes, {"x": [1, 4, 8, 8]}, {values[-1]: None}, tensors, opset=11, ir=6)


def forget(model: Model, names: set[str], what: str) -> Model:
    """*model* with the shape, the dtype or the folded constant of the values in *names* unknown."""
    values = dict(model.values[0])
    constants = dict(model.constants[0])
    for name in names:
        known = values.get(name, Value(name))
        if what == "shape":
            values[name] = replace(known, shape=None)
        elif what == "rank kept":
            unknown = None if known.shape is None else tuple(replace(dim, size=None) for dim in known.shape)
            values[name] = replace(known, shape=unknown)
        elif what == "dtype":
            values[name] = replace(known, dtype=None)
        constants.pop(name, None)
    return replace(
        model,
        values=(MappingProxyType(values), *model.values[1:]),
        constants=(MappingProxyType(constants), *model.constants[1:]),
    )


def assert_never_better(before: Model, after: Model, target: Target) -> None:
    old, new = place(before, CATALOG, target), place(after, CATALOG, target)
    for node in before.nodes:
        was, now = old.verdicts[node.id].verdict, new.verdicts[node.id].verdict
        if now is Verdict.BPU:
            assert was is Verdict.BPU, f"{node.name} ({node.op}) was {was}"


@given(networks(), st.sampled_from(TARGETS), st.data())
def test_losing_knowledge_never_gives_bpu(message, target, data):
    model = loaded(message)
    names = data.draw(st.sets(st.sampled_from(sorted(model.values[0])), min_size=1, max_size=4))
    assert_never_better(model, forget(model, names, data.draw(st.sampled_from(KNOWLEDGE))), target)


@cache
def stored(name: str) -> Model:
    """A model of the problem collection or of `tests/data`."""
    problem = next((problem for problem in PROBLEMS if problem.id == name), None)
    return infer_shapes(load_model(DATA / name), InProcessRunner()) if problem is None else loaded(problem.build())


@pytest.mark.parametrize("name", STORED)
def test_stored_models_without_knowledge(name):
    """Everything of one kind forgotten at once, on every march."""
    model = stored(name)
    for target in TARGETS:
        for what in KNOWLEDGE:
            assert_never_better(model, forget(model, set(model.values[0]), what), target)


@given(st.sampled_from(STORED), st.sampled_from(TARGETS), st.sampled_from(KNOWLEDGE), st.data())
def test_a_stored_model_that_loses_a_little(name, target, what, data):
    model = stored(name)
    names = data.draw(st.sets(st.sampled_from(sorted(model.values[0])), min_size=1, max_size=4))
    assert_never_better(model, forget(model, names, what), target)


def test_every_march_is_among_the_targets():
    assert {target.march for target in TARGETS} == {m for platform in CATALOG.platforms for m in platform.marches}


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.march)
def test_taking_the_unknown_for_good_would_be_noticed(target, monkeypatch):
    """The property can fail: it does as soon as a limit that cannot be checked counts as met."""

    def careless(spec, facts):
        finding = evaluate(spec, facts)
        unknown = finding is not None and finding.outcome is Outcome.UNKNOWN
        return replace(finding, outcome=Outcome.PASS) if unknown else finding

    monkeypatch.setattr(local, "evaluate", careless)
    monkeypatch.setitem(globals(), "CATALOG", forgetful(CATALOG))
    noticed = 0
    for problem in PROBLEMS:
        model = stored(problem.id)
        try:
            assert_never_better(model, forget(model, set(model.values[0]), "shape"), target)
        except AssertionError:
            noticed += 1
    assert noticed


def forgetful(catalog: Catalog) -> Catalog:
    """*catalog* without the judgements that its tables remember."""
    return replace(catalog, tables={name: replace(table, memory={}) for name, table in catalog.tables.items()})


@given(networks(), st.sampled_from(PLATFORMS))
def test_same_question_same_answer(message, platform):
    target, cache = resolve_target(CATALOG, platform), PlacementCache()
    fresh = place(loaded(message), CATALOG, target)
    cached = [place(model, CATALOG, target, cache=cache) for model in (loaded(message), loaded(message))]
    for other in cached:
        assert other.verdicts == fresh.verdicts
        assert (other.segments, other.crossings, other.graph_checks) == (
            fresh.segments,
            fresh.crossings,
            fresh.graph_checks,
        )


@given(networks(), st.sampled_from(PLATFORMS))
@settings(max_examples=20)
def test_every_verdict_is_explained(message, platform):
    model = loaded(message)
    placement = place(model, CATALOG, resolve_target(CATALOG, platform))
    for node in model.nodes:
        verdict = placement.verdicts[node.id]
        order = [(_RANK[c.outcome], c.side is Side.CPU) for c in verdict.checks]
        assert order == sorted(order)
        if verdict.verdict in (Verdict.CPU, Verdict.UNSUPPORTED, Verdict.FOLDED):
            assert verdict.failed or verdict.because, f"{node.op} is {verdict.verdict} without a reason"
        if verdict.fused_into is not None:
            assert placement.verdicts[verdict.fused_into].verdict is verdict.verdict
        for check in verdict.failed:
            assert render(check.found, "zh_CN")
            assert render(check.allowed, "zh_CN")
            assert str(check.source)


@given(networks(), st.sampled_from(PLATFORMS))
@settings(max_examples=20)
def test_segments_cover_what_stands_and_never_wait_for_each_other(message, platform):
    model = loaded(message)
    placement = place(model, CATALOG, resolve_target(CATALOG, platform))
    owner = {node: segment.index for segment in placement.segments for node in segment.nodes}
    standing = {n.id for n in model.main.nodes if placement.verdicts[n.id].verdict is not Verdict.FOLDED}
    assert owner.keys() == standing
    edges = {
        (owner[a.id], owner[b.id])
        for b in model.main.nodes
        for a in model.predecessors(b)
        if a.id in owner and b.id in owner and owner[a.id] != owner[b.id]
    }
    import networkx as nx

    assert nx.is_directed_acyclic_graph(nx.DiGraph(edges))
