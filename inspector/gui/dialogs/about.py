"""About dialog: versions of the program and its parts, ready to copy into a report."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

import PySide6
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from inspector import __version__
from inspector.gui.fonts import Role
from inspector.gui.theme import Space
from inspector.gui.widgets import label

_PACKAGES = ("onnx", "onnxruntime", "numpy")


def versions_text(digest: str) -> str:
    """One line per part; *digest* is that of the constraint tables, empty while they are not read."""
    lines = [f"BPU Graph Inspector {__version__}", f"tables {digest}" if digest else ""]
    lines.append(f"Python {sys.version.split()[0]}, PySide6 {PySide6.__version__}")
    for name in _PACKAGES:
        try:
            lines.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            lines.append(f"{name}: not installed")
    lines.append(platform.platform())
    return "\n".join(line for line in lines if line)


class AboutDialog(QDialog):
    """Shows `versions_text`."""

    def __init__(self, digest: str, parent: QWidget | None = None) -> None:
        """Show the versions; *digest* is that of the constraint tables."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("About"))
        text = versions_text(digest)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label("BPU Graph Inspector", Role.TITLE))
        column.addWidget(label(self.tr("Where each node runs on a BPU, why, and what fixes it."), tone="second"))
        column.addWidget(label(text, Role.SMALL, mono=True, selectable=True))
        buttons = QDialogButtonBox()
        copy = buttons.addButton(self.tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(lambda: QApplication.clipboard().setText(text))
        buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
