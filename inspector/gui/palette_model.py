"""The rows of the command palette: the list model, and how a row is painted."""

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QIcon, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inspector.gui.fonts import Role, font
from inspector.gui.fuzzy import Spots
from inspector.gui.glyphs import verdict_icon
from inspector.gui.icons import icon
from inspector.gui.look import look
from inspector.gui.palette_entries import Kind, Row
from inspector.gui.theme import Radius, Size, Space, colour
from inspector.gui.words import plain_tip, verdict_name

ROW_ROLE = int(Qt.ItemDataRole.UserRole)

_Index = QModelIndex | QPersistentModelIndex


class PaletteModel(QAbstractListModel):
    """Holds the rows; `ROW_ROLE` gives the `Row`."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.rows: tuple[Row, ...] = ()

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """List *rows* in place of what was listed."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - as Qt declares it
        """Number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts for screen, tooltip and assistive technology."""
        row = self.rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.entry.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(spoken(row))
        return None


def spoken(row: Row) -> str:
    """A row in words: titles in both languages, verdict, shortcut, and why it is off."""
    entry = row.entry
    verdict = verdict_name(entry.verdict) if entry.verdict is not None else ""
    return ", ".join(part for part in (entry.title, entry.other, verdict, entry.keys, entry.reason) if part)


class PaletteDelegate(QStyledItemDelegate):
    """Paints glyph, title with the typed letters strong, the other language, and the shortcut at the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:
        """All rows are equally high."""
        return QSize(0, Size.CONTROL_START)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Paint one row."""
        row: Row = index.data(ROW_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QRect(option.rect).adjusted(Space.XS, 0, -Space.XS, 0)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(look().accent_soft))
            painter.drawRoundedRect(line, Radius.CONTROL, Radius.CONTROL)
        line.adjust(Space.S, 0, -Space.S, 0)
        self._glyph(painter, line, row)
        line.setLeft(line.left() + Size.ICON + Space.S)
        line.setRight(self._right(painter, line, row) - Space.M)
        self._texts(painter, line, row)
        painter.restore()

    def _glyph(self, painter: QPainter, line: QRect, row: Row) -> None:
        spot = QRect(line.left(), line.center().y() - Size.GLYPH // 2 + 1, Size.GLYPH, Size.GLYPH)
        entry = row.entry
        if entry.verdict is not None:
            verdict_icon(entry.verdict, entry.inferred, look()).paint(painter, spot)
            return
        if entry.icon:
            mode = QIcon.Mode.Disabled if entry.reason else QIcon.Mode.Normal
            icon(entry.icon).paint(painter, spot, Qt.AlignmentFlag.AlignCenter, mode)
            return
        painter.setPen(colour(look().text3))
        painter.setFont(font(Role.BODY, mono=True))
        sign = {Kind.COMMAND: ">", Kind.NODE: "/", Kind.CLAUSE: "#", Kind.TARGET: "@", Kind.HELP: entry.id}[entry.kind]
        painter.drawText(spot, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, sign)

    def _right(self, painter: QPainter, line: QRect, row: Row) -> int:
        """Paint the shortcut, the verdict, or the reason why the row is off; give back where it begins."""
        entry = row.entry
        if entry.reason:
            painter.setFont(font(Role.SMALL))
            painter.setPen(colour(look().text3))
            room = line.width() * 3 // 5
            text = painter.fontMetrics().elidedText(entry.reason, Qt.TextElideMode.ElideRight, room)
        elif entry.verdict is not None:
            painter.setFont(font(Role.SMALL, weight=600))
            painter.setPen(colour(look().of(entry.verdict).ink))
            text = verdict_name(entry.verdict)
        else:
            painter.setFont(font(Role.SMALL, mono=entry.kind is not Kind.COMMAND))
            painter.setPen(colour(look().text2))
            text = entry.keys
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)
        return line.right() - width

    def _texts(self, painter: QPainter, line: QRect, row: Row) -> None:
        entry = row.entry
        off = bool(entry.reason)
        plain = font(Role.BODY, mono=entry.kind is Kind.CLAUSE)
        ink = look().text3 if off else look().text
        room = line.width() if not entry.other else max(line.width() * 3 // 5, 0)
        mark = ink if off else look().accent_ink
        used = _letters(painter, line, entry.title, row.title, plain, (ink, mark), room)
        line.setLeft(line.left() + used + Space.M)
        if entry.other and line.width() > Space.XL:
            second = font(Role.SMALL, mono=entry.kind is Kind.NODE)
            inks = (look().text3, mark) if off else (look().text2, mark)
            _letters(painter, line, entry.other, row.other, second, inks, line.width())


def _letters(
    painter: QPainter, line: QRect, text: str, marked: Spots, plain: QFont, inks: tuple[str, str], room: int
) -> int:
    """Paint *text* from the left of *line* in at most *room* pixels, its *marked* letters strong.

    *inks* are the colours of plain and of marked letters; the width used is given back.
    """
    strong = QFont(plain)
    strong.setWeight(QFont.Weight.Bold)
    shown, kept = _cut(text, QFontMetrics(strong), room)
    x = line.left()
    for part, spots in _runs(shown, {kept[spot] for spot in marked if spot in kept}):
        painter.setFont(strong if spots else plain)
        painter.setPen(colour(inks[1] if spots else inks[0]))
        width = painter.fontMetrics().horizontalAdvance(part)
        painter.drawText(QRect(x, line.top(), width, line.height()), Qt.AlignmentFlag.AlignVCenter, part)
        x += width
    return x - line.left()


def _cut(text: str, metrics: QFontMetrics, room: int) -> tuple[str, dict[int, int]]:
    """*text* cut in its middle to *room* pixels, and where each letter that was kept stands in it."""
    if metrics.horizontalAdvance(text) <= room:
        return text, {i: i for i in range(len(text))}
    short = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, room)
    head = short.find("…")
    tail = len(short) - head - 1
    kept = {i: i for i in range(max(head, 0))}
    kept.update({len(text) - tail + i: head + 1 + i for i in range(tail)})
    return short, kept


def _runs(text: str, marked: set[int]) -> list[tuple[str, bool]]:
    """*text* in pieces that are marked throughout or not at all."""
    runs: list[tuple[str, bool]] = []
    for place, letter in enumerate(text):
        strong = place in marked
        if runs and runs[-1][1] == strong:
            runs[-1] = (runs[-1][0] + letter, strong)
        else:
            runs.append((letter, strong))
    return runs
