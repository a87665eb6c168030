"""How good a layout is, counted from its drawn lines alone, so that it can judge any layout engine's result."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspector.layout.result import GraphLayout, LayoutGraph

_INSIDE = 0.5
"""Lines and boxes that meet by less than this, in pixels, only touch."""


@dataclass(frozen=True, slots=True)
class Quality:
    """Figures of one layout.

    Attributes:
        crossings: pairs of a horizontal and a vertical piece of different trunks that cross.
        straight: share of edges between a box with one outgoing and a box with one incoming edge that are vertical.
        bends: corners of all edges; corners that edges of a trunk share count once.
        length: mean length of an edge, cut ones left out, in pixels.
        through_boxes: pieces of edges that run through the inside of a box.
        overlaps: pairs of boxes that overlap.
        merged: pairs of horizontal pieces of different trunks that lie on each other.
        width: of everything, in pixels.
        height: of everything, in pixels.
    """

    crossings: int
    straight: float
    bends: int
    length: float
    through_boxes: int
    overlaps: int
    merged: int
    width: float
    height: float


Segments = npt.NDArray[np.float64]


def pieces(graph: LayoutGraph, layout: GraphLayout) -> Segments:
    """`[k, 5]` straight pieces `x0, y0, x1, y1, trunk`, each once; x0 <= x1 and y0 <= y1."""
    owner = np.repeat(np.arange(len(graph.edge_source)), np.diff(layout.start))
    first, last = layout.points[:-1], layout.points[1:]
    index = np.arange(len(first))
    joined = owner[:-1] == owner[1:]
    joined &= ~(layout.cut[owner[:-1]] & (index - layout.start[owner[:-1]] == 1))
    trunk = np.unique(np.stack([graph.edge_source, graph.edge_value]), axis=1, return_inverse=True)[1].reshape(-1)
    low, high = np.minimum(first, last), np.maximum(first, last)
    rows = np.concatenate([low, high, trunk[owner[:-1]][:, None]], axis=1)[joined]
    return np.unique(rows[np.any(rows[:, :2] != rows[:, 2:4], axis=1)], axis=0)


def crossings(lines: Segments) -> int:
    """Crossings of horizontal with vertical pieces of other trunks."""
    vertical = lines[lines[:, 0] == lines[:, 2]]
    vertical = vertical[np.argsort(vertical[:, 0], kind="stable")]
    total = 0
    for x0, y, x1, _, trunk in lines[lines[:, 1] == lines[:, 3]].tolist():
        a, b = np.searchsorted(vertical[:, 0], [x0 + _INSIDE, x1 - _INSIDE])
        near = vertical[a:b]
        total += int(((near[:, 1] < y - _INSIDE) & (near[:, 3] > y + _INSIDE) & (near[:, 4] != trunk)).sum())
    return total


def merged(lines: Segments) -> int:
    """Pairs of horizontal pieces of different trunks that lie on each other."""
    flat = lines[lines[:, 1] == lines[:, 3]]
    flat = flat[np.argsort(flat[:, 1], kind="stable")]
    total = 0
    for index, (x0, y, x1, _, trunk) in enumerate(flat.tolist()):
        stop = int(np.searchsorted(flat[:, 1], y + 1e-9, side="right"))
        near = flat[index + 1 : stop]
        total += int(((near[:, 0] < x1) & (near[:, 2] > x0) & (near[:, 4] != trunk)).sum())
    return total


def through_boxes(lines: Segments, layout: GraphLayout) -> int:
    """Pieces that run through the inside of a box."""
    left, right = layout.x + _INSIDE, layout.x + layout.width - _INSIDE
    top, bottom = layout.y + _INSIDE, layout.y + layout.height - _INSIDE
    total = 0
    for x0, y0, x1, y1, _ in lines.tolist():
        total += int(((left < x1) & (right > x0) & (top < y1) & (bottom > y0)).any())
    return total


def overlaps(layout: GraphLayout) -> int:
    """Pairs of boxes that overlap."""
    order = np.argsort(layout.y, kind="stable")
    x, y = layout.x[order], layout.y[order]
    right, bottom = x + layout.width[order], y + layout.height[order]
    total = 0
    for index in range(len(x)):
        stop = int(np.searchsorted(y, bottom[index], side="left"))
        near = slice(index + 1, stop)
        total += int(((x[near] < right[index]) & (right[near] > x[index])).sum())
    return total


def measure(graph: LayoutGraph, layout: GraphLayout) -> Quality:
    """All figures of *layout*, which points down."""
    lines = pieces(graph, layout)
    counts = len(graph.width)
    leaving = np.bincount(graph.edge_source, minlength=counts)
    entering = np.bincount(graph.edge_target, minlength=counts)
    chain = (leaving[graph.edge_source] == 1) & (entering[graph.edge_target] == 1)
    straight = (np.diff(layout.start) == 2) & chain
    steps = np.abs(np.diff(layout.points, axis=0)).sum(axis=1)
    ends = np.cumsum(np.concatenate([[0.0], steps]))
    length = (ends[layout.start[1:] - 1] - ends[layout.start[:-1]])[~layout.cut] if len(layout.points) else np.zeros(0)
    left, top, right, bottom = layout.bounds
    return Quality(
        crossings=crossings(lines),
        straight=float(straight.sum() / chain.sum()) if chain.any() else 1.0,
        bends=2 * int((lines[:, 1] == lines[:, 3]).sum()),
        length=float(length.mean()) if len(length) else 0.0,
        through_boxes=through_boxes(lines, layout),
        overlaps=overlaps(layout),
        merged=merged(lines),
        width=right - left,
        height=bottom - top,
    )
