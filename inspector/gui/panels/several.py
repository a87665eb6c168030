"""Several: what the inspector shows while more than one node is selected."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from operator import attrgetter

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from inspector.gui.fonts import Role
from inspector.gui.look import look
from inspector.gui.panels.facts import Fact, SumTexts, facts_grid
from inspector.gui.theme import Size, Space
from inspector.gui.verdict_bar import ORDER, paint_verdict_bar
from inspector.gui.widgets import Flow, Page, button, caption, frame, glyph, label, row, rule
from inspector.gui.words import bytes_text, count_text, say_text, verdict_name
from inspector.model.graph import Node, NodeId
from inspector.placement.cost import NodeCost
from inspector.placement.verdict import Placement
from inspector.rewrite.find import Found, Offer

_MOST_OPS = 4
_MOST_FIXES = 3


class SeveralPanel(Page):
    """Count, verdicts, cost and operators of the selected nodes, and what can be done with all of them.

    Signals:
        preview_asked: `(rule id, node id, variant id, every site)`.
    """

    preview_asked = Signal(str, object, str, bool)

    def show_nodes(
        self,
        nodes: Sequence[Node],
        placement: Placement,
        costs: Mapping[NodeId, NodeCost],
        fixes: Mapping[NodeId, Found],
    ) -> None:
        """Describe *nodes*; *costs* and *fixes* are those of the whole model."""
        self.restart()
        self._verdicts(nodes, placement)
        self._figures(nodes, costs)

        def copy_names() -> None:
            QApplication.clipboard().setText("\n".join(node.label for node in nodes))

        copy = button(self.tr("Copy names"), copy_names)
        self.column.addLayout(row(copy, None))
        self._fixes(nodes, fixes)
        self.close_page()

    def _verdicts(self, nodes: Sequence[Node], placement: Placement) -> None:
        counted = Counter(placement.verdict[node.id] for node in nodes)
        self.column.addWidget(_Bar(tuple(counted[verdict] for verdict in ORDER)))
        split = Flow()
        for verdict in ORDER:
            if counted[verdict]:
                text = label(f"{verdict_name(verdict)} {counted[verdict]}", Role.TEXT)
                one = QWidget()
                one.setLayout(row(glyph(verdict), text))
                split.addWidget(one)
        self.column.addLayout(split)
        self.column.addWidget(rule())

    def _figures(self, nodes: Sequence[Node], costs: Mapping[NodeId, NodeCost]) -> None:
        known = [costs[node.id] for node in nodes if node.id in costs]
        kinds = Counter(map(attrgetter("op.domain", "op.name"), nodes)).most_common()
        ops = [(f"{domain}::{name}" if domain else name, count) for (domain, name), count in kinds]
        shown = [op if count == 1 else self.tr("{op} ×{n}").format(op=op, n=count) for op, count in ops[:_MOST_OPS]]
        if len(ops) > _MOST_OPS:
            shown.append(self.tr("%n more", "", len(ops) - _MOST_OPS))
        sums = SumTexts()
        facts = (
            Fact(self.tr("Operators"), ", ".join(shown)),
            Fact(self.tr("MACs"), sums.of([cost.macs for cost in known], count_text)),
            Fact(self.tr("Out bytes"), sums.of([cost.bytes_out for cost in known], bytes_text)),
            Fact(self.tr("Parameters"), sums.of([cost.parameters for cost in known], count_text)),
        )
        self.column.addLayout(facts_grid(facts))
        self.column.addWidget(rule())

    def _fixes(self, nodes: Sequence[Node], fixes: Mapping[NodeId, Found]) -> None:
        """Rules that fit most of the nodes, each with a preview at every site of the model."""
        first: dict[str, tuple[NodeId, Offer]] = {}
        fitting: Counter[str] = Counter()
        for node in nodes:
            found = fixes.get(node.id)
            for rule_id, offer in {offer.rule.id: offer for offer in reversed(found.fixes if found else ())}.items():
                first.setdefault(rule_id, (node.id, offer))
                fitting[rule_id] += 1
        if not fitting:
            return
        self.column.addWidget(rule())
        self.column.addLayout(caption(self.tr("Fixes")))
        for rule_id, count in fitting.most_common(_MOST_FIXES):
            node_id, offer = first[rule_id]
            sites = sum(any(other.rule.id == rule_id for other in found.fixes) for found in fixes.values())
            self.column.addWidget(self._card(node_id, offer, count, sites))

    def _card(self, node: NodeId, offer: Offer, count: int, sites: int) -> QWidget:
        card, column = frame("card", margins=(Space.M, Space.M, Space.M, Space.M))
        column.addWidget(label(say_text(offer.rule.title), Role.BODY, wrap=True, weight=600))
        column.addWidget(label(self.tr("fits %n of the selected nodes", "", count), Role.SMALL, tone="second"))
        text = self.tr("Preview all {n} in the model").format(n=sites) if sites > 1 else self.tr("Preview")
        ask = partial(self.preview_asked.emit, offer.rule.id, node, offer.variant, sites > 1)
        column.addLayout(row(button(text, ask), None))
        return card


class _Bar(QWidget):
    """The verdict bar over the width of the page."""

    def __init__(self, counts: tuple[int, ...]) -> None:
        super().__init__()
        self._counts = counts
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high as a bar with some room."""
        return QSize(Size.SCOPE_BAR_WIDTH, 2 * Size.SCOPE_BAR_HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the bar."""
        painter = QPainter(self)
        high = Size.SCOPE_BAR_HEIGHT
        paint_verdict_bar(painter, QRectF(0, (self.height() - high) / 2, self.width(), high), self._counts, look())
        painter.end()
