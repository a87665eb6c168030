"""`Watcher`: notices that the files behind an open model are no longer those that were read.

The system tells of changes; some editors replace the file, some folders tell nothing, so the files are looked at as
well whenever the program comes to the front. A file that is still being written is waited for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from inspector.gui.document import Document
from inspector.model.files import FileStamp, external_files, stamp

_MOST_FILES = 64
"""Files that are watched each by itself; where there are more, their folders must do."""

_SETTLE_MS = 250
"""A change is told when the files looked the same twice, this long apart."""


class Kind(StrEnum):
    """What happened to the files."""

    CHANGED = "changed"  # the model file is another one
    DATA = "data"  # a file with its weights is another one or gone
    GONE = "gone"  # the model file is not there


@dataclass(frozen=True, slots=True)
class Change:
    """A change on the disk.

    Attributes:
        kind: what happened.
        files: names of the files it happened to.
    """

    kind: Kind
    files: tuple[str, ...]


Stamps = Mapping[Path, FileStamp | None]


class Watcher(QObject):
    """Watches the files of one document.

    Signals:
        changed: the files differ from what was read (a `Change`), or they do not any more (None).
    """

    changed = Signal(object)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        """Watch whatever *document* opens."""
        super().__init__(parent)
        self._document = document
        self._read: Stamps = {}
        self._seen: Stamps = {}
        self._told: Stamps = {}
        self._model = Path()
        self._timer = QTimer(self, interval=_SETTLE_MS, singleShot=True)
        self._timer.timeout.connect(self._look)
        self._system = QFileSystemWatcher(self)
        self._system.fileChanged.connect(lambda _path: self._timer.start())
        self._system.directoryChanged.connect(lambda _path: self._timer.start())
        document.opened.connect(self._opened)
        QGuiApplication.instance().applicationStateChanged.connect(self._state)  # type: ignore[union-attr]

    def check(self) -> None:
        """Look at the files now, and once more a little later if they changed."""
        if self._read and self._stamps() != self._told:
            self._timer.start()

    def _state(self, state: Qt.ApplicationState) -> None:
        if state is Qt.ApplicationState.ApplicationActive:
            self.check()

    def _opened(self) -> None:
        """Start anew with the files of the model that was opened."""
        self._timer.stop()
        watched = (*self._system.files(), *self._system.directories())
        if watched:
            self._system.removePaths(watched)
        workspace = self._document.workspace
        origin = workspace.original.origin if workspace is not None else None
        if workspace is None or origin is None:
            self._read = {}
            return
        self._model = origin
        model, size_and_time = workspace.original, workspace.original.tensors.stamp
        own = {origin: FileStamp(*size_and_time) if size_and_time is not None else None}
        self._read = self._seen = self._told = own

        def done(others: Stamps) -> None:
            now = self._document.workspace
            if now is not None and now.original is model:
                self._read = self._seen = self._told = {**others, **own}
                self._follow()
                self.check()

        self._document.beside("files", lambda _context: {path: stamp(path) for path in external_files(model)}, done)

    def _follow(self) -> None:
        """Watch the files, and their folders, in which a replaced file comes up again."""
        files = self._read if len(self._read) <= _MOST_FILES else (self._model,)
        wanted = {str(path) for path in files if path.exists()}
        wanted |= {str(folder) for folder in {path.parent for path in self._read} if folder.is_dir()}
        missing = wanted - set(self._system.files()) - set(self._system.directories())
        if missing:
            self._system.addPaths(sorted(missing))

    def _stamps(self) -> Stamps:
        return {path: stamp(path) for path in self._read}

    def _look(self) -> None:
        """Tell what changed once it has settled."""
        if not self._read:
            return
        now = self._stamps()
        self._follow()
        if now != self._seen:
            self._seen = now
            self._timer.start()
        elif now != self._told:
            self._told = now
            self.changed.emit(self._change(now))

    def _change(self, now: Stamps) -> Change | None:
        other = [path for path in self._read if now[path] != self._read[path]]
        if not other:
            return None
        if self._model in other:
            kind = Kind.CHANGED if now[self._model] is not None else Kind.GONE
            return Change(kind, (self._model.name,))
        return Change(Kind.DATA, tuple(path.name for path in other))
