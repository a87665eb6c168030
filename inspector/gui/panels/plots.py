"""Pictures of numbers: a heat-map of one slice of a tensor, and a histogram of differences with the limit."""

from math import log10

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.gui.fonts import Role, font
from inspector.gui.look import look
from inspector.gui.theme import VIRIDIS, Radius, Size, Space, Stroke, colour
from inspector.gui.words import decimal
from inspector.verify.result import Histogram

Plane = npt.NDArray[np.float64]


class HeatMap(QWidget):
    """A plane `[rows, columns]` in viridis colours.

    Signals:
        hovered: `(row, column)` under the pointer, or None when it left.
    """

    hovered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty map."""
        super().__init__(parent)
        self._plane: Plane | None = None
        self._image = QImage()
        self._cell: tuple[int, int] | None = None
        self._text = ""
        self.setMouseTracking(True)
        self.setMinimumSize(QSize(Size.PLOT_WIDTH, Size.PLOT_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_plane(self, plane: Plane | None, low: float, high: float, text: str = "") -> None:
        """Show *plane* with colours over *low*..*high*; without a plane show *text* instead."""
        self._plane, self._text, self._cell = plane, text, None
        self._image = QImage() if plane is None else _image(plane, low, high)
        self.update()

    def show_cursor(self, cell: tuple[int, int] | None) -> None:
        """Mark the element *cell*, as its row and column."""
        self._cell = cell
        self.update()

    def value(self, cell: tuple[int, int]) -> float | None:
        """The value at *cell*, or None outside."""
        plane = self._plane
        if plane is None or not (0 <= cell[0] < plane.shape[0] and 0 <= cell[1] < plane.shape[1]):
            return None
        return float(plane[cell])

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the plane, or the text that stands for it."""
        painter = QPainter(self)
        if self._plane is None or self._image.isNull():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(colour(look().line)))
            painter.setBrush(colour(look().sunken))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), Radius.CONTROL, Radius.CONTROL)
            painter.setPen(colour(look().text2))
            painter.setFont(font(Role.SMALL))
            inner = self.rect().adjusted(Space.XS, 0, -Space.XS, 0)
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
        else:
            target = self._target()
            painter.drawImage(target, self._image)
            if self._cell is not None:
                self._cursor(painter, target, self._cell)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell which element is under the pointer."""
        if self._plane is None:
            return
        target, at = self._target(), event.position()
        row = int((at.y() - target.y()) / max(target.height(), 1) * self._plane.shape[0])
        column = int((at.x() - target.x()) / max(target.width(), 1) * self._plane.shape[1])
        inside = 0 <= row < self._plane.shape[0] and 0 <= column < self._plane.shape[1]
        self.hovered.emit((row, column) if inside else None)

    def leaveEvent(self, _event: QEvent) -> None:
        """Tell that the pointer left."""
        self.hovered.emit(None)

    def _target(self) -> QRect:
        size = self._image.size().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        size = size.expandedTo(QSize(min(self.width(), Space.XL), min(self.height(), Space.XL)))
        return QRect((self.width() - size.width()) // 2, (self.height() - size.height()) // 2, *size.toTuple())

    def _cursor(self, painter: QPainter, target: QRect, cell: tuple[int, int]) -> None:
        if self._plane is None:
            return
        height, width = target.height() / self._plane.shape[0], target.width() / self._plane.shape[1]
        spot = QRectF(target.x() + cell[1] * width, target.y() + cell[0] * height, width, height)
        painter.setPen(QPen(colour(look().accent), Stroke.STRONG))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(spot.adjusted(-1, -1, 1, 1))


class HistogramView(QWidget):
    """Counts of |difference| per decade on a log scale, exact zeros as the first bar, the limit as a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty picture."""
        super().__init__(parent)
        self._histogram: Histogram | None = None
        self._limit: float | None = None
        self.setMinimumSize(QSize(Size.HISTOGRAM_WIDTH, Size.HISTOGRAM_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)

    def show_histogram(self, histogram: Histogram | None, limit: float | None) -> None:
        """Show *histogram*; *limit* is the largest accepted |difference|, None when there is none to draw."""
        self._histogram, self._limit = histogram, limit
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint bars, counts, decades and limit."""
        histogram = self._histogram
        if histogram is None:
            return
        painter = QPainter(self)
        painter.setFont(font(Role.SMALL))
        bars = [("0", histogram.zero), *_decades(histogram)]
        line = painter.fontMetrics().height()
        ground = self.rect().adjusted(Space.XS, line, -Space.XS, -line - Space.XXS)
        most = max((count for _, count in bars), default=0)
        width = min(ground.width() / max(len(bars), 1), Size.PLOT_WIDTH)
        for index, (name, count) in enumerate(bars):
            left = ground.x() + index * width
            height = ground.height() * (log10(count + 1) / log10(most + 1)) if most else 0.0
            bar = QRectF(left + Space.XXS, ground.bottom() - height, max(width - Space.XS, Space.XXS), height)
            painter.fillRect(bar, colour(look().accent))
            painter.setPen(colour(look().text2))
            above = QRectF(left, bar.y() - line, width, line)
            painter.drawText(above, Qt.AlignmentFlag.AlignCenter, _short(count, width, painter))
            painter.drawText(QRectF(left, ground.bottom() + Space.XXS, width, line), Qt.AlignmentFlag.AlignCenter, name)
        painter.setPen(colour(look().line2))
        painter.drawLine(ground.bottomLeft(), ground.bottomRight())
        self._draw_limit(painter, ground, width, histogram)
        painter.end()

    def _draw_limit(self, painter: QPainter, ground: QRect, width: float, histogram: Histogram) -> None:
        if not self._limit or not histogram.edges:
            return
        place = log10(self._limit) - histogram.edges[0]
        x = ground.x() + (1 + min(max(place, 0.0), len(histogram.counts))) * width
        painter.setPen(QPen(colour(look().accent_ink), Stroke.THIN, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, ground.y() - painter.fontMetrics().height()), QPointF(x, ground.bottom()))


def _decades(histogram: Histogram) -> list[tuple[str, int]]:
    return [(f"1e{edge:.0f}", count) for edge, count in zip(histogram.edges, histogram.counts, strict=False)]


def _short(count: int, width: float, painter: QPainter) -> str:
    text = f"{count:,}"
    return text if painter.fontMetrics().horizontalAdvance(text) <= width else decimal(float(count))


def _image(plane: Plane, low: float, high: float) -> QImage:
    share = np.clip((plane - low) / (high - low), 0.0, 1.0) if high > low else np.zeros_like(plane)
    place = np.nan_to_num(share, nan=0.0) * (len(VIRIDIS) - 1)
    steps = np.arange(len(VIRIDIS))
    scale = np.asarray(VIRIDIS, dtype=np.float64)
    pixels = np.stack([np.interp(place, steps, scale[:, channel]) for channel in range(3)], axis=-1)
    data = np.ascontiguousarray(pixels.round().astype(np.uint8))
    rows, columns = plane.shape
    return QImage(data.data, columns, rows, 3 * columns, QImage.Format.Format_RGB888).copy()
