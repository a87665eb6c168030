"""Search: a field that finds nodes by operator, name, tensor or verdict, with a list of hits."""

from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.fonts import Role, font
from inspector.gui.glyphs import verdict_icon
from inspector.gui.look import look
from inspector.gui.theme import Size, Space, colour
from inspector.gui.widgets import label
from inspector.gui.words import plain_tip
from inspector.model.graph import Node, NodeId
from inspector.placement.query import Key, NodeIndex, parse
from inspector.placement.verdict import Placement, Standing

_MOST_ROWS = 500
_DELAY_MS = 120
_BETWEEN = "   "


class SearchPanel(QWidget):
    """Finds nodes while the user types.

    Signals:
        hits_changed: tuple of node ids, in the model's order; empty when nothing is searched.
        node_picked: a hit was chosen, or reached with next and previous.
    """

    hits_changed = Signal(tuple)
    node_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty panel."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._index: NodeIndex | None = None
        self._placement: Placement | None = None
        self.hits: tuple[NodeId, ...] = ()
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self.list = QListWidget()
        self.list.setIconSize(QSize(Size.GLYPH, Size.GLYPH))
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._count = label("", Role.SMALL, tone="second")
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self.search)
        self.field.textChanged.connect(lambda: self._timer.start())
        self.field.returnPressed.connect(self.next)
        self.list.itemClicked.connect(self._picked)
        self.list.itemActivated.connect(self._picked)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.S, Space.S, 0)
        column.setSpacing(Space.S)
        for widget in (self.field, self._count, self.list):
            column.addWidget(widget)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self.field.setPlaceholderText(self.tr("Find: name, or op:Conv rank:5 status:cpu"))
        self.field.setToolTip(self.tr("Names, and filters: {keys}").format(keys=" ".join(f"{key}:" for key in Key)))
        self.field.setAccessibleName(self.tr("Find nodes"))
        self.list.setAccessibleName(self.tr("Hits"))
        self._tell()

    def set_index(self, index: NodeIndex | None, placement: Placement | None) -> None:
        """Search in the nodes of *index* from now on; repeats the present search."""
        self._index, self._placement = index, placement
        self.search()

    def search(self) -> None:
        """Find what the field says now; at once."""
        self._timer.stop()
        query = parse(self.field.text())
        found = self._index.find(query, self._placement) if self._index is not None else ()
        self.hits = tuple(node.id for node in found)
        self.list.clear()
        for node in found[:_MOST_ROWS]:
            self.list.addItem(self._item(node))
        self._tell()
        self.hits_changed.emit(self.hits)

    def next(self, step: int = 1) -> None:
        """Go to the next hit, or with *step* -1 to the previous one; wraps round."""
        if self._timer.isActive():
            self.search()
        rows = self.list.count()
        if rows:
            current = self.list.currentRow()
            row = (current + step) % rows if current >= 0 else 0 if step > 0 else rows - 1
            self.list.setCurrentRow(row)
            self._picked(self.list.item(row))

    def _tell(self) -> None:
        query = parse(self.field.text())
        if query.faults:
            self._count.setText(self.tr("Not understood: {parts}").format(parts=", ".join(query.faults)))
        else:
            self._count.setText("" if query.empty else self.tr("%n hit(s)", "", len(self.hits)))

    def _item(self, node: Node) -> QListWidgetItem:
        item = QListWidgetItem(f"{node.op.name}{_BETWEEN}{node.label}")
        verdict = self._placement.verdicts.get(node.id) if self._placement is not None else None
        if verdict is not None:
            item.setIcon(verdict_icon(verdict.verdict, verdict.standing is Standing.INFERRED, look()))
        item.setSizeHint(QSize(0, Size.ROW_TREE))
        item.setToolTip(plain_tip(node.label))
        return item

    def _picked(self, item: QListWidgetItem) -> None:
        self.node_picked.emit(self.hits[self.list.row(item)])


class _Delegate(QStyledItemDelegate):
    """Paints the glyph, the operator, and the name cut in its middle."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # type: ignore[override]
        """Paint one row."""
        painter.save()
        rect = QRect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour(look().accent_soft))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colour(look().hover))
        icon = index.data(Qt.ItemDataRole.DecorationRole)
        spot = QRect(rect.x() + Space.S, rect.center().y() - Size.GLYPH // 2 + 1, Size.GLYPH, Size.GLYPH)
        if icon is not None:
            icon.paint(painter, spot)
        op, _, name = str(index.data()).partition(_BETWEEN)
        line = rect.adjusted(Space.S + Size.GLYPH + Space.S, 0, -Space.S, 0)
        painter.setFont(font(Role.TEXT, weight=500))
        painter.setPen(colour(look().text))
        op = painter.fontMetrics().elidedText(op, Qt.TextElideMode.ElideRight, line.width() // 2)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, op)
        line.setLeft(line.left() + painter.fontMetrics().horizontalAdvance(op) + Space.S)
        painter.setFont(font(Role.SMALL, mono=True))
        painter.setPen(colour(look().text2))
        name = painter.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, name)
        painter.restore()
