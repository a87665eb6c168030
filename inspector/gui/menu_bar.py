"""`ClassicMenuBar`: the menu bar that Alt brings up for one command, or the one that the system has of its own."""

import sys

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QApplication, QMenuBar, QWidget


def has_native_menus() -> bool:
    """Whether the system shows the menu bar outside the window."""
    return sys.platform == "darwin"


class ClassicMenuBar(QMenuBar):
    """Hidden until Alt is pressed alone; goes when something was chosen, on Esc, or when the focus leaves it."""

    def __init__(self, window: QWidget) -> None:
        """Make the bar of *window*."""
        super().__init__(window)
        self._back: QWidget | None = None
        self._alone = False
        if not has_native_menus():
            self.hide()
            self.triggered.connect(lambda _action: self.conceal())
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at keys that no widget took: Alt pressed and released with nothing between shows or hides the bar."""
        if isinstance(event, QKeyEvent) and watched is self.parent():
            self._key(event)
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> None:
        alt = event.key() == Qt.Key.Key_Alt and not event.isAutoRepeat()
        if event.type() == QEvent.Type.ShortcutOverride:
            self._alone = alt and event.modifiers() in (Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.NoModifier)
        elif event.type() == QEvent.Type.KeyRelease and alt and self._alone:
            self._alone = False
            if self.isVisible():
                self.conceal()
            else:
                self.reveal()

    def reveal(self) -> None:
        """Show the bar and give it the focus."""
        self._back = QApplication.focusWidget()
        self.show()
        self.setFocus(Qt.FocusReason.MenuBarFocusReason)
        self.setActiveAction(self.actions()[0])

    def conceal(self) -> None:
        """Hide the bar and give the focus back."""
        if has_native_menus() or not self.isVisible():
            return
        self.hide()
        if self._back is not None and self._back.isVisible():
            self._back.setFocus(Qt.FocusReason.MenuBarFocusReason)
        self._back = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves the bar."""
        if event.key() == Qt.Key.Key_Escape:
            self.conceal()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Go, unless the focus went to a menu of the bar."""
        super().focusOutEvent(event)
        if QApplication.activePopupWidget() is None:
            self.conceal()
