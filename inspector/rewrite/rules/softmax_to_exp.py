"""Softmax spelled out: largest, difference, exponential, sum, quotient.

What it does:
    ReduceMax, Sub, Exp, ReduceSum and Div over the axis of the Softmax.

When it applies:
    One axis; before opset 13 only where all axes behind it have length 1, because Softmax ran over them as well.

Why it is equivalent:
    `exp(x - m) / sum of exp(x - m)` with m the largest value along the axis, which is how runtimes compute it; no
    exponent is above 0.

Safety:
    EQUIVALENT: other roundings. Measured 1.5e-8 absolute.

Costs:
    Five operators instead of one.

Source:
    ONNX operator Softmax, versions 1 to 13.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.softmax import SoftmaxSite, look_softmax
from inspector.text import say

_ID = "softmax-to-exp"


class SoftmaxToExp:
    """Rewrites a Softmax to the operators that compute it."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Softmax"})
    fixes = frozenset({"softmax.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("exp", say(f"rewrite.{_ID}.variant.exp")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_softmax(model, node, answers)
        return site if isinstance(site, Refusal) else answers.match(("exp",), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), cast("SoftmaxSite", match.bindings["site"])
        x = node.inputs[0]
        editor.remove(node.id)
        largest = Chain(editor, node, x).reduce("ReduceMax", [site.axis]).emit()
        powers = Chain(editor, node, x).op("Sub", largest).op("Exp").emit()
        total = Chain(editor, node, powers).reduce("ReduceSum", [site.axis]).emit()
        Chain(editor, node, powers).op("Div", total).emit(node.outputs[0])
