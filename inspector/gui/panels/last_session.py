"""Card of the start page: the models that were open when the program ended, to be opened again."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.theme import Space
from inspector.gui.widgets import Elided, button, frame, label, row

_MOST = 5


class LastSessionCard(QWidget):
    """Names the models of the last session.

    Signals:
        reopen_asked: open them all again.
    """

    reopen_asked = Signal()

    def __init__(self, paths: Sequence[Path], failed_over: Sequence[str], parent: QWidget | None = None) -> None:
        """Offer *paths*; *failed_over* names those over whose reopening the last start died."""
        super().__init__(parent)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        card, column = frame("card", margins=(Space.L, Space.M, Space.L, Space.M))
        column.setSpacing(Space.S)
        outer.addWidget(card)
        column.addWidget(label(self.tr("Last session"), Role.HEADLINE))
        if failed_over:
            text = self.tr("Not reopened: the last start ended while it was opening {names}.")
            text = text.format(names=self.tr(", ").join(failed_over))
            column.addWidget(label(text, Role.TEXT, tone="inconclusive", wrap=True))
        for path in paths[:_MOST]:
            there = path.is_file()
            name = Elided(path.name, Role.TEXT, tone="plain" if there else "third")
            name.setToolTip(str(path))
            missing = (label(self.tr("file not found"), Role.SMALL, tone="inconclusive"),) if not there else ()
            line = row(name, *missing)
            line.setStretch(0, 1)
            column.addLayout(line)
        if len(paths) > _MOST:
            column.addWidget(label(self.tr("and %n more", "", len(paths) - _MOST), Role.SMALL, tone="third"))
        reopen = button(self.tr("Reopen %n model(s)", "", len(paths)), self.reopen_asked.emit)
        column.addLayout(row(reopen, None))
