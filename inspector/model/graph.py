"""`Model`, `Graph`, `Node`, `Value`: an ONNX model as immutable values, with the indices that every reader needs.

A `Model` is never changed. `inspector.model.edit.Editor` makes a new one that shares the untouched nodes and the
`TensorStore`, so a version costs kilobytes. If/Loop/Scan bodies and local functions are graphs of the same model, after
the main graph in `Model.graphs`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NewType

import numpy as np
import numpy.typing as npt
import onnx

from inspector.model.dtype import DType
from inspector.model.shape import Shape
from inspector.model.tensors import TensorStore
from inspector.text import Message

NodeId = NewType("NodeId", int)
"""Identity of a node, given at load time in file order (main graph, then bodies and functions) and kept by edits."""

AttributeValue = (
    int | float | str | tuple[int, ...] | tuple[float, ...] | tuple[str, ...] | onnx.TensorProto | onnx.AttributeProto
)
"""A decoded attribute. Anything else (graphs, types, sparse tensors) stays the `AttributeProto` it was."""

MAIN = 0
"""Index of the main graph in `Model.graphs`."""


@dataclass(frozen=True, slots=True)
class OpKey:
    """Which operator: *domain* is `""` for ONNX's own; *version* is the model's opset for it, None if not imported."""

    domain: str
    name: str
    version: int | None

    def __str__(self) -> str:
        return f"{self.domain}::{self.name}" if self.domain else self.name


@dataclass(frozen=True, slots=True)
class Node:
    """One operator call.

    Attributes:
        id: identity within the model and all models edited from it.
        graph: index into `Model.graphs` of the graph that holds it.
        op: operator.
        name: label from the file; may be empty or repeated.
        inputs: value names; `""` marks an input that was left out.
        outputs: value names; `""` marks an unused output.
        attributes: those set in the file, decoded; defaults are not filled in.
        bodies: indices of the graphs held in its attributes, in attribute order.
        proto: the weightless message behind it; never mutated.
    """

    id: NodeId
    graph: int
    op: OpKey
    name: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, AttributeValue]
    bodies: tuple[int, ...] = ()
    proto: onnx.NodeProto = field(default_factory=onnx.NodeProto, repr=False)

    @property
    def label(self) -> str:
        """What to call the node on screen: its name, else its first named output, else `Op#id`."""
        return self.name or next((o for o in self.outputs if o), "") or f"{self.op.name}#{self.id}"


class ShapeOrigin(StrEnum):
    """Where a shape or dtype comes from."""

    DECLARED = "declared"  # graph input/output, value_info or initializer of the file
    INFERRED = "inferred"  # onnx shape inference
    FOLDED = "folded"  # inference again after evaluating an integer shape chain
    RUN = "run"  # read off one execution in the worker
    BOUND = "bound"  # follows from a size the user bound to a dynamic dimension


@dataclass(frozen=True, slots=True)
class Value:
    """A tensor in the graph.

    Attributes:
        name: its name, unique within its graph.
        dtype: element type; None when unknown or when the value is a sequence or map.
        shape: axis lengths; None when the rank is unknown.
        origin: who said so; None when nothing is known.
    """

    name: str
    dtype: DType | None = None
    shape: Shape | None = None
    origin: ShapeOrigin | None = None


class GraphKind(StrEnum):
    """What role a graph plays in its model."""

    MAIN = "main"
    BODY = "body"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Graph:
    """One graph of a model.

    Attributes:
        index: position in `Model.graphs`.
        kind: main graph, body of a control-flow node, or local function.
        name: the graph's own name.
        path: where it stands for a reader: `""` for the main graph, `If_3/then_branch`, `function domain::Name`.
        owner: node that holds it, for a body.
        parent: index of the enclosing graph, whose values a body may capture; None for main graph and functions.
        nodes: in topological order (file order where the file is cyclic or broken).
        inputs: formal inputs, without initializers of the same name (those are `overridable`).
        outputs: formal outputs.
        initializers: name -> weightless TensorProto.
        overridable: initializers that are also graph inputs and so may be given by a caller (IR version 4 and later).
    """

    index: int
    kind: GraphKind
    name: str
    path: str
    owner: NodeId | None
    parent: int | None
    nodes: tuple[Node, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    initializers: Mapping[str, onnx.TensorProto]
    overridable: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Model:
    """An ONNX model: graphs, what is known of their values, and the store of weights.

    Attributes:
        shell: ModelProto without nodes and without initializers of the main graph; everything else of the file.
        graphs: main graph first.
        opsets: domain (`""` for ONNX) -> version.
        values: per graph, name -> `Value`, as far as known.
        constants: per graph, values known before run time beyond initializers: folded integer chains and the like.
        tensors: weights, shared by all versions of the model.
        origin: file it was read from, None when built in memory.
        dims: sizes bound to dynamic dimensions for the analysis; never saved.
        warnings: what was odd about the file but did not stop it from opening.
        next_id: first unused node id.
    """

    shell: onnx.ModelProto
    graphs: tuple[Graph, ...]
    opsets: Mapping[str, int]
    values: tuple[Mapping[str, Value], ...]
    constants: tuple[Mapping[str, npt.NDArray[np.generic]], ...]
    tensors: TensorStore
    origin: Path | None = None
    dims: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    warnings: tuple[Message, ...] = ()
    next_id: int = 0

    @property
    def main(self) -> Graph:
        """The main graph."""
        return self.graphs[MAIN]

    @property
    def ir_version(self) -> int:
        """IR version written in the file; 0 when the file has none."""
        return int(self.shell.ir_version)

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """All nodes: the main graph's in topological order, then those of bodies and functions."""
        return tuple(node for graph in self.graphs for node in graph.nodes)

    @cached_property
    def _by_id(self) -> Mapping[NodeId, Node]:
        return {node.id: node for node in self.nodes}

    @cached_property
    def _producers(self) -> tuple[Mapping[str, Node], ...]:
        return tuple({o: node for node in graph.nodes for o in node.outputs if o} for graph in self.graphs)

    @cached_property
    def _consumers(self) -> tuple[Mapping[str, tuple[Node, ...]], ...]:
        """Per graph: value -> nodes of the graph that read it, a node whose body captures it included (recursively)."""
        found: list[dict[str, list[Node]]] = [{} for _ in self.graphs]
        for graph in self.graphs:
            table = found[graph.index]
            for node in graph.nodes:
                names = node.inputs if not node.bodies else (*node.inputs, *self.captures(node))
                for name in names if len(names) < 2 or len(set(names)) == len(names) else dict.fromkeys(names):
                    if name in table:
                        table[name].append(node)
                    else:
                        table[name] = [node]
            table.pop("", None)
        return tuple({name: tuple(nodes) for name, nodes in table.items()} for table in found)

    def take_over_indices(self, earlier: "Model", graph: int, removed: Iterable[Node], made: Iterable[Node]) -> None:
        """Start with the indices of *earlier* instead of making them again; answers never depend on it.

        This model must be *earlier* with the nodes *removed* taken out of *graph* and the nodes *made* put in.
        """
        removed, made = tuple(removed), tuple(made)
        by_id = dict(earlier._by_id)
        producers, consumers = dict(earlier._producers[graph]), dict(earlier._consumers[graph])
        touched: set[str] = set()
        for node in removed:
            del by_id[node.id]
            touched.update(node.inputs, earlier.captures(node))
            for name in node.outputs:
                producers.pop(name, None)
        for node in made:
            by_id[node.id] = node
            touched.update(node.inputs)
            producers.update((name, node) for name in node.outputs if name)
        gone = {node.id for node in removed}
        place = {node.id: i for i, node in enumerate(self.graphs[graph].nodes)}
        for name in touched - {""}:
            readers = [n for n in consumers.pop(name, ()) if n.id not in gone]
            readers += [n for n in made if name in n.inputs]
            if readers:
                consumers[name] = tuple(sorted(readers, key=lambda n: place[n.id]))
        cached: dict[str, Any] = {
            "_by_id": by_id,
            "_producers": (*earlier._producers[:graph], producers, *earlier._producers[graph + 1 :]),
            "_consumers": (*earlier._consumers[:graph], consumers, *earlier._consumers[graph + 1 :]),
        }
        self.__dict__.update(cached)

    def share_indices(self, same: "Model") -> None:
        """Start with the indices that *same* has made so far; it must have the very same graphs."""
        names = ("nodes", "_by_id", "_producers", "_consumers")
        self.__dict__.update({name: same.__dict__[name] for name in names if name in same.__dict__})

    def node(self, node_id: NodeId) -> Node:
        """The node with this id.

        Raises:
            KeyError: the model has none, for instance because a rewrite removed it.
        """
        return self._by_id[node_id]

    def find_node(self, node_id: NodeId) -> Node | None:
        """The node with this id, or None."""
        return self._by_id.get(node_id)

    def producer(self, graph: int, name: str) -> Node | None:
        """Node of *graph* that computes *name*; None for inputs, initializers and captured values."""
        return self._producers[graph].get(name)

    def consumers(self, graph: int, name: str) -> tuple[Node, ...]:
        """Nodes of *graph* that read *name*, in order; a node whose body captures it counts. Graph outputs do not."""
        return self._consumers[graph].get(name, ())

    def captures(self, node: Node) -> tuple[str, ...]:
        """Values of the enclosing graph that the bodies of *node* read, nested bodies included; without repeats."""
        outer: dict[str, None] = {}
        for index in node.bodies:
            body = self.graphs[index]
            local = {*body.inputs, *body.overridable, *body.initializers}
            for inner in body.nodes:
                for name in (*inner.inputs, *self.captures(inner)):
                    if name and name not in local:
                        outer[name] = None
                local.update(inner.outputs)
            for name in body.outputs:
                if name and name not in local:
                    outer[name] = None
        return tuple(outer)

    def is_output(self, graph: int, name: str) -> bool:
        """Whether *name* is an output of *graph*."""
        return name in self.graphs[graph].outputs

    def value(self, graph: int, name: str) -> Value:
        """What is known of *name* as seen from *graph*: its own values first, then those of the enclosing graphs."""
        index: int | None = graph
        while index is not None:
            known = self.values[index].get(name)
            if known is not None:
                return known
            index = self.graphs[index].parent
        return Value(name)

    def initializer(self, graph: int, name: str) -> onnx.TensorProto | None:
        """Weightless initializer *name* as seen from *graph* (enclosing graphs included); None if it is not one.

        An overridable initializer is not returned: a caller of the model may feed another value.
        """
        index: int | None = graph
        while index is not None:
            current = self.graphs[index]
            if name in current.initializers:
                return None if name in current.overridable else current.initializers[name]
            if name in self._producers[index] or name in current.inputs:
                return None
            index = current.parent
        return None

    def is_constant(self, graph: int, name: str) -> bool:
        """Whether *name* is known before run time: an initializer, a Constant node's output, or a folded value."""
        return self.constant_tensor(graph, name) is not None or self._folded(graph, name) is not None

    def constant_tensor(self, graph: int, name: str) -> onnx.TensorProto | None:
        """Weightless TensorProto of a constant: initializer or `Constant(value=...)`; None otherwise."""
        tensor = self.initializer(graph, name)
        if tensor is not None:
            return tensor
        index: int | None = graph
        while index is not None:
            node = self._producers[index].get(name)
            if node is not None:
                value = node.attributes.get("value") if node.op.name == "Constant" else None
                return value if isinstance(value, onnx.TensorProto) else None
            if name in self.graphs[index].inputs:
                return None
            index = self.graphs[index].parent
        return None

    def constant(self, graph: int, name: str) -> npt.NDArray[np.generic] | None:
        """Values of a constant, read from the file if need be; None when *name* is not constant.

        Raises:
            TensorDataError: it is constant but its bytes cannot be read.
        """
        folded = self._folded(graph, name)
        if folded is not None:
            return folded
        tensor = self.constant_tensor(graph, name)
        return None if tensor is None else self.tensors.array(tensor)

    def _folded(self, graph: int, name: str) -> npt.NDArray[np.generic] | None:
        index: int | None = graph
        while index is not None:
            array = self.constants[index].get(name)
            if array is not None:
                return array
            current = self.graphs[index]
            if name in self._producers[index] or name in current.inputs:
                return None
            index = current.parent
        return None

    def input_values(self, node: Node) -> tuple[Value, ...]:
        """What is known of each input of *node*, in order; a left-out input gives `Value("")`."""
        return tuple(self.value(node.graph, name) if name else Value("") for name in node.inputs)

    def output_values(self, node: Node) -> tuple[Value, ...]:
        """What is known of each output of *node*, in order."""
        return tuple(self.value(node.graph, name) if name else Value("") for name in node.outputs)

    def predecessors(self, node: Node) -> tuple[Node, ...]:
        """Producers of the inputs of *node* within its graph, captures included, without repeats."""
        producers = self._producers[node.graph]
        names = [*node.inputs, *self.captures(node)] if node.bodies else node.inputs
        return tuple({p.id: p for name in names if (p := producers.get(name)) is not None}.values())

    def successors(self, node: Node) -> tuple[Node, ...]:
        """Consumers of the outputs of *node* within its graph, without repeats."""
        table = self._consumers[node.graph]
        return tuple({c.id: c for name in node.outputs for c in table.get(name, ())}.values())

    def walk(self, graph: int = MAIN) -> Iterator[Node]:
        """Nodes of *graph* in order, each followed by the nodes of its bodies."""
        for node in self.graphs[graph].nodes:
            yield node
            for body in node.bodies:
                yield from self.walk(body)

    def to_proto(self) -> onnx.ModelProto:
        """The model as a weightless ModelProto of its own: nodes and initializers in place.

        Large payloads are still in the store (see `TensorStore`). Bound dims are not written.
        """
        proto = onnx.ModelProto()
        proto.CopyFrom(self.shell)
        main = self.main
        proto.graph.node.extend(node.proto for node in main.nodes)
        proto.graph.initializer.extend(main.initializers.values())
        return proto
