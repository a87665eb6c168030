"""LeakyRelu by other operators.

What it does:
    prelu: PRelu with a constant slope. max: `max(x, alpha * x)`. relu: `relu(x) - alpha * relu(-x)`, with products for
    the changes of sign.

When it applies:
    float32 or float64, alpha finite. max only for 0 <= alpha <= 1: with a steeper slope the larger of the two is the
    wrong one. prelu needs a known rank.

Why it is equivalent:
    For x >= 0 all forms give x, and for x < 0 all give alpha * x.

Safety:
    EXACT.

Costs:
    max: two operators. relu: five.

Source:
    ONNX operators LeakyRelu, version 6, and PRelu, version 7.
"""

from math import isfinite

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.activation import look_activation
from inspector.rewrite.arithmetic import number
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, rank, real
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "leakyrelu-forms"
_PRELU, _MAX, _RELU = "prelu", "max", "relu"


class LeakyReluForms:
    """Rewrites a LeakyRelu to PRelu, Max or Relu."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"LeakyRelu"})
    fixes = frozenset({"leaky-relu.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_PRELU, _MAX, _RELU))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        refusal = look_activation(model, node, "LeakyRelu", answers)
        if refusal is not None:
            return refusal
        alpha = real(node, "alpha", 0.01)
        if not isfinite(alpha):
            return answers.refuse("odd_attribute", f"alpha = {alpha}")
        answers.holds("finite_numbers", f"alpha = {alpha:g}")
        known = rank(model, node.graph, node.inputs[0]) is not None
        variants = (*([_PRELU] if known else []), *([_MAX] if 0 <= alpha <= 1 else []), _RELU)
        return answers.match(variants, {"alpha": alpha})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        model, node, alpha = editor.model, editor.model.node(match.anchor), float(str(match.bindings["alpha"]))
        x = node.inputs[0]
        editor.remove(node.id)
        chain = Chain(editor, node, x)
        if variant == _PRELU:
            chain.op("PRelu", number(chain, model, node, alpha, x, "slope")).emit(node.outputs[0])
            return
        if variant == _MAX:
            chain.op("Mul", number(chain, model, node, alpha, x, "alpha")).op("Max", x, data_index=1)
            chain.emit(node.outputs[0])
            return
        chain.op("Mul", number(chain, model, node, -1, x, "minus_one"), role="Negate").op("Relu", role="Negative")
        chain.op("Mul", number(chain, model, node, -alpha, x, "minus_alpha"), role="Scale")
        positive = Chain(editor, node, x).op("Relu", role="Positive").emit()
        chain.op("Add", positive, data_index=1).emit(node.outputs[0])
