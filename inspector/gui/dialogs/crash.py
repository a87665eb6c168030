"""Crash dialog: an exception that nobody expected, with a report that can be copied. The window goes on."""

import platform
import sys
import traceback
from collections.abc import Sequence

import PySide6
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from inspector import __version__
from inspector.gui.fonts import Role, font
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import label

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


class CrashDialog(QDialog):
    """Plain words first, the report below."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        """Show *report*."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("An unexpected fault"))
        self.resize(Size.INSPECTOR_MAX + Size.LEFT, Size.INSPECTOR)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(self.tr("The program met a fault of its own"), Role.HEADLINE))
        text = self.tr(
            "What you were doing did not finish. The open model and accepted rewrites are still there. "
            "The report below has no values of your model; copy it into a problem report."
        )
        column.addWidget(label(text, tone="second", wrap=True))
        self.text = QPlainTextEdit(report, readOnly=True)
        self.text.setFont(font(Role.SMALL, mono=True))
        column.addWidget(self.text, 1)
        buttons = QDialogButtonBox()
        copy = buttons.addButton(self.tr("Copy report"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QApplication.clipboard().setText(report))
        buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
