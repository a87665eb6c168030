"""`WholeModel`: the commands of the menu Model. A change is previewed and proven like a rewrite; parts become files."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QInputDialog, QWidget

from inspector.errors import InspectorError, RewriteError
from inspector.gui.document import Document
from inspector.gui.jobs import JobContext, Jobs
from inspector.gui.picture import Picture
from inspector.gui.places import Places
from inspector.gui.proposal import Proposal, Site
from inspector.gui.service import Service
from inspector.gui.words import say_text
from inspector.model.graph import MAIN, Model, NodeId
from inspector.model.infer import dynamic_dims
from inspector.model.save import save_model
from inspector.rewrite.tools.parts import cut, extract
from inspector.rewrite.tools.registry import tool as tool_of
from inspector.rewrite.tools.tool import apply
from inspector.text import Message, say
from inspector.verify.parts import verify_parts
from inspector.verify.result import Status
from inspector.workspace import Workspace

translate = QCoreApplication.translate

_FIRST_OPSET, _LAST_OPSET = 7, 26


class WholeModel(QObject):
    """Acts on one document.

    Signals:
        written: paths of parts that were written, as one text.
    """

    written = Signal(str)

    def __init__(
        self, service: Service, jobs: Jobs, document: Document, places: Places, window: QWidget, parent: QObject
    ) -> None:
        """Ask in dialogs over *window*; *places* knows which nodes are selected together."""
        super().__init__(parent)
        self._service, self._jobs, self._document, self._places = service, jobs, document, places
        self._window = window

    # Changes of the whole model

    def use(self, tool: str, arguments: Mapping[str, Any] | None = None) -> None:
        """Preview *tool* with *arguments*."""
        service = self._service

        def build(workspace: Workspace, context: JobContext, before: Picture | None) -> Proposal:
            return propose_tool(service, workspace, tool, arguments or {}, context, before)

        self._document.propose_with(build)

    def freeze(self) -> None:
        """Write the bound sizes into the model."""
        workspace = self._document.workspace
        if workspace is not None:
            self.use("freeze-dims", {"dims": dict(workspace.model.dims)})

    def convert(self) -> None:
        """Let the user choose an opset, and convert to it."""
        workspace = self._document.workspace
        if workspace is None:
            return
        title = say_text(tool_of("convert-opset").title)
        present = workspace.model.opsets.get("", 1)
        asked = self.tr("The model has opset {version}. Convert to:").format(version=present)
        version, agreed = QInputDialog.getInt(self._window, title, asked, present, _FIRST_OPSET, _LAST_OPSET)
        if agreed:
            self.use("convert-opset", {"version": version})

    # Parts

    @property
    def chosen(self) -> tuple[NodeId, ...]:
        """Nodes of the main graph that are selected."""
        workspace, one = self._document.workspace, self._document.selected
        if workspace is None:
            return ()
        several = [node.id for node in self._places.several if node.graph == MAIN]
        node = workspace.model.find_node(one) if one is not None else None
        return tuple(several) or ((node.id,) if node is not None and node.graph == MAIN else ())

    def extract(self) -> None:
        """Write the selection as a model of its own, under a name that the user chooses."""
        workspace, nodes = self._document.workspace, self.chosen
        path = self._ask_name("part") if workspace is not None and nodes else None
        if workspace is not None and path is not None:
            model = workspace.model
            self._write(model, lambda: _alone(extract(model, nodes)), (path,))

    def cut(self) -> None:
        """Write everything up to the outputs of the selected node, and the rest, as two models."""
        workspace, nodes = self._document.workspace, self.chosen
        path = self._ask_name("head") if workspace is not None and nodes else None
        if workspace is not None and path is not None:
            model = workspace.model
            at = [output for node in nodes for output in model.node(node).outputs if output]
            self._write(model, lambda: cut(model, at), (path, path.with_name(f"{path.stem}_tail.onnx")))

    def _ask_name(self, what: str) -> Path | None:
        workspace = self._document.workspace
        origin = (workspace.model.origin if workspace is not None else None) or Path("model.onnx")
        suggested = origin.with_name(f"{origin.stem}_{what}.onnx")
        title = self.tr("Save the part as")
        name, _ = QFileDialog.getSaveFileName(self._window, title, str(suggested), self.tr("ONNX models (*.onnx)"))
        return Path(name) if name else None

    def _write(self, model: Model, make: Any, paths: tuple[Path, ...]) -> None:
        """Make the parts, compare them with *model*, and write them."""
        client = self._service.client

        def work(context: JobContext) -> str:
            parts = make()
            if isinstance(parts, Message):
                raise RewriteError(parts)
            context.progress(-1.0, translate("WholeModel", "Comparing the parts with the model"))
            job = client.job()
            context.on_cancel(job.cancel)
            result = verify_parts(model, parts, job)
            if result.status is not Status.PASSED:
                raise InspectorError(say("gui.parts_unproven", status=result.status.value, why=result.reason or ""))
            for part, path in zip(parts, paths, strict=True):
                save_model(part, path, overwrite=True)
            return ", ".join(path.name for path in paths)

        self._jobs.run(self.tr("Writing parts"), "parts", work, self.written.emit, failed=self._document.failed.emit)


def _alone(part: Model | Message) -> tuple[Model, ...] | Message:
    return part if isinstance(part, Message) else (part,)


def propose_tool(
    service: Service,
    workspace: Workspace,
    tool_id: str,
    arguments: Mapping[str, Any],
    context: JobContext,
    before: Picture | None = None,
) -> Proposal:
    """The preview of a tool on *workspace*, without its proof.

    Raises:
        RewriteError: the tool does nothing here; the text says why.
        WorkerError: the worker gave no answer.
    """
    tool, model = tool_of(tool_id), workspace.model
    context.progress(-1.0, say_text(tool.title))
    made = apply(
        model,
        tool,
        arguments,
        service.runner(context),
        place=lambda changed: service.place(changed, workspace.target),
        before=workspace.placement,
    )
    if isinstance(made, Message):
        raise RewriteError(made)
    context.check()
    placement = made.placement_after
    return Proposal(
        rule=tool,
        variant=made.variant,
        anchor=made.match.anchor,
        every_site=False,
        workspace=workspace,
        sites=(Site(say_text(tool.title), made),),
        after=made.after,
        placement_after=placement if placement is not None else service.place(made.after, workspace.target),
        variants=(made.variant,),
        picture=service.draw(made.after, context, before),
    )


def has_open_dims(model: Model) -> bool:
    """Whether an input of *model* has a dimension without a fixed size."""
    return bool(dynamic_dims(model))
