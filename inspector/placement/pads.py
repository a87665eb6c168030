"""Pads of a window that only say `auto_pad`."""

from collections.abc import Mapping
from typing import Any

from inspector.placement.operators import UNKNOWN


def same_pads(op: str, sizes: tuple[int | None, ...] | None, attributes: Mapping[str, Any]) -> Any:
    """Pads that `auto_pad: SAME_*` amounts to for an input of *sizes*, begins first; `UNKNOWN` when these are.

    Source: ONNX operator Conv, opset 11: the output has ceil(input / stride) elements along each spatial axis. For
    ConvTranspose the output has input x stride elements.
    """
    kernel, strides, dilations = (attributes[name] for name in ("kernel_shape", "strides", "dilations"))
    if attributes["auto_pad"] not in ("SAME_UPPER", "SAME_LOWER") or UNKNOWN in (strides, dilations):
        return UNKNOWN
    if sizes is None or None in sizes[2:]:
        return UNKNOWN
    if not len(sizes) - 2 == len(kernel) == len(strides) == len(dilations) or min(strides, default=1) < 1:
        return UNKNOWN
    begins, ends = [], []
    for size, window, stride, dilation in zip(sizes[2:], kernel, strides, dilations, strict=False):
        span = (window - 1) * dilation + 1
        if op == "ConvTranspose":
            total = max(span - stride, 0)
        else:
            total = max((-(-(size or 0) // stride) - 1) * stride + span - (size or 0), 0)
        small, large = total // 2, total - total // 2
        upper = attributes["auto_pad"] == "SAME_UPPER"
        begins.append(small if upper else large)
        ends.append(large if upper else small)
    return (*begins, *ends)
