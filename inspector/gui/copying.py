"""`Copying`: what can be put on the clipboard about one node of a document, and a picture of its graph."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui.document import Document
from inspector.gui.i18n import language
from inspector.gui.words import bytes_text, count_text, headline, verdict_name
from inspector.model.graph import Node
from inspector.model.shape import text as shape_text
from inspector.placement.cost import node_cost
from inspector.report.node_text import attributes_yaml, node_yaml


class Copying(QObject):
    """Copies; what was copied is told in a sentence.

    Signals:
        told: the sentence, for the status bar.
    """

    told = Signal(str)

    def __init__(self, document: Document, parent: QObject) -> None:
        """Copy from *document*."""
        super().__init__(parent)
        self._document = document

    @property
    def node(self) -> Node | None:
        """The selected node; None without one."""
        workspace, node = self._document.workspace, self._document.selected
        return workspace.model.find_node(node) if workspace is not None and node is not None else None

    def name(self) -> None:
        """Copy the name of the selected node."""
        if self.node is not None:
            self._copy(self.node.label, self.tr("Copied the name {name}").format(name=self.node.label))

    def row(self) -> None:
        """Copy the selected node as a row of the node table, its cells separated by tabs."""
        workspace, node = self._document.workspace, self.node
        if workspace is None or node is None:
            return
        verdict, cost = workspace.placement.verdicts[node.id], node_cost(workspace.model, node)
        outputs = workspace.model.output_values(node)
        cells = (
            verdict_name(verdict.verdict),
            str(node.op),
            node.label,
            shape_text(outputs[0].shape) if outputs else "",
            count_text(cost.macs),
            bytes_text(cost.bytes_out),
            headline(verdict),
        )
        line = "\t".join(" ".join(cell.split()) for cell in cells)
        self._copy(line, self.tr("Copied the row of {name}").format(name=node.label))

    def attributes(self) -> None:
        """Copy the attributes that the file sets on the selected node."""
        if self.node is not None and self.node.attributes:
            self._copy(
                attributes_yaml(self.node), self.tr("Copied the attributes of {name}").format(name=self.node.label)
            )

    def yaml(self) -> None:
        """Copy all that is known of the selected node as YAML."""
        workspace, node = self._document.workspace, self.node
        if workspace is not None and node is not None:
            text = node_yaml(workspace.model, workspace.placement.verdicts[node.id], language())
            self._copy(text, self.tr("Copied {name} as YAML").format(name=node.label))

    def tensor(self, name: str) -> None:
        """Copy the *name* of a tensor."""
        self._copy(name, self.tr("Copied the name {name}").format(name=name))

    def picture(self, view: QWidget) -> None:
        """Copy what *view* shows, at the resolution of the screen."""
        QApplication.clipboard().setPixmap(view.grab())
        self.told.emit(self.tr("Copied the picture of the canvas"))

    def _copy(self, text: str, told: str) -> None:
        QApplication.clipboard().setText(text)
        self.told.emit(told)
