"""Questions of matchers: constants to rely on, who reads a value, sizes that may be written into the model."""

from collections.abc import Iterable, Mapping
from math import isclose, nan

import numpy as np
import numpy.typing as npt

from inspector.model.dtype import DType
from inspector.model.graph import GraphKind, Model, Node, NodeId
from inspector.model.infer import dynamic_dims
from inspector.model.shape import Shape, elements, text
from inspector.rewrite.rule import Match, Precondition, Refusal
from inspector.rewrite.signature import misfit
from inspector.text import Message, say

Array = npt.NDArray[np.generic]

_FIRST_OPSET = 7
"""First opset in which Add and Mul broadcast by themselves; chips take models from 10 on."""


def constant(model: Model, graph: int, name: str) -> Array | None:
    """Values of *name* if a rewrite may rely on them; None otherwise.

    Constants are initializers that no caller can override, Constant nodes, and both behind Identity (exporters share
    weights that way). Values folded under a bound dynamic dimension do not count: they hold for that size only.

    Raises:
        TensorDataError: it is constant but its bytes cannot be read.
    """
    if not name:
        return None
    tensor = model.constant_tensor(graph, name)
    if tensor is not None:
        return model.tensors.array(tensor)
    producer = model.producer(graph, name)
    if producer is not None and producer.op.name == "Identity" and not producer.op.domain and producer.inputs:
        return constant(model, graph, producer.inputs[0])
    if producer is not None and producer.op.name == "Constant" and not producer.op.domain:
        return _plain_constant(producer)
    return None if model.dims else model.constant(graph, name)


def _plain_constant(node: Node) -> Array | None:
    """Value of a Constant node written as `value_float(s)` or `value_int(s)` (opset 12)."""
    for key, dtype in (("value_float", np.float32), ("value_floats", np.float32), ("value_int", np.int64)):
        if key in node.attributes:
            return np.asarray(node.attributes[key], dtype)
    return np.asarray(node.attributes["value_ints"], np.int64) if "value_ints" in node.attributes else None


def is_overridable(model: Model, graph: int, name: str) -> bool:
    """Whether *name* is an initializer that is a graph input as well, so that a caller may feed another value."""
    return name in model.graphs[graph].overridable


def scalar(model: Model, graph: int, name: str, beside: str) -> float | None:
    """The number of a one-element constant, unless it raises the rank of the value *beside*; None otherwise."""
    array = constant(model, graph, name)
    if array is None or array.size != 1 or array.dtype.kind not in "fiu":
        return None
    width = rank(model, graph, beside)
    if array.ndim > (width if width is not None else 1):
        return None
    return float(array.reshape(()))


def real(node: Node, name: str, default: float) -> float:
    """The number that the attribute *name* gives; NaN, which fits no condition, for one of another type."""
    value = node.attributes.get(name, default)
    return float(value) if isinstance(value, int | float) else nan


def near(a: float, b: float) -> bool:
    """Whether two numbers are the same up to how exporters print float32."""
    return isclose(a, b, rel_tol=2e-6, abs_tol=1e-12)


def needed_outside(model: Model, node: Node, inside: frozenset[NodeId]) -> Message | None:
    """Why the output of *node* may not be swallowed with the nodes *inside*; None when only those read it."""
    name = node.outputs[0]
    if model.is_output(node.graph, name):
        return say("rewrite.refuse.graph_output", value=name)
    for consumer in model.consumers(node.graph, name):
        if name in model.captures(consumer):
            return say("rewrite.refuse.captured", value=name, node=consumer.label)
        if consumer.id not in inside:
            return say("rewrite.refuse.other_reader", value=name, node=consumer.label)
    return None


def fixed(model: Model, shape: Shape | None, axis: int) -> int | None:
    """Size of *axis* that may be written into the model; None when it is unknown or depends on the caller.

    A dynamic dimension that was bound for the analysis is not fixed: the saved model takes other sizes as well. Shapes
    do not tell which of their sizes follow from a bound one; so where only leading dimensions of inputs are bound, axis
    0 is open everywhere, and where others are, every axis is.
    """
    if shape is None or not 0 <= axis < len(shape) or shape[axis].symbol is not None:
        return None
    bound = _bound_axes(model)
    return None if bound and (axis == 0 or bound != {0}) else shape[axis].size


def fixed_sizes(model: Model, shape: Shape | None, axes: tuple[int, ...]) -> tuple[int, ...] | None:
    """`fixed` for several axes; None when one is not."""
    sizes = [fixed(model, shape, axis) for axis in axes]
    known = tuple(size for size in sizes if size is not None)
    return known if len(known) == len(axes) else None


def _bound_axes(model: Model) -> set[int]:
    """Axes of inputs at which bound dimensions stand."""
    if not model.dims:
        return set()
    places = dynamic_dims(model)
    return {int(place[place.rindex("[") + 1 : -1]) for name in model.dims for place in places.get(name, ())}


def batch(model: Model, shape: Shape | None) -> int:
    """Size of axis 0 for a Reshape: the number when it is fixed, else -1."""
    size = fixed(model, shape, 0)
    return -1 if size is None else size


def rank(model: Model, graph: int, name: str) -> int | None:
    """Rank of *name*; None when unknown."""
    shape = model.value(graph, name).shape
    return None if shape is None else len(shape)


def is_wide_float(dtype: DType | None) -> bool:
    """Whether the type rounds finely enough for EQUIVALENT limits: float32 or float64."""
    return dtype in (DType.FLOAT32, DType.FLOAT64)


class Answers:
    """Short forms with which a rule answers at one anchor."""

    def __init__(self, rule: str, node: Node) -> None:
        self.rule = rule
        self.node = node
        self._conditions: list[Precondition] = []

    def refuse(self, reason: str | Message, subject: object = "", **args: object) -> Refusal:
        """A refusal with the sentence `rewrite.refuse.<reason>`; *subject* is the value in the way."""
        message = reason if isinstance(reason, Message) else say(f"rewrite.refuse.{reason}", found=str(subject), **args)
        return Refusal(self.rule, self.node.id, message, str(subject))

    def other(self) -> Refusal:
        """The operator is not this rule's business; not shown."""
        return Refusal(self.rule, self.node.id, say("rewrite.refuse.other"), relevant=False)

    def holds(self, condition: str, found: object, **args: object) -> None:
        """Note the condition `rewrite.needs.<condition>`, which *found* met."""
        self._conditions.append(Precondition(say(f"rewrite.needs.{condition}", **args), str(found)))

    def match(self, variants: tuple[str, ...], bindings: Mapping[str, object], *nodes: NodeId) -> Match:
        """A match that replaces *nodes* (the anchor alone when none are named)."""
        return Match(
            self.rule, self.node.id, nodes or (self.node.id,), variants, dict(bindings), tuple(self._conditions)
        )


def needed_constant(model: Model, name: str, answers: Answers) -> Array | Refusal:
    """Values of *name* that a rule must know, or why it may not rely on them: not constant, or fed by a caller.

    Raises:
        TensorDataError: it is constant but its bytes cannot be read.
    """
    graph = answers.node.graph
    if is_overridable(model, graph, name):
        return answers.refuse("overridable", name)
    values = constant(model, graph, name)
    return answers.refuse("not_constant", name) if values is None else values


def not_constant(model: Model, names: Iterable[str], answers: Answers) -> Refusal | None:
    """Why a rule may not rely on one of the values *names* (`""` for one that is left out); None when it may."""
    found = (needed_constant(model, name, answers) for name in names if name)
    return next((reply for reply in found if isinstance(reply, Refusal)), None)


def refuse_place(model: Model, answers: Answers) -> Refusal | None:
    """Refusal for an anchor where no rule works.

    That is: in a local function, which other calls share; in a body while sizes are bound for the analysis, because it
    is not told which of its axes they reach; before broadcasting (opset 7); where a tensor has no elements, so that no
    run could prove anything; and where the inputs are not those of the operator.
    """
    node = answers.node
    graph = model.graphs[node.graph]
    if graph.kind is GraphKind.FUNCTION:
        return answers.refuse("in_function", graph.name)
    if graph.kind is GraphKind.BODY and model.dims:
        return answers.refuse("in_body_sizes", graph.path)
    for value in (*model.input_values(node), *model.output_values(node)):
        if not model.is_constant(node.graph, value.name) and elements(value.shape) == 0:
            return answers.refuse("no_elements", text(value.shape), value=value.name)
    opset = model.opsets.get("", 1)
    if opset < _FIRST_OPSET:
        return answers.refuse("old_opset", opset)
    odd = misfit(model, node)
    return answers.refuse("odd_attribute", odd) if odd else None
