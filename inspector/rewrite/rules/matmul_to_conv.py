"""MatMul by a constant as a 1x1 Conv.

What it does:
    `x @ W` with a constant `[K, M]` becomes a Conv with a 1x1 kernel; K stands on the channel axis meanwhile.

When it applies:
    x of rank 2 to 4 with fixed sizes, up to the first; W a constant matrix. float32 or float64.

Why it is equivalent:
    `y[..., m] = sum over k of x[..., k] * W[k, m]` is a convolution with a kernel of one position, with channels k and
    weights `W^T` of shape `[M, K, 1, 1]`. `[N, K]` -> `[N, K, 1, 1]`; `[N, L, K]` -> `[N, K, L]` -> `[N, K, 1, L]`;
    `[N, H, L, K]` -> `[N, K, H, L]`; and back.

Safety:
    EQUIVALENT: the same products, added in the runtime's order.

Costs:
    Two transposes at rank 3 and 4; two reshapes at rank 2 and 3.

Source:
    ONNX operators MatMul, version 9, and Conv, version 1.
"""

from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import Answers, batch, fixed_sizes, is_wide_float, needed_constant, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "matmul-to-conv"


class MatMulToConv:
    """Rewrites a MatMul by a constant matrix to a 1x1 Conv."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"MatMul"})
    fixes = frozenset({"matmul.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("conv", say(f"rewrite.{_ID}.variant.conv")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "MatMul" or len(node.inputs) != 2 or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        feature, name = node.inputs
        weight = needed_constant(model, name, answers)
        if isinstance(weight, Refusal):
            return weight
        if weight.ndim != 2:
            return answers.refuse("matmul_weight", "×".join(map(str, weight.shape)) or "scalar")
        if not is_wide_float(model.value(node.graph, feature).dtype):
            return answers.refuse("narrow_float", model.value(node.graph, feature).dtype)
        shape = model.value(node.graph, feature).shape
        if shape is None:
            return answers.refuse("unknown_shape", feature)
        if len(shape) not in (2, 3, 4):
            return answers.refuse("matmul_rank", len(shape))
        inner = fixed_sizes(model, shape, tuple(range(1, len(shape))))
        if inner is None:
            return answers.refuse("dynamic", text(shape), axes=", ".join(map(str, range(1, len(shape)))))
        answers.holds("constant_weight", "×".join(map(str, weight.shape)))
        return answers.match(("conv",), {"weight": weight, "sizes": (batch(model, shape), *inner)})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, sizes = editor.model.node(match.anchor), cast("tuple[int, ...]", match.bindings["sizes"])
        weight = cast("Array", match.bindings["weight"])
        made = int(weight.shape[1])
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        if len(sizes) == 4:
            chain.transpose(0, 3, 1, 2)
        elif len(sizes) == 3:
            chain.transpose(0, 2, 1).reshape(sizes[0], sizes[2], 1, sizes[1])
        else:
            chain.reshape(sizes[0], sizes[1], 1, 1)
        kernel = np.ascontiguousarray(weight.T)[:, :, None, None]
        chain.op("Conv", chain.tensor(kernel, node.inputs[1]), kernel_shape=[1, 1])
        if len(sizes) == 4:
            chain.transpose(0, 2, 3, 1)
        elif len(sizes) == 3:
            chain.reshape(sizes[0], made, sizes[1]).transpose(0, 2, 1)
        else:
            chain.reshape(sizes[0], made)
        chain.emit(node.outputs[0])
