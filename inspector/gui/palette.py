"""`CommandPalette`: one field for everything: nodes, commands, clauses and targets, by fuzzy match in two languages."""

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsDropShadowEffect,
    QLineEdit,
    QListView,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.announce import announce
from inspector.gui.fonts import Role
from inspector.gui.look import look
from inspector.gui.palette_entries import Entry, Kind, Titles
from inspector.gui.palette_model import PaletteDelegate, PaletteModel, spoken
from inspector.gui.palette_search import Found, Sources, search
from inspector.gui.theme import Size, Space, colour
from inspector.gui.widgets import Elided

ROWS = 8
"""Rows that are seen at once."""

_STAYS_OPEN = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
"""Ways to lose the focus after which the palette stays: a context menu, another program."""

_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_Tab: 1, Qt.Key.Key_Backtab: -1}
_PAGES = {Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}


class CommandPalette(QFrame):
    """A popover inside the window. It holds what can be found as a value and tells what was chosen.

    Signals:
        chosen: the `Entry` that was chosen; the palette is closed by then and the focus is back where it was.
    """

    chosen = Signal(object)

    def __init__(self, window: QWidget) -> None:
        """Make a closed palette of *window*."""
        super().__init__(window)
        self.setObjectName("palette")
        self.setProperty("role", "popover")
        self._window = window
        self._sources = Sources(Titles(()))
        self._back: QWidget | None = None
        self._anchor: QWidget | None = None
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self.list = QListView()
        self.model = PaletteModel(self)
        self._note = Elided("", Role.SMALL, tone="second")
        self._shadow = QGraphicsDropShadowEffect(self)
        self.setGraphicsEffect(self._shadow)
        self._build()
        self.retranslate()
        self.hide()

    def _build(self) -> None:
        self.list.setModel(self.model)
        self.list.setItemDelegate(PaletteDelegate(self.list))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.clicked.connect(self._choose)
        self.field.textChanged.connect(self._show)
        self.field.installEventFilter(self)
        self._window.installEventFilter(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.S, Space.S, Space.S)
        column.setSpacing(Space.S)
        for widget in (self.field, self.list, self._note):
            column.addWidget(widget)

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self.field.setPlaceholderText(self.tr("Search nodes or run a command"))
        self.field.setAccessibleName(self.tr("Search nodes or run a command"))
        self.list.setAccessibleName(self.tr("Found"))
        self._shadow.setBlurRadius(Size.SHADOW_BLUR)
        self._shadow.setOffset(0, Size.SHADOW_DOWN)
        self._shadow.setColor(colour(look().shadow))

    # Opening and closing

    def open_under(self, anchor: QWidget | None, sources: Sources, line: str = "") -> None:
        """Open below *anchor* (None: at the top of the window) to search *sources*, with *line* typed already."""
        if not self.isVisible():
            self._back = QApplication.focusWidget()
        self._sources = sources
        self._anchor = anchor
        self._place()
        self.field.setText(line)
        self._show()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def _place(self) -> None:
        """Stand below the anchor, inside the window."""
        window, anchor = self._window, self._anchor
        width = min(Size.PALETTE, window.width() - 2 * Space.L)
        self.list.setFixedHeight(2 * self.list.frameWidth() + ROWS * Size.CONTROL_START)
        self.setFixedWidth(width)
        self.adjustSize()
        middle, top = window.width() // 2, Size.HEADER
        if anchor is not None and anchor.isVisible():
            corner = anchor.mapTo(window, QPoint(0, 0))
            middle, top = corner.x() + anchor.width() // 2, corner.y() + anchor.height() + Space.XS
        left = min(max(middle - width // 2, Space.L), window.width() - width - Space.L)
        self.move(left, top)

    def set_sources(self, sources: Sources) -> None:
        """Search *sources* from now on; what is typed stays."""
        self._sources = sources
        if self.isVisible():
            self._show()

    @property
    def sources(self) -> Sources:
        """What is searched."""
        return self._sources

    def close_palette(self) -> None:
        """Close it and give the focus back."""
        if self.isHidden():
            return
        back, self._back = self._back, None
        self.hide()
        if back is not None and back.isVisible():
            back.setFocus(Qt.FocusReason.PopupFocusReason)
        else:
            self._window.setFocus(Qt.FocusReason.PopupFocusReason)

    # Rows

    def current(self) -> Entry | None:
        """The entry that Enter would choose; None when the list is empty."""
        row = self.list.currentIndex().row()
        return self.model.rows[row].entry if 0 <= row < len(self.model.rows) else None

    def _show(self) -> None:
        found = search(self._sources, self.field.text())
        self.model.show_rows(found.rows)
        self._note.setText(self._told(found))
        self._note.setToolTip(self._note.text())
        self._go(0)

    def _told(self, found: Found) -> str:
        if found.faults:
            return self.tr("Not understood: {parts}").format(parts=", ".join(found.faults))
        if not found.ready:
            return self.tr("No model is open.") if found.kind is Kind.NODE else self.tr("The tables are still read.")
        if not found.rows:
            return self.tr("Nothing has these letters. ? lists what can be searched.")
        if found.nodes:
            return self.tr("%n node(s) found", "", found.nodes)
        return self.tr("↑ ↓ choose, Enter runs, Esc closes, ? lists what can be searched")

    def _go(self, row: int) -> None:
        if self.model.rows:
            row = min(max(row, 0), len(self.model.rows) - 1)
            self.list.setCurrentIndex(self.model.index(row))
            announce(self.list, spoken(self.model.rows[row]))

    def _step(self, step: int) -> None:
        if self.model.rows:
            self._go((self.list.currentIndex().row() + step) % len(self.model.rows))

    def _choose(self, index: QModelIndex | None = None) -> None:
        if index is not None:
            self.list.setCurrentIndex(index)
        entry = self.current()
        if entry is None:
            return
        if entry.reason:
            announce(self.list, entry.reason)
        elif entry.kind is Kind.HELP:
            self.field.setText(entry.id)
        else:
            self.close_palette()
            self.chosen.emit(entry)

    # Keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the field that belong to the list; the palette closes when the field loses the focus.

        It follows the window that is made larger or smaller.
        """
        if watched is self._window:
            if event.type() == QEvent.Type.Resize and self.isVisible():
                QTimer.singleShot(0, self, self._place)
            return False
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in _STAYS_OPEN:
            self._back = None
            QTimer.singleShot(0, self, self._left)
        return super().eventFilter(watched, event)

    def _left(self) -> None:
        """The user went on elsewhere: the focus stays there."""
        if not self.field.hasFocus():
            self.hide()

    def _key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in _STEPS:
            self._step(_STEPS[key])
        elif key in _PAGES:
            self._go(self.list.currentIndex().row() + _PAGES[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose()
        elif key == Qt.Key.Key_Escape:
            self.close_palette()
        else:
            return False
        return True
