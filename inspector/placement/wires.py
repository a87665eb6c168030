"""`Wires`: who feeds whom in one graph once the folded nodes are gone, in columns.

It depends on the model alone (and on what folds), so it is made once per model and shared by all placements of it.
Standing nodes and the values around them are numbered in order, and what is read stands in columns over these numbers.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from itertools import chain

import numpy as np
import numpy.typing as npt

from inspector.model.dtype import DType
from inspector.model.graph import Graph, Model, Node, NodeId
from inspector.placement.cost import value_bytes

Ints = npt.NDArray[np.int64]


class Wires:
    """Who feeds whom in one graph, after folding: constants are left out and no-ops are seen through.

    Attributes:
        nodes: standing nodes, in order.
        alias: result of a no-op -> the value behind it.
        made: value -> position of the standing node that computes it.
        outputs: outputs of the graph with no-ops seen through, without repeats.
        names: values that nodes read or that leave the graph, constants too, by their numbers.
        value: `[edges]` number of what is read at run time, in the order of `nodes`: no-ops seen through, each value
            once per node, captures of bodies included.
        target: `[edges]` position of the node that reads it.
        source: `[edges]` position of the node that computes it; -1 for a value that comes from outside.
    """

    def __init__(self, model: Model, graph: Graph, constants: frozenset[str], folded: Mapping[NodeId, str]) -> None:
        """Index *graph*; *constants* are the values known before run time, *folded* the nodes that are not there."""
        self._model, self._graph = model, graph.index
        self.alias = _aliases(graph, constants, folded)
        self.nodes: Sequence[Node] = graph.nodes
        if folded:
            self.nodes = [node for node in graph.nodes if node.id not in folded]
        self.made = {name: place for place, node in enumerate(self.nodes) for name in node.outputs}
        self.made.pop("", None)
        self.outputs = tuple(dict.fromkeys([self.resolve(name) for name in graph.outputs]))
        inputs = _inputs(model, self.nodes)
        flat = list(chain.from_iterable(inputs))
        self.names: Sequence[str] = list(dict.fromkeys(chain(flat, self.outputs, self.alias.values())))
        self._number = {name: number for number, name in enumerate(self.names)}
        value = np.fromiter(map(self._number.__getitem__, flat), dtype=np.int64, count=len(flat))
        target = np.repeat(np.arange(len(inputs)), np.fromiter(map(len, inputs), dtype=np.int64, count=len(inputs)))
        run_time = np.array([bool(name) and name not in constants for name in self.names], dtype=np.bool_)[value]
        behind = np.arange(len(self.names))
        for name, other in self.alias.items():
            if name in self._number:
                behind[self._number[name]] = self._number[other]
        self.value, self.target = _without_repeats(behind[value[run_time]], target[run_time], len(self.names))
        maker = np.array([self.made.get(name, -1) for name in self.names], dtype=np.int64)
        self.source: Ints = maker[self.value]
        self._of_ops: dict[frozenset[str], tuple[int, ...]] = {}
        self._bytes: dict[int, int | None] = {}

    @cached_property
    def index(self) -> Mapping[NodeId, int]:
        """Position in `nodes` of each standing node."""
        return {node.id: place for place, node in enumerate(self.nodes)}

    @cached_property
    def by_op(self) -> Mapping[str, Sequence[int]]:
        """Name of one of ONNX's own operators -> positions of its standing nodes, in order."""
        found: dict[str, list[int]] = {}
        for place, node in enumerate(self.nodes):
            op = node.op
            if not op.domain:
                if op.name in found:
                    found[op.name].append(place)
                else:
                    found[op.name] = [place]
        return found

    def of_ops(self, ops: frozenset[str]) -> tuple[int, ...]:
        """Positions of the standing nodes of ONNX's own operators *ops*, in order."""
        if ops not in self._of_ops:
            self._of_ops[ops] = tuple(sorted([place for op in ops for place in self.by_op.get(op, ())]))
        return self._of_ops[ops]

    def reads(self, place: int) -> list[str]:
        """Values that the node at this position reads at run time, each once."""
        first, last = self._reading[place : place + 2]
        return [self.names[number] for number in self.value[first:last].tolist()]

    def sources(self, place: int) -> list[int]:
        """Position of the node that computes each of `reads(place)`; -1 for a value that comes from outside."""
        first, last = self._reading[place : place + 2]
        return list(map(int, self.source[first:last]))

    def maker(self, name: str) -> Node | None:
        """Node that computes *name*, no-ops seen through; None for a value that comes from outside."""
        place = self.made.get(self.alias.get(name, name))
        return None if place is None else self.nodes[place]

    def readers(self, name: str) -> list[int]:
        """Positions of the nodes that read *name*, in order."""
        number = self._number.get(name)
        if number is None:
            return []
        first, last = self._read[number : number + 2]
        return self._readers[first:last]

    def only_reader(self, name: str) -> int:
        """Position of the one node that reads *name*, no-ops seen through.

        -1 if there are several or none, or if the value leaves the graph.
        """
        number = self._number.get(self.alias.get(name, name))
        if number is None:
            return -1
        first, last = self._read[number], self._read[number + 1]
        return self._readers[first] if last - first == 1 and number not in self._leaving else -1

    def numbers(self, names: Sequence[str]) -> Ints:
        """`[names]` number of each of these values."""
        return np.array([self._number[name] for name in names], dtype=np.int64)

    def bytes(self, numbers: Sequence[int]) -> list[int | None]:
        """Size in bytes of each of these values; None when unknown."""
        own, elsewhere, found = self._model.values[self._graph], partial(self._model.value, self._graph), self._bytes
        for number in numbers:
            if number not in found:
                value = own.get(self.names[number]) or elsewhere(self.names[number])
                form = id(value.shape), value.dtype  # values share their shapes, and the model keeps these alive
                if form not in self._forms:
                    self._forms[form] = value_bytes(value)
                found[number] = self._forms[form]
        return [found[number] for number in numbers]

    def resolve(self, name: str) -> str:
        """The value behind *name* with no-ops seen through."""
        return self.alias.get(name, name)

    @cached_property
    def _forms(self) -> dict[tuple[int, DType | None], int | None]:
        return {}

    @cached_property
    def _leaving(self) -> frozenset[int]:
        return frozenset(self.numbers(self.outputs).tolist())

    @cached_property
    def _reading(self) -> Sequence[int]:
        bounds: list[int] = np.searchsorted(self.target, np.arange(len(self.nodes) + 1)).tolist()
        return bounds

    @cached_property
    def _read(self) -> list[int]:
        counts = np.bincount(self.value, minlength=len(self.names))
        return [0, *np.cumsum(counts).tolist()]

    @cached_property
    def _readers(self) -> list[int]:
        readers: list[int] = self.target[np.argsort(self.value, kind="stable")].tolist()
        return readers


def _aliases(graph: Graph, constants: frozenset[str], folded: Mapping[NodeId, str]) -> dict[str, str]:
    alias: dict[str, str] = {}
    if not folded:
        return alias
    for node in graph.nodes:
        if node.id in folded and node.outputs and node.inputs and node.outputs[0] not in constants:
            alias[node.outputs[0]] = alias.get(node.inputs[0], node.inputs[0])
    return alias


def _inputs(model: Model, nodes: Sequence[Node]) -> list[tuple[str, ...]]:
    inputs = [node.inputs for node in nodes]
    if len(model.graphs) > 1:
        for place, node in enumerate(nodes):
            if node.bodies:
                inputs[place] = (*node.inputs, *model.captures(node))
    return inputs


def _without_repeats(value: Ints, target: Ints, names: int) -> tuple[Ints, Ints]:
    """Edges without those that a node has twice; the first one stays."""
    _, first = np.unique(target * max(names, 1) + value, return_index=True)
    if len(first) == len(value):
        return value, target
    first.sort()
    return value[first], target[first]
