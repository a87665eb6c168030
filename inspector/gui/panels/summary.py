"""Summary: what the inspector shows while no node is selected."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.gui.fonts import Role
from inspector.gui.overrides import Overrides
from inspector.gui.panels.facts import Fact, SumTexts, facts_grid
from inspector.gui.panels.overrides import OverrideList
from inspector.gui.theme import Space
from inspector.gui.widgets import Elided, Page, button, caption, frame, glyph, label, row, rule
from inspector.gui.words import bytes_text, count_text, say_text, verdict_meaning, verdict_name
from inspector.model.graph import Model, NodeId
from inspector.placement.cost import NodeCost
from inspector.placement.verdict import Outcome, Placement, Verdict
from inspector.rewrite.find import Found, Offer
from inspector.rewrite.rule import Gain
from inspector.text import say

_MOST_FIXES = 3


class SummaryPanel(Page):
    """Figures of the whole model and its three best fixes.

    Signals:
        preview_asked: `(rule id, node id, variant id, every site)`.
        node_picked: a node that something is asked of was clicked.
        clear_asked: all that is asked of single nodes is to be dropped.
        copy_asked: the `node_info` of those nodes is wanted.
    """

    preview_asked = Signal(str, object, str, bool)
    node_picked = Signal(object)
    clear_asked = Signal()
    copy_asked = Signal()

    def show_model(
        self,
        model: Model,
        placement: Placement,
        fixes: Mapping[NodeId, Found],
        costs: Mapping[NodeId, NodeCost],
        overrides: Overrides,
    ) -> None:
        """Describe *model* on the target of *placement*; *costs* are those of its nodes, *overrides* what is asked."""
        self.restart()
        self._figures(model, placement, [costs[node.id] for node in model.main.nodes if node.id in costs])
        self._state(placement)
        self._asked(model, placement, overrides)
        self._best(model, fixes)
        for warning in model.warnings:
            self.sentence(say_text(warning), "inconclusive")
        self.close_page()

    def show_colours(self) -> None:
        """Say what the colours mean; for the window without a model."""
        self.restart()
        self.column.addLayout(caption(self.tr("What the colours mean")))
        for verdict in Verdict:
            line = row(glyph(verdict), label(verdict_name(verdict), Role.BODY, weight=600), None)
            self.column.addLayout(line)
            self.sentence(verdict_meaning(verdict))
        self.close_page()

    def _figures(self, model: Model, placement: Placement, costs: Sequence[NodeCost]) -> None:
        moved = [crossing.bytes for crossing in placement.crossings]
        known = [size for size in moved if size is not None]
        opsets = ", ".join(f"{domain or 'ai.onnx'} {version}" for domain, version in model.opsets.items())
        sums = SumTexts()
        facts = (
            Fact(self.tr("Nodes"), str(len(model.nodes))),
            Fact(self.tr("Segments"), str(len(placement.segments))),
            Fact(self.tr("Crossings"), str(len(placement.crossings))),
            Fact(self.tr("Bytes that cross"), bytes_text(sum(known) if len(known) == len(moved) else None)),
            Fact(self.tr("MACs"), sums.of([cost.macs for cost in costs], count_text)),
            Fact(self.tr("Parameters"), sums.of([cost.parameters for cost in costs], count_text)),
            self._limited(self.tr("Opset"), opsets, placement, "constraints.subject_opset"),
            self._limited(self.tr("IR version"), str(model.ir_version), placement, "constraints.subject_ir_version"),
        )
        self.column.addLayout(facts_grid(facts))
        self.column.addWidget(rule())

    def _limited(self, name: str, value: str, placement: Placement, subject: str) -> Fact:
        """A figure with what the toolchain takes; without a limit in its tables the figure alone."""
        wanted = say(subject)
        check = next((check for check in placement.graph_checks if check.subject == wanted), None)
        if check is None:
            return Fact(name, value)
        text = self.tr("{value}, the toolchain takes {allowed}").format(value=value, allowed=say_text(check.allowed))
        tones = {Outcome.PASS: "plain", Outcome.FAIL: "unsupported", Outcome.UNKNOWN: "unknown"}
        return Fact(name, text, tones[check.outcome])

    def _state(self, placement: Placement) -> None:
        counts, inferred = placement.counts, sum(placement.inferred.values())
        trouble = counts[Verdict.CPU] + counts[Verdict.UNSUPPORTED] + counts[Verdict.UNKNOWN]
        card, column = frame("headline", "bpu" if not trouble else "cpu")
        if trouble:
            text = self.tr("{n} of %n node(s) are not placed on the BPU", "", len(placement.verdicts)).format(n=trouble)
        else:
            text = self.tr("Every node of this model is placed on the BPU")
        column.addWidget(label(text, Role.HEADLINE, wrap=True))
        if inferred:
            column.addWidget(label(self.tr("%n verdict(s) rest on inference", "", inferred), wrap=True))
        self.column.addWidget(card)

    def _asked(self, model: Model, placement: Placement, overrides: Overrides) -> None:
        if not overrides:
            return
        asked = OverrideList(model, placement.target, overrides)
        asked.node_picked.connect(self.node_picked)
        asked.clear_asked.connect(self.clear_asked)
        asked.copy_asked.connect(self.copy_asked)
        self.column.addWidget(rule())
        self.column.addWidget(asked)

    def _best(self, model: Model, fixes: Mapping[NodeId, Found]) -> None:
        """A card per rule, the three that leave least to be done, each at the node where it is best."""
        offers = [(node, found.fixes[0]) for node, found in fixes.items() if found.fixes]
        best: dict[str, tuple[NodeId, Offer]] = {}
        for node, offer in sorted(offers, key=lambda one: one[1].rank):
            if model.find_node(node) is not None:
                best.setdefault(offer.rule.id, (node, offer))
        if not best:
            return
        self.column.addWidget(rule())
        self.column.addLayout(caption(self.tr("Best fixes"), self.tr("ranked by gain on this target")))
        for node, offer in list(best.values())[:_MOST_FIXES]:
            sites = sum(other.rule.id == offer.rule.id for _, other in offers)
            self.column.addWidget(self._card(model, node, offer, sites))

    def _card(self, model: Model, node: NodeId, offer: Offer, sites: int) -> QWidget:
        card, column = frame("card", margins=(Space.M, Space.M, Space.M, Space.M))
        column.addWidget(label(say_text(offer.rule.title), Role.BODY, wrap=True, weight=600))
        column.addWidget(Elided(model.node(node).label, Role.SMALL, tone="second", mono=True))
        column.addWidget(label(self._gain(offer.gain), Role.SMALL, wrap=True))
        ask = partial(self.preview_asked.emit, offer.rule.id, node, offer.variant)
        parts = [button(self.tr("Preview"), partial(ask, False), role="primary")]
        if sites > 1:
            parts.append(button(self.tr("Preview all {n}").format(n=sites), partial(ask, True)))
        column.addLayout(row(*parts, None))
        return card

    def _gain(self, gain: Gain) -> str:
        """`CPU nodes 3 → 2 · segments 7 → 5`: what changes, worst first."""
        figures = (
            (self.tr("unsupported nodes"), gain.unsupported),
            (self.tr("CPU nodes"), gain.cpu),
            (self.tr("unknown nodes"), gain.unknown),
            (self.tr("segments"), gain.segments),
        )
        return " · ".join(f"{name} {before} → {after}" for name, (before, after) in figures if before != after)
