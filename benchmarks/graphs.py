"""Graphs of the shape that networks have, at any size, as layout input; no weights, no ONNX.

Sizes of boxes follow the operator. Constants have no box. Every generator gives the same graph each time.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from inspector.layout.result import LayoutGraph

_TALL = frozenset({"Conv", "ConvTranspose", "MaxPool", "Resize", "MatMul", "Gemm", "ReduceMean", "Softmax"})


class Builder:
    """Collects boxes and edges; a tensor is `(box, output number)`."""

    def __init__(self) -> None:
        self._ops: list[str] = []
        self._side: list[bool] = []
        self._edges: list[tuple[int, int, int]] = []

    def op(self, name: str, *inputs: tuple[int, int], side: bool = False) -> tuple[int, int]:
        """Add a box that reads *inputs*; returns its first output. *side*: it computes a shape or a constant."""
        box = len(self._ops)
        self._ops.append(name)
        self._side.append(side)
        self._edges.extend(dict.fromkeys((source, box, source * 4 + output) for source, output in inputs))
        return box, 0

    def chain(self, tensor: tuple[int, int], *names: str) -> tuple[int, int]:
        """Boxes one after the other."""
        for name in names:
            tensor = self.op(name, tensor)
        return tensor

    def shape_of(self, tensor: tuple[int, int]) -> tuple[int, int]:
        """The usual side chain Shape, Gather, Unsqueeze."""
        for name in ("Shape", "Gather", "Unsqueeze"):
            tensor = self.op(name, tensor, side=True)
        return tensor

    def graph(self) -> LayoutGraph:
        """What was built."""
        edges = np.array(self._edges, dtype=np.int64).reshape(-1, 3)
        return LayoutGraph(
            width=np.array([160.0 + 8 * min(len(name), 15) for name in self._ops]),
            height=np.array([66.0 if name in _TALL else 48.0 for name in self._ops]),
            edge_source=edges[:, 0].copy(),
            edge_target=edges[:, 1].copy(),
            edge_value=edges[:, 2].copy(),
            side=np.array(self._side, dtype=np.bool_),
        )


Tensor = tuple[int, int]


def _residual(b: Builder, x: Tensor, project: bool) -> Tensor:
    y = b.chain(x, "Conv", "Relu", "Conv", "Relu", "Conv")
    return b.chain(b.op("Add", y, b.op("Conv", x) if project else x), "Relu")


def _resnet(b: Builder, x: Tensor, repeats: tuple[int, ...]) -> list[Tensor]:
    x = b.chain(x, "Conv", "Relu", "MaxPool")
    stages = []
    for count in repeats:
        for index in range(count):
            x = _residual(b, x, index == 0)
        stages.append(x)
    return stages


def resnet(repeats: tuple[int, ...] = (3, 4, 6, 3)) -> LayoutGraph:
    """Residual network with a classifier."""
    b = Builder()
    x = _resnet(b, b.op("Input"), repeats)[-1]
    b.chain(x, "GlobalAveragePool", "Flatten", "Gemm", "Output")
    return b.graph()


def _silu(b: Builder, x: Tensor) -> Tensor:
    x = b.op("Conv", x)
    return b.op("Mul", x, b.op("Sigmoid", x))


def _split_block(b: Builder, x: Tensor, count: int) -> Tensor:
    box, _ = b.op("Split", _silu(b, x))
    parts = [(box, 0), (box, 1)]
    for _ in range(count):
        parts.append(b.op("Add", parts[-1], _silu(b, _silu(b, parts[-1]))))
    return _silu(b, b.op("Concat", *parts))


def yolo() -> LayoutGraph:
    """Detector with SiLU, split blocks, a pyramid neck and three heads."""
    b = Builder()
    x = _silu(b, _silu(b, b.op("Input")))
    levels = []
    for count in (1, 2, 2, 1):
        x = _silu(b, _split_block(b, x, count))
        levels.append(x)
    pool = [x]
    for _ in range(3):
        pool.append(b.op("MaxPool", pool[-1]))
    p5 = _silu(b, b.op("Concat", *pool))
    p4 = _split_block(b, b.op("Concat", b.op("Resize", p5), levels[2]), 1)
    p3 = _split_block(b, b.op("Concat", b.op("Resize", p4), levels[1]), 1)
    n4 = _split_block(b, b.op("Concat", _silu(b, p3), p4), 1)
    n5 = _split_block(b, b.op("Concat", _silu(b, n4), p5), 1)
    heads = []
    for level in (p3, n4, n5):
        both = b.op("Concat", *(b.op("Conv", _silu(b, _silu(b, level))) for _ in range(2)))
        heads.append(b.op("Reshape", both, b.op("Concat", b.shape_of(both), side=True)))
    box, _ = b.op("Split", b.op("Concat", *heads))
    boxes = b.chain((box, 0), "Reshape", "Transpose", "Softmax", "Conv", "Reshape")
    b.op("Output", b.op("Concat", b.chain(boxes, "Sub", "Div"), b.op("Sigmoid", (box, 1))))
    return b.graph()


def _norm(b: Builder, x: Tensor) -> Tensor:
    centred = b.op("Sub", x, b.op("ReduceMean", x))
    return b.chain(b.op("Div", centred, b.chain(centred, "Pow", "ReduceMean", "Add", "Sqrt")), "Mul", "Add")


def _heads(b: Builder, x: Tensor) -> Tensor:
    y = b.chain(x, "MatMul", "Add")
    shape = b.op("Concat", b.shape_of(y), b.shape_of(y), side=True)
    return b.op("Transpose", b.op("Reshape", y, shape))


def _rotate(b: Builder, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    turned = b.op("Concat", b.chain(x, "Slice", "Neg"), b.op("Slice", x))
    return b.op("Add", b.op("Mul", x, cos), b.op("Mul", turned, sin))


def _merge(b: Builder, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    scores = b.op("Softmax", b.op("Add", b.op("Div", b.op("MatMul", q, k)), mask))
    y = b.op("Transpose", b.op("MatMul", scores, v))
    return b.chain(b.op("Reshape", y, b.op("Concat", b.shape_of(y), side=True)), "MatMul", "Add")


def _feed_forward(b: Builder, x: Tensor) -> Tensor:
    y = b.chain(_norm(b, x), "MatMul", "Add")
    y = b.op("Mul", y, b.chain(y, "Div", "Erf", "Add"))
    return b.op("Add", x, b.chain(y, "Mul", "MatMul", "Add"))


def transformer(layers: int = 12) -> LayoutGraph:
    """Encoder with shape side chains and one mask shared by all layers."""
    b = Builder()
    mask = b.chain(b.op("Input"), "Unsqueeze", "Cast", "Sub", "Mul")
    x = b.chain(b.op("Input"), "Gather", "Add")
    for _ in range(layers):
        n = _norm(b, x)
        x = b.op("Add", x, _merge(b, _heads(b, n), _heads(b, n), _heads(b, n), mask))
        x = _feed_forward(b, x)
    b.chain(x, "MatMul", "Output")
    return b.graph()


def llm(layers: int = 24, steps: int = 1) -> LayoutGraph:
    """Decoder with key and value caches per layer and shared mask, cos and sin; *steps* repeats it in series."""
    b = Builder()
    mask = b.chain(b.op("Input"), "Unsqueeze", "Equal", "Where")
    angle = b.chain(b.op("Input"), "Unsqueeze", "Cast", "MatMul", "Transpose", "Concat")
    cos, sin = b.chain(angle, "Cos", "Unsqueeze"), b.chain(angle, "Sin", "Unsqueeze")
    ids = b.op("Input")
    caches = [(b.op("Input"), b.op("Input")) for _ in range(layers)]
    for _ in range(steps):
        x = b.op("Gather", ids)
        for layer in range(layers):
            n = _norm(b, x)
            q, k, v = _heads(b, n), _heads(b, n), _heads(b, n)
            k = b.op("Concat", caches[layer][0], _rotate(b, k, cos, sin))
            v = b.op("Concat", caches[layer][1], v)
            caches[layer] = (k, v)
            x = b.op("Add", x, _merge(b, _rotate(b, q, cos, sin), k, v, mask))
            x = _feed_forward(b, x)
        ids = b.chain(x, "MatMul", "ArgMax")
    for k, v in caches:
        b.op("Output", k)
        b.op("Output", v)
    b.op("Output", ids)
    return b.graph()


def bev(cameras: int = 6, frames: int = 1, layers: int = 6) -> LayoutGraph:
    """Several cameras with backbone and pyramid each, fused by deformable attention, and occupancy up-sampling."""
    b = Builder()
    query = b.chain(b.op("Input"), "Unsqueeze", "Expand")
    for _ in range(frames):
        features = []
        for _ in range(cameras):
            low, middle, high = _resnet(b, b.op("Input"), (3, 4, 6, 3))[1:]
            top = b.op("Conv", high)
            centre = b.op("Add", b.op("Conv", middle), b.op("Resize", top))
            bottom = b.op("Add", b.op("Conv", low), b.op("Resize", centre))
            levels = [b.chain(level, "Conv", "Reshape", "Transpose") for level in (top, centre, bottom)]
            features.append(b.op("Concat", *levels))
        value = b.op("Concat", *features)
        for _ in range(layers):
            sampled = b.op("GridSample", b.chain(value, "MatMul", "Reshape"), b.chain(query, "MatMul", "Sub"))
            weights = b.chain(query, "MatMul", "Softmax")
            query = b.op("Add", query, b.chain(b.op("Mul", sampled, weights), "ReduceMean", "MatMul"))
            query = _feed_forward(b, _norm(b, query))
    b.chain(query, "Reshape", "ConvTranspose", "Relu", "ConvTranspose", "Relu", "Conv", "Output")
    return b.graph()


CORPUS: Mapping[str, Callable[[], LayoutGraph]] = MappingProxyType(
    {
        "resnet50": resnet,
        "yolo": yolo,
        "transformer12": transformer,
        "llm5k": lambda: llm(60),
        "bev": lambda: bev(6, 2),
        "llm20k": lambda: llm(40, 6),
        "llm50k": lambda: llm(60, 10),
    }
)
"""Name of each benchmark graph and how to make it."""
