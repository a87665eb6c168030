"""Outline: scopes and nodes as a tree, every scope with its verdict bar and its count."""

import numpy as np
from PySide6.QtCore import QModelIndex, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.fonts import Role, font
from inspector.gui.glyphs import paint_glyph
from inspector.gui.look import look
from inspector.gui.models.outline import Outline, OutlineModel
from inspector.gui.theme import Size, Space, colour
from inspector.gui.verdict_bar import paint_verdict_bar
from inspector.gui.widgets import label
from inspector.model.graph import NodeId
from inspector.placement.query import NodeIndex, parse
from inspector.placement.verdict import Standing

_DELAY_MS = 120
_OPEN_UP_TO = 200
"""Hits of a filter that are opened at once."""


class OutlinePanel(QWidget):
    """A tree of scopes and nodes.

    Signals:
        node_picked: a node was selected.
        node_activated: a node was double clicked, or Enter pressed on it.
        scope_picked: a scope was selected; `(its index, tuple of the ids of all nodes in it)`.
        menu_asked: `(node id, global position)` for the context menu.
    """

    node_picked = Signal(object)
    node_activated = Signal(object)
    scope_picked = Signal(int, tuple)
    menu_asked = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty panel."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._quiet = False
        self._selected: NodeId | None = None
        self._index: NodeIndex | None = None
        self.model = OutlineModel(self)
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self._narrow)
        self.filter.textChanged.connect(lambda: self._timer.start())
        self.tree = _Tree()
        self.tree.setModel(self.model)
        self.tree.setHeaderHidden(True)
        self.tree.setUniformRowHeights(True)
        self.tree.setIndentation(Space.L)
        self.tree.setExpandsOnDoubleClick(True)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setItemDelegate(_Delegate(self.model, self.tree))
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._menu)
        self.tree.selectionModel().currentChanged.connect(self._current)
        self.tree.activated.connect(self._activated)
        self._nothing = label("", tone="second", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(Space.PANEL, Space.PANEL, Space.PANEL, 0)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._nothing)
        self._lay_out()
        self.retranslate()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, Space.S, 0, 0)
        column.setSpacing(Space.S)
        field = QVBoxLayout()
        field.setContentsMargins(Space.S, 0, Space.S, 0)
        field.addWidget(self.filter)
        column.addLayout(field)
        column.addWidget(self._stack, 1)

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self.filter.setPlaceholderText(self.tr("Filter: name, or op:Conv status:cpu"))
        self.filter.setAccessibleName(self.tr("Filter the outline"))
        self.tree.setAccessibleName(self.tr("Outline"))
        self._nothing.setText(self.tr("No node fits the filter."))
        self.tree.viewport().update()

    def set_index(self, index: NodeIndex | None) -> None:
        """Filter with *index* from now on, which is of the model that is shown; repeats the present filter."""
        self._index = index
        if self.filter.text().strip():
            self._narrow()

    def show_outline(self, outline: Outline, title: str) -> None:
        """Show *outline* under *title*; of the same model only the verdicts change, so that what is open stays open."""
        known = self.model.outline
        if known is not None and known.model is outline.model:
            self.model.recolour(outline)
            self.tree.viewport().update()
            return
        self._quiet = True
        self.model.show(outline, title)
        self._quiet = False
        self._narrow()

    def show_selected(self, node: NodeId | None) -> None:
        """Mark *node* as the current row without telling anybody, and open the scopes around it."""
        self._selected = node
        index = self.model.index_of(node) if node is not None else QModelIndex()
        if index == self.tree.currentIndex():
            return
        if node is None and self.model.node_at(self.tree.currentIndex()) is None:
            return  # a scope stays marked while its nodes are what is selected
        self._quiet = True
        self.tree.setCurrentIndex(index)
        if index.isValid():
            self.tree.scrollTo(index)
        self._quiet = False

    def _narrow(self) -> None:
        """Show what the filter lets through; everything while the nodes are not prepared yet."""
        outline, index, query = self.model.outline, self._index, parse(self.filter.text())
        if outline is None:
            return
        kept = None
        if index is not None and index.nodes is outline.model.nodes and not query.empty:
            found = {node.id for node in index.find(query, outline.placement)}
            kept = np.array([node.id in found for node in index.nodes], dtype=np.bool_)
        self._quiet = True
        self.model.narrow(kept)
        self._quiet = False
        self._stack.setCurrentWidget(self._nothing if kept is not None and not self.model.hits else self.tree)
        self._open_top(few=kept is not None and self.model.hits <= _OPEN_UP_TO)
        self.show_selected(self._selected)

    def _open_top(self, *, few: bool) -> None:
        """Open the root; everything where a filter leaves *few* nodes."""
        if few:
            self.tree.expandAll()
        else:
            self.tree.expand(self.model.index(0, 0))

    def _current(self, index: QModelIndex) -> None:
        if self._quiet or not index.isValid():
            return
        node = self.model.node_at(index)
        if node is not None:
            self.node_picked.emit(node.id)
        else:
            self.scope_picked.emit(index.internalId(), self.model.nodes_in(index))

    def _activated(self, index: QModelIndex) -> None:
        node = self.model.node_at(index)
        if node is not None:
            self.node_activated.emit(node.id)

    def _menu(self, position: QPoint) -> None:
        node = self.model.node_at(self.tree.indexAt(position))
        if node is not None:
            self.menu_asked.emit(node.id, self.tree.viewport().mapToGlobal(position))


class _Tree(QTreeView):
    """A tree whose selected row carries the bar of a selection at its left."""

    def drawRow(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # type: ignore[override]
        """Paint one row and, over all of its depth, the ground of the selection."""
        rect = QRect(option.rect)
        if self.selectionModel().isSelected(index):
            painter.fillRect(rect, colour(look().accent_soft))
        super().drawRow(painter, option, index)
        if self.selectionModel().isSelected(index):
            painter.fillRect(rect.x(), rect.y(), Size.BAR, rect.height(), colour(look().accent))


class _Delegate(QStyledItemDelegate):
    """Paints a scope as its name, bar and count; a node as its glyph and name."""

    def __init__(self, model: OutlineModel, tree: QTreeView) -> None:
        super().__init__(tree)
        self._model = model

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:  # type: ignore[override]
        """Height of a row."""
        return QSize(0, Size.ROW_TREE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # type: ignore[override]
        """Paint one row."""
        painter.save()
        rect = QRect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour(look().accent_soft))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colour(look().hover))
        line = rect.adjusted(Space.XS, 0, -Space.M, 0)
        verdict = self._model.verdict_at(index)
        if verdict is None:
            self._scope(painter, line, str(index.data()), self._model.counts_at(index))
        else:
            spot = QRect(line.x(), line.center().y() - Size.GLYPH // 2 + 1, Size.GLYPH, Size.GLYPH)
            inferred = verdict.standing is Standing.INFERRED
            paint_glyph(painter, spot.toRectF(), verdict.verdict, inferred, look())
            line.setLeft(spot.right() + Space.S)
            self._text(painter, line, str(index.data()), mono=True)
        painter.restore()

    @staticmethod
    def _text(painter: QPainter, rect: QRect, text: str, *, mono: bool) -> None:
        painter.setFont(font(Role.SMALL if mono else Role.TEXT, mono=mono, weight=400 if mono else 600))
        painter.setPen(colour(look().text2 if mono else look().text))
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, rect.width())
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)

    def _scope(self, painter: QPainter, line: QRect, name: str, counts: tuple[int, ...]) -> None:
        painter.setFont(font(Role.TEXT))
        painter.setPen(colour(look().text2))
        number, most = str(sum(counts)), str(sum(self._model.counts_at(self._model.index(0, 0))))
        room = max(painter.fontMetrics().horizontalAdvance(text) for text in (number, most))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, number)
        line.setRight(line.right() - room - Space.XS)
        bar = QRectF(
            line.right() - Size.SCOPE_BAR_WIDTH,
            line.center().y() - Size.SCOPE_BAR_HEIGHT / 2 + 1,
            Size.SCOPE_BAR_WIDTH,
            Size.SCOPE_BAR_HEIGHT,
        )
        paint_verdict_bar(painter, bar, counts, look())
        line.setRight(int(bar.left()) - Space.S)
        self._text(painter, line, name, mono=False)
