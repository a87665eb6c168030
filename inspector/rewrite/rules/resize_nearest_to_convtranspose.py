"""An enlarging nearest Resize by whole factors as a transposed convolution with a kernel of ones.

What it does:
    Each channel goes through a ConvTranspose of its own whose kernel and strides are the factors and whose weights are
    1, so that every element fills a block.

When it applies:
    Resize or Upsample, rank 4, mode nearest, constant factors 1, 1, fH, fW that are whole, one of them above 1, with
    coordinate and rounding modes that repeat every element f times: asymmetric or tf_half_pixel_for_nn with floor,
    half_pixel, pytorch_half_pixel or half_pixel_symmetric with either rounding, and a few more. C is fixed.

Why it is equivalent:
    Blocks do not overlap when the kernel equals the strides: `y[c, h*fH + i, w*fW + j] = 1 * x[c, h, w]`.

Safety:
    EXACT: a product with 1 and a sum of one term.

Costs:
    fH*fW multiplications for each element of the input, and a quantised weight, which is exact for 1.

Source:
    ONNX operators Resize, versions 10 to 19, Upsample, versions 7 and 9, and ConvTranspose, version 1.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.resize import Floats, Request, coordinates_of
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.upsampling import look_up, spread, up_site_of
from inspector.text import say

_ID = "resize-nearest-to-convtranspose"
_TRIED = 4
"""Length of the axis on which the repeating is tried; the pattern is the same for every length above 1."""

_ROUND: Mapping[str, Callable[[Floats], Floats]] = MappingProxyType(
    {
        "floor": np.floor,
        "ceil": np.ceil,
        "round_prefer_floor": lambda at: np.ceil(at - 0.5),
        "round_prefer_ceil": lambda at: np.floor(at + 0.5),
    }
)


class ResizeNearestToConvTranspose:
    """Rewrites an enlarging nearest Resize to a ConvTranspose with weights 1."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Resize", "Upsample"})
    fixes = frozenset({"resize.*", "upsample.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("depthwise", say(f"rewrite.{_ID}.variant.depthwise")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_up(model, node, answers, "nearest")
        if isinstance(site, Refusal):
            return site
        modes = f"{site.request.coordinates}, {site.request.nearest}"
        if not all(_repeats(site.request, factor) for factor in site.factors):
            return answers.refuse("resize_repeats", modes)
        answers.holds("resize_repeats", modes)
        return answers.match(("depthwise",), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), up_site_of(match)
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        kernel = np.ones(site.factors, chain.dtype_of(node.inputs[0]))
        spread(chain, site, kernel, (0, 0), (0, 0)).emit(node.outputs[0])


def _repeats(request: Request, factor: int) -> bool:
    """Whether every element of an axis is taken *factor* times in a row.

    Not asked of align_corners, whose coordinates come near the middle between two elements on long axes.
    """
    if factor == 1:
        return True
    mode, out = request.coordinates, _TRIED * factor
    at: Floats | None = (np.arange(out) + 0.5) / factor if mode == "tf_half_pixel_for_nn" else None
    if at is None and mode != "align_corners":
        at = coordinates_of(_TRIED, out, factor, mode)
    if at is None or request.nearest not in _ROUND:
        return False
    taken = np.clip(_ROUND[request.nearest](at), 0, _TRIED - 1)
    return np.array_equal(taken, np.arange(out) // factor)
