"""`OutlineModel`: scopes and nodes of a model as a tree of rows, made from arrays when a view asks for them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.verdict_bar import ORDER
from inspector.gui.words import plain_tip, verdict_name
from inspector.model.graph import Model, Node, NodeId
from inspector.model.scopes import ROOT, Scopes, scopes_of
from inspector.placement.verdict import NodeVerdict, Placement

Index = QModelIndex | QPersistentModelIndex
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

_CLASS = {verdict: number for number, verdict in enumerate(ORDER)}


@dataclass(frozen=True, eq=False)
class Outline:
    """What the outline shows of one model on one target.

    Attributes:
        model: the model.
        placement: its verdicts.
        scopes: its name scopes.
        node_class: `[n]` position of each node's verdict in `ORDER`.
        counts: `[s, 5]` nodes per scope and verdict, in `ORDER`.
        positions: node id -> its position in `Model.nodes`.
    """

    model: Model
    placement: Placement
    scopes: Scopes
    node_class: Ints
    counts: Ints
    positions: Mapping[NodeId, int]

    def position(self, node: NodeId) -> int | None:
        """Position of *node* in `Model.nodes`; None when the model has no such node."""
        return self.positions.get(node)


def outline_of(model: Model, placement: Placement, known: Outline | None = None) -> Outline:
    """The outline of *model*; *known* lends its scopes when it is of the same model. May run off the GUI thread."""
    lent = known if known is not None and known.model is model else None
    scopes = scopes_of(model) if lent is None else lent.scopes
    positions = {node.id: i for i, node in enumerate(model.nodes)} if lent is None else lent.positions
    verdict = placement.verdict
    node_class = np.array([_CLASS[verdict[node.id]] for node in model.nodes], dtype=np.int64)
    return Outline(model, placement, scopes, node_class, scopes.totals(node_class, len(ORDER)), positions)


class OutlineModel(QAbstractItemModel):
    """Rows of an `Outline`. The id of an index is the scope, or the number of scopes plus the position of the node."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Make an empty tree."""
        super().__init__(parent)
        self._outline: Outline | None = None
        self._title = ""
        self._kept: Bools | None = None
        self._counts: Ints = np.zeros((0, len(ORDER)), dtype=np.int64)
        self._rows: dict[int, tuple[int, ...]] = {}
        self._places: dict[int, dict[int, int]] = {}

    @property
    def outline(self) -> Outline | None:
        """What is shown; None without a model."""
        return self._outline

    def show(self, outline: Outline | None, title: str) -> None:
        """Show *outline* under the root row *title*, without a filter."""
        self.beginResetModel()
        self._outline, self._title = outline, title
        self._keep(None)
        self.endResetModel()

    def recolour(self, outline: Outline) -> None:
        """Take the verdicts of another placement of the same model; rows, expansion and selection stay."""
        self._outline = outline
        self._count()

    def narrow(self, kept: Bools | None) -> None:
        """Keep only the nodes for which *kept* (`[n]`) holds; None keeps all."""
        self.beginResetModel()
        self._keep(kept)
        self.endResetModel()

    def _keep(self, kept: Bools | None) -> None:
        self._kept, self._rows, self._places = kept, {}, {}
        self._count()

    def _count(self) -> None:
        outline, kept = self._outline, self._kept
        if outline is None or kept is None:
            self._counts = outline.counts if outline is not None else np.zeros((0, len(ORDER)), dtype=np.int64)
        else:
            self._counts = outline.scopes.totals(np.where(kept, outline.node_class, -1), len(ORDER))

    @property
    def hits(self) -> int:
        """Number of nodes that pass the filter."""
        return int(self._counts[ROOT].sum()) if len(self._counts) else 0

    # What stands in a row

    def node_at(self, index: Index) -> Node | None:
        """The node of a row; None for a scope."""
        if self._outline is None or not index.isValid():
            return None
        position = index.internalId() - len(self._outline.scopes)
        return self._outline.model.nodes[position] if position >= 0 else None

    def verdict_at(self, index: Index) -> NodeVerdict | None:
        """Verdict of the node of a row; None for a scope."""
        node = self.node_at(index)
        return None if node is None or self._outline is None else self._outline.placement.verdicts[node.id]

    def counts_at(self, index: Index) -> tuple[int, ...]:
        """Nodes per verdict below the scope of a row, as far as the filter lets them through; empty for a node."""
        if self._outline is None or not index.isValid() or index.internalId() >= len(self._outline.scopes):
            return ()
        return tuple(self._counts[index.internalId()].tolist())

    def nodes_in(self, index: Index) -> tuple[NodeId, ...]:
        """All nodes below the scope of a row that pass the filter; empty for a node."""
        outline = self._outline
        if outline is None or not index.isValid() or index.internalId() >= len(outline.scopes):
            return ()
        kept, nodes = self._kept, outline.model.nodes
        members = outline.scopes.members(index.internalId())
        return tuple(nodes[position].id for position in members if kept is None or kept[position])

    def index_of(self, node: NodeId) -> QModelIndex:
        """The row of *node*; invalid when the filter hides it or the model has no such node."""
        outline = self._outline
        position = outline.position(node) if outline is not None else None
        if outline is None or position is None or (self._kept is not None and not self._kept[position]):
            return QModelIndex()
        return self._index(len(outline.scopes) + position)

    # The interface of Qt

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        """The index of a row below *parent*."""
        if self._outline is None or column != 0 or row < 0:
            return QModelIndex()
        if parent is None or not parent.isValid():
            return self.createIndex(0, 0, ROOT) if row == 0 else QModelIndex()
        rows = self._below(parent.internalId())
        return self.createIndex(row, 0, rows[row]) if row < len(rows) else QModelIndex()

    def parent(self, index: Index | None = None) -> QModelIndex:  # type: ignore[override]
        """The index of the scope that holds a row."""
        if self._outline is None or index is None or not index.isValid():
            return QModelIndex()
        above = self._above(index.internalId())
        return QModelIndex() if above < 0 else self._index(above)

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of rows below *parent*."""
        if self._outline is None:
            return 0
        return 1 if parent is None or not parent.isValid() else len(self._below(parent.internalId()))

    def hasChildren(self, parent: Index | None = None) -> bool:
        """Whether anything stands below *parent*, without making its rows."""
        outline = self._outline
        if outline is None:
            return False
        if parent is None or not parent.isValid():
            return True
        item = parent.internalId()
        return item < len(outline.scopes) and bool(self._counts[item].any())

    def columnCount(self, _parent: Index | None = None) -> int:
        """One column; the bar and the count are painted into it."""
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Title and texts for the tooltip and for screen readers."""
        outline = self._outline
        if outline is None or not index.isValid():
            return None
        node = self.node_at(index)
        if role == Qt.ItemDataRole.DisplayRole:
            return self._scope_title(index.internalId()) if node is None else self._node_title(index.internalId())
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(outline.scopes.paths[index.internalId()] or self._title if node is None else node.label)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(index, node)
        return None

    def _spoken(self, index: Index, node: Node | None) -> str:
        verdict = self.verdict_at(index)
        if node is not None and verdict is not None:
            return self.tr("{name}, {op}, {verdict}").format(
                name=node.label, op=node.op.name, verdict=verdict_name(verdict.verdict)
            )
        title, count = self._scope_title(index.internalId()), sum(self.counts_at(index))
        return self.tr("{name}, %n node(s)", "", count).format(name=title)

    def _scope_title(self, scope: int) -> str:
        return self._outline.scopes.names[scope] or self._title if self._outline is not None else ""

    def _node_title(self, item: int) -> str:
        outline = self._outline
        return "" if outline is None else outline.scopes.titles[item - len(outline.scopes)]

    # Rows are made when they are asked for

    def _above(self, item: int) -> int:
        if self._outline is None:
            return -1
        scopes = self._outline.scopes
        return int(scopes.parent[item] if item < len(scopes) else scopes.scope_of[item - len(scopes)])

    def _below(self, item: int) -> tuple[int, ...]:
        outline = self._outline
        if outline is None or item >= len(outline.scopes):
            return ()
        rows = self._rows.get(item)
        if rows is None:
            scopes, kept = outline.scopes, self._kept
            inner = [scope for scope in scopes.inner[item] if self._counts[scope].any()]
            nodes = [len(scopes) + n for n in scopes.direct[item] if kept is None or kept[n]]
            rows = self._rows[item] = (*inner, *nodes)
        return rows

    def _index(self, item: int) -> QModelIndex:
        above = self._above(item)
        if above < 0:
            return self.createIndex(0, 0, ROOT)
        places = self._places.get(above)
        if places is None:
            places = self._places[above] = {other: row for row, other in enumerate(self._below(above))}
        return self.createIndex(places[item], 0, item) if item in places else QModelIndex()
