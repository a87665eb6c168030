"""Segments: runs of connected nodes on one processor, the tensors copied between them, and what an island costs.

Two connected nodes on one processor stand in one segment unless a path between them leaves it; else segments could not
run one after the other. The level of a node counts how often the processor changes on the way to it; equal level and a
connection make a segment (union-find, in topological order).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from inspector.model.graph import Model, NodeId
from inspector.placement.grouping import Ints, segment_of_nodes
from inspector.placement.verdict import SEVERITY, Crossing, Placement, Segment, Verdict
from inspector.placement.wires import Wires


@dataclass(frozen=True, slots=True)
class Island:
    """A segment that is not on the BPU, and what the model gains when it goes there.

    Attributes:
        segment: index of the segment.
        nodes: number of its nodes.
        copies: tensors copied between BPU and CPU that go away; one that a further island reads stays.
        bytes: their size in bytes; None when unknown.
        joins: BPU segments that become one with it.
        values: names of those tensors, in the order of `Placement.crossings`.
    """

    segment: int
    nodes: int
    copies: int
    bytes: int | None
    joins: int
    values: tuple[str, ...] = ()


def find_segments(
    model: Model, wires: Wires, verdict: Mapping[NodeId, Verdict], hosts: Mapping[NodeId, NodeId]
) -> tuple[tuple[Segment, ...], tuple[Crossing, ...]]:
    """Segments of the main graph of *model*, by their first node in order, and the tensors copied between them.

    Args:
        model: the model.
        wires: those of its main graph.
        verdict: of every node.
        hosts: fused node -> the node at the end of the chain it is fused into.
    """
    decided = [verdict[node.id] for node in wires.nodes]
    code = np.array([SEVERITY[one] for one in decided], dtype=np.int64)
    top = np.arange(len(decided), dtype=np.int64)
    fused = [(place, host) for key, host in hosts.items() if (place := wires.index.get(key)) is not None]
    top[[place for place, _ in fused]] = [wires.index[host] for _, host in fused]
    owner = segment_of_nodes(wires.source, wires.target, top, code)
    count = int(owner.max(initial=-1)) + 1
    inner = wires.source >= 0
    passed = np.flatnonzero(inner & (owner[wires.source] != owner[wires.target]))
    inputs = {*model.main.inputs, *model.main.overridable}
    given = [edge for edge in np.flatnonzero(~inner).tolist() if wires.names[wires.value[edge]] in inputs]
    entering = np.union1d(passed, np.array(given, dtype=np.int64))
    left = [(place, name) for name in wires.outputs if (place := wires.made.get(name)) is not None]
    into = _Border(wires, count, owner[wires.target[entering]], wires.value[entering])
    out_of = _Border(
        wires,
        count,
        np.concatenate([owner[wires.source[passed]], owner[[place for place, _ in left]]]),
        np.concatenate([wires.value[passed], wires.numbers([name for _, name in left])]),
    )
    members = np.argsort(owner, kind="stable")
    ids = [wires.nodes[place].id for place in members.tolist()]
    ends = np.searchsorted(owner[members], np.arange(count + 1)).tolist()
    nodes = [tuple(ids[start:end]) for start, end in pairwise(ends)]
    segments = tuple([
        Segment(
            index,
            decided[first],
            nodes[index],
            into.names[index],
            out_of.names[index],
            into.bytes[index],
            out_of.bytes[index],
        )
        for index, first in enumerate(members[ends[:-1]].tolist())
    ])  # fmt: skip
    return segments, _crossings(wires, passed, code)


class _Border:
    """Values that pass the borders of segments in one direction.

    Attributes:
        names: per segment, its values in the order in which nodes read them.
        bytes: per segment, the size of its values in bytes; None when one is unknown.
    """

    def __init__(self, wires: Wires, count: int, owner: Ints, value: Ints) -> None:
        """Sort out which *value* passes the border of which *owner*, one of *count* segments; repeats are dropped."""
        _, first = np.unique(owner * (len(wires.names) + 1) + value, return_index=True)
        first = first[np.lexsort((first, owner[first]))]
        owner, value = owner[first], value[first]
        flat = [wires.names[number] for number in value.tolist()]
        ends = np.searchsorted(owner, np.arange(count + 1)).tolist()
        self.names = [tuple(flat[start:end]) for start, end in pairwise(ends)]
        sizes = wires.bytes(value.tolist())
        unknown = np.bincount(owner[[size is None for size in sizes]], minlength=count).tolist()
        total = np.zeros(count, dtype=np.int64)
        np.add.at(total, owner, [size or 0 for size in sizes])
        self.bytes = [None if lacking else size for lacking, size in zip(unknown, total.tolist(), strict=True)]


def _crossings(wires: Wires, passed: Ints, code: Ints) -> tuple[Crossing, ...]:
    """Values copied between BPU and CPU along the edges *passed*, in the order in which nodes read them."""
    before, after = code[wires.source[passed]], code[wires.target[passed]]
    bpu, cpu = SEVERITY[Verdict.BPU], SEVERITY[Verdict.CPU]
    copied = passed[((before == bpu) & (after == cpu)) | ((before == cpu) & (after == bpu))]
    _, first = np.unique(wires.value[copied], return_index=True)
    edges = copied[np.sort(first)]
    values = wires.value[edges].tolist()
    columns = zip(values, wires.source[edges].tolist(), wires.target[edges].tolist(), wires.bytes(values), strict=True)
    return tuple([
        Crossing(wires.names[value], wires.nodes[source].id, wires.nodes[target].id, size)
        for value, source, target, size in columns
    ])  # fmt: skip


def islands(placement: Placement) -> tuple[Island, ...]:
    """Segments on the CPU (or with no place at all), most rewarding first.

    Ranked by the BPU segments that would become one, then by bytes no longer copied, then by fewest nodes.
    """
    links = _Links(placement)
    found = []
    for segment in placement.segments:
        if segment.verdict not in (Verdict.CPU, Verdict.UNSUPPORTED):
            continue
        copies = links.spared(segment)
        sizes = [crossing.bytes for crossing in copies]
        known = [size for size in sizes if size is not None]
        total = sum(known) if len(known) == len(sizes) else None
        values = tuple(crossing.value for crossing in copies)
        joins = links.joined(segment.index)
        found.append(Island(segment.index, len(segment.nodes), len(copies), total, joins, values))
    return tuple(sorted(found, key=lambda island: (-island.joins, -(island.bytes or 0), island.nodes, island.segment)))


class _Links:
    """Segments of a placement with the values that one computes and another reads; inputs of the model link nothing."""

    def __init__(self, placement: Placement) -> None:
        """Collect makers and readers, and the level of each segment: processor changes on the way to it."""
        self.verdict = [segment.verdict for segment in placement.segments]
        self.crossings = {crossing.value: (turn, crossing) for turn, crossing in enumerate(placement.crossings)}
        self.maker = {value: segment.index for segment in placement.segments for value in segment.outputs}
        self.readers: dict[str, list[int]] = {}
        self.before: list[set[int]] = [set() for _ in placement.segments]
        self.after: list[set[int]] = [set() for _ in placement.segments]
        for segment in placement.segments:
            for value in segment.inputs:
                if (maker := self.maker.get(value)) is not None:
                    self.readers.setdefault(value, []).append(segment.index)
                    self.before[segment.index].add(maker)
                    self.after[maker].add(segment.index)
        self.level = self._levels()

    def _levels(self) -> list[int]:
        level = [0] * len(self.verdict)
        waiting = [len(before) for before in self.before]
        ready = [index for index, count in enumerate(waiting) if not count]
        while ready:
            index = ready.pop()
            for later in self.after[index]:
                changes = self.verdict[index] is not self.verdict[later]
                level[later] = max(level[later], level[index] + changes)
                waiting[later] -= 1
                if not waiting[later]:
                    ready.append(later)
        return level

    def joined(self, island: int) -> int:
        """Number of BPU segments that become one with segment *island* when that goes to the BPU.

        One behind it does unless it waits for another processor on a way around the island; what feeds either does
        unless the island waits for something later.
        """
        reached = max((self._from_bpu(index) for index in self.before[island]), default=0)
        bpu = Verdict.BPU
        behind = {
            index
            for index in self.after[island]
            if self.verdict[index] is bpu
            and all(self._from_bpu(other) <= reached for other in self.before[index] - {island})
        }
        feeding = self.before[island].union(*(self.before[index] for index in behind)) - {island}
        before = {index for index in feeding if self.verdict[index] is bpu and self.level[index] == reached}
        return len(before | behind)

    def _from_bpu(self, index: int) -> int:
        """Level of a BPU segment that reads from segment *index*."""
        return self.level[index] + (self.verdict[index] is not Verdict.BPU)

    def spared(self, island: Segment) -> list[Crossing]:
        """Copies that are not needed any more when *island* goes to the BPU, in the order of the crossings."""
        spared = {}
        for value in (*island.inputs, *island.outputs):
            turn, crossing = self.crossings.get(value, (-1, None))
            if crossing is None:
                continue
            places = {
                Verdict.BPU if index == island.index else self.verdict[index]
                for index in (self.maker[value], *self.readers[value])
            }
            if not {Verdict.BPU, Verdict.CPU} <= places:
                spared[turn] = crossing
        return [spared[turn] for turn in sorted(spared)]
