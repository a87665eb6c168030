"""Neg as a product with -1.

What it does:
    `-x` becomes `x * (-1)` with a constant of the rank of x.

When it applies:
    float16, float32, float64, int32 or int64: the types that Mul and Add take at every opset.

Why it is equivalent:
    A product with -1 only changes the sign, which is exact in floating point and in two's complement.

Safety:
    EXACT.

Costs:
    A constant of one element.

Source:
    ONNX operators Neg, version 6, and Mul, version 7.
"""

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.arithmetic import SIGNED, number, operands
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "neg-to-mul"


class NegToMul:
    """Rewrites a Neg to a Mul."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Neg"})
    fixes = frozenset({"neg.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("mul", say(f"rewrite.{_ID}.variant.mul")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        inputs = operands(model, node, "Neg", 1, answers)
        if isinstance(inputs, Refusal):
            return inputs
        if inputs.dtype not in SIGNED:
            return answers.refuse("arithmetic_type", inputs.dtype)
        answers.holds("signed", inputs.dtype)
        return answers.match(("mul",), {})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        feature = node.inputs[0]
        editor.remove(node.id)
        chain = Chain(editor, node, feature)
        chain.op("Mul", number(chain, editor.model, node, -1, feature, "minus_one")).emit(node.outputs[0])
