"""`Files`: opening, closing and saving models, with the dialogs that ask for names, sizes and unsaved work."""

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from inspector.gui.dialogs.dims import DimsDialog
from inspector.gui.document import Document
from inspector.model.infer import dynamic_dims


class Files(QObject):
    """What the File menu does to a document."""

    def __init__(self, document: Document, window: QWidget) -> None:
        """Ask in dialogs over *window*."""
        super().__init__(window)
        self._document = document
        self._window = window

    def open(self, path: Path) -> None:
        """Open the model *path*, after asking about unsaved work."""
        if self.may_discard():
            self._document.open(path)

    def reload(self) -> None:
        """Read the open file again."""
        workspace = self._document.workspace
        if workspace is not None and workspace.model.origin is not None:
            self.open(workspace.model.origin)

    def close(self) -> bool:
        """Forget the model, after asking about unsaved work; whether it was forgotten."""
        if not self.may_discard():
            return False
        self._document.close()
        return True

    def ask_open(self, folder: str) -> None:
        """Let the user choose a model file, in *folder* at first."""
        name, _ = QFileDialog.getOpenFileName(
            self._window, self.tr("Open model"), folder, self.tr("ONNX models (*.onnx)")
        )
        if name:
            self.open(Path(name))

    def ask_save(self) -> None:
        """Let the user choose a name, a new one by default, and save."""
        workspace = self._document.workspace
        if workspace is None:
            return
        origin = workspace.model.origin or Path("model.onnx")
        suggested = origin.with_name(f"{origin.stem}_bpu.onnx")
        name, _ = QFileDialog.getSaveFileName(
            self._window, self.tr("Save model as"), str(suggested), self.tr("ONNX models (*.onnx)")
        )
        if name:
            self._document.save_as(Path(name))

    def ask_sizes(self) -> None:
        """Let the user bind dynamic dimensions."""
        workspace = self._document.workspace
        if workspace is None:
            return
        dialog = DimsDialog(dynamic_dims(workspace.model), workspace.model.dims, self._window)
        dialog.accepted.connect(lambda: self._document.bind(dialog.sizes) if self.may_discard() else None)
        dialog.open()

    def may_discard(self) -> bool:
        """Whether unsaved rewrites may go; asks when there are any."""
        if not self._document.unsaved:
            return True
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setText(self.tr("The accepted rewrites are not saved."))
        box.setInformativeText(self.tr("The file on disk is unchanged. Save the rewritten model under a new name?"))
        save = box.addButton(self.tr("Save as…"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(self.tr("Discard"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)
        box.exec()
        if box.clickedButton() is save:
            self.ask_save()
        return box.clickedButton() is discard
