"""The minimap: all boxes in their verdict's colour, and the part on screen; dragging in it moves the view."""

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QTransform, QWheelEvent
from PySide6.QtWidgets import QWidget

from inspector.gui.canvas.colouring import PLAIN, VERDICTS, Colouring
from inspector.gui.canvas.geometry import Geometry
from inspector.gui.canvas.paths import rectangles
from inspector.gui.theme import Radius, Size, Space, Stroke, Theme, ThemeName, colour, theme

_TINT = 0.10

_LARGEST = 0.16
"""Map pixels per world unit at most: a box is then about 26 wide."""

_STRETCH = 6.0
"""How many times more a long thin graph may be enlarged along its short side, so that its boxes can be told apart."""


def _scales(bounds: QRectF, room: QSizeF) -> tuple[float, float]:
    """Map pixels per world unit, across and down."""
    across, down = room.width() / max(bounds.width(), 1.0), room.height() / max(bounds.height(), 1.0)
    least = min(across, down, _LARGEST)
    most = max(least, min(_STRETCH * least, _LARGEST))
    return min(across, most), min(down, most)


class _Shown(NamedTuple):
    geometry: Geometry
    colouring: Colouring


class Minimap(QWidget):
    """An overview of the whole graph with the part that the view shows.

    Signals:
        moved: world point (QPointF) that the user wants in the middle of the view.
        zoomed: factor (float) by which the user turned the wheel.
    """

    moved = Signal(QPointF)
    zoomed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Show nothing until `set_graph`."""
        super().__init__(parent)
        self._shown: _Shown | None = None
        self._look = theme(ThemeName.LIGHT)
        self._view = QRectF()
        self._picture: QPixmap | None = None
        self.setAccessibleName(self.tr("Overview of the graph"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_graph(self, geometry: Geometry | None, colouring: Colouring | None) -> None:
        """Show the boxes of *geometry* in the colours of *colouring*; None shows nothing."""
        self._shown = None if geometry is None or colouring is None else _Shown(geometry, colouring)
        self._picture = None
        if self._shown is not None:
            self.resize(self._wanted(self._shown.geometry.bounds))
        self.update()

    def set_theme(self, look: Theme) -> None:
        """Paint in the colours of *look*."""
        self._look, self._picture = look, None
        if self._shown is not None:
            self.resize(self._wanted(self._shown.geometry.bounds))
        self.update()

    def set_view(self, seen: QRectF) -> None:
        """Mark the world rectangle *seen* as the part on screen."""
        self._view = QRectF(seen)
        self.update()

    @staticmethod
    def _wanted(bounds: QRectF) -> QSize:
        room_w, room_h = Size.MINIMAP_WIDTH - 2 * Space.S, Size.MINIMAP_HEIGHT - 2 * Space.S
        across, down = _scales(bounds, QSizeF(room_w, room_h))
        width = max(round(bounds.width() * across) + 2 * Space.S, Size.MINIMAP_LEAST)
        return QSize(width, max(round(bounds.height() * down) + 2 * Space.S, Size.MINIMAP_LEAST))

    def _mapping(self) -> QTransform:
        """World to map."""
        bounds = QRectF() if self._shown is None else self._shown.geometry.bounds
        across, down = _scales(bounds, QSizeF(self.width() - 2.0 * Space.S, self.height() - 2.0 * Space.S))
        middle = bounds.center()
        left, top = self.width() / 2 - middle.x() * across, self.height() / 2 - middle.y() * down
        return QTransform(across, 0.0, 0.0, down, left, top)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: D102
        if self._shown is None:
            return
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            self._picture = self._paint_boxes(self._shown, ratio)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(0, 0, self._picture)
        view = self._mapping().mapRect(self._view)
        view = view.intersected(QRectF(self.rect()).adjusted(2, 2, -2, -2))
        painter.setPen(QPen(colour(self._look.accent), Stroke.THIN))
        painter.setBrush(colour(self._look.accent, _TINT))
        painter.drawRoundedRect(view, Space.XXS, Space.XXS)
        painter.end()

    def _paint_boxes(self, shown: _Shown, ratio: float) -> QPixmap:
        picture = QPixmap(round(self.width() * ratio), round(self.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(self._look.line2), Stroke.HAIR))
        painter.setBrush(colour(self._look.panel))
        ground = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(ground, Radius.BOX, Radius.BOX)
        to = self._mapping()
        geometry = shown.geometry
        width = np.maximum((geometry.right - geometry.left) * to.m11(), Stroke.STRONG)
        height = np.maximum((geometry.bottom - geometry.top) * to.m22(), Stroke.HAIR)
        x = (geometry.left + geometry.right) / 2 * to.m11() + to.dx() - width / 2
        y = (geometry.top + geometry.bottom) / 2 * to.m22() + to.dy() - height / 2
        for code in (PLAIN, *range(len(VERDICTS))):
            chosen = shown.colouring.code == code
            token = self._look.line2 if code == PLAIN else self._look.of(VERDICTS[code]).pattern
            painter.fillPath(rectangles(x[chosen], y[chosen], width[chosen], height[chosen]), colour(token))
        painter.end()
        return picture

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        self._go(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event)

    def _go(self, event: QMouseEvent) -> None:
        back, _possible = self._mapping().inverted()
        self.moved.emit(back.map(event.position()))
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: D102
        self.zoomed.emit(1.0015 ** event.angleDelta().y())
        event.accept()

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        if event.type() == QEvent.Type.LanguageChange:
            self.setAccessibleName(self.tr("Overview of the graph"))
        super().changeEvent(event)
