"""Recovery cards of the start page: unsaved work that a killed window left, and what can be done with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.theme import Space
from inspector.gui.widgets import Elided, button, chip, clear, frame, label, row
from inspector.gui.words import say_text
from inspector.journal import NO_TIME, FileState, Journal
from inspector.journals import Left

MOST = 3
"""Cards shown; older ones wait behind a button."""


@dataclass(frozen=True)
class Entry:
    """One journal on offer.

    Attributes:
        left: the journal that a dead process left.
        state: what became of its model file since; None when the journal cannot be read.
    """

    left: Left
    state: FileState | None

    @property
    def journal(self) -> Journal | None:
        """What it says; None when it cannot be read."""
        return self.left.journal


class RecoveryCards(QWidget):
    """Lists entries.

    Signals:
        recover_asked: bring this `Entry` back.
        show_asked: show what the `Entry` holds.
        discard_asked: drop these entries (a tuple of `Entry`).
    """

    recover_asked = Signal(object)
    show_asked = Signal(object)
    discard_asked = Signal(object)

    def __init__(self, entries: Sequence[Entry], parent: QWidget | None = None) -> None:
        """List *entries*, newest first."""
        super().__init__(parent)
        self._entries = tuple(entries)
        self._all = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.M)
        self._fill()

    def _fill(self) -> None:
        clear(self._column)
        limit = len(self._entries) if self._all else MOST
        for entry in self._entries[:limit]:
            self._column.addWidget(self._card(entry))
        older = self._entries[limit:]
        if older:
            more = button(self.tr("Show %n older", "", len(older)), self._show_all, role="link")
            drop = button(
                self.tr("Discard %n older", "", len(older)), lambda: self.discard_asked.emit(older), role="link"
            )
            self._column.addLayout(row(more, drop, None))

    def _show_all(self) -> None:
        self._all = True
        self._fill()

    def _card(self, entry: Entry) -> QFrame:
        card, column = frame("best", margins=(Space.L, Space.M, Space.L, Space.M))
        column.setSpacing(Space.S)
        journal = entry.journal
        discard = button(self.tr("Discard"), lambda: self.discard_asked.emit((entry,)))
        if journal is None:
            column.addWidget(label(self.tr("Unsaved work that cannot be read"), Role.HEADLINE))
            problem = entry.left.problem
            text = say_text(problem) if problem is not None else ""
            column.addWidget(label(text, Role.TEXT, tone="inconclusive", wrap=True))
            column.addWidget(Elided(str(entry.left.path), Role.SMALL, tone="third", mono=True))
            column.addLayout(row(discard, None))
            return card
        title = self.tr("Unsaved work on {name}").format(name=journal.model.path.name)
        column.addWidget(label(title, Role.HEADLINE, wrap=True))
        column.addWidget(label(self._what(journal), Role.TEXT, tone="second", wrap=True))
        warning = self._warning(entry.state)
        if warning:
            column.addLayout(row(chip(warning, "inconclusive"), None))
        column.addWidget(Elided(str(journal.model.path.parent), Role.SMALL, tone="third", mono=True))
        gone = entry.state in (FileState.GONE, FileState.UNREADABLE)
        text = self.tr("Choose the file…") if gone else self.tr("Recover")
        recover = button(text, partial(self.recover_asked.emit, entry), role="primary")
        show = button(self.tr("Show what changed"), partial(self.show_asked.emit, entry))
        column.addLayout(row(recover, show, discard, None))
        return card

    def _what(self, journal: Journal) -> str:
        steps = self.tr("%n accepted rewrite(s)", "", len(journal.steps))
        wishes = self.tr("%n request(s) for single nodes", "", len(journal.wishes))
        sizes = self.tr("%n size(s)", "", len(journal.dims))
        counts = ((journal.steps, steps), (journal.wishes, wishes), (journal.dims, sizes))
        parts = [text for there, text in counts if there]
        what = self.tr(", ").join(parts)
        when = when_text(journal.written)
        if not when:
            return self.tr("The program ended without saving: {what}, for {target}.").format(
                what=what, target=journal.aim.platform.upper()
            )
        text = self.tr("The program ended without saving: {what}, for {target}, last change {when}.")
        return text.format(what=what, target=journal.aim.platform.upper(), when=when)

    def _warning(self, state: FileState | None) -> str:
        return {
            FileState.CHANGED: self.tr("The file changed since: the rewrites are tried on the new one"),
            FileState.GONE: self.tr("The file is not there any more"),
            FileState.UNREADABLE: self.tr("The file cannot be read"),
        }.get(state or FileState.SAME, "")


def when_text(written: datetime) -> str:
    """*written* in the user's time zone, `2026-05-01 14:03`; empty for a time that is not known."""
    if written.year <= NO_TIME.year + 1:
        return ""
    try:
        return written.astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return ""
