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
from inspector.model.shape import text
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import Answers, constant, fixed, is_overridable, is_wide_float, rank, refuse_place
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
        if node.op.domain or node.op.name != "Gather" or len(node.inputs) != 2 or not node.outputs:
            return answers.other()
        if rank(model, node.graph, node.inputs[0]) != 4 or node.attributes.get("axis", 0) not in (1, -3):
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        data, name = node.inputs
        if is_overridable(model, node.graph, name):
            return answers.refuse("overridable", name)
        indices = constant(model, node.graph, name)
        if indices is None:
            return answers.refuse("not_constant", name)
        dtype = model.value(node.graph, data).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        shape = model.value(node.graph, data).shape
        channels = fixed(model, shape, 1)
        if channels is None:
            return answers.refuse("dynamic", text(shape), axes="C")
        flat = indices.astype(np.int64)
        if indices.ndim != 1 or not indices.size or ((flat < -channels) | (flat >= channels)).any():
            return answers.refuse("odd_attribute", f"{'×'.join(map(str, indices.shape))}, C = {channels}")
        answers.holds("gather_channels", f"{channels} → {indices.size}")
        return answers.match(("conv",), {"indices": flat % channels, "channels": channels})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, channels = editor.model.node(match.anchor), cast("int", match.bindings["channels"])
        indices = cast("Array", match.bindings["indices"])
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        weight = np.zeros((indices.size, channels, 1, 1), chain.dtype_of(node.inputs[0]))
        weight[np.arange(indices.size), indices] = 1
        chain.op("Conv", chain.constant(weight, "choice"), kernel_shape=[1, 1]).emit(node.outputs[0])
