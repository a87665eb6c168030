"""An enlarging linear Resize by whole factors as a transposed convolution with a triangular kernel.

What it does:
    The border elements are repeated once outside (Slices and Concats), and each channel goes through a ConvTranspose of
    its own whose strides are the factors and whose kernel holds the interpolation weights.

When it applies:
    Resize or Upsample, rank 4, mode linear, constant factors 1, 1, fH, fW that are whole, one of them above 1;
    coordinates half_pixel, pytorch_half_pixel, half_pixel_symmetric or asymmetric; no antialiasing; fixed C, H and W.

Why it is equivalent:
    Output x takes element k with weight max(0, 1 - |at(x) - k|). With x = f*k + j - p this depends on j alone: for
    half-pixel coordinates it is 1 - |j - p + 1/2 - f/2| / f with p = f/2 rounded down, 2f weights for even f and 2f - 1
    for odd f; for asymmetric ones 1 - |j - f + 1| / f with p = f - 1. Coordinates outside the axis are moved to its
    border, which is the same as another border element outside. Without it the border would be darker.

Safety:
    EQUIVALENT: another order of additions. Measured 3.9e-7 of the largest value.

Costs:
    About 4*fH*fW multiplications for each element of the input, four Slices and two Concats, and quantised weights:
    those of a factor 2 (1/4, 3/4 and their products) are exact in eight bits.

Source:
    ONNX operators Resize, versions 10 to 19, Upsample, versions 7 and 9, and ConvTranspose, version 1.
"""

from dataclasses import dataclass
from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.resize import Floats
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.upsampling import look_up, spread, up_site_of
from inspector.text import say

_ID = "resize-linear-to-convtranspose"
_HALF_PIXEL = ("half_pixel", "pytorch_half_pixel", "half_pixel_symmetric")


@dataclass(frozen=True, slots=True)
class _Axis:
    """One axis: weights, repeated elements before and after it, and what is cut off the result."""

    weights: Floats
    edges: tuple[int, int]
    begin: int
    end: int


class ResizeLinearToConvTranspose:
    """Rewrites an enlarging linear Resize to a ConvTranspose with a triangular kernel."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Resize", "Upsample"})
    fixes = frozenset({"resize.*", "upsample.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("depthwise", say(f"rewrite.{_ID}.variant.depthwise")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_up(model, node, answers, "linear")
        if isinstance(site, Refusal):
            return site
        coordinates = site.request.coordinates
        if coordinates not in (*_HALF_PIXEL, "asymmetric"):
            return answers.refuse("resize_coordinates", coordinates)
        if site.sizes is None:
            return answers.refuse("dynamic", text(model.value(node.graph, node.inputs[0]).shape), axes="H, W")
        answers.holds("resize_coordinates", coordinates)
        return answers.match(("depthwise",), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), up_site_of(match)
        editor.remove(node.id)
        axes = [_axis(factor, site.request.coordinates) for factor in site.factors]
        value = node.inputs[0]
        for axis, size in enumerate(cast("tuple[int, int]", site.sizes)):
            value = _with_edges(editor, node, value, 2 + axis, size, axes[axis].edges)
        chain = Chain(editor, node, value)
        kernel = np.outer(axes[0].weights, axes[1].weights).astype(chain.dtype_of(node.inputs[0]))
        spread(chain, site, kernel, [a.begin for a in axes], [a.end for a in axes]).emit(node.outputs[0])


def _axis(factor: int, coordinates: str) -> _Axis:
    if factor == 1:
        return _Axis(np.ones(1), (0, 0), 0, 0)
    if coordinates == "asymmetric":
        weights = 1 - np.abs(np.arange(2 * factor - 1) - factor + 1) / factor
        return _Axis(weights, (0, 1), factor - 1, factor)
    p = factor // 2
    taps = np.arange(2 * factor - factor % 2)
    return _Axis(1 - np.abs(taps - p + 0.5 - factor / 2) / factor, (1, 1), p + factor, p + factor)


def _with_edges(editor: Editor, node: Node, value: str, axis: int, size: int, edges: tuple[int, int]) -> str:
    """*value* with its first and last elements along *axis* repeated outside as often as *edges* says (0 or 1)."""
    if not any(edges):
        return value
    ends = (Chain(editor, node, value).slice(axis, at, at + 1) for at in (0, size - 1))
    first, last = ([end.emit()] if count else [] for end, count in zip(ends, edges, strict=True))
    parts = (*first, value, *last)
    return Chain(editor, node, parts[0]).op("Concat", *parts[1:], axis=axis).emit()
