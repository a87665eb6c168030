"""`DiffsModel`: error figures per tensor as a table, graph outputs first."""

from collections.abc import Sequence
from enum import IntEnum

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from inspector.gui.fonts import Role, font
from inspector.gui.look import look
from inspector.gui.theme import colour
from inspector.gui.words import NONE, decimal, figure, plain_tip, say_text, status_name
from inspector.verify.result import Status, TensorDiff

Index = QModelIndex | QPersistentModelIndex


class DiffColumn(IntEnum):
    """Columns of the table."""

    TENSOR = 0
    SHAPE = 1
    MAX_ABS = 2
    MEAN_ABS = 3
    MAX_REL = 4
    COSINE = 5
    SNR = 6
    NONFINITE = 7
    STATUS = 8


_LEFT = frozenset({DiffColumn.TENSOR, DiffColumn.SHAPE, DiffColumn.STATUS})
_MONO = frozenset({DiffColumn.TENSOR, DiffColumn.SHAPE})


class DiffsModel(QAbstractTableModel):
    """Rows are tensors in the order of the verification, outputs and intermediates each below a title."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Make an empty table."""
        super().__init__(parent)
        self._rows: tuple[TensorDiff | str, ...] = ()

    def show(self, diffs: Sequence[TensorDiff]) -> None:
        """List *diffs*."""
        self.beginResetModel()
        rows: list[TensorDiff | str] = []
        for title, output in ((self.tr("Outputs"), True), (self.tr("Intermediates, aligned by name"), False)):
            group = [diff for diff in diffs if diff.output is output]
            rows += [title, *group] if group else []
        self._rows = tuple(rows)
        self.endResetModel()

    @property
    def title_rows(self) -> tuple[int, ...]:
        """Rows that are the title of a group."""
        return tuple(line for line, row in enumerate(self._rows) if isinstance(row, str))

    def row_of(self, diff: TensorDiff) -> int | None:
        """The row of *diff*, or None when it is not listed."""
        return next((line for line, row in enumerate(self._rows) if row is diff), None)

    def diff(self, row: int) -> TensorDiff | None:
        """The tensor in *row*; None for a title and outside."""
        found = self._rows[row] if 0 <= row < len(self._rows) else None
        return None if isinstance(found, str) else found

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Titles cannot be selected."""
        return super().flags(index) if self.diff(index.row()) is not None else Qt.ItemFlag.ItemIsEnabled

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of tensors."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Number of columns."""
        return 0 if parent is not None and parent.isValid() else len(DiffColumn)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Titles of the columns."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._titles()[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(DiffColumn(section))
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """One cell."""
        diff = self.diff(index.row())
        column = DiffColumn(index.column())
        if diff is None:
            return self._title(index.row(), role) if column is DiffColumn.TENSOR else None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(diff, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._tip(diff, column))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.ForegroundRole and column is DiffColumn.STATUS:
            return status_colour(diff.status)
        if role == Qt.ItemDataRole.FontRole:
            weight = 600 if column in (DiffColumn.MAX_ABS, DiffColumn.STATUS) else None
            mono = column in _MONO
            return font(Role.SMALL if mono else Role.TEXT, mono=mono, weight=weight)
        return None

    def _title(self, row: int, role: int) -> object:
        if not 0 <= row < len(self._rows):
            return None
        if role == Qt.ItemDataRole.FontRole:
            return font(Role.SMALL, weight=600)
        if role == Qt.ItemDataRole.ForegroundRole:
            return colour(look().text2)
        if role == Qt.ItemDataRole.BackgroundRole:
            return colour(look().bar)
        return self._rows[row] if role == Qt.ItemDataRole.DisplayRole else None

    def _titles(self) -> Sequence[str]:
        return (
            self.tr("Tensor"),
            self.tr("Shape"),
            self.tr("Max abs"),
            self.tr("Mean abs"),
            self.tr("Max rel"),
            self.tr("1 − cos"),
            self.tr("SNR dB"),
            self.tr("NaN/Inf"),
            self.tr("Verdict"),
        )

    def _text(self, diff: TensorDiff, column: DiffColumn) -> str:
        texts = {
            DiffColumn.TENSOR: diff.name,
            DiffColumn.SHAPE: "×".join(str(size) for size in diff.shape) or "scalar",
            DiffColumn.MAX_ABS: figure(diff.max_abs),
            DiffColumn.MEAN_ABS: figure(diff.mean_abs),
            DiffColumn.MAX_REL: figure(diff.max_rel),
            DiffColumn.COSINE: NONE if diff.cosine is None else figure(max(1 - diff.cosine, 0.0)),
            DiffColumn.SNR: "∞" if diff.equal else decimal(diff.snr_db),
            DiffColumn.NONFINITE: f"{diff.nonfinite[0]} / {diff.nonfinite[1]}",
            DiffColumn.STATUS: self._status(diff),
        }
        return texts[column]

    def _status(self, diff: TensorDiff) -> str:
        badges = {"dead": self.tr("dead"), "saturated": self.tr("saturated")}
        badge = badges.get(diff.badge, diff.badge)
        return f"{status_name(diff.status)} · {badge}" if badge else status_name(diff.status)

    def _tip(self, diff: TensorDiff, column: DiffColumn) -> str:
        if diff.reason is not None:
            return say_text(diff.reason)
        if column is DiffColumn.COSINE and diff.cosine is None:
            return self.tr("The cosine of a zero vector is not defined.")
        return self._text(diff, column)


def status_colour(status: Status) -> QColor:
    """Text colour of a comparison's verdict."""
    tokens = {Status.PASSED: look().passed, Status.FAILED: look().failed, Status.INCONCLUSIVE: look().inconclusive}
    return colour(tokens[status])


def _alignment(column: DiffColumn) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column in _LEFT else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
