"""A Conv with a large stride by smaller steps.

What it does:
    patches: kernel and stride are equal, so that every window is a patch; patches become channels of a 1x1 Conv.
    step: the Conv walks with a part of the stride, and a Slice takes every b-th position.

When it applies:
    Rank 4, constant weights, fixed height and width. patches: one group, no padding, dilation 1, sizes divisible by the
    stride. step: a stride that is a product of two numbers above 1.

Why it is equivalent:
    patches: `[N, C, H/s, s, W/s, s]` -> `[N, C, s, s, H/s, W/s]` -> `[N, C*s*s, H/s, W/s]` lists the elements of each
    window in the order of the weight `[Co, C*s*s]`. step: with stride s = a*b the positions are those of stride a, b
    apart.

Safety:
    EQUIVALENT: the same products, added in the runtime's order. Measured 0.0.

Costs:
    patches: data movement. step: the Conv computes b times as many positions along each axis.

Source:
    ONNX operator Conv, version 11.
"""

from dataclasses import replace

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.convolution import ConvSite, conv, conv_site_of, conv_weights, look_conv
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.window import Window
from inspector.text import say

_ID = "conv-split-stride"
_PATCH_6, _PATCH_4, _STEP = "patches", "patches-rank-4", "step"
_SMALL = 4
"""Strides up to this are taken by every chip; the Conv keeps the largest part of its stride up to it."""


class ConvSplitStride:
    """Rewrites a Conv with a large stride."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Conv"})
    fixes = frozenset({"conv.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_PATCH_4, _PATCH_6, _STEP))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if "strides" not in node.attributes:
            return answers.other()
        site = look_conv(model, node, answers, sized=True)
        if isinstance(site, Refusal):
            return site
        if max(site.window.strides) < 2:
            return answers.other()
        if min(site.outputs) < 1:
            return answers.refuse("empty_output", site.outputs)
        patches = (_PATCH_4, _PATCH_6) if _is_patches(site) else ()
        steps = (_STEP,) if any(_part(s) != s for s in site.window.strides) else ()
        if not patches and not steps:
            return answers.refuse("conv_stride", site.window.strides, kernel=str(site.window.kernel))
        answers.holds("conv_stride", f"{site.window.kernel}, {site.window.strides}")
        return answers.match((*patches, *steps), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), conv_site_of(match)
        weight, bias = conv_weights(editor, node)
        window = site.window
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        if variant == _STEP:
            strides = tuple(_part(s) for s in window.strides)
            conv(chain, node, weight, bias, replace(window, strides=strides), group=site.group)
            for axis, (whole, part, out) in enumerate(zip(window.strides, strides, site.outputs, strict=True)):
                if whole != part:
                    step = whole // part
                    chain.slice(2 + axis, 0, (out - 1) * step + 1, step)
            chain.emit(node.outputs[0])
            return
        (h, w), (sh, sw) = site.outputs, window.strides
        n, c = site.batch, site.channels
        if variant == _PATCH_6:
            chain.reshape(n, c, h, sh, w, sw).transpose(0, 1, 3, 5, 2, 4)
        else:
            chain.reshape(-1, sh, w, sw).transpose(0, 1, 3, 2).reshape(-1, h, sh * sw, w).transpose(0, 2, 1, 3)
        chain.reshape(n, c * sh * sw, h, w)
        ones = Window((1, 1), (1, 1), (1, 1), (0, 0), (0, 0))
        conv(chain, node, weight.reshape(site.maps, -1, 1, 1), bias, ones).emit(node.outputs[0])


def _is_patches(site: ConvSite) -> bool:
    window = site.window
    return (
        site.group == 1
        and window.kernel == window.strides
        and not any(window.pads)
        and max(window.dilations) == 1
        and all(size % stride == 0 for size, stride in zip(site.sizes or (), window.strides, strict=True))
    )


def _part(stride: int) -> int:
    """The largest divisor of *stride* up to 4 that is less than it; the stride itself when there is none above 1."""
    return next((d for d in range(min(_SMALL, stride - 1), 1, -1) if stride % d == 0), stride)
