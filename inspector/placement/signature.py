"""Signatures: what the clauses of all tables may ask of a node, in a form that is quickly made and compared.

Nodes with equal signatures are judged alike on every target, so signatures are found once per model and shared. Values
are numbered, so that a signature is an operator, its attributes and a few integers.
"""

from collections.abc import Hashable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from inspector.model.dtype import DType
from inspector.model.graph import MAIN, AttributeValue, Graph, Model, Node, NodeId
from inspector.model.shape import Shape
from inspector.placement.facts import (
    PARAMETRIC,
    VALUED,
    Surroundings,
    between_transposes,
    parameter,
    parameter_names,
    zeros,
)
from inspector.placement.flattened import flattened_map

_PLAIN = (int, float, str, tuple)
"""Types of attribute values that clauses compare; of tensors and graphs they only ask whether they are given."""

_COMPARED = frozenset(_PLAIN)

_READ = PARAMETRIC | VALUED
"""Operators of whose constant inputs clauses ask the values."""


@dataclass(eq=False)
class Numbers:
    """Numbers given so far; models whose signatures are compared share them.

    Attributes:
        values: what a clause may ask of a value -> its number.
        nodes: signature of a node -> its number.
        around: number of a signature -> what stands around such nodes, where anything does that clauses ask about.
    """

    values: dict[Hashable, int] = field(default_factory=dict)
    nodes: dict[Hashable, int] = field(default_factory=dict)
    around: dict[int, Surroundings] = field(default_factory=dict)

    def of_value(self, dtype: DType | None, shape: Shape | None, constant: bool) -> int:
        """Number of all values with this type, shape and constness."""
        sizes = None if shape is None else tuple([dim.symbol if dim.size is None else dim.size for dim in shape])
        return self.values.setdefault((dtype, sizes, constant), len(self.values))


class _Values(dict[str, int]):
    """Value of one graph -> its number, found when it is first asked for; -1 for an input that is left out."""

    def __init__(self, model: Model, graph: int, constants: AbstractSet[str], numbers: Numbers) -> None:
        super().__init__({"": -1})
        self._model, self._graph, self._constants, self._numbers = model, graph, constants, numbers

    def __missing__(self, name: str) -> int:
        value = self._model.value(self._graph, name)
        number = self[name] = self._numbers.of_value(value.dtype, value.shape, name in self._constants)
        return number

    def fill(self) -> None:
        """Number all values of the graph, which costs less than one at a time."""
        constants = self._constants
        # Values share their shapes, and the model keeps these alive.
        known: dict[tuple[int, DType | None, bool], int] = {}
        for name, value in self._model.values[self._graph].items():
            form = id(value.shape), value.dtype, name in constants
            number = known.get(form)
            if number is None:
                number = known[form] = self._numbers.of_value(value.dtype, value.shape, form[2])
            self[name] = number


def sign(
    model: Model, graph: Graph, constants: AbstractSet[str], nodes: Iterable[Node], numbers: Numbers
) -> dict[NodeId, int]:
    """Number of the signature of each of *nodes*, flags about its surroundings included; equal means judged alike.

    That holds among models, unless nodes are asked to compute in different formats.

    Args:
        model: the model.
        graph: one of its graphs.
        constants: values of that graph that are known before run time.
        nodes: which of its nodes.
        numbers: numbers given so far; new ones are added.
    """
    values = _Values(model, graph.index, constants, numbers)
    nodes = tuple(nodes)
    if 2 * len(nodes) > len(graph.nodes):
        values.fill()
    number, known, author = values.__getitem__, numbers.nodes, model.shell.producer_name
    found: dict[NodeId, int] = {}
    for node in nodes:
        op = node.op
        form = _form(node.attributes) if node.attributes else None
        asked = op.name in _READ and not constants.isdisjoint(node.inputs)
        given = _given(model, node, constants) if asked else None
        if op.name == "Gemm":
            given = flattened_map(model, node)
        count, operands = len(node.inputs), tuple(map(number, node.inputs + node.outputs))
        signature = author, op.name, op.domain, op.version, form, given, count, operands
        found[node.id] = known.setdefault(signature, len(known))
    _flag(model, graph, constants, found, numbers)
    return found


def _form(attributes: Mapping[str, AttributeValue]) -> Hashable:
    """Names, values and types of attributes; types, because 1 equals 1.0 and the one may be right, the other not."""
    values: tuple[AttributeValue | None, ...] = tuple(attributes.values())
    kinds = tuple([(value[0] if value.__class__ is tuple and value else value).__class__ for value in values])
    if not _COMPARED.issuperset(kinds):
        values = tuple([value if isinstance(value, _PLAIN) else None for value in values])
    return tuple(attributes), values, kinds


def _given(model: Model, node: Node, constants: AbstractSet[str]) -> Hashable:
    """What clauses read of the values of constant inputs; numbers as text: NaN equals itself there."""
    if node.op.name in VALUED:
        return zeros(model, node, constants)
    return tuple([str(parameter(model, node, place + 1)) for place in range(len(parameter_names(node.op)))])


def _flag(model: Model, graph: Graph, constants: AbstractSet[str], found: dict[NodeId, int], numbers: Numbers) -> None:
    """Tell apart the nodes whose surroundings a clause may ask about."""
    adds = [node.inputs for node in graph.nodes if node.op.name == "Add" and constants.isdisjoint(node.inputs)]
    added = _makers(model, graph, {name for inputs in adds for name in inputs})
    final = _makers(model, graph, set(graph.outputs)) if graph.index == MAIN else set()
    turned = _between_transposes(model, graph)
    for node_id in added | final | turned:
        if node_id in found:
            around = Surroundings(node_id in added, node_id in final, node_id in turned)
            number = numbers.nodes.setdefault((found[node_id], around), len(numbers.nodes))
            found[node_id] = number
            numbers.around[number] = around


def _between_transposes(model: Model, graph: Graph) -> set[NodeId]:
    transposes = [node for node in graph.nodes if node.op.name == "Transpose" and not node.op.domain and node.inputs]
    results = {node.outputs[0] for node in transposes if node.outputs and node.outputs[0]}
    before = {node.inputs[0] for node in transposes}
    makers = [maker for name in before if (maker := model.producer(graph.index, name)) is not None]
    return {node.id for node in makers if results.issuperset(node.inputs[:1]) and between_transposes(model, node)}


def _makers(model: Model, graph: Graph, names: AbstractSet[str]) -> set[NodeId]:
    return {node.id for name in names if name and (node := model.producer(graph.index, name)) is not None}
