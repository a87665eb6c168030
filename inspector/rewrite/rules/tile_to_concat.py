"""Expand or Tile as Concat of the value with itself.

What it does:
    Each repeated axis becomes a Concat of as many copies; an Expand to more axes is preceded by a Reshape.

When it applies:
    All sizes fixed; at most 16 copies along one axis.

Why it is equivalent:
    Repeating along an axis is joining copies along it, axis after axis.

Safety:
    EXACT.

Costs:
    Every copy is stored.

Source:
    ONNX operators Expand, version 8, Tile, version 6, and Concat, version 4.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, fixed_sizes, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "tile-to-concat"
_MOST_COPIES = 16


class TileToConcat:
    """Rewrites an Expand or Tile to Concat."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Expand", "Tile"})
    fixes = frozenset({"expand.*", "tile.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("concat", say(f"rewrite.{_ID}.variant.concat")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name not in self.anchors or len(node.inputs) < 2 or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        shapes = [model.value(node.graph, name).shape for name in (node.inputs[0], node.outputs[0])]
        sizes = [None if s is None else fixed_sizes(model, s, tuple(range(len(s)))) for s in shapes]
        source, wide = sizes
        if source is None or wide is None:
            return answers.refuse("dynamic", f"{text(shapes[0])} → {text(shapes[1])}", axes=node.inputs[0])
        start = (1,) * (len(wide) - len(source)) + source
        if len(source) > len(wide) or any(b % a for a, b in zip(start, wide, strict=True)):
            return answers.refuse("odd_attribute", f"{text(shapes[0])} → {text(shapes[1])}")
        copies = tuple(b // a for a, b in zip(start, wide, strict=True))
        if max(copies, default=1) > _MOST_COPIES:
            return answers.refuse("tile_copies", max(copies), most=_MOST_COPIES)
        if max(copies, default=1) == 1:
            return answers.other()
        answers.holds("tile_copies", ", ".join(map(str, copies)))
        return answers.match(("concat",), {"source": source, "start": start, "copies": copies})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, copies = editor.model.node(match.anchor), cast("tuple[int, ...]", match.bindings["copies"])
        start = cast("tuple[int, ...]", match.bindings["start"])
        editor.remove(node.id)
        value = node.inputs[0]
        if start != match.bindings["source"]:
            value = Chain(editor, node, value).reshape(*start).emit()
        repeated = [axis for axis, count in enumerate(copies) if count > 1]
        for axis in repeated:
            chain = Chain(editor, node, value).op("Concat", *[value] * (copies[axis] - 1), axis=axis)
            value = chain.emit(node.outputs[0] if axis == repeated[-1] else None)
