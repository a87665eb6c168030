"""`place`: a model and a target in, a verdict for every node out.

Each node is judged alone by the target's table (`local.judge`); forced devices and the toolchain's defaults come next;
then the context passes revise what they know better, to a fixed point; then the clauses about the whole model, the
segments and the copies between processors follow from the verdicts. Same arguments give the same answer.
"""

from collections import Counter
from collections.abc import Mapping

from inspector.garbage import uncollected
from inspector.model.graph import MAIN, Graph, GraphKind, Model, Node, NodeId
from inspector.placement.catalog import Catalog
from inspector.placement.context import FOLDED, Draft, Entries, Entry, Start, Wiring, off_bpu, worst
from inspector.placement.context_facts import context_facts
from inspector.placement.context_fold import fold, placed_alone
from inspector.placement.context_fuse import fuse, take_over
from inspector.placement.context_passive import clamp_body, settle_neighbours
from inspector.placement.finishing import finish, in_order
from inspector.placement.formats import ask_formats, fall_back
from inspector.placement.graph_checks import check_bpu_nodes, graph_checks, min_bpu_nodes
from inspector.placement.local import LocalVerdict
from inspector.placement.reuse import PlacementCache
from inspector.placement.segments import find_segments
from inspector.placement.target import Device, Target
from inspector.placement.verdict import SEVERITY, Because, Kernel, Outcome, Placement, Standing, Verdict
from inspector.text import say

__all__ = ["PlacementCache", "place"]


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
    with uncollected():
        return _place(model, catalog, target, PlacementCache() if cache is None else cache)


def _place(model: Model, catalog: Catalog, target: Target, cache: PlacementCache) -> Placement:
    table = catalog.table(target)
    facts = context_facts(target.march)
    structure = cache.structure(model, facts)
    asked = ask_formats(model, structure, facts, target)
    judged = cache.judged(model, structure, catalog.digest, table, asked.target)
    formats, judged = fall_back(model, structure, facts, table, asked, judged)
    entries = Entries(model, _starts(model, judged))
    for node_id, device in target.forced.items():
        if node_id in judged:
            entries[node_id] = _forced(model.node(node_id), judged[node_id], device)
    for node_id, cause in formats.causes.items():
        entries[node_id].because = (*entries[node_id].because, cause)
    draft = Draft(model, facts, structure, entries)
    _run_passes(draft)
    verdicts = finish(entries, formats)
    checks = graph_checks(model, table, target)
    minimum = min_bpu_nodes(table)
    if minimum is not None:
        found = Counter([verdicts.verdict[node.id] for node in model.main.nodes])
        checks = in_order((*checks, check_bpu_nodes(minimum, found[Verdict.BPU], found[Verdict.UNKNOWN])))
    hosts = {node_id: entry.top.node.id for node_id, entry in entries.items() if entry.host is not None}
    segments, crossings = find_segments(model, structure.wires[MAIN], verdicts.verdict, hosts)
    return Placement(target, verdicts, checks, segments, crossings, catalog.digest)


def _starts(model: Model, judged: Mapping[NodeId, LocalVerdict]) -> dict[NodeId, Start]:
    """What is decided about each node of *model* before the passes, with the toolchain's defaults in place."""
    starts = dict.fromkeys([node.id for node in model.nodes], Start(FOLDED, Verdict.FOLDED, Standing.DOCUMENTED))
    made: dict[int, Start] = {}  # equal nodes share their judgement, and so what there is to say of it
    for node_id, local in judged.items():
        start = made.get(id(local))
        if start is None:
            start = made[id(local)] = _start(local, model.node(node_id))
        starts[node_id] = start
    return starts


def _start(local: LocalVerdict, node: Node) -> Start:
    start = Start(local, local.verdict, local.standing, _causes(local, node))
    if local.default_device is not Device.CPU or local.verdict not in (Verdict.BPU, Verdict.UNKNOWN, Verdict.CPU):
        return start
    if local.bpu is Outcome.FAIL:
        message = say("context.default-cpu-only", op=str(node.op))
    else:
        message = say("context.default-cpu", op=str(node.op), option=local.force_option or "node_info")
    because = Because("default-cpu", message, None, local.source)
    return Start(local, off_bpu(local), local.standing, (because, *start.because))


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


def _forced(node: Node, local: LocalVerdict, device: Device) -> Entry:
    """A node that the user puts on *device*, whatever the toolchain would do by itself."""
    entry = Entry(node, Start(local, local.verdict, local.standing, _causes(local, node)))
    entry.forced = device
    if device is Device.CPU:
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
    entry.explain("forced", say(f"context.{answer[1]}", op=str(node.op)))
    return entry


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
    for entry in wiring.of_ops(fact.ops):
        if entry.verdict is Verdict.CPU and entry.forced is None:
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
        if body is None:
            continue
        entry = draft.entries[node.id]
        if entry.verdict is Verdict.FOLDED:
            continue
        inside = [draft.entries[inner.id] for inner in body.nodes]
        worst_inside = max(inside, key=lambda e: SEVERITY[e.top.verdict], default=None)
        entry.verdict = Verdict.FOLDED if worst_inside is None else worst_inside.top.verdict
        entry.standing = Standing.INFERRED
        entry.explain("clause", say("context.function", op=str(node.op)), worst_inside)
