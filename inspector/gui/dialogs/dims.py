"""Sizes dialog: bind the dynamic dimensions of a model's inputs, for the analysis only."""

from collections.abc import Mapping

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QSpinBox, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import label

_LARGEST = 1_000_000


class DimsDialog(QDialog):
    """Asks for one size per dynamic dimension."""

    def __init__(
        self, dims: Mapping[str, tuple[str, ...]], bound: Mapping[str, int], parent: QWidget | None = None
    ) -> None:
        """Ask for *dims* (name -> places such as `images[0]`); *bound* are the sizes in use."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Sizes to check with"))
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(self.tr("Sizes to check with"), Role.HEADLINE))
        note = self.tr("A compiler needs fixed sizes. They are used here only and are not written into the file.")
        text = label(note, tone="second", wrap=True)
        text.setMinimumWidth(Size.INSPECTOR)
        column.addWidget(text)
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        self.fields: dict[str, QSpinBox] = {}
        for line, (name, places) in enumerate(dims.items()):
            field = QSpinBox(minimum=1, maximum=_LARGEST, value=bound.get(name, 1))
            field.setAccessibleName(name)
            field.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
            field.setMinimumWidth(Size.LEFT_MIN // 2)
            self.fields[name] = field
            grid.addWidget(label(name, mono=True), line, 0)
            grid.addWidget(field, line, 1)
            grid.addWidget(label(", ".join(places), Role.SMALL, tone="third", mono=True), line, 2)
        column.addLayout(grid)
        buttons = QDialogButtonBox()
        buttons.addButton(self.tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes chosen, per dimension."""
        return {name: field.value() for name, field in self.fields.items()}
