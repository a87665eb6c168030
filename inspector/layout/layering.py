"""Ranks: which layer each box stands in, and which edges are too long or point the wrong way."""

import numpy as np

from inspector.layout.graph import Ints, LayoutGraph, Mask
from inspector.layout.watch import Watch

_WHOLE_PASSES = 2_500
"""Graphs whose edges pass ranks fewer times than this keep every edge whole."""

_SPANS = (400, 250, 160, 100, 60, 40)
"""Limits tried, longest first, when edges have to be cut."""


def backward_edges(count: int, source: Ints, target: Ints) -> tuple[Ints, Mask]:
    """An order of the boxes in which as few edges as practical point backwards.

    Args:
        count: number of boxes.
        source: `[m]` box that an edge leaves.
        target: `[m]` box that it enters.

    Returns:
        `[count]` boxes in order, and `[m]` True for self loops and for edges that close a cycle. The order is
        0, 1, 2... when that is topological.
    """
    order = np.arange(count, dtype=np.int64)
    if bool(np.all(source < target)):
        return order, np.zeros(len(source), dtype=np.bool_)
    order = _forced_order(count, source, target)
    place = np.empty(count, dtype=np.int64)
    place[order] = np.arange(count)
    return order, place[source] >= place[target]


def _forced_order(count: int, source: Ints, target: Ints) -> Ints:
    """Kahn's order; where only cycles are left, the lowest box goes first."""
    followers: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for s, t in zip(source.tolist(), target.tolist(), strict=True):
        if s != t:
            followers[s].append(t)
            waiting[t] += 1
    placed = [False] * count
    order: list[int] = []
    ready = [v for v in range(count - 1, -1, -1) if waiting[v] == 0]
    lowest = 0
    while len(order) < count:
        if not ready:
            while placed[lowest]:
                lowest += 1
            ready.append(lowest)
        node = ready.pop()
        if placed[node]:
            continue
        placed[node] = True
        order.append(node)
        for follower in followers[node]:
            waiting[follower] -= 1
            if waiting[follower] == 0 and not placed[follower]:
                ready.append(follower)
    return np.array(order, dtype=np.int64)


def assign_layers(graph: LayoutGraph, order: Ints, forward: Mask, watch: Watch) -> Ints:
    """Longest-path ranks; side chains and what hangs on inputs alone then move down to their first reader.

    Args:
        graph: what is laid out.
        order: boxes so that every forward edge points from an earlier to a later one.
        forward: `[m]` edges that count; each spans at least one rank.
        watch: cancel.

    Returns:
        `[n]` ranks, 0 or more.
    """
    count = len(graph.width)
    source, target = graph.edge_source[forward], graph.edge_target[forward]
    place = np.empty(count, dtype=np.int64)
    place[order] = np.arange(count)
    by_source = np.argsort(place[source], kind="stable")
    sources, targets = source[by_source].tolist(), target[by_source].tolist()
    layer = [0] * count
    watch.check()
    for s, t in zip(sources, targets, strict=True):
        if layer[t] <= layer[s]:
            layer[t] = layer[s] + 1
    watch.check()
    loose = _loose(layer, sources, targets, graph.side.tolist())
    _pull_down(layer, sources, targets, loose)
    return np.array(layer, dtype=np.int64)


def _loose(layer: list[int], sources: list[int], targets: list[int], side: list[bool]) -> list[bool]:
    """Boxes that gain from standing lower: side chains, and what hangs on inputs alone and has room below."""
    latest = list(layer)
    _pull_down(latest, sources, targets, [True] * len(layer))
    loose = [free or low > high for free, low, high in zip(side, latest, layer, strict=True)]
    for s, t in zip(sources, targets, strict=True):
        if not loose[s] and not side[t]:
            loose[t] = False
    return loose


def _pull_down(layer: list[int], sources: list[int], targets: list[int], loose: list[bool]) -> None:
    """Move each loose box just above its first reader; edges come sorted by the place of their source."""
    last = -1
    reader = 0
    for s, t in zip(reversed(sources), reversed(targets), strict=True):
        if s != last:
            if last >= 0 and loose[last]:
                layer[last] = reader - 1
            last, reader = s, layer[t]
        elif layer[t] < reader:
            reader = layer[t]
    if last >= 0 and loose[last]:
        layer[last] = reader - 1


def long_edges(layer: Ints, source: Ints, target: Ints, trunk: Ints, limit: int | None) -> Mask:
    """Which edges to cut into stubs.

    Args:
        layer: `[n]` ranks.
        source: `[m]` box that an edge leaves.
        target: `[m]` box that it enters, in a lower rank.
        trunk: `[m]` number of the trunk, shared by all edges that carry the same value from the same box.
        limit: longest span in ranks; None picks one that keeps the number of rank passages linear in the graph.

    Returns:
        `[m]` True where the edge is cut.
    """
    span = layer[target] - layer[source]
    if limit is not None:
        return np.asarray(span > limit)
    allowed = max(_WHOLE_PASSES, len(layer))
    cut = np.zeros(len(span), dtype=np.bool_)
    for bound in _SPANS:
        if _passes(span, trunk, cut) <= allowed:
            break
        cut = span > bound
    return cut


def _passes(span: Ints, trunk: Ints, cut: Mask) -> int:
    """How often whole trunks pass a rank that lies between their ends."""
    if not len(span):
        return 0
    reach = np.ones(int(trunk.max()) + 1, dtype=np.int64)
    np.maximum.at(reach, trunk[~cut], span[~cut])
    return int((reach - 1).sum())
