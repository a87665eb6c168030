"""Crash dialog: an exception that nobody expected: what happened, where the work is, a report, go on or start anew."""

import platform
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass

import PySide6
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QCheckBox, QDialog, QPlainTextEdit, QVBoxLayout, QWidget

from inspector import __version__
from inspector.gui.fonts import Role, font
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import button, label, row
from inspector.log import hide_paths

_LOG_LINES = 60


def crash_report(error: BaseException, log: Sequence[str]) -> str:
    """Versions, trace and the end of the log. Holds no tensor values."""
    lines = [
        f"BPU Graph Inspector {__version__}",
        f"Python {sys.version.split()[0]}, PySide6 {PySide6.__version__}, {platform.platform()}",
        "",
        "".join(traceback.format_exception(error)).rstrip(),
        "",
        *log[-_LOG_LINES:],
    ]
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class Work:
    """What the user has to lose.

    Attributes:
        unsaved: names of the open models with rewrites that are in no file yet.
        folder: where those are written down; empty when they are not.
        private: names that are kept out of a report unless the user wants them in.
    """

    unsaved: tuple[str, ...] = ()
    folder: str = ""
    private: tuple[str, ...] = ()


class CrashDialog(QDialog):
    """Plain words first, the report below.

    Signals:
        restart_asked: close and start again; unsaved work is offered for recovery then.
    """

    restart_asked = Signal()

    def __init__(self, report: str, work: Work | None = None, parent: QWidget | None = None) -> None:
        """Show *report*; *work* is what the user wants to know about first."""
        super().__init__(parent)
        work = work or Work()
        self._report, self._private = report, work.private
        self._more = 0
        self.setWindowTitle(self.tr("An unexpected fault"))
        self.resize(Size.INSPECTOR_MAX + Size.LEFT, Size.INSPECTOR)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(self.tr("The program met a fault of its own"), Role.HEADLINE))
        column.addWidget(label(self._what(report), Role.TEXT, mono=True, wrap=True, selectable=True))
        column.addWidget(label(self._safe(work), tone="second", wrap=True))
        self.again = label("", tone="inconclusive", wrap=True)
        self.again.hide()
        column.addWidget(self.again)
        self.paths = QCheckBox(self.tr("Include file names and paths"))
        self.paths.toggled.connect(lambda _on: self._fill())
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setFont(font(Role.SMALL, mono=True))
        self.text.setAccessibleName(self.tr("Report"))
        column.addWidget(self.text, 1)
        column.addWidget(self.paths)
        copy = button(self.tr("Copy report"), self.copy)
        restart = button(self.tr("Restart"), self._restart)
        restart.setToolTip(self.tr("Close the window and start again; unsaved work is offered for recovery."))
        go_on = button(self.tr("Continue"), self.accept, role="primary")
        go_on.setDefault(True)
        column.addLayout(row(copy, None, restart, go_on))
        self._fill()
        go_on.setFocus()

    def another(self, report: str) -> None:
        """A further fault while the dialog is open: it is counted and its report goes below the first."""
        self._more += 1
        self.again.setText(self.tr("%n more fault(s) since; their reports are below.", "", self._more))
        self.again.show()
        self._report = f"{self._report}\n\n{report}"
        self._fill()

    def copy(self) -> None:
        """Put the report as it is shown on the clipboard."""
        QApplication.clipboard().setText(self.text.toPlainText())

    def _restart(self) -> None:
        self.restart_asked.emit()
        self.accept()

    def _fill(self) -> None:
        report = self._report if self.paths.isChecked() else hide_paths(self._report, self._private)
        self.text.setPlainText(report)

    def _what(self, report: str) -> str:
        """The last line of the trace, which says what went wrong."""
        trace = report.split("\n\n", 2)[1] if report.count("\n\n") else report
        return trace.rstrip().splitlines()[-1] if trace.strip() else ""

    def _safe(self, work: Work) -> str:
        if not work.unsaved:
            return self.tr(
                "What you were doing did not finish. The open models are still there, and nothing of them is unsaved. "
                "The report holds no values of your models."
            )
        if work.folder:
            text = self.tr(
                "What you were doing did not finish. Rewrites that are not saved yet ({names}) are still there and are "
                "written down in {folder}. The report holds no values of your models."
            )
            return text.format(names=", ".join(work.unsaved), folder=work.folder)
        text = self.tr(
            "What you were doing did not finish. Rewrites that are not saved yet ({names}) are still there, but are "
            "written down nowhere: continue and save them. The report holds no values of your models."
        )
        return text.format(names=", ".join(work.unsaved))
