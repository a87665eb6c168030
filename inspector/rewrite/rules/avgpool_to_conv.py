"""An AveragePool that counts its padding, or has none, as a depthwise Conv.

What it does:
    A Conv with one group for each channel and the weight 1/K at each of its K positions.

When it applies:
    count_include_pad 1 or no padding; sizes rounded down; fixed channels; rank 3 to 5.

Why it is equivalent:
    The average over a window of K elements is the sum of 1/K of each; padding is zero in both.

Safety:
    EQUIVALENT: K products instead of one quotient. Measured 6e-8.

Costs:
    K products for each output element.

Source:
    ONNX operators AveragePool, versions 7 to 22, and Conv, version 11.
"""

from math import prod

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers
from inspector.rewrite.pooling import look_pool, pool_site_of
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "avgpool-to-conv"


class AvgPoolToConv:
    """Rewrites an AveragePool to a depthwise Conv."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"AveragePool"})
    fixes = frozenset({"average-pool.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("depthwise-conv", say(f"rewrite.{_ID}.variant.depthwise-conv")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_pool(model, node, "AveragePool", answers)
        if isinstance(site, Refusal):
            return site
        if site.ceil:
            return answers.refuse("pool_ceil", "ceil_mode = 1")
        if any(site.window.pads) and not site.counts_pads:
            return answers.refuse("pool_border", site.window.pads)
        if site.channels is None:
            return answers.refuse("dynamic", node.inputs[0], axes="C")
        answers.holds("pool_window", "×".join(map(str, site.window.kernel)))
        return answers.match(("depthwise-conv",), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), pool_site_of(match)
        window, channels = site.window, site.channels or 0
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        weight = np.full((channels, 1, *window.kernel), 1 / prod(window.kernel), chain.dtype_of(node.inputs[0]))
        chain.op(
            "Conv",
            chain.constant(weight, "average"),
            kernel_shape=list(window.kernel),
            strides=list(window.strides),
            dilations=list(window.dilations),
            pads=list(window.pads),
            group=channels,
        ).emit(node.outputs[0])
