"""`place`: a model and a target in, a verdict for every node out.

Each node is judged alone by the target's table (`local.judge`); forced devices and the toolchain's defaults come next;
then the context passes revise what they know better, to a fixed point; then the clauses about the whole model, the
segments and the copies between processors follow from the verdicts. Same arguments give the same answer.
"""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from inspector.model.graph import MAIN, Graph, GraphKind, Model, Node, NodeId
from inspector.placement.catalog import Catalog
from inspector.placement.context import Draft, Entry, Wiring, worst
from inspector.placement.context_facts import context_facts
from inspector.placement.context_fold import fold, placed_alone
from inspector.placement.context_fuse import fuse, take_over
from inspector.placement.context_passive import clamp_body, settle_neighbours
from inspector.placement.formats import Formats, ask_formats, fall_back
from inspector.placement.graph_checks import check_bpu_nodes, graph_checks, min_bpu_nodes
from inspector.placement.local import LocalVerdict
from inspector.placement.reuse import PlacementCache
from inspector.placement.segments import find_segments
from inspector.placement.target import Device, Target
from inspector.placement.verdict import (
    SEVERITY,
    Because,
    Check,
    Kernel,
    NodeVerdict,
    Outcome,
    Placement,
    Side,
    Standing,
    Verdict,
)
from inspector.text import say

__all__ = ["PlacementCache", "place"]

_FOLDED = LocalVerdict(Verdict.FOLDED, Standing.DOCUMENTED, listed=True, bpu=Outcome.PASS, cpu=Kernel.UNSTATED)
"""Stands for the judgement of a node that is not there at run time: no clause is asked about it."""

_ORDER = {Outcome.FAIL: 0, Outcome.UNKNOWN: 1, Outcome.PASS: 2}


def place(model: Model, catalog: Catalog, target: Target, *, cache: PlacementCache | None = None) -> Placement:
    """Where each node of *model* runs on *target*, and why.

    Args:
        model: with shapes as far as they are known; what is unknown is never taken for acceptable.
        catalog: tables of all platforms.
        target: platform, march, toolchain, flow, number formats and forced nodes.
        cache: earlier judgements to reuse; None judges every node.

    Raises:
        UsageError: the catalog has no table for *target*.
        ConstraintDataError: the findings of the march cannot be read.
    """
    with _uncollected():
        return _place(model, catalog, target, PlacementCache() if cache is None else cache)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause the garbage collector: what a placement makes stays, and looking for garbage in it takes a third longer."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _place(model: Model, catalog: Catalog, target: Target, cache: PlacementCache) -> Placement:
    table = catalog.table(target)
    facts = context_facts(target.march)
    structure = cache.structure(model, facts)
    asked = ask_formats(model, structure, facts, target)
    judged = cache.judged(model, structure, catalog.digest, table, asked.target)
    formats, judged = fall_back(model, structure, facts, table, asked, judged)
    entries = _entries(model, judged, target)
    for node_id, cause in formats.causes.items():
        entries[node_id].because.append(cause)
    draft = Draft(model, facts, structure, entries)
    _run_passes(draft)
    verdicts = {node_id: _finished(entry, formats) for node_id, entry in entries.items()}
    checks = graph_checks(model, table, target)
    minimum = min_bpu_nodes(table)
    if minimum is not None:
        found = Counter(verdicts[node.id].verdict for node in model.main.nodes)
        checks = _sorted((*checks, check_bpu_nodes(minimum, found[Verdict.BPU], found[Verdict.UNKNOWN])))
    segments, crossings = find_segments(model, structure.wires[MAIN], verdicts)
    return Placement(target, MappingProxyType(verdicts), checks, segments, crossings, catalog.digest)


def _entries(model: Model, judged: Mapping[NodeId, LocalVerdict], target: Target) -> dict[NodeId, Entry]:
    """One entry per node, with forced devices and the toolchain's defaults in place; folded ones are not judged."""
    entries: dict[NodeId, Entry] = {}
    causes: dict[int, tuple[Because, ...]] = {}  # equal nodes share their judgement, and so what there is to say of it
    for node in model.nodes:
        local = judged.get(node.id)
        if local is None:
            entries[node.id] = Entry(node, _FOLDED, Verdict.FOLDED, Standing.DOCUMENTED)
            continue
        key = id(local)
        if key not in causes:
            causes[key] = _causes(local, node)
        forced = target.forced.get(node.id)
        entry = Entry(node, local, local.verdict, local.standing, forced, [*causes[key]])
        entries[node.id] = entry
        if forced is not None:
            _force(entry)
        elif local.default_device is Device.CPU and local.verdict in (Verdict.BPU, Verdict.UNKNOWN, Verdict.CPU):
            _default_cpu(entry)
    return entries


def _causes(local: LocalVerdict, node: Node) -> tuple[Because, ...]:
    """What the table itself has to say about a verdict beyond its clauses."""
    causes = []
    if local.verdict is Verdict.UNSUPPORTED and local.cpu is Kernel.NONE:
        causes.append(Because("no-kernel", say("context.no-kernel", op=str(node.op)), None, local.source))
    if local.verdict is Verdict.UNSUPPORTED and local.cpu is Kernel.REFUSES:
        causes.append(Because("kernel-refuses", say("context.kernel-refuses", op=str(node.op)), None, local.source))
    if local.stand_in is not None:
        causes.append(Because("stand-in", say("context.stand-in", table=local.stand_in), None, local.source))
    elif not local.listed:
        causes.append(Because("unlisted", say("context.unlisted", op=str(node.op)), None, local.source))
    return tuple(causes)


def _force(entry: Entry) -> None:
    local = entry.local
    if entry.forced is Device.CPU:
        answer = {
            Kernel.EXISTS: (Verdict.CPU, "forced-cpu"),
            Kernel.UNSTATED: (Verdict.CPU, "forced-cpu"),
            Kernel.UNKNOWN: (Verdict.UNKNOWN, "forced-cpu-unknown"),
            Kernel.REFUSES: (Verdict.UNSUPPORTED, "forced-cpu-refused"),
            Kernel.NONE: (Verdict.UNSUPPORTED, "forced-cpu-none"),
        }[local.cpu]
    else:
        answer = {
            Outcome.PASS: (Verdict.BPU, "forced-bpu"),
            Outcome.UNKNOWN: (worst(local.verdict, Verdict.UNKNOWN), "forced-bpu-unknown"),
            Outcome.FAIL: (local.verdict, "forced-bpu-refused"),
        }[local.bpu]
    entry.verdict = answer[0]
    entry.explain("forced", say(f"context.{answer[1]}", op=str(entry.node.op)))


def _default_cpu(entry: Entry) -> None:
    local = entry.local
    entry.verdict = entry.off_bpu
    if local.bpu is Outcome.FAIL:
        message = say("context.default-cpu-only", op=str(entry.node.op))
    else:
        message = say("context.default-cpu", op=str(entry.node.op), option=local.force_option or "node_info")
    entry.because.insert(0, Because("default-cpu", message, None, local.source))


def _run_passes(draft: Draft) -> None:
    model = draft.model
    fold(draft)
    for graph in model.graphs:
        if placed_alone(graph):
            wiring = Wiring(draft.structure.wires[graph.index], draft.entries)
            _mark_quantised(draft, wiring)
            fuse(draft, wiring)
            settle_neighbours(draft, wiring)
    _call_functions(draft)
    for graph in model.graphs:
        if graph.owner is not None:
            for node in graph.nodes:
                clamp_body(draft.entries[graph.owner], draft.entries[node.id])
    for entry in draft.entries.values():
        if entry.host is not None:
            take_over(entry)


def _mark_quantised(draft: Draft, wiring: Wiring) -> None:
    fact = draft.facts.get("compiler-cpu")
    if fact is None:
        return
    for entry in wiring.nodes:
        if entry.node.op.name in fact.ops and entry.verdict is Verdict.CPU and entry.forced is None:
            entry.quantised = True
            entry.explain("clause", fact.text, None, fact)


def _call_functions(draft: Draft) -> None:
    """A call of a local function is as good as the nodes of its body, which the toolchain puts in its place."""
    model = draft.model
    bodies: dict[str, Graph] = {g.path: g for g in model.graphs if g.kind is GraphKind.FUNCTION}
    if not bodies:
        return
    for node in reversed(model.nodes):
        body = bodies.get(f"function {node.op.domain}::{node.op.name}")
        entry = draft.entries[node.id]
        if body is None or entry.verdict is Verdict.FOLDED:
            continue
        inside = [draft.entries[inner.id] for inner in body.nodes]
        worst_inside = max(inside, key=lambda e: SEVERITY[e.top.verdict], default=None)
        entry.verdict = Verdict.FOLDED if worst_inside is None else worst_inside.top.verdict
        entry.standing = Standing.INFERRED
        entry.explain("clause", say("context.function", op=str(node.op)), worst_inside)


def _finished(entry: Entry, formats: Formats) -> NodeVerdict:
    top = entry.top.node.id
    return NodeVerdict(
        entry.node.id,
        entry.verdict,
        entry.standing,
        _checks(entry),
        tuple(entry.because),
        None if entry.host is None else top,
        None if entry.verdict is Verdict.FOLDED else formats.of(top),
        None if entry.verdict is Verdict.FOLDED or entry.host is not None else entry.local.cpu,
    )


def _checks(entry: Entry) -> tuple[Check, ...]:
    """Clauses that apply: none where the node does not run by itself, those of the CPU where it is kept off the BPU."""
    if entry.verdict is Verdict.FOLDED or entry.host is not None:
        return ()
    checks = entry.local.checks
    if entry.checks:
        checks = _sorted((*checks, *entry.checks))
    if entry.local.bpu is Outcome.PASS and entry.verdict in (Verdict.CPU, Verdict.UNSUPPORTED):
        checks = _sorted((*checks, *entry.local.cpu_checks))
    return checks


def _sorted(checks: Iterable[Check]) -> tuple[Check, ...]:
    """The order of `NodeVerdict.checks`; among equals the order that the local judgement gave stays."""
    return tuple(sorted(checks, key=lambda check: (_ORDER[check.outcome], check.side is Side.CPU)))
