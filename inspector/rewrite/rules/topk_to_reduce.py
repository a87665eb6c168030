"""TopK with k = 1 as a reduction and the place of its result.

What it does:
    The largest element along an axis comes from ReduceMax, its index from ArgMax; for the smallest, ReduceMin and
    ArgMin. An output that nobody reads is not computed.

When it applies:
    k is a constant 1. The element type is one that the reduction takes at the model's opset.

Why it is equivalent:
    The first of the sorted elements is the maximum, and both operators give the lowest index among equal ones. Both
    keep the axis with length 1: `[..., L, ...]` -> `[..., 1, ...]`.

Safety:
    EXACT, ties included, as onnxruntime runs them; a chip may break ties in another way.

Costs:
    Two passes over the input when both outputs are read.

Source:
    ONNX operators TopK, versions 1 to 11, ReduceMax and ArgMax, versions 1 to 13.
"""

from inspector.model.dtype import DType
from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, needed_constant, rank, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "topk-to-reduce"
_TYPES = frozenset({DType.FLOAT32, DType.FLOAT64, DType.INT32})
"""Types for which onnxruntime has both reductions at every opset."""


class TopKToReduce:
    """Rewrites a TopK of one element to a reduction and its index."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"TopK"})
    fixes = frozenset({"top-k.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("reduce", say(f"rewrite.{_ID}.variant.reduce")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "TopK" or not node.inputs or len(node.outputs) != 2:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        count = _count(model, node, answers)
        if isinstance(count, Refusal):
            return count
        if count != 1:
            return answers.refuse("topk_count", count)
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if dtype not in _TYPES:
            return answers.refuse("topk_type", dtype)
        width = rank(model, node.graph, node.inputs[0])
        if width is None:
            return answers.refuse("unknown_shape", node.inputs[0])
        axis = node.attributes.get("axis", -1)
        if not isinstance(axis, int) or not -width <= axis < width:
            return answers.refuse("odd_attribute", f"axis = {axis}")
        answers.holds("topk_one", "k = 1")
        return answers.match(("reduce",), {"axis": axis % width})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, axis = editor.model.node(match.anchor), int(str(match.bindings["axis"]))
        largest = node.attributes.get("largest", 1) == 1
        editor.remove(node.id)
        values, indices = node.outputs
        if values and (not indices or _is_needed(editor.model, node, values)):
            chain = Chain(editor, node, node.inputs[0])
            chain.reduce("ReduceMax" if largest else "ReduceMin", [axis]).emit(values)
        if indices and _is_needed(editor.model, node, indices):
            chain = Chain(editor, node, node.inputs[0])
            chain.op("ArgMax" if largest else "ArgMin", axis=axis, keepdims=1).emit(indices)


def _count(model: Model, node: Node, answers: Answers) -> int | Refusal:
    """k: an attribute before opset 10, an input since."""
    if (node.op.version or 1) < 10:
        count = node.attributes.get("k", 0)
        return count if isinstance(count, int) else answers.refuse("odd_attribute", f"k = {count}")
    name = node.inputs[1] if len(node.inputs) > 1 else ""
    values = needed_constant(model, name, answers)
    if isinstance(values, Refusal):
        return values
    return int(values.reshape(())) if values.size == 1 else answers.refuse("not_constant", name)


def _is_needed(model: Model, node: Node, name: str) -> bool:
    return model.is_output(node.graph, name) or bool(model.consumers(node.graph, name))
