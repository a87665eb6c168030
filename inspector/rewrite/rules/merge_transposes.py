"""Two transposes in a row as one, or as none when they undo each other.

What it does:
    Transpose after Transpose becomes one with the product of the two orders. When that changes nothing, both go, and
    the readers read the value before them.

When it applies:
    The first is read by the second alone and is no output of the graph.

Why it is equivalent:
    Axis i of the result is axis p1[p2[i]] of the input.

Safety:
    EXACT.

Costs:
    None.

Source:
    ONNX operator Transpose, version 1.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.conv import ints
from inspector.rewrite.pattern import Answers, needed_outside, rank, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.shaping import readers
from inspector.text import say

_ID = "merge-transposes"
_ONE, _NONE = "transpose", "none"


class MergeTransposes:
    """Merges two transposes in a row."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Transpose"})
    fixes = frozenset({"transpose.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_NONE, _ONE))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Transpose" or not node.inputs or not node.outputs:
            return answers.other()
        first = model.producer(node.graph, node.inputs[0])
        if first is None or first.op.domain or first.op.name != "Transpose" or not first.inputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        width = rank(model, node.graph, node.inputs[0])
        if width is None:
            return answers.refuse("unknown_shape", node.inputs[0])
        outside = needed_outside(model, first, frozenset({node.id}))
        if outside is not None:
            return answers.refuse(outside, first.outputs[0])
        backwards = tuple(reversed(range(width)))
        orders = [ints(n, "perm", backwards) for n in (first, node)]
        if any(sorted(order) != list(range(width)) for order in orders):
            return answers.refuse("odd_attribute", f"perm = {orders}")
        perm = tuple(orders[0][axis] for axis in orders[1])
        answers.holds("transpose_orders", f"{list(orders[0])}, {list(orders[1])} → {list(perm)}")
        if perm != tuple(range(width)) or model.is_output(node.graph, node.outputs[0]):
            return answers.match((_ONE,), {"source": first.inputs[0], "perm": perm}, first.id, node.id)
        changed = readers(model, node.graph, node.outputs[0], answers)
        if isinstance(changed, Refusal):
            return changed
        return answers.match((_NONE,), {"source": first.inputs[0]}, first.id, node.id, *changed)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, source = editor.model.node(match.anchor), cast("str", match.bindings["source"])
        editor.remove(match.nodes[0])
        editor.remove(node.id)
        if variant == _ONE:
            perm = cast("tuple[int, ...]", match.bindings["perm"])
            Chain(editor, node, source).transpose(*perm).emit(node.outputs[0])
            return
        for reader in match.nodes[2:]:
            editor.rewire(reader, {node.outputs[0]: source})
