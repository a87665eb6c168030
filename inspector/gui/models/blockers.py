"""Top blockers: islands off the BPU, by what the model gains when they go there."""

from dataclasses import dataclass

from inspector.model.graph import Model, NodeId
from inspector.placement.segments import Island, islands
from inspector.placement.verdict import Placement, Verdict

MOST = 4
"""Islands that are listed."""


@dataclass(frozen=True, slots=True)
class Blocker:
    """An island that costs copies.

    Attributes:
        nodes: its nodes in the model's order, at least one.
        title: its operators, `Reshape` or `Reshape … Softmax`.
        label: name of its first node.
        verdict: why it is off the BPU: CPU or UNSUPPORTED.
        island: what removing it gains.
    """

    nodes: tuple[NodeId, ...]
    title: str
    label: str
    verdict: Verdict
    island: Island


def top_blockers(model: Model, placement: Placement, most: int = MOST) -> tuple[Blocker, ...]:
    """The islands of *placement* that cost copies, most rewarding first, at most *most* of them."""
    costly = [island for island in islands(placement) if island.copies]
    return tuple(_blocker(model, placement, island) for island in costly[:most])


def _blocker(model: Model, placement: Placement, island: Island) -> Blocker:
    segment = placement.segments[island.segment]
    first, last = (model.node(segment.nodes[end]) for end in (0, -1))
    title = str(first.op) if len(segment.nodes) == 1 else f"{first.op} … {last.op}"
    return Blocker(segment.nodes, title, first.label, segment.verdict, island)
