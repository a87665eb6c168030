"""Recognise HardSwish: a product `k * x * clamp(a x + b, lo, hi)` and whether its numbers make it that function."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import cast

from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.pattern import Answers, near, needed_outside, rank, real, scalar
from inspector.rewrite.rule import Refusal

_DEPTH = 4
"""Longest run of nodes of one kind in a spelling: Mul, Add in the argument; Max, Min around it; Mul, Mul outside."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A HardSwish found in the graph.

    Attributes:
        source: the value x that it is a function of.
        nodes: its nodes, the anchor last, each after those that it reads.
        form: id of the rule's variant that would write exactly this; empty when none would.
        found: the numbers, for a reader.
    """

    source: str
    nodes: tuple[NodeId, ...]
    form: str
    found: str


@dataclass(frozen=True, slots=True)
class _Gate:
    """`clamp(slope * x + shift, low, high)` as the value *name*; *nodes* from the inside out."""

    name: str
    source: str
    slope: float
    shift: float
    low: float
    high: float
    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class _Product:
    """*factor* times the values *leaves*; *nodes* from the inside out."""

    factor: float
    leaves: tuple[str, ...]
    nodes: tuple[Node, ...]


def spelling_of(model: Model, anchor: Node, answers: Answers) -> Spelling | Refusal:
    """The HardSwish whose last node is *anchor*, or why there is none."""
    if anchor.op.domain or not anchor.inputs or not anchor.outputs:
        return answers.other()
    if anchor.op.name == "HardSwish":
        return Spelling(anchor.inputs[0], (anchor.id,), "hardswish-op", "1/6, 1/2")
    missed: Refusal | None = None
    for gate in _gates(model, anchor):
        product = _product(model, anchor, {gate.name, gate.source}, _DEPTH)
        if product is None or sorted(product.leaves) != sorted((gate.name, gate.source)):
            continue
        answer = _judge(model, anchor, gate, product, answers)
        if isinstance(answer, Spelling):
            return answer
        missed = missed or answer
    return missed or answers.other()


def _judge(model: Model, anchor: Node, gate: _Gate, product: _Product, answers: Answers) -> Spelling | Refusal:
    numbers = (gate.slope / gate.high, gate.shift / gate.high, product.factor * gate.high)
    found = ", ".join(f"{number:.7g}" for number in numbers)
    if gate.low != 0 or not near(numbers[0], 1 / 6) or not near(numbers[1], 0.5):
        return answers.refuse("hardswish_gate", f"{gate.low:g}, {found}")
    if not near(numbers[2], 1.0):
        return answers.other() if _goes_on(model, anchor) else answers.refuse("hardswish_factor", f"{numbers[2]:.7g}")
    nodes = {node.id: node for node in (*gate.nodes, *product.nodes)}
    inside = frozenset(nodes)
    for node in nodes.values():
        reason = None if node is anchor else needed_outside(model, node, inside)
        if reason is not None:
            return answers.refuse(reason, node.outputs[0])
    ordered = tuple(nodes)
    return Spelling(gate.source, ordered, _form(model, gate, tuple(nodes.values())), found)


def _goes_on(model: Model, anchor: Node) -> bool:
    """Whether a Mul or Div by a constant follows, which is then the end of the spelling."""
    readers = model.consumers(anchor.graph, anchor.outputs[0])
    return len(readers) == 1 and _scaled(model, readers[0]) is not None


def _form(model: Model, gate: _Gate, nodes: tuple[Node, ...]) -> str:
    ops = tuple(node.op.name for node in nodes)
    if ops == ("HardSigmoid", "Mul"):
        return "hardsigmoid-mul"
    if ops != ("Add", "Clip", "Mul", "Mul"):
        return ""
    width = rank(model, nodes[0].graph, gate.source)
    constants = [name for node in (nodes[0], nodes[2]) for name in node.inputs if model.is_constant(node.graph, name)]
    same = all(rank(model, nodes[0].graph, name) == width for name in constants)
    outer = gate.source in nodes[3].inputs and nodes[2].outputs[0] in nodes[3].inputs
    return "add-clip-mul-mul" if same and outer and len(constants) == 2 else ""


def _gates(model: Model, anchor: Node) -> Iterator[_Gate]:
    """Gates among the factors of *anchor*, nearest first."""
    waiting = [(name, 0) for name in anchor.inputs]
    while waiting:
        name, depth = waiting.pop(0)
        node = model.producer(anchor.graph, name)
        if node is None or node.op.domain or not name:
            continue
        yield from _gates_at(model, node)
        if node.op.name in ("Mul", "Div") and depth < _DEPTH:
            waiting += [(i, depth + 1) for i in node.inputs]


def _gates_at(model: Model, node: Node) -> Iterator[_Gate]:
    if not node.inputs:
        return
    if node.op.name == "HardSigmoid":
        slope, shift = (real(node, k, d) for k, d in (("alpha", 0.2), ("beta", 0.5)))
        yield _Gate(node.outputs[0], node.inputs[0], slope, shift, 0.0, 1.0, (node,))
        return
    clamps: list[tuple[Node, float, float]] = []
    current: Node | None = node
    name = node.outputs[0]
    while current is not None and len(clamps) < _DEPTH:
        clamp = _clamp(model, current)
        if clamp is None:
            break
        name, low, high = clamp
        clamps.append((current, low, high))
        current = model.producer(node.graph, name)
    if not clamps:
        return
    low, high = -inf, inf
    for _, lower, upper in reversed(clamps):
        low, high = min(max(low, lower), upper), min(max(high, lower), upper)
    if not 0 < high < inf:
        return
    outside = tuple(clamp[0] for clamp in reversed(clamps))
    for source, slope, shift, inside in _affine(model, node.graph, name):
        yield _Gate(node.outputs[0], source, slope, shift, low, high, (*inside, *outside))


def _clamp(model: Model, node: Node) -> tuple[str, float, float] | None:
    """Input, lower and upper limit of a Clip, Relu, Min or Max with constant limits."""
    if node.op.domain or not node.inputs:
        return None
    if node.op.name == "Relu":
        return node.inputs[0], 0.0, inf
    if node.op.name == "Clip":
        limits = [-inf, inf]
        for index, key in enumerate(("min", "max")):
            name = node.inputs[index + 1] if len(node.inputs) > index + 1 else ""
            given = scalar(model, node.graph, name, node.inputs[0]) if name else real(node, key, limits[index])
            if given is None:
                return None
            limits[index] = given
        return node.inputs[0], limits[0], limits[1]
    if node.op.name not in ("Min", "Max") or len(node.inputs) != 2:
        return None
    for name, other in (node.inputs, node.inputs[::-1]):
        limit = scalar(model, node.graph, other, name)
        if limit is not None:
            return (name, -inf, limit) if node.op.name == "Min" else (name, limit, inf)
    return None


def _affine(model: Model, graph: int, name: str) -> Iterator[tuple[str, float, float, tuple[Node, ...]]]:
    """Every reading of *name* as `slope * x + shift`: x, slope, shift and the nodes between, shortest first."""
    slope, shift, nodes = 1.0, 0.0, tuple[Node, ...]()
    yield name, slope, shift, nodes
    for _ in range(_DEPTH):
        node = model.producer(graph, name)
        step = None if node is None else _affine_step(model, node)
        if node is None or step is None:
            return
        name, inner_slope, inner_shift = step
        slope, shift = slope * inner_slope, slope * inner_shift + shift
        nodes = (node, *nodes)
        yield name, slope, shift, nodes


def _affine_step(model: Model, node: Node) -> tuple[str, float, float] | None:
    if node.op.domain:
        return None
    scaled = _scaled(model, node)
    if scaled is not None:
        return (*scaled, 0.0)
    if node.op.name not in ("Add", "Sub") or len(node.inputs) != 2:
        return None
    for index, name in enumerate(node.inputs):
        number = scalar(model, node.graph, node.inputs[1 - index], name)
        if number is not None and node.op.name == "Add":
            return name, 1.0, number
        if number is not None:
            return (name, 1.0, -number) if index == 0 else (name, -1.0, number)
    return None


def _scaled(model: Model, node: Node) -> tuple[str, float] | None:
    """The value that a Mul or Div by a constant scales, with its factor; None for another node."""
    if node.op.domain or node.op.name not in ("Mul", "Div") or len(node.inputs) != 2:
        return None
    left, right = node.inputs
    number = scalar(model, node.graph, right, left)
    if number is not None and (node.op.name == "Mul" or number != 0):
        return left, number if node.op.name == "Mul" else 1 / number
    number = scalar(model, node.graph, left, right) if node.op.name == "Mul" else None
    return None if number is None else (right, number)


def _product(model: Model, node: Node, leaves: set[str], depth: int) -> _Product | None:
    """Factors of the Mul or Div *node*, read down to *leaves*; None when another operator is in the way."""
    scaled = _scaled(model, node)
    if scaled is not None:
        inner = _factor(model, node.graph, scaled[0], leaves, depth)
        return None if inner is None else _Product(inner.factor * scaled[1], inner.leaves, (*inner.nodes, node))
    if node.op.domain or node.op.name != "Mul" or len(node.inputs) != 2:
        return None
    parts = [_factor(model, node.graph, name, leaves, depth) for name in node.inputs]
    if any(part is None for part in parts):
        return None
    left, right = cast("list[_Product]", parts)
    return _Product(left.factor * right.factor, (*left.leaves, *right.leaves), (*left.nodes, *right.nodes, node))


def _factor(model: Model, graph: int, name: str, leaves: set[str], depth: int) -> _Product | None:
    if name in leaves:
        return _Product(1.0, (name,), ())
    node = model.producer(graph, name)
    return None if node is None or depth == 0 else _product(model, node, leaves, depth - 1)
