"""Autosave: the unsaved work of every document is written down as it is made, off the GUI thread.

`JournalWriter` keeps the order of what is written; `Autosave` says what there is to write of one document. Journals lie
in the program's state folder, never beside a model, and go when the user saves or closes.
"""

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from PySide6.QtCore import QObject, Signal

from inspector.gui.document import Document
from inspector.gui.kept import aim_of, wishes_of
from inspector.journal import Journal, JournalError, ModelFile
from inspector.journals import Journals, Left
from inspector.model.files import FileStamp, sha256, stamp
from inspector.rewrite.recipe import steps_of

_log = logging.getLogger("inspector.gui")


class JournalWriter(QObject):
    """Writes and removes journals in one thread, in the order asked.

    Signals:
        failed: the first `JournalError`; later ones are only logged, because nothing new is known.
    """

    failed = Signal(object)

    def __init__(self, journals: Journals, parent: QObject | None = None) -> None:
        """Write into *journals*."""
        super().__init__(parent)
        self._journals = journals
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._lock = Lock()
        self._waiting = 0
        self._told = False
        self._hashes: dict[tuple[Path, FileStamp], str] = {}

    @property
    def has_failed(self) -> bool:
        """Whether something could not be written."""
        return self._told

    def write(self, number: int, journal: Journal) -> None:
        """Write *journal* as that of the document *number*; the hash of its model is added as soon as it is known."""
        self._submit(lambda: self._write(number, journal))

    def remove(self, number: int) -> None:
        """Forget the journal of the document *number*."""
        self._submit(lambda: self._journals.remove(number))

    def discard(self, left: Left) -> None:
        """Remove a journal that a dead process left, after all that was asked before is on the disk."""
        self._submit(lambda: self._journals.discard(left))

    def flush(self) -> None:
        """Wait until all that was asked is done."""
        self._pool.submit(lambda: None).result()

    def close(self) -> None:
        """Wait for the thread and give the folder free; journals that are still there are for the next start."""
        self._submit(lambda: None)  # ends the hash of a large file
        self._pool.shutdown(wait=True)
        self._journals.close()

    def _submit(self, work: Callable[[], object]) -> None:
        with self._lock:
            self._waiting += 1
        self._pool.submit(self._do, work)

    def _do(self, work: Callable[[], object]) -> None:
        with self._lock:
            self._waiting -= 1
        try:
            work()
        except JournalError as error:
            _log.info("autosave: %s", error)
            if not self._told:
                self._told = True
                self.failed.emit(error)

    def _write(self, number: int, journal: Journal) -> None:
        model = journal.model
        key = (model.path, model.stamp)
        known = self._hashes.get(key, "")
        self._journals.write(number, replace(journal, model=replace(model, sha256=known)))
        if known:
            return
        # The work is safe already, so a newer journal need not wait for the hash of a large file.
        try:
            found = sha256(model.path, lambda: self._waiting > 0)
        except OSError as error:
            _log.info("autosave: no hash of the model: %s", error)
            return
        if found and stamp(model.path) == model.stamp:
            self._hashes[key] = found
            self._journals.write(number, replace(journal, model=replace(model, sha256=found)))


class Autosave(QObject):
    """Keeps the journal of one document true to it.

    Attributes:
        enabled: whether anything is written; see `Settings.autosave`.
        paused: the document is being brought back: what was written before stays until that has ended.
    """

    def __init__(self, document: Document, writer: JournalWriter, number: int, parent: QObject) -> None:
        """Follow *document*; its journals get the *number*, which no other document of this process has."""
        super().__init__(parent)
        self._document = document
        self._writer = writer
        self._number = number
        self._written: Journal | None = None
        self._settled: Journal | None = None
        self.enabled = True
        self.paused = False
        document.opened.connect(self._opened)
        document.placement_changed.connect(self.keep)
        document.undo_stack.indexChanged.connect(lambda _index: self.keep())
        document.saved.connect(lambda _path: self._saved())
        document.closed.connect(self.drop)

    def keep(self) -> None:
        """Write the journal anew if the work is not what it was; remove it when there is nothing to lose."""
        if self.paused:
            return
        journal = journal_of(self._document) if self.enabled else None
        if journal is None or not journal or (self._settled is not None and _same_work(journal, self._settled)):
            self.drop()
        elif journal != self._written:
            self._written = journal
            self._writer.write(self._number, replace(journal, written=datetime.now(UTC)))

    def drop(self) -> None:
        """Remove the journal: the user saved, or wants none of it."""
        if self._written is not None:
            self._written = None
            self._writer.remove(self._number)

    def _opened(self) -> None:
        self._settled = None
        self.keep()

    def _saved(self) -> None:
        """What was saved need not be recovered; work that came since must."""
        if not self._document.unsaved:
            self._settled = journal_of(self._document)
        self.keep()


def journal_of(document: Document) -> Journal | None:
    """The work on *document*, without a time; None when no file is open."""
    workspace = document.workspace
    origin = workspace.model.origin if workspace is not None else None
    if workspace is None or origin is None:
        return None
    size, mtime_ns = workspace.original.tensors.stamp or (0, 0)
    return Journal(
        model=ModelFile(origin.absolute(), FileStamp(size, mtime_ns)),
        aim=aim_of(document.choice),
        dims=workspace.original.dims,
        steps=steps_of(step.preview for step in workspace.steps),
        groups=tuple(len(group) for group in workspace.groups),
        wishes=wishes_of(workspace.model, document.choice.overrides),
    )


def _same_work(one: Journal, other: Journal) -> bool:
    """Whether two journals hold the same; another target alone is nothing to lose."""
    return (one.steps, one.wishes, dict(one.dims)) == (other.steps, other.wishes, dict(other.dims))
