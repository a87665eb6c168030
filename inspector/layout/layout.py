"""`lay_out`: from boxes and edges to positions and polylines."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from inspector.layout.alignment import find_blocks
from inspector.layout.components import label_components, pack
from inspector.layout.coordinates import centres
from inspector.layout.graph import Floats, Ints, LayoutGraph
from inspector.layout.lattice import Lattice, build_lattice, number_trunks
from inspector.layout.layering import assign_layers, backward_edges, long_edges
from inspector.layout.options import Direction, LayoutOptions
from inspector.layout.ordering import order_ranks, positions, sort_anchored
from inspector.layout.ports import find_ports
from inspector.layout.result import GraphLayout
from inspector.layout.routing import draw, find_turns
from inspector.layout.trace import Trace
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
    watch = Watch(cancelled, progress)
    layout = drawn(trace_out(upright(graph, options), nowhere, options, watch), options)
    watch.done(1.0)
    return layout


def upright(graph: LayoutGraph, options: LayoutOptions) -> LayoutGraph:
    """The graph as it looks when all edges are to point down."""
    if options.direction is Direction.DOWN:
        return graph
    return replace(graph, width=graph.height, height=graph.width)


def trace_out(graph: LayoutGraph, middle: Floats, options: LayoutOptions, watch: Watch) -> Trace:
    """Lay out an upright graph; *middle* holds the x of the boxes that should keep theirs, NaN for the others."""
    watch.part(0.0, 0.1)
    lattice, component = _layered(graph, options, watch)
    anchor = np.concatenate([middle, np.full(len(lattice.layer) - lattice.boxes, np.nan)])
    watch.part(0.1, 0.5)
    worth = weigh(lattice, component, graph.side, watch)
    ranks = order_ranks(lattice, component, worth, options.sweeps, watch, anchor)
    sort_anchored(ranks, anchor)
    watch.part(0.5, 0.8)
    block = find_blocks(lattice, positions(ranks, len(lattice.layer)), worth, anchor, watch)
    x = centres(lattice, ranks, block, graph.width, component, anchor, options, watch)
    watch.part(0.8, 1.0)
    ports = find_ports(graph, lattice, x, watch)
    watch.done(0.4)
    turns = find_turns(lattice, x, ports, watch)
    watch.done(0.8)
    return Trace(graph, lattice, x, ports, turns)


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


def drawn(trace: Trace, options: LayoutOptions, start: float = 0.0) -> GraphLayout:
    """The layout that *trace* describes, turned as *options* say; *start* is where the first rank begins."""
    graph, lattice = trace.graph, trace.lattice
    routes = draw(graph, lattice, trace.ports, trace.turns, options)
    left, y, points = trace.x[: lattice.boxes] - graph.width / 2, routes.y + start, routes.points
    points[:, 1] += start
    right = np.concatenate([left + graph.width, points[:, 0]])
    bottom = np.concatenate([y + graph.height, points[:, 1]])
    west, north = np.concatenate([left, points[:, 0]]), np.concatenate([y, points[:, 1]])
    bounds = (
        (float(west.min()), float(north.min()), float(right.max()), float(bottom.max())) if len(left) else (0.0,) * 4
    )
    width, height = graph.width, graph.height
    if options.direction is Direction.RIGHT:
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
        trace=trace,
    )
