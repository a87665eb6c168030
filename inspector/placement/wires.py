"""`Wires`: who feeds whom in one graph once the folded nodes are gone, in columns.

It depends on the model alone (and on what folds), so it is made once per model and shared by all placements of it.
Standing nodes are numbered in order; what is read stands in three columns, and tables by name are made when asked for.
"""

from collections import Counter
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
        reads: per standing node, values that it reads at run time, no-ops seen through, without repeats; captures of
            bodies included.
        made: value -> position of the standing node that computes it.
        outputs: outputs of the graph with no-ops seen through, without repeats.
    """

    def __init__(self, model: Model, graph: Graph, constants: frozenset[str], folded: Mapping[NodeId, str]) -> None:
        """Index *graph*; *constants* are the values known before run time, *folded* the nodes that are not there."""
        self._model, self._graph = model, graph.index
        self.alias = _aliases(graph, constants, folded)
        self.nodes: Sequence[Node] = graph.nodes
        if folded:
            self.nodes = [node for node in graph.nodes if node.id not in folded]
        self.reads = _reads(model, self.nodes, constants, self.alias)
        self.made = {name: place for place, node in enumerate(self.nodes) for name in node.outputs}
        self.made.pop("", None)
        self.outputs = tuple(dict.fromkeys([self.resolve(name) for name in graph.outputs]))
        self._of_ops: dict[frozenset[str], tuple[int, ...]] = {}

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
            self._of_ops[ops] = tuple(sorted(place for op in ops for place in self.by_op.get(op, ())))
        return self._of_ops[ops]

    def maker(self, name: str) -> Node | None:
        """Node that computes *name*, no-ops seen through; None for a value that comes from outside."""
        place = self.made.get(self.alias.get(name, name))
        return None if place is None else self.nodes[place]

    def only_reader(self, name: str) -> Node | None:
        """The one node that reads *name*, no-ops seen through, if there is just one and it does not leave the graph."""
        place = self.only_readers.get(self.alias.get(name, name))
        return None if place is None else self.nodes[place]

    def sources(self, place: int) -> list[int]:
        """Position of the node that computes each of `reads[place]`; -1 for a value that comes from outside."""
        return [self.made.get(name, -1) for name in self.reads[place]]

    @cached_property
    def bytes(self) -> Sequence[int | None]:
        """Size in bytes of each value that is read or leaves the graph, by its number; None when unknown."""
        own, elsewhere = self._model.values[self._graph], partial(self._model.value, self._graph)
        # Values share their shapes, and the model keeps these alive.
        known: dict[tuple[int, DType | None], int | None] = {}
        sizes = []
        for name in self.names:
            value = own.get(name) or elsewhere(name)
            form = id(value.shape), value.dtype
            if form not in known:
                known[form] = value_bytes(value)
            sizes.append(known[form])
        return sizes

    @cached_property
    def read(self) -> Sequence[str]:
        """`[edges]` name of what is read, in the order of `nodes`."""
        return list(chain.from_iterable(self.reads))

    @cached_property
    def target(self) -> Ints:
        """`[edges]` position of the node that reads it."""
        counts = np.fromiter(map(len, self.reads), dtype=np.int64, count=len(self.reads))
        return np.repeat(np.arange(len(counts), dtype=np.int64), counts)

    @cached_property
    def source(self) -> Ints:
        """`[edges]` position of the node that computes it; -1 for a value that comes from outside."""
        made = self.made
        return np.array([made.get(name, -1) for name in self.read], dtype=np.int64)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(dict.fromkeys([*self.read, *self.outputs]))}

    @cached_property
    def names(self) -> Sequence[str]:
        """Names of all values that are read or leave the graph, by their numbers."""
        return list(self._number)

    def numbers(self, names: Sequence[str]) -> Ints:
        """`[names]` number of each of these values."""
        return np.array([self._number[name] for name in names], dtype=np.int64)

    @cached_property
    def value(self) -> Ints:
        """`[edges]` number of what is read."""
        return self.numbers(self.read)

    @cached_property
    def readers(self) -> Mapping[str, Sequence[int]]:
        """Value -> positions of the nodes that read it, in order."""
        found: dict[str, list[int]] = {}
        for name, place in zip(self.read, self.target.tolist(), strict=True):
            if name in found:
                found[name].append(place)
            else:
                found[name] = [place]
        return found

    @cached_property
    def only_readers(self) -> Mapping[str, int]:
        """Value -> position of the one node that reads it, where there is just one and it does not leave the graph."""
        counts = Counter(self.read)
        last = dict(zip(self.read, self.target.tolist(), strict=True))
        leaving = frozenset(self.outputs)
        return {name: last[name] for name, times in counts.items() if times == 1 and name not in leaving}

    def resolve(self, name: str) -> str:
        """The value behind *name* with no-ops seen through."""
        return self.alias.get(name, name)


def _aliases(graph: Graph, constants: frozenset[str], folded: Mapping[NodeId, str]) -> dict[str, str]:
    alias: dict[str, str] = {}
    if not folded:
        return alias
    for node in graph.nodes:
        if node.id in folded and node.outputs and node.inputs and node.outputs[0] not in constants:
            alias[node.outputs[0]] = alias.get(node.inputs[0], node.inputs[0])
    return alias


def _reads(
    model: Model, nodes: Sequence[Node], constants: frozenset[str], alias: Mapping[str, str]
) -> list[Sequence[str]]:
    outside = constants | {""}
    reads = [[name for name in node.inputs if name not in outside] for node in nodes]
    if len(model.graphs) > 1:
        for place, node in enumerate(nodes):
            if node.bodies:
                reads[place] += [name for name in model.captures(node) if name not in outside]
    if alias:
        reads = [[alias.get(name, name) for name in read] for read in reads]
    return [read if len(read) < 2 or len(set(read)) == len(read) else list(dict.fromkeys(read)) for read in reads]
