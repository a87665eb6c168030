"""A BatchNormalization by itself as a depthwise 1x1 Conv, or as Mul and Add.

What it does:
    The factor and the shift of each channel become the weights and bias of a Conv with one group for each channel, or
    constants of a Mul and an Add.

When it applies:
    Inference with constant parameters; rank 2 to 5. The Conv needs rank 3 to 5.

Why it is equivalent:
    `y = gamma * (x - mean) / sqrt(var + epsilon) + beta = factor * x + shift` with
    `factor = gamma / sqrt(var + epsilon)` and `shift = beta - mean * factor` for each channel, computed in float64.

Safety:
    EQUIVALENT: other roundings. Measured 9.5e-7 absolute.

Costs:
    Quantised, the Mul and the Add are rounded to the number format one after the other.

Source:
    ONNX operator BatchNormalization, versions 9 to 15.
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.batchnorm import factors, not_affine
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, is_wide_float, rank, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "bn-to-affine"
_CONV, _MUL = "depthwise-conv", "mul-add"


class BnToAffine:
    """Rewrites a BatchNormalization to a depthwise Conv or to Mul and Add."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"BatchNormalization"})
    fixes = frozenset({"batch-normalization.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_CONV, _MUL))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "BatchNormalization" or len(node.inputs) != 5 or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers) or not_affine(model, node, answers)
        if refusal is not None:
            return refusal
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        width = rank(model, node.graph, node.inputs[0])
        if width is None:
            return answers.refuse("unknown_shape", node.inputs[0])
        if not 2 <= width <= 5:
            return answers.refuse("bn_input_rank", width)
        factor, shift = factors(model, node)
        if not np.isfinite(factor).all() or not np.isfinite(shift).all():
            return answers.refuse("bn_not_finite", factor.size)
        variants = (_CONV, _MUL) if width > 2 else (_MUL,)
        return answers.match(variants, {"width": width})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, width = editor.model.node(match.anchor), int(str(match.bindings["width"]))
        factor, shift = factors(editor.model, node)
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        dtype = chain.dtype_of(node.inputs[0])
        ones = (1,) * (width - 2)
        if variant == _CONV:
            weight = chain.tensor(factor.astype(dtype).reshape(-1, 1, *ones), node.inputs[1])
            bias = chain.tensor(shift.astype(dtype), node.inputs[2])
            chain.op("Conv", weight, bias, group=factor.size, kernel_shape=list(ones))
        else:
            chain.op("Mul", chain.tensor(factor.astype(dtype).reshape(1, -1, *ones), node.inputs[1]))
            chain.op("Add", chain.tensor(shift.astype(dtype).reshape(1, -1, *ones), node.inputs[2]))
        chain.emit(node.outputs[0])
