"""Small changes of a sample, as far as a clause's own figures and words suggest them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from inspector.placement.example_fit import fitted, with_attribute, with_input, without_attribute
from inspector.placement.example_hints import Hints
from inspector.placement.example_model import (
    CONSTANT_LIMIT,
    Sample,
    Tensor,
    elements,
    present,
    replaced,
)
from inspector.placement.example_schema import DTYPES, allowed_types, attribute_kinds
from inspector.placement.example_seeds import BROADCASTING
from inspector.placement.target import Flow, Qtype

SAME_RANK: Final = BROADCASTING | {"Concat", "Where"}
"""Operators whose inputs change their rank together."""

_NARROW: Final = 2
_STRAY: Final = ("int16", "float32")
"""Element types that are tried for an index or a count although ONNX refuses them: a file may hold anything."""

_OPSETS: Final = (7, 9, 10, 11, 12, 13, 16, 18)

_TIES: Final[Mapping[str, tuple[tuple[tuple[int, int], ...], ...]]] = {
    "BatchNormalization": (((0, 1), (1, 0), (2, 0), (3, 0), (4, 0)),),
    "InstanceNormalization": (((0, 1), (1, 0), (2, 0)),),
    "MatMul": (((0, -1), (1, -2)),),
    "Gemm": (((0, 1), (1, 0)), ((1, 1), (2, 0))),
    "ConvTranspose": (((0, 1), (1, 0)),),
    "LSTM": (((0, 2), (1, 2)), ((0, 1), (5, 1), (6, 1), (4, 0))),
    "GRU": (((0, 2), (1, 2)), ((0, 1), (5, 1))),
    "RNN": (((0, 2), (1, 2)), ((0, 1), (5, 1))),
    "GridSample": (((0, 0), (1, 0)),),
}
"""Operator -> axes that have one length: (input, axis) each."""


def moves(sample: Sample, clue: Hints) -> Iterator[Sample]:
    """Samples one change away from *sample*, nearest ones first."""
    yield from _attributes(sample, clue)
    yield from _types(sample)
    yield from _surroundings(sample, clue)
    yield from _ranks(sample)
    yield from _lengths(sample, clue)
    yield from _values(sample, clue)
    yield from _operands(sample)
    yield from _declared(sample, clue)


def _attributes(sample: Sample, clue: Hints) -> Iterator[Sample]:
    for name, kind in attribute_kinds(sample.op, sample.opset).items():
        if name == "kernel_shape" and sample.op in _WEIGHTED:
            continue  # the weights say it; a file in which the two differ runs nowhere
        given = sample.attributes.get(name, _blank(sample, name) if kind == "INTS" else None)
        if name in clue.names or name in sample.attributes or kind in ("INTS", "INT"):
            yield from (fitted(with_attribute(sample, name, value)) for value in _choices(kind, given, clue, name))
        elif kind == "STRING":
            yield from (with_attribute(sample, name, value) for value in _STRINGS.get(name, ())[:1])
        if name in sample.attributes:
            yield without_attribute(sample, name)
    for name in clue.names:
        if name in _PRESENCE and name not in sample.attributes:
            yield with_attribute(sample, name, 1)


_WEIGHTED: Final = ("Conv", "ConvTranspose")
_PRESENCE: Final = ("sparse_value", "extrapolation_value")
"""Attributes that a clause forbids altogether."""


_STRINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "auto_pad": ("SAME_UPPER", "VALID"),
    "coordinate_transformation_mode": ("asymmetric", "align_corners", "tf_half_pixel_for_nn", "tf_crop_and_resize"),
    "direction": ("reverse", "bidirectional"),
    "mode": ("reflect", "edge", "linear", "cubic", "nearest", "bicubic", "CRD"),
    "padding_mode": ("border", "reflection"),
    "reduction": ("add",),
}
"""Values of a text attribute other than its default."""

MADE_UP: Final = "other"
"""Value of a text attribute that no operator knows."""


def _choices(kind: str, given: Any, clue: Hints, name: str) -> Iterator[Any]:
    if kind == "INT":
        yield from (int(n) for n in clue.numbers)
        yield from (-1, -2, -3, -4)
    elif kind == "FLOAT":
        yield from (float(n) for n in clue.numbers)
    elif kind == "STRING":
        yield from _STRINGS.get(name, ())
        yield from (word for word in clue.words if word != name)
        yield MADE_UP
    elif kind == "INTS":
        yield from _lists(given, clue, name)


def _lists(given: Any, clue: Hints, name: str) -> Iterator[tuple[int, ...]]:
    base = given if isinstance(given, tuple) else ()
    if not base:
        return
    yield from clue.lists
    for number in clue.numbers:
        if number.is_integer() if isinstance(number, float) else True:
            value = int(number)
            yield (value,) * len(base)
            yield (value, *[1] * (len(base) - 1))
            for index in range(len(base)):
                yield replaced(base, index, value)
            for index in range(len(base) // 2 if name == "pads" else 0):
                yield replaced(replaced(base, index, value), index + len(base) // 2, value)
    if len(base) > 1:
        yield base[:-1]
        yield base[:1]
    yield (*base, base[-1])
    if name == "axes":
        yield from ((0,), (1,), (2,), (3,), (-1,), (-2, -1), (3, 2), (1, 2, 3), (0, 1, 2, 3), (1, 2))


def _blank(sample: Sample, name: str) -> tuple[int, ...] | None:
    """Value of a list attribute that is not set, to be changed from: as many as *sample* has axes of space."""
    first = sample.inputs[0] if sample.inputs else None
    axes = 2 if first is None or first.shape is None else max(len(first.shape) - 2, 1)
    value = _BLANK.get(name)
    return (value,) * (2 * axes if name == "pads" else axes) if value is not None else _LISTS.get(name)


_BLANK: Final[Mapping[str, int]] = {"kernel_shape": 2, "strides": 1, "dilations": 1, "pads": 0, "output_padding": 0}
_LISTS: Final[Mapping[str, tuple[int, ...]]] = {"axes": (1,), "split": (2, 2)}


def _types(sample: Sample) -> Iterator[Sample]:
    for index, tensor in present(sample):
        for dtype in DTYPES:
            allowed = allowed_types(sample.op, sample.opset, index)
            if dtype == tensor.dtype or (dtype not in allowed and (len(allowed) > _NARROW or dtype not in _STRAY)):
                continue
            alike = [i for i, other in present(sample) if other.dtype == tensor.dtype]
            yield _all_of(sample, alike, dtype)
            if len(alike) > 1:
                yield with_input(sample, index, replace(tensor, dtype=dtype))
    if "value" in sample.attributes:
        yield from (with_attribute(sample, "value", f"={dtype}[1]{{1}}") for dtype in DTYPES)
    if sample.op == "Cast":
        yield from (with_attribute(sample, "to", code) for code in (1, 2, 3, 6, 7, 9, 10, 11, 5, 4, 12, 13))


def _all_of(sample: Sample, indices: Sequence[int], dtype: str) -> Sample:
    inputs = tuple(
        replace(t, dtype=dtype) if t is not None and i in indices else t for i, t in enumerate(sample.inputs)
    )
    return replace(sample, inputs=inputs)


def _surroundings(sample: Sample, clue: Hints) -> Iterator[Sample]:
    followers = ("", "Relu", "Add", *(("Transpose",) if "between_transposes" in clue.words else ()))
    yield from (replace(sample, follower=f) for f in followers if f != sample.follower)
    yield from (replace(sample, producer=p) for p in ("", "pytorch") if p != sample.producer)
    yield from (replace(sample, qtype=q) for q in Qtype if q is not sample.qtype)
    yield from (replace(sample, flow=f) for f in Flow if f is not sample.flow)
    yield from (replace(sample, opset=o) for o in _OPSETS if o != sample.opset)
    if sample.domain and sample.op == "GridSample":
        yield replace(sample, domain="", opset=16, result=None)
    elif sample.op == "GridSample":
        yield replace(sample, domain="horizon", opset=11, result=Tensor())
    for index, tensor in present(sample):
        if elements(tensor) <= CONSTANT_LIMIT and not _symbolic(tensor):
            yield with_input(sample, index, replace(tensor, constant=not tensor.constant, values=None))
            if tensor.constant and tensor.values is None:
                yield with_input(sample, index, replace(tensor, constant=False))
    if len(sample.inputs) > 1 and all(elements(t) <= CONSTANT_LIMIT and not _symbolic(t) for _, t in present(sample)):
        yield replace(sample, inputs=tuple(None if t is None else replace(t, constant=True) for t in sample.inputs))


def _symbolic(tensor: Tensor) -> bool:
    return tensor.shape is None or not all(isinstance(size, int) for size in tensor.shape)


def _ranks(sample: Sample) -> Iterator[Sample]:
    for rank in range(12):
        if sample.op in SAME_RANK:
            yield replace(sample, inputs=tuple(_of_rank(t, rank) for t in sample.inputs))
        for index, tensor in present(sample):
            if tensor.shape is not None and len(tensor.shape) != rank and tensor.values is None:
                yield fitted(with_input(sample, index, _of_rank(tensor, rank)))
                if sample.op not in SAME_RANK:
                    for name in ("axis", "axes"):
                        if name in sample.attributes:
                            yield without_attribute(with_input(sample, index, _of_rank(tensor, rank)), name)


def _of_rank(tensor: Tensor | None, rank: int) -> Tensor | None:
    if tensor is None or tensor.shape is None or tensor.values is not None:
        return tensor
    have = len(tensor.shape)
    shape = tensor.shape[have - rank :] if rank <= have else (1,) * (rank - have) + tensor.shape
    return replace(tensor, shape=shape)


def _lengths(sample: Sample, clue: Hints) -> Iterator[Sample]:
    for index, tensor in present(sample):
        for axis in range(len(tensor.shape or ())):
            for number in clue.numbers:
                if number == int(number) and number >= 0:
                    yield from with_length(sample, index, axis, int(number))


def with_length(sample: Sample, index: int, axis: int, length: int) -> Iterator[Sample]:
    """*sample* with another length of one axis, alone and together with the same axis of the other inputs."""
    tensor = sample.inputs[index]
    if tensor is None or tensor.shape is None or tensor.values is not None:
        return
    wanted = with_input(sample, index, _resized(tensor, axis, length))
    if sample.op in SAME_RANK and index == 0:
        together = tuple(
            _resized(t, axis, length) if t is not None and t.shape is not None and len(t.shape) > axis else t
            for t in sample.inputs
        )
        yield replace(sample, inputs=together)
    yield fitted(_tied(wanted, index, axis, length))


def _resized(tensor: Tensor, axis: int, length: int) -> Tensor:
    bigger = replace(tensor, shape=replaced(tensor.shape or (), axis, length))
    return bigger if elements(bigger) <= CONSTANT_LIMIT else replace(bigger, constant=False)


def _tied(sample: Sample, index: int, axis: int, length: int) -> Sample:
    for group in _TIES.get(sample.op, ()):
        places = {(i, _plain_axis(sample, i, a)) for i, a in group}
        if (index, axis) not in places:
            continue
        for i, a in places:
            tensor = sample.inputs[i] if i < len(sample.inputs) else None
            if tensor is not None and tensor.shape is not None and a is not None and a < len(tensor.shape):
                sample = with_input(sample, i, _resized(tensor, a, length))
    if sample.op == "Conv" and axis == 1:
        sample = _channels(sample, index, length)
    return sample


def _plain_axis(sample: Sample, index: int, axis: int) -> int | None:
    tensor = sample.inputs[index] if index < len(sample.inputs) else None
    return None if tensor is None or tensor.shape is None else axis % max(len(tensor.shape), 1)


def _channels(sample: Sample, index: int, length: int) -> Sample:
    """Weights take a group's share of the channels."""
    group = int(sample.attributes.get("group", 1)) or 1
    other, share = (1, max(length // group, 1)) if index == 0 else (0, length * group)
    tensor = sample.inputs[other]
    if tensor is None or tensor.shape is None or len(tensor.shape) < 2:
        return sample
    return with_input(sample, other, _resized(tensor, 1, share))


def _values(sample: Sample, clue: Hints) -> Iterator[Sample]:
    """Other values of a constant that is a parameter."""
    for index, tensor in present(sample):
        if tensor.values is None:
            continue
        for position in range(len(tensor.values)):
            for number in (*clue.numbers, -1):
                yield with_input(sample, index, replace(tensor, values=replaced(tensor.values, position, number)))
        yield with_input(sample, index, replace(tensor, constant=False, values=None))


def _operands(sample: Sample) -> Iterator[Sample]:
    if len(sample.inputs) > 1:
        yield replace(sample, inputs=sample.inputs[:-1])
    if sample.inputs:
        yield replace(sample, inputs=(*sample.inputs, sample.inputs[0]))
    for index, _ in present(sample):
        if index and index < len(sample.inputs) - 1:
            yield with_input(sample, index, None)
    yield replace(sample, outputs=sample.outputs + 1)
    if sample.outputs > 1:
        yield replace(sample, outputs=sample.outputs - 1, left_out=())
    yield from (replace(sample, left_out=(i,)) for i in range(sample.outputs) if sample.outputs > 1)
    if sample.left_out:
        yield replace(sample, left_out=())


def _declared(sample: Sample, clue: Hints) -> Iterator[Sample]:
    """Outputs that the file declares unlike what the operator makes of its input; ONNX refuses such a file."""
    computed = [index for index, tensor in present(sample) if not tensor.constant]
    first = sample.inputs[computed[0]] if computed else None
    if sample.result is not None or first is None or first.shape is None:
        return
    if computed != [0]:
        yield from (replace(sample, result=replace(first, dtype=dtype)) for dtype in ("float16", "int32"))
        return
    for other in (replace(first, dtype="float16"), replace(first, dtype="int32"), _of_rank(first, 11)):
        yield from _unlike(sample, first, other)
    for axis in range(len(first.shape)):
        for number in clue.numbers:
            if number == int(number) and number >= 0:
                yield from _unlike(sample, first, _resized(first, axis, int(number)))


def _unlike(sample: Sample, tensor: Tensor, other: Tensor | None) -> Iterator[Sample]:
    yield replace(sample, result=other)
    yield replace(with_input(sample, 0, other), result=tensor)


def slim(sample: Sample) -> Sample:
    """*sample* with one element in each tensor that is no parameter, so that one axis alone makes up a size."""
    inputs = tuple(
        t if t is None or t.shape is None or t.values is not None else replace(t, shape=(1,) * len(t.shape))
        for t in sample.inputs
    )
    return replace(sample, inputs=inputs)


def sized(sample: Sample, knob: tuple[int, int], length: int) -> Sample | None:
    """*sample* with length *length* of the axis *knob* (input, axis), all else fitted to it."""
    return next(iter(with_length(sample, *knob, length)), None)


def knobs(sample: Sample) -> Iterable[tuple[int, int]]:
    """Axes whose length may be changed: (input, axis)."""
    return [(i, axis) for i, t in present(sample) if t.values is None for axis in range(len(t.shape or ()))]


def weaker(sample: Sample) -> Iterator[Sample]:
    """*sample* with one fact less: a length, a rank, a dtype, a constant, an attribute's value, the opset."""
    for index, tensor in present(sample):
        if tensor.constant:
            yield with_input(sample, index, replace(tensor, constant=False, values=None))
            continue
        shape = tensor.shape or ()
        for axis in range(len(shape)):
            yield with_input(sample, index, replace(tensor, shape=replaced(shape, axis, f"d{axis}")))
        yield with_input(sample, index, replace(tensor, shape=tuple(f"d{axis}" for axis in range(len(shape)))))
        yield with_input(sample, index, replace(tensor, shape=None))
        yield with_input(sample, index, replace(tensor, dtype=""))
        yield with_input(sample, index, replace(tensor, dtype="", shape=None))
    both = [i for i, t in present(sample) if not t.constant]
    if len(both) > 1:
        unknown = tuple(t if t is None or t.constant else replace(t, shape=None) for t in sample.inputs)
        yield replace(sample, inputs=unknown)
    for index, tensor in present(sample):
        if tensor.constant:
            yield with_input(sample, index, replace(tensor, constant=False, values=None, shape=None))
            yield with_input(sample, index, replace(tensor, constant=False, values=None, dtype=""))
    for name, kind in attribute_kinds(sample.op, sample.opset).items():
        if kind in _WRONG:
            yield with_attribute(sample, name, _WRONG[kind])
    yield replace(sample, opset=0)


_WRONG: Final[Mapping[str, Any]] = {"INT": "?", "INTS": "?", "FLOAT": "?", "STRING": 0, "FLOATS": "?"}
"""A value that an attribute of this type cannot have, so that nothing is known of it."""
