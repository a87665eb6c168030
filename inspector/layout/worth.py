"""`Worth`: which links matter most to a reader, and should neither bend nor cross each other."""

from dataclasses import dataclass

import numpy as np

from inspector.layout.graph import Ints, Mask
from inspector.layout.lattice import Lattice, part_of_places
from inspector.layout.watch import Watch


@dataclass(frozen=True, slots=True)
class Worth:
    """What it is worth that links are straight.

    Attributes:
        length: `[links]` boxes on the longest path through each link; boxes of side chains count against it.
        spine: `[links]` on the longest path of its unconnected part.
        chain: `[links]` the only one of both its ends.
    """

    length: Ints
    spine: Mask
    chain: Mask


def weigh(lattice: Lattice, component: Ints, side: Mask, watch: Watch) -> Worth:
    """Worth of all links.

    Args:
        lattice: places and links.
        component: `[boxes]` unconnected part of each box.
        side: `[boxes]` boxes of side chains.
        watch: cancel.
    """
    upper, lower = lattice.upper, lattice.lower
    if not len(upper):
        nothing = np.zeros(0, dtype=np.bool_)
        return Worth(np.zeros(0, dtype=np.int64), nothing, nothing)
    weight = np.concatenate([np.where(side, -1, 1), np.zeros(len(lattice.layer) - lattice.boxes, dtype=np.int64)])
    length = _run_lengths(lattice, weight.tolist(), watch)
    part = part_of_places(lattice, component)
    longest = np.zeros(int(part.max()) + 1, dtype=np.int64)
    np.maximum.at(longest, part[upper], length)
    chain = (np.bincount(upper)[upper] == 1) & (np.bincount(lower)[lower] == 1)
    return Worth(length, length == longest[part[upper]], chain)


def _run_lengths(lattice: Lattice, weight: list[int], watch: Watch) -> Ints:
    """`[links]` weight of the heaviest path through each link."""
    by_layer = np.argsort(lattice.layer[lattice.upper], kind="stable")
    ends = list(zip(lattice.upper[by_layer].tolist(), lattice.lower[by_layer].tolist(), strict=True))
    above, below = list(weight), list(weight)
    watch.check()
    for u, v in ends:
        if above[u] + weight[v] > above[v]:
            above[v] = above[u] + weight[v]
    watch.check()
    for u, v in reversed(ends):
        if below[v] + weight[u] > below[u]:
            below[u] = below[v] + weight[u]
    watch.check()
    return np.array(above, dtype=np.int64)[lattice.upper] + np.array(below, dtype=np.int64)[lattice.lower]
