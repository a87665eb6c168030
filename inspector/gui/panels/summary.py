"""Summary: what the inspector shows while no node is selected."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout

from inspector.gui.fonts import Role
from inspector.gui.overrides import Overrides
from inspector.gui.panels.overrides import OverrideList
from inspector.gui.theme import Space
from inspector.gui.widgets import Page, button, caption, frame, glyph, label, row, rule
from inspector.gui.words import bytes_text, count_text, say_text, verdict_meaning, verdict_name
from inspector.model.graph import Model, NodeId
from inspector.placement.cost import NodeCost
from inspector.placement.verdict import Placement, Verdict
from inspector.rewrite.find import Found

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
        macs = [cost.macs for cost in costs if cost.macs is not None]
        parameters = [cost.parameters for cost in costs if cost.parameters is not None]
        moved = [crossing.bytes for crossing in placement.crossings]
        known = [size for size in moved if size is not None]
        facts = (
            (self.tr("Nodes"), str(len(model.nodes))),
            (self.tr("Segments"), str(len(placement.segments))),
            (self.tr("Crossings"), str(len(placement.crossings))),
            (self.tr("Bytes that cross"), bytes_text(sum(known) if len(known) == len(moved) else None)),
            (self.tr("MACs"), self._partial(count_text(sum(macs)), len(costs) - len(macs))),
            (self.tr("Parameters"), self._partial(count_text(sum(parameters)), len(costs) - len(parameters))),
            (self.tr("Opset"), ", ".join(f"{k or 'ai.onnx'} {v}" for k, v in model.opsets.items())),
            (self.tr("IR version"), str(model.ir_version)),
        )
        grid = QGridLayout()
        grid.setVerticalSpacing(Space.XS)
        grid.setColumnStretch(1, 1)
        for line, (name, value) in enumerate(facts):
            grid.addWidget(label(name, tone="second"), line, 0)
            grid.addWidget(label(value, mono=True, wrap=True, selectable=True), line, 1)
        self.column.addLayout(grid)
        self.column.addWidget(rule())

    def _partial(self, text: str, missing: int) -> str:
        return text if not missing else self.tr("{figure}, %n node(s) not counted", "", missing).format(figure=text)

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
        offers = [(node, found.fixes[0]) for node, found in fixes.items() if found.fixes]
        if not offers:
            return
        self.column.addWidget(rule())
        self.column.addLayout(caption(self.tr("Best fixes")))
        shown: set[str] = set()
        for node_id, offer in offers:
            node = model.find_node(node_id)
            if node is None or offer.rule.id in shown or len(shown) >= _MOST_FIXES:
                continue
            shown.add(offer.rule.id)
            sites = sum(other.rule.id == offer.rule.id for _, other in offers)
            card, column = frame("card", margins=(Space.M, Space.M, Space.M, Space.M))
            column.addWidget(label(say_text(offer.rule.title), Role.BODY, wrap=True, weight=600))
            column.addWidget(label(node.label, Role.SMALL, tone="second", mono=True, wrap=True))
            rule_id, variant = offer.rule.id, offer.variant
            one = button(
                self.tr("Preview"),
                partial(self.preview_asked.emit, rule_id, node_id, variant, False),
                role="primary",
            )
            parts = [one]
            if sites > 1:
                every = self.tr("Preview all {n}").format(n=sites)
                parts.append(button(every, partial(self.preview_asked.emit, rule_id, node_id, variant, True)))
            column.addLayout(row(*parts, None))
            self.column.addWidget(card)
