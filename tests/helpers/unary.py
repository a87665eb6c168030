"""Models of one operator with one input, for the rules of activations."""

from collections.abc import Sequence

import onnx
from onnx import TensorProto, helper

from tests.helpers.models import proto


def unary(
    op: str,
    shape: Sequence[int | str] = (1, 2, 3, 4),
    *,
    opset: int = 13,
    dtype: int = TensorProto.FLOAT,
    **attributes: object,
) -> onnx.ModelProto:
    """op(x)."""
    node = helper.make_node(op, ["x"], ["y"], "act", **attributes)
    return proto([node], {"x": list(shape)}, {"y": list(shape)}, opset=opset, dtypes={"x": dtype, "y": dtype})


def drawn_shape(random) -> list[int]:
    """A shape of rank 0 to 5 with at most 4 elements along an axis."""
    return [random.randint(1, 4) for _ in range(random.randint(0, 5))]
