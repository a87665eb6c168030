"""ConvTranspose3d with kernel equal to stride, as a 1x1x1 Conv and a rearrangement.

What it does:
    Makes all kD*kH*kW taps of every input point as channels of one 1x1x1 Conv and moves them to their places.

When it applies:
    Input `[N, Ci, D, H, W]` with known D, H, W (N may be open); constant weight and bias; kernel equal to stride and
    dilation 1 on all three axes. Groups, padding and output_padding are free.

Why it is equivalent:
    Blocks of different input points do not overlap:
    `y[o, d*kD+i, h*kH+j, w*kW+k] = sum_c W[c, o, i, j, k] x[c, d, h, w]`,
    a product over channels alone. Shapes: `[N, Ci, D, H, W]` -> `[N, Co*kD*kH*kW, D, H, W]` ->
    `[N, Co, kD, kH, kW, D, H, W]` -> `[N, Co, D, kD, H, kH, W, kW]` -> `[N, Co, D*kD, H*kH, W*kW]`. The new weight is
    ordered (group, Co/g, kD, kH, kW) by Ci/g. Padding cuts the borders off; what output_padding adds holds the bias
    alone, so it is filled with zeros before the bias is added.

Safety:
    EQUIVALENT: the same products; their order is the runtime's. Measured 6.7e-8 of the largest value over random
    layers.

Costs:
    The widest tensor has Co*kD*kH*kW channels, kH*kW times those of convtranspose3d-to-2d. One transpose of rank 8, or
    three of rank 4 and less.

Source:
    ONNX operators ConvTranspose and Conv, version 11; public report on ConvTranspose3d on J6P.
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.rewrite.chain import Chain
from inspector.rewrite.convtranspose3d import (
    ConvTranspose3dRule,
    Site,
    add_bias,
    site_of,
    split_bias,
    trim,
    weights,
)
from inspector.rewrite.pattern import Answers, Array
from inspector.rewrite.rule import Match, Refusal, Variant
from inspector.text import say

_ID = "convtranspose3d-to-conv3d"


class ConvTranspose3dToConv3d(ConvTranspose3dRule):
    """Rewrites a ConvTranspose3d with kernel = stride to a 1x1x1 Conv and transposes."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in ("rank-8", "rank-4"))

    def fits(self, site: Site, answers: Answers) -> Match | Refusal:
        """See `ConvTranspose3dRule`."""
        g = site.geometry
        if g.kernel != g.strides:
            return answers.refuse("kernel_is_not_stride", f"kernel_shape = {g.kernel}, strides = {g.strides}")
        answers.holds("kernel_is_stride", f"{g.kernel} = {g.strides}")
        if any(d != 1 for k, d in zip(g.kernel, g.dilations, strict=True) if k > 1):
            return answers.refuse("dilation", g.dilations)
        answers.holds("no_dilation", g.dilations)
        return answers.match(tuple(v.id for v in self.variants), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), site_of(match)
        weight, bias = weights(editor, node)
        full = tuple(size * kernel for size, kernel in zip(site.sizes, site.geometry.kernel, strict=True))
        early, late = split_bias(site, full, bias)
        chain = Chain(editor, node, node.inputs[0])
        _conv(chain, site, weight, early, node.inputs)
        _spread(chain, site, variant)
        add_bias(trim(chain, site, full, weight.dtype), late, node.inputs, 5)
        editor.remove(node.id)
        chain.emit(node.outputs[0])


def _conv(chain: Chain, site: Site, weight: Array, bias: Array | None, names: tuple[str, ...]) -> None:
    """1x1x1 Conv to `[N, Co*kD*kH*kW, D, H, W]`."""
    group = site.geometry.group
    taps = int(np.prod(site.geometry.kernel))
    per_group = np.reshape(weight, (group, site.channels // group, site.maps // group, taps))
    ordered = np.ascontiguousarray(per_group.transpose(0, 2, 3, 1))
    extra = [chain.tensor(ordered.reshape(site.maps * taps, site.channels // group, 1, 1, 1), names[1])]
    if bias is not None:
        extra.append(chain.tensor(np.repeat(bias, taps), names[2]))
    chain.op("Conv", *extra, kernel_shape=[1, 1, 1], group=group)


def _spread(chain: Chain, site: Site, form: str) -> None:
    """`[N, Co*kD*kH*kW, D, H, W]` -> `[N, Co, D*kD, H*kH, W*kW]`."""
    n, co = site.batch, site.maps
    kd, kh, kw = site.geometry.kernel
    d, h, w = site.sizes
    if form == "rank-8":
        chain.reshape(n, co, kd, kh, kw, d, h, w).transpose(0, 1, 5, 2, 6, 3, 7, 4)
    else:
        rows = -1 if n < 0 else n * co
        chain.reshape(rows, kd * kh * kw, d, h * w).transpose(0, 2, 1, 3)
        chain.reshape(-1 if n < 0 else rows * d * kd, kh * kw, h, w).transpose(0, 2, 1, 3)
        chain.reshape(-1 if n < 0 else rows * d * kd * h * kh, kw, w).transpose(0, 2, 1)
    chain.reshape(n, co, d * kd, h * kh, w * kw)
