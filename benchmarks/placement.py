"""CPU time of placement: `python -m benchmarks.placement [NODES]`.

Builds a network of attention and convolution blocks with NODES nodes (10,000 by default), and prints the CPU time of
onnx's own shape inference on it, of a first placement, of another platform, of the first platform again, and of placing
the model after one node was rewritten. Best of three, since a busy machine can only add to a figure.
"""

import sys
import time
from collections.abc import Callable

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from inspector.model.edit import Editor
from inspector.model.graph import Model
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import PlacementCache, place
from inspector.worker.client import InProcessRunner


def network(count: int) -> onnx.ModelProto:
    """About *count* nodes: SiLU convolutions with residual Adds, and an attention block after every eight of them."""
    nodes: list[onnx.NodeProto] = []

    def op(kind: str, *inputs: str, **attributes: object) -> str:
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
    tensors = {
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


def best(action: Callable[[], object], times: int = 3) -> float:
    """Least CPU time of *action* in seconds."""
    figures = []
    for _ in range(times):
        start = time.process_time()
        action()
        figures.append(time.process_time() - start)
    return min(figures)


def edited(model: Model) -> Model:
    """*model* with one Softmax in its middle replaced."""
    softmax = [node for node in model.main.nodes if node.op.name == "Softmax"]
    node = softmax[len(softmax) // 2]
    editor = Editor(model, rule="benchmark")
    editor.remove(node.id)
    editor.node("HardSigmoid", node.inputs, node.outputs, base=node)
    return editor.finish()


def main() -> None:
    """Print the figures in milliseconds."""
    message = network(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
    catalog = load_catalog()
    x5, x3 = resolve_target(catalog, "x5"), resolve_target(catalog, "x3")
    inference = best(lambda: onnx.shape_inference.infer_shapes(message, data_prop=True))
    model = infer_shapes(from_proto(message), InProcessRunner())
    other = edited(model)
    first = best(lambda: place(model, catalog, x5, cache=PlacementCache()))
    cache = PlacementCache()
    place(model, catalog, x5, cache=cache)
    rows = {
        "shape inference of onnx": inference,
        "first placement": first,
        "another platform, first time": best(lambda: place(model, catalog, x3, cache=cache), 1),
        "another platform, seen before": best(lambda: place(model, catalog, x3, cache=cache)),
        "after one rewrite": best(lambda: place(other, catalog, x5, cache=cache), 1),
    }
    print(f"{len(model.nodes)} nodes, CPU time in ms")
    for name, seconds in rows.items():
        print(f"{name:32} {seconds * 1000:8.1f}")


if __name__ == "__main__":
    main()
