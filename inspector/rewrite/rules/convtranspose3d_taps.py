"""ConvTranspose3d whose depth taps overlap or leave gaps, as one ConvTranspose2d and a sum over taps.

What it does:
    Makes all kD depth taps of every slice as channels of one ConvTranspose2d, spreads them along the depth by the
    stride, shifts each tap to its place and adds them.

When it applies:
    Input `[N, Ci, D, H, W]` with known D, H, W (N may be open); constant weight and bias; float32 or float64; depth
    kernel different from depth stride, or depth dilation above 1. The other case is that of convtranspose3d-to-2d.

Why it is equivalent:
    `y[o, t] = sum over taps j and slices d with d*sD + j*dD - pD = t of ConvTranspose2d(x[:, d], W[:, o, j])`.
    With M the taps of all slices, `[N, D, Co, kD*Ho*Wo]` -> `[N, Co, D*sD, kD*Ho*Wo]` (zeros between slices), the sum
    is `sum_j M_j` shifted by `j*dD - pD`; each shift is a window of the spread axis, filled with zeros outside.

Safety:
    EQUIVALENT: the taps are added one after the other instead of inside the kernel. Measured 1.7e-7 of the largest
    value over random layers.

Costs:
    kD windows and kD - 1 additions of full outputs, and a tensor of Co*kD channels: many small nodes. On quantised
    chips every addition rounds.

Source:
    ONNX operator ConvTranspose, version 11.
"""

from inspector.model.edit import Editor
from inspector.rewrite.chain import Chain
from inspector.rewrite.convtranspose3d import (
    DEPTH,
    ConvTranspose3dRule,
    Site,
    add_bias,
    conv_transpose_2d,
    site_of,
    to_batch,
    weights,
)
from inspector.rewrite.pattern import Answers, is_wide_float
from inspector.rewrite.rule import Match, Refusal, Variant
from inspector.text import say

_ID = "convtranspose3d-taps"


class ConvTranspose3dTaps(ConvTranspose3dRule):
    """Rewrites a ConvTranspose3d with overlapping, dilated or gapped depth to a sum of shifted taps."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in ("rank-5", "rank-4"))

    def fits(self, site: Site, answers: Answers) -> Match | Refusal:
        """See `ConvTranspose3dRule`."""
        g = site.geometry
        walk = f"kD = {g.kernel[DEPTH]}, sD = {g.strides[DEPTH]}, dD = {g.dilations[DEPTH]}"
        if g.kernel[DEPTH] == g.strides[DEPTH] and (g.dilations[DEPTH] == 1 or g.kernel[DEPTH] == 1):
            return answers.refuse("depth_apart", walk)
        answers.holds("depth_overlaps", walk)
        if not is_wide_float(site.dtype):
            return answers.refuse("narrow_float", site.dtype)
        if not _windows(site):
            return answers.refuse("empty_output", site.outputs)
        return answers.match(tuple(v.id for v in self.variants), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), site_of(match)
        weight, bias = weights(editor, node)
        d, kd, co, stride = site.sizes[DEPTH], site.geometry.kernel[DEPTH], site.maps, site.geometry.strides[DEPTH]
        do, ho, wo = site.outputs
        plane = ho * wo
        chain = to_batch(Chain(editor, node, node.inputs[0]), site, variant)
        conv_transpose_2d(chain, site, weight, None, node.inputs)
        chain.reshape(site.batch, d, co, kd * plane).transpose(0, 2, 1, 3)
        if stride > 1:
            chain.reshape(site.batch, co * d, 1, kd * plane).pad((0, 0, 0, 0), (0, 0, stride - 1, 0), weight.dtype)
            chain.reshape(site.batch, co, d * stride, kd * plane)
        spread = chain.emit()
        total = ""
        for tap, start in _windows(site):
            shifted = Chain(editor, node, spread)
            if kd > 1:
                shifted.slice(3, tap * plane, (tap + 1) * plane)
            moved = shifted.crop(2, d * stride, start, start + do, 4, weight.dtype).emit()
            total = Chain(editor, node, total).op("Add", moved, role="Sum").emit() if total else moved
        end = Chain(editor, node, total)
        editor.remove(node.id)
        add_bias(end, bias, node.inputs, 4).reshape(site.batch, co, do, ho, wo).emit(node.outputs[0])


def _windows(site: Site) -> tuple[tuple[int, int], ...]:
    """Taps that reach the output, each with the place on the spread depth axis where its window starts."""
    g = site.geometry
    length = site.sizes[DEPTH] * g.strides[DEPTH]
    starts = ((tap, g.begins[DEPTH] - tap * g.dilations[DEPTH]) for tap in range(g.kernel[DEPTH]))
    return tuple((tap, s) for tap, s in starts if s < length and s + site.outputs[DEPTH] > 0)
