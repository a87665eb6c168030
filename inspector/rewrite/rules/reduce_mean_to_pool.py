"""The mean over height and width as a GlobalAveragePool.

What it does:
    ReduceMean over the last two axes of `[N, C, H, W]` becomes GlobalAveragePool; a Reshape to `[N, C]` follows when
    the node drops the axes.

When it applies:
    Rank 4, axes 2 and 3, float32 or float64. When axes are dropped, C is fixed.

Why it is equivalent:
    GlobalAveragePool is the mean over all spatial axes, each kept with length 1.

Safety:
    EQUIVALENT: another order of additions. Measured 1.6e-8.

Costs:
    None.

Source:
    ONNX operators ReduceMean and GlobalAveragePool, version 1.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, batch, fixed, is_wide_float, refuse_place
from inspector.rewrite.reduction import Reduction, read_reduction
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "reduce-mean-to-pool"


class ReduceMeanToPool:
    """Rewrites a ReduceMean over height and width to GlobalAveragePool."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"ReduceMean"})
    fixes = frozenset({"reduce-mean.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("pool", say(f"rewrite.{_ID}.variant.pool")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "ReduceMean" or not node.inputs or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        reduction = read_reduction(model, node, answers)
        if isinstance(reduction, Refusal):
            return reduction
        if reduction.rank != 4 or reduction.axes != (2, 3):
            return answers.refuse("pool_axes", f"{list(reduction.axes)}", rank=reduction.rank)
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        shape = model.value(node.graph, node.inputs[0]).shape
        channels = fixed(model, shape, 1)
        if not reduction.keepdims and channels is None:
            return answers.refuse("dynamic", text(shape), axes="C")
        answers.holds("pool_axes", "2, 3")
        return answers.match(("pool",), {"reduction": reduction, "sizes": (batch(model, shape), channels)})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0]).op("GlobalAveragePool")
        if not cast("Reduction", match.bindings["reduction"]).keepdims:
            chain.reshape(*cast("tuple[int, int]", match.bindings["sizes"]))
        chain.emit(node.outputs[0])
