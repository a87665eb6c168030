"""A reduction over several axes as one reduction for each axis.

What it does:
    ReduceMean, ReduceSum, ReduceMax or ReduceMin over k axes becomes k reductions over one axis each; a last Reshape
    drops the axes when the node drops them.

When it applies:
    At least two constant axes. float32 or float64 for sums and means, also int32 for the largest and smallest. When
    axes are dropped, the sizes that stay are fixed, up to one.

Why it is equivalent:
    The sum over a rectangle is the sum of the sums of its rows; the mean over it is the mean of the means because all
    rows are equally long; the largest is the largest of the largest. Shapes: every step sets one axis to 1.

Safety:
    EQUIVALENT: another order of additions; the largest and the smallest are bit-equal.

Costs:
    One more pass over a tensor that is smaller by the axis before it; the longest axis goes first.

Source:
    ONNX operators ReduceMean, ReduceSum, ReduceMax, ReduceMin, versions 1 to 20.
"""

from typing import cast

from inspector.model.dtype import DType
from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, batch, fixed, refuse_place
from inspector.rewrite.reduction import Reduction, read_reduction
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "reduce-split"
_FLOATS = frozenset({DType.FLOAT32, DType.FLOAT64})
_TYPES = {
    "ReduceMean": _FLOATS,
    "ReduceSum": _FLOATS,
    "ReduceMax": _FLOATS | {DType.INT32},
    "ReduceMin": _FLOATS | {DType.INT32},
}


class ReduceSplit:
    """Rewrites a reduction over several axes to a chain over one axis each."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset(_TYPES)
    fixes = frozenset({"reduce-mean.*", "reduce-sum.*", "reduce-max.*", "reduce-min.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("one-axis", say(f"rewrite.{_ID}.variant.one-axis")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name not in _TYPES or not node.inputs or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        reduction = read_reduction(model, node, answers)
        if isinstance(reduction, Refusal):
            return reduction
        if len(reduction.axes) < 2:
            return answers.other()
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if dtype not in _TYPES[node.op.name]:
            return answers.refuse("narrow_float", dtype)
        shape = model.value(node.graph, node.inputs[0]).shape or ()
        kept = tuple(axis for axis in range(reduction.rank) if axis not in reduction.axes)
        sizes = tuple(batch(model, shape) if axis == 0 else fixed(model, shape, axis) for axis in kept)
        if not reduction.keepdims and None in sizes:
            return answers.refuse("dynamic", "×".join(map(str, shape)), axes=", ".join(map(str, kept)))
        order = sorted(reduction.axes, key=lambda axis: -(fixed(model, shape, axis) or 0))
        answers.holds("several_axes", ", ".join(map(str, reduction.axes)))
        return answers.match(("one-axis",), {"reduction": reduction, "order": order, "sizes": sizes})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        reduction = cast("Reduction", match.bindings["reduction"])
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        for axis in cast("list[int]", match.bindings["order"]):
            chain.reduce(node.op.name, [axis])
        if not reduction.keepdims:
            chain.reshape(*cast("tuple[int, ...]", match.bindings["sizes"]))
        chain.emit(node.outputs[0])
