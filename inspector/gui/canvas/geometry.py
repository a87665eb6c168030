"""`Geometry`: the layout made ready for painting: box edges, rounded edge curves, arrow heads, places for labels.

Computed once per layout with numpy; every frame only selects from it. World coordinates, y growing down.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF

from inspector.gui.measures import Measure
from inspector.layout.result import GraphLayout

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_STEPS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])


@dataclass(frozen=True, slots=True)
class Curves:
    """Polylines one after the other.

    Attributes:
        points: `[p, 2]` points.
        joined: `[p]` whether a line leads from the previous point to this one.
        start: `[m + 1]` edge *e* has the points `start[e]:start[e + 1]`.
    """

    points: Floats
    joined: Bools
    start: Ints

    def of(self, edges: Ints) -> tuple[Floats, Bools]:
        """Points and joints of some *edges*, in that order."""
        count = self.start[edges + 1] - self.start[edges]
        if len(edges) == 0:
            return self.points[:0], self.joined[:0]
        offset = np.repeat(self.start[edges] - np.concatenate([[0], np.cumsum(count)[:-1]]), count)
        index = np.arange(int(count.sum())) + offset
        return self.points[index], self.joined[index]


@dataclass(frozen=True, slots=True)
class Geometry:
    """What a frame needs of a layout.

    Attributes:
        left: `[n]` box edges; likewise `top`, `right`, `bottom`.
        top: see `left`.
        right: see `left`.
        bottom: see `left`.
        layer: `[n]` rank of each box.
        edge_box: `[m, 4]` left, top, right, bottom of each edge.
        straight: edges with sharp corners, for small zooms.
        curved: edges with round corners, ending where the arrow head begins.
        tip: `[m, 2]` end of each edge.
        direction: `[m, 2]` unit vector into the target.
        label: `[m, 2]` where a shape label goes: its left centre beside a vertical piece, or its centre on a
            horizontal one.
        label_room: `[m]` length of the horizontal piece that carries the label; 0 for one beside a vertical piece.
        cut: `[m]` edges drawn as two stubs.
        sideways: whether the graph flows to the right, so that edges enter boxes at their left side.
        bounds: rectangle around everything.
    """

    left: Floats
    top: Floats
    right: Floats
    bottom: Floats
    layer: Ints
    edge_box: Floats
    straight: Curves
    curved: Curves
    tip: Floats
    direction: Floats
    label: Floats
    label_room: Floats
    cut: Bools
    sideways: bool
    bounds: QRectF

    @classmethod
    def of(cls, layout: GraphLayout) -> Self:
        """The geometry of *layout*."""
        points, start = layout.points, layout.start
        m = len(start) - 1
        first, last = start[:-1], start[1:] - 1
        joined = np.ones(len(points), dtype=np.bool_)
        joined[first] = False
        joined[first[layout.cut] + 2] = False
        straight = Curves(points, joined, start)
        tip = points[last] if m else np.zeros((0, 2))
        step = tip - points[last - 1] if m else np.zeros((0, 2))
        direction = _unit(step, np.array([0.0, 1.0]))
        low = np.minimum.reduceat(points, first) if m else np.zeros((0, 2))
        high = np.maximum.reduceat(points, first) if m else np.zeros((0, 2))
        sideways = bool(m) and bool(np.abs(direction[:, 0]).mean() > 0.5)
        label, room = _labels_along(points, start, layout.x) if sideways else _labels(points, start)
        left, top, right, bottom = layout.bounds
        return cls(
            left=layout.x,
            top=layout.y,
            right=layout.x + layout.width,
            bottom=layout.y + layout.height,
            layer=layout.layer,
            edge_box=np.concatenate([low, high], axis=1),
            straight=straight,
            curved=_curved(straight, direction),
            tip=tip,
            direction=direction,
            label=label,
            label_room=room,
            cut=layout.cut,
            sideways=sideways,
            bounds=QRectF(left, top, right - left, bottom - top),
        )

    def rect(self, box: int) -> QRectF:
        """Rectangle of one box."""
        left, top = float(self.left[box]), float(self.top[box])
        return QRectF(left, top, float(self.right[box]) - left, float(self.bottom[box]) - top)


def _unit(vectors: Floats, fallback: Floats) -> Floats:
    length = np.hypot(vectors[:, 0], vectors[:, 1])
    safe = np.where(length > 0, length, 1.0)
    return np.where((length > 0)[:, None], vectors / safe[:, None], fallback)


def _labels(points: Floats, start: Ints) -> tuple[Floats, Floats]:
    """Label place of each edge: on its longest horizontal piece if there is one, else beside its first piece."""
    m = len(start) - 1
    if m == 0:
        return np.zeros((0, 2)), np.zeros(0)
    first = start[:-1]
    place = points[first].copy()
    place[:, 1] += np.minimum((points[first + 1, 1] - points[first, 1]) / 2, Measure.LABEL_DEPTH)
    room = np.zeros(m)
    owner = np.repeat(np.arange(m), np.diff(start))[:-1]
    span = np.diff(points, axis=0)
    flat = (owner == np.repeat(np.arange(m), np.diff(start))[1:]) & (np.abs(span[:, 1]) < 0.5)
    length = np.where(flat, np.abs(span[:, 0]), 0.0)
    order = np.argsort(length, kind="stable")
    order = order[length[order] > 2 * Measure.CORNER]
    longest = np.full(m, -1, dtype=np.int64)
    longest[owner[order]] = order
    has = longest >= 0
    piece = longest[has]
    place[has] = (points[piece] + points[piece + 1]) / 2
    room[has] = length[piece] - 2 * Measure.CORNER
    return place, room


def _labels_along(points: Floats, start: Ints, columns: Floats) -> tuple[Floats, Floats]:
    """The same for a graph that flows right: at the start of each edge, as wide as the gap to the next column.

    Args:
        points: `[p, 2]` corners of all edges.
        start: `[m + 1]` first corner of each edge.
        columns: `[n]` left edges of all boxes.
    """
    m = len(start) - 1
    place = points[start[:-1]].copy() if m else np.zeros((0, 2))
    begins = np.append(np.unique(columns), np.inf)
    beyond = begins[np.searchsorted(begins[:-1], place[:, 0], side="right")]
    low, high = points[start[:-1], 0], points[start[1:] - 1, 0]
    return place, np.maximum(np.minimum(beyond, np.maximum(low, high)) - place[:, 0] - Measure.ARROW, 0.0)


def _curved(straight: Curves, direction: Floats) -> Curves:
    """The same edges with every inner corner replaced by a quadratic curve, shortened to the base of the arrow."""
    points, joined, start = straight.points.copy(), straight.joined, straight.start
    count = len(points)
    if count == 0:
        return straight
    last = start[1:] - 1
    points[last] -= direction * np.minimum(Measure.ARROW * 0.75, _length(points[last] - points[last - 1]))[:, None]
    inner = np.zeros(count, dtype=np.bool_)
    inner[1:-1] = joined[1:-1] & joined[2:]
    before = np.roll(points, 1, axis=0) - points
    after = np.roll(points, -1, axis=0) - points
    reach = np.minimum(np.minimum(_length(before), _length(after)) / 2, Measure.CORNER)
    enter = points + _unit(before, np.zeros(2)) * reach[:, None]
    leave = points + _unit(after, np.zeros(2)) * reach[:, None]
    sizes = np.where(inner, len(_STEPS), 1)
    owner = np.repeat(np.arange(count), sizes)
    begin = np.concatenate([[0], np.cumsum(sizes)])
    t = np.where(inner[owner], _STEPS[np.minimum(np.arange(len(owner)) - begin[owner], len(_STEPS) - 1)], 0.0)[:, None]
    curve = (1 - t) ** 2 * enter[owner] + 2 * t * (1 - t) * points[owner] + t**2 * leave[owner]
    smooth = np.where(inner[owner][:, None], curve, points[owner])
    linked = np.ones(len(owner), dtype=np.bool_)
    linked[begin[:-1]] = joined
    return Curves(smooth, linked, begin[start])


def _length(vectors: Floats) -> Floats:
    return np.hypot(vectors[:, 0], vectors[:, 1])
