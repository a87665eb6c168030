"""`ModelTab`: one document of the window with everything that shows it and works for it."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from inspector.gui.accepting import Accepting
from inspector.gui.action_states import ActionReasons
from inspector.gui.appearance import reduces_motion
from inspector.gui.comparing import Comparing
from inspector.gui.controller import Controller
from inspector.gui.document import Document
from inspector.gui.files import Files
from inspector.gui.jobs import Jobs
from inspector.gui.panels.loading import LoadingCard
from inspector.gui.service import Choice, Service
from inspector.gui.whole_model import WholeModel
from inspector.gui.workbench import Workbench
from inspector.settings import Settings


class ModelTab(QObject):
    """A document, its views and its jobs; other tabs know nothing of it.

    Attributes:
        jobs: what runs for this document; closing the tab cancels it.
        document: the open model, if there is one yet.
        bench: all views of the document.
        controller: keeps the views true to the document.
        comparing: the comparison with another target.
        files: opening, saving and the question about unsaved work.
        accepting: Accept, with the question that an approximate rewrite asks.
        whole: commands of the menu Model.
        reasons: why actions are off for this document.
        message: the last result, for the status bar.

    Signals:
        changed: name, path or unsaved mark are others.
        abandoned: what was to be opened here was not, and nothing else is shown.
    """

    changed = Signal()
    abandoned = Signal()

    def __init__(self, service: Service, choice: Choice, bench: Workbench, window: QWidget) -> None:
        """Make an empty tab on *choice*, shown in *bench*; its dialogs stand over *window*."""
        super().__init__(window)
        self._service = service
        self._wanted: Path | None = None
        self.message = ""
        self.jobs = Jobs(self)
        self.document = Document(service, self.jobs, self)
        self.document.choice = choice
        self.bench = bench
        self._loading = LoadingCard(self.jobs, self.bench.pages)
        self.controller = Controller(self.document, self.bench, self)
        self.comparing = Comparing(service, self.jobs, self.document, self.bench, self.controller, window)
        self.files = Files(service, self.document, window, self)
        self.accepting = Accepting(self.document, window, self)
        self.bench.preview.accept_asked.connect(self.accepting.accept)
        self.whole = WholeModel(service, self.jobs, self.document, self.controller.places, window, self)
        self.reasons = ActionReasons(self.jobs, self.bench.preview, self.controller.navigator, self.whole, self)
        self._outdated = self._words_outdated = False
        self.document.opened.connect(self.changed)
        self.document.undo_stack.cleanChanged.connect(lambda: self.changed.emit())
        self.jobs.changed.connect(self._watch)

    @property
    def path(self) -> Path | None:
        """File that is shown or being opened; None on the start page."""
        if self._wanted is not None:
            return self._wanted
        workspace = self.document.workspace
        return workspace.model.origin if workspace is not None else None

    @property
    def name(self) -> str:
        """Name of that file; empty on the start page."""
        return self.path.name if self.path is not None else ""

    @property
    def is_loading(self) -> bool:
        """Whether a file is being opened."""
        return self._wanted is not None

    @property
    def is_free(self) -> bool:
        """Whether nothing is shown here and nothing is on its way."""
        return self.document.workspace is None and not self.is_loading

    def shows(self, path: Path) -> bool:
        """Whether *path* is the file of this tab."""
        own = self.path
        return own is not None and _resolved(own) == _resolved(path)

    def open(self, path: Path) -> None:
        """Open *path* here, after asking about unsaved work."""
        self.files.release(lambda: self.read(path))

    def read(self, path: Path, dims: Mapping[str, int] | None = None) -> None:
        """Open *path* here without a question, with *dims* bound; unsaved work goes when the file was read."""
        self._wanted = path
        self.document.open(path, dims)
        self.changed.emit()

    def set_up(self, settings: Settings) -> None:
        """Let the canvases move and take the wheel as *settings* say."""
        for view in (self.bench.graph, self.bench.preview.before, self.bench.preview.after):
            view.reduce_motion = reduces_motion(settings)
            view.wheel_scrolls = settings.wheel == "scroll"

    def outdate(self, *, words: bool) -> None:
        """Note that colours or sizes, or *words* too, are others now; `freshen` shows them when the tab is shown."""
        self._outdated = True
        self._words_outdated |= words

    def freshen(self) -> None:
        """Show texts and looks anew if they are not what was shown last."""
        if not self._outdated:
            return
        words, self._outdated, self._words_outdated = self._words_outdated, False, False
        self.bench.retranslate()
        if words:
            self.controller.refresh()
            self.comparing.retranslate()
        else:
            self.controller.restyle()

    def retire(self, gone: Callable[[], None]) -> None:
        """End: cancel the jobs, forget the model, and go with all views once the jobs have ended; then call *gone*."""
        self.comparing.close()
        self.document.close()
        self.bench.hide()
        self.bench.forget()
        self.jobs.retire(lambda: self._go(gone))

    def _go(self, gone: Callable[[], None]) -> None:
        self.bench.deleteLater()
        self.deleteLater()
        gone()

    def _watch(self) -> None:
        """Notice that the opening has ended, with or without a model."""
        if self._wanted is None or self.jobs.is_running("open"):
            return
        self._wanted = None
        self.changed.emit()
        if self.is_free:
            self.abandoned.emit()


def _resolved(path: Path) -> Path:
    """*path* without links; as it stands where links lead in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path.absolute()
