"""Elu spelled out with Exp.

What it does:
    Elu becomes `relu(x) + alpha * (exp(min(x, 0)) - 1)`, where `min(x, 0) = -relu(-x)`.

When it applies:
    float32 or float64, alpha finite.

Why it is equivalent:
    For x >= 0 the second term is 0, for x < 0 the first; what is left is the definition of the operator.

Safety:
    EQUIVALENT: near 0 the difference `exp(x) - 1` loses digits of its own size. Measured 6e-8 absolute.

Costs:
    Eight operators instead of one.

Source:
    ONNX operator Elu, version 6.
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

_ID = "elu-to-exp"


class EluToExp:
    """Rewrites an Elu to Relu and Exp."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Elu"})
    fixes = frozenset({"elu.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("exp", say(f"rewrite.{_ID}.variant.exp")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        refusal = look_activation(model, node, "Elu", answers)
        if refusal is not None:
            return refusal
        alpha = real(node, "alpha", 1.0)
        if not isfinite(alpha):
            return answers.refuse("odd_attribute", f"alpha = {alpha}")
        answers.holds("finite_numbers", f"alpha = {alpha:g}")
        return answers.match(("exp",), {"alpha": alpha})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        model, node, alpha = editor.model, editor.model.node(match.anchor), float(str(match.bindings["alpha"]))
        x = node.inputs[0]
        editor.remove(node.id)
        positive = Chain(editor, node, x).op("Relu", role="Positive").emit()
        chain = Chain(editor, node, x)
        minus = number(chain, model, node, -1, x, "minus_one")
        chain.op("Mul", minus, role="Negate").op("Relu", role="Negative").op("Mul", minus, role="Minimum").op("Exp")
        chain.op("Add", minus, role="Less1")
        if alpha != 1:
            chain.op("Mul", number(chain, model, node, alpha, x, "alpha"), role="Scale")
        chain.op("Add", positive, data_index=1, role="Sum").emit(node.outputs[0])
