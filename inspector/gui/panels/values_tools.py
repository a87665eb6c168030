"""Buttons of the values: the worst elements with their coordinates, and what is shown as files."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QBuffer, QSize, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from inspector.errors import InspectorError
from inspector.gui.icons import icon
from inspector.gui.theme import Size
from inspector.gui.widgets import row
from inspector.gui.words import decimal, figure
from inspector.model.save import write_atomically
from inspector.report.tensors import figures_csv, values_npz
from inspector.verify.result import ArraySample, TensorDiff, Verification
from inspector.verify.worst import worst_elements


@dataclass(frozen=True)
class Shown:
    """What the values show.

    Attributes:
        diff: the tensor.
        sample: its values on one input set; None when none were kept.
        results: all results of the comparison.
    """

    diff: TensorDiff
    sample: ArraySample | None
    results: tuple[Verification, ...]


class ValuesTools(QWidget):
    """Two menus.

    Signals:
        element_picked: coordinates of an element that was chosen from the worst ones.
        failed: `InspectorError`, a file could not be written.
    """

    element_picked = Signal(object)
    failed = Signal(object)

    def __init__(self, picture: QWidget, parent: QWidget | None = None) -> None:
        """Make the buttons, off until something is shown; *picture* is what an exported picture shows."""
        super().__init__(parent)
        self._picture = picture
        self._shown: Shown | None = None
        self.worst_menu, self.export_menu = QMenu(self), QMenu(self)
        self.worst, self.export = QToolButton(), QToolButton()
        for made, menu in ((self.worst, self.worst_menu), (self.export, self.export_menu)):
            made.setIconSize(QSize(Size.ICON, Size.ICON))
            made.setFixedSize(Size.CONTROL, Size.CONTROL)
            made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            made.setMenu(menu)
        self.worst_menu.aboutToShow.connect(self.list_worst)
        self.export_menu.aboutToShow.connect(self.list_exports)
        self.setLayout(row(self.worst, self.export, spacing=0))

    def show_values(self, shown: Shown | None) -> None:
        """Offer what can be done with *shown*."""
        self._shown = shown
        self.worst.setIcon(icon("list-checks"))
        self.export.setIcon(icon("download"))
        sample = shown.sample if shown is not None else None
        differs = shown is not None and sample is not None and not shown.diff.equal
        self.worst.setEnabled(differs)
        self.export.setEnabled(shown is not None)
        self.worst.setToolTip(self.tr("Worst elements") if differs else self.tr("No element differs: nothing to list"))
        self.worst.setAccessibleName(self.tr("Worst elements"))
        self.export.setToolTip(self.tr("Export"))
        self.export.setAccessibleName(self.tr("Export"))

    def list_worst(self) -> None:
        """Fill the menu of the worst elements; choosing one leads to it."""
        self.worst_menu.clear()
        if self._shown is None or self._shown.sample is None:
            return
        for element in worst_elements(self._shown.sample):
            place = ", ".join(map(str, element.index))
            values = f"{decimal(element.before)} → {decimal(element.after)}   Δ {figure(element.difference)}"
            action = self.worst_menu.addAction(f"[{place}]   {values}")
            action.triggered.connect(lambda _on=False, index=element.index: self.element_picked.emit(index))
        self.worst_menu.addSeparator()
        whole = self._shown.sample.before.shape == self._shown.diff.shape
        note = self.tr("of the first input set") if whole else self.tr("of the kept part, first input set")
        self.worst_menu.addAction(note).setEnabled(False)

    def list_exports(self) -> None:
        """Fill the menu of files."""
        self.export_menu.clear()
        if self._shown is None:
            return
        self._offer(self.tr("Picture (PNG)…"), "png", self.picture_bytes)
        self._offer(self.tr("Figures of all tensors (CSV)…"), "csv", self.figures_bytes)
        if self._shown.sample is not None:
            self._offer(self.tr("Values of this tensor (NPZ)…"), "npz", self.values_bytes)

    def picture_bytes(self) -> bytes:
        """The values as a PNG, at the resolution of the screen."""
        buffer = QBuffer()
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        self._picture.grab().save(buffer, "PNG")
        return bytes(buffer.data().data())

    def figures_bytes(self) -> bytes:
        """The figures of all tensors as CSV in UTF-8, with the mark by which spreadsheets know it."""
        results = self._shown.results if self._shown is not None else ()
        return figures_csv(results).encode("utf-8-sig")

    def values_bytes(self) -> bytes:
        """The arrays of the tensor as NPZ."""
        sample = self._shown.sample if self._shown is not None else None
        return b"" if sample is None else values_npz(sample)

    def write(self, path: Path, data: Callable[[], bytes]) -> None:
        """Write *data* to *path*, at once or not at all; a failure is told by `failed`."""
        try:
            write_atomically(path, data(), overwrite=True)
        except InspectorError as error:
            self.failed.emit(error)

    def _offer(self, title: str, ending: str, data: Callable[[], bytes]) -> None:
        self.export_menu.addAction(title).triggered.connect(lambda: self._ask(ending, data))

    def _ask(self, ending: str, data: Callable[[], bytes]) -> None:
        name, _ = QFileDialog.getSaveFileName(self, self.tr("Export"), f"diff.{ending}", f"*.{ending}")
        if name:
            self.write(Path(name), data)
