"""An AveragePool that leaves padding out, by one that counts it.

What it does:
    The average is taken over whole windows, padding included, and multiplied by a constant map: window size over the
    number of elements in the window. Without padding only the attribute changes.

When it applies:
    count_include_pad 0, sizes rounded down, dilation 1, fixed spatial sizes.

Why it is equivalent:
    Padding is zero, so both sums are equal; they are divided by the window size K or by the number of elements n, and
    `sum / n = (sum / K) * (K / n)`. The map `[1, 1, Ho, Wo]` holds K / n for each window.

Safety:
    EQUIVALENT: one rounding more. Measured 3e-8.

Costs:
    A constant map of the size of one output channel and a Mul.

Source:
    ONNX operator AveragePool, versions 7 to 22 (count_include_pad).
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.pooling import PoolSite, look_pool, pool_site_of
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "avgpool-count-pads"


class AvgPoolCountPads:
    """Rewrites an AveragePool without padding in its count to one with."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"AveragePool"})
    fixes = frozenset({"average-pool.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("map", say(f"rewrite.{_ID}.variant.map")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_pool(model, node, "AveragePool", answers, sized=True)
        if isinstance(site, Refusal):
            return site
        if site.counts_pads:
            return answers.other()
        if site.ceil:
            return answers.refuse("pool_ceil", "ceil_mode = 1")
        if max(site.window.dilations) > 1:
            return answers.refuse("dilation", site.window.dilations)
        if any(pad >= k for pad, k in zip(site.window.pads, site.window.kernel * 2, strict=True)):
            return answers.refuse("pool_pads", site.window.pads, kernel=str(site.window.kernel))
        answers.holds("pool_window", "×".join(map(str, site.window.kernel)))
        return answers.match(("map",), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), pool_site_of(match)
        window = site.window
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        chain.op(
            "AveragePool",
            kernel_shape=list(window.kernel),
            strides=list(window.strides),
            pads=list(window.pads),
            count_include_pad=1,
        )
        if any(window.pads):
            ratios = _ratios(site).astype(chain.dtype_of(node.inputs[0]))
            chain.op("Mul", chain.constant(ratios[None, None], "ratios"))
        chain.emit(node.outputs[0])


def _ratios(site: PoolSite) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Window size over the number of elements within the input, for each output position, float64."""
    window = site.window
    ratios = np.ones((), np.float64)
    for i, size in enumerate(site.sizes):
        starts = np.arange(window.output(i, size)) * window.strides[i] - window.begins[i]
        inside = np.minimum(starts + window.kernel[i], size) - np.maximum(starts, 0)
        ratios = ratios[..., None] * (window.kernel[i] / inside)
    return ratios
