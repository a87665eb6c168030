"""`Sample`: a model of one node in a few words, and the ONNX model that it stands for.

A tensor is written `float32[1,4,8,8]`; `=float32[8,4,3,3]` is a constant of zeros, `=int64[2]{1,2}` one with these
values, `float32[N,4,8,8]` has an axis of unknown length, `float32?` an unknown rank, `?[1,4]` an unknown dtype.
`513*float32[1,4]` stands for 513 of them, `-` for an input that is left out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper, shape_inference

from inspector.model.dtype import DType, to_onnx
from inspector.placement.target import Flow, Qtype

NODE: Final = "n"
"""Name of the node that a sample is about."""

CONSTANT_LIMIT: Final = 1 << 17
"""Elements above which a tensor is made an input of the model rather than a constant in its file."""

_IR_VERSION: Final = 7
_STRANGE: Final = "com.example"
_TENSOR: Final = re.compile(r"(=?)(\?|[a-z0-9]+)(?:(\?)|\[([^\]]*)\])(?:\{([^}]*)\})?")


@dataclass(frozen=True, slots=True)
class Tensor:
    """An input of the node.

    Attributes:
        dtype: element type; empty when unknown.
        shape: length per axis, a name where it is not known; None for an unknown rank.
        constant: whether its values stand in the file.
        values: values of a constant in row-major order; None for zeros.
    """

    dtype: str = "float32"
    shape: tuple[int | str, ...] | None = (1, 4, 8, 8)
    constant: bool = False
    values: tuple[float, ...] | None = None

    def __str__(self) -> str:
        sizes = "?" if self.shape is None else f"[{','.join(map(str, self.shape))}]"
        values = "" if self.values is None else "{" + ",".join(f"{value:g}" for value in self.values) + "}"
        return f"{'=' if self.constant else ''}{self.dtype or '?'}{sizes}{values}"


@dataclass(frozen=True)
class Sample:
    """A model of one node.

    Attributes:
        op: operator.
        inputs: in order; None for one that is left out.
        domain: operator domain; empty for ONNX's own.
        opset: of ONNX's own domain; 0 for a file that names none.
        attributes: as the file sets them.
        outputs: number of outputs.
        left_out: indices of outputs that are left out.
        result: form of the outputs, where ONNX cannot tell it.
        follower: operator that reads the first output: empty (it is an output of the model), `Relu`, `Add` (with
            another input of the model) or `Transpose` (with another one before the first input).
        producer: who wrote the file.
        ir_version: of the file.
        qtype: number format that the node is asked to compute in.
        flow: quantisation flow.
    """

    op: str
    inputs: tuple[Tensor | None, ...]
    domain: str = ""
    opset: int = 11
    attributes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    outputs: int = 1
    left_out: tuple[int, ...] = ()
    result: Tensor | None = None
    follower: str = ""
    producer: str = ""
    ir_version: int = _IR_VERSION
    qtype: Qtype = Qtype.INT8
    flow: Flow = Flow.PTQ

    @property
    def key(self) -> str:
        """What tells two samples apart."""
        return repr(self.as_json())

    def as_json(self) -> dict[str, Any]:
        """The sample as plain data: what differs from the defaults."""
        plain: dict[str, Any] = {"op": self.op, "in": _written(self.inputs)}
        if self.attributes:
            plain["attrs"] = {k: list(v) if isinstance(v, tuple) else v for k, v in sorted(self.attributes.items())}
        if self.left_out:
            plain["left_out"] = list(self.left_out)
        if self.result is not None:
            plain["result"] = str(self.result)
        for name in _PLAIN:
            value = getattr(self, name)
            if value != _DEFAULTS[name]:
                plain[name] = str(value) if isinstance(value, Qtype | Flow) else value
        return plain


_PLAIN: Final = ("domain", "opset", "outputs", "follower", "producer", "ir_version", "qtype", "flow")
_DEFAULTS: Final = {name: getattr(Sample("", ()), name) for name in _PLAIN}


def from_json(plain: Mapping[str, Any]) -> Sample:
    """The sample that `Sample.as_json` wrote."""
    values = {name: plain[name] for name in _PLAIN if name in plain}
    if "qtype" in values:
        values["qtype"] = Qtype(values["qtype"])
    if "flow" in values:
        values["flow"] = Flow(values["flow"])
    attributes = {k: tuple(v) if isinstance(v, list) else v for k, v in plain.get("attrs", {}).items()}
    result = tensors([plain["result"]])[0] if "result" in plain else None
    return Sample(op=plain["op"], inputs=tensors(plain["in"]), attributes=attributes, result=result,
                  left_out=tuple(plain.get("left_out", ())), **values)  # fmt: skip


def tensors(words: Iterable[str]) -> tuple[Tensor | None, ...]:
    """Tensors from their short form.

    Raises:
        ValueError: a word has another form.
    """
    found: list[Tensor | None] = []
    for word in words:
        count, star, rest = word.rpartition("*")
        found.extend([_tensor(rest)] * (int(count) if star else 1))
    return tuple(found)


def _tensor(word: str) -> Tensor | None:
    if word == "-":
        return None
    match = _TENSOR.fullmatch(word)
    if match is None:
        raise ValueError(word)
    constant, dtype, ranks, sizes, values = match.groups()
    shape = None if ranks else tuple(int(s) if s.lstrip("-").isdigit() else s for s in sizes.split(",") if s)
    numbers = None if values is None else tuple(_number(v) for v in values.split(",") if v)
    return Tensor("" if dtype == "?" else dtype, shape, bool(constant), numbers)


def _number(word: str) -> float:
    return int(word) if word.lstrip("-").isdigit() else float(word)


def _written(inputs: Sequence[Tensor | None]) -> list[str]:
    words: list[str] = []
    for tensor in inputs:
        word = "-" if tensor is None else str(tensor)
        count, star, rest = words[-1].rpartition("*") if words else ("", "", "")
        if words and rest == word and len(inputs) > _MANY:
            words[-1] = f"{int(count) + 1 if star else 2}*{word}"
        else:
            words.append(word)
    return words


_MANY: Final = 8


def build(sample: Sample) -> onnx.ModelProto:
    """The model that *sample* stands for, with the types of its outputs as far as ONNX can tell them.

    Raises:
        ValueError: no such model can be written: an attribute has no type, or a constant is too large.
    """
    names = ["" if tensor is None else f"x{index}" for index, tensor in enumerate(sample.inputs)]
    results = ["" if i in sample.left_out else f"y{i}" for i in range(sample.outputs)]
    pairs = [(name, tensor) for name, tensor in zip(names, sample.inputs, strict=True) if tensor is not None]
    nodes = [helper.make_node(sample.op, names, results, NODE, domain=sample.domain, **_attributes(sample))]
    inputs = [_info(name, tensor) for name, tensor in pairs if not tensor.constant]
    outputs = [name for name in results if name]
    if sample.follower == "Transpose" and inputs:
        nodes.insert(0, helper.make_node("Transpose", ["x"], [inputs[0].name], "before"))
        inputs[0] = _turned(inputs[0])
    graph = helper.make_graph(nodes, "g", inputs, [_info(name, sample.result) for name in outputs],
                              [_constant(name, tensor) for name, tensor in pairs if tensor.constant])  # fmt: skip
    # A file without any import means opset 1; one that names other domains alone says nothing about ONNX's own.
    imports = [helper.make_opsetid("", sample.opset) if sample.opset else helper.make_opsetid(_STRANGE, 1)]
    if sample.domain:
        imports.append(helper.make_opsetid(sample.domain, 1))
    model = helper.make_model(graph, opset_imports=imports, ir_version=sample.ir_version, producer_name=sample.producer)
    if sample.opset:
        model = _with_output_types(model)
    return _followed(model, sample) if sample.follower else model


def _followed(model: onnx.ModelProto, sample: Sample) -> onnx.ModelProto:
    """Put the follower behind the first output; what an `Add` adds to it is another input of the same form."""
    graph = model.graph
    first = onnx.ValueInfoProto()
    first.CopyFrom(graph.output[0])
    names = [first.name]
    if sample.follower == "Add":
        other = graph.input.add()
        other.CopyFrom(first)
        other.name = "x"
        names.append("x")
    graph.node.append(helper.make_node(sample.follower, names, ["z"], "follower"))
    graph.output[0].name = "z"
    if sample.follower == "Transpose":
        graph.output[0].ClearField("type")  # another order of axes
    model = _with_output_types(model) if sample.opset else model
    if first.name not in [value.name for value in model.graph.value_info]:
        model.graph.value_info.append(first)  # what the file declares of an operator that ONNX does not know
    return model


def _attributes(sample: Sample) -> dict[str, Any]:
    """Attributes as onnx takes them; `value` of an operator that makes a constant is a tensor in its short form."""
    plain: dict[str, Any] = {k: list(v) if isinstance(v, tuple) else v for k, v in sample.attributes.items()}
    if isinstance(plain.get("value"), str):
        tensor = _tensor(plain["value"])
        if tensor is not None:
            plain["value"] = _constant("value", tensor)
    return plain


def _info(name: str, tensor: Tensor | None) -> onnx.ValueInfoProto:
    if tensor is None:
        info = onnx.ValueInfoProto()
        info.name = name
        return info
    code = to_onnx(DType(tensor.dtype)) if tensor.dtype else TensorProto.UNDEFINED
    return helper.make_tensor_value_info(name, code, tensor.shape)


def _turned(info: onnx.ValueInfoProto) -> onnx.ValueInfoProto:
    """Input `x` of a Transpose without `perm`, which turns the axes round, that gives a value like *info*."""
    other = onnx.ValueInfoProto()
    other.CopyFrom(info)
    other.name = "x"
    dims = list(info.type.tensor_type.shape.dim)
    for dim, source in zip(other.type.tensor_type.shape.dim, reversed(dims), strict=True):
        dim.CopyFrom(source)
    return other


def _constant(name: str, tensor: Tensor) -> TensorProto:
    dtype = DType(tensor.dtype).numpy
    sizes = [size for size in tensor.shape or () if isinstance(size, int)]
    if dtype is None or elements(tensor) > 8 * CONSTANT_LIMIT:
        raise ValueError(str(tensor))
    array = np.zeros(sizes, dtype) if tensor.values is None else np.array(tensor.values, dtype).reshape(sizes)
    return numpy_helper.from_array(array, name)


def _with_output_types(model: onnx.ModelProto) -> onnx.ModelProto:
    """*model* with what shape inference finds about its outputs; they may be axes of unknown length or nothing."""
    try:
        return shape_inference.infer_shapes(model, data_prop=True)
    except (shape_inference.InferenceError, ValueError, RuntimeError):
        return model


def is_valid(model: onnx.ModelProto) -> bool:
    """Whether ONNX's own checker, shape inference included, takes *model*."""
    try:
        onnx.checker.check_model(model, full_check=True)
    except (onnx.checker.ValidationError, shape_inference.InferenceError, ValueError, RuntimeError):
        return False
    values = (*model.graph.value_info, *model.graph.output)
    return all(dim.dim_value >= 0 for value in values for dim in value.type.tensor_type.shape.dim)


def replaced(items: Sequence[Any], index: int, value: Any) -> tuple[Any, ...]:
    """*items* with another *value* at *index*."""
    return (*items[:index], value, *items[index + 1 :])


def elements(tensor: Tensor) -> int:
    """Number of elements, unknown axes counted as one."""
    return prod(size for size in tensor.shape or () if isinstance(size, int))


def present(sample: Sample) -> Iterator[tuple[int, Tensor]]:
    """Inputs that are given, with their index."""
    for index, tensor in enumerate(sample.inputs):
        if tensor is not None:
            yield index, tensor
