"""Top blockers: the foot of the Problems panel, a row per island with what removing it gains."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.models.blockers import Blocker
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, button, caption, clear, glyph, row, rule
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
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
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

    def _row(self, blocker: Blocker) -> QVBoxLayout:
        count = len(blocker.nodes)
        title = blocker.title if count == 1 else self.tr("{ops}, {n} nodes").format(ops=blocker.title, n=count)
        gain = self._gain(blocker.island)
        link = button(title, partial(self.node_picked.emit, blocker.nodes[0]), role="link")
        link.setToolTip(plain_tip(blocker.label))
        link.setAccessibleName(f"{title}: {gain}")
        first = row(glyph(blocker.verdict), link, Elided(blocker.label, Role.SMALL, tone="third", mono=True))
        first.setStretch(2, 1)
        made = QVBoxLayout()
        made.setSpacing(0)
        made.addLayout(first)
        second = row(Elided(gain, Role.SMALL, tone="second"))
        second.setContentsMargins(Size.GLYPH + Space.S, 0, 0, 0)
        made.addLayout(second)
        return made

    def _gain(self, island: Island) -> str:
        """What goes away with *island*."""
        parts = [self.tr("segments −{n}").format(n=island.joins)] if island.joins else []
        parts.append(self.tr("crossings −{n}").format(n=island.copies))
        if island.bytes is not None:
            parts.append(bytes_text(island.bytes))
        return " · ".join(parts)
