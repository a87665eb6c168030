"""Fixes: what can be done about a node, best first, and why other rewrites do not fit."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.icons import icon
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Page, button, caption, chip, clear, frame, label, row, tile
from inspector.gui.words import bytes_text, safety_meaning, safety_name, say_text
from inspector.model.graph import Node
from inspector.placement.verdict import NodeVerdict, Verdict
from inspector.rewrite.find import Found, Offer
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Refusal, Safety

_SAFETY_TONES = {
    Safety.EXACT: "passed",
    Safety.EQUIVALENT: "passed",
    Safety.APPROXIMATE: "failed",
    Safety.BOUNDARY: "inconclusive",
}


class FixList(QWidget):
    """Cards of fixes, then clean-ups, then refusals with their reasons.

    Signals:
        preview_asked: `(rule id, node id, variant id, every site)`.
    """

    preview_asked = Signal(str, object, str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty list."""
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.S)

    def show_found(self, node: Node, verdict: NodeVerdict, found: Found | None) -> None:
        """List what was found for *node*; None while it is still looked for."""
        clear(self._column)
        if found is None:
            self._column.addLayout(caption(self.tr("Fixes")))
            self._column.addWidget(label(self.tr("Looking for fixes"), tone="second"))
            return
        if found.fixes:
            self._column.addLayout(caption(self.tr("Fixes"), self.tr("ranked by gain on this target")))
            seen: set[str] = set()
            for index, offer in enumerate(found.fixes):
                self._column.addWidget(self._card(node, offer, best=index == 0, told=offer.rule.id in seen))
                seen.add(offer.rule.id)
        elif verdict.verdict in (Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN):
            self._column.addLayout(caption(self.tr("Fixes")))
            text = self.tr("No rewrite known here brings this node to the BPU.")
            self._column.addWidget(label(text, tone="second", wrap=True))
        if found.cleanups:
            self._column.addLayout(caption(self.tr("Clean-ups"), self.tr("remove no violation on this target")))
            for offer in found.cleanups:
                self._column.addWidget(self._card(node, offer, best=False))
        if found.unhelpful:
            self._column.addLayout(caption(self.tr("No help on this target")))
            for offer in found.unhelpful:
                self._column.addWidget(self._unhelpful(offer))
        refusals = [refusal for refusal in found.refusals if refusal.relevant]
        if refusals:
            self._column.addLayout(caption(self.tr("Not applicable")))
            for refusal in refusals:
                self._column.addWidget(_refusal(refusal))

    def _unhelpful(self, offer: Offer) -> QFrame:
        card, column = frame("soft", "second")
        column.setSpacing(0)
        column.addWidget(label(say_text(offer.rule.title), Role.SMALL, tone="second", wrap=True))
        column.addWidget(label(self._gain_line(offer), Role.SMALL, tone="third", wrap=True))
        return card

    def _card(self, node: Node, offer: Offer, *, best: bool, told: bool = False) -> QFrame:
        """A card; the summary of the rule is left out where a card above has *told* it."""
        card, column = frame("best" if best else "card", margins=(Space.M, Space.M, Space.M, Space.M))
        column.setSpacing(Space.S)
        safety = chip(safety_name(offer.rule.safety), _SAFETY_TONES[offer.rule.safety])
        safety.setToolTip(safety_meaning(offer.rule.safety))
        variant_title = next((v.title for v in offer.rule.variants if v.id == offer.variant), None)
        title = label(say_text(offer.rule.title), Role.BODY, wrap=True, weight=600)
        head = row(title, safety)
        head.setStretch(0, 1)
        column.addLayout(head)
        if not told:
            column.addWidget(label(say_text(offer.rule.summary), tone="second", wrap=True))
        if variant_title is not None and len(offer.rule.variants) > 1:
            column.addWidget(label(say_text(variant_title), Role.SMALL, tone="third", wrap=True))
        if best:
            column.addLayout(self._tiles(offer))
        else:
            column.addWidget(label(self._gain_line(offer), Role.SMALL, tone="second", wrap=True))
        rule, variant = offer.rule.id, offer.variant
        first = button(
            self.tr("Preview"),
            lambda: self.preview_asked.emit(rule, node.id, variant, False),
            role="primary" if best else "",
        )
        every = button(self.tr("Preview all"), lambda: self.preview_asked.emit(rule, node.id, variant, True))
        every.setToolTip(self.tr("Preview this rewrite at every node that it matches"))
        column.addLayout(row(first, every, None))
        return card

    def _tiles(self, offer: Offer) -> QGridLayout:
        gain = offer.gain
        tiles = [tile(self.tr("CPU nodes"), f"{gain.cpu[0]} → {gain.cpu[1]}")]
        if gain.unsupported[0] or gain.unsupported[1]:
            tiles.append(tile(self.tr("Unsupported"), f"{gain.unsupported[0]} → {gain.unsupported[1]}"))
        elif gain.unknown[0] != gain.unknown[1]:
            tiles.append(tile(self.tr("Unknown"), f"{gain.unknown[0]} → {gain.unknown[1]}"))
        tiles.append(tile(self.tr("Segments"), f"{gain.segments[0]} → {gain.segments[1]}"))
        channels, size = offer.cost.widest_channels, bytes_text(offer.cost.widest_bytes)
        if channels is not None:
            note = size if offer.cost.widest_bytes is not None else ""
            tiles.append(tile(self.tr("Widest"), self.tr("{n} ch").format(n=channels), note))
        else:
            tiles.append(tile(self.tr("Widest"), size))
        columns = 2 if len(tiles) == 4 else 3
        grid = QGridLayout()
        grid.setSpacing(Space.S)
        for index, one in enumerate(tiles):
            grid.addWidget(one, index // columns, index % columns)
            grid.setColumnStretch(index % columns, 1)
        return grid

    def _gain_line(self, offer: Offer) -> str:
        gain = offer.gain
        parts = [
            self.tr("CPU {before} → {after}").format(before=gain.cpu[0], after=gain.cpu[1]),
            self.tr("segments {before} → {after}").format(before=gain.segments[0], after=gain.segments[1]),
            self.tr("widest {size}").format(size=bytes_text(offer.cost.widest_bytes)),
        ]
        if offer.cost.widest_channels is not None:
            parts.append(self.tr("{n} ch").format(n=offer.cost.widest_channels))
        return " · ".join(parts)


def _refusal(refusal: Refusal) -> QWidget:
    """A lock, the rule, and the reason with the value that was in the way."""
    made = QWidget()
    grid = QGridLayout(made)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(Space.S)
    grid.setVerticalSpacing(0)
    grid.setColumnStretch(1, 1)
    lock = QLabel()
    lock.setPixmap(icon("lock", "text3").pixmap(Size.GLYPH, Size.GLYPH))
    grid.addWidget(lock, 0, 0, Qt.AlignmentFlag.AlignTop)
    grid.addWidget(label(say_text(rule_of(refusal.rule).title), Role.SMALL, tone="third", wrap=True, weight=600), 0, 1)
    grid.addWidget(label(say_text(refusal.reason), Role.SMALL, tone="third", wrap=True, selectable=True), 1, 1)
    return made


class FixesPage(Page):
    """The fixes of a node as a tab of its own.

    Signals:
        preview_asked: `(rule id, node id, variant id, every site)`.
    """

    preview_asked = Signal(str, object, str, bool)

    def show_node(self, node: Node, verdict: NodeVerdict, found: Found | None) -> None:
        """List what can be done about *node*; *found* is None while it is looked for."""
        self.restart()
        fixes = FixList()
        fixes.preview_asked.connect(self.preview_asked)
        fixes.show_found(node, verdict, found)
        self.column.addWidget(fixes)
        if found is not None and not found.offers and not [r for r in found.refusals if r.relevant]:
            self.sentence(self.tr("No rewrite is known for this kind of node."))
        self.close_page()
