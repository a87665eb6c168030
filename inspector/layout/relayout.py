"""`relayout`: the layout of a graph after a small change, so that what did not change stays where it was.

Only ranks that hold something new are ordered and placed again, and only the gaps between ranks where a link changed
are routed again; everything else is taken over from the layout before and, below the change, moved down as one.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from inspector.layout.alignment import find_blocks
from inspector.layout.coordinates import centres
from inspector.layout.graph import Floats, Ints, LayoutGraph, Mask
from inspector.layout.insertion import Ranks, insert_ranks
from inspector.layout.kinship import same_boxes, same_edges, same_links, same_places, same_trunks
from inspector.layout.lattice import Lattice, build_lattice, number_trunks
from inspector.layout.layering import backward_edges
from inspector.layout.layout import drawn, lay_out, trace_out, upright
from inspector.layout.options import Direction, LayoutOptions
from inspector.layout.ordering import order_ranks, positions, sort_anchored
from inspector.layout.ports import Ports, find_ports
from inspector.layout.result import GraphLayout
from inspector.layout.routing import Turns, find_turns
from inspector.layout.trace import Trace
from inspector.layout.watch import Watch
from inspector.layout.worth import weigh

_Number = TypeVar("_Number", np.float64, np.int64)

_USUAL = LayoutOptions()

_MOST_NEW = 0.5
"""Share of new boxes above which all ranks are found again."""


def relayout(
    graph: LayoutGraph,
    previous: GraphLayout,
    kept: Ints,
    *,
    options: LayoutOptions = _USUAL,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[float], None] | None = None,
) -> GraphLayout:
    """Lay out *graph* so that it still looks like *previous*.

    The work grows with the change, apart from a few passes of array arithmetic. Where the kept boxes cannot stay in
    the order of their ranks, or most boxes are new, all ranks are found again and only the places across the ranks
    are kept.

    Args:
        graph: the changed graph.
        previous: layout before the change, made by `lay_out` or `relayout`; one without a trace counts as none.
        kept: `[n]` index of each box in *previous*, each at most once; -1 for a new box.
        options: as given to `lay_out` for *previous*.
        cancelled: as in `lay_out`.
        progress: as in `lay_out`.

    Returns:
        A layout whose kept boxes stand where they stood, as far as the change leaves room: boxes above the change do
        not move, those below move down or up together.

    Raises:
        LayoutCancelled: *cancelled* returned True.
    """
    before = previous.trace
    held = kept >= 0
    if before is None or not bool(held.any()):
        return lay_out(graph, options=options, cancelled=cancelled, progress=progress)
    watch = Watch(cancelled, progress)
    trace = _patched(upright(graph, options), before, kept, options, watch)
    layout = drawn(trace, options)
    first = int(np.flatnonzero(held)[np.argmin(layout.layer[held])])
    across = options.direction is Direction.RIGHT
    start = float((previous.x if across else previous.y)[kept[first]] - (layout.x if across else layout.y)[first])
    watch.done(1.0)
    return drawn(trace, options, start) if start else layout


def _patched(graph: LayoutGraph, before: Trace, kept: Ints, options: LayoutOptions, watch: Watch) -> Trace:
    """The trace of the changed graph, as near to *before* as can be."""
    order, backward = backward_edges(len(kept), graph.edge_source, graph.edge_target)
    held = np.where(kept >= 0, before.lattice.layer[kept], -1)
    few = float((kept < 0).mean()) <= _MOST_NEW
    ranks = insert_ranks(graph, order, ~backward, held) if few else None
    if ranks is None:
        middle = np.where(kept >= 0, before.x[kept].astype(np.float64), np.nan)
        return trace_out(graph, middle, options, watch)
    known = _recognise(graph, before, kept, ranks, backward, options)
    watch.done(0.2)
    x = _placed(graph, before, kept, known, options, watch)
    watch.done(0.6)
    return _routed(graph, before, known, x, watch)


@dataclass(frozen=True, slots=True)
class _Known:
    """The changed graph in its ranks, and what of it was there before (-1: nothing).

    Attributes:
        lattice: the changed graph, cut at its ranks.
        rank: `[ranks]` rank before.
        trunk: `[trunks]` trunk before.
        edge: `[m]` edge before.
        place: `[places]` place before; boxes that changed their width count as new.
        link: `[links]` link before.
    """

    lattice: Lattice
    rank: Ints
    trunk: Ints
    edge: Ints
    place: Ints
    link: Ints


def _recognise(
    graph: LayoutGraph, before: Trace, kept: Ints, ranks: Ranks, backward: Mask, options: LayoutOptions
) -> _Known:
    trunk = number_trunks(graph.edge_source, graph.edge_value)
    trunks = same_trunks(graph, trunk, kept, before)
    edges = same_edges(graph, trunk, trunks, kept, before)
    cut = backward | _too_long(graph, ranks.layer, edges, before, options.longest_edge)
    lattice = build_lattice(ranks.layer, graph.edge_source, graph.edge_target, trunk, cut)
    places = same_places(lattice, same_boxes(graph, kept, before), trunks, ranks.before, before)
    return _Known(lattice, ranks.before, trunks, edges, places, same_links(lattice, places, trunks, before))


def _too_long(graph: LayoutGraph, layer: Ints, edges: Ints, before: Trace, limit: int | None) -> Mask:
    """Which edges to cut; with no *limit* given, those that were cut and new ones as long as those."""
    span = layer[graph.edge_target] - layer[graph.edge_source]
    if limit is not None:
        return np.asarray(span > limit)
    old = before.lattice
    old_span = old.layer[before.graph.edge_target] - old.layer[before.graph.edge_source]
    long = old.cut & (old_span > 0)
    shortest = int(old_span[long].min()) if long.any() else np.iinfo(np.int64).max
    if not len(long):
        return np.asarray(span >= shortest)
    return np.where(edges >= 0, long[edges], span >= shortest)


def _placed(graph: LayoutGraph, before: Trace, kept: Ints, known: _Known, options: LayoutOptions, watch: Watch) -> Ints:
    """`[places]` middles; ranks that hold nothing new keep theirs."""
    lattice = known.lattice
    fresh = known.place < 0
    x = np.where(fresh, 0, before.x[known.place])
    if not bool(fresh.any()):
        return x
    anchor = np.where(fresh, np.nan, x.astype(np.float64))
    resized = np.flatnonzero(fresh[: lattice.boxes] & (kept >= 0))
    anchor[resized] = before.x[kept[resized]]
    open_rank = np.zeros(len(known.rank), dtype=np.bool_)
    open_rank[lattice.layer[fresh]] = True
    near = open_rank.copy()
    near[1:] |= open_rank[:-1]
    near[:-1] |= open_rank[1:]
    inside = np.flatnonzero(near[lattice.layer])
    part = _part(lattice, inside, near)
    x[inside] = _arranged(part, open_rank[near], graph, inside, anchor[inside], options, watch)
    return x


def _part(lattice: Lattice, inside: Ints, near: Mask) -> Lattice:
    """The places *inside*, which are those of the ranks *near*, with the links between them; all renumbered."""
    number = np.full(len(lattice.layer), -1, dtype=np.int64)
    number[inside] = np.arange(len(inside))
    rank = np.cumsum(near) - 1
    upper, lower = lattice.upper, lattice.lower
    links = np.flatnonzero(near[lattice.layer[upper]] & near[lattice.layer[lower]])
    return Lattice(
        boxes=int(np.searchsorted(inside, lattice.boxes)),
        layer=rank[lattice.layer[inside]],
        trunk=lattice.trunk[inside],
        upper=number[upper[links]],
        lower=number[lower[links]],
        link_trunk=lattice.link_trunk[links],
        edge_trunk=np.zeros(0, dtype=np.int64),
        cut=np.zeros(0, dtype=np.bool_),
    )


def _arranged(
    part: Lattice,
    open_rank: Mask,
    graph: LayoutGraph,
    inside: Ints,
    anchor: Floats,
    options: LayoutOptions,
    watch: Watch,
) -> Ints:
    """`[places of the part]` middles; those in ranks that are not open are their anchors."""
    boxes = inside[: part.boxes]
    together = np.zeros(part.boxes, dtype=np.int64)
    worth = weigh(part, together, graph.side[boxes], watch)
    ranks = order_ranks(part, together, worth, options.sweeps, watch, anchor)
    sort_anchored(ranks, anchor)
    position = positions(ranks, len(inside))
    # Open ranks give way to each other and to nothing else: no block reaches into a rank that stays.
    free = open_rank[part.layer]
    links = np.flatnonzero(free[part.upper] & free[part.lower])
    inner = replace(part, upper=part.upper[links], lower=part.lower[links], link_trunk=part.link_trunk[links])
    block = find_blocks(inner, position, weigh(inner, together, graph.side[boxes], watch), anchor, watch)
    moving = [rank for number, rank in enumerate(ranks) if rank and open_rank[number]]
    return centres(part, moving, block, graph.width[boxes], together, anchor, options, watch)


def _routed(graph: LayoutGraph, before: Trace, known: _Known, x: Ints, watch: Watch) -> Trace:
    """Ports and bends: those of gaps where nothing changed are taken over."""
    lattice = known.lattice
    changed = _changed_gaps(graph, before, known, x)
    source_gap, target_gap = lattice.layer[graph.edge_source] + 1, lattice.layer[graph.edge_target]
    links = np.flatnonzero(changed[lattice.layer[lattice.lower]])
    touched = changed[source_gap] | (lattice.cut & changed[target_gap])
    trunks = np.zeros(len(known.trunk), dtype=np.bool_)
    trunks[lattice.edge_trunk[touched]] = True
    trunks[lattice.link_trunk[links]] = True
    edges = np.flatnonzero(trunks[lattice.edge_trunk]) if len(trunks) else np.zeros(0, dtype=np.int64)
    number = np.cumsum(trunks) - 1
    part = replace(
        lattice,
        upper=lattice.upper[links],
        lower=lattice.lower[links],
        link_trunk=number[lattice.link_trunk[links]],
        edge_trunk=number[lattice.edge_trunk[edges]],
        cut=lattice.cut[edges],
    )
    some = replace(
        graph,
        edge_source=graph.edge_source[edges],
        edge_target=graph.edge_target[edges],
        edge_value=graph.edge_value[edges],
    )
    ports = find_ports(some, part, x, watch)
    turns = find_turns(part, x, ports, watch)
    leaving = _taken_over(before.ports.leaving, known.trunk)
    entering = _taken_over(before.ports.entering, known.link)
    stub = _taken_over(before.ports.stub, known.edge)
    track = _taken_over(before.turns.track, known.link)
    begins = edges[changed[source_gap[edges]]]
    leaving[lattice.edge_trunk[begins]] = ports.leaving[number[lattice.edge_trunk[begins]]]
    entering[links], track[links] = ports.entering, turns.track
    ends = np.flatnonzero(changed[target_gap[edges]])
    stub[edges[ends]] = ports.stub[ends]
    merged = Ports(leaving, entering, np.where(lattice.cut, stub, 0.0))
    return Trace(graph, lattice, x, merged, _all_turns(lattice, x, merged, track))


def _taken_over(old: npt.NDArray[_Number], same: Ints) -> npt.NDArray[_Number]:
    """Values before; 0 where there were none."""
    padded = np.append(old, np.zeros(1, dtype=old.dtype))
    return padded[same]


def _all_turns(lattice: Lattice, x: Ints, ports: Ports, track: Ints) -> Turns:
    tracks = np.zeros(int(lattice.layer.max(initial=-1)) + 1, dtype=np.int64)
    if not len(track):
        return Turns(np.zeros(0), np.zeros(0), track, tracks)
    above = np.where(lattice.upper < lattice.boxes, ports.leaving[lattice.link_trunk], x[lattice.upper])
    bent = above != ports.entering
    np.maximum.at(tracks, lattice.layer[lattice.upper[bent]], track[bent] + 1)
    return Turns(above, ports.entering, track, tracks)


def _changed_gaps(graph: LayoutGraph, before: Trace, known: _Known, x: Ints) -> Mask:
    """`[ranks + 1]` whether something changed between a rank and the one above it."""
    lattice, old, ranks = known.lattice, before.lattice, len(known.rank)
    changed = np.zeros(ranks + 1, dtype=np.bool_)
    place = known.place
    moved = (place < 0) | (x != before.x[place])
    changed[lattice.layer[moved]] = True
    changed[lattice.layer[moved] + 1] = True
    changed[lattice.layer[lattice.lower[known.link < 0]]] = True
    fresh = lattice.cut & ((known.edge < 0) | ~_cut_before(known.edge, old.cut))
    changed[lattice.layer[graph.edge_source[fresh]] + 1] = True
    changed[lattice.layer[graph.edge_target[fresh]]] = True
    for now, then in (
        (lattice.layer[lattice.lower], old.layer[old.lower]),
        (lattice.layer[graph.edge_target[lattice.cut]], old.layer[before.graph.edge_target[old.cut]]),
    ):
        changed[:-1] |= _fewer(now, then, known.rank)
    cut_now, cut_then = lattice.layer[graph.edge_source[lattice.cut]], old.layer[before.graph.edge_source[old.cut]]
    changed[1:] |= _fewer(cut_now, cut_then, known.rank)
    return changed


def _cut_before(edge: Ints, cut: Mask) -> Mask:
    return cut[edge] if len(cut) else np.zeros(len(edge), dtype=np.bool_)


def _fewer(now: Ints, then: Ints, rank: Ints) -> Mask:
    """`[ranks]` whether a rank has another number of something *now* than it had *then*."""
    old_count = np.append(np.bincount(then, minlength=int(rank.max(initial=-1)) + 1), 0)
    return np.asarray(np.bincount(now, minlength=len(rank)) != old_count[rank])
