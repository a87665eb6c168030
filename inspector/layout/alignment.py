"""Blocks: runs of places, one per rank, that stand exactly below each other, so that their links are straight.

Every place is in one block. Links are tried in order of what straightness is worth: the longest path (the spine of
the network) first, then chains of boxes, then the inside of trunks, then the rest by the length of the longest path
through it. A link is straight when neither end has
a straight link on that side yet and it crosses no straight link of its gap.
"""

import math
from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from inspector.layout.graph import Floats, Ints
from inspector.layout.lattice import Lattice, neighbours
from inspector.layout.watch import Watch
from inspector.layout.worth import Worth


def find_blocks(
    lattice: Lattice,
    position: Ints,
    worth: Worth,
    anchor: Floats,
    watch: Watch,
) -> Ints:
    """`[places]` block of each place, numbered by the first place.

    Args:
        lattice: places and links.
        position: `[places]` position within the rank.
        worth: what it is worth that each link is straight.
        anchor: `[places]` x that a place should keep, NaN for most; places with different anchors share no block.
        watch: cancel.
    """
    count = len(lattice.layer)
    block = np.arange(count, dtype=np.int64)
    if not len(lattice.upper):
        return block
    chosen = _straight_links(lattice, position, worth, watch)
    if not bool(np.isnan(anchor).all()):
        chosen = _within_anchors(lattice, anchor, chosen)
    watch.check()
    upper, lower = lattice.upper[chosen], lattice.lower[chosen]
    parent = block.copy()
    parent[lower] = upper
    while True:
        further = parent[parent]
        if bool(np.all(further == parent)):
            break
        parent = further
    return np.asarray(np.unique(parent, return_inverse=True)[1], dtype=np.int64)


def _within_anchors(lattice: Lattice, anchor: Floats, chosen: list[int]) -> list[int]:
    """Straight links without those that would join runs with different anchors."""
    upper, lower, layer = lattice.upper, lattice.lower, lattice.layer
    run: list[float] = anchor.tolist()
    kept: list[int] = []
    for link in sorted(chosen, key=lambda n: int(layer[upper[n]])):
        u, v = int(upper[link]), int(lower[link])
        if math.isnan(run[v]):
            run[v] = run[u]
        elif run[u] != run[v] and not math.isnan(run[u]):
            continue
        kept.append(link)
    return kept


def _straight_links(lattice: Lattice, position: Ints, worth: Worth, watch: Watch) -> list[int]:
    order = _by_worth(lattice, worth)
    watch.check()
    inside = ((lattice.upper >= lattice.boxes) & (lattice.lower >= lattice.boxes)).tolist()
    chooser = _Chooser(lattice, position)
    watch.check()
    lengths: list[int] = worth.length.tolist()
    below = neighbours(len(lattice.layer), lattice.upper[order], order)
    watch.check()
    above = neighbours(len(lattice.layer), lattice.lower[order], order)
    for number, link in enumerate(order.tolist()):
        if not number & 4095:
            watch.check()
        if chooser.choose(link) and not inside[link]:
            chooser.follow(link, chooser.lower, below, lengths)
            chooser.follow(link, chooser.upper, above, lengths)
    return list(chooser.chosen)


class _Chooser:
    """Straight links so far.

    Attributes:
        upper: `[links]` upper ends.
        lower: `[links]` lower ends.
        chosen: links that will be straight, in order of choice.
    """

    def __init__(self, lattice: Lattice, position: Ints) -> None:
        up, low = position[lattice.upper], position[lattice.lower]
        gap = lattice.layer[lattice.upper]
        self.upper: list[int] = lattice.upper.tolist()
        self.lower: list[int] = lattice.lower.tolist()
        self.chosen: dict[int, None] = {}
        self._up, self._low, self._gap = up.tolist(), low.tolist(), gap.tolist()
        self._crossed = _crossed_gaps(gap, up, low)
        self._taken_below = [False] * len(lattice.layer)
        self._taken_above = [False] * len(lattice.layer)
        self._straight: dict[int, list[tuple[int, int]]] = {}

    def choose(self, link: int) -> bool:
        """Make *link* straight if its ends are free and no straight link is in its way."""
        u, v = self.upper[link], self.lower[link]
        if self._taken_below[u] or self._taken_above[v]:
            return False
        gap = self._gap[link]
        if gap in self._crossed:
            pairs = self._straight.setdefault(gap, [])
            pair = (self._up[link], self._low[link])
            at = bisect_left(pairs, pair)
            if (at and pairs[at - 1][1] > pair[1]) or (at < len(pairs) and pairs[at][1] < pair[1]):
                return False
            pairs.insert(at, pair)
        self._taken_below[u] = self._taken_above[v] = True
        self.chosen[link] = None
        return True

    def follow(self, link: int, ends: list[int], onward: list[list[int]], length: list[int]) -> None:
        """Go on from the end of *link* along links of the same length, so that one whole path becomes straight."""
        same = length[link]
        step: int | None = link
        while step is not None:
            ways = [n for n in onward[ends[step]] if length[n] == same]
            step = next((n for n in ways if n in self.chosen or self.choose(n)), None)


def _crossed_gaps(gap: Ints, up: Ints, low: Ints) -> set[int]:
    """Ranks below which any two links cross."""
    by_place = np.lexsort((low, up, gap))
    gap, low = gap[by_place], low[by_place]
    falls = (gap[1:] == gap[:-1]) & (low[1:] < low[:-1])
    return set(gap[1:][falls].tolist())


def _by_worth(lattice: Lattice, worth: Worth) -> Ints:
    """Links, those first whose straightness is worth most."""
    upper, lower, boxes = lattice.upper, lattice.lower, lattice.boxes
    knots = (upper >= boxes).astype(np.int64) + (lower >= boxes)
    turn = np.select([worth.spine, worth.chain, knots == 2], [0, 1, 2], 3)
    off_middle = _off_middle(upper) + _off_middle(lower)
    return np.lexsort((np.arange(len(upper)), off_middle, knots, -worth.length, turn))


def _off_middle(end: Ints) -> npt.NDArray[np.float64]:
    """How far each link is from the middle one among those that share its *end*, in links."""
    sequence = np.argsort(end, kind="stable")
    count = np.bincount(end)
    first = np.cumsum(count) - count
    rank = np.empty(len(end), dtype=np.int64)
    rank[sequence] = np.arange(len(end)) - first[end[sequence]]
    return np.abs(rank - (count[end] - 1) / 2)
