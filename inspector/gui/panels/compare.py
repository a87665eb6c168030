"""Compare: which nodes another target places otherwise, and by which clause on each side."""

from collections import Counter

from PySide6.QtCore import QItemSelectionModel, QPoint, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.i18n import language
from inspector.gui.models.compare import CompareColumn, CompareModel
from inspector.gui.models.nodes import NODE_ROLE, SORT_ROLE
from inspector.gui.panels.nodes import RowTable
from inspector.gui.theme import Space
from inspector.gui.widgets import Elided, button, row
from inspector.gui.words import bytes_text, plain_tip, say_text, verdict_name
from inspector.model.graph import Model, NodeId
from inspector.placement.compare import Comparison
from inspector.placement.verdict import Placement
from inspector.report.comparison import copied
from inspector.report.text import target_text

_WIDTHS = {
    CompareColumn.OP: 96,
    CompareColumn.NAME: 148,
    CompareColumn.HERE: 124,
    CompareColumn.THERE: 124,
}

_LEAST_REASON = 180
"""Least width of a reason in pixels; the table scrolls where there is less."""


class ComparePanel(QWidget):
    """Counts, a table of the changes, and what to do with them.

    Signals:
        node_picked: a row was selected.
        menu_asked: `(node id, global position)` for the context menu.
        target_asked: another target to compare with is wanted.
        dim_changed: whether unchanged nodes are to be drawn faint in the canvas.
        closed: the comparison is to end.
    """

    node_picked = Signal(object)
    menu_asked = Signal(object, QPoint)
    target_asked = Signal()
    dim_changed = Signal(bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty panel."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._shown: tuple[Model, Comparison] | None = None
        self._failure: str | None = None
        self._quiet = False
        self.headline = Elided("", Role.HEADLINE)
        self.details = Elided("", Role.SMALL, tone="second")
        self.dim = QCheckBox()
        self.dim.toggled.connect(self.dim_changed)
        self.another = button("", self.target_asked.emit, role="link")
        self.close_button = button("", self.closed.emit, role="link")
        self.model = CompareModel(self)
        self.proxy = QSortFilterProxyModel(self)
        self.proxy.setSourceModel(self.model)
        self.proxy.setSortRole(SORT_ROLE)
        self.table = RowTable()
        self.table.setModel(self.proxy)
        self.table.customContextMenuRequested.connect(self._menu)
        for column, width in _WIDTHS.items():
            self.table.setColumnWidth(column, width)
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.selectionModel().currentRowChanged.connect(self._current)
        column_ = QVBoxLayout(self)
        column_.setContentsMargins(Space.M, Space.S, Space.M, 0)
        column_.setSpacing(Space.XS)
        lines = (row(self.headline, self.close_button), row(self.details, self.dim, self.another))
        for line in lines:
            line.setStretch(0, 1)
            column_.addLayout(line)
        column_.addWidget(self.table, 1)
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share what the other columns leave between the two reasons."""
        super().resizeEvent(event)
        room = self.width() - 2 * Space.M - sum(_WIDTHS.values()) - self.table.verticalScrollBar().sizeHint().width()
        for column in (CompareColumn.WHY_HERE, CompareColumn.WHY_THERE):
            self.table.setColumnWidth(column, max(room // 2, _LEAST_REASON))

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.dim.setText(self.tr("Dim unchanged nodes"))
        self.dim.setToolTip(self.tr("Draw nodes whose verdict is the same on both targets faint"))
        self.another.setText(self.tr("Another target…"))
        self.close_button.setText(self.tr("Close"))
        self.close_button.setToolTip(self.tr("End the comparison"))
        self.table.setAccessibleName(self.tr("Nodes that change"))
        self.model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(CompareColumn) - 1)
        if self._shown is not None:
            self.show_comparison(*self._shown)
        elif self._failure is not None:
            self.show_failure(self._failure)
        else:
            self.show_waiting()

    @property
    def is_waiting(self) -> bool:
        """Whether neither a comparison nor a failure is shown."""
        return self._shown is None and self._failure is None

    def show_waiting(self) -> None:
        """Show that a comparison is under way, and nothing of the one before."""
        self._failure = None
        self._show(None, self.tr("Comparing"), "")

    def show_failure(self, text: str) -> None:
        """Show why there is no comparison."""
        self._failure = text
        self._show(None, self.tr("No comparison"), text)

    def show_comparison(self, model: Model, comparison: Comparison) -> None:
        """Show what changes in *model*."""
        self._failure = None
        self._show((model, comparison), self._counts(comparison), self._details(comparison))

    def show_selected(self, node: NodeId | None) -> None:
        """Mark the row of *node* without telling anybody."""
        row_ = self.model.row_of(node) if node is not None else None
        self._quiet = True
        if row_ is None:
            self.table.clearSelection()
            self.table.setCurrentIndex(self.proxy.index(-1, -1))
        else:
            index = self.proxy.mapFromSource(self.model.index(row_, CompareColumn.OP))
            flags = QItemSelectionModel.SelectionFlag
            self.table.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.table.scrollTo(index)
        self._quiet = False

    def _show(self, shown: tuple[Model, Comparison] | None, headline: str, details: str) -> None:
        self._shown = shown
        self._quiet = True
        self.model.show(*(shown or (None, None)))
        self._quiet = False
        self.headline.setText(headline)
        self.headline.setToolTip(plain_tip(headline))
        self.details.setText(details)
        self.details.setToolTip(plain_tip(details))
        self.dim.setEnabled(shown is not None)

    def _counts(self, comparison: Comparison) -> str:
        """`12 of 44 nodes change: 9 CPU → BPU, 3 BPU → Unknown`."""
        ways = Counter((change.before.verdict, change.after.verdict) for change in comparison.changes)
        total = len(comparison.before.verdicts)
        if not ways:
            text = self.tr("None of %n node(s) changes", "", total)
        else:
            names = (f"{n} {verdict_name(a)} → {verdict_name(b)}" for (a, b), n in ways.most_common())
            counts = self.tr("%n of {all} nodes change(s)", "", ways.total()).format(all=total)
            text = self.tr("{counts}: {ways}").format(counts=counts, ways=self.tr(", ").join(names))
        if comparison.formats:
            formats = self.tr("%n node(s) in another number format", "", len(comparison.formats))
            text = self.tr("{text}; {formats}").format(text=text, formats=formats)
        return text

    def _details(self, comparison: Comparison) -> str:
        before, after = comparison.before, comparison.after
        here, there = (target_text(side.target, language()) for side in (before, after))
        sizes = (self._size(before), self._size(after))
        parts = [
            self.tr("{here} → {there}").format(here=here, there=there),
            self.tr("segments {a} → {b}").format(a=len(before.segments), b=len(after.segments)),
            self.tr("crossings {a} → {b}").format(a=len(before.crossings), b=len(after.crossings)),
            self.tr("bytes that cross {a} → {b}").format(a=sizes[0], b=sizes[1]),
            *(say_text(difference.text) for difference in comparison.differences),
        ]
        return " · ".join(parts)

    def _size(self, placement: Placement) -> str:
        return bytes_text(copied(placement))

    def _current(self) -> None:
        node = self.table.currentIndex().data(NODE_ROLE)
        if not self._quiet and node is not None:
            self.node_picked.emit(node)

    def _menu(self, position: QPoint) -> None:
        node = self.table.indexAt(position).data(NODE_ROLE)
        if node is not None:
            self.menu_asked.emit(node, self.table.viewport().mapToGlobal(position))
