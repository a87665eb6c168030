"""Ranks of a changed graph: kept boxes stay in order, and ranks are inserted where new boxes find no room between them.

A new box stands one rank below the lowest box it hangs on. Where a kept box would then not be below one it hangs on,
ranks are inserted above it, across the whole drawing, so that everything below moves down together.
"""

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from inspector.layout.graph import Ints, LayoutGraph, Mask


@dataclass(frozen=True, slots=True)
class Ranks:
    """Ranks after a change.

    Attributes:
        layer: `[n]` rank of each box.
        before: `[ranks]` rank it was before the change; -1 for an inserted one. Rises.
    """

    layer: Ints
    before: Ints


def insert_ranks(graph: LayoutGraph, order: Ints, forward: Mask, held: Ints) -> Ranks | None:
    """Ranks of all boxes; None when the kept boxes cannot stay in the order of their ranks.

    Args:
        graph: the changed graph.
        order: boxes so that every forward edge points from an earlier to a later one.
        forward: `[m]` edges that count.
        held: `[n]` rank of each box before the change; -1 for a new box.
    """
    source, target = graph.edge_source[forward], graph.edge_target[forward]
    kept = (held[source] >= 0) & (held[target] >= 0)
    if bool(np.any(held[source[kept]] >= held[target[kept]])):
        return None
    above, below = _around_new(source, target, held)
    new: list[int] = order[held[order] < 0].tolist()
    rank: list[int] = held.tolist()
    lowest: dict[int, int] = {}
    for box in new:
        lowest[box] = max([-1, *[lowest[p] if rank[p] < 0 else rank[p] for p in above[box]]])
    readers = {reader for box in new for reader in below[box] if rank[reader] >= 0}
    if any(lowest[p] >= rank[reader] for reader in readers for p in above[reader] if rank[p] < 0):
        return None
    shift = _Shift()
    found = _descend(new, readers, above, rank, lowest, shift)
    for box in reversed(new):
        if below[box] and (lowest[box] < 0 or graph.side[box]):
            found[box] = min(found[b] if rank[b] < 0 else shift.of(rank[b]) for b in below[box]) - 1
    return _packed(held, found, shift)


class _Shift:
    """How far down the ranks before the change have moved; rises with the rank."""

    def __init__(self) -> None:
        self._first: list[int] = []
        self._by: list[int] = []

    def of(self, rank: int) -> int:
        """Where *rank* is now."""
        at = bisect_right(self._first, rank)
        return rank + (self._by[at - 1] if at else 0)

    def of_all(self, ranks: Ints) -> Ints:
        """Where *ranks* are now."""
        by = np.array([0, *self._by], dtype=np.int64)
        first = np.array(self._first, dtype=np.int64)
        return ranks + by[np.searchsorted(first, ranks, side="right")]

    def insert(self, rank: int, count: int) -> None:
        """Insert *count* ranks above *rank*, which is not above any earlier insertion."""
        self._by.append(count + (self._by[-1] if self._by else 0))
        self._first.append(rank)


def _around_new(source: Ints, target: Ints, held: Ints) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """Boxes above and below, for each new box and along each edge of one."""
    touched = (held[source] < 0) | (held[target] < 0)
    boxes = np.concatenate([np.flatnonzero(held < 0), source[touched], target[touched]]).tolist()
    above: dict[int, list[int]] = {box: [] for box in boxes}
    below: dict[int, list[int]] = {box: [] for box in boxes}
    for s, t in zip(source[touched].tolist(), target[touched].tolist(), strict=True):
        above[t].append(s)
        below[s].append(t)
    return above, below


def _descend(
    new: list[int],
    readers: set[int],
    above: dict[int, list[int]],
    rank: list[int],
    lowest: dict[int, int],
    shift: _Shift,
) -> dict[int, int]:
    """Rank of each new box, and the insertions, from the top down.

    A new box waits for the kept boxes it hangs on; when its turn comes, nothing above those will be inserted any more.
    """
    turns = [(lowest[box], 1, number, box) for number, box in enumerate(new)]
    turns += [(rank[box], 0, 0, box) for box in readers]
    found: dict[int, int] = {}
    for _, is_new, _, box in sorted(turns):
        needed = max([0, *[1 + (found[p] if rank[p] < 0 else shift.of(rank[p])) for p in above[box]]])
        if is_new:
            found[box] = needed
        elif needed > (here := shift.of(rank[box])):
            shift.insert(rank[box], needed - here)
    return found


def _packed(held: Ints, found: dict[int, int], shift: _Shift) -> Ranks:
    """Ranks without those that no box stands in any more."""
    old = np.arange(int(held.max(initial=-1)) + 1, dtype=np.int64)
    now = shift.of_all(old)
    layer = now[held] if len(old) else held.copy()
    layer[list(found)] = list(found.values())
    used, dense = np.unique(layer, return_inverse=True)
    before = np.full(len(used), -1, dtype=np.int64)
    at = np.searchsorted(used, now).clip(max=len(used) - 1)
    same = used[at] == now
    before[at[same]] = old[same]
    return Ranks(np.asarray(dense, dtype=np.int64).reshape(-1), before)
