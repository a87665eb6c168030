"""`LayoutGraph` in, `GraphLayout` out: the arrays that layout reads and gives, in logical pixels, y growing down."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LayoutGraph:
    """What to lay out. Boxes are numbered 0..n-1 in topological order.

    Attributes:
        width: `[n]` box widths.
        height: `[n]` box heights.
        edge_source: `[m]` box that an edge leaves.
        edge_target: `[m]` box that it enters.
        edge_value: `[m]` tensor that it carries; edges of one source and one value share a trunk.
        side: `[n]` bool, boxes of side chains (constants, shape computations) that should sit close to their consumer.
    """

    width: Floats
    height: Floats
    edge_source: Ints
    edge_target: Ints
    edge_value: Ints
    side: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """Boxes and polylines.

    Attributes:
        x: `[n]` left edges.
        y: `[n]` top edges.
        width: `[n]` as given.
        height: `[n]` as given.
        layer: `[n]` rank of each box, 0 at the top.
        points: `[p, 2]` corner points of all edge polylines, one edge after the other, source first.
        start: `[m + 1]` edge *e* has the points `start[e]:start[e + 1]`; at least two.
        cut: `[m]` bool, edges too long to route in full: drawn as two stubs. A cut edge has its four points as
            source stub (first two) and target stub (last two).
        bounds: left, top, right, bottom over everything.
    """

    x: Floats
    y: Floats
    width: Floats
    height: Floats
    layer: Ints
    points: Floats
    start: Ints
    cut: npt.NDArray[np.bool_]
    bounds: tuple[float, float, float, float]
