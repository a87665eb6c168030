"""The zoom stack at the top left of the canvas: in, out, fit, and the zoom in percent."""

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from inspector.gui.fonts import Role, font
from inspector.gui.theme import Radius, Size, Space, Stroke, Theme, ThemeName, colour, theme

_GRID = 16
"""Side of the square that the signs are drawn on."""

_LINES: Mapping[str, tuple[tuple[int, int, int, int], ...]] = MappingProxyType(
    {
        "+": ((3, 8, 13, 8), (8, 3, 8, 13)),
        "−": ((3, 8, 13, 8),),
        "fit": tuple(
            line
            for x, y, dx, dy in ((3, 3, 3, 3), (13, 3, -3, 3), (3, 13, 3, -3), (13, 13, -3, -3))
            for line in ((x, y, x + dx, y), (x, y, x, y + dy))
        ),
    }
)
"""Sign of a button -> its lines: x and y of both ends."""


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
        column.setContentsMargins(Space.XXS, Space.XXS, Space.XXS, Space.XXS)
        column.setSpacing(0)
        for button in self._buttons:
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            column.addWidget(button)
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
        """Take the colours of *look* and the present scale."""
        self.setStyleSheet(
            f"ZoomBar {{ background: {look.raised}; border: 1px solid {look.line2}; border-radius: {Radius.BOX}px; }}"
            f"QToolButton {{ background: transparent; border: none; color: {look.text}; padding: 0; }}"
            f"QToolButton:hover {{ background: {look.hover}; border-radius: {Radius.CONTROL}px; }}"
            f"QToolButton:focus {{ border: {Size.FOCUS_RING}px solid {look.accent};"
            f" border-radius: {Radius.CONTROL}px; }}"
        )
        for button in self._buttons:
            button.setFixedSize(Size.ZOOM_BUTTON, Size.CONTROL)
            button.setIconSize(QSize(Size.ICON, Size.ICON))
        self._buttons[3].setFont(font(Role.CAPTION, weight=500))
        for button, sign in zip(self._buttons, _LINES, strict=False):
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
        side = Size.ICON * ratio
        picture = QPixmap(side, side)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(Size.ICON / _GRID, Size.ICON / _GRID)
        pen = QPen(ink, Stroke.THIN)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        for line in _LINES[sign]:
            painter.drawLine(*line)
        painter.end()
        icon.addPixmap(picture)
    return icon
