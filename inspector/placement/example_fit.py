"""Changes of a sample that keep it whole: attributes, inputs, and a map that fits its kernel."""

from dataclasses import replace
from typing import Any, Final

from inspector.placement.example_model import Sample, Tensor, replaced


def with_attribute(sample: Sample, name: str, value: Any) -> Sample:
    """*sample* with an attribute set."""
    return replace(sample, attributes={**sample.attributes, name: value})


def without_attribute(sample: Sample, name: str) -> Sample:
    """*sample* with an attribute not set."""
    return replace(sample, attributes={k: v for k, v in sample.attributes.items() if k != name})


def with_input(sample: Sample, index: int, tensor: Tensor | None) -> Sample:
    """*sample* with another input at *index*."""
    return replace(sample, inputs=replaced(sample.inputs, index, tensor))


def fitted(sample: Sample) -> Sample:
    """*sample* with a map that is large enough for its kernel, and lists of as many values as there are axes."""
    first = sample.inputs[0] if sample.inputs else None
    if first is None or first.shape is None or _kernel(sample) is None:
        return sample
    if len(_kernel(sample) or ()) != len(first.shape) - 2:
        sample = _of_spatial_rank(sample, len(first.shape))
    extents = _extents(sample)
    if extents is None or len(extents) != len(first.shape) - 2:
        return sample
    shape = (*first.shape[:2], *map(_at_least, first.shape[2:], extents))
    return with_input(sample, 0, replace(first, shape=shape))


def _at_least(size: int | str, extent: int | str) -> int | str:
    return max(size, extent) if isinstance(size, int) and isinstance(extent, int) else size


def _kernel(sample: Sample) -> tuple[int | str, ...] | None:
    """Length of the kernel per axis, of its weights where it has some; None for an operator without one."""
    weight = sample.inputs[1] if sample.op == "Conv" and len(sample.inputs) > 1 else None
    if weight is not None:
        return None if weight.shape is None else weight.shape[2:]
    given = sample.attributes.get("kernel_shape")
    return given if sample.op in _POOLS and isinstance(given, tuple) else None


_POOLS: Final = ("AveragePool", "LpPool", "MaxPool")


def _extents(sample: Sample) -> tuple[int | str, ...] | None:
    """Length that the kernel spans per axis, its dilations counted."""
    kernel = _kernel(sample)
    dilations = sample.attributes.get("dilations")
    if kernel is None or not isinstance(dilations, tuple) or len(dilations) != len(kernel):
        return kernel
    return tuple(k if isinstance(k, str) else d * (k - 1) + 1 for k, d in zip(kernel, dilations, strict=True))


def _of_spatial_rank(sample: Sample, rank: int) -> Sample:
    if rank < _PLANE - 1:
        return sample
    count = rank - 2
    attributes = {k: (v * 6)[: (2 * count if k == "pads" else count)] if isinstance(v, tuple) and v else v
                  for k, v in sample.attributes.items()}  # fmt: skip
    sample = replace(sample, attributes=attributes)
    weight = sample.inputs[1] if sample.op == "Conv" else None
    if weight is None or weight.shape is None:
        return sample
    kernel = (*weight.shape[2:], *([1] * count))[:count]
    return with_input(sample, 1, replace(weight, shape=(*weight.shape[:2], *kernel)))


_PLANE: Final = 4
"""Rank of a batch of maps with two axes."""
