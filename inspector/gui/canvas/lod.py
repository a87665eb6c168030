"""Level of detail, and which boxes and edges a view shows."""

from enum import IntEnum

import numpy as np
from PySide6.QtCore import QRectF

from inspector.gui.canvas.geometry import Geometry, Ints

FULL_FROM, MEDIUM_FROM = 0.75, 0.35
"""Zoom from which boxes carry everything, and from which they carry one line."""

GRID_FROM = 0.5
"""Zoom from which the grid dots are drawn."""

OVERVIEW_BOXES = 2500
"""Number of visible boxes from which small detail is painted from a cached picture."""


class Level(IntEnum):
    """How much a box tells."""

    SMALL = 0
    MEDIUM = 1
    FULL = 2


def level_for(scale: float) -> Level:
    """Level of detail at a zoom of *scale*."""
    if scale >= FULL_FROM:
        return Level.FULL
    return Level.MEDIUM if scale >= MEDIUM_FROM else Level.SMALL


def visible_boxes(geometry: Geometry, seen: QRectF) -> Ints:
    """Boxes that touch the world rectangle *seen*, in order."""
    return np.flatnonzero(
        (geometry.left <= seen.right())
        & (geometry.right >= seen.left())
        & (geometry.top <= seen.bottom())
        & (geometry.bottom >= seen.top())
    )


def visible_edges(geometry: Geometry, seen: QRectF) -> Ints:
    """Edges whose bounding rectangle touches the world rectangle *seen*, in order."""
    box = geometry.edge_box
    return np.flatnonzero(
        (box[:, 0] <= seen.right())
        & (box[:, 2] >= seen.left())
        & (box[:, 1] <= seen.bottom())
        & (box[:, 3] >= seen.top())
    )
