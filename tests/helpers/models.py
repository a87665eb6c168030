"""Small ONNX models built in a few lines, shared by the tests of the core."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT = TensorProto.FLOAT
INT64 = TensorProto.INT64


def proto(
    nodes: Sequence[onnx.NodeProto],
    inputs: Mapping[str, Sequence[int | str | None]],
    outputs: Mapping[str, Sequence[int | str | None] | None],
    tensors: Mapping[str, npt.NDArray[np.generic]] | None = None,
    *,
    opset: int = 13,
    ir: int = 8,
    dtypes: Mapping[str, int] | None = None,
    domains: Sequence[str] = (),
) -> onnx.ModelProto:
    """A model; values are float32 unless *dtypes* names another TensorProto type."""
    kinds = dtypes or {}
    graph = helper.make_graph(
        list(nodes),
        "g",
        [helper.make_tensor_value_info(n, kinds.get(n, FLOAT), s) for n, s in inputs.items()],
        [helper.make_tensor_value_info(n, kinds.get(n, FLOAT), s) for n, s in outputs.items()],
        [numpy_helper.from_array(np.asarray(a), n) for n, a in (tensors or {}).items()],
    )
    imports = [helper.make_opsetid("", opset), *(helper.make_opsetid(d, 1) for d in domains)]
    model = helper.make_model(graph, opset_imports=imports, producer_name="tests")
    model.ir_version = ir
    return model


def conv(*, channels: int = 8, size: int = 8) -> onnx.ModelProto:
    """x [1, 3, size, size] -> Conv 3x3 -> Relu -> y, with a weight of 864 bytes x channels / 8."""
    weight = np.random.default_rng(1).standard_normal((channels, 3, 3, 3)).astype(np.float32)
    return proto(
        [
            helper.make_node("Conv", ["x", "w"], ["c"], "conv", kernel_shape=[3, 3]),
            helper.make_node("Relu", ["c"], ["y"], "relu"),
        ],
        {"x": [1, 3, size, size]},
        {"y": [1, channels, size - 2, size - 2]},
        {"w": weight},
    )


def write(model: onnx.ModelProto, path: Path) -> Path:
    """Write *model* to *path*, which is returned."""
    path.write_bytes(model.SerializeToString())
    return path


def before_relu(model: onnx.ModelProto) -> onnx.ModelProto:
    """*model* with a Relu behind its only output; passive operators at the end then stand between others."""
    graph = model.graph
    old = graph.output[0].name
    graph.node.append(helper.make_node("Relu", [old], ["end"], "end"))
    graph.output[0].name = "end"
    return model
