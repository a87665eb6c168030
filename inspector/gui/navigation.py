"""`Navigator`: ways through one model: where the selection was, bookmarks, tracing, and the path between two nodes."""

from PySide6.QtCore import QObject, Signal

from inspector.gui.canvas.scene import Bools, Scene
from inspector.gui.canvas.travel import Way, path, reach
from inspector.gui.canvas.view import GraphView
from inspector.gui.document import Document
from inspector.model.graph import NodeId

_MOST = 200
"""Selections that are remembered."""

BOOKMARKS = tuple(range(1, 10))
"""Numbers of the bookmarks, those of the digit keys."""


class Navigator(QObject):
    """Remembers and follows; it acts on the canvas of the open model and not on the panes of a preview.

    Attributes:
        tracing: direction of the trace that is shown; None without one.
        hops: how far the trace goes, in edges; None for all the way.
        from_node: node at which a path is to begin, while its other end is awaited; None otherwise.

    Signals:
        go_asked: the view shall select and show this node.
        told: a sentence on what is shown, for the status bar.
        ended: nothing is traced any more, so the canvas may show again what a filter leaves out.
        changed: what can be done is different.
    """

    go_asked = Signal(object)
    told = Signal(str)
    ended = Signal()
    changed = Signal()

    def __init__(self, document: Document, view: GraphView, parent: QObject) -> None:
        """Follow the selection of *document*, whose model *view* shows."""
        super().__init__(parent)
        self._document = document
        self._view = view
        self._past: list[NodeId] = []
        self._place = -1
        self._returning = False
        self.bookmarks: dict[int, NodeId] = {}
        self.tracing: Way | None = None
        self.hops: int | None = None
        self.from_node: NodeId | None = None
        self._root: NodeId | None = None
        self._mask: Bools | None = None
        document.selection_changed.connect(self._selected)
        document.opened.connect(self._forget)
        document.picture_changed.connect(self.end)

    # History of the selection

    @property
    def can_go_back(self) -> bool:
        """Whether another node was selected before."""
        return self._step(-1) is not None

    @property
    def can_go_forward(self) -> bool:
        """Whether `back` was used and nothing else was selected since."""
        return self._step(1) is not None

    def back(self) -> None:
        """Select what was selected before."""
        self._return(-1)

    def forward(self) -> None:
        """Take back `back`."""
        self._return(1)

    def _step(self, step: int) -> int | None:
        """Place of the next remembered node in that direction that is still there; None at the end."""
        workspace = self._document.workspace
        # With nothing selected the last one is a step back by itself.
        place = self._place if step < 0 and self._document.selected is None else self._place + step
        while workspace is not None and 0 <= place < len(self._past):
            if workspace.model.find_node(self._past[place]) is not None:
                return place
            place += step
        return None

    def _return(self, step: int) -> None:
        place = self._step(step)
        if place is not None:
            self._place, self._returning = place, True
            self.go_asked.emit(self._past[place])
            self._returning = False
            self.changed.emit()

    def _selected(self) -> None:
        node = self._document.selected
        if node is None and self.from_node is not None:
            self.end()
        if node is None or self._returning:
            self.changed.emit()
            return
        if self.from_node is not None and node != self.from_node:
            self._show_path(self.from_node, node)
        if not self._past or self._past[self._place] != node:
            self._past = [*self._past[: self._place + 1], node][-_MOST:]
            self._place = len(self._past) - 1
        self.changed.emit()

    def _forget(self) -> None:
        self._past, self._place, self.bookmarks = [], -1, {}
        self.end()

    # Bookmarks

    def set_bookmark(self, number: int) -> None:
        """Remember the selected node under *number*."""
        workspace, node = self._document.workspace, self._document.selected
        if workspace is not None and node is not None:
            self.bookmarks[number] = node
            name = workspace.model.node(node).label
            self.told.emit(self.tr("Bookmark {n} is {node}").format(n=number, node=name))
            self.changed.emit()

    def digit(self, number: int) -> None:
        """Set the hops of the trace that is shown; without one go to the bookmark *number*."""
        if self.tracing is not None and self._root is not None:
            self.hops = number
            self._show_trace()
        elif self.has_bookmark(number):
            self.go_asked.emit(self.bookmarks[number])

    def has_bookmark(self, number: int) -> bool:
        """Whether bookmark *number* is set to a node that is still there."""
        workspace, node = self._document.workspace, self.bookmarks.get(number)
        return workspace is not None and node is not None and workspace.model.find_node(node) is not None

    # Tracing

    def trace(self, way: Way) -> None:
        """Draw faint what neither feeds the selected node (PRODUCER) nor is fed by it (CONSUMER).

        Asked again in the same direction, the trace ends.
        """
        if self.tracing is way and self._root == self._document.selected:
            self.end()
            return
        self.tracing, self.hops, self._root, self.from_node = way, None, self._document.selected, None
        self._show_trace()

    def begin_path(self) -> None:
        """Take the selected node as one end of a path; the next one that is selected is the other."""
        self.end()
        workspace, node = self._document.workspace, self._document.selected
        if workspace is not None and node is not None:
            self.from_node = node
            name = workspace.model.node(node).label
            self.told.emit(self.tr("Path from {node}: select the other end, Esc leaves").format(node=name))
            self.changed.emit()

    @property
    def active(self) -> bool:
        """Whether a trace or a path is shown or being asked for."""
        return self._mask is not None or self.from_node is not None

    def renew(self) -> None:
        """Show the trace again after the canvas was coloured anew."""
        if self._mask is not None:
            self._view.show_traced(self._mask)

    def end(self) -> None:
        """Draw everything in full again."""
        was, self.tracing, self.hops, self.from_node, self._root = self.active, None, None, None, None
        self._mask = None
        if was:
            self.ended.emit()
            self.changed.emit()

    def _show_trace(self) -> None:
        scene, box = self._view.scene, self._box(self._root)
        if scene is None or box is None or self.tracing is None:
            self.end()
            return
        mask = reach(scene, box, self.tracing, self.hops)
        count = int(mask.sum()) - 1
        up = self.tracing is Way.PRODUCER
        if self.hops is None:
            text = self.tr("%n box(es) upstream", "", count) if up else self.tr("%n box(es) downstream", "", count)
        else:
            within = self.tr("%n box(es) upstream within {hops} hops", "", count)
            below = self.tr("%n box(es) downstream within {hops} hops", "", count)
            text = (within if up else below).format(hops=self.hops)
        self._show(mask, text)

    def _show_path(self, first: NodeId, second: NodeId) -> None:
        scene, start, end = self._view.scene, self._box(first), self._box(second)
        self.from_node = None
        mask = path(scene, start, end) if scene is not None and start is not None and end is not None else None
        if mask is None:
            self.told.emit(self.tr("No path leads from one of these nodes to the other."))
            self.changed.emit()
        else:
            self._show(mask, self.tr("%n box(es) on the paths between both nodes", "", int(mask.sum())))

    def _show(self, mask: Bools, text: str) -> None:
        self._mask = mask
        self._view.show_traced(mask)
        self.told.emit(text)
        self.changed.emit()

    def _box(self, node: NodeId | None) -> int | None:
        scene: Scene | None = self._view.scene
        if scene is None or node is None:
            return None
        box = scene.box_of.get(node)
        return scene.folded_into.get(node) if box is None else box
