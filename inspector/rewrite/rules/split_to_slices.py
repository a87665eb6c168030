"""Split as one Slice for each piece.

What it does:
    Every output that is read becomes a Slice of the input.

When it applies:
    The pieces are constant, or follow from the number of outputs; their sum is the fixed length of the axis.

Why it is equivalent:
    Piece i holds the elements from the sum of the pieces before it on, as Split defines it.

Safety:
    EXACT.

Costs:
    The input is read once for each piece.

Source:
    ONNX operators Split, versions 2 to 18, and Slice, versions 1 to 13.
"""

from itertools import accumulate
from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.conv import ints
from inspector.rewrite.pattern import Answers, fixed, needed_constant, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "split-to-slices"


class SplitToSlices:
    """Rewrites a Split to Slices."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Split"})
    fixes = frozenset({"split.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("slices", say(f"rewrite.{_ID}.variant.slices")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Split" or not node.inputs or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        shape = model.value(node.graph, node.inputs[0]).shape
        if shape is None:
            return answers.refuse("unknown_shape", node.inputs[0])
        axis = node.attributes.get("axis", 0)
        if not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
            return answers.refuse("odd_attribute", f"axis = {axis}")
        axis %= len(shape)
        size = fixed(model, shape, axis)
        if size is None:
            return answers.refuse("dynamic", text(shape), axes=str(axis))
        pieces = _pieces(model, node, size, answers)
        if isinstance(pieces, Refusal):
            return pieces
        if len(pieces) != len(node.outputs) or sum(pieces) != size or min(pieces) < 1:
            return answers.refuse("split_pieces", list(pieces), size=size)
        answers.holds("split_pieces", " + ".join(map(str, pieces)))
        return answers.match(("slices",), {"axis": axis, "pieces": pieces})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        model, node = editor.model, editor.model.node(match.anchor)
        axis, pieces = cast("int", match.bindings["axis"]), cast("tuple[int, ...]", match.bindings["pieces"])
        editor.remove(node.id)
        for output, stop, piece in zip(node.outputs, accumulate(pieces), pieces, strict=True):
            if output and (model.is_output(node.graph, output) or model.consumers(node.graph, output)):
                Chain(editor, node, node.inputs[0]).slice(axis, stop - piece, stop).emit(output)


def _pieces(model: Model, node: Node, size: int, answers: Answers) -> tuple[int, ...] | Refusal:
    """Length of each output: an attribute, from opset 13 on an input, or equal parts, the last one shorter (18)."""
    count = len(node.outputs)
    name = node.inputs[1] if len(node.inputs) > 1 else ""
    if name:
        values = needed_constant(model, name, answers)
        return values if isinstance(values, Refusal) else tuple(int(n) for n in values.reshape(-1))
    given = ints(node, "split", ())
    if given:
        return given
    part = -(-size // count)
    return (*[part] * (count - 1), size - part * (count - 1))
