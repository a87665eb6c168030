"""What a node costs: multiply-accumulates, parameters, and bytes of what it makes.

Counting rules. A MAC is one multiplication with its addition. Linear operators count exactly (the formulas stand at
the functions, after the operator definitions of ONNX); a pooling window counts one accumulation per element it reads;
an element-wise operator counts one operation per output element; moving data (Reshape, Transpose, Slice, ...) counts 0.
An operator without a rule here has unknown MACs, never 0.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import prod

from inspector.model.graph import Model, Node, NodeId, Value
from inspector.model.shape import elements, static


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_MOVES = _names(
    "Reshape Transpose Squeeze Unsqueeze Flatten Slice Split Concat Pad Identity Dropout Constant ConstantOfShape "
    "Shape Size Gather GatherND GatherElements ScatterND ScatterElements Expand Tile DepthToSpace SpaceToDepth Cast "
    "CastLike EyeLike Compress ReverseSequence"
)
_ELEMENTWISE = _names(
    "Add Sub Mul Div Pow Min Max Mean Sum Mod And Or Xor Not Equal Greater Less GreaterOrEqual LessOrEqual Where Abs "
    "Acos Acosh Asin Asinh Atan Atanh Ceil Celu Clip Cos Cosh Elu Erf Exp Floor Gelu HardSigmoid HardSwish IsInf IsNaN "
    "LeakyRelu Log Mish Neg PRelu Reciprocal Relu Round Selu Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Tan Tanh "
    "ThresholdedRelu BatchNormalization InstanceNormalization LayerNormalization GroupNormalization LpNormalization "
    "Softmax LogSoftmax QuantizeLinear DequantizeLinear"
)
_REDUCTIONS = _names(
    "ReduceMax ReduceMin ReduceMean ReduceSum ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp "
    "ReduceSumSquare ArgMax ArgMin GlobalAveragePool GlobalMaxPool CumSum"
)


@dataclass(frozen=True, slots=True)
class NodeCost:
    """Cost of one node.

    Attributes:
        macs: multiply-accumulate operations per run; None when a shape is unknown or the operator has no rule.
        parameters: number of elements of its constant floating-point inputs; None when one's shape is unknown.
        bytes_out: size of its outputs in bytes, in the element types of the file; None when unknown.
    """

    macs: int | None
    parameters: int | None
    bytes_out: int | None


@dataclass(frozen=True, slots=True)
class SetCost:
    """Cost of a set of nodes.

    Attributes:
        macs: sum of their MACs; None when one is unknown.
        bytes: sum of their output tensors in bytes, in the element types of the file; None when one is unknown.
        widest_channels: largest axis-1 size of an output of rank 3 or more; None when unknown or when there is none.
        widest_bytes: bytes of their largest output; None when one is unknown.
    """

    macs: int | None
    bytes: int | None
    widest_channels: int | None
    widest_bytes: int | None


def value_bytes(value: Value) -> int | None:
    """Size of a tensor in bytes (whole bytes, rounded up for packed types); None when shape or dtype is unknown."""
    count = elements(value.shape)
    bits = value.dtype.bits if value.dtype is not None else None
    if count is None or bits is None:
        return None
    return (count * bits + 7) // 8


def node_cost(model: Model, node: Node) -> NodeCost:
    """Cost of *node*; bodies of control flow and function bodies are not included."""
    outputs = [value for value in model.output_values(node) if value.name]
    return NodeCost(_macs(model, node), _parameters(model, node), _sum(value_bytes(value) for value in outputs))


def cost_of(model: Model, nodes: Iterable[NodeId]) -> SetCost:
    """Cost of *nodes* of *model* together; constants among them cost nothing."""
    macs: list[int | None] = []
    sizes: list[int | None] = []
    channels: list[int | None] = []
    for node_id in nodes:
        node = model.node(node_id)
        if node.op.name == "Constant" and not node.op.domain:
            continue
        macs.append(_macs(model, node))
        for value in model.output_values(node):
            if not value.name:
                continue
            sizes.append(value_bytes(value))
            if value.shape is None:
                channels.append(None)
            elif len(value.shape) >= 3:
                channels.append(value.shape[1].size)
    return SetCost(_sum(macs), _sum(sizes), _largest(channels), _largest(sizes))


def _sum(figures: Iterable[int | None]) -> int | None:
    total = 0
    for figure in figures:
        if figure is None:
            return None
        total += figure
    return total


def _largest(figures: list[int | None]) -> int | None:
    known = [figure for figure in figures if figure is not None]
    return max(known) if known and len(known) == len(figures) else None


def _parameters(model: Model, node: Node) -> int | None:
    total = 0
    for name in node.inputs:
        if not name or not model.is_constant(node.graph, name):
            continue
        value = model.value(node.graph, name)
        if value.dtype is not None and not value.dtype.is_float:
            continue
        tensor = model.constant_tensor(node.graph, name)
        count = prod(tensor.dims) if tensor is not None else elements(value.shape)
        if count is None:
            return None
        total += count
    return total


def _macs(model: Model, node: Node) -> int | None:
    if node.op.domain not in ("", "ai.onnx"):
        return None
    op = node.op.name
    if op in _MOVES:
        return 0
    rule = _RULES.get(op)
    if rule is not None:
        return rule(model, node)
    if op in _ELEMENTWISE:
        return _sum(elements(v.shape) for v in model.output_values(node)[:1])
    if op in _REDUCTIONS:
        return _sum(elements(v.shape) for v in model.input_values(node)[:1])
    return None


def _sizes(model: Model, node: Node, index: int) -> tuple[int, ...] | None:
    """Static sizes of input *index*, taken from the tensor itself for a constant; None when unknown or left out."""
    if index >= len(node.inputs) or not node.inputs[index]:
        return None
    tensor = model.constant_tensor(node.graph, node.inputs[index])
    if tensor is not None:
        return tuple(tensor.dims)
    return static(model.value(node.graph, node.inputs[index]).shape)


def _out(model: Model, node: Node) -> tuple[int, ...] | None:
    return static(model.output_values(node)[0].shape) if node.outputs and node.outputs[0] else None


def _conv(model: Model, node: Node) -> int | None:
    """Output elements x input channels per group x kernel: weight axes are (out channels, in / group, kernel...)."""
    out, weight = _out(model, node), _sizes(model, node, 1)
    return None if out is None or weight is None else prod(out) * prod(weight[1:])


def _conv_transpose(model: Model, node: Node) -> int | None:
    """Input elements x output channels per group x kernel: weight axes are (in channels, out / group, kernel...)."""
    data, weight = _sizes(model, node, 0), _sizes(model, node, 1)
    return None if data is None or weight is None else prod(data) * prod(weight[1:])


def _gemm(model: Model, node: Node) -> int | None:
    """M x N x K."""
    out, a = _out(model, node), _sizes(model, node, 0)
    if out is None or a is None or len(a) != 2:
        return None
    return prod(out) * a[0 if node.attributes.get("transA", 0) else 1]


def _matmul(model: Model, node: Node) -> int | None:
    """Output elements x the contracted size, the last axis of A."""
    out, a = _out(model, node), _sizes(model, node, 0)
    return None if out is None or not a else prod(out) * a[-1]


def _pool(model: Model, node: Node) -> int | None:
    """Output elements x window."""
    out, kernel = _out(model, node), node.attributes.get("kernel_shape")
    if out is None or not isinstance(kernel, tuple):
        return None
    return prod(out) * prod(int(size) for size in kernel)


def _resize(model: Model, node: Node) -> int | None:
    """Output elements x taps: 2 (linear) or 4 (cubic) per resized axis; nearest only moves data."""
    mode = node.attributes.get("mode", "nearest")
    if mode == "nearest":
        return 0
    data, out = _sizes(model, node, 0), _out(model, node)
    taps = {"linear": 2, "cubic": 4}.get(str(mode))
    if data is None or out is None or taps is None or len(data) != len(out):
        return None
    resized = sum(a != b for a, b in zip(data, out, strict=True))
    return prod(out) * int(taps**resized)


_RULES: dict[str, Callable[[Model, Node], int | None]] = {
    "Conv": _conv,
    "ConvTranspose": _conv_transpose,
    "Gemm": _gemm,
    "MatMul": _matmul,
    "AveragePool": _pool,
    "MaxPool": _pool,
    "LpPool": _pool,
    "Resize": _resize,
    "Upsample": _resize,
}
