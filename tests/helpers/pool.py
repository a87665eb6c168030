"""Models of one pooling operator, for the rules that rewrite pooling."""

from collections.abc import Sequence

import onnx
from onnx import TensorProto, helper

from tests.helpers.models import proto


def pool_proto(
    op: str = "MaxPool",
    shape: Sequence[int | str] = (1, 3, 9, 9),
    kernel: Sequence[int] = (3, 3),
    *,
    opset: int = 13,
    dtype: int = TensorProto.FLOAT,
    indices: bool = False,
    **attributes: object,
) -> onnx.ModelProto:
    """x of *shape* through a pooling operator."""
    node = helper.make_node(
        op, ["x"], ["y", "i"] if indices else ["y"], "pool", kernel_shape=list(kernel), **attributes
    )
    shown = {"y": [None] * len(shape)} | ({"i": [None] * len(shape)} if indices else {})
    kinds = {"x": dtype, "y": dtype, "i": TensorProto.INT64}
    return proto([node], {"x": list(shape)}, shown, opset=opset, dtypes=kinds)


def drawn_pool(
    random, op: str, *, most: int = 4, ceil: float = 0.3, opsets: Sequence[int] = (10, 11, 13)
) -> onnx.ModelProto:
    """Pooling of drawn rank, sizes, strides and padding; its output has at least one position."""
    count = random.choice((1, 2, 2, 2, 3))
    kernel = [random.randint(1, most) for _ in range(count)]
    attributes: dict[str, object] = {}
    if random.random() < 0.7:
        attributes["strides"] = [random.randint(1, 3) for _ in range(count)]
    padding = random.choice(("none", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"))
    if padding == "pads":
        attributes["pads"] = [random.randint(0, k - 1) for k in kernel * 2]
    elif padding != "none":
        attributes["auto_pad"] = padding
        # The runtime refuses automatic padding of windows that leave gaps.
        attributes["strides"] = [random.randint(1, k) for k in kernel]
    if random.random() < ceil and padding in ("none", "pads"):
        attributes["ceil_mode"] = 1
    if op == "AveragePool" and random.random() < 0.3:
        attributes["count_include_pad"] = 1
    sizes = [k + random.randint(0, 6) for k in kernel]
    return pool_proto(op, (random.randint(1, 2), 3, *sizes), kernel, opset=random.choice(list(opsets)), **attributes)
