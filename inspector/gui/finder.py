"""`Finder`: what can be done about the nodes of the open model, looked up off the GUI thread."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from PySide6.QtCore import QObject, Signal

from inspector.errors import InspectorError
from inspector.gui.jobs import Jobs
from inspector.gui.service import Service
from inspector.model.graph import NodeId
from inspector.rewrite.find import Found
from inspector.workspace import Workspace


class Finder(QObject):
    """Keeps the answers to the newest two questions: about one node, and about all of them.

    Signals:
        found_changed: `found` holds what can be done about the node asked for.
        fixes_changed: `fixes` holds the fixes of the whole model.
    """

    found_changed = Signal()
    fixes_changed = Signal()

    def __init__(self, service: Service, jobs: Jobs, failed: Callable[[InspectorError], None], parent: QObject) -> None:
        """Ask *service* in *jobs*; an error goes to *failed*."""
        super().__init__(parent)
        self._service = service
        self._jobs = jobs
        self._failed = failed
        self.found: Found | None = None
        self.fixes: Mapping[NodeId, Found] = MappingProxyType({})

    def forget(self) -> None:
        """Drop all answers, and those that are still to come."""
        self._jobs.cancel("find")
        self._jobs.cancel("fixes")
        self.found, self.fixes = None, MappingProxyType({})

    def ask_all(self, workspace: Workspace) -> None:
        """Look up the fixes at every node that has a problem."""

        def done(fixes: Mapping[NodeId, Found]) -> None:
            self.fixes = fixes
            self.fixes_changed.emit()

        self._jobs.run(
            self.tr("Looking for fixes"),
            "fixes",
            lambda context: self._service.fixes(workspace, context),
            done,
            failed=self._failed,
            quiet=True,
        )

    def ask(self, workspace: Workspace, node: NodeId | None) -> None:
        """Look up fixes, clean-ups and refusals at *node*; None takes back the question."""
        self.found = None
        if node is None:
            self._jobs.cancel("find")
            return

        def done(found: Found) -> None:
            self.found = found
            self.found_changed.emit()

        self._jobs.run(
            self.tr("Looking for fixes"),
            "find",
            lambda context: self._service.find(workspace, node, context),
            done,
            failed=self._failed,
            quiet=True,
        )
