"""Where as a sum of products.

What it does:
    `where(c, a, b)` becomes `c*a + (1 - c)*b` with the condition as a number, 1 for true and 0 for false; a branch that
    is zero everywhere falls away.

When it applies:
    float32 or float64 branches; a constant branch must be finite.

Why it is equivalent:
    One of the two products is the branch itself, times 1, and the other is zero, so that the sum is the branch, as long
    as both branches are finite. An infinite value times 0 is not a number: a mask of minus infinity is refused, and a
    computed branch that overflows would show.

Safety:
    EXACT for finite branches.

Costs:
    Four operators instead of one, or two when a branch is zero.

Source:
    ONNX operators Where, version 9, Cast, version 9, Mul and Add, version 7.
"""

from typing import cast

import numpy as np

from inspector.model.dtype import DType, to_onnx
from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.arithmetic import number
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, constant, is_overridable, is_wide_float, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "where-to-arithmetic"
_SUM, _ONE = "sum-of-products", "product"


class WhereToArithmetic:
    """Rewrites a Where to Mul and Add."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Where"})
    fixes = frozenset({"where.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_SUM, _ONE))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Where" or len(node.inputs) != 3 or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        condition, *branches = node.inputs
        for name in branches:
            if is_overridable(model, node.graph, name):
                return answers.refuse("overridable", name)
        if constant(model, node.graph, condition) is not None:
            return answers.refuse("where_constant", condition)
        dtype = model.value(node.graph, branches[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        zero = []
        for name in branches:
            values = constant(model, node.graph, name)
            if values is not None and not np.isfinite(values).all():
                return answers.refuse("where_infinite", name)
            zero.append(values is not None and not values.any())
        output = model.value(node.graph, node.outputs[0]).shape
        shape = [model.value(node.graph, name).shape for name in node.inputs]
        whole = [all(shape[i] == output for i in (0, kept)) for kept in (1, 2)]
        answers.holds("where_finite", dtype)
        # A product alone keeps the shape only when the branch that falls away does not stretch it.
        drops = [branch for branch in (1, 0) if zero[branch] and output is not None and whole[1 - branch]]
        variants = (_ONE, _SUM) if drops else (_SUM,)
        return answers.match(variants, {"dtype": dtype, "zero": drops[0] if drops else None})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        condition, chosen, other = node.inputs
        code = to_onnx(cast("DType", match.bindings["dtype"]))
        editor.remove(node.id)
        flag = Chain(editor, node, condition).op("Cast", to=code).emit()
        if variant == _ONE and match.bindings["zero"] == 1:
            Chain(editor, node, flag).op("Mul", chosen).emit(node.outputs[0])
            return
        opposite = Chain(editor, node, flag)
        minus, one = (number(opposite, editor.model, node, n, chosen, w) for n, w in ((-1, "minus_one"), (1, "one")))
        opposite.op("Mul", minus, role="Negate").op("Add", one, role="Opposite")
        opposite.op("Mul", other, role="Other")
        if variant == _ONE:
            opposite.emit(node.outputs[0])
            return
        left = Chain(editor, node, flag).op("Mul", chosen, role="Chosen").emit()
        Chain(editor, node, left).op("Add", opposite.emit()).emit(node.outputs[0])
