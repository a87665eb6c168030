"""Pow with a small whole exponent, 1/2 or -1, by the operators that compute just that.

What it does:
    `x^2`, `x^3` and `x^4` become products, `x^0.5` Sqrt, `x^-1` Reciprocal, `x^-0.5` Reciprocal of Sqrt.

When it applies:
    The exponent is one constant number of these; its rank does not exceed that of x. The base is float32 or float64.

Why it is equivalent:
    The definition of the power. `x^4 = (x x)(x x)`. At minus infinity and at -0 Sqrt differs from the power 1/2 (NaN
    and -0 instead of infinity and +0); those are no activations of a network.

Safety:
    EQUIVALENT: x^2 is bit-equal; the others round at most three times.

Costs:
    One Mul for x^2, two for x^3 and x^4.

Source:
    ONNX operator Pow, versions 7 to 15.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.arithmetic import operands
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, is_wide_float, rank
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "pow-to-products"
_FORMS = {2.0: "mul", 3.0: "mul", 4.0: "mul", 0.5: "sqrt", -1.0: "reciprocal", -0.5: "sqrt-reciprocal"}


class PowToProducts:
    """Rewrites a Pow with one of a few exponents."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Pow"})
    fixes = frozenset({"pow.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in dict.fromkeys(_FORMS.values()))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        inputs = operands(model, node, "Pow", 2, answers)
        if isinstance(inputs, Refusal):
            return inputs
        if inputs.second is None:
            return answers.refuse("not_constant", inputs.names[1])
        if not is_wide_float(inputs.dtype):
            return answers.refuse("narrow_float", inputs.dtype)
        width = rank(model, node.graph, inputs.names[0])
        if inputs.second.size != 1 or inputs.second.ndim > (0 if width is None else width):
            return answers.refuse("pow_exponent_shape", "×".join(map(str, inputs.second.shape)) or "scalar")
        exponent = float(inputs.second.reshape(()))
        if exponent not in _FORMS:
            return answers.refuse("pow_exponent", f"{exponent:g}")
        answers.holds("constant_exponent", f"{exponent:g}")
        return answers.match((_FORMS[exponent],), {"exponent": exponent})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, exponent = editor.model.node(match.anchor), cast("float", match.bindings["exponent"])
        base = node.inputs[0]
        editor.remove(node.id)
        chain = Chain(editor, node, base)
        if variant == "mul":
            square = chain.op("Mul", base).emit(None if exponent > 2 else node.outputs[0])
            if exponent > 2:
                other = base if exponent == 3 else square
                Chain(editor, node, square).op("Mul", other, role="Mul2").emit(node.outputs[0])
            return
        if variant != "reciprocal":
            chain.op("Sqrt")
        if variant != "sqrt":
            chain.op("Reciprocal")
        chain.emit(node.outputs[0])
