"""Top blockers: islands off the BPU, grouped by what stands in them, by the segments that go when they go there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inspector.gui.models.problems import operator_title
from inspector.model.graph import Model, NodeId
from inspector.placement.segments import Island, islands
from inspector.placement.verdict import Crossing, Placement, Segment, Verdict

MOST = 4
"""Groups that are listed."""


@dataclass(frozen=True, slots=True)
class Blocker:
    """Islands of one kind that cost copies.

    Attributes:
        nodes: their nodes, island by island, most rewarding island first; at least one.
        title: what stands in each of them, `Reshape, 4-D` or `Reshape … Softmax`.
        islands: how many there are.
        verdict: why they are off the BPU: CPU or UNSUPPORTED.
        segments: segments of the model.
        left: segments that are left when all of these islands run on the BPU.
        copies: tensors that are no longer copied then.
        bytes: their size; None when unknown.
    """

    nodes: tuple[NodeId, ...]
    title: str
    islands: int
    verdict: Verdict
    segments: int
    left: int
    copies: int
    bytes: int | None

    @property
    def saved(self) -> int:
        """Segments that go."""
        return self.segments - self.left


def top_blockers(
    model: Model, placement: Placement, verdicts: frozenset[Verdict] = frozenset(), most: int = MOST
) -> tuple[Blocker, ...]:
    """Groups of islands of *placement* that cost copies, by segments saved, then by bytes; at most *most*.

    *verdicts* narrows them to islands with one of these; empty for all.
    """
    groups: dict[tuple[str, Verdict], list[Island]] = {}
    for island in islands(placement):
        segment = placement.segments[island.segment]
        if island.copies and (not verdicts or segment.verdict in verdicts):
            groups.setdefault((_title(model, segment), segment.verdict), []).append(island)
    made = [_blocker(placement, title, verdict, found) for (title, verdict), found in groups.items()]
    return tuple(sorted(made, key=lambda one: (-one.saved, -(one.bytes or 0), -one.copies))[:most])


def _blocker(placement: Placement, title: str, verdict: Verdict, found: Sequence[Island]) -> Blocker:
    indices = frozenset(island.segment for island in found)
    copied = _copied(placement, indices)
    sizes = [crossing.bytes for crossing in copied]
    known = [size for size in sizes if size is not None]
    return Blocker(
        nodes=tuple(node for island in found for node in placement.segments[island.segment].nodes),
        title=title,
        islands=len(found),
        verdict=verdict,
        segments=len(placement.segments),
        left=len(placement.segments) - _merged(placement.segments, indices),
        copies=len(copied),
        bytes=sum(known) if len(known) == len(sizes) else None,
    )


def _title(model: Model, segment: Segment) -> str:
    first, last = (model.node(segment.nodes[end]) for end in (0, -1))
    return operator_title(model, first) if first.op == last.op else f"{first.op} … {last.op}"


def _copied(placement: Placement, indices: frozenset[int]) -> list[Crossing]:
    owner = {node: segment.index for segment in placement.segments for node in segment.nodes}
    return [one for one in placement.crossings if indices & {owner.get(one.source), owner.get(one.target)}]


def _merged(segments: Sequence[Segment], indices: frozenset[int]) -> int:
    """How many segments fewer there are once those of *indices* are on the BPU and join what they touch there."""
    root = list(range(len(segments)))

    def find(one: int) -> int:
        while root[one] != one:
            root[one] = root[root[one]]
            one = root[one]
        return one

    joins = 0
    for one, other in _links(segments, indices):
        a, b = find(one), find(other)
        if a != b:
            root[a] = b
            joins += 1
    return joins


def _links(segments: Sequence[Segment], indices: frozenset[int]) -> Iterable[tuple[int, int]]:
    """Pairs of a segment of *indices* and one that will run beside it, joined by a tensor."""
    joining = [one for one in segments if one.verdict is Verdict.BPU or one.index in indices]
    makers = {value: one.index for one in joining for value in one.outputs}
    for one in joining:
        for value in one.inputs:
            maker = makers.get(value)
            if maker is not None and (one.index in indices or maker in indices):
                yield one.index, maker
