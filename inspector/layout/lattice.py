"""`Lattice`: the graph cut at every rank, so that each link joins neighbouring ranks.

Edges that carry one value from one box share a trunk: one chain of knots, one knot in each rank that the trunk passes.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspector.layout.graph import Ints


@dataclass(frozen=True, slots=True)
class Lattice:
    """Boxes and knots in ranks.

    Attributes:
        boxes: number of boxes; places `0..boxes-1` are boxes, the rest are knots.
        layer: `[places]` rank.
        trunk: `[places]` trunk of a knot; -1 for a box.
        upper: `[links]` place that a link leaves, sorted.
        lower: `[links]` place that it enters, one rank below.
        link_trunk: `[links]` trunk that the link is part of; two values from one box to another give two links.
        edge_trunk: `[m]` trunk of each edge of the graph, cut ones included.
        cut: `[m]` edges that have no links.
    """

    boxes: int
    layer: Ints
    trunk: Ints
    upper: Ints
    lower: Ints
    link_trunk: Ints
    edge_trunk: Ints
    cut: npt.NDArray[np.bool_]


def number_trunks(source: Ints, value: Ints) -> Ints:
    """`[m]` trunk of each edge: equal for edges that carry the same value from the same box, numbered by source."""
    if not len(source):
        return np.zeros(0, dtype=np.int64)
    values, dense = np.unique(value, return_inverse=True)
    return np.asarray(np.unique(source * len(values) + dense, return_inverse=True)[1], dtype=np.int64)


def build_lattice(layer: Ints, source: Ints, target: Ints, trunk: Ints, cut: npt.NDArray[np.bool_]) -> Lattice:
    """Split all edges that are not *cut* at the ranks they pass.

    Args:
        layer: `[n]` ranks of the boxes.
        source: `[m]` box that an edge leaves.
        target: `[m]` box that it enters.
        trunk: `[m]` as `number_trunks` gives it.
        cut: `[m]` edges to leave out; all others point to a lower rank.
    """
    boxes = len(layer)
    whole = np.flatnonzero(~cut)
    whole = whole[np.unique(trunk[whole] * boxes + target[whole], return_index=True)[1]]
    s, t, k = source[whole], target[whole], trunk[whole]
    trunks = int(trunk.max()) + 1 if len(trunk) else 0
    start = np.zeros(trunks, dtype=np.int64)
    start[k] = s
    span = layer[t] - layer[s]
    knots = np.zeros(trunks, dtype=np.int64)
    np.maximum.at(knots, k, span - 1)
    base = boxes + np.cumsum(knots) - knots
    owner = np.repeat(np.arange(trunks, dtype=np.int64), knots)
    knot = np.arange(boxes, boxes + len(owner), dtype=np.int64)
    step = knot - base[owner]
    upper = np.concatenate([np.where(step == 0, start[owner], knot - 1), np.where(span == 1, s, base[k] + span - 2)])
    lower = np.concatenate([knot, t])
    link_trunk = np.concatenate([owner, k])
    by_upper = np.lexsort((lower, upper))
    return Lattice(
        boxes=boxes,
        layer=np.concatenate([layer, layer[start[owner]] + step + 1]),
        trunk=np.concatenate([np.full(boxes, -1, dtype=np.int64), owner]),
        upper=upper[by_upper],
        lower=lower[by_upper],
        link_trunk=link_trunk[by_upper],
        edge_trunk=trunk,
        cut=cut,
    )


def neighbours(places: int, key: Ints, other: Ints) -> list[list[int]]:
    """For each of *places*: the *other* ends of the links whose *key* end it is, in the order of the links."""
    by_key = np.argsort(key, kind="stable")
    ends = np.cumsum(np.bincount(key, minlength=places)).tolist()
    sequence: list[int] = other[by_key].tolist()
    return [sequence[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True)] if places else []


def part_of_places(lattice: Lattice, component: Ints) -> Ints:
    """`[places]` unconnected part that each place belongs to, given `[boxes]` that of each box."""
    if not len(lattice.layer):
        return component
    owner = np.zeros(int(lattice.trunk.max()) + 1, dtype=np.int64)
    real = lattice.upper < lattice.boxes
    starts = real & (lattice.link_trunk < len(owner))
    owner[lattice.link_trunk[starts]] = component[lattice.upper[starts]]
    return np.concatenate([component, owner[lattice.trunk[lattice.boxes :]]])
