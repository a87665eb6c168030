"""Gemm with constant weights as a 1x1 Conv.

What it does:
    `alpha * A @ B + beta * C` becomes a Conv with a 1x1 kernel on `[N, K, 1, 1]`; alpha, beta and transB go into its
    weights and bias.

When it applies:
    B and C are constant; C is one number or one for each column. transA is 0, K fixed. float32 or float64.

Why it is equivalent:
    `y[n, m] = alpha * sum over k of A[n, k] * B[k, m] + beta * C[m]` is a convolution of one position with channels k,
    weights `alpha * B^T` and bias `beta * C`. `[N, K]` -> `[N, K, 1, 1]` -> `[N, M, 1, 1]` -> `[N, M]`.

Safety:
    EQUIVALENT: alpha and beta are multiplied in float64 and rounded once; products are added in the runtime's order.

Costs:
    Two reshapes.

Source:
    ONNX operators Gemm, versions 7 to 13, and Conv, version 1.
"""

from math import isfinite
from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import Answers, batch, fixed, is_wide_float, needed_constant, real, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "gemm-to-conv"


class GemmToConv:
    """Rewrites a Gemm with constant weights to a 1x1 Conv."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Gemm"})
    fixes = frozenset({"gemm.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("conv", say(f"rewrite.{_ID}.variant.conv")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if (
            node.op.domain
            or node.op.name != "Gemm"
            or len(node.inputs) < 2
            or not all(node.inputs[:2])
            or not node.outputs
        ):
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        if node.attributes.get("transA", 0):
            return answers.refuse("gemm_transposed", "transA = 1")
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        shape = model.value(node.graph, node.inputs[0]).shape
        channels = fixed(model, shape, 1)
        if channels is None or shape is None:
            return answers.refuse("dynamic", text(shape), axes="K")
        parts = _weights(model, node, answers)
        if isinstance(parts, Refusal):
            return parts
        weight, bias = parts
        if weight.shape[1] != channels:
            return answers.refuse("odd_attribute", f"{channels} ≠ {weight.shape[1]}")
        answers.holds("constant_weight", "×".join(map(str, weight.shape)))
        return answers.match(("conv",), {"weight": weight, "bias": bias, "sizes": (batch(model, shape), channels)})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, sizes = editor.model.node(match.anchor), cast("tuple[int, int]", match.bindings["sizes"])
        weight, bias = cast("Array", match.bindings["weight"]), cast("Array | None", match.bindings["bias"])
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0]).reshape(*sizes, 1, 1)
        parts = [chain.tensor(weight[:, :, None, None], node.inputs[1])]
        if bias is not None:
            parts.append(chain.tensor(bias, node.inputs[2]))
        chain.op("Conv", *parts, kernel_shape=[1, 1]).reshape(sizes[0], int(weight.shape[0])).emit(node.outputs[0])


def _weights(model: Model, node: Node, answers: Answers) -> tuple[Array, Array | None] | Refusal:
    """Weights `[M, K]` and bias `[M]` (None without one) with alpha, beta and transB in them."""
    names = [name for name in node.inputs[1:3] if name]
    arrays = []
    for name in names:
        values = needed_constant(model, name, answers)
        if isinstance(values, Refusal):
            return values
        arrays.append(values)
    matrix = arrays[0]
    if matrix.ndim != 2:
        return answers.refuse("odd_attribute", f"{names[0]}: {'×'.join(map(str, matrix.shape))}")
    rows = matrix if node.attributes.get("transB", 0) else matrix.T
    alpha, beta = real(node, "alpha", 1.0), real(node, "beta", 1.0)
    if not isfinite(alpha) or not isfinite(beta):
        return answers.refuse("odd_attribute", f"alpha = {alpha}, beta = {beta}")
    weight = np.ascontiguousarray(rows.astype(np.float64) * alpha).astype(matrix.dtype)
    if len(arrays) == 1:
        return weight, None
    maps = weight.shape[0]
    given = arrays[1]
    if given.ndim > 2 or (given.ndim == 2 and given.shape[0] != 1) or given.size not in (1, maps):
        return answers.refuse("gemm_bias", "×".join(map(str, given.shape)), maps=maps)
    bias = np.broadcast_to(given.astype(np.float64).reshape(-1) * beta, (maps,)).astype(given.dtype)
    return weight, np.ascontiguousarray(bias)
