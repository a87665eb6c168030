"""HardSigmoid as Mul, Add and Clip.

What it does:
    `max(0, min(1, alpha * x + beta))` becomes a Mul, an Add and a Clip to 0..1.

When it applies:
    float32 or float64; alpha and beta finite.

Why it is equivalent:
    That is the definition of the operator.

Safety:
    EQUIVALENT: the runtime may round the product and the sum at once. Measured 0.0.

Costs:
    Three operators instead of one.

Source:
    ONNX operator HardSigmoid, version 6.
"""

from math import isfinite

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.activation import look_activation
from inspector.rewrite.arithmetic import number
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, real
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "hardsigmoid-to-clip"


class HardSigmoidToClip:
    """Rewrites a HardSigmoid to Mul, Add and Clip."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"HardSigmoid"})
    fixes = frozenset({"hard-sigmoid.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("mul-add-clip", say(f"rewrite.{_ID}.variant.mul-add-clip")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        refusal = look_activation(model, node, "HardSigmoid", answers)
        if refusal is not None:
            return refusal
        alpha, beta = real(node, "alpha", 0.2), real(node, "beta", 0.5)
        if not isfinite(alpha) or not isfinite(beta):
            return answers.refuse("odd_attribute", f"alpha = {alpha}, beta = {beta}")
        answers.holds("finite_numbers", f"alpha = {alpha:g}, beta = {beta:g}")
        return answers.match(("mul-add-clip",), {"alpha": alpha, "beta": beta})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        model, node = editor.model, editor.model.node(match.anchor)
        x = node.inputs[0]
        editor.remove(node.id)
        chain = Chain(editor, node, x)
        for op, name in (("Mul", "alpha"), ("Add", "beta")):
            chain.op(op, number(chain, model, node, float(str(match.bindings[name])), x, name))
        chain.clip(0, 1, chain.dtype_of(x)).emit(node.outputs[0])
