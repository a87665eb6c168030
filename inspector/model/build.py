"""From a weightless ModelProto to a `Model`: graphs, bodies, functions, ids, declared shapes, warnings."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

import onnx

from inspector.model.dtype import from_onnx
from inspector.model.graph import (
    AttributeValue,
    Graph,
    GraphKind,
    Model,
    Node,
    NodeId,
    OpKey,
    ShapeOrigin,
    Value,
)
from inspector.model.names import escape_invalid_names, has_invalid_names
from inspector.model.order import sort_topologically
from inspector.model.shape import Dim, Shape
from inspector.model.tensors import TensorStore
from inspector.text import Message, say

_A = onnx.AttributeProto
_ONNX_DOMAINS = ("", "ai.onnx")
_OVERRIDABLE_SINCE_IR = 4
"""Before IR version 4 every initializer had to be listed among the inputs, so that says nothing about it."""
_NO_SYMBOL = frozenset({"", "?", "-1", "None"})
"""Texts that exporters write where a dimension has no name; two of them are not the same dimension."""


def build(proto: onnx.ModelProto, store: TensorStore, origin: Path | None) -> Model:
    """The `Model` of *proto*, which is taken over and emptied.

    Node ids are given in file order: the main graph, each node followed by the bodies it holds; then local functions.
    """
    warnings: list[Message] = []
    if has_invalid_names(proto.graph) and escape_invalid_names(proto):
        warnings.append(say("model.names_not_utf8"))
    opsets = opset_map(proto.opset_import)
    if not opsets:
        opsets = {"": 1}
        warnings.append(say("model.no_opset"))
    builder = _Builder(warnings, overridable=proto.ir_version >= _OVERRIDABLE_SINCE_IR)
    builder.graph(proto.graph, GraphKind.MAIN, "", None, None, opsets)
    for function in proto.functions:
        builder.function(function, opsets)
    del proto.graph.node[:]
    del proto.graph.initializer[:]
    return Model(
        shell=proto,
        graphs=tuple(builder.graphs),
        opsets=MappingProxyType(opsets),
        values=tuple(MappingProxyType(v) for v in builder.values),
        constants=tuple(MappingProxyType({}) for _ in builder.graphs),
        tensors=store,
        origin=origin,
        warnings=tuple(warnings),
        next_id=builder.next_id,
    )


def opset_map(imports: Iterable[onnx.OperatorSetIdProto]) -> dict[str, int]:
    """Domain -> version, with ONNX's own domain as `""`; of repeated entries the highest version counts."""
    opsets: dict[str, int] = {}
    for entry in imports:
        domain = "" if entry.domain in _ONNX_DOMAINS else entry.domain
        opsets[domain] = max(entry.version, opsets.get(domain, 0))
    return opsets


def make_node(proto: onnx.NodeProto, node_id: NodeId, graph: int, opsets: Mapping[str, int]) -> Node:
    """The `Node` of *proto* without bodies."""
    domain = "" if proto.domain in _ONNX_DOMAINS else proto.domain
    return Node(
        id=node_id,
        graph=graph,
        op=OpKey(domain, proto.op_type, opsets.get(domain)),
        name=proto.name,
        inputs=tuple(proto.input),
        outputs=tuple(proto.output),
        attributes=MappingProxyType({a.name: attribute_value(a) for a in proto.attribute}),
        proto=proto,
    )


def attribute_value(attribute: onnx.AttributeProto) -> AttributeValue:
    """The attribute as a Python value; graphs, types and sparse tensors stay the AttributeProto."""
    reader = _READERS.get(attribute.type)
    return attribute if reader is None else reader(attribute)


def _text(value: bytes) -> str:
    return value.decode("utf-8", "backslashreplace")


_READERS: dict[int, Any] = {
    _A.FLOAT: lambda a: a.f,
    _A.INT: lambda a: a.i,
    _A.STRING: lambda a: _text(a.s),
    _A.TENSOR: lambda a: a.t,
    _A.FLOATS: lambda a: tuple(a.floats),
    _A.INTS: lambda a: tuple(a.ints),
    _A.STRINGS: lambda a: tuple(_text(s) for s in a.strings),
}


def value_from_info(info: onnx.ValueInfoProto, origin: ShapeOrigin) -> Value:
    """What a ValueInfoProto says; a sequence, map or optional has neither dtype nor shape here."""
    kind = info.type.WhichOneof("value")
    if kind not in ("tensor_type", "sparse_tensor_type"):
        return Value(info.name)
    tensor: onnx.TypeProto.Tensor = getattr(info.type, kind)
    dtype = from_onnx(tensor.elem_type)
    shape = shape_from_proto(tensor.shape) if tensor.HasField("shape") else None
    return Value(info.name, dtype, shape, origin if dtype is not None or shape is not None else None)


def shape_from_proto(shape: onnx.TensorShapeProto) -> Shape:
    """Axis lengths; a negative length (seen in damaged files) is unknown, not a size."""
    return shared_shape(tuple([dim.dim_value if dim.dim_value > 0 else _unsized(dim) for dim in shape.dim]))


@lru_cache(maxsize=1 << 16)
def shared_shape(axes: tuple[int | str | None, ...]) -> Shape:
    """The shape with these axes (size, symbol, or None for neither); equal ones share one object.

    A large model has tens of thousands of values and a few hundred shapes.
    """
    return tuple([Dim(None, axis) if isinstance(axis, str) else Dim(axis) for axis in axes])


def _unsized(dim: onnx.TensorShapeProto.Dimension) -> int | str | None:
    if dim.HasField("dim_value"):
        return 0 if dim.dim_value == 0 else None
    return None if dim.dim_param in _NO_SYMBOL else dim.dim_param


def tensor_value(tensor: onnx.TensorProto, name: str) -> Value:
    """Dtype and shape of a TensorProto."""
    return Value(name, from_onnx(tensor.data_type), shared_shape(tuple(tensor.dims)), ShapeOrigin.DECLARED)


class _Builder:
    """Collects graphs in file order; bodies come right after the graph that holds them."""

    def __init__(self, warnings: list[Message], *, overridable: bool) -> None:
        self.graphs: list[Graph] = []
        self.values: list[dict[str, Value]] = []
        self.next_id = 0
        self._warnings = warnings
        self._overridable = overridable

    def graph(
        self,
        proto: onnx.GraphProto,
        kind: GraphKind,
        path: str,
        owner: NodeId | None,
        parent: int | None,
        opsets: Mapping[str, int],
    ) -> int:
        """Add *proto* and everything nested in it; the index it got."""
        initializers = {t.name: t for t in proto.initializer}
        if len(initializers) < len(proto.initializer):
            twice = [name for name, times in Counter(t.name for t in proto.initializer).items() if times > 1]
            self._warn("model.produced_twice", path, twice)
        names = [i.name for i in proto.input]
        index = self._reserve()
        values = {v.name: v for v in (value_from_info(i, ShapeOrigin.DECLARED) for i in proto.value_info)}
        for info in chain(proto.input, proto.output):
            values[info.name] = value_from_info(info, ShapeOrigin.DECLARED)
        for sparse in proto.sparse_initializer:
            values[sparse.values.name] = Value(
                sparse.values.name,
                from_onnx(sparse.values.data_type),
                tuple(Dim(d) for d in sparse.dims),
                ShapeOrigin.DECLARED,
            )
        values.update((n, tensor_value(t, n)) for n, t in initializers.items())
        listed = self._nodes(proto.node, index, path, opsets, values)
        known = {*names, *initializers, *(s.values.name for s in proto.sparse_initializer)}
        nodes = self._ordered(listed, path, index, parent, known)
        self.values[index] = values
        self.graphs[index] = Graph(
            index=index,
            kind=kind,
            name=proto.name,
            path=path,
            owner=owner,
            parent=parent,
            nodes=nodes,
            inputs=tuple(n for n in names if n not in initializers),
            outputs=tuple(o.name for o in proto.output),
            initializers=MappingProxyType(initializers),
            overridable=frozenset(n for n in names if n in initializers) if self._overridable else frozenset(),
        )
        return index

    def function(self, proto: onnx.FunctionProto, model_opsets: Mapping[str, int]) -> None:
        """Add a local function; its shapes are unknown but for its own value_info."""
        path = f"function {proto.domain}::{proto.name}"
        opsets = {**model_opsets, **opset_map(proto.opset_import)}
        index = self._reserve()
        values = {v.name: v for v in (value_from_info(i, ShapeOrigin.DECLARED) for i in proto.value_info)}
        nodes = self._ordered(self._nodes(proto.node, index, path, opsets, values), path, index, None, set(proto.input))
        self.values[index] = values
        self.graphs[index] = Graph(
            index=index,
            kind=GraphKind.FUNCTION,
            name=f"{proto.domain}::{proto.name}" if proto.domain else proto.name,
            path=path,
            owner=None,
            parent=None,
            nodes=nodes,
            inputs=tuple(proto.input),
            outputs=tuple(proto.output),
            initializers=MappingProxyType({}),
        )

    def _reserve(self) -> int:
        self.graphs.append(_EMPTY_GRAPH)
        self.values.append({})
        return len(self.graphs) - 1

    def _nodes(
        self,
        protos: Sequence[onnx.NodeProto],
        index: int,
        path: str,
        opsets: Mapping[str, int],
        values: dict[str, Value],
    ) -> list[Node]:
        nodes: list[Node] = []
        for proto in protos:
            node = make_node(proto, NodeId(self.next_id), index, opsets)
            self.next_id += 1
            bodies = self._bodies(node, path, index, opsets)
            nodes.append(replace(node, bodies=bodies) if bodies else node)
            constant = node.attributes.get("value") if node.op.name == "Constant" else None
            if isinstance(constant, onnx.TensorProto) and node.outputs:
                values[node.outputs[0]] = tensor_value(constant, node.outputs[0])
        return nodes

    def _bodies(self, node: Node, path: str, index: int, opsets: Mapping[str, int]) -> tuple[int, ...]:
        bodies = []
        for name, value in node.attributes.items():
            if not isinstance(value, onnx.AttributeProto):
                continue
            held = [value.g] if value.type == _A.GRAPH else list(value.graphs) if value.type == _A.GRAPHS else []
            for number, body in enumerate(held):
                place = name if len(held) == 1 else f"{name}[{number}]"
                where = "/".join(part for part in (path, node.label, place) if part)
                bodies.append(self.graph(body, GraphKind.BODY, where, node.id, index, opsets))
        return tuple(bodies)

    def _ordered(
        self, nodes: list[Node], path: str, index: int, parent: int | None, known: set[str]
    ) -> tuple[Node, ...]:
        result, report = sort_topologically(nodes, known)
        for key, names in report.items():
            if key == "model.dangling" and (parent is not None or index != 0):
                continue  # a body captures values of the graphs around it
            self._warn(key, path, names)
        return result

    def _warn(self, key: str, path: str, names: Sequence[str]) -> None:
        self._warnings.append(say(key, graph=path or "main", n=len(names), names=", ".join(names[:5])))


_EMPTY_GRAPH = Graph(0, GraphKind.MAIN, "", "", None, None, (), (), (), MappingProxyType({}))
