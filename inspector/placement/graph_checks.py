"""Clauses about the whole model: opset, IR version, static inputs, their rank and batch, how many there are."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any, Final

from inspector.model.graph import Model, Value
from inspector.model.shape import text as shape_text
from inspector.placement.finding import Finding, Piece, bounds, listed, outcome_of, within, worst
from inspector.placement.table import Clause, Spec, Table
from inspector.placement.target import Target
from inspector.placement.verdict import Check, Outcome, Side, Standing
from inspector.text import say

_ORDER: Final = {Outcome.FAIL: 0, Outcome.UNKNOWN: 1, Outcome.PASS: 2}


def graph_checks(model: Model, table: Table, target: Target) -> tuple[Check, ...]:
    """Hold *model* against the graph clauses of *table*, except the one about BPU nodes: failed first, then by id.

    A limit that is not stated for the toolchain version of *target* counts as inferred.
    """
    checks = []
    for clause in table.graph:
        if _BPU_NODES in clause.require:
            continue
        applies = None if clause.when is None else _finding(clause.when, model)
        finding = _finding(clause.require, model)
        if finding is None or (applies is not None and applies.outcome is Outcome.FAIL):
            continue
        if applies is not None and applies.outcome is Outcome.UNKNOWN and finding.outcome is Outcome.FAIL:
            finding = replace(finding, outcome=Outcome.UNKNOWN)
        checks.append(_check(_for_version(clause, target.toolchain), finding))
    return tuple(sorted(checks, key=lambda check: (_ORDER[check.outcome], check.clause)))


def _finding(spec: Spec, model: Model) -> Finding | None:
    name, parameters = next(iter(spec.items()))
    return _PREDICATES[name](parameters, model)


def _for_version(clause: Clause, toolchain: str) -> Clause:
    if not clause.stated_for or toolchain in clause.stated_for:
        return clause
    return replace(clause, source=replace(clause.source, standing=Standing.INFERRED))


def min_bpu_nodes(table: Table) -> Clause | None:
    """The clause `model.min-bpu-nodes`, which can be judged only after placement; None when the table has none."""
    return next((clause for clause in table.graph if _BPU_NODES in clause.require), None)


def check_bpu_nodes(clause: Clause, bpu_nodes: int, unknown_nodes: int = 0) -> Check:
    """Hold the number of nodes on the BPU against *clause*; nodes of unknown place may still turn out to be there."""
    least = clause.require[_BPU_NODES]["min"]
    subject = say("constraints.subject_bpu_nodes")
    holds = True if bpu_nodes >= least else None if bpu_nodes + unknown_nodes >= least else False
    return _check(clause, Finding(outcome_of(holds), subject, str(bpu_nodes), f"≥ {least}"))


_BPU_NODES: Final = "min_bpu_nodes"


def _check(clause: Clause, finding: Finding) -> Check:
    return Check(clause.id, Side.GRAPH, finding.outcome, finding.subject, finding.found, finding.allowed,
                 clause.source, clause.text, clause.contradicted)  # fmt: skip


def _inputs(model: Model) -> Sequence[Value]:
    return [model.value(0, name) for name in model.main.inputs]


def _opset(parameters: Mapping[str, Any], model: Model) -> Finding:
    version = model.opsets.get("", model.opsets.get("ai.onnx"))
    found = "?" if version is None else str(version)
    return Finding(outcome_of(within(version, parameters)), say("constraints.subject_opset"), found, bounds(parameters))


def _ir_version(parameters: Mapping[str, Any], model: Model) -> Finding:
    version = model.ir_version or None
    found = "?" if version is None else str(version)
    subject = say("constraints.subject_ir_version")
    return Finding(outcome_of(within(version, parameters)), subject, found, bounds(parameters))


def _static_inputs(_parameters: object, model: Model) -> Finding | None:
    pieces = []
    for value in _inputs(model):
        holds = None if value.shape is None else all(dim.size is not None and dim.size > 0 for dim in value.shape)
        subject = say("constraints.subject_graph_input", name=value.name or "-")
        pieces.append(Piece(outcome_of(holds), subject, shape_text(value.shape)))
    return worst(pieces, say("constraints.fixed"))


def _per_input(measure: Callable[[Value], int | None], words: str) -> Callable[[Any, Model], Finding | None]:
    def predicate(parameters: Mapping[str, Any], model: Model) -> Finding | None:
        pieces = []
        for value in _inputs(model):
            found = measure(value)
            subject = say(f"constraints.{words}", name=value.name or "-")
            pieces.append(Piece(outcome_of(within(found, parameters)), subject, "?" if found is None else str(found)))
        return worst(pieces, bounds(parameters))

    return predicate


def _rank(value: Value) -> int | None:
    return None if value.shape is None else len(value.shape)


def _batch(value: Value) -> int | None:
    return value.shape[0].size if value.shape else None


def _count(side: str) -> Callable[[Any, Model], Finding]:
    def predicate(parameters: Mapping[str, Any], model: Model) -> Finding:
        count = len(model.main.inputs if side == "input" else model.main.outputs)
        subject = say(f"constraints.subject_graph_{side}_count")
        return Finding(outcome_of(within(count, parameters)), subject, str(count), bounds(parameters))

    return predicate


def _tensor_bytes(parameters: Mapping[str, Any], model: Model) -> Finding | None:
    pieces = []
    for name in (*model.main.inputs, *model.main.outputs):
        value = model.value(0, name)
        bits = None if value.dtype is None else value.dtype.bits
        sizes = None if value.shape is None else [dim.size for dim in value.shape]
        count = None if sizes is None or None in sizes else prod(s for s in sizes if s is not None)
        total = None if bits is None or count is None else count * bits // 8
        found = "?" if total is None else say("constraints.bytes", n=total)
        subject = say("constraints.subject_bytes", operand=name or "-")
        pieces.append(Piece(outcome_of(within(total, parameters)), subject, found))
    return worst(pieces, say("constraints.allowed_bytes", n=parameters["max"]))


def _domains(parameters: Sequence[str], model: Model) -> Finding:
    used = sorted({node.op.domain or "ai.onnx" for node in model.nodes})
    strange = [domain for domain in used if domain not in parameters]
    found = listed(strange or used)
    return Finding(outcome_of(not strange), say("constraints.subject_graph_domains"), found, listed(parameters))


_PREDICATES: Final[Mapping[str, Callable[[Any, Model], Finding | None]]] = {
    "opset": _opset,
    "ir_version": _ir_version,
    "static_inputs": _static_inputs,
    "input_rank": _per_input(_rank, "subject_input_rank"),
    "input_batch": _per_input(_batch, "subject_input_batch"),
    "n_model_inputs": _count("input"),
    "n_model_outputs": _count("output"),
    "tensor_bytes": _tensor_bytes,
    "domains": _domains,
}
