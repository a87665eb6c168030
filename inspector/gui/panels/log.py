"""Log: the last records of the program by level and text, for the user and for reports."""

import html
import logging
from pathlib import Path

from PySide6.QtCore import QSize, QTimer, QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QToolButton, QVBoxLayout, QWidget

from inspector.gui.combo import ComboBox
from inspector.gui.fonts import Role, font
from inspector.gui.icons import icon
from inspector.gui.look import look
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import label, row
from inspector.log import Record, Ring
from inspector.state import log_path

_PERIOD_MS = 500


class LogPanel(QWidget):
    """Shows a ring buffer of log records while it is visible."""

    def __init__(self, ring: Ring, parent: QWidget | None = None) -> None:
        """Show the records of *ring*."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._ring = ring
        self._shown: tuple[object, ...] = ()
        self.level = ComboBox()
        for value in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
            self.level.addItem("", value)
        self.level.currentIndexChanged.connect(lambda _index: self.refresh())
        self.search = QLineEdit(clearButtonEnabled=True)
        self.search.textChanged.connect(lambda _text: self.refresh())
        self.count = label("", Role.SMALL, tone="third")
        self._copy, self._folder = QToolButton(), QToolButton()
        self._folder.clicked.connect(lambda: self.open_folder())
        self.text = QPlainTextEdit(readOnly=True)
        self._copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text.toPlainText()))
        self.text.setTabChangesFocus(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setFont(font(Role.SMALL, mono=True))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.S, Space.S, Space.S)
        column.setSpacing(Space.S)
        tools = row(self.level, self.search, self.count, None, self._copy, self._folder)
        self.search.setMinimumWidth(Size.LEFT_MIN // 2)
        self.search.setMaximumWidth(Size.LEFT)
        column.addLayout(tools)
        column.addWidget(self.text, 1)
        self._timer = QTimer(self, interval=_PERIOD_MS)
        self._timer.timeout.connect(self.refresh)
        self._timer.start()
        self.retranslate()

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        names = (self.tr("Everything"), self.tr("From info on"), self.tr("From warnings on"), self.tr("Errors only"))
        for index, name in enumerate(names):
            self.level.setItemText(index, name)
        self.level.setAccessibleName(self.tr("Level"))
        self.search.setPlaceholderText(self.tr("Find in the log"))
        self.search.setAccessibleName(self.tr("Find in the log"))
        copy, folder = self.tr("Copy the records that are shown"), self.tr("Open log folder")
        for made, drawing, name, tip in (
            (self._copy, "copy", copy, copy),
            (self._folder, "folder-open", folder, f"{folder}\n{log_path().parent}"),
        ):
            made.setIcon(icon(drawing))
            made.setIconSize(QSize(Size.ICON, Size.ICON))
            made.setAccessibleName(name)
            made.setToolTip(tip)
        self.text.setAccessibleName(self.tr("Log"))
        self._shown = ()
        self.refresh()

    def refresh(self) -> None:
        """Take over what was logged or chosen since, if the panel is seen; the place read at stays."""
        state = (self._ring.count, self.level.currentData(), self.search.text(), look().name)
        if not self.isVisible() or state == self._shown:
            return
        self._shown = state
        records = self._ring.records(state[1], state[2])
        bar = self.text.verticalScrollBar()
        at_end, place = bar.value() >= bar.maximum(), bar.value()
        self.text.clear()
        self.text.appendHtml("<br>".join(map(_coloured, records)))
        bar.setValue(bar.maximum() if at_end else place)
        total = len(self._ring.records())
        told = self.tr("{shown} of {all}").format(shown=len(records), all=total)
        self.count.setText(told if len(records) != total else self.tr("%n record(s)", "", total))

    def open_folder(self) -> None:
        """Show the folder of the log files in the file manager; the next folder above while there is none."""
        folder = next((place for place in (log_path().parent, *log_path().parents) if place.is_dir()), Path.home())
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def showEvent(self, event: QShowEvent) -> None:
        """Be up to date when the tab is opened."""
        super().showEvent(event)
        self.refresh()


def _coloured(record: Record) -> str:
    """A record as one HTML paragraph in the colour of its level."""
    theme = look()
    ink = theme.text
    if record.level >= logging.ERROR:
        ink = theme.failed
    elif record.level >= logging.WARNING:
        ink = theme.inconclusive
    elif record.level < logging.INFO:
        ink = theme.text3
    lines = html.escape(record.text).replace("\n", "<br>")
    return f'<span style="color:{ink}; white-space:pre">{lines}</span>'
