"""BatchNormalization after a linear operator, folded into its weights and bias.

What it does:
    Multiplies the weights of the Conv, ConvTranspose, Gemm or MatMul (with or without a bias Add) before the
    BatchNormalization by its factor per channel, and moves its shift into the bias.

When it applies:
    Inference mode with one output; constant parameters, weights and bias in float32 or float64; the linear operator's
    output is read by the BatchNormalization alone, is no graph output and is not captured by a body. Weights that
    others use as well are copied. Gemm and MatMul: rank 2, so that channels are columns, with a constant second factor.

Why it is equivalent:
    `gamma * (W x + b - mean) / sqrt(var + epsilon) + beta = (s W) x + (s (b - mean) + beta)` with
    `s = gamma / sqrt(var + epsilon)` per output channel: axis 0 of a Conv weight `[Co, Ci/g, k...]`; axis 1 within each
    group of a ConvTranspose weight `[Ci, Co/g, k...]`; the columns of Gemm and MatMul (rows for transB = 1).

Safety:
    EQUIVALENT: products are taken in float64 and rounded once. Measured 3.7e-7 of the largest value.

Costs:
    None at run time: one node less. Weights that others share are stored once more.

Source:
    ONNX operator BatchNormalization, versions 7 to 15.
"""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.batchnorm import Floats, factors, not_affine, not_usable
from inspector.rewrite.pattern import (
    Answers,
    Array,
    constant,
    is_wide_float,
    needed_outside,
    rank,
    real,
    refuse_place,
)
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "bn-fold"


@dataclass(frozen=True, slots=True)
class _Site:
    """The linear operator, its weight, and its bias (None when it has none); `add` is the bias Add after a MatMul."""

    linear: NodeId
    add: NodeId | None
    weight: str
    bias: str | None


class BnFold:
    """Folds a BatchNormalization into the linear operator before it."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"BatchNormalization"})
    fixes = frozenset({"batch-normalization.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("weights", say(f"rewrite.{_ID}.variant.weights")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "BatchNormalization" or len(node.inputs) != 5 or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers) or not_affine(model, node, answers)
        if refusal is not None:
            return refusal
        site = _site(model, node, answers)
        if isinstance(site, Refusal):
            return site
        factor, shift = factors(model, node)
        folded = _folded(model, site, factor, shift)
        if isinstance(folded, str):
            return answers.refuse(folded, _text(factor))
        nodes = (site.linear, *(() if site.add is None else (site.add,)), anchor)
        return answers.match(("weights",), {"site": site}, *nodes)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        model = editor.model
        node, site = model.node(match.anchor), cast("_Site", match.bindings["site"])
        linear = model.node(site.linear)
        folded = _folded(model, site, *factors(model, node))
        if isinstance(folded, str):
            return
        weight = editor.tensor(folded[0], site.weight)
        bias = editor.tensor(folded[1], site.bias or f"{linear.label}/bias")
        for node_id in match.nodes:
            editor.remove(node_id)
        attributes: dict[str, Any] = dict(linear.attributes)
        if linear.op.name == "MatMul":
            base = node if site.add is None else model.node(site.add)
            (product,) = editor.node("MatMul", (linear.inputs[0], weight), base=linear)
            editor.node("Add", (product, bias), node.outputs[:1], base=base)
            return
        if linear.op.name == "Gemm":
            attributes["beta"] = 1.0
        editor.node(linear.op.name, (linear.inputs[0], weight, bias), node.outputs[:1], base=linear, **attributes)


def _site(model: Model, node: Node, answers: Answers) -> _Site | Refusal:
    """The linear operator before *node*."""
    before = model.producer(node.graph, node.inputs[0])
    if before is None or before.op.domain:
        return answers.refuse("bn_no_linear", node.inputs[0])
    add: Node | None = None
    linear: Node | None = before
    if before.op.name == "Add":
        add, linear = before, _matmul_of(model, before)
    if linear is None or linear.op.name not in ("Conv", "ConvTranspose", "Gemm", "MatMul") or len(linear.inputs) < 2:
        return answers.refuse("bn_no_linear", f"{before.op.name} {before.label}")
    elsewhere = needed_outside(model, before, frozenset({node.id}))
    if elsewhere is None and add is not None:
        elsewhere = needed_outside(model, linear, frozenset({add.id}))
    if elsewhere is not None:
        return answers.refuse(elsewhere, before.outputs[0])
    answers.holds("sole_reader", before.outputs[0])
    weight = linear.inputs[1]
    bias = linear.inputs[2] if len(linear.inputs) > 2 and linear.inputs[2] else None
    if add is not None:
        bias = next(name for name in add.inputs if name != linear.outputs[0])
    for name in (weight, *((bias,) if bias is not None else ())):
        refusal = not_usable(model, name, answers)
        if refusal is not None:
            return refusal
    if not is_wide_float(model.value(node.graph, weight).dtype):
        return answers.refuse("narrow_float", model.value(node.graph, weight).dtype)
    answers.holds("constant_weight", weight)
    if linear.op.name in ("Gemm", "MatMul") and rank(model, node.graph, before.outputs[0]) != 2:
        return answers.refuse("bn_rank", rank(model, node.graph, before.outputs[0]))
    return _Site(linear.id, add.id if add is not None else None, weight, bias)


def _matmul_of(model: Model, add: Node) -> Node | None:
    """The MatMul whose product *add* gives a constant bias to."""
    producers = [model.producer(add.graph, name) for name in add.inputs]
    products = [p for p in producers if p is not None and p.op.name == "MatMul" and not p.op.domain]
    return products[0] if len(products) == 1 else None


def _folded(model: Model, site: _Site, factor: Floats, shift: Floats) -> tuple[Array, Array] | str:
    """New weight and bias, in the weight's dtype; the key of a refusal when shapes or ranges do not allow it."""
    linear = model.node(site.linear)
    weight = np.asarray(constant(model, linear.graph, site.weight))
    bias = 0.0 if site.bias is None else np.asarray(constant(model, linear.graph, site.bias), np.float64)
    if linear.op.name == "Gemm":
        bias = bias * real(linear, "beta", 1.0)
    with np.errstate(over="ignore", invalid="ignore"):
        scaled = _scaled(linear, weight.astype(np.float64), factor)
        if scaled is None or not _fits(bias, factor, linear.op.name):
            return "bn_channels_differ"
        result = scaled.astype(weight.dtype), np.asarray(bias * factor + shift).astype(weight.dtype)
    return result if all(np.isfinite(part).all() for part in result) else "bn_not_finite"


def _fits(bias: Floats | float, factor: Floats, op: str) -> bool:
    shape = np.shape(bias)
    if op in ("Conv", "ConvTranspose"):
        return shape in ((), factor.shape)
    return len(shape) <= 2 and (not shape or shape[-1] in (1, factor.size))


def _scaled(linear: Node, weight: Floats, factor: Floats) -> Floats | None:
    """*weight* with its output channels multiplied by *factor*; None when their number differs."""
    op, channels = linear.op.name, factor.size
    if op == "ConvTranspose":
        group = linear.attributes.get("group", 1)
        if not isinstance(group, int) or group < 1 or weight.ndim < 2:
            return None
        if weight.shape[0] % group or weight.shape[1] * group != channels:
            return None
        grouped = weight.reshape(group, weight.shape[0] // group, *weight.shape[1:])
        factors = factor.reshape(group, 1, weight.shape[1], *(1,) * (weight.ndim - 2))
        product: Floats = (grouped * factors).reshape(weight.shape)
        return product
    rows = op == "Conv" or (op == "Gemm" and bool(linear.attributes.get("transB", 0)))
    axis = 0 if rows else weight.ndim - 1
    if weight.ndim < 2 or weight.shape[axis] != channels:
        return None
    shape = [1] * weight.ndim
    shape[axis] = channels
    return np.asarray(weight * factor.reshape(shape))


def _text(factor: Floats) -> str:
    return f"{factor.size}"
