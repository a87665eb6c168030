"""Division by a constant as a product with its reciprocal.

What it does:
    `x / c` becomes `x * (1/c)` with a constant of the rank of x.

When it applies:
    The divisor is constant, finite and not zero, and so is its reciprocal in the element type. The type is float16 or
    wider.

Why it is equivalent:
    `x / c = x * (1/c)` in real numbers. 1/c is computed in float64 and rounded once. Shapes do not change: leading ones
    do not alter broadcasting.

Safety:
    EQUIVALENT: two roundings instead of one, at most one unit in the last place. Bit-equal when every divisor is a
    power of two.

Costs:
    None; the constant has as many elements as before.

Source:
    ONNX operators Div and Mul, version 7.
"""

from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.arithmetic import beside, operands
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import Answers, is_wide_float
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "div-to-mul"


class DivToMul:
    """Rewrites a Div by a constant to a Mul."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Div"})
    fixes = frozenset({"div.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("mul", say(f"rewrite.{_ID}.variant.mul")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        inputs = operands(model, node, "Div", 2, answers)
        if isinstance(inputs, Refusal):
            return inputs
        if inputs.second is None:
            return answers.refuse("not_constant", inputs.names[1])
        if not is_wide_float(inputs.dtype):
            return answers.refuse("narrow_float", inputs.dtype)
        reciprocal = _reciprocal(inputs.second)
        if reciprocal is None:
            return answers.refuse("div_reciprocal", _worst(inputs.second))
        answers.holds("constant_divisor", f"{inputs.second.size} × {inputs.dtype}")
        return answers.match(("mul",), {"reciprocal": reciprocal})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, feature = editor.model.node(match.anchor), editor.model.node(match.anchor).inputs[0]
        editor.remove(node.id)
        chain = Chain(editor, node, feature)
        factor = beside(chain, editor.model, node, cast("Array", match.bindings["reciprocal"]), feature, "reciprocal")
        chain.op("Mul", factor).emit(node.outputs[0])


def _reciprocal(divisor: Array) -> Array | None:
    """1/divisor, rounded once; None when a divisor or a reciprocal is zero, subnormal, infinite or NaN."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        inverse = (1.0 / divisor.astype(np.float64)).astype(divisor.dtype)
    tiny = np.finfo(np.float64 if divisor.dtype == np.float64 else np.float32).tiny
    usable = all(bool(np.isfinite(part).all()) and bool((np.abs(part) >= tiny).all()) for part in (divisor, inverse))
    return inverse if usable else None


def _worst(divisor: Array) -> str:
    """The divisor nearest to zero, or one that is not finite."""
    flat = divisor.reshape(-1).astype(np.float64)
    return f"{flat[np.argmin(np.where(np.isfinite(flat), np.abs(flat), -1.0))]:g}"
