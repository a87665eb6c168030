"""`CompareModel`: the nodes that another target places otherwise, as a table; first what concerns the whole model."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.gui.fonts import Role, font
from inspector.gui.glyphs import verdict_icon
from inspector.gui.look import look
from inspector.gui.models.nodes import NODE_ROLE, SORT_ROLE
from inspector.gui.words import check_sentence, plain_tip, say_text, verdict_meaning, verdict_name
from inspector.model.graph import Model, Node
from inspector.placement.compare import Change, Comparison, Side
from inspector.placement.verdict import SEVERITY, Check, Outcome, Placement, Standing, Verdict

Index = QModelIndex | QPersistentModelIndex


class CompareColumn(IntEnum):
    """Columns of the table."""

    OP = 0
    NAME = 1
    HERE = 2
    THERE = 3
    WHY_HERE = 4
    WHY_THERE = 5


_OF_HERE = frozenset({CompareColumn.HERE, CompareColumn.WHY_HERE})


@dataclass(frozen=True, slots=True)
class _NodeRow:
    """A node and what becomes of it; *format* when only its number format changes."""

    node: Node
    change: Change
    format: bool


@dataclass(frozen=True, slots=True)
class _GraphRow:
    """A clause about the whole model whose outcome changes; None on a side that does not have it."""

    clause: str
    here: Check | None
    there: Check | None


class CompareModel(QAbstractTableModel):
    """Changes in the model's order, each with the clause that decides on either side."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Make an empty table."""
        super().__init__(parent)
        self._rows: tuple[_NodeRow | _GraphRow, ...] = ()
        self._targets = ("", "")

    def show(self, model: Model | None, comparison: Comparison | None) -> None:
        """List what *comparison* found about *model*; None for an empty table."""
        self.beginResetModel()
        self._rows = () if model is None or comparison is None else _rows(model, comparison)
        if comparison is not None:
            self._targets = short_targets(comparison)
        self.endResetModel()

    def row_of(self, node: object) -> int | None:
        """The row of *node*, or None."""
        found = (row for row, entry in enumerate(self._rows) if isinstance(entry, _NodeRow) and entry.node.id == node)
        return next(found, None)

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of changes."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else len(CompareColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Titles of the columns; the two sides are called by their targets."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return self._titles()[section] if role == Qt.ItemDataRole.DisplayRole else None

    def _titles(self) -> Sequence[str]:
        here, there = self._targets
        decides = self.tr("Decides on {target}")
        names = (self.tr("Op"), self.tr("Name"), here, there)
        return (*names, decides.format(target=here), decides.format(target=there))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row, column = self._rows[index.row()], CompareColumn(index.column())
        if role == NODE_ROLE:
            return row.node.id if isinstance(row, _NodeRow) else None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column)
        if role == SORT_ROLE:
            return self._sort_key(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._tip(row, column))
        if role == Qt.ItemDataRole.DecorationRole and isinstance(row, _NodeRow) and column in (2, 3):
            side = _side(row, column)
            return verdict_icon(side.verdict, side.standing is Standing.INFERRED, look())
        if role == Qt.ItemDataRole.FontRole:
            mono = column is CompareColumn.NAME
            return font(Role.SMALL if mono else Role.TEXT, mono=mono)
        return None

    def _text(self, row: _NodeRow | _GraphRow, column: CompareColumn) -> str:
        if isinstance(row, _GraphRow):
            return self._graph_text(row, column)
        if column is CompareColumn.OP:
            return str(row.node.op)
        if column is CompareColumn.NAME:
            return row.node.label
        side = _side(row, column)
        if column in (CompareColumn.HERE, CompareColumn.THERE):
            name = verdict_name(side.verdict)
            return f"{name} · {side.qtype.value}" if row.format and side.qtype is not None else name
        return "" if row.format else _deciding(side)

    def _graph_text(self, row: _GraphRow, column: CompareColumn) -> str:
        if column is CompareColumn.OP:
            return self.tr("Whole model")
        if column is CompareColumn.NAME:
            return row.clause
        check = row.here if column in _OF_HERE else row.there
        outcome = Outcome.PASS if check is None else check.outcome
        if column in (CompareColumn.HERE, CompareColumn.THERE):
            names = {
                Outcome.PASS: self.tr("accepted"),
                Outcome.FAIL: self.tr("refused"),
                Outcome.UNKNOWN: verdict_name(Verdict.UNKNOWN),
            }
            return names[outcome]
        return "" if check is None or outcome is Outcome.PASS else check_sentence(check)

    def _tip(self, row: _NodeRow | _GraphRow, column: CompareColumn) -> str:
        if isinstance(row, _GraphRow):
            check = row.here if column in _OF_HERE else row.there
            checks: tuple[Check, ...] = () if check is None else (check,)
        else:
            checks = _side(row, column).checks if column >= CompareColumn.HERE else ()
        return "\n".join([self._text(row, column), *(f"{check.clause}\n{check.source}" for check in checks)])

    def _sort_key(self, row: _NodeRow | _GraphRow, column: CompareColumn) -> object:
        if column in (CompareColumn.HERE, CompareColumn.THERE):
            return -9 if isinstance(row, _GraphRow) else -SEVERITY[_side(row, column).verdict]
        return self._text(row, column)


def _rows(model: Model, comparison: Comparison) -> tuple[_NodeRow | _GraphRow, ...]:
    graph = tuple(
        _GraphRow(clause, _graph_check(comparison.before, clause), _graph_check(comparison.after, clause))
        for clause in comparison.graph
    )
    changed = tuple(_NodeRow(model.node(change.node), change, format=False) for change in comparison.changes)
    formats = tuple(_NodeRow(model.node(change.node), change, format=True) for change in comparison.formats)
    return (*graph, *changed, *formats)


def _graph_check(placement: Placement, clause: str) -> Check | None:
    return next((check for check in placement.graph_checks if check.clause == clause), None)


def _side(row: _NodeRow, column: CompareColumn) -> Side:
    return row.change.before if column in _OF_HERE else row.change.after


def _deciding(side: Side) -> str:
    """What decides, with found and allowed and the id of the clause; the meaning of the verdict where nothing fails."""
    if side.checks:
        return "; ".join(f"{check_sentence(check)} ({check.clause})" for check in side.checks)
    return verdict_meaning(side.verdict) if side.because is None else say_text(side.because.message)


def short_targets(comparison: Comparison) -> tuple[str, str]:
    """Both targets as column titles: the platform where it differs, else all that does (`3.0.22`, `qat`)."""
    first, second = (
        (target.platform, target.march, target.toolchain, target.flow.value.upper())
        for target in (comparison.before.target, comparison.after.target)
    )
    differing = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    if first[0] != second[0] or not differing:
        return first[0], second[0]
    return " ".join(pair[0] for pair in differing), " ".join(pair[1] for pair in differing)
