"""`Overriding`: the wishes for single nodes in the node menu: where to run, in which number format, as `node_info`."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QApplication, QMenu

from inspector.gui.document import Document
from inspector.gui.overrides import Overrides
from inspector.model.graph import NodeId
from inspector.placement.target import Device, Qtype
from inspector.report.node_info import node_info

_T = TypeVar("_T")


class Overriding(QObject):
    """Lets the user force nodes and ask for number formats; the model is placed again at once.

    Signals:
        told: a sentence on what was copied, for the status bar.
    """

    told = Signal(str)

    def __init__(self, document: Document, parent: QObject) -> None:
        """Change the overrides of *document*."""
        super().__init__(parent)
        self._document = document

    @property
    def _overrides(self) -> Overrides:
        return self._document.choice.overrides

    def fill(self, menu: QMenu, node: NodeId) -> None:
        """Add what can be asked of *node* to its *menu*."""
        if self._document.proposal is not None:
            return
        own = self._overrides.only(node)
        devices: dict[str, Device | None] = {self.tr("Automatic"): None, "BPU": Device.BPU, "CPU": Device.CPU}
        _choices(menu.addMenu(self.tr("Run on")), devices, own.forced.get(node), partial(self._force, node))
        formats: dict[str, Qtype | None] = {self.tr("Automatic"): None}
        formats |= {qtype.value: qtype for qtype in self._document.formats}
        _choices(menu.addMenu(self.tr("Number format")), formats, own.qtypes.get(node), partial(self._ask, node))
        if own:
            menu.addAction(self.tr("Copy node_info"), partial(self.copy, own))
        menu.addSeparator()

    def clear(self) -> None:
        """Leave all nodes to the toolchain again."""
        self._document.override(Overrides())

    def copy(self, overrides: Overrides | None = None) -> None:
        """Put the `node_info` entry for *overrides*, or for all there are, on the clipboard."""
        workspace = self._document.workspace
        if workspace is None:
            return
        wishes = overrides or self._overrides
        info = node_info(workspace.model, wishes.forced, wishes.qtypes)
        if info.text:
            QApplication.clipboard().setText(info.text)
        if info.unnamed:
            names = ", ".join(workspace.model.node(node).label for node in info.unnamed)
            text = self.tr("node_info finds nodes by name; these have none of their own: {names}")
            self.told.emit(text.format(names=names))
        else:
            self.told.emit(self.tr("Copied node_info for model_parameters of the build configuration"))

    def _force(self, node: NodeId, device: Device | None) -> None:
        self._document.override(self._overrides.force(node, device))

    def _ask(self, node: NodeId, qtype: Qtype | None) -> None:
        self._document.override(self._overrides.ask(node, qtype))


def _choices(
    menu: QMenu, choices: Mapping[str, _T | None], chosen: _T | None, choose: Callable[[_T | None], None]
) -> None:
    group = QActionGroup(menu)
    for text, value in choices.items():
        action = menu.addAction(text, partial(choose, value))
        action.setCheckable(True)
        action.setChecked(value is chosen)
        group.addAction(action)
