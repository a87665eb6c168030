"""The window of a Conv or pooling operator: kernel, strides, dilations and padding, automatic padding resolved."""

from dataclasses import dataclass

from inspector.model.graph import Node
from inspector.rewrite.conv import ints


@dataclass(frozen=True, slots=True)
class Window:
    """How a window walks over the spatial axes; every tuple has one entry per spatial axis.

    Attributes:
        kernel: kernel sizes.
        strides: strides.
        dilations: dilations.
        begins: padding in front of each axis.
        ends: padding behind it.
    """

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]

    def reach(self, axis: int) -> int:
        """Extent of the dilated kernel along *axis*."""
        return (self.kernel[axis] - 1) * self.dilations[axis] + 1

    def output(self, axis: int, size: int) -> int:
        """Output length along *axis* for an input of *size*, rounded down; below 1 when the window does not fit."""
        room = size + self.begins[axis] + self.ends[axis] - self.reach(axis)
        return room // self.strides[axis] + 1

    @property
    def pads(self) -> tuple[int, ...]:
        """All paddings as the attribute `pads` lists them: first those in front."""
        return (*self.begins, *self.ends)


def read_window(node: Node, kernel: tuple[int, ...], sizes: tuple[int, ...] | None) -> Window | str:
    """The window of *node*.

    Args:
        node: a Conv or pooling operator.
        kernel: kernel sizes: those of the weight, or of the attribute kernel_shape.
        sizes: spatial sizes of the input; None when they are not fixed, which automatic padding needs.

    Returns:
        The window, or what does not fit, `strides = (0, 1)`.

    Source: operators Conv and MaxPool, ONNX (auto_pad, pads).
    """
    axes = len(kernel)
    for name, length in {"strides": axes, "dilations": axes, "pads": 2 * axes, "kernel_shape": axes}.items():
        value = node.attributes.get(name)
        if value is not None and (not isinstance(value, tuple) or len(value) != length):
            return f"{name} = {value}"
    strides, dilations = ints(node, "strides", (1,) * axes), ints(node, "dilations", (1,) * axes)
    pads = ints(node, "pads", (0,) * (2 * axes))
    if min(*strides, *dilations, *kernel) < 1:
        return f"strides = {strides}, dilations = {dilations}, kernel_shape = {kernel}"
    if min(pads) < 0:
        return f"pads = {pads}"
    if ints(node, "kernel_shape", kernel) != kernel:
        return f"kernel_shape = {node.attributes['kernel_shape']}"
    auto = node.attributes.get("auto_pad", "NOTSET")
    if auto in ("NOTSET", "VALID"):
        return Window(kernel, strides, dilations, pads[:axes] if auto == "NOTSET" else (0,) * axes,
                      pads[axes:] if auto == "NOTSET" else (0,) * axes)  # fmt: skip
    if auto not in ("SAME_UPPER", "SAME_LOWER") or sizes is None:
        return f"auto_pad = {auto}"
    free = Window(kernel, strides, dilations, (0,) * axes, (0,) * axes)
    totals = [
        max((-(-size // stride) - 1) * stride + free.reach(i) - size, 0)
        for i, (size, stride) in enumerate(zip(sizes, strides, strict=True))
    ]
    halves = tuple(total // 2 for total in totals)
    rests = tuple(total - half for total, half in zip(totals, halves, strict=True))
    begins, ends = (halves, rests) if auto == "SAME_UPPER" else (rests, halves)
    return Window(kernel, strides, dilations, begins, ends)
