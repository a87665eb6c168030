"""Segments: runs of connected nodes on one processor, the tensors copied between them, and what an island costs.

Two connected nodes on one processor stand in one segment unless a path between them leaves it; else segments could not
run one after the other. The level of a node counts how often the processor changes on the way to it; equal level and a
connection make a segment (union-find, in topological order).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from inspector.model.graph import MAIN, Model, Node, NodeId
from inspector.placement.context import Wires
from inspector.placement.cost import value_bytes
from inspector.placement.verdict import Crossing, NodeVerdict, Placement, Segment, Verdict

_COPIED = {frozenset({Verdict.BPU, Verdict.CPU})}


@dataclass(frozen=True, slots=True)
class Island:
    """A segment that is not on the BPU, and what the model gains when it goes there.

    Attributes:
        segment: index of the segment.
        nodes: number of its nodes.
        copies: tensors copied between BPU and CPU that go away.
        bytes: their size in bytes; None when unknown.
        joins: BPU segments that touch it; two or more become one.
        values: names of those tensors, in the order of `Placement.crossings`.
    """

    segment: int
    nodes: int
    copies: int
    bytes: int | None
    joins: int
    values: tuple[str, ...] = ()


def find_segments(
    model: Model, wires: Wires, verdicts: Mapping[NodeId, NodeVerdict]
) -> tuple[tuple[Segment, ...], tuple[Crossing, ...]]:
    """Segments of the main graph of *model*, by their first node in order, and the tensors copied between them.

    *wires* are those of the main graph.
    """
    groups = _groups(wires, verdicts)
    owner = {node.id: index for index, nodes in enumerate(groups) for node in nodes}
    entering: list[dict[str, None]] = [{} for _ in groups]
    leaving: list[dict[str, None]] = [{} for _ in groups]
    crossings: dict[str, Crossing] = {}
    graph_inputs = {*model.main.inputs, *model.main.overridable}
    for node in wires.nodes:
        index = owner[node.id]
        for name, source in zip(wires.inputs[node.id], wires.sources[node.id], strict=True):
            if source is None:
                if name in graph_inputs:
                    entering[index][name] = None
            elif owner[source] != index:
                entering[index][name] = None
                leaving[owner[source]][name] = None
                ends = frozenset({verdicts[source].verdict, verdicts[node.id].verdict})
                if ends in _COPIED and name not in crossings:
                    crossings[name] = Crossing(name, source, node.id, value_bytes(model.value(MAIN, name)))
    for name in wires.outputs:
        source = wires.producer.get(name)
        if source is not None:
            leaving[owner[source]][name] = None
    segments = tuple(
        Segment(
            index,
            verdicts[nodes[0].id].verdict,
            tuple(node.id for node in nodes),
            tuple(entering[index]),
            tuple(leaving[index]),
            _bytes(model, entering[index]),
            _bytes(model, leaving[index]),
        )
        for index, nodes in enumerate(groups)
    )
    return segments, tuple(crossings.values())


def islands(placement: Placement) -> tuple[Island, ...]:
    """Segments on the CPU (or with no place at all), most rewarding first.

    Ranked by the BPU segments that would become one, then by bytes no longer copied, then by fewest nodes.
    """
    owner = {node: segment for segment in placement.segments for node in segment.nodes}
    found = []
    for segment in placement.segments:
        if segment.verdict not in (Verdict.CPU, Verdict.UNSUPPORTED):
            continue
        copies = [c for c in placement.crossings if segment.index in (owner[c.source].index, owner[c.target].index)]
        ends = {*segment.inputs, *segment.outputs}
        touching = {
            other.index
            for other in placement.segments
            if other.verdict is Verdict.BPU and not ends.isdisjoint((*other.inputs, *other.outputs))
        }
        sizes = [crossing.bytes for crossing in copies]
        known = [size for size in sizes if size is not None]
        total = sum(known) if len(known) == len(sizes) else None
        values = tuple(crossing.value for crossing in copies)
        found.append(Island(segment.index, len(segment.nodes), len(copies), total, len(touching), values))
    return tuple(sorted(found, key=lambda island: (-island.joins, -(island.bytes or 0), island.nodes, island.segment)))


def _groups(wires: Wires, verdicts: Mapping[NodeId, NodeVerdict]) -> list[list[Node]]:
    """Nodes per segment, segments by their first node."""
    units = _units(wires, verdicts)
    parent: dict[NodeId, NodeId] = {}

    def find(unit: NodeId) -> NodeId:
        while parent[unit] != unit:
            parent[unit] = parent[parent[unit]]
            unit = parent[unit]
        return unit

    level: dict[NodeId, int] = {}
    unit_of = {node.id: unit for unit, nodes in units for node in nodes}
    for unit, nodes in units:
        parent[unit] = unit
        verdict = verdicts[unit].verdict
        same: list[NodeId] = []
        highest = 0
        for node in nodes:
            for source in wires.sources[node.id]:
                if source is None or unit_of[source] not in level:
                    continue
                other = unit_of[source]
                if verdicts[source].verdict is verdict:
                    same.append(other)
                    highest = max(highest, level[other])
                else:
                    highest = max(highest, level[other] + 1)
        level[unit] = highest
        for other in same:
            if level[other] == highest:
                parent[find(unit)] = find(other)
    found: dict[NodeId, list[Node]] = {}
    for node in wires.nodes:
        found.setdefault(find(unit_of[node.id]), []).append(node)
    return list(found.values())


def _units(wires: Wires, verdicts: Mapping[NodeId, NodeVerdict]) -> list[tuple[NodeId, list[Node]]]:
    """Nodes that run as one, hosts with what is fused into them, in topological order.

    A fused node counts to its host only where the two are wired together: a BatchNormalization that was folded through
    a Concat stays where it is. A unit takes the place of its last node that reads from outside or is read at all.
    """
    top = {node.id: _host(verdicts[node.id]) for node in wires.nodes}
    joined: set[NodeId] = set()
    open_ended: set[NodeId] = set()
    for node in wires.nodes:
        unit = top[node.id]
        for source in wires.sources[node.id]:
            if source is None or top[source] != unit:
                open_ended.add(node.id)
            else:
                joined.update((source, node.id))
            if source is not None:
                open_ended.add(source)
    members: dict[NodeId, list[Node]] = {}
    place: dict[NodeId, int] = {}
    for index, node in enumerate(wires.nodes):
        unit = top[node.id] if node.id in joined else node.id
        members.setdefault(unit, []).append(node)
        if node.id in open_ended or unit not in place:
            place[unit] = index
    return sorted(members.items(), key=lambda item: place[item[0]])


def _host(verdict: NodeVerdict) -> NodeId:
    return verdict.node if verdict.fused_into is None else verdict.fused_into


def _bytes(model: Model, names: Mapping[str, None]) -> int | None:
    total = 0
    for name in names:
        size = value_bytes(model.value(MAIN, name))
        if size is None:
            return None
        total += size
    return total
