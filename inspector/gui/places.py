"""`Places`: where the selection stands: outline, breadcrumb, and several nodes that are selected together."""

from PySide6.QtCore import QObject, Signal

from inspector.gui.document import Document
from inspector.gui.models.outline import Outline, outline_of
from inspector.gui.workbench import Workbench
from inspector.model.graph import Model, Node, NodeId
from inspector.model.scopes import ROOT
from inspector.placement.query import NodeIndex


class Places(QObject):
    """Keeps outline and breadcrumb true to the document, and holds what is selected besides its one node.

    Signals:
        several_changed: `several` are others.
    """

    several_changed = Signal()

    def __init__(self, document: Document, bench: Workbench, parent: QObject) -> None:
        """Show *document* in *bench*."""
        super().__init__(parent)
        self._document, self._bench = document, bench
        self._outline: Outline | None = None
        self._scope = ROOT
        self._ids: tuple[NodeId, ...] = ()
        self._several: tuple[Model | None, tuple[NodeId, ...], tuple[Node, ...]] = None, (), ()
        bench.outline.scope_picked.connect(self._scope_picked)
        bench.nodes.nodes_picked.connect(lambda nodes: self._choose(nodes, ROOT))
        bench.breadcrumb.model_asked.connect(self._nothing)
        bench.breadcrumb.scope_asked.connect(self._scope_asked)
        bench.graph.nodePicked.connect(lambda node: self.drop() if node is None else None)
        document.selection_changed.connect(self._selection)
        document.closed.connect(self._forget)

    def _forget(self) -> None:
        self._ids, self._several = (), (None, (), ())

    @property
    def several(self) -> tuple[Node, ...]:
        """Nodes that are selected together, in the order of the table or of the model; none for at most one."""
        workspace = self._document.workspace
        if workspace is None:
            return ()
        model, ids = workspace.model, self._ids
        if self._several[0] is not model or self._several[1] is not ids:
            self._several = model, ids, tuple(node for one in ids if (node := model.find_node(one)) is not None)
        return self._several[2]

    @property
    def scope(self) -> str:
        """Path of the scope whose nodes are selected together; empty when it is none."""
        return self._outline.scopes.paths[self._scope] if self._outline is not None and self._ids else ""

    def set_index(self, index: NodeIndex | None) -> None:
        """Understand typed filters of the lists with *index*."""
        for panel in (self._bench.problems, self._bench.outline, self._bench.nodes):
            panel.set_index(index)

    def renew(self) -> None:
        """Show the scopes and verdicts of the model that is open now, made off the GUI thread."""
        workspace, known = self._document.workspace, self._outline
        if workspace is None:
            return
        model, placement = workspace.model, workspace.placement

        def done(outline: Outline) -> None:
            now = self._document.workspace
            if now is None or now.model is not model:
                return
            if known is None or known.model is not model:
                self._scope = ROOT
            self._outline = outline
            self._bench.outline.show_outline(outline, self._title())
            self._selection()

        self._document.beside("outline", lambda _context: outline_of(model, placement, known), done)

    def drop(self) -> None:
        """Select nothing together any more."""
        if self._ids:
            self._ids, self._scope = (), ROOT
            self._bench.graph.select_several(())
            self._show_path()
            self.several_changed.emit()

    def _choose(self, nodes: tuple[NodeId, ...], scope: int) -> None:
        if len(nodes) == 1:
            self.drop()
            self._document.select(nodes[0])
            return
        self._ids, self._scope = nodes, scope
        self._bench.graph.select_several(nodes)
        self._bench.nodes.show_several(nodes)
        if self._document.selected is not None:
            self._document.select(None)  # tells everybody, as `several_changed` would
        else:
            self._show_path()
            self.several_changed.emit()

    def _scope_picked(self, scope: int, nodes: tuple[NodeId, ...]) -> None:
        self._choose(nodes, scope)

    def _scope_asked(self, scope: int) -> None:
        outline = self._outline
        if outline is not None:
            nodes = outline.model.nodes
            self._choose(tuple(nodes[position].id for position in outline.scopes.members(scope)), scope)

    def _nothing(self) -> None:
        self.drop()
        self._document.select(None)

    def _selection(self) -> None:
        node = self._document.selected
        self._bench.outline.show_selected(node)
        if node is not None:
            self.drop()
        self._show_path()

    def _title(self) -> str:
        workspace = self._document.workspace
        origin = workspace.model.origin if workspace is not None else None
        return origin.stem if origin is not None else self.tr("model")

    def _show_path(self) -> None:
        outline, node_id = self._outline, self._document.selected
        workspace = self._document.workspace
        node = workspace.model.find_node(node_id) if workspace is not None and node_id is not None else None
        chain: tuple[int, ...] = ()
        title = ""
        if outline is not None and workspace is not None and outline.model is workspace.model:
            position = outline.position(node.id) if node is not None else None
            scope = self._scope if position is None else int(outline.scopes.scope_of[position])
            chain = outline.scopes.chain(scope)
            title = outline.scopes.titles[position] if position is not None else ""
        names = tuple((scope, outline.scopes.names[scope]) for scope in chain) if outline is not None else ()
        self._bench.breadcrumb.show_path(self._title(), names, title or (node.label if node is not None else ""))
