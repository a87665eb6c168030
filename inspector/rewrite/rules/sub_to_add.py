"""Subtraction as an addition.

What it does:
    `x - c` becomes `x + (-c)` when c is constant; otherwise the subtrahend is multiplied by -1 and added.

When it applies:
    float16, float32, float64, int32 or int64: the types that Mul and Add take at every opset.

Why it is equivalent:
    `a - b = a + (-b)`, and a change of sign is exact in floating point and in two's complement.

Safety:
    EXACT.

Costs:
    One Mul when the subtrahend is computed.

Source:
    ONNX operators Sub, Add and Mul, version 7; IEEE 754-2019, 5.4.1 (subtraction) and 5.5.1 (negation).
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.arithmetic import SIGNED, beside, number, operands
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, constant
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "sub-to-add"
_CONSTANT, _MUL = "negated-constant", "mul-add"


class SubToAdd:
    """Rewrites a Sub to an Add."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Sub"})
    fixes = frozenset({"sub.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_CONSTANT, _MUL))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        inputs = operands(model, node, "Sub", 2, answers)
        if isinstance(inputs, Refusal):
            return inputs
        if inputs.dtype not in SIGNED:
            return answers.refuse("arithmetic_type", inputs.dtype)
        answers.holds("signed", inputs.dtype)
        return answers.match((_MUL if inputs.second is None else _CONSTANT,), {})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        model, node = editor.model, editor.model.node(match.anchor)
        left, right = node.inputs
        editor.remove(node.id)
        if variant == _CONSTANT:
            chain = Chain(editor, node, left)
            values = constant(model, node.graph, right)
            if values is not None:
                chain.op("Add", beside(chain, model, node, np.negative(values), left, "negated")).emit(node.outputs[0])
            return
        chain = Chain(editor, node, right)
        chain.op("Mul", number(chain, model, node, -1, right, "minus_one"))
        kept = constant(model, node.graph, left)
        added = left if kept is None else beside(chain, model, node, kept, right, "constant")
        chain.op("Add", added, data_index=1).emit(node.outputs[0])
