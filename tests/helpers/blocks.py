"""Models of one DepthToSpace or SpaceToDepth, for the rules that rewrite them."""

from collections.abc import Sequence

import onnx
from onnx import TensorProto, helper

from tests.helpers.models import proto


def block_proto(
    op: str = "DepthToSpace",
    shape: Sequence[int | str] = (1, 9, 2, 3),
    block: int = 3,
    *,
    mode: str | None = None,
    opset: int = 13,
    dtype: int = TensorProto.FLOAT,
) -> onnx.ModelProto:
    """x of *shape* through *op* with blocks of *block* by *block*."""
    given = {} if mode is None else {"mode": mode}
    node = helper.make_node(op, ["x"], ["y"], "blocks", blocksize=block, **given)
    return proto([node], {"x": list(shape)}, {"y": [None] * 4}, opset=opset, dtypes={"x": dtype, "y": dtype})


def drawn_block(random, *, dtype: int = TensorProto.FLOAT) -> onnx.ModelProto:
    """Either operator with drawn sizes, block and order; now and then a size that is not fixed."""
    block, sizes = random.randint(1, 4), [random.randint(1, 3) for _ in range(3)]
    opset = random.choice((7, 10, 11, 13))
    opens = random.random() < 0.05
    if random.random() < 0.5:
        mode = random.choice((None, "DCR", "CRD")) if opset >= 11 else None
        shape = [random.randint(1, 2), sizes[0] * block**2, "h" if opens else sizes[1], sizes[2]]
        return block_proto("DepthToSpace", shape, block, mode=mode, opset=opset, dtype=dtype)
    shape = [random.randint(1, 2), "c" if opens else sizes[0], sizes[1] * block, sizes[2] * block]
    return block_proto("SpaceToDepth", shape, block, opset=opset, dtype=dtype)
