"""Partial evaluation of small constant chains (Shape, Gather, Concat, ... on integers), in numpy.

Shape inference alone stops at values that such a chain computes. Only results of at most `MAX_ELEMENTS` elements are
kept, no weight is read, and an operator that is not in the table simply stays unknown.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import onnx

from inspector.model.dtype import from_onnx
from inspector.model.graph import MAIN, Model, Node, Value
from inspector.model.shape import static

Array = npt.NDArray[np.generic]
Values = Mapping[str, Value]

MAX_ELEMENTS = 4096
"""Largest result that is kept; a shape has a handful of elements, a mask or a position table may have thousands."""


def fold_constants(model: Model, values: Values) -> dict[str, Array]:
    """Values of the main graph that are known before run time, by name, beyond initializers and Constant nodes.

    *values* are the shapes known so far (`Shape` of a static tensor is a constant). Bodies are not entered.
    """
    known: dict[str, Array] = {}
    for node in model.main.nodes:
        results = _evaluate(model, node, known, values)
        if results is None:
            continue
        pairs = zip(node.outputs, results, strict=False)
        known.update((name, result) for name, result in pairs if name and result.size <= MAX_ELEMENTS)
    return known


def _evaluate(model: Model, node: Node, known: Mapping[str, Array], values: Values) -> Sequence[Array] | None:
    """Outputs of *node*, or None when it cannot be evaluated."""
    if node.op.domain or node.bodies:
        return None
    if node.op.name in ("Shape", "Size"):
        result = _shape(node, values)
        return None if result is None else [result]
    if node.op.name in ("Gather", "Slice"):
        picked = _pick_from_shape(model, node, known, values)
        if picked is not None:
            return [picked]
    evaluator = _EVALUATORS.get(node.op.name)
    if evaluator is None:
        return None
    inputs: list[Array | None] = []
    for name in node.inputs:
        array = _operand(model, name, known) if name else None
        if name and array is None:
            return None
        inputs.append(array)
    try:
        with np.errstate(all="ignore"):
            return evaluator(node, inputs)
    except (ValueError, IndexError, TypeError, ZeroDivisionError, OverflowError, MemoryError):
        return None  # a node that does not make sense is not constant; shape inference reports it


def _operand(model: Model, name: str, known: Mapping[str, Array]) -> Array | None:
    """Values of *name* when it is a small constant."""
    if name in known:
        return known[name]
    tensor = model.constant_tensor(MAIN, name)
    if tensor is None or int(np.prod(np.array(tensor.dims, dtype=np.float64))) > MAX_ELEMENTS:
        return None
    if tensor.data_location == onnx.TensorProto.EXTERNAL:
        return None  # larger than what stays inline, or in another file: not worth touching the disk
    return model.tensors.array(tensor)


def _shape(node: Node, values: Values) -> Array | None:
    known = values.get(node.inputs[0]) if node.inputs else None
    if known is None or known.shape is None:
        return None
    window = known.shape
    if node.op.name == "Shape":
        window = window[_int(node, "start", 0) : _opt_int(node, "end")]
    sizes = static(window)
    if sizes is None:
        return None
    return np.array(sizes if node.op.name == "Shape" else np.prod(sizes, dtype=np.int64), np.int64)


def _pick_from_shape(model: Model, node: Node, known: Mapping[str, Array], values: Values) -> Array | None:
    """Elements of a shape that are known although others are not: `Shape -> Gather(1)` with a dynamic batch."""
    source = model.producer(MAIN, node.inputs[0]) if node.inputs else None
    if source is None or not source.inputs or source.op.name != "Shape" or source.op.domain or source.attributes:
        return None
    shape = (values.get(source.inputs[0]) or Value("")).shape
    rest = [_operand(model, name, known) if name else None for name in node.inputs[1:]]
    if shape is None or any(r is None and name for r, name in zip(rest, node.inputs[1:], strict=True)):
        return None
    masked = np.array([-1 if d.size is None else d.size for d in shape], np.int64)
    try:
        picked = _EVALUATORS[node.op.name](node, [masked, *rest])[0]
    except (ValueError, IndexError, TypeError):
        return None
    return None if (picked < 0).any() else picked  # type: ignore[operator]


def _int(node: Node, name: str, default: int) -> int:
    value = node.attributes.get(name, default)
    return value if isinstance(value, int) else default


def _opt_int(node: Node, name: str) -> int | None:
    value = node.attributes.get(name)
    return value if isinstance(value, int) else None


def _ints(node: Node, name: str, inputs: Sequence[Array | None], position: int) -> tuple[int, ...] | None:
    """A list of integers that is an attribute in older opsets and an input in newer ones."""
    value = node.attributes.get(name)
    if isinstance(value, tuple):
        return tuple(int(v) for v in value)
    array = inputs[position] if position < len(inputs) else None
    return None if array is None else tuple(int(v) for v in np.atleast_1d(array))


def _need(inputs: Sequence[Array | None], position: int = 0) -> Array:
    array = inputs[position]
    if array is None:
        raise ValueError(position)
    return array


def _constant(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    del inputs
    for name, kind in (("value_int", np.int64), ("value_ints", np.int64), ("value_float", np.float32)):
        if name in node.attributes:
            return [np.array(node.attributes[name], kind)]
    if "value_floats" in node.attributes:
        return [np.array(node.attributes["value_floats"], np.float32)]
    raise ValueError(node.op.name)


def _constant_of_shape(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    sizes = tuple(int(v) for v in _need(inputs))
    if np.prod(np.array(sizes, np.float64)) > MAX_ELEMENTS:
        raise ValueError(sizes)
    value = node.attributes.get("value")
    fill = onnx.numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else np.zeros(1, np.float32)
    return [np.full(sizes, fill.reshape(-1)[0])]


def _gather(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    return [np.asarray(np.take(_need(inputs), _need(inputs, 1).astype(np.int64), axis=_int(node, "axis", 0)))]


def _concat(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    return [np.concatenate([_need(inputs, i) for i in range(len(inputs))], axis=_int(node, "axis", 0))]


def _slice(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    data = _need(inputs)
    starts, ends = _ints(node, "starts", inputs, 1), _ints(node, "ends", inputs, 2)
    if starts is None or ends is None:
        raise ValueError(node.op.name)
    axes = _ints(node, "axes", inputs, 3) or tuple(range(len(starts)))
    steps = _ints(node, "steps", inputs, 4) or (1,) * len(starts)
    window = [slice(None)] * data.ndim
    for axis, start, end, step in zip(axes, starts, ends, steps, strict=True):
        length = data.shape[axis]
        stop = None if step < 0 and end < -length else end
        window[axis] = slice(start, stop, step)
    return [data[tuple(window)]]


def _unsqueeze(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    axes = _ints(node, "axes", inputs, 1)
    if axes is None:
        raise ValueError(node.op.name)
    return [np.expand_dims(_need(inputs), axes)]


def _squeeze(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    return [np.squeeze(_need(inputs), _ints(node, "axes", inputs, 1))]


def _cast(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    dtype = from_onnx(_int(node, "to", 0))
    if dtype is None or dtype.numpy is None:
        raise ValueError(node.op.name)
    return [_need(inputs).astype(dtype.numpy)]


def _div(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    del node
    a, b = _need(inputs), _need(inputs, 1)
    if a.dtype.kind in "iu":
        if (b == 0).any():
            raise ZeroDivisionError
        return [np.trunc(np.divide(a, b)).astype(a.dtype)]
    return [np.divide(a, b).astype(a.dtype)]


def _reshape(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    data = _need(inputs)
    target = list(_ints(node, "shape", inputs, 1) or ())
    if not _int(node, "allowzero", 0):
        target = [data.shape[i] if size == 0 else size for i, size in enumerate(target)]
    return [data.reshape(target)]


def _range(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    del node
    start, limit, step = (_need(inputs, i) for i in range(3))
    result = np.arange(start.item(), limit.item(), step.item(), dtype=start.dtype)
    if result.size > MAX_ELEMENTS:
        raise ValueError(result.size)
    return [result]


def _expand(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    del node
    data, sizes = _need(inputs), tuple(int(v) for v in _need(inputs, 1))
    shape = np.broadcast_shapes(data.shape, sizes)
    if np.prod(np.array(shape, np.float64)) > MAX_ELEMENTS:
        raise ValueError(shape)
    return [np.broadcast_to(data, shape)]


def _split(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
    data, axis = _need(inputs), _int(node, "axis", 0)
    pieces = _ints(node, "split", inputs, 1)
    if pieces is None:
        size = -(-data.shape[axis] // len(node.outputs))
        return list(np.split(data, range(size, data.shape[axis], size), axis))
    return list(np.split(data, np.cumsum(pieces)[:-1], axis))


def _reduce(function: Callable[..., object]) -> Callable[[Node, Sequence[Array | None]], list[Array]]:
    def evaluate(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
        axes = _ints(node, "axes", inputs, 1)
        if not axes and _int(node, "noop_with_empty_axes", 0):
            return [_need(inputs)]
        kept = bool(_int(node, "keepdims", 1))
        data = _need(inputs)
        return [np.asarray(function(data, axis=axes or None, keepdims=kept)).astype(data.dtype)]

    return evaluate


def _elementwise(function: Callable[..., object]) -> Callable[[Node, Sequence[Array | None]], list[Array]]:
    def evaluate(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
        del node
        return [np.asarray(function(*(_need(inputs, i) for i in range(len(inputs)))))]

    return evaluate


def _same_dtype(function: Callable[..., object]) -> Callable[[Node, Sequence[Array | None]], list[Array]]:
    """Elementwise in the dtype of the first operand; any number of operands for Min, Max and Sum."""

    def evaluate(node: Node, inputs: Sequence[Array | None]) -> list[Array]:
        del node
        result: object = _need(inputs)
        for position in range(1, len(inputs)):
            result = function(result, _need(inputs, position))
        return [np.asarray(result).astype(_need(inputs).dtype)]

    return evaluate


_EVALUATORS: Mapping[str, Callable[[Node, Sequence[Array | None]], Sequence[Array]]] = {
    "Constant": _constant,
    "ConstantOfShape": _constant_of_shape,
    "Gather": _gather,
    "Concat": _concat,
    "Slice": _slice,
    "Unsqueeze": _unsqueeze,
    "Squeeze": _squeeze,
    "Cast": _cast,
    "Div": _div,
    "Reshape": _reshape,
    "Range": _range,
    "Expand": _expand,
    "Split": _split,
    "Identity": _elementwise(lambda a: a),
    "Transpose": lambda node, inputs: [np.transpose(_need(inputs), node.attributes.get("perm"))],  # type: ignore[arg-type]
    "Add": _same_dtype(np.add),
    "Sub": _same_dtype(np.subtract),
    "Mul": _same_dtype(np.multiply),
    "Min": _same_dtype(np.minimum),
    "Max": _same_dtype(np.maximum),
    "Neg": _elementwise(np.negative),
    "Abs": _elementwise(np.abs),
    "Floor": _elementwise(np.floor),
    "Ceil": _elementwise(np.ceil),
    "Sqrt": _elementwise(np.sqrt),
    "Not": _elementwise(np.logical_not),
    "And": _elementwise(np.logical_and),
    "Or": _elementwise(np.logical_or),
    "Equal": _elementwise(np.equal),
    "Greater": _elementwise(np.greater),
    "GreaterOrEqual": _elementwise(np.greater_equal),
    "Less": _elementwise(np.less),
    "LessOrEqual": _elementwise(np.less_equal),
    "Where": _elementwise(np.where),
    "NonZero": _elementwise(lambda a: np.array(np.nonzero(a), np.int64)),
    "ReduceProd": _reduce(np.prod),
    "ReduceSum": _reduce(np.sum),
    "ReduceMax": _reduce(np.max),
    "ReduceMin": _reduce(np.min),
    "Tile": _elementwise(lambda a, repeats: np.tile(a, tuple(int(v) for v in repeats))),
}
