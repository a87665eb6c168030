"""Reading a Softmax: over which axis, by the rules of its version."""

from dataclasses import dataclass

from inspector.model.graph import Model, Node
from inspector.model.shape import text
from inspector.rewrite.pattern import Answers, fixed_sizes, is_wide_float, rank, refuse_place
from inspector.rewrite.rule import Refusal

_ONE_AXIS_SINCE = 13


@dataclass(frozen=True, slots=True)
class SoftmaxSite:
    """A Softmax over one axis.

    Attributes:
        axis: the axis, at least 0.
        rank: rank of the input.
    """

    axis: int
    rank: int


def look_softmax(model: Model, node: Node, answers: Answers) -> SoftmaxSite | Refusal:
    """The Softmax at *node*, or why it is none over one axis.

    Before version 13 a Softmax runs over all axes from `axis` on as one; that is one axis only when the others behind
    it have length 1.
    """
    if node.op.domain or node.op.name != "Softmax" or not node.inputs or not node.inputs[0] or not node.outputs:
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    dtype = model.value(node.graph, node.inputs[0]).dtype
    if not is_wide_float(dtype):
        return answers.refuse("narrow_float", dtype)
    width = rank(model, node.graph, node.inputs[0])
    if width is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    flattens = (node.op.version or 1) < _ONE_AXIS_SINCE
    axis = node.attributes.get("axis", 1 if flattens else -1)
    if not isinstance(axis, int) or not -width <= axis < width:
        return answers.refuse("odd_attribute", f"axis = {axis}")
    axis %= width
    shape = model.value(node.graph, node.inputs[0]).shape or ()
    behind = fixed_sizes(model, shape, tuple(range(axis + 1, width)))
    if flattens and (behind is None or any(size != 1 for size in behind)):
        return answers.refuse("softmax_flattens", axis, shape=text(shape))
    answers.holds("softmax_axis", axis)
    return SoftmaxSite(axis, width)
