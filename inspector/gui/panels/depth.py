"""Error along depth: max rel of every compared tensor from input to output on a log scale, with the limit as a line."""

from collections.abc import Sequence
from math import isfinite, log10

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from inspector.gui.fonts import Role, font
from inspector.gui.look import look
from inspector.gui.theme import Size, Space, Stroke, colour
from inspector.gui.words import figure
from inspector.verify.result import Status, TensorDiff

_LEAST_DECADES = 2.0


def in_depth(diffs: Sequence[TensorDiff]) -> tuple[TensorDiff, ...]:
    """*diffs* of one comparison from input to output: intermediates in their order, then graph outputs."""
    return tuple(sorted(diffs, key=lambda diff: diff.output))


class DepthView(QWidget):
    """One mark per tensor; a tensor without error stands on the ground line, one without a figure is a cross.

    Signals:
        picked: `TensorDiff` that was clicked.
    """

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty picture."""
        super().__init__(parent)
        self._diffs: tuple[TensorDiff, ...] = ()
        self._limit = 0.0
        self.setMinimumSize(QSize(Size.HISTOGRAM_WIDTH, Size.HISTOGRAM_HEIGHT))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_diffs(self, diffs: Sequence[TensorDiff], limit: float) -> None:
        """Show *diffs*, from input to output, against the *limit* of max rel."""
        self._diffs, self._limit = tuple(diffs), limit
        first = next((d for d in self._diffs if d.status is Status.FAILED), None)
        name = (
            self.tr("Error along depth")
            if first is None
            else self.tr("Error along depth, first over the limit: {tensor}").format(tensor=first.name)
        )
        self.setAccessibleName(name)
        self.update()

    def diff_at(self, x: float) -> TensorDiff | None:
        """The tensor whose mark stands nearest to *x*, or None without any."""
        if not self._diffs:
            return None
        place = (x - self._ground().x()) / max(self._step(), 1e-9)
        return self._diffs[min(max(int(place), 0), len(self._diffs) - 1)]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell which tensor was clicked."""
        diff = self.diff_at(event.position().x())
        if diff is not None and event.button() is Qt.MouseButton.LeftButton:
            self.picked.emit(diff)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the tensor under the pointer."""
        diff = self.diff_at(event.position().x())
        if diff is not None:
            self.setToolTip(f"{diff.name}\n{figure(diff.max_rel)}")

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint marks, scale and limit."""
        if not self._diffs:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(Role.SMALL))
        ground, (low, high) = self._ground(), self._range()
        painter.setPen(colour(look().line2))
        painter.drawLine(ground.bottomLeft(), ground.bottomRight())
        if self._limit > 0:
            y = ground.bottom() - (log10(self._limit) - low) / (high - low) * ground.height()
            painter.setPen(QPen(colour(look().accent_ink), Stroke.THIN, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(ground.left(), y), QPointF(ground.right(), y))
            painter.drawText(QPointF(0, y + painter.fontMetrics().height() / 3), figure(self._limit))
        for index, diff in enumerate(self._diffs):
            self._mark(painter, QPointF(ground.x() + (index + 0.5) * self._step(), ground.bottom()), diff)
        painter.end()

    def _mark(self, painter: QPainter, foot: QPointF, diff: TensorDiff) -> None:
        failed = diff.status is Status.FAILED
        painter.setPen(QPen(colour(look().failed if failed else look().text2), Stroke.THIN))
        if diff.max_rel is None or not isfinite(diff.max_rel):
            reach = Space.XS - 1
            painter.drawLine(foot + QPointF(-reach, -reach), foot + QPointF(reach, reach))
            painter.drawLine(foot + QPointF(-reach, reach), foot + QPointF(reach, -reach))
            return
        low, high = self._range()
        share = (log10(diff.max_rel) - low) / (high - low) if diff.max_rel > 0 else 0.0
        top = foot - QPointF(0, min(max(share, 0.0), 1.0) * self._ground().height())
        painter.drawLine(foot, top)
        painter.setBrush(painter.pen().color())
        painter.drawEllipse(top, Space.XXS, Space.XXS)

    def _ground(self) -> QRectF:
        left = self.fontMetrics().horizontalAdvance("0.00e-00") + Space.S
        return QRectF(self.rect()).adjusted(left, Space.S, -Space.S, -Space.S)

    def _step(self) -> float:
        return self._ground().width() / max(len(self._diffs), 1)

    def _range(self) -> tuple[float, float]:
        """Decades from below the smallest error or limit to above the largest."""
        values = [d.max_rel for d in self._diffs if d.max_rel is not None and d.max_rel > 0 and isfinite(d.max_rel)]
        values += [self._limit] if self._limit > 0 else []
        if not values:
            return -1.0, 1.0
        low, high = log10(min(values)), log10(max(values))
        return low - 0.5, max(high + 0.2, low - 0.5 + _LEAST_DECADES)
