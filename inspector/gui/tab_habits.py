"""What every tab does without being asked: write unsaved work down, notice changes on disk, reload as it was."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from inspector.gui.autosave import Autosave, JournalWriter
from inspector.gui.dialogs.changes import ChangesDialog
from inspector.gui.kept import Kept, kept_of
from inspector.gui.model_tab import ModelTab
from inspector.gui.panels.banners import Banner
from inspector.gui.resuming import Resumed, Resuming
from inspector.gui.service import Service
from inspector.gui.watching import Change, Kind, Watcher

_DISK, _RESUMED = "disk", "resumed"


class TabHabits(QObject):
    """Habits of one tab.

    Attributes:
        autosave: keeps the journal of the document.
        watcher: watches its files.
        resuming: brings it back to how it was.
    """

    def __init__(self, tab: ModelTab, service: Service, writer: JournalWriter, number: int, window: QWidget) -> None:
        """Look after *tab*, whose journals get *number*; dialogs stand over *window*."""
        super().__init__(tab)
        self._tab = tab
        self._window = window
        self._question: QMessageBox | None = None
        self.autosave = Autosave(tab.document, writer, number, self)
        self.watcher = Watcher(tab.document, self)
        self.resuming = Resuming(tab, service)
        self.watcher.changed.connect(self._changed_on_disk)

    def reload(self) -> None:
        """Read the file again and bring everything back; asks what to do with rewrites when there are any."""
        path, kept = self._tab.path, kept_of(self._tab.document, self._tab.bench)
        if path is None or kept is None:
            return
        if not kept.steps:
            self.resume(path, kept)
        else:
            self._ask(path, kept)

    def resume(self, path: Path, kept: Kept, then: Callable[[Resumed], None] = lambda _resumed: None) -> None:
        """Read *path* and bring *kept* back; what came of it is told over the canvas, then *then* is called."""

        def done(resumed: Resumed) -> None:
            self.autosave.paused = False
            self.autosave.keep()
            self._tell(path, resumed)
            then(resumed)

        self.resuming.resume(path, kept, done)
        self.autosave.paused = True  # last, because a resumption that gives way to this one has just ended

    def show_changes(self, kept: Kept, resumed: Resumed | None = None) -> None:
        """List what *kept* holds, and what became of it."""
        ChangesDialog(self._tab.name, kept, resumed, self._window).open()

    def _ask(self, path: Path, kept: Kept) -> None:
        if self._question is not None:
            self._question.raise_()
            return
        self._question = box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setText(self.tr("Reload {name}?").format(name=self._tab.name))
        box.setInformativeText(
            self.tr(
                "%n rewrite(s) were accepted. They can be done again on the file as it is now.", "", len(kept.steps)
            )
        )
        again = box.addButton(self.tr("Reload and redo"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(self.tr("Reload without"), QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(again)
        box.setEscapeButton(cancel)
        box.finished.connect(lambda: self._answered(box, path, kept))
        box.open()

    def _answered(self, box: QMessageBox, path: Path, kept: Kept) -> None:
        role = box.buttonRole(box.clickedButton())
        self._question = None
        box.deleteLater()
        if role is QMessageBox.ButtonRole.DestructiveRole:
            kept = replace(kept, steps=(), groups=())
        if role is not QMessageBox.ButtonRole.RejectRole:
            self.resume(path, kept)

    def _changed_on_disk(self, change: Change | None) -> None:
        banners = self._tab.bench.banners
        banners.remove(_DISK)
        if change is None:
            return
        names = self.tr(", ").join(change.files)
        if change.kind is Kind.GONE:
            title = self.tr("{name} is not there any more").format(name=names)
            text = self.tr("The graph stays on screen. Weights cannot be read until the file is back.")
            banners.add(Banner(_DISK, "inconclusive", title, text))
            return
        if change.kind is Kind.CHANGED:
            title = self.tr("{name} changed on disk").format(name=names)
        else:
            title = self.tr("Weights changed on disk: {names}").format(names=names)
        text = self.tr("The window shows what was read before.")
        banners.add(
            Banner(_DISK, "accent", title, text, self.tr("Reload"), self.reload, self.tr("Ignore"), lambda: None)
        )

    def _tell(self, path: Path, resumed: Resumed) -> None:
        """Say what came of bringing work back, unless it was only a reload that went well."""
        kept, replayed, banners = resumed.kept, resumed.replayed, self._tab.bench.banners
        if not resumed.opened or not (kept.steps or resumed.lost):
            return

        def show() -> None:
            self.show_changes(kept, resumed)

        def again() -> None:
            self.resume(path, kept)

        details = self.tr("Details")
        if resumed.complete:
            title = self.tr("%n rewrite(s) done again and proven", "", len(kept.steps))
            banners.add(Banner(_RESUMED, "passed", title, "", details, show))
        elif resumed.cancelled or resumed.error is not None:
            title = self.tr("%n rewrite(s) were not done again", "", len(kept.steps))
            text = str(resumed.error) if resumed.error is not None else self.tr("It was cancelled.")
            banners.add(Banner(_RESUMED, "inconclusive", title, text, self.tr("Try again"), again))
        else:
            done = replayed.done if replayed is not None else 0
            title = self.tr("{done} of {all} rewrites done again").format(done=done, all=len(kept.steps))
            text = self.tr("Not everything is as it was, or not everything could be proven.")
            banners.add(Banner(_RESUMED, "inconclusive", title, text, details, show))
