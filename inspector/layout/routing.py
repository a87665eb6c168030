"""Polylines: orthogonal, along the ranks in the gaps, across them straight down.

Only knots and boxes stand in a rank, apart from each other, and horizontal pieces stay in the gaps; so no edge runs
through a box. Edges of one trunk have the same points as far as they go together.
"""

from dataclasses import dataclass

import numpy as np

from inspector.layout.lattice import Lattice
from inspector.layout.options import LayoutOptions
from inspector.layout.ports import Ports
from inspector.layout.result import Floats, Ints, LayoutGraph
from inspector.layout.tracks import Strand, assign_tracks
from inspector.layout.watch import Watch

_MOST_TRACKS = 480.0
"""Height of a gap above which its tracks move closer together."""

Path = list[tuple[float, float]]


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


def route(graph: LayoutGraph, lattice: Lattice, x: Ints, options: LayoutOptions, watch: Watch) -> Routes:
    """Find the heights of the ranks and the way of each edge.

    Args:
        graph: boxes and edges.
        lattice: the same, cut at the ranks.
        x: `[places]` middles.
        options: gaps, track distance and stub length.
        watch: progress and cancel.
    """
    ports = Ports(graph, lattice, x, watch)
    watch.done(0.3)
    strands, tracks = _strands(lattice, x, ports, watch)
    watch.done(0.6)
    top, gap_top, pitch = _heights(graph, lattice, tracks, options)
    layer = lattice.layer[: lattice.boxes]
    rank_height = gap_top - top
    y = top[layer] + np.floor((rank_height[layer] - graph.height) / 2)
    height = [(a + first, step) for a, (first, step) in zip(gap_top.tolist(), pitch, strict=True)]
    paths = _paths(graph, lattice, x, ports, strands, height, y, watch)
    points, start = _polylines(graph, lattice, ports, paths, y, options, watch)
    watch.done(1.0)
    return Routes(y, points, start)


def _strands(lattice: Lattice, x: Ints, ports: Ports, watch: Watch) -> tuple[dict[tuple[int, int], Strand], list[int]]:
    """Strand of each `(upper place, trunk)`, and the number of tracks in the gap below each rank."""
    boxes = lattice.boxes
    centre: list[int] = x.tolist()
    by_gap: list[list[Strand]] = [[] for _ in range(int(lattice.layer.max(initial=-1)) + 1)]
    strands: dict[tuple[int, int], Strand] = {}
    gaps = lattice.layer[lattice.upper].tolist()
    links = (lattice.upper.tolist(), lattice.lower.tolist(), lattice.link_trunk.tolist())
    for gap, u, v, trunk in zip(gaps, *links, strict=True):
        end = ports.entering[trunk, v] if v < boxes else centre[v]
        strand = strands.get((u, trunk))
        if strand is None:
            strand = strands[u, trunk] = Strand(ports.leaving[trunk] if u < boxes else centre[u], [end])
            by_gap[gap].append(strand)
        else:
            strand.ends.append(end)
    tracks: list[int] = []
    for number, gap_strands in enumerate(by_gap):
        if not number & 127:
            watch.check()
        bent = []
        for strand in gap_strands:
            if len(strand.ends) > 1:
                strand.ends.sort()
            if strand.bends():
                bent.append(strand)
        tracks.append(assign_tracks(bent) if bent else 0)
    return strands, tracks


def _heights(
    graph: LayoutGraph, lattice: Lattice, tracks: list[int], options: LayoutOptions
) -> tuple[Floats, Floats, list[tuple[float, float]]]:
    """Top of each rank, top of the gap below it, and in that gap the offset of the first track and their distance."""
    ranks = len(tracks)
    rank_height = np.zeros(ranks)
    np.maximum.at(rank_height, lattice.layer[: lattice.boxes], graph.height)
    gap_height = np.full(ranks, options.rank_gap)
    pitch: list[tuple[float, float]] = []
    for rank, count in enumerate(tracks):
        step = min(options.track_gap, _MOST_TRACKS / max(count, 1))
        needed = options.rank_gap - 2 * options.track_gap + step * max(count - 1, 0)
        gap_height[rank] = max(options.rank_gap, np.ceil(needed))
        pitch.append(((float(gap_height[rank]) - step * (count - 1)) / 2, step))
    below = np.cumsum(rank_height + gap_height)
    top = np.concatenate([[0.0], below[:-1]]) if ranks else below
    return top, top + rank_height, pitch


def _paths(
    graph: LayoutGraph,
    lattice: Lattice,
    x: Ints,
    ports: Ports,
    strands: dict[tuple[int, int], Strand],
    height: list[tuple[float, float]],
    y: Floats,
    watch: Watch,
) -> dict[tuple[int, int], Path]:
    """`(trunk, box)` -> points of the way from the trunk's box to just above that box, without the last point."""
    boxes = lattice.boxes
    centre: list[int] = x.tolist()
    foot = (y + graph.height).tolist()
    reached: dict[int, Path] = {}
    arrived: dict[tuple[int, int], Path] = {}
    by_layer = np.argsort(lattice.layer[lattice.upper], kind="stable")
    gaps = lattice.layer[lattice.upper][by_layer].tolist()
    links = [array[by_layer].tolist() for array in (lattice.upper, lattice.lower, lattice.link_trunk)]
    for number, (gap, u, v, trunk) in enumerate(zip(gaps, *links, strict=True)):
        if not number & 4095:
            watch.check()
        strand = strands[u, trunk]
        path = [(strand.top, foot[u])] if u < boxes else reached[u]
        end = ports.entering[trunk, v] if v < boxes else centre[v]
        if end != strand.top:
            first, step = height[gap]
            track = first + strand.track * step
            path = [*path, (strand.top, track), (end, track)]
        if v < boxes:
            arrived[trunk, v] = path
        else:
            reached[v] = path
    return arrived


def _polylines(
    graph: LayoutGraph,
    lattice: Lattice,
    ports: Ports,
    paths: dict[tuple[int, int], Path],
    y: Floats,
    options: LayoutOptions,
    watch: Watch,
) -> tuple[Floats, Ints]:
    head: list[float] = y.tolist()
    foot: list[float] = (y + graph.height).tolist()
    edges = (graph.edge_source.tolist(), graph.edge_target.tolist(), lattice.edge_trunk.tolist(), lattice.cut.tolist())
    points: Path = []
    start = [0]
    for number, (s, t, trunk, cut) in enumerate(zip(*edges, strict=True)):
        if not number & 4095:
            watch.check()
        enter = ports.entering[trunk, t]
        if cut:
            leave = ports.leaving[trunk]
            points.append((leave, foot[s]))
            points.append((leave, foot[s] + options.stub))
            points.append((enter, head[t] - options.stub))
        else:
            points.extend(paths[trunk, t])
        points.append((enter, head[t]))
        start.append(len(points))
    return np.array(points, dtype=np.float64).reshape(-1, 2), np.array(start, dtype=np.int64)
