"""Recent files on the start page, with the target they were seen on and their verdicts."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.icons import icon
from inspector.gui.panels.start_cards import CardButton, VerdictStrip, demibold
from inspector.gui.plain_words import plain_tip
from inspector.gui.theme import Size, Space
from inspector.gui.verdict_bar import ORDER
from inspector.gui.widgets import Elided, button, frame, label, row, rule
from inspector.recent import Glance

_MOST = 6


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
        outer.setSpacing(Space.M)
        clear = button(self.tr("Clear list"), self.clear_asked.emit, role="link")
        outer.addLayout(row(label(self.tr("Recent"), Role.HEADLINE), None, clear))
        card, column = frame("card", margins=(Space.XS, Space.XS, Space.XS, Space.XS))
        column.setSpacing(0)
        outer.addWidget(card)
        for index, name in enumerate(recent[:_MOST]):
            if index:
                column.addWidget(rule())
            column.addWidget(self._line(Path(name), glances.get(name)))

    def _line(self, path: Path, glance: Glance | None) -> QWidget:
        """Name over folder, verdicts, target, or why the file is not there."""
        missing = "" if path.is_file() else self.tr("file not found")
        made = CardButton(partial(self.file_asked.emit, path), "recent")
        made.setEnabled(not missing)
        made.setAccessibleName(path.name)
        made.setToolTip(missing or plain_tip(str(path)))
        line = QHBoxLayout(made)
        line.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        line.setSpacing(Space.M)
        picture = QLabel()
        picture.setPixmap(icon("file").pixmap(QSize(Size.ICON, Size.ICON), made.devicePixelRatioF()))
        line.addWidget(picture)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(demibold(Elided(path.name, Role.BODY, tone="third" if missing else "plain")))
        names.addWidget(Elided(str(path.parent), Role.SMALL, tone="third", mono=True))
        line.addLayout(names, 3)
        if missing:
            line.addWidget(label(missing, Role.SMALL, tone="inconclusive"))
        elif glance is not None:
            line.addWidget(VerdictStrip([glance.counts.get(verdict, 0) for verdict in ORDER]), 1)
            target = label(f"{glance.platform.upper()} {glance.toolchain}", Role.SMALL, tone="second")
            target.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            line.addWidget(target)
        return made
