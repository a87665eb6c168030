"""Undo commands. The only thing that can be undone is an accepted rewrite; view state cannot."""

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from inspector.workspace import Workspace


class AcceptStep(QUndoCommand):
    """One accepted preview, single or over all sites: hands the document the workspace before or after it."""

    def __init__(self, text: str, before: Workspace, after: Workspace, show: Callable[[Workspace], None]) -> None:
        """Keep both workspaces; *show* is the document's way to take one."""
        super().__init__(text)
        self._before = before
        self._after = after
        self._show = show

    def redo(self) -> None:
        """Show the workspace with the rewrite."""
        self._show(self._after)

    def undo(self) -> None:
        """Show the workspace without it."""
        self._show(self._before)
