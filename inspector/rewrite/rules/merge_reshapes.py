"""Two reshapes in a row as one.

What it does:
    Reshape, Squeeze, Unsqueeze or Flatten after another of them becomes one Reshape to the last shape.

When it applies:
    The first is read by the second alone and is no output of the graph; the last shape is fixed, up to one axis.

Why it is equivalent:
    All of them keep the elements in row-major order, so that only the last shape counts.

Safety:
    EXACT.

Costs:
    None.

Source:
    ONNX operators Reshape, Squeeze, Unsqueeze and Flatten.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, fixed, needed_outside, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.shaping import RESHAPES
from inspector.text import say

_ID = "merge-reshapes"


class MergeReshapes:
    """Merges two reshapes in a row."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = RESHAPES
    fixes = frozenset({"reshape.*", "squeeze.*", "unsqueeze.*", "flatten.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("reshape", say(f"rewrite.{_ID}.variant.reshape")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name not in RESHAPES or not node.inputs or not node.outputs:
            return answers.other()
        first = model.producer(node.graph, node.inputs[0])
        if first is None or first.op.domain or first.op.name not in RESHAPES or not first.inputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        outside = needed_outside(model, first, frozenset({node.id}))
        if outside is not None:
            return answers.refuse(outside, first.outputs[0])
        shape = model.value(node.graph, node.outputs[0]).shape
        if shape is None:
            return answers.refuse("unknown_shape", node.outputs[0])
        sizes = [fixed(model, shape, axis) for axis in range(len(shape))]
        if sizes.count(None) > 1:
            return answers.refuse("dynamic", text(shape), axes=node.outputs[0])
        answers.holds("sole_reader", first.label)
        wanted = tuple(-1 if size is None else size for size in sizes)
        return answers.match(("reshape",), {"source": first.inputs[0], "sizes": wanted}, first.id, node.id)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        for node_id in match.nodes:
            editor.remove(node_id)
        chain = Chain(editor, node, cast("str", match.bindings["source"]))
        chain.reshape(*cast("tuple[int, ...]", match.bindings["sizes"])).emit(node.outputs[0])
