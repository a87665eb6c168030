"""From numpy arrays to `QPainterPath` in one call, so that painting costs no Python object per point.

A path is handed over in Qt's own stream format: element count, then per element its type (0 move, 1 line) and its two
coordinates, then the index of the last subpath and the fill rule, all big-endian.
"""

from functools import cache

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QByteArray, QDataStream
from PySide6.QtGui import QPainterPath

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

_ELEMENT = np.dtype([("kind", ">i4"), ("x", ">f8"), ("y", ">f8")])
_WINDING = 1
_ARC = 5


def path_of(points: Floats, joined: Bools) -> QPainterPath:
    """A path through *points* `[p, 2]`; `joined[i]` says whether a line leads from point *i* - 1 to point *i*."""
    path = QPainterPath()
    count = len(points)
    if count == 0:
        return path
    elements = np.empty(count, dtype=_ELEMENT)
    elements["kind"] = joined
    elements["kind"][0] = 0
    elements["x"] = points[:, 0]
    elements["y"] = points[:, 1]
    last = int(np.flatnonzero(elements["kind"] == 0)[-1])
    tail = np.array([last, _WINDING], dtype=">i4")
    data = np.array([count], dtype=">i4").tobytes() + elements.tobytes() + tail.tobytes()
    stream = QDataStream(QByteArray(data))
    stream >> path
    return path


def polygons(corners: Floats) -> QPainterPath:
    """Closed polygons from *corners* `[polygon, corner, 2]`."""
    if len(corners) == 0:
        return QPainterPath()
    closed = np.concatenate([corners, corners[:, :1]], axis=1)
    joined = np.ones(closed.shape[:2], dtype=np.bool_)
    joined[:, 0] = False
    return path_of(closed.reshape(-1, 2), joined.ravel())


def rectangles(x: Floats, y: Floats, width: Floats, height: Floats) -> QPainterPath:
    """Rectangles with sharp corners."""
    right, bottom = x + width, y + height
    return polygons(np.stack([np.stack(p, axis=1) for p in ((x, y), (right, y), (right, bottom), (x, bottom))], axis=1))


def rounded(
    x: Floats, y: Floats, width: Floats, height: Floats, radius: Floats | float, *, corners: str = "nesw"
) -> QPainterPath:
    """Rectangles with round corners.

    Args:
        x: left edges.
        y: top edges.
        width: widths.
        height: heights.
        radius: corner radius, limited to half of the shorter side.
        corners: which corners are round: `n` top left, `e` top right, `s` bottom right, `w` bottom left.
    """
    limit = np.minimum(np.minimum(width, height) / 2, radius)[:, None]
    across, down, shift = _arcs(corners)
    points = np.empty((len(x), len(across), 2))
    points[:, :, 0] = x[:, None] + width[:, None] * across + limit * shift[:, 0]
    points[:, :, 1] = y[:, None] + height[:, None] * down + limit * shift[:, 1]
    return polygons(points)


@cache
def _arcs(corners: str) -> tuple[Floats, Floats, Floats]:
    """Points of one outline: share of the width, share of the height, and shift in units of the radius."""
    across: list[float] = []
    down: list[float] = []
    shift: list[tuple[float, float]] = []
    for name, right, low, start in (("n", 0, 0, 1.0), ("e", 1, 0, 1.5), ("s", 1, 1, 0.0), ("w", 0, 1, 0.5)):
        inward = (1 - 2 * right, 1 - 2 * low)
        steps = np.linspace(0.0, 0.5, _ARC) if name in corners else np.zeros(1)
        for angle in (start + steps) * np.pi:
            across.append(right)
            down.append(low)
            bend = (inward[0] + np.cos(angle), inward[1] + np.sin(angle)) if name in corners else (0.0, 0.0)
            shift.append(bend)
    return np.array(across), np.array(down), np.array(shift)
