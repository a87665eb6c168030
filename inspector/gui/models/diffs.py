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
    """Rows are tensors in the order of the verification."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Make an empty table."""
        super().__init__(parent)
        self._diffs: tuple[TensorDiff, ...] = ()

    def show(self, diffs: Sequence[TensorDiff]) -> None:
        """List *diffs*."""
        self.beginResetModel()
        self._diffs = tuple(diffs)
        self.endResetModel()

    def diff(self, row: int) -> TensorDiff | None:
        """The tensor in *row*, or None."""
        return self._diffs[row] if 0 <= row < len(self._diffs) else None

    def rowCount(self, parent: Index | None = None) -> int:
        """Number of tensors."""
        return 0 if parent is not None and parent.isValid() else len(self._diffs)

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
        if diff is None:
            return None
        column = DiffColumn(index.column())
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
            DiffColumn.TENSOR: self.tr("{name} (output)").format(name=diff.name) if diff.output else diff.name,
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
