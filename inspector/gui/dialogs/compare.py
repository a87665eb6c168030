"""Compare dialog: which target to lay beside the present one."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QVBoxLayout, QWidget

from inspector.gui.combo import ComboBox
from inspector.gui.fonts import Role
from inspector.gui.i18n import language
from inspector.gui.service import Choice
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import label
from inspector.placement.catalog import Catalog, Platform
from inspector.placement.target import Flow
from inspector.text import render


class CompareDialog(QDialog):
    """Asks for platform, march, toolchain and flow."""

    def __init__(self, catalog: Catalog, choice: Choice, parent: QWidget | None = None) -> None:
        """Offer the platforms of *catalog*, with *choice* chosen at first."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Compare with"))
        self._catalog = catalog
        self.platform, self.march, self.toolchain, self.flow = ComboBox(), ComboBox(), ComboBox(), ComboBox()
        for platform in catalog.platforms:
            self.platform.addItem(render(platform.title, language()), platform.id)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(self.tr("Compare with"), Role.HEADLINE))
        note = label(
            self.tr("The model is placed on a second target; the present one stays."), tone="second", wrap=True
        )
        note.setMinimumWidth(Size.INSPECTOR)
        column.addWidget(note)
        column.addLayout(self._fields())
        buttons = QDialogButtonBox()
        buttons.addButton(self.tr("Compare"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.platform.currentIndexChanged.connect(lambda: self._fill())
        self.platform.setCurrentIndex(max(self.platform.findData(choice.platform), 0))
        self._fill()
        for box, wanted in ((self.march, choice.march), (self.toolchain, choice.toolchain), (self.flow, choice.flow)):
            box.setCurrentIndex(max(box.findData(wanted), 0))

    def _fields(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        grid.setColumnStretch(1, 1)
        names = (self.tr("Platform"), self.tr("March"), self.tr("Toolchain"), self.tr("Flow"))
        boxes = (self.platform, self.march, self.toolchain, self.flow)
        for line, (name, box) in enumerate(zip(names, boxes, strict=True)):
            text = label(name, tone="second")
            text.setBuddy(box)
            box.setAccessibleName(name)
            grid.addWidget(text, line, 0)
            grid.addWidget(box, line, 1)
        return grid

    def _fill(self) -> None:
        """Offer what the chosen platform has, its defaults first."""
        platform: Platform = self._catalog.platform(str(self.platform.currentData()))
        entries = (
            (self.march, [(march, march) for march in platform.marches]),
            (self.toolchain, [(known.version, known.version) for known in reversed(platform.toolchains)]),
            (self.flow, [(flow.value.upper(), flow) for flow in platform.flows]),
        )
        for box, offered in entries:
            box.clear()
            for text, value in offered:
                box.addItem(text, value)
            box.setEnabled(box.count() > 1)

    @property
    def choice(self) -> Choice:
        """The target chosen; nothing is asked of single nodes."""
        return Choice(
            platform=str(self.platform.currentData()),
            toolchain=str(self.toolchain.currentData()),
            march=str(self.march.currentData()),
            flow=Flow(self.flow.currentData()),
        )
