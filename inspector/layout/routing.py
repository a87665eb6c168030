"""Polylines: orthogonal, along the ranks in the gaps, across them straight down.

Only knots and boxes stand in a rank, apart from each other, and horizontal pieces stay in the gaps; so no edge runs
through a box. Edges of one trunk have the same points as far as they go together.
"""

from dataclasses import dataclass

import numpy as np

from inspector.layout.graph import Floats, Ints, LayoutGraph
from inspector.layout.lattice import Lattice
from inspector.layout.options import LayoutOptions
from inspector.layout.ports import Ports
from inspector.layout.tracks import Strand, assign_tracks
from inspector.layout.watch import Watch

_MOST_TRACKS = 480.0
"""Height of a gap above which its tracks move closer together."""


@dataclass(frozen=True, slots=True)
class Routes:
    """Heights of ranks and the polylines of all edges.

    Attributes:
        y: `[n]` top edges of the boxes.
        points: `[p, 2]` corner points, edge after edge.
        start: `[m + 1]` where each edge's points begin.
    """

    y: Floats
    points: Floats
    start: Ints


@dataclass(frozen=True, slots=True)
class Turns:
    """Where links bend: from `(above, y)` to `(below, y)`; straight ones have `above == below`.

    Attributes:
        above: `[links]` x of the upper end.
        below: `[links]` x of the lower end.
        track: `[links]` number of the track in the gap, 0 at the top.
        tracks: `[ranks]` number of tracks in the gap below each rank.
    """

    above: Floats
    below: Floats
    track: Ints
    tracks: Ints


def draw(graph: LayoutGraph, lattice: Lattice, ports: Ports, turns: Turns, options: LayoutOptions) -> Routes:
    """Find the heights of the ranks and the polylines.

    Args:
        graph: boxes and edges.
        lattice: the same, cut at the ranks.
        ports: as `find_ports` gives them.
        turns: as `find_turns` gives them.
        options: gaps, track distance and stub length.
    """
    top, gap_top, first, step = _heights(graph, lattice, turns.tracks, options)
    layer = lattice.layer[: lattice.boxes]
    y = top[layer] + np.floor(((gap_top - top)[layer] - graph.height) / 2)
    gap = lattice.layer[lattice.upper]
    level = gap_top[gap] + first[gap] + turns.track * step[gap]
    points, start = _polylines(graph, lattice, ports, turns, level, y, options)
    return Routes(y, points, start)


def find_turns(lattice: Lattice, x: Ints, ports: Ports, watch: Watch) -> Turns:
    """Tracks of all bent strands; a strand is the links of one trunk in one gap.

    Args:
        lattice: places and links.
        x: `[places]` middles.
        ports: as `find_ports` gives them.
        watch: cancel.
    """
    links, ranks = len(lattice.upper), int(lattice.layer.max(initial=-1)) + 1
    tracks = np.zeros(ranks, dtype=np.int64)
    track = np.zeros(links, dtype=np.int64)
    if not links:
        return Turns(np.zeros(0), np.zeros(0), track, tracks)
    above = np.where(lattice.upper < lattice.boxes, ports.leaving[lattice.link_trunk], x[lattice.upper])
    sequence = np.lexsort((lattice.link_trunk, lattice.upper))
    upper, trunk, end = lattice.upper[sequence], lattice.link_trunk[sequence], ports.entering[sequence]
    first = np.flatnonzero(np.concatenate([[True], (upper[1:] != upper[:-1]) | (trunk[1:] != trunk[:-1])]))
    beyond = np.append(first[1:], links)
    top = above[sequence[first]]
    bent = np.flatnonzero((np.minimum.reduceat(end, first) != top) | (np.maximum.reduceat(end, first) != top))
    by_gap: dict[int, list[Strand]] = {}
    strands: list[Strand] = []
    gaps = lattice.layer[upper[first[bent]]].tolist()
    rows = (top[bent].tolist(), first[bent].tolist(), beyond[bent].tolist())
    for gap, start_x, a, b in zip(gaps, *rows, strict=True):
        strand = Strand(start_x, sorted(end[a:b].tolist()))
        strands.append(strand)
        by_gap.setdefault(gap, []).append(strand)
    for number, (gap, together) in enumerate(by_gap.items()):
        if len(together) > 100 or not number & 127:
            watch.check()
        tracks[gap] = assign_tracks(together)
    level = np.zeros(len(first), dtype=np.int64)
    level[bent] = [strand.track for strand in strands]
    track[sequence] = np.repeat(level, beyond - first)
    return Turns(above, ports.entering, track, tracks)


def _heights(
    graph: LayoutGraph, lattice: Lattice, tracks: Ints, options: LayoutOptions
) -> tuple[Floats, Floats, Floats, Floats]:
    """Top of each rank, top of the gap below it, and in that gap the offset of the first track and their distance."""
    rank_height = np.zeros(len(tracks))
    np.maximum.at(rank_height, lattice.layer[: lattice.boxes], graph.height)
    step = np.minimum(options.track_gap, _MOST_TRACKS / np.maximum(tracks, 1))
    between = step * np.maximum(tracks - 1, 0)
    gap_height = np.maximum(options.rank_gap, np.ceil(options.rank_gap - 2 * options.track_gap + between))
    below = np.cumsum(rank_height + gap_height)
    top = below - rank_height - gap_height
    return top, top + rank_height, (gap_height - between) / 2, step


def _polylines(
    graph: LayoutGraph,
    lattice: Lattice,
    ports: Ports,
    turns: Turns,
    level: Floats,
    y: Floats,
    options: LayoutOptions,
) -> tuple[Floats, Ints]:
    """Corner points of all edges; *level* is the y of each link's horizontal piece."""
    boxes, cut, trunk = lattice.boxes, lattice.cut, lattice.edge_trunk
    source, target = graph.edge_source, graph.edge_target
    bent = turns.above != turns.below
    to_knot = np.flatnonzero(lattice.lower >= boxes)
    to_knot = to_knot[np.argsort(lattice.lower[to_knot])]
    bent_knots = to_knot[bent[to_knot]]
    bends_before = np.concatenate([[0], np.cumsum(bent[to_knot])])
    knot = np.searchsorted(lattice.trunk[boxes:], trunk)
    passed = np.where(cut, 0, lattice.layer[target] - lattice.layer[source] - 1)
    bends = np.where(cut, 0, bends_before[knot + passed] - bends_before[knot])
    last = _last_links(graph, lattice)
    turn_last = ~cut & bent[last] if len(bent) else np.zeros(len(cut), dtype=np.bool_)
    start = np.concatenate([[0], np.cumsum(np.where(cut, 4, 2 + 2 * bends + 2 * turn_last))]).astype(np.int64)
    points = np.empty((int(start[-1]), 2))
    begin, end = start[:-1], start[1:] - 1
    foot = (y + graph.height)[source]
    points[begin, 0], points[begin, 1] = ports.leaving[trunk], foot
    points[end, 0], points[end, 1] = ports.stub, y[target]
    points[end[~cut], 0] = turns.below[last[~cut]]
    points[begin[cut] + 1, 0], points[begin[cut] + 1, 1] = ports.leaving[trunk[cut]], foot[cut] + options.stub
    points[end[cut] - 1, 0], points[end[cut] - 1, 1] = ports.stub[cut], y[target[cut]] - options.stub
    within = np.arange(int(bends.sum())) - np.repeat(np.cumsum(bends) - bends, bends)
    inner = bent_knots[np.repeat(bends_before[knot], bends) + within]
    _bend(points, np.repeat(begin, bends) + 1 + 2 * within, inner, turns, level)
    _bend(points, end[turn_last] - 2, last[turn_last], turns, level)
    return points, start


def _last_links(graph: LayoutGraph, lattice: Lattice) -> Ints:
    """`[m]` the link by which each edge enters its target; 0 for cut edges."""
    last = np.zeros(len(lattice.cut), dtype=np.int64)
    whole = np.flatnonzero(~lattice.cut)
    to_box = np.flatnonzero(lattice.lower < lattice.boxes)
    key = lattice.link_trunk[to_box] * lattice.boxes + lattice.lower[to_box]
    sequence = np.argsort(key)
    wanted = lattice.edge_trunk[whole] * lattice.boxes + graph.edge_target[whole]
    last[whole] = to_box[sequence[np.searchsorted(key[sequence], wanted)]]
    return last


def _bend(points: Floats, at: Ints, link: Ints, turns: Turns, level: Floats) -> None:
    """Write the two corners of *link* to the points *at* and after."""
    points[at, 0], points[at, 1] = turns.above[link], level[link]
    points[at + 1, 0], points[at + 1, 1] = turns.below[link], level[link]
