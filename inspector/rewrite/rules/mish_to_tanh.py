"""Mish as a product with Tanh of Softplus.

What it does:
    `mish(x)` becomes `x * tanh(softplus(x))`, with the operator Softplus, or with Softplus spelled out by Exp and Log.

When it applies:
    float32 or float64.

Why it is equivalent:
    That is the definition of the operator.

Safety:
    EQUIVALENT: bit-equal with the operator Softplus, other roundings with its spelling. Measured 2.9e-6 absolute.

Costs:
    Three operators, or nine.

Source:
    ONNX operators Mish, version 18, and Softplus, version 1.
"""

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.activation import look_activation
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.spelling import softplus
from inspector.text import say

_ID = "mish-to-tanh"
_OPERATOR, _SPELLED = "softplus", "exp-log"


class MishToTanh:
    """Rewrites a Mish to Softplus, Tanh and Mul."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Mish"})
    fixes = frozenset({"mish.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_OPERATOR, _SPELLED))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        return look_activation(model, node, "Mish", answers) or answers.match((_OPERATOR, _SPELLED), {})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, x = editor.model.node(match.anchor), editor.model.node(match.anchor).inputs[0]
        editor.remove(node.id)
        chain = Chain(editor, node, x)
        if variant == _OPERATOR:
            chain.op("Softplus")
        else:
            softplus(chain, editor, node, x)
        chain.op("Tanh").op("Mul", x, data_index=1, role="Product").emit(node.outputs[0])
