"""Models of one Resize or Upsample, for the rules that rewrite them."""

from collections.abc import Sequence

import numpy as np
import onnx
from onnx import TensorProto, helper

from tests.helpers.models import proto


def resize_proto(
    x: Sequence[int | str] = (1, 2, 3, 4, 5),
    *,
    scales: Sequence[float] | None = None,
    sizes: Sequence[int] | None = None,
    opset: int = 13,
    dtype: int = TensorProto.FLOAT,
    symbol: str | None = None,
    overridable: bool = False,
    constant: bool = True,
    **attributes: object,
) -> onnx.ModelProto:
    """x through a Resize by *scales* or to *sizes*; *symbol* names an open batch."""
    tensors: dict[str, np.ndarray] = {}
    if scales is not None:
        tensors["scales"] = np.array(scales, np.float32)
    else:
        tensors["sizes"] = np.array(sizes, np.int64)
    empty = ""
    if opset in (11, 12):
        tensors["none"], empty = np.zeros(0, np.float32), "none"
    if opset < 11:
        inputs = ["x", "scales"]
    elif scales is not None:
        inputs = ["x", empty, "scales"]
    else:
        inputs = ["x", empty, empty, "sizes"]
    given_at_run = (
        {} if constant else {name: list(tensors.pop(name).shape) for name in ("scales", "sizes") if name in tensors}
    )
    node = helper.make_node("Resize", inputs, ["y"], "up", **attributes)
    model = proto(
        [node],
        {"x": [symbol or x[0], *x[1:]], **given_at_run},
        {"y": [None] * len(x)},
        tensors,
        opset=opset,
        dtypes={"x": dtype, "y": dtype, "sizes": TensorProto.INT64},
    )
    if overridable:
        model.graph.input.append(helper.make_tensor_value_info("scales", 1, [len(x)]))
    return model


def upsample_proto(
    x: Sequence[int | str] = (1, 2, 3, 4),
    scales: Sequence[float] = (1, 1, 2, 2),
    *,
    opset: int = 9,
    dtype: int = TensorProto.FLOAT,
    **attributes: object,
) -> onnx.ModelProto:
    """x through an Upsample, whose scales are an attribute before opset 9."""
    old = opset < 9
    given = {"scales": [float(scale) for scale in scales]} if old else {}
    node = helper.make_node("Upsample", ["x"] if old else ["x", "scales"], ["y"], "up", **given, **attributes)
    tensors = {} if old else {"scales": np.array(scales, np.float32)}
    out = [int(n * s) if isinstance(n, int) else n for n, s in zip(x, scales, strict=True)]
    return proto([node], {"x": list(x)}, {"y": out}, tensors, opset=opset, dtypes={"x": dtype, "y": dtype})
