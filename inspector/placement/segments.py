"""Segments: runs of connected nodes on one processor, the tensors copied between them, and what an island costs.

Two connected nodes on one processor stand in one segment unless a path between them leaves it; else segments could not
run one after the other. The level of a node counts how often the processor changes on the way to it; equal level and a
connection make a segment (union-find, in topological order).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from inspector.model.graph import MAIN, Model, Node, NodeId
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
    """

    segment: int
    nodes: int
    copies: int
    bytes: int | None
    joins: int


class _Wires:
    """Edges between the standing nodes of the main graph, folded ones stepped over."""

    def __init__(self, model: Model, verdicts: Mapping[NodeId, NodeVerdict]) -> None:
        self.model = model
        self.verdicts = verdicts
        self.nodes = [node for node in model.main.nodes if verdicts[node.id].verdict is not Verdict.FOLDED]
        self._alias: dict[str, str] = {}
        for node in model.main.nodes:
            if verdicts[node.id].verdict is Verdict.FOLDED and node.inputs and node.outputs:
                self._alias[node.outputs[0]] = self._alias.get(node.inputs[0], node.inputs[0])
        self.producer = {name: node for node in self.nodes for name in node.outputs if name}

    def inputs(self, node: Node) -> list[str]:
        """Values read by *node*, no-ops stepped over."""
        names = (*node.inputs, *self.model.captures(node)) if node.bodies else node.inputs
        return [self._alias.get(name, name) for name in names if name]

    def verdict(self, node: Node) -> Verdict:
        """Where *node* runs."""
        return self.verdicts[node.id].verdict


def find_segments(
    model: Model, verdicts: Mapping[NodeId, NodeVerdict]
) -> tuple[tuple[Segment, ...], tuple[Crossing, ...]]:
    """Segments of the main graph of *model*, by their first node in order, and the tensors copied between them."""
    wires = _Wires(model, verdicts)
    groups = _groups(wires)
    owner = {node.id: index for index, nodes in enumerate(groups) for node in nodes}
    entering: list[dict[str, None]] = [{} for _ in groups]
    leaving: list[dict[str, None]] = [{} for _ in groups]
    crossings: dict[str, Crossing] = {}
    graph_inputs = {*model.main.inputs, *model.main.overridable}
    for node in wires.nodes:
        index = owner[node.id]
        for name in wires.inputs(node):
            source = wires.producer.get(name)
            if source is None:
                if name in graph_inputs:
                    entering[index][name] = None
            elif owner[source.id] != index:
                entering[index][name] = None
                leaving[owner[source.id]][name] = None
                ends = frozenset({wires.verdict(source), wires.verdict(node)})
                if ends in _COPIED and name not in crossings:
                    crossings[name] = Crossing(name, source.id, node.id, value_bytes(model.value(MAIN, name)))
    for name in model.main.outputs:
        source = wires.producer.get(wires._alias.get(name, name))
        if source is not None:
            leaving[owner[source.id]][wires._alias.get(name, name)] = None
    segments = tuple(
        Segment(
            index,
            wires.verdict(nodes[0]),
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
        found.append(Island(segment.index, len(segment.nodes), len(copies), total, len(touching)))
    return tuple(sorted(found, key=lambda island: (-island.joins, -(island.bytes or 0), island.nodes, island.segment)))


def _groups(wires: _Wires) -> list[list[Node]]:
    """Nodes per segment, segments by their first node."""
    units = _units(wires)
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
        verdict = wires.verdict(nodes[0])
        sources = {
            unit_of[source.id]: wires.verdict(source) is verdict
            for node in nodes
            for name in wires.inputs(node)
            if (source := wires.producer.get(name)) is not None and unit_of[source.id] in level
        }
        level[unit] = max((level[other] + (not same) for other, same in sources.items()), default=0)
        for other, same in sources.items():
            if same and level[other] == level[unit]:
                parent[find(unit)] = find(other)
    found: dict[NodeId, list[Node]] = {}
    for node in wires.nodes:
        found.setdefault(find(unit_of[node.id]), []).append(node)
    return list(found.values())


def _units(wires: _Wires) -> list[tuple[NodeId, list[Node]]]:
    """Nodes that run as one, hosts with what is fused into them, in topological order.

    A fused node counts to its host only where the two are wired together: a BatchNormalization that was folded through
    a Concat stays where it is. A unit takes the place of its last node that reads from outside or is read at all.
    """
    top = {node.id: _host(wires.verdicts[node.id]) for node in wires.nodes}
    joined: set[NodeId] = set()
    open_ended: set[NodeId] = set()
    for node in wires.nodes:
        for name in wires.inputs(node):
            source = wires.producer.get(name)
            if source is None or top[source.id] != top[node.id]:
                open_ended.add(node.id)
            else:
                joined.update((source.id, node.id))
            if source is not None:
                open_ended.add(source.id)
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
