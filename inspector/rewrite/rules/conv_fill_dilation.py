"""A dilated Conv as one with zeros in its kernel.

What it does:
    Zeros are put between the kernel positions, and the dilation becomes 1.

When it applies:
    Rank 3 to 5, constant weights, at least one dilation above 1 on an axis whose kernel is longer than 1.

Why it is equivalent:
    A dilated kernel reads every d-th position; the kernel of length (k-1)*d + 1 with zeros in between reads the
    positions in between as well, times zero. Finite values only.

Safety:
    EQUIVALENT: another order of additions. Measured 5e-8.

Costs:
    A kernel that is longer by the factor d on each axis, and as many more products.

Source:
    ONNX operator Conv, version 11.
"""

from dataclasses import replace

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.convolution import conv, conv_site_of, conv_weights, look_conv
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "conv-fill-dilation"


class ConvFillDilation:
    """Rewrites a dilated Conv to one with a longer kernel."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Conv"})
    fixes = frozenset({"conv.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("zeros", say(f"rewrite.{_ID}.variant.zeros")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if "dilations" not in node.attributes:
            return answers.other()
        site = look_conv(model, node, answers, ranks=(3, 4, 5))
        if isinstance(site, Refusal):
            return site
        window = site.window
        reach = tuple(window.reach(i) for i in range(len(window.kernel)))
        if reach == window.kernel:
            return answers.other()
        answers.holds("conv_dilated", f"{'×'.join(map(str, window.kernel))} → {'×'.join(map(str, reach))}")
        return answers.match(("zeros",), {"site": site})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), conv_site_of(match)
        window = site.window
        weight, bias = conv_weights(editor, node)
        reach = tuple(window.reach(i) for i in range(len(window.kernel)))
        filled = np.zeros((*weight.shape[:2], *reach), weight.dtype)
        filled[:, :, *(slice(None, None, step) for step in window.dilations)] = weight
        editor.remove(node.id)
        dense = replace(window, kernel=reach, dilations=(1,) * len(reach))
        conv(Chain(editor, node, node.inputs[0]), node, filled, bias, dense, group=site.group).emit(node.outputs[0])
