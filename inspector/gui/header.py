"""`Header`: the bar at the top of the window: menu, document tabs, search and commands, the actions always at hand."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QPushButton, QSizePolicy, QToolButton, QWidget

from inspector.gui.document_tabs import DocumentTabs, TabText
from inspector.gui.fonts import Role
from inspector.gui.icons import icon
from inspector.gui.look import look
from inspector.gui.menu_bar import has_native_menus
from inspector.gui.theme import Radius, Size, Space, colour
from inspector.gui.widgets import label
from inspector.placement.kinds import Verdict

if TYPE_CHECKING:
    from inspector.gui.actions import Actions


class Mark(QWidget):
    """The program's mark: two nodes of a graph over a third, in colours of verdicts."""

    def __init__(self) -> None:
        """Make the mark."""
        super().__init__()
        self.setFixedSize(Size.CONTROL_SMALL, Size.CONTROL_SMALL)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the three boxes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        half, gap = self.width() / 2, Space.XXS / 2
        colours = look()
        for token, box in (
            (colours.of(Verdict.BPU).fill, QRectF(0, gap, half - gap, half - 2 * gap)),
            (colours.of(Verdict.CPU).fill, QRectF(half + gap, gap, half - gap, half - 2 * gap)),
            (colours.accent, QRectF(0, half + gap, 2 * half, half - 2 * gap)),
        ):
            painter.setBrush(colour(token))
            painter.drawRoundedRect(box, Radius.TAG, Radius.TAG)
        painter.end()


class CommandBox(QPushButton):
    """Looks like a search field and opens the command palette; an icon alone where the window is narrow."""

    def __init__(self) -> None:
        """Make the box; `retranslate` gives it its texts."""
        super().__init__()
        self.setProperty("role", "search")
        self._icon, self._text, self._keys = label(), label("", Role.TEXT, tone="second"), label("", Role.CAPTION)
        self._texts = ("", "")
        self._keys.setProperty("role", "kbd")
        line = QHBoxLayout(self)
        line.setContentsMargins(Space.S, 0, Space.S, 0)
        line.setSpacing(Space.S)
        line.addWidget(self._icon)
        line.addWidget(self._text, 1)
        line.addWidget(self._keys)
        for part in (self._icon, self._text, self._keys):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def show_texts(self, text: str, brief: str, keys: str) -> None:
        """Show *text*, or *brief* where that has no room, and the *keys* that do the same."""
        self._texts = (text, brief)
        self._keys.setText(keys)
        self.setAccessibleName(text)
        self.setToolTip(f"{text} ({keys})")
        self._fit()
        self._icon.setPixmap(icon("search").pixmap(QSize(Size.ICON, Size.ICON), self.devicePixelRatioF()))

    def set_short(self, short: bool) -> None:
        """Show the icon alone, or the whole box."""
        for part in (self._text, self._keys):
            part.setVisible(not short)
        width = Size.CONTROL + Space.XS if short else Size.SEARCH_BOX
        self.setMinimumWidth(width if short else Size.SEARCH_BOX_MIN)
        self.setMaximumWidth(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the text that fits."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        text, brief = self._texts
        others = Size.ICON + self._keys.sizeHint().width() + 5 * Space.S
        self._text.setText(text if self._text.fontMetrics().horizontalAdvance(text) <= self.width() - others else brief)


class ActionButton(QToolButton):
    """An icon that runs an action; off when the action is, and its tooltip says why."""

    def __init__(self, name: str, drawing: str) -> None:
        """Stand for the action *name*, and show the icon *drawing*; `serve` gives it the action itself."""
        super().__init__()
        self.name, self.drawing = name, drawing
        self._action: QAction | None = None

    def serve(self, action: QAction) -> None:
        """Follow *action* from now on."""
        self._action = action
        action.changed.connect(self._follow)
        self._follow()

    def restyle(self) -> None:
        """Take the colours of the theme in use."""
        self.setIcon(icon(self.drawing))

    def _follow(self) -> None:
        if self._action is None:
            return
        self.setEnabled(self._action.isEnabled())
        self.setToolTip(self._action.toolTip())
        from inspector.gui.actions import without_mnemonic

        self.setAccessibleName(without_mnemonic(self._action.text()).rstrip("…"))


class Header(QWidget):
    """The bar over the target bar.

    Attributes:
        documents: the strip of tabs.
        menu: button with the whole menu; hidden where the system shows the menu bar itself.
        command: box that opens the command palette.

    Signals:
        action_asked: the action with this id is to be run.
        menu_asked: the menu is wanted before there is one.
        command_asked: the command palette is to be opened under `command`.
        new_tab_asked: an empty tab is wanted.
    """

    action_asked = Signal(str)
    menu_asked = Signal()
    command_asked = Signal()
    new_tab_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make a bar without tabs; `serve` gives it menus and actions."""
        super().__init__(parent)
        self.setProperty("role", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(Size.HEADER)
        self.documents = DocumentTabs()
        self.menu, self._new, self._more = QToolButton(), QToolButton(), QToolButton()
        self.command = CommandBox()
        self._undo, self._redo = ActionButton("edit.undo", "undo-2"), ActionButton("edit.redo", "redo-2")
        self._theme = ActionButton("view.theme", "moon")
        self._language = ActionButton("view.language", "languages")
        self._settings = ActionButton("file.settings", "settings")
        self._buttons = (self._undo, self._redo, self._theme, self._language, self._settings)
        self._build()
        self.retranslate()

    def _build(self) -> None:
        for one in self._buttons:
            one.clicked.connect(lambda _on=False, name=one.name: self.action_asked.emit(name))
        for one in (self._undo, self._redo):
            one.setEnabled(False)
        self.menu.clicked.connect(self.menu_asked)
        self.menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._more.clicked.connect(self._list_all)
        self._new.clicked.connect(self.new_tab_asked)
        self.command.clicked.connect(self.command_asked)
        line = QHBoxLayout(self)
        line.setContentsMargins(Space.S, 0, Space.M, 0)
        line.setSpacing(Space.XS)
        line.addWidget(self.menu)
        line.addWidget(Mark())
        line.addSpacing(Space.S)
        line.addWidget(self.documents)
        line.addWidget(self._more)
        line.addWidget(self._new)
        line.addStretch(1)
        line.addWidget(self.command, 1)
        line.addSpacing(Space.S)
        for widget in (self._undo, self._redo, _divider(), self._theme, self._language, self._settings):
            line.addWidget(widget)
        self.menu.setVisible(not has_native_menus())
        # The tabs give way first; the box comes before free space.
        line.setStretch(line.indexOf(self.command), 1000)
        self.documents.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)

    def serve(self, actions: "Actions") -> None:
        """Offer *actions* in the menu, and let the buttons say which of them can be run."""
        whole = QMenu(self)
        for menu in actions.menus:
            whole.addMenu(menu)
        self.menu.setMenu(whole)
        for one in self._buttons:
            one.serve(actions[one.name])

    def show_tabs(self, texts: Sequence[TabText], current: int) -> None:
        """Show these document tabs, the one at *current* in front."""
        self.documents.show_tabs(texts, current)
        self._fit()

    def retranslate(self) -> None:
        """Set the fixed texts in the current language, and icons in the theme in use."""
        self.documents.retranslate()
        names = (
            (self.menu, self.tr("Menu"), "menu"),
            (self._new, self.tr("New tab"), "plus"),
            (self._more, self.tr("All open models"), "chevron-down"),
        )
        for plain, name, drawing in names:
            plain.setToolTip(name)
            plain.setAccessibleName(name)
            plain.setIcon(icon(drawing))
        self._theme.drawing = "sun" if look().dark else "moon"
        for one in self._buttons:
            one.restyle()
        self.command.show_texts(self.tr("Search nodes or run a command"), self.tr("Search"), "Ctrl K")
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what does not fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.command.set_short(self.width() < Size.COMMAND_FROM)
        self._more.setVisible(self.documents.least_width > self._room())

    def _room(self) -> int:
        """Width that is left for the tabs, in pixels."""
        line = self.layout()
        if line is None:
            return self.width()
        line.invalidate()
        return self.width() - line.minimumSize().width() + self.documents.minimumSizeHint().width()

    def _list_all(self) -> None:
        """Offer all tabs, also those that the strip has no room for."""
        menu = QMenu(self)
        for index in range(self.documents.count()):
            entry = menu.addAction(self.documents.tabText(index), partial(self.documents.picked.emit, index))
            entry.setCheckable(True)
            entry.setChecked(index == self.documents.currentIndex())
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))


def _divider() -> QWidget:
    made = QWidget()
    made.setProperty("role", "divider")
    made.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    made.setFixedSize(1, Size.CONTROL_SMALL)
    return made
