"""Target bar: platform, march, toolchain and flow; one chip per verdict that filters; the three main actions."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QMouseEvent, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from inspector.gui.fonts import Role
from inspector.gui.glyphs import glyph_pixmap
from inspector.gui.i18n import language
from inspector.gui.look import look
from inspector.gui.service import Choice
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import ComboBox, label
from inspector.gui.words import verdict_meaning, verdict_name
from inspector.placement.catalog import Catalog, Platform
from inspector.placement.target import Flow
from inspector.placement.verdict import Placement, Verdict
from inspector.text import render


class VerdictChip(QPushButton):
    """A chip that toggles a filter; Ctrl-click adds to what is chosen.

    Signals:
        chosen: `(verdict, whether Ctrl was held)`.
    """

    chosen = Signal(object, bool)

    def __init__(self, verdict: Verdict) -> None:
        """Make the chip of *verdict*."""
        super().__init__()
        self.verdict = verdict
        self.setProperty("role", "verdict")
        self.setCheckable(True)
        self.setIconSize(QSize(Size.GLYPH + Space.XS, Size.GLYPH))
        self._add = False
        self._short = False
        self._count: int | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: self.chosen.emit(self.verdict, self._add))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember whether Ctrl is held."""
        self._add = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        super().mousePressEvent(event)

    def set_short(self, short: bool) -> None:
        """Show glyph and count alone where the bar is narrow."""
        self._short = short
        name, count = verdict_name(self.verdict), "" if self._count is None else str(self._count)
        self.setText(count if short else f"{name}  {count}".strip())

    def show_count(self, count: int | None, inferred: int, note: str) -> None:
        """Show *count* nodes; *inferred* of them go to the tooltip as *note*."""
        self._count = count
        self.setIcon(_spaced(self.verdict, faint=not count))
        self.set_short(self._short)
        lines = (verdict_name(self.verdict), verdict_meaning(self.verdict), note if inferred else "")
        self.setToolTip("\n".join(line for line in lines if line))
        self.setAccessibleName(f"{verdict_name(self.verdict)} {'' if count is None else count}".strip())
        self.setProperty("empty", "false" if count else "true")
        self.style().unpolish(self)
        self.style().polish(self)


def _spaced(verdict: Verdict, *, faint: bool) -> QIcon:
    """The glyph with room at its right, which a button's style does not leave; *faint* for a count of zero."""
    icon = QIcon()
    for ratio in _RATIOS:
        picture = QPixmap(round((Size.GLYPH + Space.XS) * ratio), round(Size.GLYPH * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setOpacity(_FAINT if faint else 1.0)
        painter.drawPixmap(0, 0, glyph_pixmap(verdict, False, look(), Size.GLYPH, ratio))
        painter.end()
        icon.addPixmap(picture)
    return icon


_FAINT = 0.55
"""Opacity of the glyph of a verdict that no node has."""

_RATIOS = (1.0, 1.5, 2.0, 3.0)


class TargetBar(QWidget):
    """The bar under the header.

    Signals:
        choice_changed: the `Choice` made by the user.
        filter_changed: frozenset of verdicts to show; empty for all.
    """

    choice_changed = Signal(object)
    filter_changed = Signal(frozenset)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make a bar without platforms; call `set_catalog`."""
        super().__init__(parent)
        self.setProperty("role", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(Size.TARGET_BAR)
        self._catalog: Catalog | None = None
        self._placement: Placement | None = None
        self._chosen: frozenset[Verdict] = frozenset()
        self._texts = tuple(label("", Role.SMALL, tone="second") for _ in range(3))
        self.platform, self.march, self.toolchain = ComboBox(), ComboBox(), ComboBox()
        self.flows = {flow: QPushButton(flow.value.upper()) for flow in Flow}
        self._flow_group = QButtonGroup(self)
        self.chips = {verdict: VerdictChip(verdict) for verdict in Verdict}
        self.summary = label("", Role.SMALL, tone="second")
        self.actions_row = QHBoxLayout()
        self.actions_row.setSpacing(Space.S)
        self._build()
        self.retranslate()

    def _build(self) -> None:
        line = QHBoxLayout(self)
        line.setContentsMargins(Space.M, 0, Space.M, 0)
        line.setSpacing(Space.S)
        for text, box in zip(self._texts, (self.platform, self.march, self.toolchain), strict=True):
            line.addWidget(text)
            line.addWidget(box)
            text.setBuddy(box)
            text.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        for flow_button in self.flows.values():
            flow_button.setCheckable(True)
            flow_button.setProperty("role", "segment")
            self._flow_group.addButton(flow_button)
            line.addWidget(flow_button)
        line.addSpacing(Space.M)
        for chip in self.chips.values():
            chip.chosen.connect(self._chip)
            line.addWidget(chip)
        line.addWidget(self.summary)
        self.summary.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        line.setStretchFactor(self.summary, 10)
        line.addStretch(1)
        line.addLayout(self.actions_row)
        for box in (self.platform, self.march, self.toolchain):
            box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.platform.activated.connect(lambda: self._platform_chosen())
        self.march.activated.connect(lambda: self._emit())
        self.toolchain.activated.connect(lambda: self._emit())
        self._flow_group.buttonClicked.connect(lambda: self._emit())

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        names = (self.tr("Platform"), self.tr("March"), self.tr("Toolchain"))
        for text, box, name in zip(self._texts, (self.platform, self.march, self.toolchain), names, strict=True):
            text.setText(name)
            box.setAccessibleName(name)
        self.flows[Flow.PTQ].setToolTip(self.tr("Post-training quantisation"))
        self.flows[Flow.QAT].setToolTip(self.tr("Quantisation-aware training"))
        if self._catalog is not None:
            for index, platform in enumerate(self._catalog.platforms):
                self.platform.setItemText(index, _title(platform))
        self.show_placement(self._placement)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out what does not fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Drop the summary, then the chips' names, then the fields' names, until the bar fits its width."""
        several = self._catalog is not None and self.march.count() > 1
        for level in range(4):
            self.summary.setVisible(level < 1)
            for chip in self.chips.values():
                chip.set_short(level >= 2)
            for index, text in enumerate(self._texts):
                text.setVisible(level < 3 and (index != 1 or several))
            if self._needed() <= self.width():
                return

    def _needed(self) -> int:
        line = self.layout()
        if line is None:
            return 0
        line.invalidate()
        return line.sizeHint().width() + (
            self.summary.fontMetrics().horizontalAdvance(self.summary.text()) if self.summary.isVisibleTo(self) else 0
        )

    def set_catalog(self, catalog: Catalog, choice: Choice) -> None:
        """Offer the platforms of *catalog* and show *choice*."""
        self._catalog = catalog
        self.platform.clear()
        for platform in catalog.platforms:
            self.platform.addItem(_title(platform), platform.id)
        self.show_choice(choice)
        self._fit()

    def show_choice(self, choice: Choice) -> None:
        """Show *choice* without telling anybody."""
        if self._catalog is None:
            return
        self.platform.setCurrentIndex(max(self.platform.findData(choice.platform), 0))
        platform = self._platform()
        self._fill(platform)
        if choice.march is not None:
            self.march.setCurrentIndex(max(self.march.findData(choice.march), 0))
        if choice.toolchain is not None:
            self.toolchain.setCurrentIndex(max(self.toolchain.findData(choice.toolchain), 0))
        flow = choice.flow if choice.flow in platform.flows else platform.flows[0]
        self.flows[flow].setChecked(True)

    def show_placement(self, placement: Placement | None) -> None:
        """Show the counts of *placement*; None for no model."""
        self._placement = placement
        for verdict, chip in self.chips.items():
            inferred = placement.inferred[verdict] if placement is not None else 0
            note = self.tr("{n} of them inferred").format(n=inferred)
            chip.show_count(placement.counts[verdict] if placement is not None else None, inferred, note)
            chip.setEnabled(placement is not None)
        if placement is None:
            self.summary.setText("")
            return
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

    def _platform(self) -> Platform:
        if self._catalog is None:
            raise LookupError("the target bar has no catalog yet")
        return self._catalog.platform(str(self.platform.currentData()))

    def _platform_chosen(self) -> None:
        platform = self._platform()
        self._fill(platform)
        if self._flow() not in platform.flows:
            self.flows[platform.flows[0]].setChecked(True)
        self._emit()

    def _fill(self, platform: Platform) -> None:
        self.march.clear()
        for march in platform.marches:
            self.march.addItem(march, march)
        several = len(platform.marches) > 1
        self.march.setVisible(several)
        self._texts[1].setVisible(several)
        self._fit()
        self.toolchain.clear()
        for toolchain in reversed(platform.toolchains):
            self.toolchain.addItem(toolchain.version, toolchain.version)
            if toolchain.note is not None:
                tip = render(toolchain.note, language())
                self.toolchain.setItemData(self.toolchain.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        for flow, flow_button in self.flows.items():
            flow_button.setEnabled(flow in platform.flows)

    def _flow(self) -> Flow:
        return next((flow for flow, flow_button in self.flows.items() if flow_button.isChecked()), Flow.PTQ)

    def _emit(self) -> None:
        choice = Choice(
            platform=str(self.platform.currentData()),
            toolchain=str(self.toolchain.currentData()),
            march=str(self.march.currentData()),
            flow=self._flow(),
        )
        self.choice_changed.emit(choice)


def _title(platform: Platform) -> str:
    return f"{render(platform.title, language())} · {platform.marches[0]}"
