"""Softplus spelled out so that it does not overflow.

What it does:
    `log(1 + exp(x))` becomes `relu(x) + log(1 + exp(-|x|))`.

When it applies:
    float32 or float64.

Why it is equivalent:
    For x >= 0, `log(1 + exp(x)) = x + log(1 + exp(-x))`; for x < 0 the two are the same. The exponent is never above 0,
    whereas `exp(x)` overflows float32 from 88.7 on.

Safety:
    EQUIVALENT: other roundings. Measured 9.5e-7 absolute.

Costs:
    Seven operators instead of one.

Source:
    ONNX operator Softplus, version 1.
"""

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.activation import look_activation
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.spelling import softplus
from inspector.text import say

_ID = "softplus-to-log"


class SoftplusToLog:
    """Rewrites a Softplus to Relu, Exp and Log."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Softplus"})
    fixes = frozenset({"softplus.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("relu-log", say(f"rewrite.{_ID}.variant.relu-log")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        return look_activation(model, node, "Softplus", answers) or answers.match(("relu-log",), {})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        editor.remove(node.id)
        softplus(Chain(editor, node, node.inputs[0]), editor, node, node.inputs[0]).emit(node.outputs[0])
