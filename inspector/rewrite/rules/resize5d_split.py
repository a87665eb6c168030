"""Resize of a tensor with three spatial axes, as a resize of H and W and one of D.

What it does:
    Resizes H and W of all slices at once, then D with H and W as one axis (or D first, where that is cheaper). The
    variant depth-conv interpolates D by a 1x1 Conv whose weights are the interpolation matrix.

When it applies:
    Input `[N, C, D, H, W]` with known C, D, H, W (N may be open); scales or sizes constant and 1 on N and C; mode
    linear, nearest or cubic; no crop region, no aspect-ratio policy. No pass may keep all its sizes while a scale is
    not 1: the runtime then copies instead of resampling (1 500 random cases: every difference is of this kind). Linear
    and cubic need float32 or float64; depth-conv is linear without antialiasing.

Why it is equivalent:
    Resize treats every axis by itself: the result is a product of one interpolation matrix per axis, and those commute.
    `[N, C, D, H, W]` -> `[N, C*D, H, W]` -> `[N, C*D, Ho, Wo]` -> `[N, C, D, Ho*Wo]` -> `[N, C, Do, Ho*Wo]` ->
    `[N, C, Do, Ho, Wo]`. Scales stay scales and sizes stay sizes, because coordinates depend on which was given.
    depth-conv: `[N*C, D, H, W]` -> `[N*C, D, Ho, Wo]` -> Conv with weight `[Do, D, 1, 1]` -> `[N, C, Do, Ho, Wo]`.

Safety:
    EQUIVALENT: linear sums the same products in another order, measured 4.8e-7 of the largest value (depth-conv
    8.0e-7); nearest only moves data and is bit-equal.

Costs:
    An intermediate tensor of D*Ho*Wo or Do*H*W elements per channel. Ho*Wo stands on one axis; where a chip's limit
    forbids that, depth-conv does without, at D*Do multiplications per point and with quantised weights.

Source:
    ONNX operator Resize, versions 10 to 19.
"""

from dataclasses import dataclass
from math import prod
from typing import Any, cast

import numpy as np
from onnx import helper

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, batch, fixed_sizes, is_wide_float, rank, refuse_place
from inspector.rewrite.resize import Request, linear_matrix, read_request
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "resize5d-split"
_HW_FIRST, _D_FIRST, _CONV = "hw-then-d", "d-then-hw", "depth-conv"


@dataclass(frozen=True, slots=True)
class _Site:
    request: Request
    batch: int
    sizes: tuple[int, int, int, int]  # C, D, H, W
    out: tuple[int, int, int]  # Do, Ho, Wo
    hw: bool  # whether the pass over H and W does anything
    depth: bool


class Resize5dSplit:
    """Splits a Resize over D, H, W into one over H, W and one over D."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Resize"})
    fixes = frozenset({"resize.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_HW_FIRST, _D_FIRST, _CONV))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Resize" or not node.inputs or not node.outputs:
            return answers.other()
        if rank(model, node.graph, node.inputs[0]) is None:
            return answers.refuse("unknown_shape", node.inputs[0])
        if rank(model, node.graph, node.inputs[0]) != 5:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        shape = model.value(node.graph, node.inputs[0]).shape
        sizes = fixed_sizes(model, shape, (1, 2, 3, 4))
        if sizes is None:
            return answers.refuse("dynamic", text(shape), axes="C, D, H, W")
        request = read_request(model, node, answers)
        if isinstance(request, Refusal):
            return request
        if request.scales[:2] != (1.0, 1.0):
            return answers.refuse("resize_batch", request.scales[:2])
        answers.holds("constant_scales", ", ".join(f"{scale:g}" for scale in request.scales))
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if request.mode != "nearest" and not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        answers.holds("resize_mode", f"{request.mode}, {request.coordinates}")
        site = _site(request, batch(model, shape), cast("tuple[int, int, int, int]", sizes))
        return self._answer(site, answers)

    def _answer(self, site: _Site, answers: Answers) -> Match | Refusal:
        (_, d, h, w), (do, ho, wo), request = site.sizes, site.out, site.request
        stuck = answers.refuse("resize_copy", ", ".join(f"{scale:g}" for scale in request.scales[2:]))
        if site.hw and (h, w) == (ho, wo):
            return stuck
        splits: tuple[str, ...] = (_HW_FIRST, _D_FIRST) if d * ho * wo <= do * h * w else (_D_FIRST, _HW_FIRST)
        if site.depth and d == do:
            if not site.hw:
                return stuck
            splits = ()
        elif not (site.hw and site.depth):
            splits = (_HW_FIRST,)
        conv = site.depth and request.mode == "linear" and not request.antialias
        if conv and linear_matrix(d, do, request.scales[2], request.coordinates) is None:
            conv = False
        variants = (*splits, *((_CONV,) if conv else ()))
        if not variants:
            return stuck
        if not site.hw and not site.depth:
            return answers.refuse("resize_nothing", ", ".join(f"{scale:g}" for scale in request.scales))
        answers.holds("resize_resamples", f"{d}×{h}×{w} → {do}×{ho}×{wo}")
        return answers.match(variants, {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), cast("_Site", match.bindings["site"])
        c, d, h, w = site.sizes
        do, ho, wo = site.out
        n = site.batch
        chain = Chain(editor, node, node.inputs[0])
        if variant == _CONV:
            _through_conv(chain, node, site)
        elif variant == _D_FIRST:
            _pass(chain.reshape(n, c, d, h * w), node, site, (2,), (n, c, do, h * w))
            _pass(chain.reshape(n, c * do, h, w), node, site, (3, 4), (n, c * do, ho, wo))
        else:
            if site.hw:
                _pass(chain.reshape(n, c * d, h, w), node, site, (3, 4), (n, c * d, ho, wo))
            if site.depth:
                _pass(chain.reshape(n, c, d, ho * wo), node, site, (2,), (n, c, do, ho * wo))
        editor.remove(node.id)
        chain.reshape(n, c, do, ho, wo).emit(node.outputs[0])


def _site(request: Request, n: int, sizes: tuple[int, int, int, int]) -> _Site:
    _, d, h, w = sizes
    do, ho, wo = (out or 0 for out in request.outputs[2:])
    hw = (h, w) != (ho, wo) or request.scales[3:] != (1.0, 1.0)
    return _Site(request, n, sizes, (do, ho, wo), hw, d != do or request.scales[2] != 1.0)


def _pass(chain: Chain, node: Node, site: _Site, axes: tuple[int, ...], out: tuple[int, ...]) -> None:
    """Resize of a rank-4 view to *out*; *axes* are those of the original tensor that it resamples."""
    version = node.op.version or 1
    attributes: dict[str, Any] = {a.name: helper.get_attribute_value(a) for a in node.proto.attribute}
    attributes.pop("axes", None)
    scales = [1.0, 1.0, *(site.request.scales[a] for a in axes), 1.0][:4]
    roi = chain.constant(np.zeros(0, np.float32), "roi") if version in (11, 12) else ""
    if not site.request.by_sizes:
        given = chain.constant(np.array(scales, np.float32), "scales")
        chain.op("Resize", *((given,) if version < 11 else (roi, given)), **attributes)
        return
    sizes = list(out)
    if out[0] < 0:
        attributes["axes"], sizes = [2, 3], sizes[2:]
    no_scales = chain.constant(np.zeros(0, np.float32), "scales") if version in (11, 12) else ""
    chain.op("Resize", roi, no_scales, chain.constant(np.array(sizes, np.int64), "sizes"), **attributes)


def _through_conv(chain: Chain, node: Node, site: _Site) -> None:
    """Depth as channels: `[N*C, D, H, W]` -> `[N*C, Do, Ho, Wo]`, the smaller intermediate first."""
    c, d, h, w = site.sizes
    do, ho, wo = site.out
    rows = -1 if site.batch < 0 else site.batch * c
    matrix = linear_matrix(d, do, site.request.scales[2], site.request.coordinates)
    dtype = chain.dtype_of(node.inputs[0])
    weight = np.asarray(matrix).astype(dtype).reshape(do, d, 1, 1)
    conv_first = prod((do, h, w)) < prod((d, ho, wo))
    chain.reshape(rows, d, h, w)
    if conv_first:
        chain.op("Conv", chain.constant(weight, "depth_weight"), kernel_shape=[1, 1])
    if site.hw:
        depth = do if conv_first else d
        _pass(chain, node, site, (3, 4), (rows, depth, ho, wo))
    if not conv_first:
        chain.op("Conv", chain.constant(weight, "depth_weight"), kernel_shape=[1, 1])
