"""A grouped Conv as one Conv for each group.

What it does:
    The input channels are split into groups, each goes through a Conv of its own, and Concat joins the results.

When it applies:
    2 to 32 groups, constant weights, rank 3 to 5.

Why it is equivalent:
    A grouped Conv is defined that way: output channels of group i read the input channels of group i alone. The weight
    `[Co, Ci/g, ...]` is cut along its first axis.

Safety:
    EQUIVALENT: the same products, added in the runtime's order. Measured 0.0 over random layers.

Costs:
    g times as many operators, and a Concat.

Source:
    ONNX operator Conv, version 11.
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain, split_equally
from inspector.rewrite.convolution import conv, conv_site_of, conv_weights, look_conv
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "conv-split-groups"
_MOST_GROUPS = 32


class ConvSplitGroups:
    """Rewrites a grouped Conv to one Conv for each group."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Conv"})
    fixes = frozenset({"conv.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("groups", say(f"rewrite.{_ID}.variant.groups")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.attributes.get("group", 1) == 1:
            return answers.other()
        site = look_conv(model, node, answers, ranks=(3, 4, 5))
        if isinstance(site, Refusal):
            return site
        if site.group > _MOST_GROUPS:
            return answers.refuse("conv_groups", site.group, most=_MOST_GROUPS)
        answers.holds("conv_groups", site.group)
        return answers.match(("groups",), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), conv_site_of(match)
        weight, bias = conv_weights(editor, node)
        editor.remove(node.id)
        inputs = split_equally(editor, node, node.inputs[0], 1, site.group, site.channels)
        biases = [None] * site.group if bias is None else np.split(bias, site.group)
        parts = [
            conv(Chain(editor, node, name), node, part, part_bias, site.window).emit()
            for name, part, part_bias in zip(inputs, np.split(weight, site.group), biases, strict=True)
        ]
        Chain(editor, node, parts[0]).op("Concat", *parts[1:], axis=1).emit(node.outputs[0])
