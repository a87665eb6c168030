"""`PrimaryButton`: the button of the action that a place is about, on the accent colour."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton

from inspector.gui.look import look
from inspector.gui.theme import Radius, Size, colour


class PrimaryButton(QPushButton):
    """A button on the accent; where it has the focus a ring stands inside of its rim."""

    def __init__(self, text: str = "") -> None:
        """Show *text*."""
        super().__init__(text)
        self.setProperty("primary", "true")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ring over the button: a style sheet has no second border."""
        super().paintEvent(event)
        if not self.hasFocus():
            return
        ring = Size.FOCUS_RING
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colour(look().on_accent), ring))
        inside = QRectF(self.rect()).adjusted(1.5 * ring, 1.5 * ring, -1.5 * ring, -1.5 * ring)
        painter.drawRoundedRect(inside, Radius.TAG, Radius.TAG)
        painter.end()
