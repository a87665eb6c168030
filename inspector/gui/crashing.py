"""Faults of the program: every exception that nobody caught reaches the log and one dialog, whatever thread it is of.

Qt's own messages and Python's warnings go into the log as well.
"""

import logging
import sys
import threading
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QtMsgType, Signal, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QWidget

from inspector.log import Ring

if TYPE_CHECKING:
    from inspector.gui.dialogs.crash import CrashDialog, Work

_log = logging.getLogger("inspector.gui")

_MOST_PER_PLACE = 2
"""Times that a fault of one place opens a dialog; one that comes with every picture would never let go of the user."""

_INTERRUPTED = 130
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.ERROR,
}


class Crashes(QObject):
    """Shows faults over a window.

    Signals:
        restart_asked: the user wants to start again.
        suppressed: the fault of a place that was shown often enough happened again (a sentence).
    """

    restart_asked = Signal()
    suppressed = Signal(str)

    def __init__(self, window: QWidget, ring: Ring, work: "Callable[[], Work]") -> None:
        """Show dialogs over *window*; reports end with the records of *ring*, *work* is what there is to lose."""
        super().__init__(window)
        self._window = window
        self._ring = ring
        self._work = work
        self._dialog: CrashDialog | None = None
        self._seen: dict[tuple[str, str, int], int] = {}

    def show(self, error: BaseException) -> None:
        """Log *error*, and show it; while a dialog is open it goes into that."""
        from inspector.gui.dialogs.crash import CrashDialog, crash_report

        _log.error("unexpected: %r", error, exc_info=error)
        place = _place(error)
        self._seen[place] = self._seen.get(place, 0) + 1
        report = crash_report(error, self._ring.lines())
        if self._dialog is not None:
            if self._seen[place] <= _MOST_PER_PLACE:
                self._dialog.another(report)
            return
        if self._seen[place] > _MOST_PER_PLACE:
            self.suppressed.emit(self.tr("The same fault happened again; the log has it."))
            return
        self._dialog = dialog = CrashDialog(report, self._work(), self._window)
        dialog.restart_asked.connect(self.restart_asked)
        dialog.finished.connect(self._closed)
        dialog.open()

    def _closed(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.deleteLater()


def install_hooks(crashed: Callable[[BaseException], object]) -> None:
    """Send what nobody caught to *crashed*, from any thread, and messages of Qt and Python into the log."""

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):  # Ctrl+C in the terminal: unsaved work is recovered at the next start
            QApplication.exit(_INTERRUPTED)
            return
        try:
            crashed(error)
        except RuntimeError:  # the window is gone already
            sys.__excepthook__(kind, error, trace)

    def show_thread(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            show(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    def show_unraisable(arguments: "sys.UnraisableHookArgs") -> None:
        _log.warning("in %r: %r", arguments.object, arguments.exc_value, exc_info=arguments.exc_value)

    def log_qt(kind: QtMsgType, _context: object, text: str) -> None:
        logging.getLogger("qt").log(_LEVELS.get(kind, logging.INFO), text)

    sys.excepthook = show
    threading.excepthook = show_thread
    sys.unraisablehook = show_unraisable
    logging.captureWarnings(True)
    qInstallMessageHandler(log_qt)


def _place(error: BaseException) -> tuple[str, str, int]:
    """Kind of the error and where it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return type(error).__name__, "", 0
    return type(error).__name__, frames[-1].filename, frames[-1].lineno or 0
