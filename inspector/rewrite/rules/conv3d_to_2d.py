"""Conv over depth, height and width as Convs over height and width.

What it does:
    stack: the kD depth slices that an output slice reads become channels, the output depth stands in the batch, and one
    Conv2d does the rest. slices: the same with one Conv2d for each output slice, all with the same weight, which needs
    no transpose and leaves the batch as it is. taps: one Conv2d for each depth position of the kernel, summed by Adds,
    so that the number of input channels stays.

When it applies:
    Rank 5, constant weight and bias, fixed C, D, H, W (N may be open). Groups, strides, dilations and padding are free;
    a depth stride needs opset 10. slices: at most 16 output slices. taps: more than one depth position.

Why it is equivalent:
    `y[n, o, t] = sum over j of Conv2d(x[n, :, t*sD + j*dD - pD], W[:, o, j])`, zeros outside. With (channel, j) as one
    axis the weight `[Co, Ci/g, kD, kH, kW]` only changes its shape to `[Co, Ci/g*kD, kH, kW]`, and channels stay in
    their group. Shapes of stack: `[N, Ci, D, H*W]` -> `[N, Ci*kD, Do, H*W]` -> `[N*Do, Ci*kD, H, W]` ->
    `[N*Do, Co, Ho, Wo]` -> `[N, Co, Do, Ho, Wo]`.

Safety:
    EQUIVALENT: the same products; stack and slices add them in the runtime's order (mostly bit-equal), taps one tap
    after the other. Measured 5.5e-7 of the largest value.

Costs:
    stack, slices: Ci*kD channels, the input stored kD times. stack, taps: two transposes, and N*Do must stay within the
    chip's batch limit. taps: kD - 1 additions, each rounded by itself when quantised.

Source:
    ONNX operator Conv, version 11.
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.convolution import ConvSite, conv, conv_site_of, conv_weights, look_conv
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.window import Window
from inspector.text import say

_ID = "conv3d-to-2d"
_STACK, _SLICES, _TAPS = "stack", "slices", "taps"
_MOST_SLICES = 16
_STEPS_SINCE = 10


class Conv3dTo2d:
    """Rewrites a Conv3d to Conv2ds."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Conv"})
    fixes = frozenset({"conv.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_STACK, _SLICES, _TAPS))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_conv(model, node, answers, ranks=(5,), sized=True)
        if isinstance(site, Refusal):
            return site
        if min(site.outputs) < 1:
            return answers.refuse("empty_output", site.outputs)
        stepped = site.window.strides[0] > 1 and site.outputs[0] > 1
        if stepped and model.opsets.get("", 1) < _STEPS_SINCE:
            return answers.refuse("conv3d_step", site.window.strides[0])
        answers.holds("conv3d_depth", f"kD = {site.window.kernel[0]}, D = {site.outputs[0]}")
        slices = (_SLICES,) if site.outputs[0] <= _MOST_SLICES else ()
        taps = (_TAPS,) if site.window.kernel[0] > 1 else ()
        return answers.match((_STACK, *slices, *taps), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), conv_site_of(match)
        weight, bias = conv_weights(editor, node)
        editor.remove(node.id)
        source = _padded(editor, node, site)
        if variant == _TAPS:
            _taps(editor, node, site, source, weight, bias)
            return
        flat = np.ascontiguousarray(weight).reshape(site.maps, -1, *weight.shape[3:])
        if variant == _STACK:
            _stack(editor, node, site, source, flat, bias)
        else:
            _slices(editor, node, site, source, flat, bias)


def _padded(editor: Editor, node: Node, site: ConvSite) -> str:
    """`[N, C, D, H, W]` -> `[N, C, D with its padding, H*W]`."""
    d, h, w = site.sizes or ()
    chain = Chain(editor, node, node.inputs[0]).reshape(site.batch, site.channels, d, h * w)
    before, after = site.window.begins[0], site.window.ends[0]
    return chain.pad((0, 0, before, 0), (0, 0, after, 0), chain.dtype_of(node.inputs[0])).emit()


def _plane(site: ConvSite) -> Window:
    """What the window does along H and W."""
    w = site.window
    return Window(w.kernel[1:], w.strides[1:], w.dilations[1:], w.begins[1:], w.ends[1:])


def _stack(editor: Editor, node: Node, site: ConvSite, source: str, weight: Array, bias: Array | None) -> None:
    kd, (_, h, w), (do, ho, wo) = site.window.kernel[0], site.sizes or (), site.outputs
    step, dilation = site.window.strides[0], site.window.dilations[0]
    taps = [_depth(editor, node, site, source, 2, j * dilation, do, step) for j in range(kd)]
    chain = Chain(editor, node, taps[0])
    if kd > 1:
        chain.op("Concat", *taps[1:], axis=2).reshape(site.batch, site.channels * kd, do, h * w)
    chain.transpose(0, 2, 1, 3).reshape(_rows(site), site.channels * kd, h, w)
    conv(chain, node, weight, bias, _plane(site), group=site.group)
    chain.reshape(site.batch, do, site.maps, ho * wo).transpose(0, 2, 1, 3)
    chain.reshape(site.batch, site.maps, do, ho, wo).emit(node.outputs[0])


def _slices(editor: Editor, node: Node, site: ConvSite, source: str, weight: Array, bias: Array | None) -> None:
    kd, (_, h, w), (do, ho, wo) = site.window.kernel[0], site.sizes or (), site.outputs
    step, dilation = site.window.strides[0], site.window.dilations[0]
    given = Chain(editor, node, source)
    names = [given.tensor(weight, node.inputs[1])]
    if bias is not None:
        names.append(given.tensor(bias, node.inputs[2]))
    plane, made = _plane(site), []
    for t in range(do):
        piece = _depth(editor, node, site, source, 2, t * step, kd, dilation)
        chain = Chain(editor, node, piece).reshape(site.batch, site.channels * kd, h, w)
        chain.op(
            "Conv",
            *names,
            kernel_shape=list(plane.kernel),
            strides=list(plane.strides),
            dilations=list(plane.dilations),
            pads=list(plane.pads),
            group=site.group,
        )
        made.append(chain.reshape(site.batch, site.maps, 1, ho * wo).emit())
    chain = Chain(editor, node, made[0])
    if do > 1:
        chain.op("Concat", *made[1:], axis=2)
    chain.reshape(site.batch, site.maps, do, ho, wo).emit(node.outputs[0])


def _taps(editor: Editor, node: Node, site: ConvSite, source: str, weight: Array, bias: Array | None) -> None:
    (_, h, w), (do, ho, wo) = site.sizes or (), site.outputs
    step, dilation = site.window.strides[0], site.window.dilations[0]
    source = Chain(editor, node, source).transpose(0, 2, 1, 3).emit()
    total = ""
    for j in range(site.window.kernel[0]):
        piece = _depth(editor, node, site, source, 1, j * dilation, do, step)
        chain = Chain(editor, node, piece).reshape(_rows(site), site.channels, h, w)
        made = conv(chain, node, weight[:, :, j], bias if j == 0 else None, _plane(site), group=site.group).emit()
        total = Chain(editor, node, total).op("Add", made).emit() if total else made
    chain = Chain(editor, node, total).reshape(site.batch, do, site.maps, ho * wo).transpose(0, 2, 1, 3)
    chain.reshape(site.batch, site.maps, do, ho, wo).emit(node.outputs[0])


def _depth(
    editor: Editor, node: Node, site: ConvSite, source: str, axis: int, start: int, count: int, step: int
) -> str:
    """*count* depth slices of the padded *source* from *start* on, every *step*-th; depth stands at *axis*."""
    full = (site.sizes or (0,))[0] + site.window.begins[0] + site.window.ends[0]
    if (start, count) == (0, full):
        return source
    stop = start + (count - 1) * step + 1
    return Chain(editor, node, source).slice(axis, start, stop, step if count > 1 else 1).emit()


def _rows(site: ConvSite) -> int:
    """Size of axis 0 once the output depth stands in the batch; -1 when N is open."""
    return -1 if site.batch < 0 else site.batch * site.outputs[0]
