"""`Habits`: what the window does without being asked: nothing that was done is lost, whatever ends the program."""

import logging
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inspector.errors import InspectorError
from inspector.gui.autosave import JournalWriter
from inspector.gui.crashing import Crashes
from inspector.gui.dialogs.changes import ChangesDialog
from inspector.gui.dialogs.crash import Work
from inspector.gui.jobs import JobContext, Jobs
from inspector.gui.kept import kept_from
from inspector.gui.model_tab import ModelTab
from inspector.gui.model_tabs import ModelTabs
from inspector.gui.panels.banners import Banner
from inspector.gui.panels.last_session import LastSessionCard
from inspector.gui.panels.recovery import Entry, RecoveryCards, when_text
from inspector.gui.resuming import Resumed
from inspector.gui.service import Service
from inspector.gui.session import Sessions
from inspector.gui.tab_habits import TabHabits
from inspector.journal import FileState, JournalError, file_state
from inspector.journals import Journals
from inspector.log import Ring
from inspector.text import say

_WORK = "work"
_log = logging.getLogger("inspector.gui")


class Habits(QObject):
    """Autosave, recovery, reload and crash dialogs of one window.

    Attributes:
        journals: where unsaved work is written down.
        crashes: shows faults of the program.
        sessions: what was open last, and what is.
        entries: unsaved work that earlier runs left, newest first.
        leaves_work: whether unsaved work is to be recovered at the next start when the window closes.

    Signals:
        cards_changed: what `cards` makes is different.
        failed: an `InspectorError` to show.
        restart_asked: close the window and start again.
    """

    cards_changed = Signal()
    failed = Signal(object)
    restart_asked = Signal()

    def __init__(self, window: QWidget, tabs: ModelTabs, service: Service, jobs: Jobs, ring: Ring) -> None:
        """Look after *tabs* of *window*; *jobs* runs what belongs to no tab."""
        super().__init__(window)
        self._window, self._tabs, self._service, self._jobs = window, tabs, service, jobs
        self.journals = Journals()
        self._writer = JournalWriter(self.journals, self)
        self._writer.failed.connect(self.failed)
        self.crashes = Crashes(window, ring, self._work)
        self.crashes.restart_asked.connect(self.restart_asked)
        self.sessions = Sessions(tabs, lambda tab, *rest: self.of(tab).resume(*rest), self)
        self.sessions.offered.connect(self.cards_changed)
        self.sessions.left_out.connect(self._tell_left_out)
        self.leaves_work = False
        self._reopens = False
        self.entries: tuple[Entry, ...] = ()
        self._of: dict[ModelTab, TabHabits] = {}
        self._numbers = 0
        self._autosaves = True
        tabs.added.connect(self._adopt)
        self.cards_changed.connect(self._offer)

    # Tabs

    def of(self, tab: ModelTab) -> TabHabits:
        """The habits of *tab*."""
        return self._of[tab]

    def reload(self) -> None:
        """Read the file of the current tab again; everything else stays as it is."""
        self.of(self._tabs.current).reload()

    def start(self, *, reopen: bool) -> None:
        """Look for what earlier runs left; with *reopen* open their models again, unless there is work to recover."""
        self._reopens = reopen
        self.sessions.start()
        self.look_for_work()

    def set_autosave(self, on: bool) -> None:
        """Whether unsaved work is written down."""
        self._autosaves = on
        for habits in self._of.values():
            habits.autosave.enabled = on
            habits.autosave.keep()

    def keep_all(self) -> None:
        """Have everything written down that there is, and wait for the disk."""
        for habits in self._of.values():
            habits.autosave.keep()
        self._writer.flush()

    def close(self) -> None:
        """End, when the window closes. The user has decided about unsaved work, so it goes unless it is to be left."""
        self.sessions.close()
        for habits in self._of.values():
            if self.leaves_work:
                habits.autosave.keep()
            else:
                habits.autosave.drop()
            habits.autosave.paused = True
        self._writer.close()

    def _adopt(self, tab: ModelTab) -> None:
        self._numbers += 1
        self._of[tab] = made = TabHabits(tab, self._service, self._writer, self._numbers, self._window)
        made.autosave.enabled = self._autosaves
        tab.document.opened.connect(self._offer)
        tab.destroyed.connect(lambda: self._of.pop(tab, None))

    def _work(self) -> Work:
        """What the crash dialog tells of unsaved work."""
        unsaved = tuple(tab.name for tab in self._tabs.all if tab.document.unsaved)
        private = {name for tab in self._tabs.all if tab.path is not None for name in (str(tab.path), tab.name)}
        folder = str(self.journals.folder) if unsaved and self._autosaves and not self._writer.has_failed else ""
        return Work(unsaved, folder, tuple(sorted(private)))

    # Recovery

    def look_for_work(self) -> None:
        """Find what earlier runs left; `cards_changed` tells."""

        def work(context: JobContext) -> tuple[Entry, ...]:
            found = []
            for left in self.journals.left():
                context.check()
                state = file_state(left.journal.model) if left.journal is not None else None
                found.append(Entry(left, state))
            return tuple(found)

        title = self.tr("Looking for unsaved work")
        self._jobs.run(title, "recovery", work, self._found, failed=self._not_found, quiet=True)

    def cards(self) -> tuple[QWidget, ...]:
        """What the start page shows of unsaved work and of the last session."""
        made: list[QWidget] = []
        if self.entries:
            work = RecoveryCards(self.entries)
            work.recover_asked.connect(self.recover)
            work.show_asked.connect(self._show)
            work.discard_asked.connect(self.discard)
            made.append(work)
        if self.sessions.last.tabs:
            paths = [path for path, _kept in self.sessions.last.tabs]
            session = LastSessionCard(paths, self.sessions.failed_over)
            session.reopen_asked.connect(self.sessions.reopen)
            made.append(session)
        return tuple(made)

    def tell_fault(self) -> None:
        """Say that the last run ended in native code, where nothing could be said any more."""
        title = self.tr("The last run ended in native code")
        text = self.tr("What is known of it stands in the log.")
        bench = self._tabs.current.bench
        folder = self.tr("Open log folder")
        bench.banners.add(Banner("native", "inconclusive", title, text, folder, bench.log.open_folder))

    def _offer(self) -> None:
        """Offer over an open model what is left of earlier work; on the start page that is what the cards do."""
        for tab in self._tabs.all:
            banners = tab.bench.banners
            own = next((e for e in self.entries if e.journal and tab.shows(e.journal.model.path)), None)
            if tab.document.workspace is None or not self.entries:
                banners.remove(_WORK)
            elif own is not None and own.journal is not None:
                when = when_text(own.journal.written)
                title = self.tr("Unsaved work on this model was left {when}").format(when=when)
                text = self.tr("%n accepted rewrite(s)", "", len(own.journal.steps))
                recover, later = self.tr("Recover"), self.tr("Later")
                offer = Banner(_WORK, "accent", title, text, recover, partial(self.recover, own), later, lambda: None)
                banners.add(offer)
            elif tab is self._tabs.current:
                title = self.tr("Unsaved work of an earlier run was left")
                names = {e.journal.model.path.name for e in self.entries if e.journal}
                text = self.tr(", ").join(sorted(names))
                banners.add(Banner(_WORK, "accent", title, text, self.tr("Show"), self._show_start))

    def _show_start(self) -> None:
        free = next((tab for tab in self._tabs.all if tab.is_free), None)
        self._tabs.show(free if free is not None else self._tabs.add())

    def recover(self, entry: Entry) -> None:
        """Bring the work of *entry* back, in a tab of its own."""
        journal = entry.journal
        if journal is None:
            return
        path: Path | None = journal.model.path
        if entry.state in (FileState.GONE, FileState.UNREADABLE):
            path = self._ask_file(journal.model.path.name)
        if path is None:
            return
        other = next((tab for tab in self._tabs.all if tab.shows(path)), None)
        if other is not None and other.document.unsaved:
            self._tabs.show(other)
            name = path.name
            self.failed.emit(InspectorError(say("gui.recover_open", name=name), say("gui.recover_open_help")))
            return
        try:
            taken = self.journals.take(entry.left)
        except JournalError as error:
            self.failed.emit(error)
            return
        if not taken:
            self._drop((entry,))
            self.failed.emit(InspectorError(say("gui.recover_taken", name=journal.model.path.name)))
            return
        tab = other or self._tabs.for_file()
        self._drop((entry,))
        self.of(tab).resume(path, kept_from(journal), lambda resumed: self._recovered(entry, resumed))
        self._tabs.show(tab)

    def discard(self, entries: tuple[Entry, ...]) -> None:
        """Remove the journals of *entries* for good."""
        self._drop(entries)
        for entry in entries:
            try:
                if self.journals.take(entry.left):
                    self.journals.discard(entry.left)
            except JournalError as error:
                self.failed.emit(error)
                return

    def _found(self, entries: tuple[Entry, ...]) -> None:
        self.entries = entries
        self.cards_changed.emit()
        reopens, self._reopens = self._reopens, False
        if reopens and not entries and not self.sessions.failed_over and self.sessions.last.tabs:
            self.sessions.reopen()

    def _not_found(self, error: InspectorError) -> None:
        _log.info("recovery: %s", error)
        self.failed.emit(error)

    def _recovered(self, entry: Entry, resumed: Resumed) -> None:
        """What is all back is in the journal of its document now; else the old one stays for another try."""
        if resumed.complete:
            self._writer.discard(entry.left)
        else:
            self.journals.give_back(entry.left)
            self.look_for_work()

    def _drop(self, entries: tuple[Entry, ...]) -> None:
        self.entries = tuple(entry for entry in self.entries if entry not in entries)
        self.cards_changed.emit()

    def _show(self, entry: Entry) -> None:
        if entry.journal is not None:
            ChangesDialog(entry.journal.model.path.name, kept_from(entry.journal), None, self._window).open()

    def _tell_left_out(self, names: tuple[str, ...]) -> None:
        title = self.tr("Not reopened: {names}").format(names=self.tr(", ").join(names))
        text = self.tr("The files are not there any more.")
        self._tabs.current.bench.banners.add(Banner("session", "inconclusive", title, text))

    def _ask_file(self, name: str) -> Path | None:
        title = self.tr("Where is {name} now?").format(name=name)
        chosen, _ = QFileDialog.getOpenFileName(self._window, title, "", self.tr("ONNX models (*.onnx)"))
        return Path(chosen) if chosen else None
