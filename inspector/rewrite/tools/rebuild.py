"""A model with other nodes, tensors or declarations in its main graph, and with its shapes found anew."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

import onnx

from inspector.model.build import make_node, tensor_value, value_from_info
from inspector.model.graph import MAIN, Model, Node, NodeId, ShapeOrigin, Value
from inspector.model.infer import infer_shapes
from inspector.model.order import sort_topologically
from inspector.worker.client import Runner


def rebuilt(
    model: Model,
    runner: Runner,
    *,
    nodes: Sequence[Node] | None = None,
    tensors: Mapping[str, onnx.TensorProto] | None = None,
    shell: onnx.ModelProto | None = None,
    opsets: Mapping[str, int] | None = None,
    dims: Mapping[str, int] | None = None,
    keep_values: bool = True,
) -> Model:
    """*model* with what is given in place of its own; None keeps that.

    Args:
        model: model to start from.
        runner: where onnx infers shapes.
        nodes: nodes of the main graph, with ids from `next_id` of *model* on where they are new.
        tensors: initializers of the main graph.
        shell: see `Model.shell`; what it declares of values that are gone is left out.
        opsets: domain -> version.
        dims: bound sizes.
        keep_values: whether what is known of values still holds; otherwise only what the file declares is taken over.
    """
    graph = model.main
    order = graph.nodes if nodes is None else tuple(nodes)
    weights = graph.initializers if tensors is None else tensors
    shell = _tidy(shell or model.shell, order, weights, graph.initializers.keys() - weights.keys())
    outer = shell.graph
    names = [info.name for info in outer.input]
    order, _ = sort_topologically(order, {*names, *weights})
    main = replace(
        graph,
        nodes=order,
        initializers=MappingProxyType(dict(weights)),
        inputs=tuple(name for name in names if name not in weights),
        outputs=tuple(info.name for info in outer.output),
        overridable=frozenset(name for name in graph.overridable if name in weights),
    )
    known = model.values[MAIN] if keep_values else {}
    values = _declared(shell, weights) | {n: v for n, v in known.items() if n in _names(order, weights, names)}
    bodies = model.values[1:] if keep_values else tuple(_only_declared(v) for v in model.values[1:])
    changed = replace(
        model,
        shell=shell,
        graphs=(main, *model.graphs[1:]),
        opsets=MappingProxyType(dict(opsets or model.opsets)),
        values=(MappingProxyType(values), *bodies),
        constants=tuple(MappingProxyType({}) for _ in model.graphs),
        dims=MappingProxyType(dict(model.dims if dims is None else dims)),
        next_id=max([model.next_id, *(node.id + 1 for node in order)]),
    )
    return replace(infer_shapes(changed, runner), warnings=model.warnings)


def copied(shell: onnx.ModelProto) -> onnx.ModelProto:
    """A copy of *shell* to change."""
    copy = onnx.ModelProto()
    copy.CopyFrom(shell)
    return copy


def fresh(model: Model, protos: Iterable[onnx.NodeProto], first: int | None = None) -> tuple[Node, ...]:
    """Nodes of the main graph made of *protos*, with new ids from *first* on (the model's next by default)."""
    start = model.next_id if first is None else first
    return tuple(make_node(proto, NodeId(start + i), MAIN, model.opsets) for i, proto in enumerate(protos))


def unused_name(model: Model, name: str) -> str:
    """*name*, or with a number behind it, so that no node and no value of any graph is called so."""
    taken = {node.name for node in model.nodes}
    for graph in model.graphs:
        taken |= {*graph.initializers, *graph.inputs, *model.values[graph.index]}
        taken |= {value for node in graph.nodes for value in (*node.inputs, *node.outputs)}
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


def _tidy(
    shell: onnx.ModelProto, nodes: Sequence[Node], tensors: Mapping[str, onnx.TensorProto], gone: Set[str]
) -> onnx.ModelProto:
    """*shell* without declarations of inner values that are gone.

    Where the IR version lists initializers among the inputs, the entries of those *gone* go too.
    """
    if any(info.name in gone for info in shell.graph.input):
        inputs = [info for info in shell.graph.input if info.name not in gone]
        shell = copied(shell)
        del shell.graph.input[:]
        shell.graph.input.extend(inputs)
    there = {name for node in nodes for name in node.outputs} | set(tensors)
    there |= {info.name for info in chain(shell.graph.input, shell.graph.output)}
    if all(info.name in there for info in shell.graph.value_info):
        return shell
    copy = copied(shell)
    del copy.graph.value_info[:]
    copy.graph.value_info.extend(info for info in shell.graph.value_info if info.name in there)
    return copy


def _names(nodes: Sequence[Node], tensors: Mapping[str, onnx.TensorProto], inputs: Sequence[str]) -> set[str]:
    return {name for node in nodes for name in (*node.inputs, *node.outputs)} | set(tensors) | set(inputs)


def _declared(shell: onnx.ModelProto, tensors: Mapping[str, onnx.TensorProto]) -> dict[str, Value]:
    infos = chain(shell.graph.value_info, shell.graph.input, shell.graph.output)
    values = {info.name: value_from_info(info, ShapeOrigin.DECLARED) for info in infos}
    return values | {name: tensor_value(tensor, name) for name, tensor in tensors.items()}


def _only_declared(values: Mapping[str, Value]) -> Mapping[str, Value]:
    return MappingProxyType({n: v for n, v in values.items() if v.origin is ShapeOrigin.DECLARED})
