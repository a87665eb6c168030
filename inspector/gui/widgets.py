"""Small building blocks of the panels: labels by type role, glyphs, cards, chips, tiles, rows."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.fonts import Role, font
from inspector.gui.glyphs import glyph_pixmap
from inspector.gui.look import look
from inspector.gui.plain_words import plain_tip
from inspector.gui.primary_button import PrimaryButton
from inspector.gui.theme import Size, Space
from inspector.placement.kinds import Standing, Verdict

if TYPE_CHECKING:
    from inspector.placement.verdict import NodeVerdict


def label(
    text: str = "",
    role: Role = Role.TEXT,
    *,
    tone: str = "plain",
    mono: bool = False,
    wrap: bool = False,
    selectable: bool = False,
    weight: int | None = None,
) -> QLabel:
    """A plain-text label; *tone* names its colour (see `look`)."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setFont(font(role, mono=mono, weight=weight))
    made.setProperty("tone", tone)
    made.setWordWrap(wrap)
    if wrap:
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        made.setSizePolicy(policy)
    if selectable:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    return made


def breakable(text: str) -> str:
    """*text* with places to break inside long words, at humps or else every eight letters.

    The places are zero-width spaces, so nothing is seen of them unless the line breaks there.
    """
    return _LONG_WORD.sub(lambda word: _PIECE.sub("\\g<0>\u200b", word[0]), text)


_LONG_WORD = re.compile(r"\w{13,}")
_PIECE = re.compile(r"[A-Z]?[a-z0-9_]{1,7}(?=\w)|\w{8}(?=\w)")


class Elided(QLabel):
    """A one-line label that elides in the middle and tells its whole text in the tooltip."""

    def __init__(self, text: str = "", role: Role = Role.TEXT, *, tone: str = "plain", mono: bool = False) -> None:
        """Show *text*; the colours are those of `label`."""
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(font(role, mono=mono))
        self.setProperty("tone", tone)
        self.setToolTip(plain_tip(text))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        """As narrow as three letters."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance("m…m"), metrics.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the text, cut in the middle where it does not fit."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        text = QFontMetrics(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.width())
        painter.drawText(self.rect(), int(self.alignment()) | Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()


_SLACK = 2
"""Pixels by which a text may be wider than its measure, which is rounded."""


class ElidedButton(QPushButton):
    """A flat button that cuts its text at the end where there is no room, and tells the whole in the tooltip."""

    def __init__(self, text: str = "", role: str = "link") -> None:
        """Show *text* in the style of *role*."""
        super().__init__()
        self._whole, self._hint = text, ""
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.show_text(text)

    @property
    def whole_text(self) -> str:
        """The text before it is cut."""
        return self._whole

    def show_text(self, text: str, hint: str = "") -> None:
        """Show *text*; *hint* is a second line of the tooltip."""
        self._whole, self._hint = text, hint
        self._cut()
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for the whole text."""
        self.ensurePolished()  # else it would be measured in a font that the style sheet replaces
        wide = self.fontMetrics().horizontalAdvance(self._whole) + _SLACK
        return QSize(wide + self._padding(), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters, or for the whole text where that is shorter."""
        few = self.fontMetrics().horizontalAdvance("mmm…") + self._padding()
        return QSize(min(few, self.sizeHint().width()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut the text to the new width."""
        super().resizeEvent(event)
        self._cut()

    def changeEvent(self, event: QEvent) -> None:
        """Measure anew in another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
            self._cut()

    def _padding(self) -> int:
        return 2 * Space.XS

    def _cut(self) -> None:
        room = max(self.width() - self._padding(), 0)
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, room).replace("&", "&&"))
        self.setToolTip("\n".join(plain_tip(part) for part in (self._whole, self._hint) if part))
        self.setAccessibleName(self._whole)


def glyph(verdict: Verdict, inferred: bool = False, size: int | None = None) -> QLabel:
    """The glyph of a verdict, as large as `Size.GLYPH` unless *size* says otherwise (logical pixels)."""
    made, size = QLabel(), Size.GLYPH if size is None else size
    ratio = made.devicePixelRatioF()
    made.setPixmap(glyph_pixmap(verdict, inferred, look(), size, max(ratio, 2.0)))
    made.setFixedSize(size, size)
    return made


def glyph_of(verdict: "NodeVerdict", size: int | None = None) -> QLabel:
    """The glyph of a node's verdict, hatched when it rests on inference."""
    return glyph(verdict.verdict, verdict.standing is Standing.INFERRED, size)


def chip(text: str, tone: str = "second") -> QLabel:
    """A small tag on soft ground."""
    made = label(text, Role.SMALL, tone=tone, weight=600)
    made.setProperty("role", "chip")
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made


def button(text: str, clicked: Callable[[], object], *, role: str = "", tip: str = "") -> QPushButton:
    """A push button; *role* is `primary`, `link` or empty for an ordinary one."""
    made = PrimaryButton(text) if role == "primary" else QPushButton(text)
    if role and role != "primary":
        made.setProperty("role", role)
    if role == "link":
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    if tip:
        made.setToolTip(tip)
    made.clicked.connect(lambda: clicked())
    return made


def frame(role: str, tone: str = "", *, margins: tuple[int, int, int, int] | None = None) -> tuple[QFrame, QVBoxLayout]:
    """A styled frame with a vertical layout; *margins* are left, top, right, bottom."""
    made = QFrame()
    made.setProperty("role", role)
    if tone:
        made.setProperty("tone", tone)
    column = QVBoxLayout(made)
    column.setContentsMargins(*(margins or (Space.M, Space.S, Space.M, Space.S)))
    column.setSpacing(Space.XS)
    return made, column


def row(*widgets: QWidget | None, spacing: int | None = None) -> QHBoxLayout:
    """Widgets side by side, `Space.S` apart unless *spacing* says otherwise; None stands for free space."""
    made = QHBoxLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setSpacing(Space.S if spacing is None else spacing)
    for widget in widgets:
        if widget is None:
            made.addStretch(1)
        else:
            made.addWidget(widget)
    return made


def caption(text: str, right: str = "") -> QHBoxLayout:
    """A section title with an optional remark at its right."""
    title = label(text, Role.CAPTION, tone="third")
    if not right:
        return row(title, None)
    remark = Elided(right, Role.SMALL, tone="second")
    remark.setAlignment(Qt.AlignmentFlag.AlignRight)
    made = row(title, remark)
    made.setStretch(1, 1)
    return made


def rule() -> QFrame:
    """A hairline between sections."""
    made = QFrame()
    made.setProperty("role", "rule")
    made.setFixedHeight(1)
    return made


def tile(title: str, value: str, note: str = "") -> QFrame:
    """A figure with its name above and a remark below."""
    made, column = frame("tile", margins=(Space.S, Space.XS, Space.S, Space.XS))
    column.setSpacing(0)
    column.addWidget(label(title, Role.SMALL, tone="second"))
    column.addWidget(label(value, Role.HEADLINE))
    if note:
        column.addWidget(label(note, Role.SMALL, tone="second", wrap=True))
    column.addStretch(1)
    return made


def clear(layout: QLayout) -> None:
    """Take everything out of *layout* and delete it later."""
    while layout.count():
        item = layout.takeAt(0)
        _discard(item)


def _discard(item: QLayoutItem | None) -> None:
    if item is None:
        return
    widget, inner = item.widget(), item.layout()
    if widget is not None:
        widget.hide()
        widget.deleteLater()
    elif inner is not None:
        clear(inner)


class Page(QScrollArea):
    """A scrolling column that a panel fills anew each time it shows something."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty page."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body = body = QWidget()
        body.setProperty("role", "page")
        self.column = QVBoxLayout(body)
        self.column.setContentsMargins(Space.PANEL, Space.M, Space.PANEL, Space.PANEL)
        self.column.setSpacing(Space.S)
        self.setWidget(body)

    def restart(self) -> None:
        """Empty the page and scroll to its top."""
        clear(self.column)
        self.verticalScrollBar().setValue(0)

    def close_page(self) -> None:
        """Push what was added to the top."""
        self.column.addStretch(1)

    def showEvent(self, event: QShowEvent) -> None:
        """Measure anew what was filled in while nobody saw it: hidden labels count for nothing."""
        super().showEvent(event)
        for layout in self._body.findChildren(QLayout):
            layout.invalidate()
        self.column.activate()

    def sentence(self, text: str, tone: str = "second") -> QLabel:
        """Add one wrapped sentence."""
        made = label(text, Role.TEXT, tone=tone, wrap=True)
        self.column.addWidget(made)
        return made


class Flow(QLayout):
    """Lays widgets out like words: from left to right, breaking lines where the width ends."""

    def __init__(self, spacing: int | None = None) -> None:
        """Keep *spacing* pixels between the widgets, `Space.S` when it is None."""
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setSpacing(Space.S if spacing is None else spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Append *item*."""
        self._items.append(item)

    def count(self) -> int:
        """Number of items."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """The item at *index*, or None."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove and give back the item at *index*."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        """Always: fewer words fit on a narrower line."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height needed at *width*."""
        return self._place(QRect(0, 0, width, 0), move=False)

    def sizeHint(self) -> QSize:
        """The size of the largest item."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """The size of the largest item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def setGeometry(self, rect: QRect) -> None:
        """Place the items inside *rect*."""
        super().setGeometry(rect)
        self._place(rect, move=True)

    def _place(self, rect: QRect, *, move: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            hint = item.sizeHint().expandedTo(item.minimumSize())
            if x > rect.x() and x + hint.width() > rect.right() + 1:
                x, y, line = rect.x(), y + line + self.spacing(), 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), hint))
            x += hint.width() + self.spacing()
            line = max(line, hint.height())
        return y + line - rect.y()
