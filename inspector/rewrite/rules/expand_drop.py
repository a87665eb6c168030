"""Expand or Tile before operators that broadcast by themselves.

What it does:
    The operators that read the expanded value read the original instead; the Expand or Tile goes.

When it applies:
    Every reader is an element-by-element operator of opset 7 or later with two or more inputs, whose result keeps its
    shape without the expansion. Tile may repeat only axes of length 1. All shapes are known.

Why it is equivalent:
    Broadcasting repeats an axis of length 1 exactly as Expand and Tile do.

Safety:
    EXACT.

Costs:
    None; the repeated value is no longer stored.

Source:
    ONNX operators Expand, version 8, and Tile, version 6; multidirectional broadcasting in ONNX.
"""

from typing import Any

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import Shape, text
from inspector.rewrite.pattern import Answers, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "expand-drop"
_READERS = frozenset(
    {"Add", "Sub", "Mul", "Div", "Pow", "Min", "Max", "Mean", "Sum", "Where", "PRelu"}
    | {"Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual", "And", "Or", "Xor"}
)
"""Operators that broadcast all of their inputs; PRelu broadcasts its slope alone."""


class ExpandDrop:
    """Drops an Expand or Tile whose readers broadcast."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Expand", "Tile"})
    fixes = frozenset({"expand.*", "tile.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("drop", say(f"rewrite.{_ID}.variant.drop")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name not in self.anchors or len(node.inputs) < 2 or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        source, made = node.inputs[0], node.outputs[0]
        if model.is_output(node.graph, made):
            return answers.refuse("graph_output", made, value=made)
        shape, wide = model.value(node.graph, source).shape, model.value(node.graph, made).shape
        if shape is None or wide is None:
            return answers.refuse("unknown_shape", source if shape is None else made)
        if not _broadcasts(shape, wide):
            return answers.refuse("expand_repeats", f"{text(shape)} → {text(wide)}")
        readers = model.consumers(node.graph, made)
        if not readers:
            return answers.other()
        for reader in readers:
            if made in model.captures(reader):
                return answers.refuse("captured", made, value=made, node=reader.label)
            if (
                reader.op.domain
                or reader.op.name not in _READERS
                or (reader.op.name == "PRelu" and reader.inputs[0] == made)
            ):
                return answers.refuse("expand_reader", reader.op.name, node=reader.label)
            if not _keeps(model, reader, made, shape):
                return answers.refuse("expand_shape", text(wide), node=reader.label)
        answers.holds("expand_readers", ", ".join(reader.label for reader in readers))
        return answers.match(("drop",), {}, node.id, *(reader.id for reader in readers))

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        for node_id in match.nodes:
            editor.remove(node_id)
        for node_id in match.nodes[1:]:
            reader = editor.model.node(node_id)
            inputs = [node.inputs[0] if name == node.outputs[0] else name for name in reader.inputs]
            attributes: dict[str, Any] = dict(reader.attributes)
            editor.node(reader.op.name, inputs, reader.outputs, base=reader, **attributes)


def _broadcasts(shape: Shape, wide: Shape) -> bool:
    """Whether broadcasting makes *wide* from *shape*: each axis, counted from the last, is the same or of length 1."""
    if len(shape) > len(wide):
        return False
    pairs = zip(reversed(shape), reversed(wide), strict=False)
    return all(a.size == 1 or (a == b and (a.size is not None or a.symbol is not None)) for a, b in pairs)


def _keeps(model: Model, reader: Node, made: str, shape: Shape) -> bool:
    """Whether the result of *reader* has the same shape when *made* has the shape *shape* only."""
    output = model.value(reader.graph, reader.outputs[0]).shape
    shapes = [shape if name == made else model.value(reader.graph, name).shape for name in reader.inputs if name]
    if output is None:
        return False
    for axis in range(1, len(output) + 1):
        wanted = output[-axis]
        found = [s[-axis] for s in shapes if s is not None and len(s) >= axis]
        if not any(dim == wanted and (dim.size is not None or dim.symbol is not None) for dim in found):
            return False
    return True
