"""The zoom stack at the top left of the canvas: in, out, fit, and the zoom in percent."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from inspector.gui.fonts import Role, font
from inspector.gui.theme import Radius, Size, Theme, ThemeName, colour, theme

_SIGNS = ("+", "−", "fit")


class ZoomBar(QFrame):
    """Four buttons.

    Signals:
        zoomed: factor (float) to zoom by.
        fit_asked: show everything.
        actual_asked: go to 100 %.
    """

    zoomed = Signal(float)
    fit_asked = Signal()
    actual_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Show 100 %."""
        super().__init__(parent)
        self._buttons = [QToolButton(self) for _ in range(4)]
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(0)
        for button in self._buttons:
            button.setFixedSize(Size.CONTROL + 10, Size.CONTROL)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            column.addWidget(button)
        self._buttons[3].setFont(font(Role.CAPTION, weight=500))
        self._buttons[0].clicked.connect(lambda: self.zoomed.emit(1.25))
        self._buttons[1].clicked.connect(lambda: self.zoomed.emit(1 / 1.25))
        self._buttons[2].clicked.connect(self.fit_asked)
        self._buttons[3].clicked.connect(self.actual_asked)
        self.set_theme(theme(ThemeName.LIGHT))
        self.set_scale(1.0)
        self._translate()

    def set_scale(self, scale: float) -> None:
        """Show the zoom *scale*, 1.0 for 100 %."""
        self._buttons[3].setText(f"{scale * 100:.0f}%" if scale >= 0.1 else f"{scale * 100:.1f}%")

    def set_theme(self, look: Theme) -> None:
        """Take the colours of *look*."""
        self.setStyleSheet(
            f"ZoomBar {{ background: {look.raised}; border: 1px solid {look.line2}; border-radius: {Radius.BOX}px; }}"
            f"QToolButton {{ background: transparent; border: none; color: {look.text}; padding: 0; }}"
            f"QToolButton:hover {{ background: {look.hover}; border-radius: {Radius.CONTROL}px; }}"
            f"QToolButton:focus {{ border: {Size.FOCUS_RING}px solid {look.accent};"
            f" border-radius: {Radius.CONTROL}px; }}"
        )
        for button, sign in zip(self._buttons, _SIGNS, strict=False):
            button.setIcon(_icon(sign, colour(look.text)))
        self.adjustSize()

    def _translate(self) -> None:
        texts = (self.tr("Zoom in"), self.tr("Zoom out"), self.tr("Fit the graph"), self.tr("Actual size"))
        for button, text, keys in zip(self._buttons, texts, ("+", "−", "F", "Ctrl+0"), strict=True):
            button.setToolTip(f"{text}  {keys}")
            button.setAccessibleName(text)

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        if event.type() == QEvent.Type.LanguageChange:
            self._translate()
        super().changeEvent(event)


def _icon(sign: str, ink: QColor) -> QIcon:
    icon = QIcon()
    for ratio in (1, 2, 3):
        picture = QPixmap(Size.ICON * ratio, Size.ICON * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(ink, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        if sign == "fit":
            for x, y, dx, dy in ((3, 3, 3, 3), (13, 3, -3, 3), (3, 13, 3, -3), (13, 13, -3, -3)):
                painter.drawLine(x, y, x + dx, y)
                painter.drawLine(x, y, x, y + dy)
        else:
            painter.drawLine(3, 8, 13, 8)
            if sign == "+":
                painter.drawLine(8, 3, 8, 13)
        painter.end()
        icon.addPixmap(picture)
    return icon
