"""Problems panel: groups of nodes that are not on the BPU, with a filter and the number of fixes."""

import time
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
from PySide6.QtCore import QModelIndex, QPoint, QRect, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.fonts import Role, families, font
from inspector.gui.glyphs import paint_glyph
from inspector.gui.icons import icon
from inspector.gui.look import look
from inspector.gui.measures import scale_percent
from inspector.gui.models.problems import Problem, ProblemGroup
from inspector.gui.panels.blockers import Blockers
from inspector.gui.theme import Size, Space, colour
from inspector.gui.widgets import label
from inspector.gui.words import plain_tip
from inspector.model.graph import NodeId
from inspector.placement.query import NodeIndex, Query, parse
from inspector.placement.verdict import Placement, Standing

_PROBLEM = Qt.ItemDataRole.UserRole
_GROUP = Qt.ItemDataRole.UserRole + 1
_CLAUSE = Qt.ItemDataRole.UserRole + 2

_TURN_S = 0.008
"""Seconds per turn of the event loop for filling the list."""

_BATCH = 64
"""Problems that are added at once."""


class ProblemsPanel(QWidget):
    """A tree of groups and problems.

    Signals:
        node_picked: a problem was selected.
        node_activated: a problem was double clicked, or Enter pressed on it.
        menu_asked: `(node id, global position)` for the context menu.
    """

    node_picked = Signal(object)
    node_activated = Signal(object)
    menu_asked = Signal(object, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty panel."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._groups: tuple[ProblemGroup, ...] = ()
        self._placement: Placement | None = None
        self._quiet = False
        self._index: NodeIndex | None = None
        self._rows: dict[NodeId, QTreeWidgetItem] = {}
        self._selected: NodeId | None = None
        self._filling: Iterator[None] = iter(())
        self._more = QTimer(self)
        self._more.setInterval(0)
        self._more.timeout.connect(self._fill)
        self.fixes: Mapping[NodeId, int] = {}
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._refill)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(0)
        self.tree.setRootIsDecorated(False)
        self.tree.setItemDelegate(_Delegate(self))
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.currentItemChanged.connect(self._current)
        self.tree.itemActivated.connect(lambda item: self._emit(item, self.node_activated))
        self.tree.customContextMenuRequested.connect(self._menu)
        self._nothing = label("", tone="second", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._nothing.setContentsMargins(Space.PANEL, Space.PANEL, Space.PANEL, 0)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self._nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, Space.S, 0, 0)
        column.setSpacing(Space.S)
        field = QVBoxLayout()
        field.setContentsMargins(Space.S, 0, Space.S, 0)
        field.addWidget(self.filter)
        column.addLayout(field)
        column.addWidget(self._stack, 1)
        self.blockers = Blockers()
        self.blockers.node_picked.connect(self.node_picked)
        column.addWidget(self.blockers)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self.filter.setPlaceholderText(self.tr("Filter: op, name, clause"))
        self.filter.setAccessibleName(self.tr("Filter problems"))
        self.tree.setAccessibleName(self.tr("Problems"))
        self.blockers.retranslate()

    def set_index(self, index: NodeIndex | None) -> None:
        """Understand typed filters with *index* from now on, which is of the model that is shown."""
        self._index = index
        if self.filter.text().strip():
            self._refill()

    def show_groups(self, groups: tuple[ProblemGroup, ...], placement: Placement, nothing: str) -> None:
        """List *groups* of *placement*; *nothing* is the sentence for no problem. Long lists are filled bit by bit."""
        self._groups, self._placement = groups, placement
        self._nothing.setText(nothing)
        self._refill()

    def show_fixes(self, fixes: Mapping[NodeId, int]) -> None:
        """Mark nodes with the number of rewrites that help."""
        self.fixes = fixes
        self.tree.viewport().update()

    def show_selected(self, node: NodeId | None) -> None:
        """Mark *node* as the current one without telling anybody; it may be listed later."""
        self._selected = node
        self._mark(self._rows.get(node) if node is not None else None)

    def _mark(self, item: QTreeWidgetItem | None) -> None:
        self._quiet = True
        if item is None:
            self.tree.setCurrentIndex(QModelIndex())
            self.tree.clearSelection()
        else:
            self.tree.setCurrentItem(item)
        self._quiet = False

    def _refill(self) -> None:
        self._quiet = True
        self.tree.clear()
        self._quiet = False
        self._rows = {}
        self._stack.setCurrentIndex(0 if self._groups else 1)
        query = parse(self.filter.text())
        self._filling = self._steps(query.words, self._let_through(query))
        self._more.start()
        self._fill()

    def _fill(self) -> None:
        """Add rows for a few milliseconds; the timer asks again until all are there."""
        end = time.perf_counter() + _TURN_S
        self._quiet = True
        for _ in self._filling:
            if time.perf_counter() > end:
                break
        else:
            self._more.stop()
        self._quiet = False

    def _let_through(self, query: Query) -> frozenset[NodeId] | None:
        """Nodes that fit the typed parts of *query*; None when it has none, or the nodes are not prepared yet."""
        if self._index is None or not (query.filters or query.faults):
            return None
        mask = self._index.select(query, self._placement)
        return frozenset(self._index.nodes[place].id for place in np.flatnonzero(mask))

    def _steps(self, words: tuple[str, ...], nodes: frozenset[NodeId] | None) -> Iterator[None]:
        """Add the problems that hold all *words* and are among *nodes*, yielding where the work may be interrupted."""
        for group in self._groups:
            top: QTreeWidgetItem | None = None
            count = 0
            for start in range(0, len(group.problems), _BATCH):
                part = [
                    problem
                    for problem in group.problems[start : start + _BATCH]
                    if (nodes is None or problem.node.id in nodes) and _fits(problem, group, words)
                ]
                if part:
                    top = top or self._add_group(group)
                    count += len(part)
                    top.setData(0, _GROUP, count)
                    self._add(top, part)
                yield

    def _add_group(self, group: ProblemGroup) -> QTreeWidgetItem:
        top = QTreeWidgetItem([group.title])
        top.setData(0, _CLAUSE, group.clause)
        top.setToolTip(0, plain_tip(group.clause))
        top.setFlags(Qt.ItemFlag.ItemIsEnabled)
        top.setSizeHint(0, QSize(0, Size.ROW_TREE))
        self.tree.addTopLevelItem(top)
        top.setExpanded(True)
        return top

    def _add(self, top: QTreeWidgetItem, problems: list[Problem]) -> None:
        children, size = [], QSize(0, _row_height())
        for problem in problems:
            title, name = problem.title, problem.node.label
            child = QTreeWidgetItem([f"{title} {name}"])
            child.setData(0, _PROBLEM, problem)
            child.setSizeHint(0, size)  # kept by the item: a view of thousands asks for all heights again and again
            child.setToolTip(0, plain_tip(f"{title}\n{name}"))
            children.append(child)
            self._rows[problem.node.id] = child
        top.addChildren(children)
        if self._selected is not None and any(problem.node.id == self._selected for problem in problems):
            self.tree.setCurrentItem(self._rows[self._selected])

    def _current(self, item: QTreeWidgetItem | None) -> None:
        if not self._quiet:
            self._emit(item, self.node_picked)

    def _emit(self, item: QTreeWidgetItem | None, signal: SignalInstance) -> None:
        problem = item.data(0, _PROBLEM) if item is not None else None
        if isinstance(problem, Problem):
            signal.emit(problem.node.id)

    def _menu(self, position: QPoint) -> None:
        item = self.tree.itemAt(position)
        problem = item.data(0, _PROBLEM) if item is not None else None
        if isinstance(problem, Problem):
            self.menu_asked.emit(problem.node.id, self.tree.viewport().mapToGlobal(position))


def _fits(problem: Problem, group: ProblemGroup, words: tuple[str, ...]) -> bool:
    if not words:
        return True
    text = " ".join((problem.title, problem.node.label, str(problem.node.op), group.clause)).casefold()
    return all(word in text for word in words)


class _Delegate(QStyledItemDelegate):
    """Paints a group as a caption with its count, a problem as glyph, title, name and fix badge."""

    def __init__(self, panel: ProblemsPanel) -> None:
        super().__init__(panel)
        self._panel = panel

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:  # type: ignore[override]
        """Paint one row."""
        painter.save()
        rect = QRect(option.rect)
        state = option.state
        problem = index.data(_PROBLEM)
        if isinstance(problem, Problem):
            self._ground(painter, rect, state)
            self._problem(painter, rect, problem, self._panel.fixes.get(problem.node.id, 0))
        else:
            painter.setFont(font(Role.TEXT, weight=600))
            painter.setPen(colour(look().text2))
            inner = rect.adjusted(Space.M, 0, -Space.M, 0)
            painter.drawText(
                inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(index.data(_GROUP))
            )
            inner.setRight(inner.right() - Space.XXL)
            text = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, inner.width())
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, text)
            inner.setLeft(inner.left() + painter.fontMetrics().horizontalAdvance(text) + Space.S)
            painter.setFont(font(Role.SMALL, mono=True))
            painter.setPen(colour(look().text3))
            clause = str(index.data(_CLAUSE) or "").rpartition(".")[2]
            short = painter.fontMetrics().elidedText(clause, Qt.TextElideMode.ElideRight, max(inner.width(), 0))
            painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter, short)
        painter.restore()

    @staticmethod
    def _ground(painter: QPainter, rect: QRect, state: QStyle.StateFlag) -> None:
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colour(look().accent_soft))
            painter.fillRect(rect.x(), rect.y(), Size.BAR, rect.height(), colour(look().accent))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colour(look().hover))

    @staticmethod
    def _problem(painter: QPainter, rect: QRect, problem: Problem, fixes: int) -> None:
        inferred = problem.verdict.standing is Standing.INFERRED
        spot = QRect(rect.x() + Space.M, rect.y() + Space.S + 1, Size.GLYPH, Size.GLYPH)
        paint_glyph(painter, spot.toRectF(), problem.verdict.verdict, inferred, look())
        left = spot.right() + Space.S
        right = rect.right() - Space.S
        if fixes:
            right = _badge(painter, rect, fixes) - Space.S
        painter.setFont(font(Role.TEXT))
        painter.setPen(colour(look().text))
        flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop
        title = QRect(left, rect.y() + Space.XS + 2, right - left, _two_line_height(painter.fontMetrics()))
        text = _two_lines(painter.fontMetrics(), problem.title, title)
        title.setHeight(painter.fontMetrics().boundingRect(title, int(flags), text).height())
        painter.drawText(title, int(flags), text)
        painter.setFont(font(Role.SMALL, mono=True))
        painter.setPen(colour(look().text2))
        line = QRect(left, title.bottom() + 1, rect.right() - Space.S - left, painter.fontMetrics().height())
        middle = Qt.TextElideMode.ElideMiddle
        painter.drawText(line, 0, painter.fontMetrics().elidedText(problem.node.label, middle, line.width()))


def _row_height() -> int:
    return _row_height_at(scale_percent(), families(mono=False))


@cache
def _row_height_at(_percent: int, _families: tuple[str, ...]) -> int:
    """Height of a row with the present fonts, which the arguments stand for."""
    text, name = QFontMetrics(font(Role.TEXT)), QFontMetrics(font(Role.SMALL, mono=True))
    return max(Size.ROW_PROBLEM, _two_line_height(text) + name.height() + 2 * Space.S)


def _two_line_height(metrics: QFontMetrics) -> int:
    """Height of two lines, whichever of the fallback fonts they need."""
    return metrics.boundingRect(QRect(0, 0, Size.LEFT, Size.LEFT), 0, "Ag国\nAg国").height()


def _two_lines(metrics: QFontMetrics, text: str, space: QRect) -> str:
    """*text*, cut so that it fills at most two lines of *space*."""
    flags = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop)
    fits = metrics.boundingRect(QRect(0, 0, space.width(), 10 * space.height()), flags, text).height()
    while text and fits > space.height() + 1:
        text = text.rstrip("…")[:-4] + "…"
        fits = metrics.boundingRect(QRect(0, 0, space.width(), 10 * space.height()), flags, text).height()
    return text


def _badge(painter: QPainter, rect: QRect, count: int) -> int:
    """Paint the fix count at the right; its left edge."""
    painter.setFont(font(Role.SMALL, weight=600))
    text, sign = str(count), Size.GLYPH
    width = sign + Space.XS + painter.fontMetrics().horizontalAdvance(text) + 2 * Space.S
    spot = QRect(rect.right() - Space.S - width, rect.y() + Space.S - 2, width, Space.XL - Space.XS)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(look().accent_soft))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.drawRoundedRect(spot, spot.height() / 2, spot.height() / 2)
    wand = QRect(spot.x() + Space.S, spot.center().y() - sign // 2 + 1, sign, sign)
    icon("wand-sparkles", "accent_ink", Size.GLYPH).paint(painter, wand)
    painter.setPen(colour(look().accent_ink))
    painter.drawText(
        spot.adjusted(0, 0, -Space.S, 0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text
    )
    return spot.x()
