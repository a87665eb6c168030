"""`Resuming`: a document is brought back to how it was left: file, target, sizes, rewrites, wishes, selection, view.

The same way for a reload, a recovery after a kill, and the start of a session. Rewrites are done again one by one and
proven anew (`inspector.replay`); nothing is taken over on trust.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QPointF

from inspector.errors import InspectorError
from inspector.gui.jobs import JobContext
from inspector.gui.kept import Kept, choice_of, overrides_of
from inspector.gui.model_tab import ModelTab
from inspector.gui.service import Service
from inspector.model.reference import resolve
from inspector.replay import Replayed


@dataclass(frozen=True)
class Resumed:
    """What came of bringing a document back.

    Attributes:
        kept: how it was to be.
        opened: whether its file was read.
        replayed: the rewrites that were done again; None when there were none, or when that was given up.
        lost: labels of nodes that something was asked of and that are not there any more.
        error: why the file was not read or the rewrites were given up; None when that is not so.
        cancelled: whether the user ended it.
    """

    kept: Kept
    opened: bool
    replayed: Replayed | None = None
    lost: tuple[str, ...] = ()
    error: InspectorError | None = None
    cancelled: bool = False

    @property
    def complete(self) -> bool:
        """Whether everything is as it was."""
        steps = not self.kept.steps or (self.replayed is not None and self.replayed.complete)
        return self.opened and steps and not self.lost and self.error is None and not self.cancelled


class Resuming(QObject):
    """Brings the document of one tab back."""

    def __init__(self, tab: ModelTab, service: Service) -> None:
        """Work on *tab*."""
        super().__init__(tab)
        self._tab = tab
        self._service = service
        self._kept: Kept | None = None
        self._path = Path()
        self._then: Callable[[Resumed], None] = lambda _resumed: None
        self._before = tab.document.choice
        tab.document.opened.connect(self._opened)
        tab.document.failed.connect(self._failed)

    @property
    def is_running(self) -> bool:
        """Whether a document is being brought back."""
        return self._kept is not None

    def resume(self, path: Path, kept: Kept, then: Callable[[Resumed], None] = lambda _resumed: None) -> None:
        """Read *path* and bring *kept* back; unsaved work of the tab is gone. *then* gets what came of it."""
        if self._kept is not None:
            self._end(Resumed(self._kept, opened=False, cancelled=True))
        self._kept, self._then, self._path = kept, then, path
        document = self._tab.document
        self._before = document.choice
        document.choice = choice_of(kept.aim)
        self._tab.bench.target_bar.show_choice(document.choice)
        self._tab.read(path, dict(kept.dims))

    def _opened(self) -> None:
        kept, workspace = self._kept, self._tab.document.workspace
        if kept is None or workspace is None:
            return
        if workspace.model.origin != self._path:  # the user opened another file meanwhile
            self._end(Resumed(kept, opened=False, cancelled=True))
            return
        if kept.sight is not None:
            self._tab.bench.graph.start_at(kept.sight.scale, QPointF(kept.sight.x, kept.sight.y))
        if not kept.steps:
            self._settle(Resumed(kept, opened=True))
            return
        cancelled = [True]

        def work(context: JobContext) -> Replayed:
            return self._service.replay(workspace, kept.steps, kept.groups, context)

        def done(replayed: Replayed) -> None:
            cancelled[0] = False
            if self._kept is kept:
                self._tab.document.take(replayed.workspaces)
                self._settle(Resumed(kept, opened=True, replayed=replayed))

        def failed(error: InspectorError) -> None:
            cancelled[0] = False
            if self._kept is kept:
                self._settle(Resumed(kept, opened=True, error=error))

        def ended() -> None:
            if cancelled[0] and self._kept is kept:
                self._settle(Resumed(kept, opened=True, cancelled=True))

        self._select(kept)
        title = self.tr("Doing the rewrites again")
        self._tab.jobs.run(title, "replay", work, done, failed=failed, ended=ended)

    def _failed(self, _error: InspectorError) -> None:
        """The file cannot be read: the document is as it was before."""
        if self._kept is not None and not self._tab.jobs.is_running("replay"):
            self._tab.document.choice = self._before
            self._tab.bench.target_bar.show_choice(self._before)
            self._end(Resumed(self._kept, opened=False))

    def _settle(self, resumed: Resumed) -> None:
        """Wishes and selection come last, because they may be about nodes that a rewrite made."""
        document, kept = self._tab.document, resumed.kept
        lost: tuple[str, ...] = ()
        if document.workspace is not None and kept.wishes:
            model = document.workspace.model
            lost = tuple(wish.node.label for wish in kept.wishes if resolve(model, wish.node) is None)
            document.override(overrides_of(model, kept.wishes))
        self._select(kept)
        self._end(replace(resumed, lost=lost))

    def _select(self, kept: Kept) -> None:
        workspace = self._tab.document.workspace
        if workspace is not None and kept.selected is not None:
            node = resolve(workspace.model, kept.selected)
            if node is not None:
                self._tab.document.select(node.id)

    def _end(self, resumed: Resumed) -> None:
        then, self._kept, self._then = self._then, None, lambda _resumed: None
        then(resumed)
