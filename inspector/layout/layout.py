"""`lay_out`: from boxes and edges to positions and polylines; `relayout`: the same after a small change."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from inspector.layout.alignment import find_blocks
from inspector.layout.components import label_components, pack
from inspector.layout.coordinates import centres
from inspector.layout.lattice import Lattice, build_lattice, number_trunks
from inspector.layout.layering import assign_layers, backward_edges, long_edges
from inspector.layout.options import Direction, LayoutOptions
from inspector.layout.ordering import order_ranks
from inspector.layout.result import Floats, GraphLayout, Ints, LayoutGraph
from inspector.layout.routing import Routes, route
from inspector.layout.watch import Watch
from inspector.layout.worth import weigh

_USUAL = LayoutOptions()


def lay_out(
    graph: LayoutGraph,
    *,
    options: LayoutOptions = _USUAL,
    cancelled: Callable[[], bool] | None = None,
    progress: Callable[[float], None] | None = None,
) -> GraphLayout:
    """Place the boxes in ranks and route the edges between them.

    The result depends on the arguments alone: equal input gives equal bytes.

    Args:
        graph: boxes and edges; may be empty, cyclic, unconnected, have self loops and parallel edges.
        options: distances and limits.
        cancelled: asked every few milliseconds; True stops the work.
        progress: told the share done, rising from 0 to 1.

    Raises:
        LayoutCancelled: *cancelled* returned True.
    """
    nowhere = np.full(len(graph.width), np.nan)
    return _draw(_upright(graph, options), nowhere, options, Watch(cancelled, progress))


def _upright(graph: LayoutGraph, options: LayoutOptions) -> LayoutGraph:
    """The graph as it looks when all edges are to point down."""
    if options.direction is Direction.DOWN:
        return graph
    return replace(graph, width=graph.height, height=graph.width)


def _draw(graph: LayoutGraph, middle: Floats, options: LayoutOptions, watch: Watch) -> GraphLayout:
    """Lay out an upright graph; *middle* holds the x of the boxes that should keep theirs, NaN for the others."""
    watch.part(0.0, 0.1)
    lattice, component = _layered(graph, options, watch)
    anchor = np.concatenate([middle, np.full(len(lattice.layer) - lattice.boxes, np.nan)])
    watch.part(0.1, 0.5)
    worth = weigh(lattice, component, graph.side, watch)
    ranks = order_ranks(lattice, component, worth, options.sweeps, watch)
    _sort_anchored(ranks, anchor)
    watch.part(0.5, 0.8)
    position = np.zeros(len(lattice.layer), dtype=np.int64)
    for rank in ranks:
        position[rank] = np.arange(len(rank))
    watch.check()
    block = find_blocks(lattice, position, worth, anchor, watch)
    x = centres(lattice, ranks, block, graph.width, component, anchor, options, watch)
    watch.part(0.8, 1.0)
    turned = options.direction is Direction.RIGHT
    return _result(graph, lattice, x, route(graph, lattice, x, options, watch), turned)


def _sort_anchored(ranks: list[list[int]], anchor: Floats) -> None:
    """Put the anchored places of each rank in the order of their anchors; the others stay where they are."""
    held: list[bool] = (~np.isnan(anchor)).tolist()
    for rank in ranks:
        kept = sorted((place for place in rank if held[place]), key=lambda place: (anchor[place], place))
        following = iter(kept)
        rank[:] = [next(following) if held[place] else place for place in rank]


def _layered(graph: LayoutGraph, options: LayoutOptions, watch: Watch) -> tuple[Lattice, Ints]:
    """The lattice, and for each box the position of its unconnected part from left to right."""
    count = len(graph.width)
    source, target = graph.edge_source, graph.edge_target
    order, backward = backward_edges(count, source, target)
    forward = ~backward
    component = label_components(count, source, target)
    layer, position = pack(component, assign_layers(graph, order, forward, watch))
    trunk = number_trunks(source, graph.edge_value)
    cut = backward.copy()
    cut[forward] = long_edges(layer, source[forward], target[forward], trunk[forward], options.longest_edge)
    watch.done(1.0)
    return build_lattice(layer, source, target, trunk, cut), position[component]


def _result(graph: LayoutGraph, lattice: Lattice, x: Ints, routes: Routes, turned: bool) -> GraphLayout:
    left, y, points = x[: lattice.boxes] - graph.width / 2, routes.y, routes.points
    right = np.concatenate([left + graph.width, points[:, 0]])
    bottom = np.concatenate([y + graph.height, points[:, 1]])
    west, north = np.concatenate([left, points[:, 0]]), np.concatenate([y, points[:, 1]])
    bounds = (
        (float(west.min()), float(north.min()), float(right.max()), float(bottom.max())) if len(left) else (0.0,) * 4
    )
    width, height = graph.width, graph.height
    if turned:
        left, y, width, height = y, left, height, width
        points = np.ascontiguousarray(points[:, ::-1])
        bounds = (bounds[1], bounds[0], bounds[3], bounds[2])
    return GraphLayout(
        x=left,
        y=y,
        width=width,
        height=height,
        layer=lattice.layer[: lattice.boxes].copy(),
        points=points,
        start=routes.start,
        cut=lattice.cut,
        bounds=bounds,
    )


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

    Args:
        graph: the changed graph.
        previous: layout before the change.
        kept: `[n]` index of each box in *previous*; -1 for a new box.
        options: as given to `lay_out` for *previous*.
        cancelled: as in `lay_out`.
        progress: as in `lay_out`.

    Returns:
        A layout whose kept boxes stand where they stood, as far as the change leaves room: boxes above the change do
        not move, those below move down or up together.

    Raises:
        LayoutCancelled: *cancelled* returned True.
    """
    upright, turned = _upright(graph, options), options.direction is Direction.RIGHT
    old_x, old_width = (previous.y, previous.height) if turned else (previous.x, previous.width)
    held = kept >= 0
    middle = np.full(len(kept), np.nan)
    middle[held] = np.rint(old_x + old_width / 2)[kept[held]]
    layout = _draw(upright, middle, options, Watch(cancelled, progress))
    if not held.any():
        return layout
    first = int(np.flatnonzero(held)[np.argmin(layout.layer[held])])
    shift = float((previous.x if turned else previous.y)[kept[first]] - (layout.x if turned else layout.y)[first])
    return _moved(layout, (shift, 0.0) if turned else (0.0, shift))


def _moved(layout: GraphLayout, by: tuple[float, float]) -> GraphLayout:
    left, top, right, bottom = layout.bounds
    return replace(
        layout,
        x=layout.x + by[0],
        y=layout.y + by[1],
        points=layout.points + np.array(by),
        bounds=(left + by[0], top + by[1], right + by[0], bottom + by[1]),
    )
