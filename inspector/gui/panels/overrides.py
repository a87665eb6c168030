"""Overrides: the nodes that the user forces to a processor or asks for a number format, with ways to drop them."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.overrides import Overrides
from inspector.gui.theme import Space
from inspector.gui.widgets import Elided, button, caption, label, row
from inspector.gui.words import plain_tip
from inspector.model.graph import Model, NodeId
from inspector.placement.target import Qtype, Target

_MOST = 50


class OverrideList(QWidget):
    """A row per node with a wish.

    Signals:
        node_picked: a node was clicked.
        clear_asked: all wishes are to be dropped.
        copy_asked: their `node_info` is wanted.
    """

    node_picked = Signal(object)
    clear_asked = Signal()
    copy_asked = Signal()

    def __init__(self, model: Model, target: Target, overrides: Overrides, parent: QWidget | None = None) -> None:
        """List *overrides* of *model*; formats that are not in *target* are said not to be offered."""
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        nodes = [node for key in overrides.nodes if (node := model.find_node(key)) is not None]
        column.addLayout(caption(self.tr("Asked of single nodes"), str(len(nodes))))
        for node in nodes[:_MOST]:
            link = button(node.op.name, partial(self.node_picked.emit, node.id), role="link")
            link.setToolTip(plain_tip(node.label))
            wish = label(" · ".join(self._wishes(node.id, target, overrides)), Role.SMALL, tone="second")
            line = row(link, Elided(node.label, Role.SMALL, tone="third", mono=True), wish)
            line.setStretch(1, 1)
            column.addLayout(line)
        if len(nodes) > _MOST:
            column.addWidget(label(self.tr("and {n} more").format(n=len(nodes) - _MOST), Role.SMALL, tone="third"))
        clear = button(self.tr("Clear all"), self.clear_asked.emit)
        copy = button(self.tr("Copy node_info"), self.copy_asked.emit)
        column.addLayout(row(clear, copy, None))

    def _wishes(self, node: NodeId, target: Target, overrides: Overrides) -> Sequence[str]:
        device, qtype = overrides.forced.get(node), overrides.qtypes.get(node)
        wishes = [] if device is None else [self.tr("forced to {device}").format(device=device.value.upper())]
        return wishes if qtype is None else [*wishes, self._format(node, qtype, target)]

    def _format(self, node: NodeId, qtype: Qtype, target: Target) -> str:
        if node in target.qtypes:
            return qtype.value
        return self.tr("{format}, not offered by {march}").format(format=qtype.value, march=target.march)
