"""`NodeMenu`: the context menus of nodes, rows, edges and the ground of the canvas, made from the action table."""

from functools import partial

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidgetAction

from inspector.gui.action_table import Place
from inspector.gui.actions import Actions
from inspector.gui.copying import Copying
from inspector.gui.document import Document
from inspector.gui.fonts import Role
from inspector.gui.icons import icon
from inspector.gui.navigation import Navigator
from inspector.gui.overriding import Overriding
from inspector.gui.theme import Space
from inspector.gui.widgets import label
from inspector.gui.words import bytes_text, say_text
from inspector.gui.workbench import Workbench
from inspector.model.graph import Node, NodeId
from inspector.model.shape import text as shape_text
from inspector.placement.cost import value_bytes
from inspector.rewrite.find import Found, Offer

_BEST = "rewrite.preview"


class NodeMenu(QObject):
    """Makes the menus, and fills one anew while it is open when the fixes of its node become known.

    Attributes:
        overriding: what can be asked of single nodes.
        copying: what can be copied of them.
        actions: the actions of the window; None until the window gives them, and then the menus have them.
    """

    def __init__(self, document: Document, bench: Workbench, navigator: Navigator, parent: QObject) -> None:
        """Act on *document*, whose views are in *bench*; *navigator* shows the other end of an edge."""
        super().__init__(parent)
        self._document = document
        self._bench = bench
        self._navigator = navigator
        self._open: tuple[QMenu, NodeId, Place] | None = None
        self.actions: Actions | None = None
        self.overriding = Overriding(document, self)
        self.copying = Copying(document, self)
        document.found_changed.connect(self._found)

    def show(self, node: NodeId | None, position: QPoint) -> None:
        """Open the menu of *node*, or of the ground, at a global *position*."""
        self.make(node).popup(position)

    def show_row(self, node: NodeId, position: QPoint) -> None:
        """Open the menu of the row of *node* in a table, at a global *position*."""
        self.make(node, Place.ROW).popup(position)

    def show_edge(self, edge: int, position: QPoint) -> None:
        """Open the menu of an *edge* of the scene, at a global *position*."""
        self.make_edge(edge).popup(position)

    def make(self, node: NodeId | None, place: Place = Place.NODE) -> QMenu:
        """The menu of *node* at *place*, by which it is selected, or of the ground."""
        menu = self._menu()
        if node is None:
            self._add(menu, Place.CANVAS)
            return menu
        self._document.select(node)
        self._open = (menu, node, place)
        self._fill(menu, node, place)
        return menu

    def make_edge(self, edge: int) -> QMenu:
        """The menu of an *edge*: its tensor, the nodes at its ends, copying."""
        menu, scene, workspace = self._menu(), self._bench.graph.scene, self._document.workspace
        if scene is None or workspace is None:
            return menu
        name = scene.values[int(scene.edge_value[edge])]
        value = workspace.model.value(scene.graph, name)
        dtype = str(value.dtype) if value.dtype is not None else self.tr("unknown dtype")
        facts = f"{shape_text(value.shape)} {dtype} · {bytes_text(value_bytes(value))}"
        _caption(menu, name, facts)
        producer = workspace.model.producer(scene.graph, name)
        if producer is not None:
            self._way(menu, self.tr("Go to the producer: {node}"), producer)
        for consumer in workspace.model.consumers(scene.graph, name):
            self._way(menu, self.tr("Go to the consumer: {node}"), consumer)
        menu.addSeparator()
        copy = menu.addAction(icon("copy"), self.tr("Copy tensor name"))
        copy.triggered.connect(partial(self.copying.tensor, name))
        return menu

    def _menu(self) -> QMenu:
        menu = QMenu(self._bench)
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(lambda: self._drop(menu))
        return menu

    def _way(self, menu: QMenu, text: str, node: Node) -> None:
        entry = menu.addAction(text.format(node=f"{node.op.name} {node.label}"))
        entry.triggered.connect(partial(self._navigator.go_asked.emit, node.id))

    def _drop(self, menu: QMenu) -> None:
        self._open = None
        menu.deleteLater()

    def _found(self) -> None:
        if self._open is not None:
            self._fill(*self._open)

    def _fill(self, menu: QMenu, node: NodeId, place: Place) -> None:
        found = self._document.found
        menu.clear()
        if found is None:
            menu.addAction(self.tr("Looking for fixes")).setEnabled(False)
        else:
            self._offers(menu, node, found)
        menu.addSeparator()
        self.overriding.fill(menu, node)
        self._add(menu, place)

    def _add(self, menu: QMenu, place: Place) -> None:
        """The actions of the table that stand at *place*; those that only copy more than a name share a submenu."""
        if self.actions is None:
            return
        entries = self.actions.at(place)
        copies = [entry for entry in entries if entry.objectName().startswith("edit.copy")]
        for entry in entries:
            if entry not in copies:
                menu.addAction(entry)
        menu.addSeparator()
        menu.addActions(copies[:1])
        if copies[1:]:
            more = menu.addMenu(self.tr("Copy"))
            more.setToolTipsVisible(True)
            more.addActions(copies[1:])

    def _offers(self, menu: QMenu, node: NodeId, found: Found) -> None:
        """The best fix first, the others in a submenu, then what only cleans up."""
        fixes = list(found.fixes)
        for offer in fixes[:1]:
            entry = menu.addAction(icon("wand-sparkles"), self._title(self.tr("Preview: {title}"), offer))
            entry.triggered.connect(self._proposing(node, offer))
            if self.actions is not None:
                keys = self.actions[_BEST].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
                entry.setText(f"{entry.text()}\t{keys}")
        if fixes[1:]:
            others = menu.addMenu(self.tr("Other fixes"))
            for offer in fixes[1:]:
                others.addAction(self._title(self.tr("Preview: {title}"), offer), self._proposing(node, offer))
        for offer in found.cleanups:
            menu.addAction(self._title(self.tr("Clean up: {title}"), offer), self._proposing(node, offer))
        if not found.offers:
            menu.addAction(self.tr("No rewrite applies here")).setEnabled(False)

    def _title(self, text: str, offer: Offer) -> str:
        variants = [v.title for v in offer.rule.variants if v.id == offer.variant]
        if len(offer.rule.variants) > 1 and variants:
            named = self.tr("{title} ({variant})")
            return text.format(title=named.format(title=say_text(offer.rule.title), variant=say_text(variants[0])))
        return text.format(title=say_text(offer.rule.title))

    def _proposing(self, node: NodeId, offer: Offer) -> "partial[None]":
        return partial(self._document.propose, offer.rule.id, node, variant=offer.variant)


def _caption(menu: QMenu, name: str, facts: str) -> None:
    """What the menu is about, as its first line; it is read, not chosen."""
    text = label(f"{name}\n{facts}", Role.SMALL, tone="second", mono=True)
    text.setContentsMargins(Space.M, Space.XS, Space.M, Space.XS)
    shown = QWidgetAction(menu)
    shown.setDefaultWidget(text)
    shown.setEnabled(False)
    menu.addAction(shown)
    menu.addSeparator()
