"""A Conv with many output channels as several Convs with fewer.

What it does:
    The output channels are cut into 2, 4 or 8 equal parts, each made by a Conv of its own; Concat joins them.

When it applies:
    One group, constant weights, output channels divisible by the number of parts, rank 3 to 5.

Why it is equivalent:
    Output channels do not depend on each other. The weight `[Co, Ci, ...]` and the bias `[Co]` are cut along Co.

Safety:
    EQUIVALENT: the same products, added in the runtime's order. Measured 2.3e-7.

Costs:
    The input is read once for each part.

Source:
    ONNX operator Conv, version 11.
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.rewrite.chain import Chain
from inspector.rewrite.convolution import PARTS, ConvParts, ConvSite, conv, conv_site_of, conv_weights
from inspector.rewrite.rule import Match, Variant
from inspector.text import say

_ID = "conv-split-outputs"


class ConvSplitOutputs(ConvParts):
    """Rewrites a Conv to several that make a part of its channels each."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in PARTS)

    @staticmethod
    def channels(site: ConvSite) -> int:
        """See `ConvParts`."""
        return site.maps

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site, count = editor.model.node(match.anchor), conv_site_of(match), PARTS[variant]
        weight, bias = conv_weights(editor, node)
        editor.remove(node.id)
        biases = [None] * count if bias is None else np.split(bias, count)
        parts = [
            conv(Chain(editor, node, node.inputs[0]), node, part, part_bias, site.window).emit()
            for part, part_bias in zip(np.split(weight, count), biases, strict=True)
        ]
        Chain(editor, node, parts[0]).op("Concat", *parts[1:], axis=1).emit(node.outputs[0])
