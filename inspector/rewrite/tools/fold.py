"""Fold constants: what does not depend on any input becomes an initializer of the same name.

Chains of shapes (Shape, Gather, Concat, ...) are known from shape inference where the shapes are fixed. Everything else
that reads only constants is computed once by the runtime in the worker. Quantised weights stay in integers: nodes that
quantise or dequantise are left alone, because the toolchains read scales off them.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import onnx
from onnx import helper, numpy_helper

from inspector.model.graph import MAIN, Model, Node
from inspector.model.infer import value_info
from inspector.model.save import for_each_tensor
from inspector.model.tensors import location_of
from inspector.rewrite.tools.prune import read_tensors
from inspector.rewrite.tools.rebuild import fresh, rebuilt, unused_name
from inspector.rewrite.tools.tool import Arguments, Change, Tool
from inspector.text import Message, say
from inspector.worker.client import Runner
from inspector.worker.folders import scratch
from inspector.worker.protocol import Array, RunRequest

MOST_BYTES = 16 << 20
"""Largest folded tensor in bytes, unless it is no larger than what it is made of: a file should not grow by it."""

_LEFT_ALONE = frozenset({
    "QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear", "RandomNormal", "RandomNormalLike", "RandomUniform",
    "RandomUniformLike", "Multinomial", "Bernoulli", "Constant",
})  # fmt: skip
_FIRST_IR_WITH_FREE_INITIALIZERS = 4


class FoldConstants(Tool):
    """Computes what depends on no input and puts the results in place; takes no arguments."""

    id = "fold-constants"

    def change(self, model: Model, arguments: Arguments, runner: Runner) -> Change | Message:
        """See `Tool`."""
        self.taken(arguments)
        if model.dims:
            return say("tool.fold-constants.bound", names=", ".join(model.dims))
        foldable = _foldable(model)
        wanted = _frontier(model, foldable)
        if not wanted:
            return say("tool.fold-constants.none")
        arrays = {n: a for n in wanted if (a := model.constants[MAIN].get(n)) is not None}
        arrays |= _computed(model, foldable, [n for n in wanted if n not in arrays], runner)
        arrays = {name: array for name, array in arrays.items() if _worthwhile(model, foldable, name, array)}
        arrays = {name: array for name, array in arrays.items() if _whole(model, foldable[name], arrays)}
        if not arrays:
            return say("tool.fold-constants.large", limit=MOST_BYTES >> 20)
        return Change(_with_constants(model, arrays, runner))


def _foldable(model: Model) -> dict[str, Node]:
    """Value -> node of the main graph that computes it from constants alone."""
    found: dict[str, Node] = {}
    known = model.constants[MAIN]
    for node in model.main.nodes:
        if node.op.domain or node.bodies or node.op.name in _LEFT_ALONE or not any(node.outputs):
            continue
        by_shape = all(not o or o in known for o in node.outputs)
        fixed = all(not i or i in found or model.is_constant(MAIN, i) for i in node.inputs)
        if by_shape or (fixed and node.inputs):
            found.update((o, node) for o in node.outputs if o)
    return found


def _frontier(model: Model, foldable: Mapping[str, Node]) -> list[str]:
    """Foldable values that are read by a node that is not; outputs of the graph stay computed by their node."""
    ids = {node.id for node in foldable.values()}
    return [
        name
        for name in foldable
        if not model.is_output(MAIN, name) and any(reader.id not in ids for reader in model.consumers(MAIN, name))
    ]


def _computed(model: Model, foldable: Mapping[str, Node], names: Sequence[str], runner: Runner) -> dict[str, Array]:
    """Values of *names*, run by the worker."""
    if not names:
        return {}
    known = model.constants[MAIN]
    graph = onnx.GraphProto(name="constants")
    waiting, seen, nodes = list(names), set[str](), dict[int, Node]()
    while waiting:
        name = waiting.pop()
        if not name or name in seen:
            continue
        seen.add(name)
        if name in known:
            graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(known[name]), name))
        elif name in foldable:
            nodes[foldable[name].id] = foldable[name]
            waiting += foldable[name].inputs
        else:
            tensor = graph.initializer.add()
            tensor.CopyFrom(_constant(model, name))
            tensor.name = name
    graph.node.extend(node.proto for node in model.main.nodes if node.id in nodes)
    graph.output.extend(value_info(model.value(MAIN, name)) for name in names)
    proto = helper.make_model(graph, opset_imports=list(model.shell.opset_import))
    proto.ir_version = max(model.ir_version, _FIRST_IR_WITH_FREE_INITIALIZERS)

    def inline(tensor: onnx.TensorProto) -> None:
        if location_of(tensor) is not None:
            tensor.CopyFrom(model.tensors.full_tensor(tensor))

    for_each_tensor(proto, inline)
    with scratch("constants-") as folder:
        path = folder / "constants.onnx"
        path.write_bytes(proto.SerializeToString())
        return dict(runner.run(RunRequest(path, ({},), tuple(names))).results[0])


def _constant(model: Model, name: str) -> onnx.TensorProto:
    tensor = model.constant_tensor(MAIN, name)
    if tensor is not None:
        return tensor
    return numpy_helper.from_array(np.asarray(model.constant(MAIN, name)), name)


def _worthwhile(model: Model, foldable: Mapping[str, Node], name: str, array: Array) -> bool:
    if array.nbytes <= MOST_BYTES:
        return True
    sources = (model.constant_tensor(MAIN, i) for i in foldable[name].inputs if i)
    return array.nbytes <= sum(model.tensors.size_bytes(tensor) or 0 for tensor in sources if tensor is not None)


def _whole(model: Model, node: Node, arrays: Mapping[str, Array]) -> bool:
    """Whether nobody needs the node any more once *arrays* are there: one of several outputs alone is not folded."""
    rest = [o for o in node.outputs if o and o not in arrays]
    return not any(model.is_output(MAIN, o) or model.consumers(MAIN, o) for o in rest)


def _with_constants(model: Model, arrays: Mapping[str, Array], runner: Runner) -> Model:
    """*model* with *arrays* in place of the nodes that computed them, and of those that fed only such nodes."""
    made = {name: model.tensors.add_array(name, array) for name, array in arrays.items()}
    wanted, nodes = set(model.main.outputs), []
    for node in reversed(model.main.nodes):
        folded = any(o in made for o in node.outputs)
        if not folded and (_is_dead(model, node) or wanted.intersection(node.outputs)):
            nodes.append(node)
            wanted.update(node.inputs, model.captures(node))
    nodes.reverse()
    if model.ir_version < _FIRST_IR_WITH_FREE_INITIALIZERS:
        nodes = [*fresh(model, (_constant_node(model, name, tensor) for name, tensor in made.items())), *nodes]
        made = {}
    kept = {name: t for name, t in read_tensors(model, tuple(nodes)).items() if name not in made}
    return rebuilt(model, runner, nodes=nodes, tensors=kept | made)


def _is_dead(model: Model, node: Node) -> bool:
    """Whether nothing reads the node as it is: leaving it is not this tool's business."""
    return not any(model.consumers(MAIN, o) for o in node.outputs if o)


def _constant_node(model: Model, name: str, tensor: onnx.TensorProto) -> onnx.NodeProto:
    proto = onnx.NodeProto(op_type="Constant", name=unused_name(model, f"{name}/Constant"), output=[name])
    proto.attribute.append(helper.make_attribute("value", tensor))
    return proto
