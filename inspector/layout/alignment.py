"""Blocks: runs of places, one per rank, that stand exactly below each other, so that the links between them are straight.

Every place is in one block. Links are tried in order of what straightness is worth: the inside of trunks first, then
what lies on the longest paths (the spine of the network), then the rest. A link is straight when neither end has
a straight link on that side yet and it crosses no straight link of its gap.
"""

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from inspector.layout.lattice import Lattice
from inspector.layout.result import Ints
from inspector.layout.watch import Watch


def find_blocks(lattice: Lattice, position: Ints, side: npt.NDArray[np.bool_], watch: Watch) -> Ints:
    """`[places]` block of each place, numbered by the first place.

    Args:
        lattice: places and links.
        position: `[places]` position within the rank.
        side: `[boxes]` boxes of side chains, which bend before others do.
        watch: cancel.
    """
    count = len(lattice.layer)
    block = np.arange(count, dtype=np.int64)
    if not len(lattice.upper):
        return block
    chosen = _straight_links(lattice, position, side, watch)
    upper, lower = lattice.upper[chosen], lattice.lower[chosen]
    parent = block.copy()
    parent[lower] = upper
    while True:
        further = parent[parent]
        if bool(np.all(further == parent)):
            break
        parent = further
    return np.asarray(np.unique(parent, return_inverse=True)[1], dtype=np.int64)


def _straight_links(lattice: Lattice, position: Ints, side: npt.NDArray[np.bool_], watch: Watch) -> list[int]:
    upper, lower = lattice.upper.tolist(), lattice.lower.tolist()
    up, low = position[lattice.upper].tolist(), position[lattice.lower].tolist()
    gap = lattice.layer[lattice.upper]
    crossed = _crossed_gaps(gap, position[lattice.upper], position[lattice.lower])
    gaps = gap.tolist()
    taken_below = [False] * len(lattice.layer)
    taken_above = [False] * len(lattice.layer)
    straight: dict[int, list[tuple[int, int]]] = {}
    chosen: list[int] = []
    for number, link in enumerate(_by_worth(lattice, side).tolist()):
        if not number & 4095:
            watch.check()
        u, v = upper[link], lower[link]
        if taken_below[u] or taken_above[v]:
            continue
        if gaps[link] in crossed:
            pairs = straight.setdefault(gaps[link], [])
            pair = (up[link], low[link])
            at = bisect_left(pairs, pair)
            if (at and pairs[at - 1][1] > pair[1]) or (at < len(pairs) and pairs[at][1] < pair[1]):
                continue
            pairs.insert(at, pair)
        taken_below[u] = taken_above[v] = True
        chosen.append(link)
    return chosen


def _crossed_gaps(gap: Ints, up: Ints, low: Ints) -> set[int]:
    """Ranks below which any two links cross."""
    by_place = np.lexsort((low, up, gap))
    gap, low = gap[by_place], low[by_place]
    falls = (gap[1:] == gap[:-1]) & (low[1:] < low[:-1])
    return set(gap[1:][falls].tolist())


def _by_worth(lattice: Lattice, side: npt.NDArray[np.bool_]) -> Ints:
    """Links, those that most deserve to be straight first."""
    upper, lower, boxes = lattice.upper, lattice.lower, lattice.boxes
    knots = (upper >= boxes).astype(np.int64) + (lower >= boxes)
    main = np.concatenate([~side, np.zeros(len(lattice.layer) - boxes, dtype=np.bool_)])
    length = np.where(knots == 2, np.iinfo(np.int64).max, _run_lengths(lattice, main))
    return np.lexsort((np.arange(len(upper)), _off_middle(upper) + _off_middle(lower), knots, -length))


def _run_lengths(lattice: Lattice, main: npt.NDArray[np.bool_]) -> Ints:
    """`[links]` boxes on the longest path through each link; knots do not count, and side boxes count against it."""
    by_layer = np.argsort(lattice.layer[lattice.upper], kind="stable")
    ends = list(zip(lattice.upper[by_layer].tolist(), lattice.lower[by_layer].tolist(), strict=True))
    weight = np.where(main, 1, np.where(np.arange(len(main)) < lattice.boxes, -1, 0)).tolist()
    above, below = list(weight), list(weight)
    for u, v in ends:
        if above[u] + weight[v] > above[v]:
            above[v] = above[u] + weight[v]
    for u, v in reversed(ends):
        if below[v] + weight[u] > below[u]:
            below[u] = below[v] + weight[u]
    return np.array(above, dtype=np.int64)[lattice.upper] + np.array(below, dtype=np.int64)[lattice.lower]


def _off_middle(end: Ints) -> npt.NDArray[np.float64]:
    """How far each link is from the middle one among those that share its *end*, in links."""
    sequence = np.argsort(end, kind="stable")
    count = np.bincount(end)
    first = np.cumsum(count) - count
    rank = np.empty(len(end), dtype=np.int64)
    rank[sequence] = np.arange(len(end)) - first[end[sequence]]
    return np.abs(rank - (count[end] - 1) / 2)
