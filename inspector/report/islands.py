"""Islands of a placement: CPU segments between BPU segments, what they cost, and what removing each one gains."""

from inspector.model.graph import Model
from inspector.placement.segments import Island, islands
from inspector.placement.verdict import Placement
from inspector.report.values import Json, node_ref
from inspector.text import Message, render, say

SHOWN = 5
"""Islands that the text for a terminal lists."""


def island_values(placement: Placement) -> list[Json]:
    """All islands, most rewarding first, with the tensors that are copied for them."""
    crossings = {crossing.value: crossing for crossing in placement.crossings}
    return [
        {
            "segment": island.segment,
            "verdict": placement.segments[island.segment].verdict.value,
            "nodes": list(placement.segments[island.segment].nodes),
            "joins": island.joins,
            "copies": island.copies,
            "bytes": island.bytes,
            "tensors": [{"value": name, "bytes": crossings[name].bytes} for name in island.values],
        }
        for island in islands(placement)
    ]


def island_lines(model: Model, placement: Placement, language: str) -> list[str]:
    """The islands that cost copies, most rewarding first; nothing when none does."""
    costly = [island for island in islands(placement) if island.copies]
    if not costly:
        return []
    lines = [render(say("report.islands", n=len(costly)), language)]
    lines += ["  " + render(_island(model, placement, island), language) for island in costly[:SHOWN]]
    if len(costly) > SHOWN:
        lines.append("  " + render(say("report.islands_more", n=len(costly) - SHOWN), language))
    return lines


def size(count: int | None) -> Message:
    """A size in bytes for a reader, in the unit that suits it."""
    if count is None:
        return say("report.size_unknown")
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count >= factor:
            return say("report.size", figure=f"{count / factor:.1f}", unit=unit)
    return say("report.size", figure=str(count), unit="B")


def _island(model: Model, placement: Placement, island: Island) -> Message:
    segment = placement.segments[island.segment]
    first, last = (node_ref(model, segment.nodes[end]) for end in (0, -1))
    where = say(
        "report.island_one" if island.nodes == 1 else "report.island_run", first=first, last=last, n=island.nodes
    )
    gain = say("report.island_joins" if island.joins > 1 else "report.island_copies",
               joins=island.joins, n=island.copies, size=size(island.bytes))  # fmt: skip
    return say("report.island", where=where, verdict=segment.verdict.value, gain=gain)
