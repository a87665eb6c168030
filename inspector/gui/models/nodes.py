"""`NodesModel`: all nodes as a table. Rows are nodes in the model's order."""

from collections.abc import Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QSortFilterProxyModel, Qt

from inspector.gui.fonts import Role, font
from inspector.gui.glyphs import verdict_icon
from inspector.gui.look import look
from inspector.gui.words import NONE, bytes_text, count_text, headline, plain_tip, verdict_name
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text as shape_text
from inspector.placement.cost import NodeCost
from inspector.placement.verdict import SEVERITY, NodeVerdict, Placement, Standing, Verdict

Index = QModelIndex | QPersistentModelIndex

SORT_ROLE = Qt.ItemDataRole.UserRole
NODE_ROLE = Qt.ItemDataRole.UserRole + 1


class Column(IntEnum):
    """Columns of the table."""

    VERDICT = 0
    OP = 1
    NAME = 2
    SHAPE = 3
    MACS = 4
    BYTES = 5
    SEGMENT = 6
    REASON = 7


_RIGHT = frozenset({Column.MACS, Column.BYTES, Column.SEGMENT})
_MONO = frozenset({Column.NAME, Column.SHAPE})


class NodesModel(QAbstractTableModel):
    """Nodes with verdict, operator, name, output shape, cost, segment and reason."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Make an empty table."""
        super().__init__(parent)
        self._nodes: tuple[Node, ...] = ()
        self._rows: dict[NodeId, int] = {}
        self._model: Model | None = None
        self._placement: Placement | None = None
        self._segment: dict[NodeId, int] = {}
        self._costs: Mapping[NodeId, NodeCost] = {}

    def show(
        self, model: Model | None, placement: Placement | None, costs: Mapping[NodeId, NodeCost] = MappingProxyType({})
    ) -> None:
        """List the nodes of *model* with their *costs*; model and placement are None for an empty table."""
        self.beginResetModel()
        self._model, self._placement = model, placement
        self._nodes = model.nodes if model is not None else ()
        self._rows = {node.id: row for row, node in enumerate(self._nodes)}
        segments = placement.segments if placement is not None else ()
        self._segment = {node: segment.index for segment in segments for node in segment.nodes}
        self._costs = costs
        self.endResetModel()

    def recolour(self, placement: Placement) -> None:
        """Take the verdicts of another placement of the same model; the view must be painted anew.

        No signal is sent: a filter would look at every row again, which only its owner knows to be needed.
        """
        self._placement = placement
        self._segment = {node: segment.index for segment in placement.segments for node in segment.nodes}

    def row_of(self, node: NodeId) -> int | None:
        """The row of *node*, or None."""
        return self._rows.get(node)

    def verdict_at(self, row: int) -> Verdict | None:
        """Verdict of the node in *row*; None without a placement."""
        return None if self._placement is None else self._placement.verdicts[self._nodes[row].id].verdict

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of nodes."""
        return 0 if parent is not None and parent.isValid() else len(self._nodes)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Titles of the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._titles()[section]
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in _RIGHT else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        if not index.isValid() or self._model is None or self._placement is None:
            return None
        node, column = self._nodes[index.row()], Column(index.column())
        verdict = self._placement.verdicts[node.id]
        if role == NODE_ROLE:
            return node.id
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(node, verdict, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._text(node, verdict, column))
        if role == SORT_ROLE:
            return self._sort_key(node, verdict, column)
        if role == Qt.ItemDataRole.DecorationRole and column is Column.VERDICT:
            return verdict_icon(verdict.verdict, verdict.standing is Standing.INFERRED, look())
        if role == Qt.ItemDataRole.TextAlignmentRole and column in _RIGHT:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole:
            return font(Role.SMALL if column in _MONO else Role.TEXT, mono=column in _MONO)
        return None

    def _titles(self) -> Sequence[str]:
        return (
            self.tr("Verdict"),
            self.tr("Op"),
            self.tr("Name"),
            self.tr("Output shape"),
            self.tr("MACs"),
            self.tr("Out bytes"),
            self.tr("Segment"),
            self.tr("Reason"),
        )

    def _text(self, node: Node, verdict: NodeVerdict, column: Column) -> str:
        if column is Column.VERDICT:
            return verdict_name(verdict.verdict)
        if column is Column.OP:
            return str(node.op)
        if column is Column.NAME:
            return node.label
        if column is Column.SHAPE:
            return self._shape(node)
        if column is Column.MACS:
            return count_text(self._cost(node).macs)
        if column is Column.BYTES:
            return bytes_text(self._cost(node).bytes_out)
        if column is Column.SEGMENT:
            segment = self._segment.get(node.id)
            return NONE if segment is None else str(segment + 1)
        return "" if verdict.verdict is Verdict.BPU else headline(verdict)

    def _sort_key(self, node: Node, verdict: NodeVerdict, column: Column) -> object:
        if column is Column.VERDICT:
            return -SEVERITY[verdict.verdict]
        if column is Column.MACS:
            return self._cost(node).macs or 0
        if column is Column.BYTES:
            return self._cost(node).bytes_out or 0
        if column is Column.SEGMENT:
            return self._segment.get(node.id, -1)
        return self._text(node, verdict, column)

    def _shape(self, node: Node) -> str:
        first = next((name for name in node.outputs if name), None)
        return NONE if first is None or self._model is None else shape_text(self._model.value(node.graph, first).shape)

    def _cost(self, node: Node) -> NodeCost:
        return self._costs.get(node.id) or NodeCost(None, None, None)


class NodesFilter(QSortFilterProxyModel):
    """Sorts by value and filters by text and verdict."""

    def __init__(self, source: NodesModel, parent: QObject | None = None) -> None:
        """Filter *source*; everything is let through at first."""
        super().__init__(parent)
        self._verdicts: frozenset[Verdict] = frozenset()
        self._text = ""
        self._source = source
        self.setSourceModel(source)
        self.setSortRole(SORT_ROLE)

    def set_text(self, text: str) -> None:
        """Keep nodes whose operator, name or reason holds *text*, in any letter case."""
        self._text = text.strip().casefold()
        self.invalidate()

    def set_verdicts(self, verdicts: frozenset[Verdict]) -> None:
        """Keep nodes with one of *verdicts*; an empty set keeps all."""
        self._verdicts = verdicts
        self.invalidate()

    @property
    def idle(self) -> bool:
        """Whether all rows are shown, in the model's order."""
        return not self._verdicts and not self._text and self.sortColumn() < 0

    def filterAcceptsRow(self, source_row: int, _source_parent: Index) -> bool:
        """Whether a row passes both filters."""
        wanted = self._source.verdict_at(source_row)
        if self._verdicts and wanted not in self._verdicts:
            return False
        if not self._text:
            return True
        columns = (Column.OP, Column.NAME, Column.REASON)
        return any(self._text in str(self._source.index(source_row, c).data()).casefold() for c in columns)
