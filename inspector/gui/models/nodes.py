"""`NodesModel`: all nodes as a table that sorts and filters by arrays, so that tens of thousands take no time."""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from types import MappingProxyType

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.fonts import Role, font
from inspector.gui.glyphs import verdict_icon
from inspector.gui.look import look
from inspector.gui.words import NONE, bytes_text, count_text, decisive_check, headline, plain_tip, verdict_name
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text as shape_text
from inspector.placement.cost import NodeCost
from inspector.placement.verdict import SEVERITY, NodeVerdict, Placement, Standing, Verdict

Index = QModelIndex | QPersistentModelIndex
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

SORT_ROLE = Qt.ItemDataRole.UserRole
NODE_ROLE = Qt.ItemDataRole.UserRole + 1


class Column(IntEnum):
    """Columns of the table."""

    VERDICT = 0
    OP = 1
    NAME = 2
    INPUT = 3
    SHAPE = 4
    DTYPE = 5
    MACS = 6
    BYTES = 7
    SEGMENT = 8
    REASON = 9


_RIGHT = frozenset({Column.MACS, Column.BYTES, Column.SEGMENT})
_MONO = frozenset({Column.NAME, Column.INPUT, Column.SHAPE, Column.DTYPE})
_NUMBER = re.compile(r"\d+")
_NO_ROWS: Ints = np.zeros(0, dtype=np.int64)


class NodesModel(QAbstractTableModel):
    """A row per node. Rows keep the model's order until `sort` is called; filters leave rows out."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Make an empty table."""
        super().__init__(parent)
        self._nodes: tuple[Node, ...] = ()
        self._position: dict[NodeId, int] = {}
        self._model: Model | None = None
        self._placement: Placement | None = None
        self._segment: dict[NodeId, int] = {}
        self._costs: Mapping[NodeId, NodeCost] = {}
        self._kept: Bools | None = None
        self._verdicts: frozenset[Verdict] = frozenset()
        self._sorted_by: tuple[Column, bool] | None = None
        self._order: Ints | None = None
        self._rows, self._place = _NO_ROWS, _NO_ROWS

    # What is listed

    def show(
        self, model: Model | None, placement: Placement | None, costs: Mapping[NodeId, NodeCost] = MappingProxyType({})
    ) -> None:
        """List the nodes of *model* with their *costs*; model and placement are None for an empty table."""
        self.beginResetModel()
        self._model, self._costs = model, costs
        self._nodes = model.nodes if model is not None else ()
        self._position = {node.id: position for position, node in enumerate(self._nodes)}
        self._kept = None
        self._take(placement)
        self.endResetModel()

    def recolour(self, placement: Placement) -> bool:
        """Take the verdicts of another placement of the same model; whether rows moved.

        Without a filter and an order that look at verdicts no signal is sent: the view only has to paint anew.
        """
        placed = self._sorted_by is not None and self._sorted_by[0] in (Column.VERDICT, Column.SEGMENT, Column.REASON)
        if not placed and not self._verdicts:
            self._placement = placement
            self._number_segments(placement)
            return False
        self.beginResetModel()
        self._take(placement)
        self.endResetModel()
        return True

    def keep(self, kept: Bools | None) -> None:
        """Leave out the nodes for which *kept* (`[n]`, in the model's order) does not hold; None leaves out none."""
        self.beginResetModel()
        self._kept = kept
        self._arrange()
        self.endResetModel()

    def set_verdicts(self, verdicts: frozenset[Verdict]) -> None:
        """Leave out nodes with another verdict than *verdicts*; an empty set leaves out none."""
        if verdicts != self._verdicts:
            self.beginResetModel()
            self._verdicts = verdicts
            self._arrange()
            self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Order the rows by *column*, nodes without a figure last; a negative column restores the model's order."""
        wanted = None if column < 0 else (Column(column), order is Qt.SortOrder.DescendingOrder)
        if wanted != self._sorted_by:
            self.beginResetModel()
            self._sorted_by, self._order = wanted, None
            self._arrange()
            self.endResetModel()

    @property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes in the model's order, also those that filters leave out."""
        return self._nodes

    @property
    def placement(self) -> Placement | None:
        """The verdicts that are shown."""
        return self._placement

    def row_of(self, node: NodeId) -> int | None:
        """The row of *node*; None when filters leave it out or the model has none such."""
        position = self._position.get(node)
        row = -1 if position is None else int(self._place[position])
        return None if row < 0 else row

    def node_at(self, row: int) -> Node:
        """The node of a row."""
        return self._nodes[int(self._rows[row])]

    def _take(self, placement: Placement | None) -> None:
        self._placement = placement
        self._number_segments(placement)
        self._order = None
        self._arrange()

    def _number_segments(self, placement: Placement | None) -> None:
        segments = placement.segments if placement is not None else ()
        self._segment = {node: segment.index for segment in segments for node in segment.nodes}

    def _arrange(self) -> None:
        """Find the rows: the order, less what the filters leave out."""
        if self._order is None:
            self._order = self._sorted()
        rows = self._order
        if self._kept is not None and len(self._kept) == len(self._nodes):
            rows = rows[self._kept[rows]]
        if self._verdicts and self._placement is not None:
            verdict, wanted = self._placement.verdict, self._verdicts
            fits = np.array([verdict[node.id] in wanted for node in self._nodes], dtype=np.bool_)
            rows = rows[fits[rows]]
        self._rows = rows
        self._place = np.full(len(self._nodes), -1, dtype=np.int64)
        self._place[rows] = np.arange(len(rows))

    # Sorting

    def _sorted(self) -> Ints:
        if self._sorted_by is None or self._placement is None:
            return np.arange(len(self._nodes), dtype=np.int64)
        column, descending = self._sorted_by
        figures = self._figures(column)
        if figures is not None:
            return np.argsort(-figures if descending else figures, kind="stable").astype(np.int64)
        texts = list(map(self._text_key(column), self._nodes))
        ranks = {text: rank for rank, text in enumerate(sorted(set(texts), key=_natural))}
        rank = np.fromiter((ranks[text] for text in texts), np.int64, len(texts))
        return np.argsort(-rank if descending else rank, kind="stable").astype(np.int64)

    def _figures(self, column: Column) -> Floats | None:
        """`[n]` what a column of figures is sorted by, NaN where there is none; None for a column of texts."""
        verdict = self._placement.verdict if self._placement is not None else {}
        figure: dict[Column, Callable[[Node], float | None]] = {
            Column.VERDICT: lambda node: -SEVERITY[verdict[node.id]],
            Column.MACS: lambda node: self._cost(node).macs,
            Column.BYTES: lambda node: self._cost(node).bytes_out,
            Column.SEGMENT: lambda node: self._segment.get(node.id),
        }
        of = figure.get(column)
        return None if of is None else np.array([of(node) for node in self._nodes], dtype=np.float64)

    def _text_key(self, column: Column) -> Callable[[Node], str]:
        if column is Column.REASON:  # by what decided: sentences of thousands of nodes would take too long
            return lambda node: self._decided_by(node)
        keys: dict[Column, Callable[[Node], str]] = {
            Column.OP: lambda node: str(node.op),
            Column.NAME: lambda node: node.label,
            Column.INPUT: lambda node: self._shape(node, node.inputs),
            Column.SHAPE: lambda node: self._shape(node, node.outputs),
        }
        return keys.get(column, self._dtype)

    def _decided_by(self, node: Node) -> str:
        verdict = self._placement.verdicts[node.id] if self._placement is not None else None
        if verdict is None or verdict.verdict is Verdict.BPU:
            return "\uffff"  # behind those with a reason
        check = decisive_check(verdict)
        return check.clause if check is not None else verdict.because[0].pass_name if verdict.because else ""

    # The interface of Qt

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of nodes that the filters let through."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Titles of the columns."""
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.titles()[section]
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in _RIGHT else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        if not index.isValid() or self._placement is None:
            return None
        node, column = self.node_at(index.row()), Column(index.column())
        verdict = self._placement.verdicts[node.id]
        if role == NODE_ROLE:
            return node.id
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(node, verdict, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._text(node, verdict, column))
        if role == Qt.ItemDataRole.DecorationRole and column is Column.VERDICT:
            return verdict_icon(verdict.verdict, verdict.standing is Standing.INFERRED, look())
        if role == Qt.ItemDataRole.TextAlignmentRole and column in _RIGHT:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole:
            return font(Role.SMALL if column in _MONO else Role.TEXT, mono=column in _MONO)
        return None

    def titles(self) -> Sequence[str]:
        """Titles of all columns in the current language."""
        return (
            self.tr("Verdict"),
            self.tr("Op"),
            self.tr("Name"),
            self.tr("Input shape"),
            self.tr("Output shape"),
            self.tr("Type"),
            self.tr("MACs"),
            self.tr("Out bytes"),
            self.tr("Segment"),
            self.tr("Reason"),
        )

    def _text(self, node: Node, verdict: NodeVerdict, column: Column) -> str:
        match column:
            case Column.VERDICT:
                return verdict_name(verdict.verdict)
            case Column.OP:
                return str(node.op)
            case Column.NAME:
                return node.label
            case Column.INPUT:
                return self._shape(node, node.inputs)
            case Column.SHAPE:
                return self._shape(node, node.outputs)
            case Column.DTYPE:
                return self._dtype(node)
            case Column.MACS:
                return count_text(self._cost(node).macs)
            case Column.BYTES:
                return bytes_text(self._cost(node).bytes_out)
            case Column.SEGMENT:
                segment = self._segment.get(node.id)
                return NONE if segment is None else str(segment + 1)
            case Column.REASON:
                return "" if verdict.verdict is Verdict.BPU else headline(verdict)

    def _shape(self, node: Node, names: Sequence[str]) -> str:
        """Shape of the first tensor of *names*."""
        first = next((name for name in names if name), None)
        return NONE if first is None or self._model is None else shape_text(self._model.value(node.graph, first).shape)

    def _dtype(self, node: Node) -> str:
        """Element type of the first output."""
        first = next((name for name in node.outputs if name), None)
        found = self._model.value(node.graph, first).dtype if first is not None and self._model is not None else None
        return NONE if found is None else str(found)

    def _cost(self, node: Node) -> NodeCost:
        return self._costs.get(node.id) or NodeCost(None, None, None)


def _natural(text: str) -> str:
    """*text* so that its numbers sort by value: `Conv_2` before `Conv_10`."""
    return _NUMBER.sub(lambda number: number[0].zfill(12), text)
