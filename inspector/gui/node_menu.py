"""`NodeMenu`: the context menu of a node: its fixes, what can be asked of it, copying, the way to the table."""

from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QApplication, QMenu

from inspector.gui.document import Document
from inspector.gui.overriding import Overriding
from inspector.gui.words import say_text
from inspector.gui.workbench import Workbench
from inspector.model.graph import NodeId
from inspector.rewrite.find import Found


class NodeMenu(QObject):
    """Makes the menu, and fills it anew while it is open when the fixes of its node become known.

    Attributes:
        overriding: what can be asked of single nodes.
    """

    def __init__(self, document: Document, bench: Workbench, parent: QObject) -> None:
        """Act on *document*, whose views are in *bench*."""
        super().__init__(parent)
        self._document = document
        self._bench = bench
        self._open: tuple[QMenu, NodeId] | None = None
        self.overriding = Overriding(document, self)
        document.found_changed.connect(self._found)

    def show(self, node: NodeId | None, position: QPoint) -> None:
        """Open the menu of *node*, or of the ground, at a global *position*."""
        self.make(node).popup(position)

    def make(self, node: NodeId | None) -> QMenu:
        """The menu of *node*, which is selected by that, or of the ground."""
        menu = QMenu(self._bench)
        menu.aboutToHide.connect(lambda: self._drop(menu))
        if node is None:
            menu.addAction(self.tr("Fit the graph"), self._bench.graph.fit)
            return menu
        self._document.select(node)
        self._open = (menu, node)
        self._fill(menu, node)
        return menu

    def _drop(self, menu: QMenu) -> None:
        self._open = None
        menu.deleteLater()

    def _found(self) -> None:
        if self._open is not None:
            self._fill(*self._open)

    def _fill(self, menu: QMenu, node: NodeId) -> None:
        found, workspace = self._document.found, self._document.workspace
        menu.clear()
        if found is None:
            menu.addAction(self.tr("Looking for fixes")).setEnabled(False)
        else:
            self._offers(menu, node, found)
        menu.addSeparator()
        self.overriding.fill(menu, node)
        label = workspace.model.node(node).label if workspace is not None else ""
        menu.addAction(self.tr("Copy name"), lambda: QApplication.clipboard().setText(label))
        menu.addAction(self.tr("Show in the node table"), self._show_in_table)

    def _offers(self, menu: QMenu, node: NodeId, found: Found) -> None:
        for title, offers in (
            (self.tr("Preview: {title}"), found.fixes),
            (self.tr("Clean up: {title}"), found.cleanups),
        ):
            for offer in offers:
                text = title.format(title=say_text(offer.rule.title))
                variants = [v.title for v in offer.rule.variants if v.id == offer.variant]
                if len(offer.rule.variants) > 1 and variants:
                    text = f"{text} ({say_text(variants[0])})"
                propose = partial(self._document.propose, offer.rule.id, node, variant=offer.variant)
                menu.addAction(text, propose)
        if not found.offers:
            menu.addAction(self.tr("No rewrite applies here")).setEnabled(False)

    def _show_in_table(self) -> None:
        self._bench.bottom.setVisible(True)
        self._bench.bottom.setCurrentWidget(self._bench.nodes)
        self._bench.nodes.show_selected(self._document.selected)
