"""Node: attributes with their defaults, inputs and outputs with shapes and where those come from, cost."""

from collections.abc import Iterable, Sequence
from functools import partial

import onnx
from onnx import defs
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.theme import Space
from inspector.gui.widgets import Elided, Page, button, caption, label, row, rule
from inspector.gui.words import NONE, bytes_text, count_text, origin_name, plain_tip, verdict_name
from inspector.model.graph import AttributeValue, Model, Node, OpKey, Value
from inspector.model.shape import text as shape_text
from inspector.placement.cost import node_cost
from inspector.placement.target import Target
from inspector.placement.verdict import NodeVerdict, Verdict

_LONGEST = 60
_MOST_LINKS = 8


class NodePanel(Page):
    """Shows what the file says about one node.

    Signals:
        node_picked: a producer or consumer was clicked.
    """

    node_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty panel; call `show_node`."""
        super().__init__(parent)

    def show_node(self, model: Model, node: Node, verdict: NodeVerdict, target: Target) -> None:
        """Describe *node*, which has *verdict* on *target*."""
        self.restart()
        self._placing(verdict, target)
        self._attributes(node)
        self._values(model, node, self.tr("Inputs"), model.input_values(node), inputs=True)
        self._values(model, node, self.tr("Outputs"), model.output_values(node), inputs=False)
        self._cost(model, node)
        self.close_page()

    def _placing(self, verdict: NodeVerdict, target: Target) -> None:
        """Where the node runs and in what it computes, with what was asked of it."""
        self.column.addLayout(caption(self.tr("Placement")))
        grid = _grid()
        device = target.forced.get(verdict.node)
        forced = "" if device is None else self.tr("forced to {device}").format(device=device.value.upper())
        _fact(grid, self.tr("Runs on"), verdict_name(verdict.verdict), forced)
        if verdict.qtype is not None and verdict.verdict is not Verdict.CPU:
            qtype = target.qtypes.get(verdict.node)
            asked = self.tr("default") if qtype is None else self.tr("asked for {format}").format(format=qtype.value)
            _fact(grid, self.tr("Number format"), verdict.qtype.value, asked)
        self.column.addLayout(grid)
        self.column.addWidget(rule())

    def _attributes(self, node: Node) -> None:
        defaults = attribute_defaults(node.op)
        unset = [name for name in defaults if name not in node.attributes]
        counts = self.tr("{set} set, {default} default").format(set=len(node.attributes), default=len(unset))
        self.column.addLayout(caption(self.tr("Attributes"), counts))
        grid = _grid()
        for name, value in node.attributes.items():
            note = self.tr("default {value}").format(value=defaults[name]) if name in defaults else ""
            _fact(grid, name, attribute_text(value), note)
        for name in unset:
            _fact(grid, name, defaults[name], self.tr("default"), tone="third")
        if not grid.count():
            grid.addWidget(label(self.tr("This operator has none."), tone="second"), 0, 0)
        self.column.addLayout(grid)
        self.column.addWidget(rule())

    def _values(self, model: Model, node: Node, title: str, values: Sequence[Value], *, inputs: bool) -> None:
        self.column.addLayout(caption(title))
        grid = _grid()
        for value in values:
            if not value.name:
                _fact(grid, self.tr("left out"), NONE, "", tone="third")
                continue
            dtype = str(value.dtype) if value.dtype is not None else self.tr("unknown dtype")
            line = grid.rowCount()
            grid.addWidget(Elided(value.name, Role.SMALL, mono=True), line, 0, 1, 2)
            grid.addWidget(label(dtype, Role.SMALL, tone="third"), line, 2, Qt.AlignmentFlag.AlignRight)
            constant = inputs and model.is_constant(node.graph, value.name)
            origin = self.tr("constant") if constant else origin_name(value.origin)
            shape = label(shape_text(value.shape), Role.SMALL, tone="second", mono=True, wrap=True, selectable=True)
            grid.addWidget(shape, line + 1, 0)
            grid.addWidget(label(origin, Role.SMALL, tone="third"), line + 1, 1, 1, 2, Qt.AlignmentFlag.AlignRight)
            self._links(grid, line + 2, model, node, value.name, inputs=inputs)
            grid.setRowMinimumHeight(grid.rowCount(), Space.S)
        self.column.addLayout(grid)
        self.column.addWidget(rule())

    def _links(self, grid: QGridLayout, line: int, model: Model, node: Node, name: str, *, inputs: bool) -> None:
        producer = model.producer(node.graph, name)
        ends = ((producer,) if producer is not None else ()) if inputs else model.consumers(node.graph, name)
        for offset, other in enumerate(ends[:_MOST_LINKS]):
            arrow = "← " if inputs else "→ "
            link = button(f"{arrow}{other.op.name}", partial(self.node_picked.emit, other.id), role="link")
            link.setToolTip(plain_tip(other.label))
            grid.addLayout(row(link, Elided(other.label, Role.SMALL, tone="third", mono=True)), line + offset, 0, 1, 3)
        if len(ends) > _MOST_LINKS:
            more = self.tr("and {n} more").format(n=len(ends) - _MOST_LINKS)
            grid.addWidget(label(more, Role.SMALL, tone="third"), line + _MOST_LINKS, 0, 1, 3)

    def _cost(self, model: Model, node: Node) -> None:
        cost = node_cost(model, node)
        self.column.addLayout(caption(self.tr("Cost")))
        grid = _grid()
        _fact(grid, self.tr("MACs"), count_text(cost.macs), "")
        _fact(grid, self.tr("Parameters"), count_text(cost.parameters), "")
        _fact(grid, self.tr("Output bytes"), bytes_text(cost.bytes_out), self.tr("in the file's types"))
        self.column.addLayout(grid)


def attribute_defaults(op: OpKey) -> dict[str, str]:
    """Attribute -> its default as text, where it has one; empty for operators that onnx does not know."""
    try:
        schema = defs.get_schema(op.name, op.version or defs.onnx_opset_version(), op.domain)
    except defs.SchemaError:
        return {}
    found = {}
    for name, attribute in sorted(schema.attributes.items()):
        if attribute.default_value.type:
            found[name] = _value_text(onnx.helper.get_attribute_value(attribute.default_value))
    return found


def attribute_text(value: AttributeValue) -> str:
    """An attribute as one short line; tensors and graphs by their kind and size."""
    if isinstance(value, onnx.TensorProto):
        dims = "×".join(str(dim) for dim in value.dims) or "scalar"
        return f"tensor {dims}"
    if isinstance(value, onnx.AttributeProto):
        return onnx.AttributeProto.AttributeType.Name(value.type).lower()
    return _value_text(value)


def _value_text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Iterable) and not isinstance(value, str):
        text = ", ".join(_value_text(part) for part in value)
    else:
        text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(Space.S)
    grid.setVerticalSpacing(Space.XS)
    for column, stretch in ((0, 4), (1, 4), (2, 3)):
        grid.setColumnStretch(column, stretch)
    return grid


def _fact(grid: QGridLayout, name: str, value: str, note: str, *, tone: str = "plain") -> None:
    line = grid.rowCount()
    first = label(name, Role.SMALL, tone="second" if tone == "plain" else tone, mono=True, wrap=True, selectable=True)
    grid.addWidget(first, line, 0)
    grid.addWidget(label(value, Role.SMALL, tone=tone, mono=True, wrap=True, selectable=True), line, 1)
    grid.addWidget(label(note, Role.SMALL, tone="third", wrap=True), line, 2)
