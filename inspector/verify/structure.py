"""Where two models differ, and which tensors can show it.

A tensor that no changed node reaches is computed by the same operators from the same bits on both sides, so only the
rest is worth fetching. A changed node is proven only by a tensor near it that is alive: behind a saturated or dead
activation a wrong constant is invisible.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import onnx

from inspector.model.graph import MAIN, Model, Node

_SIGMOID_REACH = 13.8  # 1 - sigmoid(13.8) = 1e-6
_TANH_REACH = 7.3  # 1 - tanh(7.3) = 9e-7

_OF_SHAPE = frozenset({"Shape", "Size", "EyeLike"})


@dataclass(frozen=True, slots=True)
class Probe:
    """An activation whose input decides whether it can show a difference.

    Attributes:
        node: label of the node.
        source: its input tensor.
        target: its output tensor.
        low: below it the function is flat.
        high: above it the function is flat or linear.
    """

    node: str
    source: str
    target: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How the main graphs of two models differ.

    Attributes:
        changed_before: nodes of the first model that have no equal in the second.
        changed_after: nodes of the second model that have no equal in the first.
        reached: tensors of the second model that depend on a change, in topological order.
        near: tensors of the same name on both sides that follow a change with no other such tensor between.
    """

    changed_before: tuple[Node, ...]
    changed_after: tuple[Node, ...]
    reached: tuple[str, ...]
    near: frozenset[str]


def difference(before: Model, after: Model) -> Difference:
    """Compare the main graphs node by node; tensors are matched by name.

    Raises:
        TensorDataError: two constants must be compared and one cannot be read.
    """
    same = _Sameness(before, after)
    changed_after = tuple(n for n in after.main.nodes if not same.node(_twin(before, n), n))
    changed_before = tuple(n for n in before.main.nodes if not same.node(n, _twin(after, n)))
    tainted: set[str] = {o for n in changed_before for o in n.outputs if o}
    seeds = {n.id for n in changed_after}
    reached: list[str] = []
    for node in after.main.nodes:
        if node.id in seeds or any(i in tainted for i in (*node.inputs, *after.captures(node))):
            outputs = [o for o in node.outputs if o]
            tainted.update(outputs)
            reached.extend(outputs)
    aligned = aligned_tensors(before, after)
    near = _nearest(before, changed_before, aligned) | _nearest(after, changed_after, aligned)
    return Difference(changed_before, changed_after, tuple(reached), near)


def aligned_tensors(before: Model, after: Model) -> frozenset[str]:
    """Names of tensors that a node computes in both main graphs."""
    first = {o for n in before.main.nodes for o in n.outputs if o}
    return frozenset(o for n in after.main.nodes for o in n.outputs if o in first)


def probes(model: Model, nodes: Iterable[Node]) -> tuple[Probe, ...]:
    """The activations among *nodes* that have a bounded interesting range."""
    found = []
    for node in nodes:
        span = _span(model, node)
        if span is not None and node.inputs and node.outputs:
            found.append(Probe(node.label, node.inputs[0], node.outputs[0], *span))
    return tuple(found)


def varying(model: Model) -> frozenset[str]:
    """Tensors of the main graph whose values may depend on those of the inputs, not only on their shapes."""
    found = set(model.main.inputs) | model.main.overridable
    for node in model.main.nodes:
        if node.op.name not in _OF_SHAPE and any(i in found for i in (*node.inputs, *model.captures(node))):
            found.update(o for o in node.outputs if o)
    return frozenset(found)


def depth(model: Model) -> int:
    """Nodes on the longest path through the main graph, constants not counted; at least 1."""
    level: dict[str, int] = {}
    for node in model.main.nodes:
        if node.op.name == "Constant":
            continue
        reached = 1 + max((level.get(i, 0) for i in node.inputs), default=0)
        level.update((o, reached) for o in node.outputs)
    return max(level.values(), default=1)


def same_node(a: Node, b: Node) -> bool:
    """Whether two nodes are the same operator call but for name and documentation; constants are not looked at."""
    if a is b:
        return True
    if a.op != b.op or a.inputs != b.inputs or a.outputs != b.outputs:
        return False
    return a.proto is b.proto or _attributes(a.proto) == _attributes(b.proto)


def _attributes(proto: onnx.NodeProto) -> Mapping[str, bytes]:
    return {a.name: a.SerializeToString(deterministic=True) for a in proto.attribute}


def _twin(model: Model, node: Node) -> Node | None:
    """The node of *model* that computes the first output of *node*."""
    name = next((o for o in node.outputs if o), "")
    return model.producer(MAIN, name) if name else None


class _Sameness:
    """Decides whether nodes of two models are equal, constants included; remembers constants."""

    def __init__(self, before: Model, after: Model) -> None:
        self._before = before
        self._after = after
        self._shared = before.tensors is after.tensors
        self._constants: dict[str, bool] = {}
        functions = (before.shell.functions, after.shell.functions)
        equal = len(functions[0]) == len(functions[1]) and all(x == y for x, y in zip(*functions, strict=True))
        self._functions = {(f.domain, f.name) for side in functions for f in side} if not equal else frozenset()

    def node(self, a: Node | None, b: Node | None) -> bool:
        """Whether *a* of the first and *b* of the second model compute the same from equal inputs."""
        if a is None or b is None or not same_node(a, b) or (a.op.domain, a.op.name) in self._functions:
            return False
        if not self._shared and a.bodies:
            return False  # weights inside a body of another file are not looked up
        if a.op.name == "Constant" and not self._same_constant(a.outputs[0]):
            return False
        return all(self._same_constant(i) for i in (*a.inputs, *self._before.captures(a)) if i)

    def _same_constant(self, name: str) -> bool:
        known = self._constants.get(name)
        if known is None:
            known = self._constants[name] = self._compare(name)
        return known

    def _compare(self, name: str) -> bool:
        x, y = (m.constant_tensor(MAIN, name) for m in (self._before, self._after))
        if x is None or y is None:
            return x is y
        if x is y or (self._shared and x == y):
            return True
        if x.data_type != y.data_type or list(x.dims) != list(y.dims):
            return False
        return bytes(self._before.tensors.payload(x)) == bytes(self._after.tensors.payload(y))


def _nearest(model: Model, changed: Iterable[Node], aligned: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    seen: set[str] = set()
    front = [o for n in changed for o in n.outputs if o]
    while front:
        name = front.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in aligned:
            found.add(name)
            continue
        front.extend(o for c in model.consumers(MAIN, name) for o in c.outputs if o)
    return frozenset(found)


def _span(model: Model, node: Node) -> tuple[float, float] | None:
    """Range of inputs outside which the activation is flat (or linear); None for other operators."""
    name = node.op.name
    if name == "HardSwish":
        return -3.0, 3.0
    if name == "HardSigmoid":
        alpha, beta = (_number(node, key, default) for key, default in (("alpha", 0.2), ("beta", 0.5)))
        return tuple(sorted((-beta / alpha, (1 - beta) / alpha))) if alpha else None  # type: ignore[return-value]
    if name in ("Sigmoid", "Swish", "Silu"):
        return -_SIGMOID_REACH, _SIGMOID_REACH
    if name == "Tanh":
        return -_TANH_REACH, _TANH_REACH
    if name == "Clip":
        return _bound(model, node, 1, "min", -np.inf), _bound(model, node, 2, "max", np.inf)
    return None


def _number(node: Node, key: str, default: float) -> float:
    value = node.attributes.get(key, default)
    return float(value) if isinstance(value, int | float) else default


def _bound(model: Model, node: Node, slot: int, key: str, default: float) -> float:
    if len(node.inputs) > slot and node.inputs[slot]:
        array = model.constant(node.graph, node.inputs[slot])
        return default if array is None or array.size != 1 else float(np.ravel(array)[0])
    return _number(node, key, default)
