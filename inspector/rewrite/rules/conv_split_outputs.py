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
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.convolution import conv, conv_site_of, conv_weights, look_conv
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "conv-split-outputs"
_PARTS = {"halves": 2, "quarters": 4, "eighths": 8}


class ConvSplitOutputs:
    """Rewrites a Conv to several that make a part of its channels each."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Conv"})
    fixes = frozenset({"conv.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in _PARTS)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_conv(model, node, answers, ranks=(3, 4, 5))
        if isinstance(site, Refusal):
            return site
        if site.group != 1:
            return answers.refuse("conv_grouped", site.group)
        fitting = tuple(variant for variant, parts in _PARTS.items() if site.maps % parts == 0 and site.maps > parts)
        if not fitting:
            return answers.refuse("conv_parts", site.maps)
        answers.holds("conv_parts", site.maps)
        return answers.match(fitting, {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site, count = editor.model.node(match.anchor), conv_site_of(match), _PARTS[variant]
        weight, bias = conv_weights(editor, node)
        editor.remove(node.id)
        biases = [None] * count if bias is None else np.split(bias, count)
        parts = [
            conv(Chain(editor, node, node.inputs[0]), node, part, part_bias, site.window).emit()
            for part, part_bias in zip(np.split(weight, count), biases, strict=True)
        ]
        Chain(editor, node, parts[0]).op("Concat", *parts[1:], axis=1).emit(node.outputs[0])
