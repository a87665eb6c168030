"""A choice of channels as a 1x1 Conv with ones and zeros.

What it does:
    Gather of constant channels becomes a Conv with a 1x1 kernel: row o has a one at the channel that is picked.

When it applies:
    Axis 1 of a rank-4 value with fixed channels, constant indices in one list. float32 or float64.

Why it is equivalent:
    `y[o] = sum over i of W[o, i] * x[i]` with a single one in each row is `x[index[o]]`.

Safety:
    EXACT for finite numbers; an infinity or NaN in any channel spreads to all of them, because 0 times infinity is no
    number.

Costs:
    As many products as a Conv of these channels.

Source:
    ONNX operators Gather, versions 1 to 13, and Conv, version 1.
"""

from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.gathering import Choice, look_gather, shown
from inspector.rewrite.pattern import Answers, is_wide_float, rank
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "gather-to-conv"


class GatherToConv:
    """Rewrites a Gather of channels to a Conv."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Gather"})
    fixes = frozenset({"gather.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("conv", say(f"rewrite.{_ID}.variant.conv")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if not node.inputs or rank(model, node.graph, node.inputs[0]) != 4:
            return answers.other()
        choice = look_gather(model, node, answers)
        if isinstance(choice, Refusal):
            return choice
        if choice.axis != 1:
            return answers.other()
        if choice.indices.ndim != 1:
            return answers.refuse("gather_indices", shown(choice.indices))
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        answers.holds("gather_channels", f"{choice.size} → {choice.indices.size}")
        return answers.match(("conv",), {"choice": choice})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, choice = editor.model.node(match.anchor), cast("Choice", match.bindings["choice"])
        indices = choice.indices
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        weight = np.zeros((indices.size, choice.size, 1, 1), chain.dtype_of(node.inputs[0]))
        weight[np.arange(indices.size), indices] = 1
        chain.op("Conv", chain.constant(weight, "choice"), kernel_shape=[1, 1]).emit(node.outputs[0])
