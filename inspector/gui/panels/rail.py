"""Rail: what is left of the left panel while it is closed, a button per tab and the number of problems."""

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QToolButton, QVBoxLayout, QWidget

from inspector.gui.fonts import Role, font
from inspector.gui.icons import icon
from inspector.gui.look import look
from inspector.gui.theme import Size, Space, colour
from inspector.placement.verdict import Verdict

_MOST_SHOWN = 999


class RailButton(QToolButton):
    """A button with an icon and, on top of it, a count in the colours of a verdict."""

    def __init__(self, drawing: str) -> None:
        """Show the icon *drawing*."""
        super().__init__()
        self._drawing = drawing
        self._count, self._verdict = 0, Verdict.CPU
        self.restyle()

    def restyle(self) -> None:
        """Take colours and sizes of the theme and scale in use."""
        self.setIcon(icon(self._drawing, size=Size.GLYPH_LARGE))
        self.setIconSize(QSize(Size.GLYPH_LARGE, Size.GLYPH_LARGE))
        self.setFixedSize(Size.RAIL - Space.S, Size.RAIL - Space.S)

    @property
    def badge(self) -> str:
        """The count as it is shown; empty for none."""
        return "" if not self._count else str(self._count) if self._count <= _MOST_SHOWN else f"{_MOST_SHOWN}+"

    def show_count(self, count: int, verdict: Verdict) -> None:
        """Show *count* in the colours of *verdict*; 0 shows nothing."""
        self._count, self._verdict = count, verdict
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the button, then its badge."""
        super().paintEvent(event)
        if not self._count:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(Role.CAPTION))
        metrics, colours = painter.fontMetrics(), look().of(self._verdict)
        width = max(metrics.horizontalAdvance(self.badge) + Space.S, metrics.height())
        spot = QRect(self.width() - width, 0, width, metrics.height())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(colours.fill))
        painter.drawRoundedRect(spot, spot.height() / 2, spot.height() / 2)
        painter.setPen(colour(colours.on))
        painter.drawText(spot, Qt.AlignmentFlag.AlignCenter, self.badge)
        painter.end()


class Rail(QFrame):
    """Buttons below each other.

    Attributes:
        problems: opens the problems, with their count.
        outline: opens the outline.
        search: opens the search.
        history: opens the history below the canvas.

    Signals:
        asked: name of what was clicked, one of the attributes.
    """

    asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make the rail without a count."""
        super().__init__(parent)
        self.setProperty("role", "rail")
        self.problems, self.outline = RailButton("list-checks"), RailButton("list-tree")
        self.search, self.history = RailButton("search"), RailButton("history")
        column = QVBoxLayout(self)
        for name, button in self._buttons().items():
            button.clicked.connect(lambda _checked=False, asked=name: self.asked.emit(asked))
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        self.retranslate()

    def _buttons(self) -> dict[str, RailButton]:
        return {"problems": self.problems, "outline": self.outline, "search": self.search, "history": self.history}

    def retranslate(self) -> None:
        """Set the texts in the current language, and colours and sizes of the theme and scale in use."""
        self.setFixedWidth(Size.RAIL)
        column = self.layout()
        if column is not None:
            column.setContentsMargins(0, Space.S, 0, Space.S)
            column.setSpacing(Space.XS)
        titles = (self.tr("Problems"), self.tr("Outline"), self.tr("Search"), self.tr("History"))
        for button, title in zip(self._buttons().values(), titles, strict=True):
            button.restyle()
            button.setToolTip(title)
            button.setAccessibleName(title)

    def show_problems(self, count: int, worst: Verdict) -> None:
        """Show *count* problems, in the colours of the *worst* verdict among them."""
        self.problems.show_count(count, worst)
        title = self.tr("Problems")
        self.problems.setAccessibleName(f"{title} {count}" if count else title)
