"""Chips that say how well a statement is supported; an inferred one is hatched, as its nodes are."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from inspector.gui.fonts import Role, font
from inspector.gui.look import look
from inspector.gui.theme import INFERRED_ALPHA, INFERRED_STEP, INFERRED_WIDTH, Radius, Space, colour
from inspector.gui.widgets import chip
from inspector.gui.words import standing_name
from inspector.placement.verdict import Standing, Verdict


def standing_chip(standing: Standing) -> QWidget:
    """How well a statement is supported, as a chip."""
    return (
        HatchedChip(standing_name(standing))
        if standing is Standing.INFERRED
        else chip(standing_name(standing), "accent")
    )


def unlisted_chip() -> QWidget:
    """Says that the table has no rule, so that nothing is known."""
    return chip(QCoreApplication.translate("Standing", "No rule"), Verdict.UNKNOWN.value.lower())


class HatchedChip(QLabel):
    """A chip on the hatch of inferred verdicts."""

    def __init__(self, text: str) -> None:
        """Show *text*."""
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(font(Role.SMALL, weight=600))
        self.setProperty("tone", "bpu")
        self.setContentsMargins(Space.S, 1, Space.S, 1)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the hatch, and the text on a plate over it so that it stays legible."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours, ground = look().of(Verdict.BPU), QRectF(self.rect())
        shape = QPainterPath()
        shape.addRoundedRect(ground, Radius.TAG, Radius.TAG)
        painter.setClipPath(shape)
        painter.fillPath(shape, colour(colours.soft))
        painter.setPen(QPen(colour(colours.pattern, INFERRED_ALPHA), INFERRED_WIDTH))
        x = -ground.height()
        while x < ground.width():
            painter.drawLine(QPointF(x, ground.height()), QPointF(x + ground.height(), 0))
            x += INFERRED_STEP
        painter.fillRect(ground.adjusted(Space.XS, 0, -Space.XS, 0), colour(colours.soft, _PLATE))
        painter.end()
        super().paintEvent(event)


_PLATE = 0.8
"""Opacity of the plate under the text."""
