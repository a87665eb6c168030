"""Reading a Gather at constant indices."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from inspector.model.graph import Model, Node
from inspector.model.shape import text
from inspector.rewrite.pattern import Answers, fixed, needed_constant, refuse_place
from inspector.rewrite.rule import Refusal


@dataclass(frozen=True, slots=True)
class Choice:
    """Elements that a Gather picks along one axis.

    Attributes:
        axis: the axis, at least 0.
        size: its length.
        indices: what is picked, int64, each from 0 to size - 1, in the shape that the node gives.
    """

    axis: int
    size: int
    indices: npt.NDArray[np.int64]


def look_gather(model: Model, node: Node, answers: Answers) -> Choice | Refusal:
    """What the Gather at *node* picks, or why that is not known."""
    if node.op.domain or node.op.name != "Gather" or len(node.inputs) != 2 or not node.outputs:
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    data, name = node.inputs
    given = needed_constant(model, name, answers)
    if isinstance(given, Refusal):
        return given
    shape = model.value(node.graph, data).shape
    if shape is None:
        return answers.refuse("unknown_shape", data)
    axis = node.attributes.get("axis", 0)
    if not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
        return answers.refuse("odd_attribute", f"axis = {axis}")
    axis %= len(shape)
    size = fixed(model, shape, axis)
    if size is None:
        return answers.refuse("dynamic", text(shape), axes=str(axis))
    indices = given.astype(np.int64)
    if not indices.size or ((indices < -size) | (indices >= size)).any():
        return answers.refuse("gather_outside", shown(indices), size=size)
    return Choice(axis, size, np.where(indices < 0, indices + size, indices))


def shown(indices: npt.NDArray[np.int64]) -> str:
    """The first indices and how many there are."""
    flat = indices.reshape(-1).tolist()
    return ", ".join(map(str, flat[:6])) + (f", … ({len(flat)})" if len(flat) > 6 else "")
