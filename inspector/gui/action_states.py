"""Which actions are off now, and why: the text of a disabled action starts with what is missing."""

from collections.abc import Mapping

from PySide6.QtCore import QObject

from inspector.gui.document import Document
from inspector.gui.jobs import Jobs
from inspector.gui.navigation import BOOKMARKS, Navigator
from inspector.gui.panels.preview import PreviewView
from inspector.gui.proposal import Proof
from inspector.gui.whole_model import WholeModel, has_open_dims

_ON_CANVAS = (
    "go.producer",
    "go.consumer",
    "go.left",
    "go.right",
    "view.segments",
    "view.shapes",
    "view.fit",
    "view.actual",
    "view.zoom_in",
    "view.zoom_out",
)
"""What moves over a canvas that shows something."""


class ActionReasons(QObject):
    """Gives the reason why an action cannot run."""

    def __init__(
        self, jobs: Jobs, preview: PreviewView, navigator: Navigator, whole: WholeModel, parent: QObject
    ) -> None:
        """Ask *jobs* what runs, *preview* why Accept is off, *navigator* where one can go, *whole* what is selected."""
        super().__init__(parent)
        self._jobs = jobs
        self._preview = preview
        self._navigator = navigator
        self._whole = whole

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
            "edit.copy_picture": model,
            "edit.find": model,
            "edit.find_next": model,
            "edit.find_previous": model,
            "view.compare": model,
            "view.next_problem": model,
            "view.previous_problem": model,
            **dict.fromkeys(_ON_CANVAS, model),
            **self._node(document, model),
            **self._ways(document, model),
            **self._tools(document, model),
            "rewrite.preview": fix,
            "rewrite.preview_all": fix,
            "rewrite.accept": preview or (self._preview.reason_off(proposal) if proposal is not None else ""),
            "rewrite.reject": preview,
            "rewrite.verify": model or self._verify(document),
        }

    def _node(self, document: Document, model: str) -> Mapping[str, str]:
        """What is done with the selected node."""
        workspace, selected = document.workspace, document.selected
        node = workspace.model.find_node(selected) if workspace is not None and selected is not None else None
        none = model or ("" if node is not None else self.tr("No node is selected."))
        bare = self.tr("This node has no attributes.") if node is not None and not node.attributes else ""
        asked = node is None or document.choice.overrides.only(node.id)
        nothing = "" if asked else self.tr("Nothing is asked of this node: choose Run on or Number format first.")
        found = dict.fromkeys(("edit.copy_name", "edit.copy_row", "edit.copy_yaml", "go.table", "go.canvas"), none)
        return found | {"edit.copy_attributes": none or bare, "edit.copy_info": none or nothing}

    def _ways(self, document: Document, model: str) -> Mapping[str, str]:
        """Where one can go from here."""
        way = self._navigator
        free = model or ("" if document.proposal is None else self.tr("A preview is open."))
        node = free or ("" if document.selected is not None else self.tr("No node is selected."))
        found = dict.fromkeys(("go.trace_up", "go.trace_down", "go.path"), node)
        found["go.end_trace"] = free or ("" if way.active else self.tr("Nothing is traced."))
        found["go.back"] = free or ("" if way.can_go_back else self.tr("No other node was selected before."))
        found["go.forward"] = free or ("" if way.can_go_forward else self.tr("No node to go forward to."))
        for n in BOOKMARKS:
            unset = self.tr("Bookmark {n} is not set: select a node and press Ctrl+{n}.").format(n=n)
            found[f"go.bookmark_{n}"] = free or ("" if way.tracing or way.has_bookmark(n) else unset)
            found[f"go.set_bookmark_{n}"] = node
        return found

    def _tools(self, document: Document, model: str) -> Mapping[str, str]:
        """What changes the whole model, or takes parts of it."""
        workspace = document.workspace
        free = model or ("" if document.proposal is None else self.tr("A preview is open."))
        found = dict.fromkeys(("model.fold", "model.prune", "model.opset", "model.rename", "model.nhwc"), free)
        found["model.simplify"] = free
        sizes = ""
        if workspace is not None and not has_open_dims(workspace.model):
            sizes = self.tr("All inputs have fixed sizes.")
        elif workspace is not None and not workspace.model.dims:
            sizes = self.tr("No size is set: choose Set sizes first.")
        found["model.freeze"] = free or sizes
        part = free or ("" if self._whole.chosen else self.tr("No node of the main graph is selected."))
        return found | {"model.extract": part, "model.cut": part}

    def _verify(self, document: Document) -> str:
        proposal, workspace = document.proposal, document.workspace
        if self._jobs.is_running("verify") or (proposal is not None and proposal.proof is Proof.RUNNING):
            return self.tr("The verification is running.")
        if proposal is None and workspace is not None and not workspace.groups:
            return self.tr("No rewrite was accepted yet, so there is nothing to compare with the original.")
        return ""
