"""`LayoutOptions`: the distances and limits that a layout keeps. All lengths are logical pixels."""

from dataclasses import dataclass
from enum import StrEnum


class Direction(StrEnum):
    """Which way the edges point."""

    DOWN = "down"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class LayoutOptions:
    """How to lay out.

    Attributes:
        direction: way the edges point. With `RIGHT` a rank is a column, and "above" reads "left of" everywhere.
        rank_gap: least free height between two ranks; it grows where many edges change lanes.
        sibling_gap: least free width between two boxes of a rank.
        edge_gap: least free width between an edge that passes a rank and a box of that rank.
        trunk_gap: least distance of two edges that pass the same rank.
        track_gap: distance of two horizontal pieces of edges between two ranks.
        stub: length of each half of a cut edge; shorter than `rank_gap`.
        component_gap: free space between parts of the graph that are not connected.
        longest_edge: edges that span more ranks are cut into two stubs. None: chosen from the size of the graph, so
            that small graphs keep every edge whole.
        sweeps: most rounds of crossing reduction; each is one pass down and one pass up.
    """

    direction: Direction = Direction.DOWN
    rank_gap: float = 44.0
    sibling_gap: float = 32.0
    edge_gap: float = 20.0
    trunk_gap: float = 14.0
    track_gap: float = 9.0
    stub: float = 22.0
    component_gap: float = 64.0
    longest_edge: int | None = None
    sweeps: int = 8
