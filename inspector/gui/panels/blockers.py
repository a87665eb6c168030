"""Top blockers: the foot of the Problems panel, a row per island with what removing it gains."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.models.blockers import Blocker
from inspector.gui.theme import Space
from inspector.gui.widgets import button, caption, clear, glyph, label, rule
from inspector.gui.words import bytes_text, plain_tip
from inspector.placement.segments import Island


class Blockers(QFrame):
    """Islands off the BPU, most rewarding first; hidden when there is none.

    Signals:
        node_picked: an island was clicked; its first node.
    """

    node_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty list."""
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(Space.M, 0, Space.M, Space.M)
        self._column.setSpacing(Space.XS)
        self._blockers: tuple[Blocker, ...] = ()
        self.hide()

    def retranslate(self) -> None:
        """Show the list in the current language and theme."""
        self.show_blockers(self._blockers)

    def show_blockers(self, blockers: Sequence[Blocker]) -> None:
        """List *blockers*."""
        clear(self._column)
        self._blockers = tuple(blockers)
        self._column.addWidget(rule())
        self._column.addLayout(caption(self.tr("Top blockers"), self.tr("by what removing them gains")))
        for blocker in blockers:
            self._column.addLayout(self._row(blocker))
        self.setVisible(bool(blockers))

    def _row(self, blocker: Blocker) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.S)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        count = len(blocker.nodes)
        title = blocker.title if count == 1 else self.tr("{ops}, {n} nodes").format(ops=blocker.title, n=count)
        link = button(title, partial(self.node_picked.emit, blocker.nodes[0]), role="link")
        link.setToolTip(plain_tip(blocker.label))
        gain = self._gain(blocker.island)
        link.setAccessibleName(f"{title}: {gain}")
        grid.addWidget(glyph(blocker.verdict), 0, 0)
        grid.addWidget(link, 0, 1)
        grid.addWidget(label(gain, Role.SMALL, tone="second", wrap=True), 1, 1)
        return grid

    def _gain(self, island: Island) -> str:
        """What goes away with *island*."""
        parts = [self.tr("%n copy(ies) fewer", "", island.copies)]
        if island.bytes is not None:
            parts.append(bytes_text(island.bytes))
        if island.joins > 1:
            parts.insert(0, self.tr("joins %n BPU segment(s)", "", island.joins))
        return " · ".join(parts)
