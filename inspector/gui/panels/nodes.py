"""Nodes: the table of all nodes with a filter field."""

from collections.abc import Mapping

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLineEdit, QTableView, QVBoxLayout, QWidget

from inspector.gui.models.nodes import NODE_ROLE, Column, NodesFilter, NodesModel
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import row
from inspector.model.graph import Model, NodeId
from inspector.placement.cost import NodeCost
from inspector.placement.verdict import Placement, Verdict

_WIDTHS = {
    Column.VERDICT: 120,
    Column.OP: 112,
    Column.NAME: 172,
    Column.SHAPE: 124,
    Column.MACS: 80,
    Column.BYTES: 84,
    Column.SEGMENT: 72,
}


class NodesPanel(QWidget):
    """A sortable table of the model's nodes.

    Signals:
        node_picked: a row was selected.
        node_activated: a row was double clicked.
        menu_asked: `(node id, global position)` for the context menu.
    """

    node_picked = Signal(object)
    node_activated = Signal(object)
    menu_asked = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty table."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.model = NodesModel(self)
        self.proxy = NodesFilter(self.model, self)
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self.filter.setFixedWidth(Size.LEFT)
        self.filter.textChanged.connect(self.proxy.set_text)
        self.table = RowTable()
        self.table.setModel(self.proxy)
        for column, width in _WIDTHS.items():
            self.table.setColumnWidth(column, width)
        self.table.selectionModel().currentRowChanged.connect(self._current)
        self.table.doubleClicked.connect(lambda index: self.node_activated.emit(index.data(NODE_ROLE)))
        self.table.customContextMenuRequested.connect(self._menu)
        self._quiet = False
        outer = QVBoxLayout(self)
        outer.setContentsMargins(Space.M, Space.S, Space.M, 0)
        outer.setSpacing(Space.S)
        outer.addLayout(row(self.filter, None))
        outer.addWidget(self.table, 1)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self.filter.setPlaceholderText(self.tr("Filter: op, name or reason"))
        self.filter.setAccessibleName(self.tr("Filter nodes"))
        self.table.setAccessibleName(self.tr("Nodes"))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)
        self.table.viewport().update()

    def show_model(self, model: Model, placement: Placement, costs: Mapping[NodeId, NodeCost]) -> None:
        """List the nodes of *model* with their *costs*."""
        self._quiet = True
        self.model.show(model, placement, costs)
        self._quiet = False

    def recolour(self, placement: Placement) -> None:
        """Show the verdicts of another placement; selection and scroll position stay."""
        self.model.recolour(placement)
        if not self.proxy.idle:
            self.proxy.invalidate()
        self.table.viewport().update()

    def set_verdicts(self, verdicts: frozenset[Verdict]) -> None:
        """Keep nodes with one of *verdicts*; empty for all."""
        self.proxy.set_verdicts(verdicts)

    def show_selected(self, node: NodeId | None) -> None:
        """Mark the row of *node* without telling anybody."""
        row_ = self.model.row_of(node) if node is not None else None
        self._quiet = True
        if row_ is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(self.proxy.index(-1, -1))
        else:
            index = self.proxy.mapFromSource(self.model.index(row_, Column.VERDICT))
            self.table.selectionModel().setCurrentIndex(
                index,
                QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows,
            )
            self.table.scrollTo(index)
        self._quiet = False

    def _current(self) -> None:
        node = self.table.currentIndex().data(NODE_ROLE)
        if not self._quiet and node is not None:
            self.node_picked.emit(node)

    def _menu(self, position: QPoint) -> None:
        node = self.table.indexAt(position).data(NODE_ROLE)
        if node is not None:
            self.menu_asked.emit(node, self.table.viewport().mapToGlobal(position))


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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy on Ctrl+C."""
        if event.matches(QKeySequence.StandardKey.Copy):
            columns = range(self.model().columnCount())
            lines = [
                "\t".join(str(index.siblingAtColumn(c).data()) for c in columns)
                for index in self.selectionModel().selectedRows()
            ]
            QApplication.clipboard().setText("\n".join(lines))
            event.accept()
        else:
            super().keyPressEvent(event)
