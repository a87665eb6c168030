"""Small layout graphs, and what a correct layout of any graph looks like."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import strategies as st

from inspector.layout.alignment import find_blocks
from inspector.layout.lattice import build_lattice, number_trunks
from inspector.layout.ordering import order_ranks
from inspector.layout.result import GraphLayout, LayoutGraph
from inspector.layout.watch import Watch
from inspector.layout.worth import weigh


def layout_graph(
    count: int,
    edges: Sequence[tuple[int, int]],
    *,
    values: Sequence[int] | None = None,
    width: Sequence[float] | float = 200.0,
    height: Sequence[float] | float = 48.0,
    side: Sequence[int] = (),
) -> LayoutGraph:
    """A graph of *count* boxes; each box gives one value unless *values* says otherwise; *side* lists side boxes."""
    pairs = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
    flags = np.zeros(count, dtype=np.bool_)
    flags[list(side)] = True
    return LayoutGraph(
        width=np.broadcast_to(np.asarray(width, dtype=np.float64), count).copy(),
        height=np.broadcast_to(np.asarray(height, dtype=np.float64), count).copy(),
        edge_source=pairs[:, 0].copy(),
        edge_target=pairs[:, 1].copy(),
        edge_value=pairs[:, 0].copy() if values is None else np.array(values, dtype=np.int64),
        side=flags,
    )


@st.composite
def layout_graphs(draw, most: int = 24, cyclic: bool = False) -> LayoutGraph:
    """Any graph: unconnected parts, parallel edges, several values per box; loops and cycles if *cyclic*."""
    count = draw(st.integers(0, most))
    box = st.integers(0, max(count - 1, 0))
    pairs = draw(st.lists(st.tuples(box, box, st.integers(0, 1)), max_size=3 * count)) if count else []
    if not cyclic:
        pairs = [(min(s, t), max(s, t), value) for s, t, value in pairs if s != t]
    size = st.integers(1, 320)
    return layout_graph(
        count,
        [(s, t) for s, t, _ in pairs],
        values=[2 * s + value for s, _, value in pairs],
        width=draw(st.lists(size, min_size=count, max_size=count)),
        height=draw(st.lists(size, min_size=count, max_size=count)),
        side=draw(st.lists(box, max_size=count // 3)) if count else (),
    )


def check_boxes(layout: GraphLayout) -> None:
    """Fail if two boxes overlap."""
    boxes = list(zip(layout.x, layout.y, layout.x + layout.width, layout.y + layout.height, strict=True))
    for index, (x0, y0, x1, y1) in enumerate(boxes):
        for other, (u0, v0, u1, v1) in enumerate(boxes[:index]):
            apart = x1 <= u0 or u1 <= x0 or y1 <= v0 or v1 <= y0
            assert apart, f"boxes {other} and {index} overlap"


def polylines(layout: GraphLayout) -> list[list[tuple[float, float]]]:
    """Connected lines of each edge, those of a cut edge one after the other."""
    lines = []
    for edge, cut in enumerate(layout.cut):
        points = [tuple(p) for p in layout.points[layout.start[edge] : layout.start[edge + 1]].tolist()]
        lines.extend([points[:2], points[2:]] if cut else [points])
    return lines


def check_edges(graph: LayoutGraph, layout: GraphLayout) -> None:
    """Fail unless every edge runs orthogonally from its source's bottom to its target's top, past all boxes."""
    assert layout.start[0] == 0
    assert layout.start[-1] == len(layout.points)
    for edge, (source, target) in enumerate(zip(graph.edge_source, graph.edge_target, strict=True)):
        points = layout.points[layout.start[edge] : layout.start[edge + 1]]
        assert len(points) >= 2
        assert len(points) == 4 or not layout.cut[edge]
        (x0, y0), (x1, y1) = points[0], points[-1]
        assert y0 == layout.y[source] + layout.height[source]
        assert layout.x[source] <= x0 <= layout.x[source] + layout.width[source]
        assert y1 == layout.y[target]
        assert layout.x[target] <= x1 <= layout.x[target] + layout.width[target]
    for line in polylines(layout):
        for (x0, y0), (x1, y1) in pairwise(line):
            assert x0 == x1 or y0 == y1
            assert y0 <= y1
            inside = (
                (np.minimum(x0, x1) < layout.x + layout.width - 1e-6)
                & (np.maximum(x0, x1) > layout.x + 1e-6)
                & (y0 < layout.y + layout.height - 1e-6)
                & (y1 > layout.y + 1e-6)
            )
            assert not inside.any(), f"a line runs through box {np.flatnonzero(inside)}"


def check_tracks(graph: LayoutGraph, layout: GraphLayout) -> None:
    """Fail if horizontal pieces of different trunks lie on each other."""
    flat: dict[float, list[tuple[float, float, tuple[int, int]]]] = {}
    for edge, cut in enumerate(layout.cut):
        if cut:
            continue
        trunk = (int(graph.edge_source[edge]), int(graph.edge_value[edge]))
        points = layout.points[layout.start[edge] : layout.start[edge + 1]].tolist()
        for (x0, y0), (x1, y1) in pairwise(points):
            if y0 == y1:
                flat.setdefault(y0, []).append((min(x0, x1), max(x0, x1), trunk))
    for y, pieces in flat.items():
        for index, (low, high, trunk) in enumerate(pieces):
            for other_low, other_high, other in pieces[:index]:
                assert trunk == other or high <= other_low or other_high <= low, f"two trunks share the track at {y}"


def ordered(layer, edges, component=None, sweeps=8):
    """Lattice of boxes in the given ranks, and the order of its ranks."""
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    trunk = number_trunks(pairs[:, 0], pairs[:, 0])
    lattice = build_lattice(np.array(layer), pairs[:, 0], pairs[:, 1], trunk, np.zeros(len(pairs), dtype=np.bool_))
    component = np.zeros(len(layer), dtype=np.int64) if component is None else np.array(component)
    worth = weigh(lattice, component, np.zeros(len(layer), dtype=np.bool_), Watch())
    return lattice, order_ranks(lattice, component, worth, sweeps, Watch())


def blocks(layer, edges, side=(), anchors=()):
    """Block of each place."""
    lattice, ranks = ordered(layer, edges)
    position = np.zeros(len(lattice.layer), dtype=np.int64)
    for rank in ranks:
        position[rank] = np.arange(len(rank))
    flags = np.zeros(len(layer), dtype=np.bool_)
    flags[list(side)] = True
    anchor = np.full(len(lattice.layer), np.nan)
    for place, x in anchors:
        anchor[place] = x
    component = np.zeros(len(layer), dtype=np.int64)
    return find_blocks(lattice, position, weigh(lattice, component, flags, Watch()), anchor, Watch()).tolist()
