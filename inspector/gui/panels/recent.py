"""Card of the start page: recent files with the target they were seen on and their verdicts."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRectF, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.look import look
from inspector.gui.theme import Size, Space
from inspector.gui.verdict_bar import ORDER, paint_verdict_bar
from inspector.gui.widgets import Elided, button, frame, label, row
from inspector.gui.words import verdict_name
from inspector.recent import Glance

_MOST = 8


class VerdictStrip(QWidget):
    """A thin strip that shows how many nodes have which verdict."""

    def __init__(self, glance: Glance, parent: QWidget | None = None) -> None:
        """Show the counts of *glance*."""
        super().__init__(parent)
        self._counts = tuple(glance.counts.get(verdict, 0) for verdict in ORDER)
        self.setFixedSize(Size.SCOPE_BAR_WIDTH, Size.SCOPE_BAR_HEIGHT)
        told = (f"{verdict_name(v)} {n}" for v, n in zip(ORDER, self._counts, strict=True) if n)
        text = " · ".join(told)
        self.setToolTip(text)
        self.setAccessibleName(text)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the strip."""
        painter = QPainter(self)
        paint_verdict_bar(painter, QRectF(self.rect()), self._counts, look())
        painter.end()


class RecentCard(QWidget):
    """Lists recent files.

    Signals:
        file_asked: open this `Path`.
        clear_asked: forget the list.
    """

    file_asked = Signal(object)
    clear_asked = Signal()

    def __init__(self, recent: Sequence[str], glances: Mapping[str, Glance], parent: QWidget | None = None) -> None:
        """List *recent*, newest first; those that are missing are greyed with the reason."""
        super().__init__(parent)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        card, column = frame("card", margins=(Space.L, Space.M, Space.L, Space.M))
        outer.addWidget(card)
        clear = button(self.tr("Clear list"), self.clear_asked.emit, role="link")
        column.addLayout(row(label(self.tr("Recent"), Role.HEADLINE), None, clear))
        for name in recent[:_MOST]:
            self._line(column, Path(name), glances.get(name))

    def _line(self, column: QVBoxLayout, path: Path, glance: Glance | None) -> None:
        there = path.is_file()
        link = button(path.name, partial(self.file_asked.emit, path), role="link")
        link.setEnabled(there)
        link.setToolTip(str(path) if there else self.tr("file not found"))
        facts: list[QWidget] = []
        if not there:
            facts.append(label(self.tr("file not found"), Role.SMALL, tone="inconclusive"))
        elif glance is not None:
            target = f"{glance.platform.upper()} {glance.toolchain}"
            facts += [label(target, Role.SMALL, tone="second"), VerdictStrip(glance)]
        column.addLayout(row(link, None, *facts))
        column.addWidget(Elided(str(path.parent), Role.SMALL, tone="third", mono=True))
