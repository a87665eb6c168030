"""Placement: processor time on a network of attention and convolution blocks with 10,000 nodes.

Of a first placement against onnx's own shape inference in the same run, of another platform, of one seen before, and of
the model after one node was rewritten. Best of five, since a busy machine can only add to a figure.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from benchmarks.figures import Figure
from inspector.model.edit import Editor
from inspector.model.graph import Model
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import PlacementCache, place
from inspector.worker.client import InProcessRunner

_NODES = 10_000


def network(count: int) -> onnx.ModelProto:
    """About *count* nodes: SiLU convolutions with residual Adds, and an attention block after every eight of them."""
    nodes: list[onnx.NodeProto] = []

    def op(kind: str, *inputs: str, **attributes: Any) -> str:
        name = f"n{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [name], name, **attributes))
        return name

    x = "x"
    while len(nodes) < count:
        for _ in range(8):
            y = op("Conv", x, "w", kernel_shape=[1, 1])
            x = op("Add", op("Mul", y, op("Sigmoid", y)), x)
        flat = op("Reshape", x, "flat")
        scores = op("Softmax", op("MatMul", op("Transpose", flat, perm=[0, 1, 3, 2]), flat), axis=3)
        mixed = op("MatMul", flat, op("Transpose", scores, perm=[0, 1, 3, 2]))
        x = op("Reshape", mixed, "square")
    tensors: dict[str, npt.NDArray[Any]] = {
        "w": np.ones((8, 8, 1, 1), np.float32),
        "flat": np.array([1, 2, 4, 64], np.int64),
        "square": np.array([1, 8, 8, 8], np.int64),
    }
    graph = helper.make_graph(
        nodes,
        "network",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 8, 8, 8])],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, [1, 8, 8, 8])],
        [numpy_helper.from_array(value, name) for name, value in tensors.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)])
    model.ir_version = 6
    return model


def best(action: Callable[[], object], times: int = 5) -> float:
    """Least processor time of *action* in seconds."""
    spent = []
    for _ in range(times):
        start = time.process_time()
        action()
        spent.append(time.process_time() - start)
    return min(spent)


def edited(model: Model) -> Model:
    """*model* with one Softmax in its middle replaced."""
    softmax = [node for node in model.main.nodes if node.op.name == "Softmax"]
    node = softmax[len(softmax) // 2]
    editor = Editor(model, rule="benchmark")
    editor.remove(node.id)
    editor.node("HardSigmoid", node.inputs, node.outputs, base=node)
    return editor.finish()


def figures() -> Iterator[Figure]:
    """All figures of placement."""
    message = network(_NODES)
    catalog = load_catalog()
    x5, x3 = resolve_target(catalog, "x5"), resolve_target(catalog, "x3")
    model = infer_shapes(from_proto(message), InProcessRunner())
    inference = best(lambda: onnx.shape_inference.infer_shapes(message, data_prop=True))
    first = best(lambda: place(model, catalog, x5, cache=PlacementCache()))
    yield Figure("placement.first_against_inference", first / inference, "ratio", 2.0)
    yield Figure("placement.first", first, "s")
    caches = [PlacementCache() for _ in range(5)]
    for cache in caches:
        place(model, catalog, x5, cache=cache)
    fresh = iter(caches)
    yield Figure("placement.other_target", best(lambda: place(model, catalog, x3, cache=next(fresh))), "s", 0.1)
    yield Figure("placement.seen_target", best(lambda: place(model, catalog, x5, cache=caches[0])), "s", 0.1)
    others = iter([(edited(model), cache) for cache in caches])

    def again() -> None:
        other, cache = next(others)
        place(other, catalog, x5, cache=cache)

    yield Figure("placement.after_rewrite", best(again), "s", 0.1)
