"""Reading a reduction (ReduceMean, ReduceSum, ReduceMax, ReduceMin): over which axes, in any of its forms."""

from dataclasses import dataclass

from inspector.model.graph import Model, Node
from inspector.rewrite.conv import ints
from inspector.rewrite.pattern import Answers, needed_constant, rank
from inspector.rewrite.rule import Refusal


@dataclass(frozen=True, slots=True)
class Reduction:
    """What a reduction does.

    Attributes:
        axes: axes that it runs over, ascending, each at least 0 and once; empty when it does nothing.
        keepdims: whether they stay with length 1.
        rank: rank of the input.
    """

    axes: tuple[int, ...]
    keepdims: bool
    rank: int


def read_reduction(model: Model, node: Node, answers: Answers) -> Reduction | Refusal:
    """Axes of the reduction *node*: an attribute or, from opset 13 (ReduceSum) or 18 on, a constant input."""
    width = rank(model, node.graph, node.inputs[0])
    if width is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    axes: tuple[int, ...] = ints(node, "axes", ())
    name = node.inputs[1] if len(node.inputs) > 1 else ""
    if name:
        values = needed_constant(model, name, answers)
        if isinstance(values, Refusal):
            return values
        axes = tuple(int(axis) for axis in values.reshape(-1))
    if any(not -width <= axis < width for axis in axes):
        return answers.refuse("odd_attribute", f"axes = {list(axes)}")
    found = tuple(sorted({axis % width for axis in axes}))
    if not found and not node.attributes.get("noop_with_empty_axes", 0):
        found = tuple(range(width))
    return Reduction(found, node.attributes.get("keepdims", 1) == 1, width)
