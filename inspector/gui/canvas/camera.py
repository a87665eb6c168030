"""`Camera`: which part of the graph is on screen, as a value. World coordinates are those of the layout."""

from dataclasses import dataclass
from typing import Self

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QTransform

from inspector.gui.measures import Measure

SMALLEST, LARGEST = 0.002, 4.0
"""Limits of the zoom."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A zoom and the world point at the view's top left corner.

    Attributes:
        scale: logical pixels on screen per world unit.
        x: world x at the left edge of the view.
        y: world y at the top edge.
    """

    scale: float = 1.0
    x: float = 0.0
    y: float = 0.0

    @property
    def transform(self) -> QTransform:
        """World to view."""
        return QTransform(self.scale, 0.0, 0.0, self.scale, -self.x * self.scale, -self.y * self.scale)

    def world(self, point: QPointF) -> QPointF:
        """World point under the view's *point*."""
        return QPointF(point.x() / self.scale + self.x, point.y() / self.scale + self.y)

    def screen(self, point: QPointF) -> QPointF:
        """View point of the world's *point*."""
        return QPointF((point.x() - self.x) * self.scale, (point.y() - self.y) * self.scale)

    def seen(self, view: QSizeF) -> QRectF:
        """World rectangle that a view of size *view* shows."""
        return QRectF(self.x, self.y, view.width() / self.scale, view.height() / self.scale)

    def zoomed(self, factor: float, at: QPointF) -> Self:
        """Zoomed by *factor*, with the world point under the view's point *at* staying where it is."""
        scale = min(max(self.scale * factor, SMALLEST), LARGEST)
        fixed = self.world(at)
        return type(self)(scale, fixed.x() - at.x() / scale, fixed.y() - at.y() / scale)

    def panned(self, dx: float, dy: float) -> Self:
        """Moved so that the content follows a drag by (*dx*, *dy*) view pixels."""
        return type(self)(self.scale, self.x - dx / self.scale, self.y - dy / self.scale)

    def centred(self, point: QPointF, view: QSizeF) -> Self:
        """The same zoom with the world's *point* in the middle of a view of size *view*."""
        return type(self)(
            self.scale, point.x() - view.width() / 2 / self.scale, point.y() - view.height() / 2 / self.scale
        )

    def between(self, other: "Camera", share: float) -> "Camera":
        """The camera at *share* (0..1) of the way to *other*."""
        return Camera(
            self.scale + (other.scale - self.scale) * share,
            self.x + (other.x - self.x) * share,
            self.y + (other.y - self.y) * share,
        )


def within(camera: Camera, world: QRectF, view: QSizeF, margin: float = Measure.MARGIN) -> Camera:
    """*camera* moved up or down so that it shows no empty ground beyond *world* while a part of *world* is hidden."""
    space = margin / camera.scale
    top, bottom = world.top() - space, world.bottom() + space
    height = view.height() / camera.scale
    y = (top + bottom - height) / 2 if bottom - top <= height else min(max(camera.y, top), bottom - height)
    return Camera(camera.scale, camera.x, y)


def fitted(world: QRectF, view: QSizeF, margin: float = Measure.MARGIN, largest: float = 1.0) -> Camera:
    """The camera that shows all of *world* in a view of size *view*, centred, never zoomed above *largest*."""
    wide = max(view.width() - 2 * margin, 1.0) / max(world.width(), 1.0)
    high = max(view.height() - 2 * margin, 1.0) / max(world.height(), 1.0)
    scale = min(max(min(wide, high, largest), SMALLEST), LARGEST)
    return Camera(scale).centred(world.center(), view)
