"""A Conv with many input channels as a sum of Convs with fewer.

What it does:
    The input channels are cut into 2, 4 or 8 equal parts, each goes through a Conv of its own, and Adds sum the
    results. The first Conv has the bias.

When it applies:
    One group, constant weights, input channels divisible by the number of parts, rank 3 to 5.

Why it is equivalent:
    A convolution sums over input channels; the sum is taken in parts. The weight `[Co, Ci, ...]` is cut along Ci.

Safety:
    EQUIVALENT: another order of additions. Measured 1.5e-7.

Costs:
    One Add for each part but the first; quantised, each partial sum is rounded to the number format of its own.

Source:
    ONNX operators Conv, version 11, and Add, version 7.
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.rewrite.chain import Chain, split_equally
from inspector.rewrite.convolution import PARTS, ConvParts, ConvSite, conv, conv_site_of, conv_weights
from inspector.rewrite.rule import Match, Variant
from inspector.text import say

_ID = "conv-split-inputs"


class ConvSplitInputs(ConvParts):
    """Rewrites a Conv to a sum of several that read a part of its channels each."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in PARTS)

    @staticmethod
    def channels(site: ConvSite) -> int:
        """See `ConvParts`."""
        return site.channels

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site, count = editor.model.node(match.anchor), conv_site_of(match), PARTS[variant]
        weight, bias = conv_weights(editor, node)
        editor.remove(node.id)
        inputs = split_equally(editor, node, node.inputs[0], 1, count, site.channels)
        total = ""
        for index, (name, part) in enumerate(zip(inputs, np.split(weight, count, axis=1), strict=True)):
            made = conv(Chain(editor, node, name), node, part, bias if index == 0 else None, site.window).emit()
            if index:
                chain = Chain(editor, node, total).op("Add", made)
                made = chain.emit(node.outputs[0] if index == count - 1 else None)
            total = made
