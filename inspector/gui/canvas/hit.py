"""What is under a point: numpy queries over all boxes or edges."""

import numpy as np
from PySide6.QtCore import QPointF

from inspector.gui.canvas.geometry import Geometry


def box_at(geometry: Geometry, point: QPointF, slack: float = 0.0) -> int | None:
    """The box under a world *point*, or one within *slack* world units of it (the nearest); None when there is none."""
    x, y = point.x(), point.y()
    away = np.maximum(
        np.maximum(geometry.left - x, x - geometry.right), np.maximum(geometry.top - y, y - geometry.bottom)
    )
    near = np.flatnonzero(away <= slack)
    return None if len(near) == 0 else int(near[np.argmin(away[near])])


def edge_at(geometry: Geometry, point: QPointF, slack: float) -> int | None:
    """The edge that passes within *slack* world units of *point* (the nearest); None when there is none."""
    x, y = point.x(), point.y()
    box = geometry.edge_box
    near = np.flatnonzero(
        (box[:, 0] - slack <= x) & (box[:, 2] + slack >= x) & (box[:, 1] - slack <= y) & (box[:, 3] + slack >= y)
    )
    best, found = slack, None
    for edge in near:
        begin, end = int(geometry.straight.start[edge]), int(geometry.straight.start[edge + 1])
        a, b = geometry.straight.points[begin : end - 1], geometry.straight.points[begin + 1 : end]
        along = b - a
        size = np.maximum((along**2).sum(axis=1), 1e-12)
        share = np.clip(((np.array([x, y]) - a) * along).sum(axis=1) / size, 0.0, 1.0)
        gap = np.hypot(*(a + along * share[:, None] - [x, y]).T)
        gap = gap[geometry.straight.joined[begin + 1 : end]]
        if len(gap) and gap.min() <= best:
            best, found = float(gap.min()), int(edge)
    return found
