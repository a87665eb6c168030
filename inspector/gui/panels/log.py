"""Log: the last records of the program, for the user and for reports."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QVBoxLayout, QWidget

from inspector.gui.fonts import Role, font
from inspector.gui.theme import Space
from inspector.gui.widgets import button, row
from inspector.log import Ring

_PERIOD_MS = 500


class LogPanel(QWidget):
    """Shows a ring buffer of log records while it is visible."""

    def __init__(self, ring: Ring, parent: QWidget | None = None) -> None:
        """Show the records of *ring*."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._ring = ring
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setTabChangesFocus(True)
        self.text.setFont(font(Role.SMALL, mono=True))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._copy = button("", lambda: QApplication.clipboard().setText(self.text.toPlainText()))
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.S, Space.S, Space.S)
        column.addWidget(self.text, 1)
        column.addLayout(row(None, self._copy))
        self._timer = QTimer(self, interval=_PERIOD_MS)
        self._timer.timeout.connect(self.refresh)
        self._timer.start()
        self.retranslate()

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self._copy.setText(self.tr("Copy log"))
        self.text.setAccessibleName(self.tr("Log"))

    def refresh(self) -> None:
        """Take over what was logged since."""
        if self.isVisible():
            text = "\n".join(self._ring.lines())
            if text != self.text.toPlainText():
                self.text.setPlainText(text)
                bar = self.text.verticalScrollBar()
                bar.setValue(bar.maximum())

    def showEvent(self, event: QShowEvent) -> None:
        """Be up to date when the tab is opened."""
        super().showEvent(event)
        self.refresh()
