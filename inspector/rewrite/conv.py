"""Attributes of ConvTranspose with their defaults and automatic padding resolved."""

from dataclasses import dataclass
from typing import cast

from inspector.model.graph import Model, Node
from inspector.rewrite.pattern import fixed_sizes


@dataclass(frozen=True, slots=True)
class Geometry:
    """How a ConvTranspose walks over its spatial axes; every tuple has one entry per spatial axis.

    Attributes:
        kernel: kernel sizes.
        strides: strides.
        dilations: dilations.
        begins: padding cut off at the start of the output.
        ends: padding cut off at its end.
        extra: output_padding, added at the end; it receives the bias only (operator ConvTranspose, ONNX).
        group: number of groups.
    """

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    extra: tuple[int, ...]
    group: int

    def reach(self, axis: int) -> int:
        """Extent of the dilated kernel along *axis*."""
        return (self.kernel[axis] - 1) * self.dilations[axis] + 1

    def output(self, axis: int, size: int) -> int:
        """Output length along *axis* for an input of *size*."""
        full = self.strides[axis] * (size - 1) + self.extra[axis] + self.reach(axis)
        return full - self.begins[axis] - self.ends[axis]


def odd_attribute(node: Node, kernel: tuple[int, ...]) -> str:
    """Name and value of an attribute of the ConvTranspose *node* that does not fit its *kernel*; empty when all do."""
    axes = len(kernel)
    lengths = {"strides": axes, "dilations": axes, "output_padding": axes, "pads": 2 * axes, "kernel_shape": axes}
    for name, length in lengths.items():
        value = node.attributes.get(name)
        if value is not None and (not isinstance(value, tuple) or len(value) != length):
            return f"{name} = {value}"
    group = node.attributes.get("group", 1)
    if not isinstance(group, int) or group < 1:
        return f"group = {group}"
    for name in ("strides", "dilations"):
        if min(ints(node, name, (1,))) < 1:
            return f"{name} = {node.attributes[name]}"
    shape = ints(node, "kernel_shape", kernel)
    wanted = node.attributes.get("output_shape", ())
    if not isinstance(wanted, tuple) or len(wanted) not in (0, axes, axes + 2):
        return f"output_shape = {wanted}"
    return "" if shape == kernel else f"kernel_shape = {shape}"


def transpose_geometry(model: Model, node: Node, kernel: tuple[int, ...]) -> Geometry | None:
    """Geometry of the ConvTranspose *node* with the spatial *kernel* sizes of its weight.

    None when its padding depends on input sizes that are not fixed, or would be negative.
    """
    axes = len(kernel)
    strides = ints(node, "strides", (1,) * axes)
    dilations = ints(node, "dilations", (1,) * axes)
    extra = ints(node, "output_padding", (0,) * axes)
    group = cast("int", node.attributes.get("group", 1))
    pads = ints(node, "pads", (0,) * (2 * axes))
    auto = str(node.attributes.get("auto_pad", "NOTSET"))
    wanted = ints(node, "output_shape", ())[-axes:]
    if auto == "VALID":
        pads = (0,) * (2 * axes)
    geometry = Geometry(kernel, strides, dilations, pads[:axes], pads[axes:], extra, group)
    if not wanted and not auto.startswith("SAME"):
        return geometry
    shape = model.value(node.graph, node.inputs[0]).shape
    sizes = fixed_sizes(model, shape, tuple(range(2, 2 + axes)))
    if sizes is None:
        return None
    outputs = wanted or tuple(size * stride for size, stride in zip(sizes, strides, strict=True))
    free = Geometry(kernel, strides, dilations, (0,) * axes, (0,) * axes, extra, group)
    totals = tuple(free.output(i, size) - out for i, (size, out) in enumerate(zip(sizes, outputs, strict=True)))
    if min(totals) < 0:
        return None
    halves = tuple(total // 2 for total in totals)
    rests = tuple(total - half for total, half in zip(totals, halves, strict=True))
    begins, ends = (halves, rests) if auto == "SAME_UPPER" else (rests, halves)
    return Geometry(kernel, strides, dilations, begins, ends, extra, group)


def ints(node: Node, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
    """A list attribute of whole numbers, or *default* when it is not set.

    A list of something else gives as many times -1, which fits no size, stride or order.
    """
    value = node.attributes.get(name)
    if not isinstance(value, tuple):
        return default
    return tuple(v if isinstance(v, int) else -1 for v in value)
