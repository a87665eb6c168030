"""Reading a Resize or Upsample: which sizes and scales it asks for, in any of its forms since opset 7."""

from dataclasses import dataclass
from math import inf

import numpy as np
import numpy.typing as npt

from inspector.model.graph import Model, Node
from inspector.rewrite.conv import ints
from inspector.rewrite.pattern import Answers, Array, constant, fixed, is_overridable
from inspector.rewrite.rule import Refusal

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Request:
    """What a Resize of a tensor of known rank asks for.

    Attributes:
        scales: factor per axis; where the file gives sizes, output size / input size as the operator defines it.
        outputs: output size per axis; None for an axis whose input size is open (its scale is 1 then).
        by_sizes: whether the file gives sizes, not scales. They are kept as they are: half-pixel coordinates differ
            between the two when scale x size is no whole number.
        mode: `nearest`, `linear` or `cubic`.
        coordinates: coordinate_transformation_mode; Upsample and opset 10 know only `asymmetric`.
        nearest: nearest_mode; Upsample and opset 10 know only `floor`, as far as enlarging goes.
        antialias: whether the filter widens when shrinking (opset 18).
    """

    scales: tuple[float, ...]
    outputs: tuple[int | None, ...]
    by_sizes: bool
    mode: str
    coordinates: str
    nearest: str
    antialias: bool


def read_request(model: Model, node: Node, answers: Answers) -> Request | Refusal:
    """The request of the Resize or Upsample *node*, whose input has a known rank.

    A refusal tells why it cannot be known before run time.
    """
    plain = node.op.name == "Upsample" or (node.op.version or 1) < 11
    mode = str(node.attributes.get("mode", "nearest"))
    coordinates = str(node.attributes.get("coordinate_transformation_mode", "asymmetric" if plain else "half_pixel"))
    if coordinates == "tf_crop_and_resize":
        return answers.refuse("resize_crop", coordinates)
    policy = str(node.attributes.get("keep_aspect_ratio_policy", "stretch"))
    if policy != "stretch":
        return answers.refuse("resize_policy", policy)
    arrays = _numbers(model, node, answers, {"scales": 1} if plain else {"scales": 2, "sizes": 3})
    if isinstance(arrays, Refusal):
        return arrays
    key, array = arrays
    full = _all_axes(model, node, array, key == "sizes")
    if full is None:
        return answers.refuse("resize_axes", array.tolist())
    nearest = str(node.attributes.get("nearest_mode", "floor" if plain else "round_prefer_floor"))
    antialias = bool(node.attributes.get("antialias", 0))
    return Request(*full, key == "sizes", mode, coordinates, nearest, antialias)


def _numbers(model: Model, node: Node, answers: Answers, slots: dict[str, int]) -> tuple[str, Array] | Refusal:
    """What *node* gives, `scales` or `sizes`, and the numbers; *slots* are the places of its inputs."""
    listed = node.attributes.get("scales")
    if isinstance(listed, tuple) and all(isinstance(number, int | float) for number in listed):
        return "scales", np.array(listed, np.float32)
    given = {key: node.inputs[i] for key, i in slots.items() if len(node.inputs) > i and node.inputs[i]}
    arrays: dict[str, Array] = {}
    for key, name in given.items():
        if is_overridable(model, node.graph, name):
            return answers.refuse("overridable", name)
        array = constant(model, node.graph, name)
        if array is None:
            return answers.refuse("resize_not_constant", name, what=key)
        if array.size:
            arrays[key] = array
    if len(arrays) != 1:
        return answers.refuse("resize_not_constant", ", ".join(given.values()), what="scales / sizes")
    return next(iter(arrays.items()))


def _all_axes(
    model: Model, node: Node, array: Array, by_sizes: bool
) -> tuple[tuple[float, ...], tuple[int | None, ...]] | None:
    """Scales and output sizes for every axis; the attribute `axes` (opset 18) names those that *array* is about."""
    shape = model.value(node.graph, node.inputs[0]).shape or ()
    named = ints(node, "axes", tuple(range(len(shape))))
    axes = {axis % len(shape) for axis in named if -len(shape) <= axis < len(shape)}
    if not axes or not len(named) == len(axes) == array.size or array.dtype.kind not in "fiu":
        return None
    if not all(0 < number < inf for number in array.reshape(-1).tolist()):
        return None
    inputs = [fixed(model, shape, axis) for axis in range(len(shape))]
    scales, outputs = [1.0] * len(shape), list(inputs)
    for axis, number in zip((axis % len(shape) for axis in named), array.reshape(-1).tolist(), strict=True):
        size = inputs[axis]
        if by_sizes:
            if not size:
                return None
            scales[axis], outputs[axis] = float(np.float32(number) / np.float32(size)), int(number)
        else:
            scales[axis] = float(number)
            outputs[axis] = None if size is None else int(np.floor(np.float32(size) * np.float32(number)))
    return tuple(scales), tuple(outputs)


def coordinates_of(size: int, out: int, scale: float, mode: str) -> Floats | None:
    """Where each of *out* elements lies on the axis of *size* that it is taken from: `[out]`, float64, not clipped.

    None for a coordinate mode that is not known here.

    Source: ONNX operator Resize, versions 11 to 19.
    """
    x = np.arange(out, dtype=np.float64)
    offset = size / 2 * (1 - out / (scale * size))
    formulas = {
        "half_pixel": (x + 0.5) / scale - 0.5,
        "half_pixel_symmetric": offset + (x + 0.5) / scale - 0.5,
        "pytorch_half_pixel": (x + 0.5) / scale - 0.5 if out > 1 else np.zeros(out),
        "align_corners": x * (size - 1) / (out - 1) if out > 1 else np.zeros(out),
        "asymmetric": x / scale,
    }
    return formulas.get(mode)


def linear_matrix(size: int, out: int, scale: float, coordinates: str) -> Floats | None:
    """Weights of linear interpolation along one axis: `[out, size]`, float64, every row sums to 1.

    Coordinates outside the axis are moved to its border, as the operator Resize defines. None for a coordinate mode
    that is not known here.
    """
    points = coordinates_of(size, out, scale, coordinates)
    if points is None:
        return None
    at = np.clip(points, 0, size - 1)
    low = np.floor(at).astype(np.int64)
    high = np.minimum(low + 1, size - 1)
    matrix = np.zeros((out, size))
    rows = np.arange(out)
    np.add.at(matrix, (rows, low), 1 - (at - low))
    np.add.at(matrix, (rows, high), at - low)
    return matrix
