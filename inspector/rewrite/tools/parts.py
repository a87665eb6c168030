"""Parts of a model as models of their own: the selection, or everything before and behind some tensors.

Tensors at a border keep their names, so that the outputs of one part are fed to the next by name. Initializers that two
parts read stand in both. Bodies go with the node that holds them, and what they capture is read by it.
"""

from collections.abc import Iterable, Sequence

import onnx

from inspector.model.build import build
from inspector.model.graph import MAIN, Model, Node, NodeId, Value
from inspector.model.infer import value_info
from inspector.model.shape import Dim
from inspector.rewrite.tools.prune import needed_nodes
from inspector.text import Message, say

_FIRST_IR_WITH_FREE_INITIALIZERS = 4


def extract(model: Model, nodes: Iterable[NodeId]) -> Model | Message:
    """*nodes* of the main graph as a model; inputs are what they read, outputs what others read or the graph gives."""
    ids = set(nodes)
    chosen = tuple(node for node in model.main.nodes if node.id in ids)
    if not chosen or len(chosen) < len(ids):
        return say("tool.extract.none" if not ids else "tool.extract.inner")
    return _part(model, chosen, ())


def between(model: Model, sources: Sequence[str], targets: Sequence[str]) -> tuple[NodeId, ...] | Message:
    """Nodes of the main graph on which *targets* depend, as far back as *sources*; no sources: to the inputs."""
    unknown = [name for name in (*sources, *targets) if not _is_value(model, name)]
    if unknown:
        return say("tool.extract.unknown", value=unknown[0])
    return tuple(node.id for node in _ancestors(model, targets, frozenset(sources)))


def cut(model: Model, tensors: Sequence[str]) -> tuple[Model, Model] | Message:
    """The head, which computes *tensors* and all they depend on, and the tail, which does the rest.

    Whatever the tail reads of the head crosses the border, not only *tensors*. Outputs of the model that the head
    computes are outputs of the head alone.
    """
    for name in tensors:
        if model.producer(MAIN, name) is None or model.constant_tensor(MAIN, name) is not None:
            return say("tool.cut.not_computed", value=name)
    if not tensors:
        return say("tool.cut.none")
    head = _ancestors(model, tensors, frozenset())
    inside = {node.id for node in head}
    made = {o for node in head for o in node.outputs}
    tail = tuple(node for node in needed_nodes(model) if node.id not in inside)
    if not tail:
        return say("tool.cut.nothing_behind", values=", ".join(tensors))
    first = _part(model, head, tensors)
    second = _part(model, tail, tuple(o for o in model.main.outputs if o not in made))
    if isinstance(first, Message):
        return first
    return second if isinstance(second, Message) else (first, second)


def _ancestors(model: Model, names: Iterable[str], stop: frozenset[str]) -> tuple[Node, ...]:
    """Nodes of the main graph that compute *names* and what they depend on, in order; not those behind *stop*."""
    wanted = set(names)
    found: list[Node] = []
    for node in reversed(model.main.nodes):
        if wanted.intersection(node.outputs):
            found.append(node)
            wanted |= {*node.inputs, *model.captures(node)} - stop
    return tuple(reversed(found))


def _is_value(model: Model, name: str) -> bool:
    return model.producer(MAIN, name) is not None or name in model.main.inputs


def _part(model: Model, nodes: Sequence[Node], wanted: Sequence[str]) -> Model | Message:
    """*nodes* with the constants that they read, as a model that also gives *wanted*."""
    nodes = _with_constants(model, nodes)
    ids = {node.id for node in nodes}
    made = [o for node in nodes for o in node.outputs if o]
    read = dict.fromkeys(i for n in nodes for i in (*n.inputs, *model.captures(n)) if i and i not in set(made))
    graph = model.main
    tensors = {name: graph.initializers[name] for name in read if name in graph.initializers}
    inputs = [name for name in read if name not in tensors]
    outputs = [o for o in made if o in wanted or (_leaves(model, o, ids) and model.constant_tensor(MAIN, o) is None)]
    if not outputs:
        return say("tool.extract.no_output")
    for name in (*inputs, *outputs):
        if model.value(MAIN, name).dtype is None:
            return say("tool.extract.no_type", value=name)
    proto = onnx.ModelProto()
    proto.CopyFrom(model.shell)
    shell = proto.graph
    known = {*made, *read}
    infos = [info for info in shell.value_info if info.name in known]
    for field in (shell.input, shell.output, shell.value_info):
        del field[:]
    shell.value_info.extend(infos)
    listed = model.ir_version < _FIRST_IR_WITH_FREE_INITIALIZERS
    also = [name for name in tensors if listed or name in graph.overridable]
    shell.input.extend(_info(model, name) for name in (*inputs, *also))
    shell.output.extend(_info(model, name) for name in outputs)
    shell.node.extend(node.proto for node in nodes)
    shell.initializer.extend(tensors.values())
    return build(proto, model.tensors, model.origin)


def _with_constants(model: Model, nodes: Sequence[Node]) -> tuple[Node, ...]:
    """*nodes* and the Constant nodes that they read, in order."""
    ids = {node.id for node in nodes}
    read = {name for node in nodes for name in (*node.inputs, *model.captures(node))}
    sources = (model.producer(MAIN, name) for name in read)
    ids |= {node.id for node in sources if node is not None and node.op.name == "Constant" and not node.op.domain}
    return tuple(node for node in model.main.nodes if node.id in ids)


def _leaves(model: Model, name: str, inside: set[NodeId]) -> bool:
    return model.is_output(MAIN, name) or any(n.id not in inside for n in model.consumers(MAIN, name))


def _info(model: Model, name: str) -> onnx.ValueInfoProto:
    """Declaration of a border tensor: as the file has it, else with the sizes that hold whatever is fed."""
    shell = model.shell.graph
    declared = next((info for info in (*shell.input, *shell.output, *shell.value_info) if info.name == name), None)
    if declared is not None and declared.type.tensor_type.elem_type:
        return declared
    value = model.value(MAIN, name)
    if model.dims and value.shape is not None:  # sizes that follow from one bound for the analysis are not told apart
        value = Value(name, value.dtype, tuple(Dim(None) for _ in value.shape))
    return value_info(value)
