"""`Accepting`: Accept, after a question where the rewrite computes another function."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from inspector.gui.document import Document
from inspector.gui.proposal import Proof
from inspector.gui.words import say_text
from inspector.rewrite.rule import Safety


class Accepting(QObject):
    """Takes the open preview of a document; an approximate one only when the user agrees to its error."""

    def __init__(self, document: Document, window: QWidget, parent: QObject) -> None:
        """Ask over *window*."""
        super().__init__(parent)
        self._document = document
        self._window = window
        self.question: QMessageBox | None = None

    def accept(self) -> None:
        """Take the preview, or ask first."""
        proposal = self._document.proposal
        if proposal is None or proposal.proof is not Proof.PASSED or self.question is not None:
            return
        if proposal.rule.safety is not Safety.APPROXIMATE:
            self._document.accept()
            return
        box = QMessageBox(self._window)
        self.question = box
        box.setIcon(QMessageBox.Icon.Warning)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(self.tr("Approximate rewrite"))
        box.setText(self.tr("“{title}” computes another function.").format(title=say_text(proposal.rule.title)))
        error = "?" if proposal.rule.limit is None else f"{proposal.rule.limit:g}"
        outputs = proposal.whole.outputs if proposal.whole is not None else ()
        worst = max((diff.max_rel or 0.0 for diff in outputs if diff.output), default=0.0)
        box.setInformativeText(
            self.tr(
                "Its results may differ by up to {error} of the largest value; the outputs of this model differ by "
                "{worst}. The recipe and reports will say so."
            ).format(error=error, worst=f"{worst:.1e}")
        )
        take = box.addButton(self.tr("Accept the error"), QMessageBox.ButtonRole.AcceptRole)
        leave = box.addButton(self.tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(leave)
        box.setEscapeButton(leave)
        box.finished.connect(lambda: self._answered(box, agreed=box.clickedButton() is take, after=proposal.after))
        box.open()

    def _answered(self, box: QMessageBox, *, agreed: bool, after: object) -> None:
        """Take the preview if the user *agreed*, unless it is another one by now."""
        self.question = None
        box.deleteLater()
        proposal = self._document.proposal
        if agreed and proposal is not None and proposal.after is after:
            self._document.accept()
