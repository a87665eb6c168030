"""The 29 problems that people meet on BPU chips, as tiny models, and where each node runs.

Expectations are (platform, node, verdict); node `*model*` with REJECT means that the toolchain refuses the file. The
ground of each is the vendor's operator list or FAQ, a published tool log, or a report.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper

from tests.helpers.models import INT64, proto

REJECT = "REJECT"
MODEL = "*model*"
Array = npt.NDArray[np.generic]


class Builder:
    """Nodes in order; weights are noise of a fixed seed, since placement never depends on them."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: dict[str, Array] = {}
        self._rng = np.random.default_rng(7)

    def noise(self, *shape: int) -> Array:
        return self._rng.standard_normal(shape).astype(np.float32)

    def tensor(self, value: Array | Sequence[int] | np.generic) -> str:
        array = np.asarray(value, np.int64) if isinstance(value, list | tuple) else np.asarray(value)
        name = f"t{len(self.tensors)}"
        self.tensors[name] = array
        return name

    def op(
        self, op: str, inputs: Sequence[str], name: str, domain: str = "", outs: int = 1, **attributes: object
    ) -> str:
        outputs = [f"{name}_out"] if outs == 1 else [f"{name}_out{i}" for i in range(outs)]
        self.nodes.append(helper.make_node(op, list(inputs), outputs, name, domain=domain, **attributes))
        return outputs[0]

    def conv(self, x: str, cin: int, cout: int, k: int, name: str, pad: int | None = None) -> str:
        pad = k // 2 if pad is None else pad
        weights = [self.tensor(self.noise(cout, cin, k, k)), self.tensor(self.noise(cout))]
        return self.op("Conv", [x, *weights], name, kernel_shape=[k, k], pads=[pad] * 4, strides=[1, 1])

    def reshape(self, x: str, shape: Sequence[int], name: str) -> str:
        return self.op("Reshape", [x, self.tensor(list(shape))], name)

    def model(
        self,
        inputs: Mapping[str, Sequence[int | str]],
        output: str,
        shape: Sequence[int | str],
        *,
        opset: int = 11,
        ir: int = 6,
        domains: Sequence[str] = (),
    ) -> onnx.ModelProto:
        return proto(self.nodes, inputs, {output: shape}, self.tensors, opset=opset, ir=ir, domains=domains)


@dataclass(frozen=True)
class Problem:
    """One problem: how to build it, and what is expected where."""

    id: str
    build: Callable[[], onnx.ModelProto]
    expects: tuple[tuple[str, str, str], ...]
    flow: str = "ptq"
    dims: Mapping[str, int] = field(default_factory=dict)


PROBLEMS: list[Problem] = []


def problem(key: str, *expects: tuple[str, str, str], flow: str = "ptq"):
    """Register the decorated builder."""

    def register(build: Callable[[], onnx.ModelProto]) -> Callable[[], onnx.ModelProto]:
        PROBLEMS.append(Problem(key, build, expects, flow))
        return build

    return register


def on(platforms: str, node: str, verdict: str) -> tuple[tuple[str, str, str], ...]:
    """The same expectation on several platforms."""
    return tuple((platform, node, verdict) for platform in platforms.split())


@problem("P01", ("j6p", "deconv3d", "CPU"))
def transposed_conv_3d() -> onnx.ModelProto:
    b = Builder()
    w, bias = b.tensor(b.noise(16, 8, 5, 2, 2)), b.tensor(b.noise(8))
    y = b.op("ConvTranspose", ["x", w, bias], "deconv3d", kernel_shape=[5, 2, 2], strides=[5, 2, 2])
    return b.model({"x": [1, 16, 2, 4, 4]}, y, [1, 8, 10, 8, 8])


def trilinear() -> onnx.ModelProto:
    b = Builder()
    factors = b.tensor(np.array([1, 1, 2, 2, 2], np.float32))
    roi = b.tensor(np.array([], np.float32))
    y = b.op("Resize", ["x", roi, factors], "trilinear", mode="linear", coordinate_transformation_mode="half_pixel")
    return b.model({"x": [1, 8, 3, 5, 6]}, y, [1, 8, 6, 10, 12])


problem("P03", *on("x3 ultra", "trilinear", "UNSUPPORTED"))(trilinear)
problem("P03-qat", ("j6p", "trilinear", "UNSUPPORTED"), flow="qat")(trilinear)


@problem("P04", ("x3", "bn", "BPU"))
def conv_bn_add() -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 8, 8, 3, "conv")
    norm = [b.tensor(b.noise(8)), b.tensor(b.noise(8)), b.tensor(b.noise(8)), b.tensor(np.abs(b.noise(8)) + 1)]
    t = b.op("BatchNormalization", [t, *norm], "bn")
    t = b.op("Add", [t, "x"], "residual")
    return b.model({"x": [1, 8, 8, 8]}, b.op("Relu", [t], "relu"), [1, 8, 8, 8])


@problem("P06", *((("x3", f"slice_{a}{i}", "CPU")) for a in "hw" for i in range(4)), ("x3", "focus", "CPU"),
         ("x3", "stem", "BPU"))  # fmt: skip
def focus_stem() -> onnx.ModelProto:
    b = Builder()
    parts = []
    for i, (row, column) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)]):
        t = "x"
        for letter, start, axis in (("h", row, 2), ("w", column, 3)):
            limits = [b.tensor([value]) for value in (start, 2**31, axis, 2)]
            t = b.op("Slice", [t, *limits], f"slice_{letter}{i}")
        parts.append(t)
    t = b.op("Concat", parts, "focus", axis=1)
    return b.model({"x": [1, 3, 16, 16]}, b.conv(t, 12, 8, 3, "stem"), [1, 8, 8, 8])


@problem("P07", *on("x3", "to5d", "CPU"), *on("x3", "to_bhw", "CPU"), *on("ultra", "to5d", "BPU"),
         *on("ultra", "to_bhw", "BPU"))  # fmt: skip
def head_in_5d() -> onnx.ModelProto:
    b = Builder()
    t = b.reshape(b.conv("x", 16, 21, 1, "head"), [1, 3, 7, 8, 8], "to5d")
    return b.model({"x": [1, 16, 8, 8]}, b.op("Transpose", [t], "to_bhw", perm=[0, 1, 3, 4, 2]), [1, 3, 8, 8, 7])


@problem("P08", ("x3", "fc1", "BPU"), *((("x3", node, "CPU")) for node in ("fc1_reshape", "square", "sum")))
def l2_norm_tail() -> onnx.ModelProto:
    b = Builder()
    t = b.reshape(b.conv("x", 32, 16, 7, "fc1", pad=0), [1, 16], "fc1_reshape")
    s = b.op("Pow", [t, b.tensor(np.float32(2))], "square")
    s = b.op("ReduceSum", [s], "sum", axes=[1], keepdims=1)
    s = b.op("Pow", [s, b.tensor(np.float32(0.5))], "root")
    return b.model({"x": [1, 32, 7, 7]}, b.op("Div", [t, s], "normalise"), [1, 16])


@problem("P10", *on("x3 ultra x5", "softmax", "CPU"), *on("x5", "q", "BPU"), *on("x5", "scores", "BPU"),
         *on("x5", "p_t", "BPU"), *on("x5", "weighted", "BPU"))  # fmt: skip
def attention() -> onnx.ModelProto:
    b = Builder()
    q, k, v = (b.reshape(b.conv("x", 16, 16, 1, n), [1, 2, 8, 64], f"{n}_r") for n in "qkv")
    s = b.op("MatMul", [b.op("Transpose", [q], "q_t", perm=[0, 1, 3, 2]), k], "scores")
    p = b.op("Transpose", [b.op("Softmax", [s], "softmax", axis=3)], "p_t", perm=[0, 1, 3, 2])
    o = b.reshape(b.op("MatMul", [v, p], "weighted"), [1, 16, 8, 8], "o_r")
    return b.model({"x": [1, 16, 8, 8]}, b.conv(o, 16, 16, 1, "proj"), [1, 16, 8, 8])


def _grid_sample(domain: str, opset: int, ir: int) -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 8, 8, 3, "conv")
    y = b.op("GridSample", [t, "grid"], "sample", domain, mode="bilinear", padding_mode="zeros", align_corners=0)
    domains = [domain] if domain else []
    return b.model({"x": [1, 8, 16, 16], "grid": [1, 8, 8, 2]}, y, [1, 8, 8, 8], opset=opset, ir=ir, domains=domains)


problem("P13", *on("x3 ultra x5", MODEL, REJECT))(lambda: _grid_sample("", 16, 8))
problem("P14", *on("ultra x5", "sample", "BPU"), ("x3", "sample", "UNSUPPORTED"))(
    lambda: _grid_sample("horizon", 11, 6)
)


@problem("P15", *on("x3 ultra", "assign", "CPU"))
def in_place_assignment() -> onnx.ModelProto:
    b = Builder()
    s = b.op("Sigmoid", [b.conv("x", 8, 4, 1, "head")], "sig")
    a = b.op("Slice", [s, b.tensor([0]), b.tensor([2]), b.tensor([1])], "xy")
    a = b.op("Mul", [a, b.tensor(np.full((1, 1, 1, 1), 2, np.float32))], "twice")
    index = np.stack(np.meshgrid([0], [0, 1], range(4), range(4), indexing="ij"), -1).astype(np.int64)
    return b.model({"x": [1, 8, 4, 4]}, b.op("ScatterND", [s, b.tensor(index), a], "assign"), [1, 4, 4, 4])


def _conv_relu(opset: int = 11, ir: int = 6, batch: int | str = 1, size: int | str = 8) -> onnx.ModelProto:
    b = Builder()
    y = b.op("Relu", [b.conv("x", 3, 4, 3, "conv")], "act")
    other = "W" if isinstance(size, str) else size
    return b.model({"x": [batch, 3, size, other]}, y, [batch, 4, size, other], opset=opset, ir=ir)


problem("P16", *on("x3 ultra x5", MODEL, REJECT), ("j6p", "conv", "BPU"))(lambda: _conv_relu(13, 7))
problem("P17", *on("x3 ultra x5 j6e j6p", MODEL, REJECT))(lambda: _conv_relu(batch="N", size="H"))


@problem("P18", ("x3", MODEL, REJECT))
def perceptron() -> onnx.ModelProto:
    b = Builder()
    t = b.op("Gemm", ["x", b.tensor(b.noise(32, 16)), b.tensor(b.noise(16))], "fc1")
    t = b.op("Relu", [t], "relu")
    y = b.op("Gemm", [t, b.tensor(b.noise(16, 4)), b.tensor(b.noise(4))], "fc2")
    return b.model({"x": [1, 32]}, y, [1, 4])


@problem("P20", ("x3", MODEL, REJECT))
def nothing_for_the_bpu() -> onnx.ModelProto:
    b = Builder()
    return b.model({"x": [1, 4, 8, 8]}, b.op("Sign", [b.op("Abs", ["x"], "abs")], "sign"), [1, 4, 8, 8])


@problem("P21", ("x3", "silu_mul", "CPU"), *on("ultra x5", "act", "BPU"))
def large_silu() -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 3, 16, 3, "conv")
    y = b.op("Mul", [t, b.op("Sigmoid", [t], "act")], "silu_mul")
    return b.model({"x": [1, 3, 40, 40]}, y, [1, 16, 40, 40])


@problem("P23", ("x3", "hsig", "CPU"), ("ultra", "hsig", "BPU"))
def hard_swish() -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 3, 8, 3, "conv")
    y = b.op("Mul", [t, b.op("HardSigmoid", [t], "hsig", alpha=1 / 6, beta=0.5)], "hswish_mul")
    return b.model({"x": [1, 3, 8, 8]}, y, [1, 8, 8, 8])


problem("P24", ("ultra", "conv", "BPU"), *on("ultra x5", "act", "CPU"))(_conv_relu)


@problem("P25", *((("x3", n, "CPU")) for n in ("s_r1", "s_t", "s_r2")), *((("ultra", n, "BPU")) for n in
         ("s_r1", "s_t", "s_r2")))  # fmt: skip
def channel_shuffle() -> onnx.ModelProto:
    b = Builder()
    t = b.reshape(b.conv("x", 3, 8, 3, "conv1"), [1, 2, 4, 8, 8], "s_r1")
    t = b.reshape(b.op("Transpose", [t], "s_t", perm=[0, 2, 1, 3, 4]), [1, 8, 8, 8], "s_r2")
    return b.model({"x": [1, 3, 8, 8]}, b.conv(t, 8, 4, 1, "conv2"), [1, 4, 8, 8])


@problem("P28", ("x3", "big", "CPU"), ("ultra", "big", "BPU"))
def big_kernel() -> onnx.ModelProto:
    b = Builder()
    return b.model({"x": [1, 3, 12, 12]}, b.conv("x", 3, 4, 11, "big"), [1, 4, 12, 12])


def _resize(factor: float, mode: str, **attributes: object) -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 3, 4, 3, "conv")
    roi, factors = b.tensor(np.array([], np.float32)), b.tensor(np.array([1, 1, factor, factor], np.float32))
    y = b.op("Resize", [t, roi, factors], "up", mode=mode, **attributes)
    return b.model({"x": [1, 3, 6, 6]}, y, [1, 4, int(6 * factor), int(6 * factor)])


problem("P29", *on("x3 ultra", "up", "CPU"))(
    lambda: _resize(3, "nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
)
problem("P30", *on("x3 ultra", "up", "CPU"))(lambda: _resize(2, "cubic", coordinate_transformation_mode="half_pixel"))


@problem("P32", *((("x3", n, "CPU")) for n in ("mean", "center", "sq")), *on("ultra", "mean", "BPU"),
         *on("ultra", "norm", "BPU"))  # fmt: skip
def layer_norm() -> onnx.ModelProto:
    b = Builder()
    t = b.reshape(b.conv("x", 16, 16, 1, "embed"), [1, 16, 16], "flat")
    t = b.op("Transpose", [t], "tok", perm=[0, 2, 1])
    d = b.op("Sub", [t, b.op("ReduceMean", [t], "mean", axes=[-1], keepdims=1)], "center")
    v = b.op("ReduceMean", [b.op("Mul", [d, d], "sq")], "var", axes=[-1], keepdims=1)
    s = b.op("Sqrt", [b.op("Add", [v, b.tensor(np.float32(1e-5))], "eps")], "std")
    n = b.op("Mul", [b.op("Div", [d, s], "norm"), b.tensor(b.noise(16))], "gamma")
    return b.model({"x": [1, 16, 4, 4]}, b.op("Add", [n, b.tensor(b.noise(16))], "beta"), [1, 16, 16])


def _between(op: str, value: Array, name: str, relu: bool = False) -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 3, 4, 3, "conv1")
    t = b.op("Relu", [t], "relu") if relu else t
    t = b.op(op, [t, b.tensor(value)], name)
    return b.model({"x": [1, 3, 8, 8]}, b.conv(t, 4, 4, 1, "conv2"), [1, 4, 8, 8])


problem("P34", *on("x3 ultra", "scale", "CPU"))(lambda: _between("Div", np.full((1, 1, 1, 1), 6, np.float32), "scale"))
problem("P45", *on("x3 ultra", "pow", "CPU"))(
    lambda: _between("Pow", np.full((1, 4, 1, 1), 2, np.float32), "pow", relu=True)
)


@problem("P36", *on("x3 ultra", "einsum", "UNSUPPORTED"))
def einsum() -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 8, 8, 1, "conv")
    y = b.op("Einsum", [t, b.tensor(b.noise(5, 8))], "einsum", equation="bchw,oc->bohw")
    return b.model({"x": [1, 8, 4, 6]}, y, [1, 5, 4, 6], opset=12, ir=7)


@problem("P39", ("x3", "deconv", "CPU"), ("ultra", "deconv", "BPU"))
def stride_three() -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 3, 4, 3, "conv")
    y = b.op("ConvTranspose", [t, b.tensor(b.noise(4, 4, 3, 3))], "deconv", kernel_shape=[3, 3], strides=[3, 3])
    return b.model({"x": [1, 3, 6, 6]}, y, [1, 4, 18, 18])


@problem("P46", *on("x3 ultra", "mask", "CPU"))
def masked_fill() -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 4, 4, 1, "conv1")
    mask = np.broadcast_to(np.arange(36).reshape(1, 1, 6, 6) % 3 != 0, (1, 4, 6, 6)).copy()
    t = b.op("Where", [b.tensor(mask), t, b.tensor(np.full((1, 1, 1, 1), -100, np.float32))], "mask")
    return b.model({"x": [1, 4, 6, 6]}, b.conv(t, 4, 4, 1, "conv2"), [1, 4, 6, 6])


@problem("P47", *((p, n, "FOLDED") for p in ("j6e", "ultra", "x5", "x3", "j6p") for n in ("shape", "batch", "target")))
def shape_chain() -> onnx.ModelProto:
    b = Builder()
    t = b.conv("x", 8, 8, 1, "conv")
    n = b.op("Gather", [b.op("Shape", [t], "shape"), b.tensor([0])], "batch", axis=0)
    n = b.op("Concat", [n, b.tensor([-1])], "target", axis=0)
    return b.model({"x": [1, 8, 4, 4]}, b.op("Reshape", [t, n], "flatten"), [1, 128])


@problem("P48", *on("x3 ultra x5", MODEL, REJECT))
def unknown_domain() -> onnx.ModelProto:
    b = Builder()
    y = b.op("MyDecode", [b.conv("x", 3, 4, 3, "conv")], "decode", "my.custom")
    return b.model({"x": [1, 3, 8, 8]}, y, [1, 4, 8, 8], domains=["my.custom"])


def occupancy_head() -> onnx.ModelProto:
    """Three transposed 3-D convolutions, as in the head of an occupancy network."""
    b = Builder()
    t, shape = "x", [1, 128, 2, 8, 8]
    for i, (cin, cout, kernel) in enumerate([(128, 64, (5, 2, 2)), (64, 48, (2, 2, 2)), (48, 32, (2, 2, 2))]):
        w = b.tensor(b.noise(cin, cout, *kernel))
        t = b.op("ConvTranspose", [t, w], f"up{i}", kernel_shape=list(kernel), strides=list(kernel))
        shape = [1, cout, *(s * k for s, k in zip(shape[2:], kernel, strict=True))]
    return b.model({"x": [1, 128, 2, 8, 8]}, t, shape)


__all__ = ["INT64", "MODEL", "PROBLEMS", "REJECT", "Builder", "Problem", "occupancy_head"]
