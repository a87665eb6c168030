"""What is odd about a model that opened all the same: warnings, so that no verdict is read without them.

Only what costs next to nothing is looked at. Whether operators are used correctly is for shape inference and the
toolchain to say.
"""

from collections import Counter
from collections.abc import Iterator

import onnx
from onnx import defs

from inspector.model.dtype import from_onnx
from inspector.model.graph import Graph, Model
from inspector.model.tensors import location_of
from inspector.text import Message, say

_MAX_BYTES = 1 << 40
"""A declared size from here on (1 TiB) is a damaged file, not a tensor of a model for these chips."""


def validate(model: Model) -> tuple[Message, ...]:
    """Warnings about *model*, beyond those about the order of its nodes."""
    return tuple(_header(model)) + tuple(w for graph in model.graphs for w in _graph(model, graph))


def _header(model: Model) -> Iterator[Message]:
    if model.ir_version < 1:
        yield say("model.ir_missing")
    elif model.ir_version > onnx.IR_VERSION:
        yield say("model.ir_future", found=model.ir_version, known=onnx.IR_VERSION)
    newest = defs.onnx_opset_version()
    opset = model.opsets.get("", 1)
    if not 1 <= opset <= newest:
        yield say("model.opset_unknown", found=opset, known=newest)
    for domain in sorted({node.op.domain for node in model.nodes} - set(model.opsets) - _function_domains(model)):
        yield say("model.domain_not_imported", domain=domain or "ai.onnx")
    repeated = [d for d, n in Counter(e.domain for e in model.shell.opset_import).items() if n > 1]
    if repeated:
        yield say("model.opset_twice", domain=", ".join(d or "ai.onnx" for d in repeated))
    if not model.main.outputs:
        yield say("model.no_outputs")


def _function_domains(model: Model) -> set[str]:
    return {function.domain for function in model.shell.functions}


def _graph(model: Model, graph: Graph) -> Iterator[Message]:
    where = graph.path or "main"
    if graph.parent is None:
        given = {o for node in graph.nodes for o in node.outputs} | {*graph.inputs, *graph.initializers}
        given.update(sparse.values.name for sparse in model.shell.graph.sparse_initializer)
        lost = [name for name in graph.outputs if name not in given]
        if lost:
            yield say("model.output_not_produced", graph=where, n=len(lost), names=", ".join(lost[:5]))
    untyped = [name for name, tensor in graph.initializers.items() if from_onnx(tensor.data_type) is None]
    if untyped:
        yield say("model.dtype_unknown", graph=where, n=len(untyped), names=", ".join(untyped[:5]))
    odd = [name for name, tensor in graph.initializers.items() if not _plausible(model, tensor)]
    if odd:
        yield say("model.tensor_size_odd", graph=where, n=len(odd), names=", ".join(odd[:5]))


def _plausible(model: Model, tensor: onnx.TensorProto) -> bool:
    """Whether dims are sizes a tensor can have and inline raw bytes agree with them."""
    if any(dim < 0 for dim in tensor.dims):
        return False
    size = model.tensors.size_bytes(tensor)
    if size is None:
        return True
    inline = location_of(tensor) is None and tensor.HasField("raw_data")
    return size < _MAX_BYTES and (not inline or len(tensor.raw_data) == size)
