"""Pooling over depth, height and width as pooling over height and width, then over depth.

What it does:
    The depth stands beside the channels while H and W are pooled; then H and W are one axis while D is pooled. A pass
    whose window is a single element is left out. Pooling over all positions takes one pass with H and W as one axis.

When it applies:
    MaxPool without indices, AveragePool, GlobalMaxPool, GlobalAveragePool of rank 5; fixed C, D, H, W (N may be open);
    output sizes rounded down.

Why it is equivalent:
    The maximum over a box is the maximum over its depth of the maxima of its planes. The sum likewise, and the number
    of elements in a box, with or without the padding, is the product of the numbers along its axes. Shapes:
    `[N, C*D, H, W]` -> `[N, C*D, Ho, Wo]` -> `[N, C, D, Ho*Wo]` -> `[N, C, Do, Ho*Wo]` -> `[N, C, Do, Ho, Wo]`.

Safety:
    EQUIVALENT: maxima are bit-equal; averages are rounded in two steps. Measured 4.0e-7 of the largest value.

Costs:
    An intermediate tensor of D*Ho*Wo elements per channel; Ho*Wo stands on one axis.

Source:
    ONNX operators MaxPool, versions 1 to 12, AveragePool, versions 1 to 19, GlobalMaxPool and GlobalAveragePool.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, batch, fixed_sizes, is_wide_float, rank, refuse_place
from inspector.rewrite.pooling import PoolSite, look_pool
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.window import Window
from inspector.text import say

_ID = "pool3d-to-2d"
_WINDOWS, _GLOBAL = ("MaxPool", "AveragePool"), ("GlobalMaxPool", "GlobalAveragePool")
_HW, _D = slice(1, 3), slice(0, 1)


class Pool3dTo2d:
    """Rewrites pooling over D, H, W to pooling over H, W and over D."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset((*_WINDOWS, *_GLOBAL))
    fixes = frozenset({"max-pool.*", "average-pool.*", "global-max-pool.*", "global-average-pool.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("hw-then-d", say(f"rewrite.{_ID}.variant.hw-then-d")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        known = node.op.name in (*_WINDOWS, *_GLOBAL) and not node.op.domain
        if not known or not node.inputs or not node.inputs[0] or not node.outputs:
            return answers.other()
        if rank(model, node.graph, node.inputs[0]) not in (None, 5):
            return answers.other()
        site = _look(model, node, answers)
        if isinstance(site, Refusal):
            return site
        shape = model.value(node.graph, node.inputs[0]).shape
        sizes = fixed_sizes(model, shape, (1, 2, 3, 4))
        if sizes is None:
            return answers.refuse("dynamic", text(shape), axes="C, D, H, W")
        answers.holds("pool3d_sizes", "×".join(map(str, sizes)))
        return answers.match(("hw-then-d",), {"site": site, "sizes": (batch(model, shape), *sizes)})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        site, sizes = cast("PoolSite | None", match.bindings["site"]), match.bindings["sizes"]
        n, c, d, h, w = cast("tuple[int, ...]", sizes)
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        if site is None:
            chain.reshape(n, c, d, h * w).op(node.op.name).reshape(n, c, 1, 1, 1).emit(node.outputs[0])
            return
        do, ho, wo = (site.window.output(axis, size) for axis, size in enumerate((d, h, w)))
        if not _is_single(site.window, _HW):
            _pool(chain.reshape(n, c * d, h, w), node, site, _HW)
        if not _is_single(site.window, _D):
            _pool(chain.reshape(n, c, d, ho * wo), node, site, _D)
        chain.reshape(n, c, do, ho, wo).emit(node.outputs[0])


def _look(model: Model, node: Node, answers: Answers) -> PoolSite | Refusal | None:
    """The window at *node*; None for pooling over all positions."""
    if node.op.name in _WINDOWS:
        site = look_pool(model, node, node.op.name, answers, sized=True)
        if isinstance(site, Refusal):
            return site
        return answers.refuse("pool_ceil", "ceil_mode = 1") if site.ceil else site
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    value = model.value(node.graph, node.inputs[0])
    if value.shape is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    return None if is_wide_float(value.dtype) else answers.refuse("narrow_float", value.dtype)


def _is_single(window: Window, axes: slice) -> bool:
    """Whether the window takes every element of *axes* by itself."""
    return max(*window.kernel[axes], *window.strides[axes]) == 1 and not any((*window.begins[axes], *window.ends[axes]))


def _pool(chain: Chain, node: Node, site: PoolSite, axes: slice) -> None:
    """Pool the last two axes by what the window does along *axes*; along an axis besides, single elements."""
    window = site.window
    rest = [1] * (2 - len(window.kernel[axes]))
    nothing = [0] * len(rest)
    dilations = [*window.dilations[axes], *rest]
    chain.op(
        node.op.name,
        kernel_shape=[*window.kernel[axes], *rest],
        strides=[*window.strides[axes], *rest],
        pads=[*window.begins[axes], *nothing, *window.ends[axes], *nothing],
        dilations=dilations if max(dilations) > 1 else None,
        count_include_pad=1 if site.counts_pads else None,
    )
