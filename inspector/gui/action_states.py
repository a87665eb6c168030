"""Which actions are off now, and why: the text of a disabled action starts with what is missing."""

from collections.abc import Mapping

from PySide6.QtCore import QObject

from inspector.gui.document import Document
from inspector.gui.jobs import Jobs
from inspector.gui.panels.preview import PreviewView
from inspector.gui.proposal import Proof


class ActionReasons(QObject):
    """Gives the reason why an action cannot run."""

    def __init__(self, jobs: Jobs, preview: PreviewView, parent: QObject) -> None:
        """Ask *jobs* what runs, and *preview* why Accept is off."""
        super().__init__(parent)
        self._jobs = jobs
        self._preview = preview

    def of(self, document: Document, fixable: bool) -> Mapping[str, str]:
        """Action id -> reason, empty where it can run; *fixable*: whether a fix applies to the selection."""
        proposal, stack = document.proposal, document.undo_stack
        model = "" if document.workspace is not None else self.tr("No model is open.")
        preview = "" if proposal is not None else self.tr("No preview is open.")
        fix = model or ("" if fixable else self.tr("No fix applies here."))
        free = proposal is None
        return {
            "file.save": model or ("" if document.unsaved else self.tr("No unsaved change.")),
            "file.save_as": model,
            "file.reload": model,
            "file.sizes": model,
            "file.close": model,
            "edit.undo": "" if stack.canUndo() and free else self.tr("Nothing to undo."),
            "edit.redo": "" if stack.canRedo() and free else self.tr("Nothing to redo."),
            "edit.copy_name": "" if document.selected is not None else self.tr("No node is selected."),
            "edit.find": model,
            "view.compare": model,
            "rewrite.preview": fix,
            "rewrite.preview_all": fix,
            "rewrite.accept": preview or (self._preview.reason_off(proposal) if proposal is not None else ""),
            "rewrite.reject": preview,
            "rewrite.verify": model or self._verify(document),
        }

    def _verify(self, document: Document) -> str:
        proposal, workspace = document.proposal, document.workspace
        if self._jobs.is_running("verify") or (proposal is not None and proposal.proof is Proof.RUNNING):
            return self.tr("The verification is running.")
        if proposal is None and workspace is not None and not workspace.groups:
            return self.tr("No rewrite was accepted yet, so there is nothing to compare with the original.")
        return ""
