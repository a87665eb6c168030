"""Short texts of a node: its attributes, one fact for the header, its output shape. None is translated."""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import onnx
from onnx import defs

from inspector.errors import TensorDataError
from inspector.model import dtype as dtypes
from inspector.model import shape as shapes
from inspector.model.graph import AttributeValue, Model, Node, OpKey

_SHORT = {
    "kernel_shape": "k",
    "strides": "s",
    "pads": "p",
    "dilations": "d",
    "group": "g",
    "axis": "axis ",
    "axes": "axes ",
    "perm": "perm ",
    "mode": "",
}
"""Attributes with a place of their own, in the order in which they are shown."""

_HIDDEN = frozenset({"value", "value_int", "value_ints", "value_float", "value_floats", "sparse_value"})
_MOST_OTHERS = 3
_LONGEST = 38
_CONVOLUTIONS = frozenset({"Conv", "ConvInteger", "QLinearConv", "DeformConv"})
_WEIGHT_INPUT = {"QLinearConv": 3, "QLinearMatMul": 3}


def attribute_text(model: Model, node: Node) -> str:
    """Attributes that differ from the ONNX default, `k5,2,2 s5,2,2 128→64`; empty when there is nothing to say."""
    text = ""
    for part in (*_attribute_parts(node), *_operand_parts(model, node)):
        longer = f"{text}  {part}" if text and part else text or part
        if len(longer) > _LONGEST:
            return f"{text}  …" if text else longer[: _LONGEST - 1] + "…"
        text = longer
    return text


def _attribute_parts(node: Node) -> list[str]:
    defaults = _defaults(node.op)
    parts: list[str] = []
    others: list[str] = []
    for name in (*_SHORT, *sorted(set(node.attributes) - set(_SHORT) - _HIDDEN)):
        value = node.attributes.get(name)
        if value is None or _is_default(name, value, defaults):
            continue
        if name in _SHORT:
            parts.append(_SHORT[name] + _known(name, value))
        else:
            others.append(_other(name, value))
    return parts + [part for part in others if part][:_MOST_OTHERS]


@cache
def _defaults(op: OpKey) -> dict[str, object]:
    """Default of each attribute of *op* that has one, decoded; empty for an operator ONNX does not know."""
    version = op.version or defs.onnx_opset_version()
    try:
        schema = defs.get_schema(op.name, version, op.domain)
    except defs.SchemaError:
        return {}
    found: dict[str, object] = {}
    for name, attribute in schema.attributes.items():
        if attribute.default_value.type:
            value = onnx.helper.get_attribute_value(attribute.default_value)
            found[name] = value.decode() if isinstance(value, bytes) else value
    return found


_NEUTRAL: dict[str, Callable[[Sequence[int]], bool]] = {
    "strides": lambda v: all(x == 1 for x in v),
    "dilations": lambda v: all(x == 1 for x in v),
    "pads": lambda v: all(x == 0 for x in v),
    "output_padding": lambda v: all(x == 0 for x in v),
}


def _is_default(name: str, value: AttributeValue, defaults: dict[str, object]) -> bool:
    if name in _NEUTRAL and isinstance(value, tuple):
        return _NEUTRAL[name](value)  # type: ignore[arg-type]
    default = defaults.get(name)
    if isinstance(default, list):
        default = tuple(default)
    return default is not None and default == value


def _known(name: str, value: AttributeValue) -> str:
    if name == "pads" and isinstance(value, tuple):
        half = len(value) // 2
        return _collapsed(value[:half]) if value[:half] == value[half:] else _listed(value)
    if isinstance(value, tuple):
        return _collapsed(value) if name in ("kernel_shape", "strides", "dilations") else _listed(value)
    return str(value)


def _collapsed(values: Sequence[object]) -> str:
    return _figure(values[0]) if values and all(v == values[0] for v in values) else _listed(values)


def _listed(values: Sequence[object]) -> str:
    return ",".join(_figure(v) for v in values)


def _figure(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)


def _other(name: str, value: AttributeValue) -> str:
    if isinstance(value, onnx.TensorProto | onnx.AttributeProto):
        return ""
    if name in ("to", "dtype") and isinstance(value, int):
        return f"→ {dtypes.from_onnx(value) or value}"
    if name == "equation":
        return str(value)
    text = _listed(value) if isinstance(value, tuple) else _figure(value)
    return f"{name} {text}"


def _operand_parts(model: Model, node: Node) -> list[str]:
    """What constant inputs say: channels of weights, factors of a Resize, axes, split sizes, bounds."""
    name = node.op.name
    if name in _CONVOLUTIONS or name in ("ConvTranspose", "Gemm", "MatMul", "QLinearMatMul"):
        return [_channels(model, node)]
    if name in ("Resize", "Upsample"):
        factors = _small(model, node, 2 if name == "Resize" and len(node.inputs) > 2 else 1)
        return [f"×{_collapsed(_without_ones(factors))}"] if factors else []
    if name.startswith("Reduce") or name in ("Squeeze", "Unsqueeze"):
        axes = _small(model, node, 1)
        return [f"axes {_listed(axes)}"] if axes else []
    if name == "Clip":
        low, high = _small(model, node, 1), _small(model, node, 2)
        return [f"{_listed(low) or '−∞'}…{_listed(high) or '∞'}"] if low or high else []
    if name == "Slice" and len(node.inputs) > 3:
        return _slice_parts(model, node)
    if name == "Gather":
        index = _small(model, node, 1)
        return [f"index {_listed(index)}"] if index and len(index) <= 4 else []
    return []


def _slice_parts(model: Model, node: Node) -> list[str]:
    starts, ends, axes = (_small(model, node, i) for i in (1, 2, 3))
    if not (starts and ends and axes):
        return []
    spans = [f"{s}:{'' if abs(int(e)) >= 2**31 - 1 else e}" for s, e in zip(starts, ends, strict=False)]  # type: ignore[call-overload]
    return [f"axis {_listed(axes)}", f"[{', '.join(spans)}]"]


def _without_ones(factors: Sequence[object]) -> Sequence[object]:
    """Factors of the spatial axes: a leading batch and channel factor of 1 is left out."""
    return factors[2:] if len(factors) > 2 and all(f == 1 for f in factors[:2]) else factors


def _channels(model: Model, node: Node) -> str:
    position = _WEIGHT_INPUT.get(node.op.name, 1)
    if len(node.inputs) <= position:
        return ""
    weight = model.constant_tensor(node.graph, node.inputs[position])
    known = shapes.static(model.value(node.graph, node.inputs[position]).shape)
    dims = known if weight is None else tuple(weight.dims)
    if dims is None or len(dims) < 2 or (weight is None and node.op.name in ("Gemm", "MatMul")):
        return ""
    group = node.attributes.get("group", 1)
    groups = group if isinstance(group, int) else 1
    if node.op.name in _CONVOLUTIONS:
        return f"{dims[1] * groups}→{dims[0]}"
    if node.op.name == "ConvTranspose":
        return f"{dims[0]}→{dims[1] * groups}"
    if node.op.name == "Gemm" and node.attributes.get("transB"):
        return f"{dims[1]}→{dims[0]}"
    return f"{dims[-2]}→{dims[-1]}"


def _small(model: Model, node: Node, position: int) -> tuple[object, ...]:
    """Values of a constant input with at most 8 elements; empty when it is not one or cannot be read."""
    if len(node.inputs) <= position or not node.inputs[position]:
        return ()
    known = model.value(node.graph, node.inputs[position])
    tensor = model.constant_tensor(node.graph, node.inputs[position])
    count = shapes.elements(known.shape) if tensor is None else int(np.prod(list(tensor.dims), dtype=np.int64))
    if count is None or not 0 < count <= 8:
        return ()
    try:
        array = model.constant(node.graph, node.inputs[position])
    except TensorDataError:
        return ()
    return () if array is None else tuple(array.ravel().tolist())


def header_fact(model: Model, node: Node) -> str:
    """One fact for the right of the header: how a Reshape changes the rank, how a Split divides; else empty."""
    if node.op.name in ("Reshape", "Flatten", "Squeeze", "Unsqueeze") and node.inputs and node.outputs:
        before = model.value(node.graph, node.inputs[0]).shape
        after = model.value(node.graph, node.outputs[0]).shape
        changed = before is not None and after is not None and len(before) != len(after)
        return f"{len(before or ())}→{len(after or ())}-D" if changed else ""
    if node.op.name == "Split":
        axis = node.attributes.get("axis", 0)
        parts = [model.value(node.graph, o).shape for o in node.outputs if o]
        if isinstance(axis, int) and parts and all(p is not None and -len(p) <= axis < len(p) for p in parts):
            return " + ".join(str(p[axis]) for p in parts[:4] if p is not None) + (" …" if len(parts) > 4 else "")
    return ""


def medium_shape(model: Model, node: Node) -> str:
    """Shape of the first output without its first axis, `64·5·12·12`; empty when the rank is unknown."""
    first = next((o for o in node.outputs if o), None)
    shape = None if first is None else model.value(node.graph, first).shape
    if shape is None:
        return ""
    return shapes.text(shape[1:] if len(shape) > 1 else shape, "·") if shape else "scalar"
