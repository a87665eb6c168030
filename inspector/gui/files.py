"""`Files`: opening, closing and saving models, with the dialogs that ask for names, sizes and unsaved work."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from inspector.errors import InspectorError
from inspector.gui.dialogs.dims import DimsDialog
from inspector.gui.document import Document
from inspector.gui.i18n import language
from inspector.gui.jobs import JobContext
from inspector.gui.service import Service
from inspector.model.infer import dynamic_dims
from inspector.placement.verdict import Placement


class Files(QObject):
    """What the File menu does to a document."""

    def __init__(self, service: Service, document: Document, window: QWidget, parent: QObject) -> None:
        """Ask in dialogs over *window*; *service* says what sizes would do."""
        super().__init__(parent)
        self._service = service
        self._document = document
        self._window = window
        self._question: QMessageBox | None = None
        self._sizes: DimsDialog | None = None

    def ask_save(self, then: Callable[[], None] | None = None) -> None:
        """Let the user choose a name, a new one by default, save, and do *then* when that has succeeded."""
        workspace = self._document.workspace
        if workspace is None:
            return
        origin = workspace.model.origin or Path("model.onnx")
        suggested = self._document.saved_as or origin.with_name(f"{origin.stem}_bpu.onnx")
        name, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Save model as"), str(suggested), self.tr("ONNX models (*.onnx)")
        )
        if name:
            self._document.save_as(Path(name), then)

    def save(self) -> None:
        """Save under the name that was chosen before, or ask for one; the file that was opened is never the one."""
        if self._document.saved_as is None:
            self.ask_save()
        else:
            self._document.save_as(self._document.saved_as)

    def ask_sizes(self) -> None:
        """Let the user bind dynamic dimensions."""
        workspace = self._document.workspace
        if workspace is None:
            return
        dialog = DimsDialog(dynamic_dims(workspace.model), workspace.model.dims, self._window)
        dialog.accepted.connect(lambda: self.release(lambda: self._document.bind(dialog.sizes)))
        dialog.finished.connect(lambda: self._forget_sizes())
        dialog.finished.connect(dialog.deleteLater)
        self._sizes, before = dialog, workspace.placement

        def show(answer: Placement | InspectorError) -> None:
            if self._sizes is not dialog:
                return
            if isinstance(answer, InspectorError):
                dialog.show_failure(answer.text(language()))
            else:
                dialog.show_effect(before, answer)

        dialog.sizes_changed.connect(lambda: self._try_sizes(dialog.sizes, show))
        dialog.open()

    def _try_sizes(self, dims: Mapping[str, int], done: Callable[[Placement | InspectorError], None]) -> None:
        """Place the file of the open model with *dims* bound, and show nothing of it; the newest question counts."""
        workspace, choice, service = self._document.workspace, self._document.choice, self._service
        origin = workspace.model.origin if workspace is not None else None
        if origin is None:
            return

        def work(context: JobContext) -> Placement | InspectorError:
            try:
                return service.place_with_sizes(origin, choice, dims, context)
            except InspectorError as error:
                return error

        self._document.beside("sizes", work, done)

    def _forget_sizes(self) -> None:
        self._sizes = None

    def release(self, then: Callable[[], None]) -> None:
        """Do *then* once unsaved rewrites may go: at once if there are none, else as the user answers.

        Saving from the question goes on only when the file is written; a failure or a cancelled dialog stops here.
        """
        if not self._document.unsaved:
            then()
            return
        if self._question is not None:
            self._question.raise_()
            return
        self._question = box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setTextFormat(Qt.TextFormat.PlainText)
        origin = self._document.workspace.model.origin if self._document.workspace is not None else None
        text = self.tr("The accepted rewrites of {name} are not saved.")
        box.setText(text.format(name=origin.name if origin is not None else self.tr("the model")))
        box.setInformativeText(self.tr("The file on disk is unchanged. Save the rewritten model under a new name?"))
        save = box.addButton(self.tr("Save as…"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(self.tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.setEscapeButton(cancel)
        box.finished.connect(lambda: self._answered(box, save, discard, then))
        box.open()

    def _answered(self, box: QMessageBox, save: QWidget, discard: QWidget, then: Callable[[], None]) -> None:
        answer, self._question = box.clickedButton(), None
        box.deleteLater()
        if answer is save:
            self.ask_save(then)
        elif answer is discard:
            then()
