"""Nodes: the table of all nodes with a filter field and a menu of its columns."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QMenu,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.fonts import Role
from inspector.gui.icons import icon
from inspector.gui.measures import scaled
from inspector.gui.models.nodes import NODE_ROLE, Column, NodesModel
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import label, row
from inspector.model.graph import Model, NodeId
from inspector.placement.cost import NodeCost
from inspector.placement.query import Key, NodeIndex, parse
from inspector.placement.verdict import Placement, Verdict

_WIDTHS = {
    Column.VERDICT: 112,
    Column.OP: 120,
    Column.NAME: 156,
    Column.INPUT: 116,
    Column.SHAPE: 116,
    Column.DTYPE: 72,
    Column.MACS: 72,
    Column.BYTES: 80,
    Column.SEGMENT: 72,
}
_HIDDEN = (Column.INPUT, Column.DTYPE)
_DELAY_MS = 120


class NodesPanel(QWidget):
    """A sortable table of the model's nodes.

    Signals:
        node_picked: a row was selected.
        nodes_picked: several rows are selected; tuple of node ids in the table's order.
        node_activated: a row was double clicked.
        menu_asked: `(node id, global position)` for the context menu.
    """

    node_picked = Signal(object)
    nodes_picked = Signal(tuple)
    node_activated = Signal(object)
    menu_asked = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty table."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._quiet = False
        self._selected: NodeId | None = None
        self._index: NodeIndex | None = None
        self.model = NodesModel(self)
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(Size.LEFT)
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self._narrow)
        self.filter.textChanged.connect(lambda: self._timer.start())
        self._count = label("", Role.SMALL, tone="second")
        self.columns, self.copy = QToolButton(), QToolButton()
        self.columns.clicked.connect(
            lambda: self._columns_menu(self.columns.mapToGlobal(self.columns.rect().bottomLeft()))
        )
        self.copy.clicked.connect(lambda: self.table.copy_rows(titles=True))
        self._make_table()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, Space.XS, 0, 0)
        outer.setSpacing(Space.XS)
        tools = row(self.filter, self._count, None, self.copy, self.columns)
        tools.setContentsMargins(Space.M, 0, Space.M, 0)
        outer.addLayout(tools)
        outer.addWidget(self.table, 1)
        self.retranslate()

    def _make_table(self) -> None:
        self.table = RowTable()
        self.table.setModel(self.model)
        header = self.table.horizontalHeader()
        header.setSortIndicatorClearable(True)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(lambda spot: self._columns_menu(header.mapToGlobal(spot)))
        for column, width in _WIDTHS.items():
            self.table.setColumnWidth(column, scaled(width))
        for column in _HIDDEN:
            self.table.setColumnHidden(column, True)
        self.table.selectionModel().selectionChanged.connect(lambda: self._chosen())
        self.table.doubleClicked.connect(lambda index: self.node_activated.emit(index.data(NODE_ROLE)))
        self.table.customContextMenuRequested.connect(self._menu)
        self.model.modelAboutToBeReset.connect(lambda: self._hold(True))
        self.model.modelReset.connect(self._restored)

    def retranslate(self) -> None:
        """Set the fixed texts in the current language, and icons in the theme in use."""
        self.filter.setPlaceholderText(self.tr("Filter: name, or op:Conv rank:5 status:cpu"))
        self.filter.setAccessibleName(self.tr("Filter nodes"))
        self.table.setAccessibleName(self.tr("Nodes"))
        buttons = (
            (self.columns, "columns-3", self.tr("Columns")),
            (self.copy, "copy", self.tr("Copy rows as a table")),
        )
        for made, drawing, title in buttons:
            made.setIcon(icon(drawing))
            made.setIconSize(QSize(Size.ICON, Size.ICON))
            made.setToolTip(title)
            made.setAccessibleName(title)
        self.table.setIconSize(QSize(Size.GLYPH, Size.GLYPH))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)
        self.table.viewport().update()
        self._tell()

    # What is listed

    def show_model(self, model: Model, placement: Placement, costs: Mapping[NodeId, NodeCost]) -> None:
        """List the nodes of *model* with their *costs*."""
        self._index = None
        self.model.show(model, placement, costs)

    def set_index(self, index: NodeIndex | None) -> None:
        """Filter with *index* from now on, which is of the model that is shown; repeats the present filter."""
        self._index = index
        if self.filter.text().strip():
            self._narrow()

    def recolour(self, placement: Placement) -> None:
        """Show the verdicts of another placement; selection and scroll position stay."""
        if not self.model.recolour(placement):
            self.table.viewport().update()
        if any(one.key in (Key.STATUS, Key.CLAUSE) for one in parse(self.filter.text()).filters):
            self._narrow()

    def set_verdicts(self, verdicts: frozenset[Verdict]) -> None:
        """Keep nodes with one of *verdicts*; empty for all."""
        self.model.set_verdicts(verdicts)

    def _narrow(self) -> None:
        index, query = self._index, parse(self.filter.text())
        kept = None
        if index is not None and index.nodes is self.model.nodes and not query.empty:
            found = {node.id for node in index.find(query, self.model.placement)}
            kept = np.array([node.id in found for node in index.nodes], dtype=np.bool_)
        self.model.keep(kept)

    def _tell(self) -> None:
        shown, every = self.model.rowCount(), len(self.model.nodes)
        self._count.setText(self.tr("{n} of {all}").format(n=shown, all=every) if shown != every else "")

    # Selection

    def show_selected(self, node: NodeId | None) -> None:
        """Mark the row of *node* without telling anybody."""
        self._selected = node
        row_ = self.model.row_of(node) if node is not None else None
        self._hold(True)
        if row_ is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(self.model.index(-1, -1))
        elif row_ != self.table.currentIndex().row() or len(self.table.chosen_rows()) != 1:
            index = self.model.index(row_, Column.VERDICT)
            how = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.table.selectionModel().setCurrentIndex(index, how)
            self.table.scrollTo(index)
        self._hold(False)

    def show_several(self, nodes: tuple[NodeId, ...]) -> None:
        """Mark the rows of *nodes* without telling anybody."""
        rows = sorted(row_ for node in nodes if (row_ := self.model.row_of(node)) is not None)
        selection, last = QItemSelection(), self.model.columnCount() - 1
        for first, end in _runs(rows):
            selection.select(self.model.index(first, 0), self.model.index(end, last))
        self._hold(True)
        self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._hold(False)

    def _hold(self, quiet: bool) -> None:
        self._quiet = quiet

    def _restored(self) -> None:
        """Rows are others now: mark the selected node again."""
        self._hold(False)
        self._tell()
        self.show_selected(self._selected)

    def _chosen(self) -> None:
        if self._quiet:
            return
        nodes = tuple(self.model.node_at(row_).id for row_ in self.table.chosen_rows())
        if len(nodes) == 1:
            self.node_picked.emit(nodes[0])
        elif nodes:
            self.nodes_picked.emit(nodes)

    # Menus

    def _menu(self, position: QPoint) -> None:
        node = self.table.indexAt(position).data(NODE_ROLE)
        if node is not None:
            self.menu_asked.emit(node, self.table.viewport().mapToGlobal(position))

    def columns_menu(self) -> QMenu:
        """A menu with a switch per column; the name stays, so that a row can be told."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for column, title in zip(Column, self.model.titles(), strict=True):
            action = menu.addAction(title)
            action.setCheckable(True)
            action.setChecked(not self.table.isColumnHidden(column))
            action.setEnabled(column is not Column.NAME)
            action.toggled.connect(partial(self._show_column, column))
        return menu

    def _columns_menu(self, position: QPoint) -> None:
        self.columns_menu().popup(position)

    def _show_column(self, column: Column, on: bool) -> None:
        self.table.setColumnHidden(column, not on)


def _runs(rows: list[int]) -> list[tuple[int, int]]:
    """Rows in order as runs of neighbours, first and last each."""
    found: list[tuple[int, int]] = []
    for one in rows:
        if found and found[-1][1] == one - 1:
            found[-1] = (found[-1][0], one)
        else:
            found.append((one, one))
    return found


class RowTable(QTableView):
    """A table whose selected rows are copied as tab-separated values."""

    def __init__(self) -> None:
        super().__init__()
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(Size.ROW_TABLE)
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def setSelectionModel(self, chosen: QItemSelectionModel) -> None:
        """Follow *chosen*; the header does not, since it would look at every row to learn which columns are chosen."""
        super().setSelectionModel(chosen)
        header = self.horizontalHeader()
        header.setSelectionModel(QItemSelectionModel(chosen.model(), header))

    def chosen_rows(self) -> Sequence[int]:
        """Rows that are selected, in order; from ranges: Qt would ask the model about every cell."""
        ranges = self.selectionModel().selection().toList()
        return sorted({row_ for part in ranges for row_ in range(part.top(), part.bottom() + 1)})

    def copy_rows(self, *, titles: bool) -> None:
        """Copy the selected rows, or all when none is, as tab-separated values; *titles* puts the titles first."""
        header, model = self.horizontalHeader(), self.model()
        shown = [c for c in map(header.logicalIndex, range(header.count())) if not self.isColumnHidden(c)]
        rows = self.chosen_rows() or range(model.rowCount())
        lines = [[str(model.index(r, c).data()) for c in shown] for r in rows]
        if titles:
            lines.insert(0, [str(model.headerData(c, Qt.Orientation.Horizontal)) for c in shown])
        QApplication.clipboard().setText("\n".join("\t".join(line) for line in lines))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy on Ctrl+C."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.selectionModel().hasSelection():
            self.copy_rows(titles=False)
            event.accept()
        else:
            super().keyPressEvent(event)
