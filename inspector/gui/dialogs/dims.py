"""Sizes dialog: bind the dynamic dimensions of a model's inputs, for the analysis only, and see what that does."""

from collections.abc import Mapping

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QSpinBox, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import label
from inspector.gui.words import delta_text, verdict_name
from inspector.placement.verdict import Placement, Verdict

_LARGEST = 1_000_000
_DELAY_MS = 250


class DimsDialog(QDialog):
    """Asks for one size per dynamic dimension.

    Signals:
        sizes_changed: `sizes` are others, and the user has paused typing; also once when the dialog is shown.
    """

    sizes_changed = Signal()

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
        self._timer = QTimer(self, singleShot=True, interval=_DELAY_MS)
        self._timer.timeout.connect(self._changed)
        self.fields: dict[str, QSpinBox] = {}
        column.addLayout(self._grid(dims, bound))
        self.effect = label("", wrap=True)
        self.effect.setMinimumHeight(2 * self.effect.fontMetrics().lineSpacing())
        column.addWidget(self.effect)
        buttons = QDialogButtonBox()
        buttons.addButton(self.tr("Apply"), QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self.finished.connect(self._timer.stop)
        column.addWidget(buttons)
        self._timer.start()

    def _grid(self, dims: Mapping[str, tuple[str, ...]], bound: Mapping[str, int]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        for line, (name, places) in enumerate(dims.items()):
            field = QSpinBox(minimum=1, maximum=_LARGEST, value=bound.get(name, 1))
            field.setAccessibleName(name)
            field.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
            field.setMinimumWidth(Size.LEFT_MIN // 2)
            field.valueChanged.connect(lambda _value: self._timer.start())
            self.fields[name] = field
            grid.addWidget(label(name, mono=True), line, 0)
            grid.addWidget(field, line, 1)
            grid.addWidget(label(", ".join(places), Role.SMALL, tone="third", mono=True), line, 2)
        return grid

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes chosen, per dimension."""
        return {name: field.value() for name, field in self.fields.items()}

    def show_effect(self, before: Placement, after: Placement) -> None:
        """Say how many nodes get another verdict with the present sizes."""
        unknown = self.tr("{verdict} {before} → {after}").format(
            verdict=verdict_name(Verdict.UNKNOWN),
            before=before.counts[Verdict.UNKNOWN],
            after=after.counts[Verdict.UNKNOWN],
        )
        changes = [
            f"{verdict_name(verdict)} {delta_text(before.counts[verdict], after.counts[verdict])}"
            for verdict in Verdict
            if verdict is not Verdict.UNKNOWN and before.counts[verdict] != after.counts[verdict]
        ]
        self._say("   ".join([unknown, *changes]), "plain")

    def show_failure(self, text: str) -> None:
        """Say why the model cannot be judged with the present sizes."""
        self._say(text, "failed")

    def _changed(self) -> None:
        self._say(self.tr("Checking these sizes"), "second")
        self.sizes_changed.emit()

    def _say(self, text: str, tone: str) -> None:
        self.effect.setText(text)
        self.effect.setProperty("tone", tone)
        self.effect.style().unpolish(self.effect)
        self.effect.style().polish(self.effect)
