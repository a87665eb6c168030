"""Start page: what to do without a model. Open one, choose the chip, try the sample, go on with a recent file."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.look import look
from inspector.gui.panels.recent import RecentCard
from inspector.gui.theme import Size, Space, colour
from inspector.gui.widgets import button, clear, frame, glyph, label, row
from inspector.gui.words import verdict_meaning, verdict_name
from inspector.placement.verdict import Verdict
from inspector.recent import Glance


class StartPage(QScrollArea):
    """The page of an empty window.

    Attributes:
        cards: makes what stands above everything else: unsaved work of earlier runs, the last session.

    Signals:
        open_asked: let the user choose a file.
        file_asked: open this path.
        clear_asked: forget which files are recent.
    """

    open_asked = Signal()
    file_asked = Signal(object)
    clear_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty page; call `show_start`."""
        super().__init__(parent)
        self.cards: Callable[[], Sequence[QWidget]] = tuple
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        body = QWidget()
        self._body = body
        outer = QHBoxLayout(body)
        outer.addStretch(1)
        inner = QWidget()
        inner.setMaximumWidth(2 * Size.START_COLUMN + Space.XXL)
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(Space.XXL, Space.XXL, Space.XXL, Space.XXL)
        self._column.setSpacing(Space.L)
        outer.addWidget(inner, 20)
        outer.addStretch(1)
        self.setWidget(body)

    def show_start(self, samples: Sequence[Path], recent: Sequence[str], glances: Mapping[str, Glance]) -> None:
        """Offer *samples* and *recent* files, with what *glances* tell of those; missing ones are greyed."""
        clear(self._column)
        ground = self._body.palette()
        ground.setColor(self._body.backgroundRole(), colour(look().canvas))
        self._body.setPalette(ground)
        self._body.setAutoFillBackground(True)
        self._column.addWidget(
            label(self.tr("See where every node runs, why, and what fixes it"), Role.PAGE, wrap=True)
        )
        lead = self.tr(
            "Open an ONNX model. Nothing leaves this computer, and your file is never changed until you save."
        )
        self._column.addWidget(label(lead, Role.BODY, tone="second", wrap=True))
        for card in self.cards():
            self._column.addWidget(card)
        columns = QHBoxLayout()
        columns.setSpacing(Space.XXL)
        left, right = QVBoxLayout(), QVBoxLayout()
        for side in (left, right):
            side.setSpacing(Space.L)
            columns.addLayout(side, 1)
        left.addWidget(self._drop())
        left.addWidget(self._samples(samples))
        left.addStretch(1)
        if recent:
            right.addWidget(self._recent(recent, glances))
        right.addWidget(self._meanings())
        right.addStretch(1)
        self._column.addLayout(columns)
        self._column.addStretch(1)

    def _drop(self) -> QFrame:
        card, column = frame("drop", margins=(Space.XXL, Space.XXL, Space.XXL, Space.XXL))
        column.setSpacing(Space.M)
        title = label(self.tr("Drop a model here"), Role.HEADLINE)
        note = label(self.tr(".onnx, with or without external data"), Role.SMALL, tone="second")
        for line in (title, note):
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(line)
        column.addLayout(row(None, button(self.tr("Open model…"), self.open_asked.emit, role="primary"), None))
        return card

    def _samples(self, samples: Sequence[Path]) -> QFrame:
        card, column = frame("card", margins=(Space.L, Space.M, Space.L, Space.M))
        column.addWidget(label(self.tr("Try a sample"), Role.HEADLINE))
        for path in samples:
            column.addWidget(button(path.stem, partial(self.file_asked.emit, path), role="link"))
        return card

    def _recent(self, recent: Sequence[str], glances: Mapping[str, Glance]) -> RecentCard:
        card = RecentCard(recent, glances)
        card.file_asked.connect(self.file_asked)
        card.clear_asked.connect(self.clear_asked)
        return card

    def _meanings(self) -> QFrame:
        card, column = frame("card", margins=(Space.L, Space.M, Space.L, Space.M))
        column.setSpacing(Space.M)
        column.addWidget(label(self.tr("What the colours mean"), Role.HEADLINE))
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        grid.setVerticalSpacing(Space.M)
        grid.setColumnStretch(2, 1)
        rows = [(verdict, False, verdict_name(verdict), verdict_meaning(verdict)) for verdict in Verdict]
        inferred = self.tr("Holds, but a clause is our reading and not a document.")
        rows.insert(1, (Verdict.BPU, True, self.tr("BPU, inferred"), inferred))
        for line, (verdict, hatched, name, meaning) in enumerate(rows):
            grid.addWidget(glyph(verdict, hatched), line, 0)
            grid.addWidget(label(name, Role.BODY, weight=600), line, 1)
            grid.addWidget(label(meaning, Role.TEXT, tone="second", wrap=True), line, 2)
        column.addLayout(grid)
        return card
