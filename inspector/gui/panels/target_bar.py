"""Target bar: platform, march, toolchain and flow; one chip per verdict that filters; the main actions."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.i18n import language
from inspector.gui.icons import icon
from inspector.gui.panels.target_boxes import TargetBox, lender_of, platform_text
from inspector.gui.panels.verdict_chip import VerdictChip
from inspector.gui.primary_button import PrimaryButton
from inspector.gui.service import Choice
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import label
from inspector.placement.catalog import Catalog, Platform
from inspector.placement.target import Flow
from inspector.placement.verdict import Placement, Verdict
from inspector.text import render

_LEVELS = 6
"""Steps in which the bar gives up texts; see `TargetBar._give_up`."""


class TargetBar(QWidget):
    """The bar under the header.

    Signals:
        choice_changed: the `Choice` made by the user.
        filter_changed: frozenset of verdicts to show; empty for all.
        compare_asked: a comparison with another target is wanted.

    Attributes:
        verify: starts the verification.
        save: saves the model.
    """

    choice_changed = Signal(object)
    filter_changed = Signal(frozenset)
    compare_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make a bar without platforms; call `set_catalog`."""
        super().__init__(parent)
        self.setProperty("role", "bar")
        self.setFixedHeight(Size.TARGET_BAR)
        self._catalog: Catalog | None = None
        self._placement: Placement | None = None
        self._chosen: frozenset[Verdict] = frozenset()
        self._texts = tuple(label("", Role.SMALL, tone="second") for _ in range(3))
        self.platform, self.march, self.toolchain = TargetBox(), TargetBox(), TargetBox()
        self.flows = {flow: QPushButton(flow.value.upper()) for flow in Flow}
        self._flow_group = QButtonGroup(self)
        self.chips = {verdict: VerdictChip(verdict) for verdict in Verdict}
        self.summary = label("", Role.SMALL, tone="second")
        self.verify, self.save = QPushButton(), PrimaryButton()
        self._rows, self._line = QVBoxLayout(), QHBoxLayout()
        self._second, self._counts = QHBoxLayout(), QHBoxLayout()
        self._build()
        self.retranslate()

    def _build(self) -> None:
        self._rows.setContentsMargins(Space.M, 0, Space.M, 0)
        self._rows.setSpacing(0)
        self._rows.addLayout(self._line, 1)
        self._rows.addLayout(self._second)
        self.setLayout(self._rows)
        line = self._line
        for one in (line, self._second, self._counts):
            one.setSpacing(Space.S)
        for text, box in zip(self._texts, (self.platform, self.march, self.toolchain), strict=True):
            line.addWidget(text)
            line.addWidget(box)
            text.setBuddy(box)
            text.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            box.compare_asked.connect(self.compare_asked)
        line.addWidget(self._switch())
        for chip in self.chips.values():
            chip.chosen.connect(self._chip)
            chip.resized.connect(self._fit)
            self._counts.addWidget(chip)
        line.addLayout(self._counts)
        line.addWidget(self.summary)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        line.setStretchFactor(self.summary, 10)
        line.addStretch(1)
        for action in (self.verify, self.save):
            action.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            line.addWidget(action)
        self.platform.picked.connect(self._platform_chosen)
        self.march.picked.connect(self._march_chosen)
        self.toolchain.picked.connect(self._emit)
        self._flow_group.buttonClicked.connect(lambda: self._emit())

    def _switch(self) -> QFrame:
        """The flows as one control with two halves."""
        made = QFrame()
        made.setProperty("role", "switch")
        made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        halves = QHBoxLayout(made)
        halves.setContentsMargins(0, 0, 0, 0)
        halves.setSpacing(0)
        for flow_button in self.flows.values():
            flow_button.setCheckable(True)
            flow_button.setProperty("role", "half")
            self._flow_group.addButton(flow_button)
            halves.addWidget(flow_button)
        return made

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        names = (self.tr("Platform"), self.tr("March"), self.tr("Toolchain"))
        for text, box, name in zip(self._texts, (self.platform, self.march, self.toolchain), names, strict=True):
            text.setText(name)
            box.setAccessibleName(name)
        self.flows[Flow.PTQ].setToolTip(self.tr("Post-training quantisation"))
        self.flows[Flow.QAT].setToolTip(self.tr("Quantisation-aware training"))
        for action, drawing, ink in ((self.verify, "play", "text2"), (self.save, "save", "on_accent")):
            action.setIcon(icon(drawing, ink))
            action.setIconSize(QSize(Size.ICON, Size.ICON))
        self.verify.setAccessibleName(self.tr("Verify"))
        self.save.setAccessibleName(self.tr("Save as…"))
        if self._catalog is not None:
            self.set_catalog(self._catalog, self._choice())
        self.show_placement(self._placement)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what does not fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give up texts, the least important first, until the bar fits its width."""
        start = 0 if self.width() >= Size.BUTTON_TEXT_FROM else 1 if self.width() >= Size.SUMMARY_FROM else 2
        for level in range(start, _LEVELS):
            self._give_up(level)
            if self._needed() <= self.width():
                return

    def _give_up(self, level: int) -> None:
        """Leave out what *level* says.

        From 1 on buttons are icons, from 2 on there is no summary, from 3 on no names of fields, from 4 on no names of
        verdicts; at 5 the chips stand in a line of their own.
        """
        for action in (self.verify, self.save):
            action.setText(action.accessibleName() if level < 1 else "")
        self.summary.setVisible(level < 2)
        several = self._catalog is not None and len(self._platform().marches) > 1
        for index, text in enumerate(self._texts):
            text.setVisible(level < 3 and (index != 1 or several))
        for chip in self.chips.values():
            chip.set_short(level >= 4)
        apart = level >= 5
        if apart != (self._second.count() > 0):
            self._move_counts(apart)

    def _move_counts(self, apart: bool) -> None:
        """Put the chips into a line of their own, or back between the flows and the summary."""
        if apart:
            self._line.removeItem(self._counts)
            self._second.addLayout(self._counts)
            self._second.addStretch(1)
        else:
            self._second.removeItem(self._counts)
            while self._second.count():
                self._second.takeAt(0)
            self._line.insertLayout(self._line.indexOf(self.summary), self._counts)
        self._rows.setStretch(1, int(apart))
        self.setFixedHeight(Size.TARGET_BAR * (2 if apart else 1))

    def _needed(self) -> int:
        for line in (self._counts, self._second, self._line):
            line.invalidate()
        wide = max(self._line.sizeHint().width(), self._second.sizeHint().width()) + 2 * Space.M
        shown = self.summary.isVisibleTo(self)
        return wide + (self.summary.fontMetrics().horizontalAdvance(self.summary.text()) if shown else 0)

    # What is chosen

    def set_catalog(self, catalog: Catalog, choice: Choice) -> None:
        """Offer the platforms of *catalog* and show *choice*."""
        self._catalog = catalog
        self.platform.clear()
        for platform in catalog.platforms:
            self.platform.offer(platform_text(platform), platform.id)
        self.platform.offer_comparison(self.tr("Compare with…"))
        self.show_choice(choice)
        self._fit()

    def show_choice(self, choice: Choice) -> None:
        """Show *choice* without telling anybody."""
        if self._catalog is None:
            return
        self.platform.choose(choice.platform)
        platform = self._platform()
        self._offer_marches(platform)
        if choice.march is not None:
            self.march.choose(choice.march)
        self._offer_versions(platform)
        if choice.toolchain is not None:
            self.toolchain.choose(choice.toolchain)
        flow = choice.flow if choice.flow in platform.flows else platform.flows[0]
        self.flows[flow].setChecked(True)

    def _platform(self) -> Platform:
        if self._catalog is None:
            raise LookupError("the target bar has no catalog yet")
        return self._catalog.platform(str(self.platform.currentData()))

    def _platform_chosen(self) -> None:
        platform = self._platform()
        self._offer_marches(platform)
        self._offer_versions(platform)
        if self._flow() not in platform.flows:
            self.flows[platform.flows[0]].setChecked(True)
        self._emit()

    def _march_chosen(self) -> None:
        version = str(self.toolchain.currentData())
        self._offer_versions(self._platform())
        self.toolchain.choose(version)
        self._emit()

    def _offer_marches(self, platform: Platform) -> None:
        self.march.clear()
        for march in platform.marches:
            self.march.offer(march, march)
        self.march.choose(platform.marches[0])
        self.march.setVisible(len(platform.marches) > 1)
        for flow, flow_button in self.flows.items():
            flow_button.setEnabled(flow in platform.flows)

    def _offer_versions(self, platform: Platform) -> None:
        """Offer the newest version first; one without a table of its own says whose it uses."""
        march = str(self.march.currentData())
        self.toolchain.clear()
        for toolchain in reversed(platform.toolchains):
            lender, text = lender_of(toolchain, platform, march), toolchain.version
            if lender is not None:
                text = self.tr("{version}   uses {other}").format(version=text, other=lender.version)
            tip = "" if toolchain.note is None else render(toolchain.note, language())
            self.toolchain.offer(text, toolchain.version, short=toolchain.version, tip=tip)
        self.toolchain.offer_comparison(self.tr("Compare with…"))
        self.toolchain.choose(platform.toolchains[-1].version)
        self._fit()

    def _flow(self) -> Flow:
        return next((flow for flow, flow_button in self.flows.items() if flow_button.isChecked()), Flow.PTQ)

    def _choice(self) -> Choice:
        return Choice(
            platform=str(self.platform.currentData()),
            toolchain=str(self.toolchain.currentData()),
            march=str(self.march.currentData()),
            flow=self._flow(),
        )

    def _emit(self) -> None:
        self.choice_changed.emit(self._choice())

    # Counts and filter

    def start_over(self) -> None:
        """Forget the model of before: all verdicts are shown, and the next counts are no change."""
        self._placement = None
        self.clear_filter()

    def show_placement(self, placement: Placement | None) -> None:
        """Show the counts of *placement*, and for a moment what has changed; None for no model."""
        changed = self._placement is not None and placement is not None and placement is not self._placement
        self._placement = placement
        for verdict, chip in self.chips.items():
            inferred = placement.inferred[verdict] if placement is not None else 0
            note = self.tr("{n} of them inferred").format(n=inferred) if inferred else ""
            count = placement.counts[verdict] if placement is not None else None
            chip.show_count(count, note, changed=changed)
            chip.setEnabled(placement is not None)
        if placement is None:
            self.summary.setText("")
        else:
            segments = self.tr("%n segment(s)", "", len(placement.segments))
            crossings = self.tr("%n crossing(s)", "", len(placement.crossings))
            self.summary.setText(f"{segments} · {crossings}")
        self._fit()

    def clear_filter(self) -> None:
        """Show all verdicts again."""
        if self._chosen:
            self._set_filter(frozenset())

    def _chip(self, verdict: Verdict, add: bool) -> None:
        if add:
            self._set_filter(self._chosen ^ {verdict})
        else:
            self._set_filter(frozenset() if self._chosen == {verdict} else frozenset({verdict}))

    def _set_filter(self, verdicts: frozenset[Verdict]) -> None:
        self._chosen = verdicts
        for verdict, chip in self.chips.items():
            chip.setChecked(verdict in verdicts)
        self.filter_changed.emit(verdicts)
