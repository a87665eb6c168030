"""What in a changed graph was there before: boxes, trunks, edges, places and links of a `Trace` found again."""

import numpy as np

from inspector.layout.graph import Ints, LayoutGraph
from inspector.layout.lattice import Lattice
from inspector.layout.trace import Trace

_NONE = np.int64(-1)


def same_boxes(graph: LayoutGraph, kept: Ints, trace: Trace) -> Ints:
    """`[n]` box before, -1 for new boxes and for those that changed their width."""
    same = kept.copy()
    held = np.flatnonzero(kept >= 0)
    same[held[graph.width[held] != trace.graph.width[kept[held]]]] = -1
    return same


def same_trunks(graph: LayoutGraph, trunk: Ints, kept: Ints, trace: Trace) -> Ints:
    """`[trunks]` trunk before, -1 for new ones; no two trunks get the same.

    Trunks that lead to the same boxes come first, parallel ones in order; what is left of a box's trunks is paired in
    order too, so that a trunk that only got other readers is found.

    Args:
        graph: the changed graph.
        trunk: `[m]` as `number_trunks` gives it for *graph*.
        kept: `[n]` box before, -1 for new ones.
        trace: the layout before.
    """
    count = int(trunk.max()) + 1 if len(trunk) else 0
    found = np.full(count, -1, dtype=np.int64)
    if not count or not len(trace.lattice.edge_trunk):
        return found
    old_trunk, old = trace.lattice.edge_trunk, trace.graph
    source, target = kept[graph.edge_source], kept[graph.edge_target]
    owner = _owners(trunk, source, count)
    old_owner = _owners(old_trunk, old.edge_source, int(old_trunk.max()) + 1)
    _pair_single(found, owner, old_owner)
    rest = np.flatnonzero((source >= 0) & (target >= 0) & (found[trunk] < 0))
    free = np.ones(len(old_owner), dtype=np.bool_)
    free[found[found >= 0]] = False
    old_rest = np.flatnonzero(free[old_trunk])
    ends, old_ends = _pair(source[rest], target[rest]), _pair(old.edge_source[old_rest], old.edge_target[old_rest])
    if len(ends) and len(old_ends):
        _pair_by_readers(found, ends, trunk[rest], old_ends, old_trunk[old_rest])
    _pair_rest(found, owner, old_owner)
    return found


def _pair_by_readers(found: Ints, ends: Ints, trunk: Ints, old_ends: Ints, old_trunk: Ints) -> None:
    """Pair trunks that join the same boxes, those first that have most readers in common."""
    known = np.unique(old_ends)
    group, wanted = _find(known, old_ends), _find(known, ends)
    at = _find(_pair(group, _nth(group, old_trunk)), _pair(wanted, _nth(wanted, trunk)))
    pair, number = np.unique(_pair(trunk[at >= 0], old_trunk[at[at >= 0]]), return_counts=True)
    pair = pair[np.argsort(-number, kind="stable")]
    pairs = np.stack([pair >> 31, pair & ((1 << 31) - 1)], axis=1)
    for side in (0, 1):
        pairs = pairs[np.sort(np.unique(pairs[:, side], return_index=True)[1])]
    found[pairs[:, 0]] = pairs[:, 1]


def _pair_single(found: Ints, owner: Ints, old_owner: Ints) -> None:
    """Pair the trunks of boxes that have one trunk and had one."""
    kept = np.flatnonzero(owner >= 0)
    boxes = int(max(owner.max(initial=-1), old_owner.max())) + 1
    single = (np.bincount(owner[kept], minlength=boxes) == 1) & (np.bincount(old_owner, minlength=boxes) == 1)
    trunk_of = np.zeros(boxes, dtype=np.int64)
    trunk_of[old_owner] = np.arange(len(old_owner))
    kept = kept[single[owner[kept]]]
    found[kept] = trunk_of[owner[kept]]


def _nth(group: Ints, key: Ints) -> Ints:
    """How many of the same *group* have a lower *key* or the same and stand before."""
    order = np.lexsort((key, group))
    sorted_group = group[order]
    first = np.flatnonzero(np.concatenate([[True], sorted_group[1:] != sorted_group[:-1]]))
    nth = np.empty(len(group), dtype=np.int64)
    nth[order] = np.arange(len(group)) - np.repeat(first, np.diff(np.append(first, len(group))))
    return nth


def _owners(trunk: Ints, source: Ints, count: int) -> Ints:
    owner = np.full(count, -1, dtype=np.int64)
    owner[trunk] = source
    return owner


def _pair_rest(found: Ints, owner: Ints, old_owner: Ints) -> None:
    """Pair trunks of one box that are not paired yet, in order."""
    free = np.ones(len(old_owner), dtype=np.bool_)
    free[found[found >= 0]] = False
    left: dict[int, list[int]] = {}
    for old in np.flatnonzero(free)[::-1].tolist():
        left.setdefault(int(old_owner[old]), []).append(old)
    for new in np.flatnonzero((found < 0) & (owner >= 0)).tolist():
        rest = left.get(int(owner[new]))
        if rest:
            found[new] = rest.pop()


def same_edges(graph: LayoutGraph, trunk: Ints, trunks: Ints, kept: Ints, trace: Trace) -> Ints:
    """`[m]` edge before that had the same trunk and target, -1 for new ones."""
    wanted = _pair(trunks[trunk], kept[graph.edge_target]) if len(trunk) else trunk
    return _find(_pair(trace.lattice.edge_trunk, trace.graph.edge_target), wanted)


def same_places(lattice: Lattice, boxes: Ints, trunks: Ints, before: Ints, trace: Trace) -> Ints:
    """`[places]` place before, -1 for new ones.

    Args:
        lattice: the changed graph, cut at its ranks.
        boxes: `[n]` box before, -1 for new ones.
        trunks: `[trunks]` trunk before, -1 for new ones.
        before: `[ranks]` rank before, -1 for inserted ones.
        trace: the layout before.
    """
    old = trace.lattice
    knots = np.arange(lattice.boxes, len(lattice.layer), dtype=np.int64)
    wanted = _pair(trunks[lattice.trunk[knots]], before[lattice.layer[knots]]) if len(knots) else knots
    at = _find(_pair(old.trunk[old.boxes :], old.layer[old.boxes :]), wanted)
    return np.concatenate([boxes, np.where(at >= 0, at + old.boxes, _NONE)])


def same_links(lattice: Lattice, places: Ints, trunks: Ints, trace: Trace) -> Ints:
    """`[links]` link before between the same places on the same trunk, -1 for new ones."""
    old = trace.lattice
    ends = _pair(old.upper, old.lower)
    if not len(lattice.upper):
        return np.zeros(0, dtype=np.int64)
    wanted = _pair(places[lattice.upper], places[lattice.lower])
    known, dense = np.unique(ends, return_inverse=True)
    pair = _find(known, wanted)
    return _find(_pair(dense.reshape(-1), old.link_trunk), _pair(pair, trunks[lattice.link_trunk]))


def _pair(first: Ints, second: Ints) -> Ints:
    """One number for each pair of numbers from 0 to 2**31; -1 where either is -1."""
    return np.where((first < 0) | (second < 0), _NONE, (first << np.int64(31)) | second)


def _find(keys: Ints, wanted: Ints) -> Ints:
    """Index of the first of *keys* that equals each *wanted*; -1 for none and for a negative one."""
    if not len(keys):
        return np.full(len(wanted), -1, dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    at = order[np.searchsorted(keys, wanted, sorter=order).clip(max=len(keys) - 1)]
    return np.where((keys[at] == wanted) & (wanted >= 0), at, _NONE)
