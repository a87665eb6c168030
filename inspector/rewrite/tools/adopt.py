"""Take back a model that a library made anew: ids, weights, metadata and documentation are those of before.

Libraries drop `metadata_props` and documentation of nodes and of the model; they are restored by node name, and nodes
that still compute the same first output under the same operator keep their ids.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import onnx
from onnx import numpy_helper

from inspector.model.build import make_node, opset_map
from inspector.model.graph import MAIN, Model, Node, NodeId
from inspector.model.infer import value_info
from inspector.model.save import for_each_tensor
from inspector.model.tensors import location_of
from inspector.rewrite.tools.rebuild import copied, rebuilt
from inspector.worker.client import Runner

SMALL = 1024
"""Constants of at most so many elements are shown to a library; adapters read shapes, axes and scales."""


def portable(model: Model) -> tuple[onnx.ModelProto, tuple[str, ...]]:
    """*model* for a library that need not see weights, and the names of those that are inputs there instead.

    Raises:
        TensorDataError: a small constant cannot be read.
    """
    proto = model.to_proto()
    hidden: list[str] = []
    graph = proto.graph
    del graph.initializer[:]
    inputs = {info.name for info in graph.input}
    for name, tensor in model.main.initializers.items():
        if int(np.prod(tensor.dims, dtype=np.int64)) <= SMALL:
            graph.initializer.append(model.tensors.full_tensor(tensor))
        elif name not in inputs:
            hidden.append(name)
            graph.input.append(value_info(model.value(MAIN, name)))

    def inline(tensor: onnx.TensorProto) -> None:
        if location_of(tensor) is not None:
            tensor.CopyFrom(model.tensors.full_tensor(tensor))

    for_each_tensor(proto, inline)
    return proto, tuple(hidden)


def adopted(model: Model, made: onnx.ModelProto, hidden: Sequence[str], runner: Runner) -> Model:
    """*model* with the main graph of *made*, in which the weights *hidden* were inputs."""
    opsets = opset_map(made.opset_import)
    shell = copied(model.shell)
    del shell.opset_import[:]
    shell.opset_import.extend(made.opset_import)
    for kept, new in ((shell.graph.input, made.graph.input), (shell.graph.output, made.graph.output)):
        infos = [info for info in new if info.name not in hidden]
        del kept[:]
        kept.extend(infos)
    tensors = {tensor.name: _own(model, tensor) for tensor in made.graph.initializer}
    tensors |= {name: model.main.initializers[name] for name in hidden}
    nodes = _nodes(model, made.graph.node, opsets)
    after = rebuilt(model, runner, nodes=nodes, tensors=tensors, shell=shell, opsets=opsets, keep_values=False)
    read = {name for node in after.main.nodes for name in node.inputs} | {*after.main.outputs, *after.main.overridable}
    unread = {name for name in tensors if name not in read}
    if not unread:
        return after
    left = {name: tensor for name, tensor in after.main.initializers.items() if name not in unread}
    return rebuilt(after, runner, tensors=left)


def _own(model: Model, tensor: onnx.TensorProto) -> onnx.TensorProto:
    """The tensor of the model where it is the same; else the new one, held by the model's store."""
    old = model.main.initializers.get(tensor.name)
    array = numpy_helper.to_array(tensor)
    if old is not None and (list(old.dims), old.data_type) == (list(tensor.dims), tensor.data_type):
        before = np.asarray(model.tensors.array(old))
        if before.tobytes() == array.tobytes():
            return old
    return model.tensors.add_array(tensor.name, array)


def _nodes(model: Model, protos: Sequence[onnx.NodeProto], opsets: Mapping[str, int]) -> list[Node]:
    named = {node.name: node for node in model.main.nodes if node.name}
    found, next_id, given = [], model.next_id, set[NodeId]()
    for message in protos:
        proto = onnx.NodeProto()
        proto.CopyFrom(message)
        old = named.get(proto.name) if proto.name else None
        twin = next((p for o in proto.output if o and (p := model.producer(MAIN, o)) is not None), old)
        if old is not None:
            _restore(proto, old.proto)
        if twin is not None and twin.id not in given:
            node_id = twin.id
        else:
            node_id, next_id = NodeId(next_id), next_id + 1
        given.add(node_id)
        found.append(replace(make_node(proto, node_id, MAIN, opsets)))
    return found


def _restore(proto: onnx.NodeProto, old: onnx.NodeProto) -> None:
    if not proto.metadata_props:
        proto.metadata_props.extend(old.metadata_props)
    if not proto.doc_string:
        proto.doc_string = old.doc_string
