"""Clauses about the whole model, on each side of their limits."""

import numpy as np
import pytest
from onnx import helper

from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.graph_checks import check_bpu_nodes, graph_checks, min_bpu_nodes
from inspector.placement.verdict import Outcome
from inspector.text import render
from tests.helpers.models import proto

CATALOG = load_catalog()
P, F, U = Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN


def relu(shape=(1, 3, 8, 8), *, domain="", outputs=1, **rest):
    nodes = [helper.make_node("Relu", ["x"], [f"y{i}"], f"n{i}", domain=domain) for i in range(outputs)]
    domains = [domain] if domain else []
    options = {"opset": 11, "ir": 6} | rest
    return from_proto(proto(nodes, {"x": shape}, {f"y{i}": shape for i in range(outputs)}, domains=domains, **options))


def outcome(model, platform, clause):
    target = resolve_target(CATALOG, platform)
    return {c.clause: c.outcome for c in graph_checks(model, CATALOG.table(target), target)}.get(clause)


@pytest.mark.parametrize(
    ("platform", "clause", "model", "expected"),
    [
        ("x5", "model.opset", relu(opset=10), P),
        ("x5", "model.opset", relu(opset=11), P),
        ("x5", "model.opset", relu(opset=12), F),
        ("x3", "model.opset", relu(opset=9), F),
        ("j6p", "model.opset", relu(opset=9), P),
        ("j6p", "model.opset", relu(opset=20), P),
        ("j6p", "model.opset", relu(opset=21), F),
        ("x3", "model.ir-version", relu(ir=7), P),
        ("x3", "model.ir-version", relu(ir=8), F),
        ("x5", "model.ir-version", relu(ir=8), F),
        ("x5", "model.ir-version", relu(ir=9), None),  # a clause of its own, which builds contradict
        ("x5", "model.ir-version-9", relu(ir=8), None),
        ("x5", "model.ir-version", relu(ir=0), U),
        ("j6p", "model.ir-version", relu(ir=10), None),
        ("x3", "model.static-inputs", relu(), P),
        ("x3", "model.static-inputs", relu(["n", 3, 8, 8]), F),
        ("j6e", "model.static-inputs", relu([1, 3, None, 8]), F),
        ("x3", "model.static-inputs", relu([1, 3, 0, 8]), F),
        ("x3", "model.static-inputs", relu(None), U),
        ("x3", "model.input-rank", relu(), P),
        ("x3", "model.input-rank", relu([1, 3]), F),
        ("x3", "model.input-rank", relu(None), U),
        ("j6p", "model.input-rank", relu([1, 3]), None),
        ("x3", "model.input-batch", relu([2, 3, 8, 8]), F),
        ("x3", "model.input-batch", relu(["n", 3, 8, 8]), U),
        ("x3", "model.output-count", relu(outputs=32), P),
        ("x3", "model.output-count", relu(outputs=33), F),
        ("j6p", "model.output-count", relu(outputs=33), P),
        ("j6p", "model.output-count", relu(outputs=513), F),
        ("j6p", "model.input-count", relu(), P),
        ("j6p", "model.tensor-bytes", relu([1, 1, 2**14, 2**15]), P),
        ("j6p", "model.tensor-bytes", relu([1, 1, 2**14, 2**15 + 1]), F),
        ("j6p", "model.tensor-bytes", relu(["n", 1, 1, 1]), U),
        ("x3", "model.domains", relu(), P),
        ("x3", "model.domains", relu(domain="horizon"), P),
        ("x3", "model.domains", relu(domain="my.custom"), F),
    ],
)
def test_outcome(platform, clause, model, expected):
    assert outcome(model, platform, clause) is expected


def test_a_contradicted_clause_is_shown_with_its_counts():
    target = resolve_target(CATALOG, "x5")
    checks = graph_checks(relu(ir=9), CATALOG.table(target), target)
    check = next(c for c in checks if c.clause == "model.ir-version-9")
    assert check.outcome is F
    assert "3 of 3" in check.contradicted.en


def test_the_worst_input_is_named():
    nodes = [helper.make_node("Add", ["a", "b"], ["y"], "n")]
    model = from_proto(proto(nodes, {"a": [1, 3, 8, 8], "b": [8]}, {"y": [1, 3, 8, 8]}, opset=11))
    target = resolve_target(CATALOG, "x3")
    check = next(c for c in graph_checks(model, CATALOG.table(target), target) if c.clause == "model.input-rank")
    assert [render(part) for part in (check.subject, check.found, check.allowed)] == ["rank of input b", "1", "4"]


def test_failures_come_first():
    target = resolve_target(CATALOG, "x3")
    outcomes = [c.outcome for c in graph_checks(relu([1, 3], opset=13), CATALOG.table(target), target)]
    assert outcomes == sorted(outcomes, key=[F, U, P].index)


def test_a_model_without_inputs():
    nodes = [helper.make_node("Relu", ["k"], ["y"], "n")]
    model = from_proto(proto(nodes, {}, {"y": [2]}, {"k": np.ones(2, np.float32)}))
    assert outcome(model, "x3", "model.static-inputs") is None


def test_bpu_nodes_are_counted_after_placement():
    clause = min_bpu_nodes(CATALOG.table(resolve_target(CATALOG, "x5")))
    assert check_bpu_nodes(clause, 1).outcome is P
    assert check_bpu_nodes(clause, 0, unknown_nodes=3).outcome is U
    check = check_bpu_nodes(clause, 0)
    assert (check.outcome, check.found, check.allowed) == (F, "0", "≥ 1")
    assert min_bpu_nodes(CATALOG.table(resolve_target(CATALOG, "j6p"))) is None
