"""`GraphLayout`: the arrays that layout gives, in logical pixels, y growing down. `LayoutGraph` is what it reads."""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from inspector.layout.graph import Floats, Ints, LayoutGraph
from inspector.layout.trace import Trace

__all__ = ["Floats", "GraphLayout", "Ints", "LayoutGraph"]


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
        trace: how it was found, for `relayout`; None for a layout that was not made by `lay_out` or `relayout`.
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
    trace: Trace | None = field(default=None, repr=False, compare=False)
