"""Segments: runs of connected nodes on one processor, the tensors copied between them, and what an island costs.

Two connected nodes on one processor stand in one segment unless a path between them leaves it; else segments could not
run one after the other. The level of a node counts how often the processor changes on the way to it; equal level and a
connection make a segment (union-find, in topological order).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from inspector.model.graph import Model, NodeId
from inspector.placement.context import Wires
from inspector.placement.grouping import segment_of_nodes
from inspector.placement.verdict import SEVERITY, Crossing, NodeVerdict, Placement, Segment, Verdict

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
    nodes = wires.nodes
    decided = [verdicts[node.id] for node in nodes]
    verdict = [one.verdict for one in decided]
    owner = _owners(wires, decided)
    groups: list[list[NodeId]] = [[] for _ in range(max(owner, default=-1) + 1)]
    for node, index in zip(nodes, owner, strict=True):
        groups[index].append(node.id)
    entering: list[dict[str, None]] = [{} for _ in groups]
    leaving: list[dict[str, None]] = [{} for _ in groups]
    crossings: dict[str, Crossing] = {}
    graph_inputs = {*model.main.inputs, *model.main.overridable}
    for before, after, name in zip(*wires.edges, strict=True):
        if before < 0:
            if name in graph_inputs:
                entering[owner[after]][name] = None
        elif owner[before] != owner[after]:
            entering[owner[after]][name] = None
            leaving[owner[before]][name] = None
            if name not in crossings and frozenset((verdict[before], verdict[after])) in _COPIED:
                crossings[name] = Crossing(name, nodes[before].id, nodes[after].id, wires.bytes_of(name))
    for name in wires.outputs:
        source = wires.producer.get(name)
        if source is not None:
            leaving[owner[wires.index[source]]][name] = None
    segments = tuple(
        Segment(
            index,
            verdicts[members[0]].verdict,
            tuple(members),
            tuple(entering[index]),
            tuple(leaving[index]),
            _bytes(wires, entering[index]),
            _bytes(wires, leaving[index]),
        )
        for index, members in enumerate(groups)
    )
    return segments, tuple(crossings.values())


def islands(placement: Placement) -> tuple[Island, ...]:
    """Segments on the CPU (or with no place at all), most rewarding first.

    Ranked by the BPU segments that would become one, then by bytes no longer copied, then by fewest nodes.
    """
    owner = {node: segment.index for segment in placement.segments for node in segment.nodes}
    copied: dict[int, list[Crossing]] = {}
    for crossing in placement.crossings:
        for index in {owner[crossing.source], owner[crossing.target]}:
            copied.setdefault(index, []).append(crossing)
    beside: dict[str, set[int]] = {}
    for segment in placement.segments:
        if segment.verdict is Verdict.BPU:
            for value in (*segment.inputs, *segment.outputs):
                beside.setdefault(value, set()).add(segment.index)
    found = []
    for segment in placement.segments:
        if segment.verdict not in (Verdict.CPU, Verdict.UNSUPPORTED):
            continue
        copies = copied.get(segment.index, [])
        touching = {index for value in (*segment.inputs, *segment.outputs) for index in beside.get(value, ())}
        sizes = [crossing.bytes for crossing in copies]
        known = [size for size in sizes if size is not None]
        total = sum(known) if len(known) == len(sizes) else None
        values = tuple(crossing.value for crossing in copies)
        found.append(Island(segment.index, len(segment.nodes), len(copies), total, len(touching), values))
    return tuple(sorted(found, key=lambda island: (-island.joins, -(island.bytes or 0), island.nodes, island.segment)))


def _owners(wires: Wires, decided: Sequence[NodeVerdict]) -> list[int]:
    """Number of the segment of each standing node; segments are numbered by their first node."""
    index = wires.index
    before, after, _ = wires.edges
    return segment_of_nodes(
        np.array(before, dtype=np.int64),
        np.array(after, dtype=np.int64),
        np.array([index[_host(one)] for one in decided], dtype=np.int64),
        np.array([SEVERITY[one.verdict] for one in decided], dtype=np.int64),
    )


def _host(verdict: NodeVerdict) -> NodeId:
    return verdict.node if verdict.fused_into is None else verdict.fused_into


def _bytes(wires: Wires, names: Mapping[str, None]) -> int | None:
    total = 0
    for name in names:
        size = wires.bytes_of(name)
        if size is None:
            return None
        total += size
    return total
