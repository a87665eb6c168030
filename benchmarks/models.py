"""ONNX models as exporters write them, at any size: every weight has a name and a shape of its own and no payload.

Weights are marked as external data, so that whoever reads such a model pays for its graph and for nothing else. Every
generator gives the same model each time.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

_INT64_MAX = 2**63 - 1


class _Network:
    """Collects nodes and weights; a tensor is its name."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self._weights: list[onnx.TensorProto] = []
        self._numbers: dict[tuple[int, ...], str] = {}

    def op(self, kind: str, *inputs: str, outputs: int = 1, **attributes: Any) -> str:
        """Add a node; the name of its first output. Further ones are `NAME.1`, `NAME.2`."""
        name = f"/{kind}_{len(self.nodes)}"
        made = [f"{name}_output", *(f"{name}_output.{number}" for number in range(1, outputs))]
        self.nodes.append(helper.make_node(kind, inputs, made, name, **attributes))
        return made[0]

    def weight(self, *dims: int, kind: int = TensorProto.FLOAT) -> str:
        """Add a weight without payload."""
        name = f"weight_{len(self._weights)}"
        tensor = TensorProto(name=name, dims=dims, data_type=kind, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="weights.bin")
        self._weights.append(tensor)
        return name

    def ints(self, *numbers: int) -> str:
        """A small constant, one for each list of numbers, as exporters share them."""
        if numbers not in self._numbers:
            self._numbers[numbers] = f"ints_{len(self._numbers)}"
            tensor = numpy_helper.from_array(np.array(numbers, np.int64), self._numbers[numbers])
            self._weights.append(tensor)
        return self._numbers[numbers]

    def scalar(self, value: float) -> str:
        """A number of its own, as exporters write them, in a Constant node."""
        tensor = helper.make_tensor("", TensorProto.FLOAT, (), [value])
        return self.op("Constant", value=tensor)

    def model(self, inputs: Mapping[str, Sequence[int | str]], outputs: Sequence[str]) -> onnx.ModelProto:
        """What was built, with the shape of no value but the inputs."""
        kinds = {name: TensorProto.INT64 if name.startswith("ids") else TensorProto.FLOAT for name in inputs}
        graph = helper.make_graph(
            self.nodes,
            "network",
            [helper.make_tensor_value_info(name, kinds[name], shape) for name, shape in inputs.items()],
            [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs],
            self._weights,
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="pytorch")
        model.ir_version = 8
        return model


def _conv(n: _Network, x: str, cin: int, cout: int, kernel: int = 3, stride: int = 1) -> str:
    weight, bias = n.weight(cout, cin, kernel, kernel), n.weight(cout)
    return n.op("Conv", x, weight, bias, **_window(kernel, stride))


def _window(kernel: int, stride: int) -> dict[str, Any]:
    pads = [kernel // 2] * 4
    return {"dilations": [1, 1], "group": 1, "kernel_shape": [kernel] * 2, "pads": pads, "strides": [stride] * 2}


def _silu(n: _Network, x: str, cin: int, cout: int, kernel: int = 3, stride: int = 1) -> str:
    x = _conv(n, x, cin, cout, kernel, stride)
    return n.op("Mul", x, n.op("Sigmoid", x))


def _split_block(n: _Network, x: str, cin: int, cout: int, count: int) -> str:
    half = cout // 2
    first = n.op("Split", _silu(n, x, cin, cout, 1), n.ints(half, half), outputs=2, axis=1)
    parts = [first, f"{first}.1"]
    for _ in range(count):
        parts.append(n.op("Add", parts[-1], _silu(n, _silu(n, parts[-1], half, half), half, half)))
    return _silu(n, n.op("Concat", *parts, axis=1), half * (2 + count), cout, 1)


def _up(n: _Network, x: str) -> str:
    scales = n.op("Constant", value=numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32)))
    return n.op("Resize", x, "", scales, mode="nearest", coordinate_transformation_mode="asymmetric")


def detector(count: int) -> onnx.ModelProto:
    """SiLU convolutions, split blocks, pyramid neck and decoded heads; as many detectors side by side as it takes."""
    n = _Network()
    outputs = []
    while len(n.nodes) < count:
        x, width, levels = "x", 3, []
        for depth, channels in ((1, 32), (3, 64), (6, 128), (6, 256), (3, 512)):
            x = _split_block(n, _silu(n, x, width, channels, 3, 2), channels, channels, depth)
            width = channels
            levels.append(x)
        p5 = x
        p4 = _split_block(n, n.op("Concat", _up(n, p5), levels[3], axis=1), 768, 256, 3)
        p3 = _split_block(n, n.op("Concat", _up(n, p4), levels[2], axis=1), 384, 128, 3)
        n4 = _split_block(n, n.op("Concat", _silu(n, p3, 128, 128, 3, 2), p4, axis=1), 384, 256, 3)
        n5 = _split_block(n, n.op("Concat", _silu(n, n4, 256, 256, 3, 2), p5, axis=1), 768, 512, 3)
        heads = []
        for level, channels in ((p3, 128), (n4, 256), (n5, 512)):
            box = _conv(n, _silu(n, _silu(n, level, channels, 64), 64, 64), 64, 64, 1)
            score = _conv(n, _silu(n, _silu(n, level, channels, 80), 80, 80), 80, 80, 1)
            heads.append(n.op("Reshape", n.op("Concat", box, score, axis=1), n.ints(1, 144, -1)))
        first = n.op("Split", n.op("Concat", *heads, axis=2), n.ints(64, 80), outputs=2, axis=1)
        box = n.op("Transpose", n.op("Reshape", first, n.ints(1, 4, 16, -1)), perm=[0, 2, 1, 3])
        box = n.op("Reshape", _conv(n, n.op("Softmax", box, axis=1), 16, 1, 1), n.ints(1, 4, -1))
        box = n.op("Mul", n.op("Sub", box, n.scalar(0.5)), n.scalar(8.0))
        outputs.append(n.op("Concat", box, n.op("Sigmoid", f"{first}.1"), axis=1))
    return n.model({"x": [1, 3, 640, 640]}, outputs)


def _norm(n: _Network, x: str, width: int) -> str:
    centred = n.op("Sub", x, n.op("ReduceMean", x, axes=[-1]))
    variance = n.op("ReduceMean", n.op("Pow", centred, n.scalar(2.0)), axes=[-1])
    scaled = n.op("Div", centred, n.op("Sqrt", n.op("Add", variance, n.scalar(1e-5))))
    return n.op("Add", n.op("Mul", scaled, n.weight(width)), n.weight(width))


def _linear(n: _Network, x: str, cin: int, cout: int) -> str:
    return n.op("Add", n.weight(cout), n.op("MatMul", x, n.weight(cin, cout)))


def _size(n: _Network, x: str, axis: int) -> str:
    index = n.op("Constant", value=numpy_helper.from_array(np.array(axis, np.int64)))
    return n.op("Unsqueeze", n.op("Gather", n.op("Shape", x), index, axis=0), n.ints(0))


def _heads(n: _Network, x: str, width: int, heads: int, perm: Sequence[int]) -> str:
    y = _linear(n, x, width, width)
    shape = n.op("Concat", _size(n, y, 0), _size(n, y, 1), n.ints(heads), n.ints(width // heads), axis=0)
    return n.op("Transpose", n.op("Reshape", y, shape), perm=perm)


def _attention(n: _Network, q: str, k: str, v: str, width: int, mask: str) -> str:
    scores = n.op("Add", n.op("Div", n.op("MatMul", q, k), n.scalar(8.0)), mask)
    mixed = n.op("Transpose", n.op("MatMul", n.op("Softmax", scores, axis=-1), v), perm=[0, 2, 1, 3])
    shape = n.op("Concat", _size(n, mixed, 0), _size(n, mixed, 1), n.ints(width), axis=0)
    return _linear(n, n.op("Reshape", mixed, shape), width, width)


def encoder(count: int) -> onnx.ModelProto:
    """Transformer encoder with decomposed norms, exact GELU and shape side chains that fold."""
    n = _Network()
    width, heads = 256, 4
    mask = n.op("Mul", n.op("Sub", n.scalar(1.0), n.op("Unsqueeze", "mask", n.ints(1, 2))), n.scalar(-10000.0))
    x = _norm(n, n.op("Gather", n.weight(30522, width), "ids"), width)
    while len(n.nodes) < count:
        q, v = (_heads(n, x, width, heads, [0, 2, 1, 3]) for _ in range(2))
        k = _heads(n, x, width, heads, [0, 2, 3, 1])
        x = _norm(n, n.op("Add", _attention(n, q, k, v, width, mask), x), width)
        y = _linear(n, x, width, 4 * width)
        gate = n.op("Add", n.op("Erf", n.op("Div", y, n.scalar(1.4142135))), n.scalar(1.0))
        y = n.op("Mul", n.op("Mul", y, gate), n.scalar(0.5))
        x = _norm(n, n.op("Add", _linear(n, y, 4 * width, width), x), width)
    return n.model({"ids": [1, 128], "mask": [1, 128]}, [x])


def _rotated(n: _Network, x: str, cos: str, sin: str) -> str:
    half, end, axis, zero = n.ints(32), n.ints(_INT64_MAX), n.ints(3), n.ints(0)
    back = n.op("Neg", n.op("Slice", x, half, end, axis))
    turned = n.op("Concat", back, n.op("Slice", x, zero, half, axis), axis=-1)
    return n.op("Add", n.op("Mul", x, cos), n.op("Mul", turned, sin))


def decoder(count: int) -> onnx.ModelProto:
    """Language model with key and value caches of unknown length, so that its shape chains do not fold."""
    n = _Network()
    width, heads = 256, 4
    inputs: dict[str, Sequence[int | str]] = {"ids": ["batch", "length"], "mask": ["batch", 1, "length", "total"]}
    angle = n.op("Unsqueeze", n.op("Cast", "ids", to=TensorProto.FLOAT), n.ints(1, 3))
    angle = n.op("MatMul", angle, n.weight(1, 64))
    cos, sin = n.op("Cos", angle), n.op("Sin", angle)
    x, outputs = n.op("Gather", n.weight(32000, width), "ids"), []
    while len(n.nodes) < count:
        past = [f"past_{len(inputs) + index}" for index in range(2)]
        inputs |= {name: ["batch", heads, "past", width // heads] for name in past}
        y = _norm(n, x, width)
        q, k, v = (_heads(n, y, width, heads, [0, 2, 1, 3]) for _ in range(3))
        k = n.op("Concat", past[0], _rotated(n, k, cos, sin), axis=2)
        v = n.op("Concat", past[1], v, axis=2)
        outputs += [k, v]
        turned = n.op("Transpose", k, perm=[0, 1, 3, 2])
        x = n.op("Add", x, _attention(n, _rotated(n, q, cos, sin), turned, v, width, "mask"))
        y = _norm(n, x, width)
        gate = n.op("MatMul", y, n.weight(width, 4 * width))
        gate = n.op("Mul", n.op("Mul", gate, n.op("Sigmoid", gate)), n.op("MatMul", y, n.weight(width, 4 * width)))
        x = n.op("Add", x, n.op("MatMul", gate, n.weight(4 * width, width)))
    return n.model(inputs, [n.op("MatMul", x, n.weight(width, 32000)), *outputs])


def _quantised(n: _Network, x: str) -> str:
    scale, zero = n.weight(), n.weight(kind=TensorProto.INT8)
    return n.op("DequantizeLinear", n.op("QuantizeLinear", x, scale, zero), scale, zero)


def _quantised_conv(n: _Network, x: str, cin: int, cout: int, kernel: int, stride: int = 1) -> str:
    packed = n.weight(cout, cin, kernel, kernel, kind=TensorProto.INT8)
    scale, zero = n.weight(cout), n.weight(cout, kind=TensorProto.INT8)
    weight = n.op("DequantizeLinear", packed, scale, zero, axis=0)
    return n.op("Conv", x, weight, n.weight(cout), **_window(kernel, stride))


def quantised(count: int) -> onnx.ModelProto:
    """Residual networks side by side with a QDQ pair on every activation and quantised weights."""
    n = _Network()
    outputs = []
    while len(n.nodes) < count:
        x, width = _quantised(n, n.op("Relu", _quantised_conv(n, _quantised(n, "x"), 3, 64, 7, 2))), 64
        for repeats, channels in ((3, 256), (4, 512), (6, 1024), (3, 2048)):
            for index in range(repeats):
                y, inner = x, channels // 4
                y = _quantised(n, n.op("Relu", _quantised_conv(n, y, width, inner, 1)))
                y = _quantised(n, n.op("Relu", _quantised_conv(n, y, inner, inner, 3, 2 if index == 0 else 1)))
                y = _quantised(n, _quantised_conv(n, y, inner, channels, 1))
                side = x if index else _quantised(n, _quantised_conv(n, x, width, channels, 1, 2))
                x, width = _quantised(n, n.op("Relu", n.op("Add", y, side))), channels
        pooled = n.op("Flatten", n.op("GlobalAveragePool", x), axis=1)
        outputs.append(n.op("Gemm", _quantised(n, pooled), n.weight(1000, 2048), n.weight(1000), transB=1))
    return n.model({"x": [1, 3, 224, 224]}, outputs)


CORPUS: Mapping[str, Callable[[int], onnx.ModelProto]] = MappingProxyType(
    {"detector": detector, "encoder": encoder, "decoder": decoder, "quantised": quantised}
)
"""Name of each kind of model and how to make one of about so many nodes."""
