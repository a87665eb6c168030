"""Tracks: at which height each horizontal piece runs in the gap between two ranks."""

from dataclasses import dataclass, field

import numpy as np

_CLEAR = 6.0
"""Horizontal pieces closer than this to each other, end to end, count as overlapping."""

_SAME = 4.0
"""Vertical pieces closer than this to each other would be read as one line."""

_ONE_LINE = 8
"""How many crossings it is worth to keep two vertical pieces from running into each other."""

_MANY = 40
"""Gaps with more horizontal pieces than this are sorted by direction alone, without counting crossings."""


@dataclass(slots=True)
class Strand:
    """One trunk on its way through one gap, with a horizontal piece.

    Attributes:
        top: x at which it comes from above.
        ends: x at which it goes on below, ascending.
        low: leftmost x of its horizontal piece.
        high: rightmost x.
        track: number of its track, 0 at the top.
    """

    top: float
    ends: list[float]
    low: float = field(init=False)
    high: float = field(init=False)
    track: int = -1

    def __post_init__(self) -> None:
        self.low = min(self.top, self.ends[0])
        self.high = max(self.top, self.ends[-1])


def assign_tracks(strands: list[Strand]) -> int:
    """Give each bent strand a track, few crossings first, then few tracks; returns the number of tracks.

    Strands whose horizontal pieces overlap never share a track.
    """
    if len(strands) == 1:
        strands[0].track = 0
        return 1
    ordered = sorted(strands, key=_heuristic)
    if len(ordered) <= _MANY:
        ordered = _insert(ordered)
        return _levels(ordered)
    return _levels_of_many(ordered)


def _heuristic(strand: Strand) -> tuple[int, float]:
    """Strands that go right are nested from the right, those that go left from the left."""
    reach_right, reach_left = strand.high - strand.top, strand.top - strand.low
    return (0, -strand.top) if reach_right >= reach_left else (1, strand.top)


def _insert(strands: list[Strand]) -> list[Strand]:
    """Build up an order from the top; each strand goes where it causes the fewest crossings."""
    ordered: list[Strand] = []
    for strand in strands:
        cost = sum(_crossings(strand, other) for other in ordered)
        best, at = cost, 0
        for index, other in enumerate(ordered):
            cost += _crossings(other, strand) - _crossings(strand, other)
            if cost < best:
                best, at = cost, index + 1
        ordered.insert(at, strand)
    return ordered


def _crossings(above: Strand, below: Strand) -> int:
    """Crossings of two strands when *above* has the higher track."""
    if above.high < below.low - _SAME or below.high < above.low - _SAME:
        return 0
    count = 1 if above.low < below.top < above.high else 0
    for end in above.ends:
        if below.low < end < below.high:
            count += 1
        if abs(end - below.top) < _SAME:
            count += _ONE_LINE
    return count


def _levels(ordered: list[Strand]) -> int:
    tracks = 0
    for index, strand in enumerate(ordered):
        level = 0
        for other in ordered[:index]:
            if other.track >= level and other.low - _CLEAR < strand.high and strand.low < other.high + _CLEAR:
                level = other.track + 1
        strand.track = level
        tracks = max(tracks, level + 1)
    return tracks


def _levels_of_many(ordered: list[Strand]) -> int:
    low = np.array([strand.low for strand in ordered]) - _CLEAR
    high = np.array([strand.high for strand in ordered]) + _CLEAR
    track = np.full(len(ordered), -1, dtype=np.int64)
    for index, strand in enumerate(ordered):
        meets = (low[:index] < strand.high) & (high[:index] > strand.low)
        track[index] = np.max(track[:index], initial=-1, where=meets) + 1
        strand.track = int(track[index])
    return int(track.max()) + 1
