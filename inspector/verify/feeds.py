"""Input sets: seeded, by shape, dtype and value range, in an order that puts the most telling first.

A wrong constant inside an activation shows at scale 1 and vanishes at 1e-9 and 1e6, hence several scales; an even
spread covers every activation's interesting range, and ones, all-negative and zero inputs catch signs and constants
that noise averages out. The spread is shuffled: on a smooth ramp a convolution cancels its own sum, and the figure
would tell how ill-conditioned that is (1.4e-6 was seen for a correct fold), not whether a rewrite is right.
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from inspector.model.dtype import DType
from inspector.model.graph import Model, Node
from inspector.model.shape import Dim, text
from inspector.text import Message, say

Array = npt.NDArray[Any]

KINDS = (
    "normal x1",
    "uniform -1..1",
    "even -4..4",
    "normal x10",
    "normal x0.001",
    "ones",
    "normal x100",
    "all negative",
    "uniform 0..1",
    "extremes",
    "zeros",
)
"""Names of the input sets, most telling first. Later sets repeat the first with another seed."""

MOST_FEED_BYTES = 2 << 30
"""Bytes of one input set that are made up; the making takes several times as much for a moment."""

_SCALES = {"normal x1": 1.0, "normal x10": 10.0, "normal x0.001": 1e-3, "normal x100": 100.0}
_EXTREME = {DType.FLOAT16: 2e2}
_EXTREME_DEFAULT = 1e4
_INT_HIGH = 127
_FOLLOW = frozenset({"Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose"})
_FOLLOW_DEPTH = 8
_INDEX_SLOT = {"Gather": 1, "GatherElements": 1, "GatherND": 1, "ScatterElements": 1, "ScatterND": 1, "Scatter": 1}
_SHAPE_SLOTS: Mapping[str, tuple[int, ...]] = {
    "Reshape": (1,), "Expand": (1,), "Tile": (1,), "Slice": (1, 2, 3, 4), "Resize": (2, 3), "Upsample": (1,),
    "Pad": (1, 3), "ConstantOfShape": (0,), "Range": (0, 1, 2), "TopK": (1,), "Unsqueeze": (1,), "Squeeze": (1,),
    "Split": (1,), "OneHot": (1,), "Loop": (0,), "CenterCropPad": (1,),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class InputSpec:
    """What may be fed to one graph input.

    Attributes:
        name: its name.
        shape: sizes.
        dtype: element type.
        low: smallest value of an integer input; None takes the kind's own range.
        high: largest value of an integer input, inclusive; None likewise.
    """

    name: str
    shape: tuple[int, ...]
    dtype: DType
    low: int | None = None
    high: int | None = None


def input_specs(
    model: Model, dims: Mapping[str, int] | None = None, names: Sequence[str] | None = None, graph: int = 0
) -> tuple[InputSpec, ...] | Message:
    """What each input takes, or the reason why inputs cannot be made up.

    Args:
        model: the model.
        dims: sizes of dynamic dimensions, beside those bound in the model.
        names: values of *graph* to feed; None takes the inputs of the main graph.
        graph: index of the graph that the values are of.
    """
    sizes = {**model.dims, **(dims or {})}
    specs = []
    for name in model.main.inputs if names is None else names:
        value = model.value(graph, name)
        if value.shape is None or value.dtype is None:
            return say("verify.input_unknown", tensor=name)
        shape = tuple(_size(dim, sizes) for dim in value.shape)
        if None in shape:
            return say("verify.input_dynamic", tensor=name, shape=text(value.shape))
        if value.dtype.numpy is None or value.dtype.numpy.kind not in "fiubc":
            return say("verify.input_dtype", tensor=name, dtype=value.dtype.value)
        bounds = _index_bounds(model, graph, name) if not value.dtype.is_float else None
        if isinstance(bounds, Message):
            return bounds
        known = tuple(size for size in shape if size is not None)
        specs.append(InputSpec(name, known, value.dtype, *(bounds or (None, None))))
    needed = sum(prod(spec.shape) * (spec.dtype.bits or 8) // 8 for spec in specs)
    if needed > MOST_FEED_BYTES:
        return say("verify.feed_too_large", found=f"{needed / 2**30:.1f}", limit=MOST_FEED_BYTES >> 30)
    return tuple(specs)


def make_feed(specs: Sequence[InputSpec], index: int, seed: int) -> Mapping[str, Array]:
    """Input set *index* (0 or more) for *seed*: the same bits on every machine and for every order of the inputs."""
    return {spec.name: make_input(spec, index, seed) for spec in specs}


def kind_of(index: int) -> str:
    """Name of input set *index*, `normal x1`; repeats carry their round, `normal x1 #2`."""
    rounds, place = divmod(index, len(KINDS))
    return KINDS[place] if not rounds else f"{KINDS[place]} #{rounds + 1}"


def make_input(spec: InputSpec, index: int, seed: int) -> Array:
    """Values of one input in set *index*."""
    rng = np.random.default_rng([seed, index, zlib.crc32(spec.name.encode("utf-8", "surrogateescape"))])
    kind = KINDS[index % len(KINDS)]
    numpy_type = spec.dtype.numpy
    if spec.dtype is DType.BOOL:
        return np.asarray(_integers(kind, spec.shape, 0, 1, rng), np.bool_)
    if numpy_type is not None and numpy_type.kind in "iu":
        low, high = _integer_range(spec)
        return np.asarray(_integers(kind, spec.shape, low, high, rng), numpy_type)
    values = _floats(kind, spec, rng)
    return values if numpy_type is None else values.astype(numpy_type)


def _size(dim: Dim, sizes: Mapping[str, int]) -> int | None:
    return dim.size if dim.size is not None else sizes.get(dim.symbol or "")


def _integer_range(spec: InputSpec) -> tuple[int, int]:
    bits = spec.dtype.bits or 8
    signed = not spec.dtype.value.startswith("u")
    top = min(_INT_HIGH, 2 ** (bits - 1) - 1) if signed or bits < 8 else 255 if bits == 8 else _INT_HIGH
    low = (-top if signed else 0) if spec.low is None else spec.low
    return low, top if spec.high is None else spec.high


def _integers(kind: str, shape: tuple[int, ...], low: int, high: int, rng: np.random.Generator) -> Array:
    if kind == "even -4..4":
        return (np.arange(np.prod(shape, dtype=np.int64)) % (high - low + 1) + low).reshape(shape)
    if kind in ("zeros", "ones"):
        return np.full(shape, min(max(kind == "ones", low), high), np.int64)
    if kind == "extremes":
        return np.where(rng.integers(0, 2, shape) == 0, low, high)
    return rng.integers(low, high + 1, shape)


def _floats(kind: str, spec: InputSpec, rng: np.random.Generator) -> Array:
    shape = spec.shape
    if kind in _SCALES:
        return rng.standard_normal(shape, np.float32) * np.float32(_SCALES[kind])
    if kind == "uniform -1..1":
        return rng.random(shape, np.float32) * np.float32(2) - np.float32(1)
    if kind == "uniform 0..1":
        return rng.random(shape, np.float32)
    if kind == "all negative":
        return -rng.random(shape, np.float32) * np.float32(4) - np.float32(1e-3)
    if kind == "even -4..4":
        count = int(np.prod(shape, dtype=np.int64))
        return rng.permutation(np.linspace(-4, 4, count, dtype=np.float32)).reshape(shape)
    if kind == "extremes":
        extreme = np.float32(_EXTREME.get(spec.dtype, _EXTREME_DEFAULT))
        return np.where(rng.integers(0, 2, shape) == 0, -extreme, extreme)
    return np.full(shape, kind == "ones", np.float32)


def _index_bounds(model: Model, graph: int, name: str) -> tuple[int, int] | Message | None:
    """Range of an integer input that indexes something; None when nothing limits it; a reason when it makes shapes."""
    bounds: tuple[int, int] | None = None
    front = [name]
    for _ in range(_FOLLOW_DEPTH):
        following: list[str] = []
        for value in front:
            for node in model.consumers(graph, value):
                slots = [i for i, source in enumerate(node.inputs) if source == value]
                if any(slot in _SHAPE_SLOTS.get(node.op.name, ()) for slot in slots):
                    return say("verify.input_shapes", tensor=name, node=node.label, op=node.op.name)
                limit = _index_limit(model, node, slots)
                if limit is not None:
                    bounds = (0, limit - 1 if bounds is None else min(bounds[1], limit - 1))
                elif node.op.name in _FOLLOW and 0 in slots:
                    following.extend(o for o in node.outputs if o)
        front = following
    return bounds


def _index_limit(model: Model, node: Node, slots: Sequence[int]) -> int | None:
    """Number of rows that *node* can be indexed with through one of *slots*; None when it does not index there.

    Negative indices are legal in ONNX but rare in models, so they are not made up.
    """
    if node.op.name == "OneHot" and 0 in slots:
        depth = model.constant(node.graph, node.inputs[1])
        return None if depth is None else max(1, int(np.ravel(depth)[0]))
    if _INDEX_SLOT.get(node.op.name) not in slots:
        return None
    shape = model.value(node.graph, node.inputs[0]).shape
    if not shape:
        return 1
    if node.op.name.endswith("ND"):
        axes = list(shape)
    else:
        axis = node.attributes.get("axis", 0)
        axes = [shape[axis]] if isinstance(axis, int) and -len(shape) <= axis < len(shape) else list(shape)
    known = [dim.size for dim in axes if dim.size is not None]
    return max(1, min(known, default=1))
