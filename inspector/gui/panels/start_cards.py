"""Parts of the start page: samples with their verdict bars, the chips to choose from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.look import look
from inspector.gui.plain_words import verdict_name
from inspector.gui.theme import Size, Space
from inspector.gui.verdict_bar import ORDER, paint_verdict_bar
from inspector.gui.widgets import Elided, glyph, label, row


@dataclass(frozen=True, slots=True)
class Sample:
    """A model that comes with the program.

    Attributes:
        path: its file.
        title: what it is called.
        note: one line on it.
        counts: nodes per verdict in `ORDER`; None while nobody knows.
    """

    path: Path
    title: str
    note: str
    counts: tuple[int, ...] | None = None


class VerdictStrip(QWidget):
    """A verdict bar with the counts in its tooltip."""

    def __init__(self, counts: Sequence[int] | None) -> None:
        """Show *counts* in `ORDER`; None shows the empty ground."""
        super().__init__()
        self._counts = tuple(counts or (0,) * len(ORDER))
        self.setFixedHeight(Size.PROGRESS)
        text = ", ".join(f"{verdict_name(v)} {n}" for v, n in zip(ORDER, self._counts, strict=True) if n)
        self.setToolTip(text)
        self.setAccessibleName(text)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the bar."""
        painter = QPainter(self)
        paint_verdict_bar(painter, QRectF(self.rect()), self._counts, look())
        painter.end()


class CardButton(QPushButton):
    """A button with a layout of labels, as wide as its place."""

    def __init__(self, clicked: Callable[[], object], role: str) -> None:
        """Do *clicked* on a press; *role* decides the look."""
        super().__init__()
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: clicked())

    def sizeHint(self) -> QSize:
        """What the layout needs."""
        inner = self.layout()
        return inner.sizeHint() if inner is not None else super().sizeHint()

    def minimumSizeHint(self) -> QSize:
        """What the layout needs at least."""
        inner = self.layout()
        return inner.minimumSize() if inner is not None else super().minimumSizeHint()


def sample_card(sample: Sample, clicked: Callable[[], object]) -> QPushButton:
    """A sample: verdict bar, title, note, counts with their glyphs."""
    made = CardButton(clicked, "sample")
    column = QVBoxLayout(made)
    column.setContentsMargins(Space.M, Space.M, Space.M, Space.M)
    column.setSpacing(Space.XS)
    column.addWidget(VerdictStrip(sample.counts))
    column.addSpacing(Space.XS)
    column.addWidget(demibold(Elided(sample.title, Role.BODY)))
    column.addWidget(Elided(sample.note, Role.SMALL, tone="second"))
    counts: list[QWidget | None] = []
    for verdict, count in zip(ORDER, sample.counts or (), strict=False):
        if count:
            counts += [glyph(verdict), label(str(count), Role.SMALL, weight=600)]
    column.addLayout(row(*(counts or [label("–", Role.SMALL, tone="third")]), None, spacing=Space.XS))
    made.setAccessibleName(sample.title)
    made.setToolTip(sample.note)
    return made


class PlatformButton(QPushButton):
    """One chip to deploy to: its name over its architecture."""

    def __init__(self, title: str, march: str, clicked: Callable[[], object]) -> None:
        """Name the platform *title* with its *march*."""
        super().__init__()
        self.setProperty("role", "platform")
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._name = demibold(Elided(title, Role.TEXT))
        self._march = Elided(march, Role.CAPTION, tone="second", mono=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XS, Space.S, Space.XS, Space.S)
        column.setSpacing(0)
        for part in (self._name, self._march):
            part.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(part)
        self.setAccessibleName(f"{title} {march}")
        self.setToolTip(f"{title} {march}")
        self.clicked.connect(lambda: clicked())

    def sizeHint(self) -> QSize:
        """Both lines."""
        inner = self.layout()
        return inner.sizeHint() if inner is not None else super().sizeHint()


def demibold(shown: Elided) -> Elided:
    """The label *shown* in a heavier weight."""
    made = shown.font()
    made.setWeight(made.Weight.DemiBold)
    shown.setFont(made)
    return shown
