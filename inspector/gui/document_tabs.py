"""`DocumentTabs`: the strip of document tabs in the header."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QTabBar, QWidget

from inspector.gui.icons import icon
from inspector.gui.look import look
from inspector.gui.plain_words import plain_tip
from inspector.gui.theme import Size, colour


@dataclass(frozen=True, slots=True)
class TabText:
    """What a tab shows.

    Attributes:
        name: of the file; translated word for the start page.
        tip: whole path; empty on the start page.
        unsaved: whether it carries the mark of unsaved work.
    """

    name: str
    tip: str
    unsaved: bool


class _Close(QAbstractButton):
    """A cross that closes the tab; a dot instead while the work in it is unsaved and the pointer is elsewhere."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.unsaved = False
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+W closes by key
        self.setFixedSize(Size.CONTROL_SMALL, Size.CONTROL_SMALL)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self.width() / 2, self.height() / 2)
        unit = Size.ICON / 4
        if self.unsaved and not self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(look().accent))
            painter.drawEllipse(QPointF(0.0, 0.0), unit, unit)
        else:
            painter.setPen(QPen(colour(look().text if self.underMouse() else look().text2), unit / 3))
            painter.drawLine(QPointF(-unit, -unit), QPointF(unit, unit))
            painter.drawLine(QPointF(-unit, unit), QPointF(unit, -unit))
        painter.end()


class DocumentTabs(QTabBar):
    """One tab per open document: its name, elided in the middle, and a mark when it holds unsaved work.

    Signals:
        picked: the tab at this index is to be shown.
        close_asked: the tab at this index is to be closed.
    """

    picked = Signal(int)
    close_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty strip."""
        super().__init__(parent)
        self.setProperty("role", "documents")
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUsesScrollButtons(True)  # it keeps the current tab in view; the sheet gives the buttons no width
        self.setIconSize(QSize(Size.ICON, Size.ICON))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.currentChanged.connect(self._picked)
        self._filling = False

    def show_tabs(self, texts: Sequence[TabText], current: int) -> None:
        """Show these tabs from left to right, the one at *current* in front."""
        self._filling = True
        while self.count() > len(texts):
            self.removeTab(self.count() - 1)
        while self.count() < len(texts):
            self._add()
        for index, text in enumerate(texts):
            self._fill(index, text)
        self.setCurrentIndex(current)
        self._filling = False

    @property
    def least_width(self) -> int:
        """Width in pixels below which not all tabs are seen."""
        return sum(self.minimumTabSizeHint(index).width() for index in range(self.count()))

    def tabSizeHint(self, index: int) -> QSize:
        """As wide as the name, within limits."""
        hint = super().tabSizeHint(index)
        return QSize(max(min(hint.width(), Size.DOCUMENT_TAB), Size.DOCUMENT_TAB_MIN), hint.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Wide enough for both ends of a name."""
        return QSize(Size.DOCUMENT_TAB_MIN, super().minimumTabSizeHint(index).height())

    def minimumSizeHint(self) -> QSize:
        """One tab."""
        return QSize(Size.DOCUMENT_TAB_MIN, super().minimumSizeHint().height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The middle button closes a tab."""
        index = self.tabAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.MiddleButton and index >= 0:
            self.close_asked.emit(index)
            return
        super().mouseReleaseEvent(event)

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self.setAccessibleName(self.tr("Open models"))
        for index in range(self.count()):
            self._closer(index).setToolTip(self.tr("Close"))
            self.setTabIcon(index, icon("file"))

    def _add(self) -> None:
        index = self.addTab("")
        closer = _Close(self)
        closer.clicked.connect(lambda: self.close_asked.emit(self._index_of(closer)))
        self.setTabButton(index, QTabBar.ButtonPosition.RightSide, closer)

    def _fill(self, index: int, text: TabText) -> None:
        # A single "&" would be taken for the mark of a key.
        self.setTabText(index, text.name.replace("&", "&&"))
        self.setTabToolTip(index, plain_tip(text.tip or text.name))
        self.setTabIcon(index, icon("file"))
        closer = self._closer(index)
        closer.unsaved = text.unsaved
        closer.setAccessibleName(self.tr("Close {name}").format(name=text.name))
        closer.setToolTip(self.tr("Close"))
        closer.update()

    def _closer(self, index: int) -> _Close:
        made = self.tabButton(index, QTabBar.ButtonPosition.RightSide)
        if not isinstance(made, _Close):
            raise LookupError(f"tab {index} has no button")
        return made

    def _index_of(self, closer: _Close) -> int:
        return next(index for index in range(self.count()) if self._closer(index) is closer)

    def _picked(self, index: int) -> None:
        if not self._filling and index >= 0:
            self.picked.emit(index)
