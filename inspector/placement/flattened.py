"""The map in front of a Gemm: what limits on H, W and C of a Gemm are about.

A Gemm runs as a convolution, and the reshaping that makes a vector of a map is absorbed by it, so that the compiler
sees the map. A Gemm without such a reshaping works on a map of 1 x 1.
"""

from dataclasses import dataclass
from typing import Final

from inspector.model.graph import Model, Node
from inspector.model.shape import Shape, elements

_FLATTENING: Final = frozenset({"Flatten", "Reshape"})
_NOTHING: Final = frozenset({"Identity", "Dropout"})
"""Operators that are gone at run time; one may stand between the reshaping and the Gemm."""


@dataclass(frozen=True, slots=True)
class FlatMap:
    """The map that a Gemm works on.

    Attributes:
        shape: `[N, C, H, W]`, with gaps where a size is not known; None when nothing is known.
    """

    shape: Shape | None

    @property
    def sizes(self) -> tuple[int | None, ...] | None:
        """Axis lengths with None for unknown ones; None when nothing is known."""
        return None if self.shape is None else tuple(dim.size for dim in self.shape)


def flattened_map(model: Model, node: Node) -> FlatMap | None:
    """What the reshaping in front of a Gemm makes its vectors of; None where there is none, or it makes other ones.

    The shape `[N, C, H, W]` of the answer may have gaps, and is None where the rank is unknown. Of a reshaping whose
    result may or may not be `[N, C*H*W]` the answer is a map of unknown shape.
    """
    if node.op.name != "Gemm" or node.op.domain or not node.inputs or node.attributes.get("transA"):
        return None
    maker = _alone(model, node.graph, node.inputs[0])
    if maker is not None and maker.op.name in _NOTHING and not maker.op.domain and maker.inputs:
        maker = _alone(model, node.graph, maker.inputs[0])
    if maker is None or maker.op.name not in _FLATTENING or maker.op.domain or not maker.inputs:
        return None
    before = model.value(node.graph, maker.inputs[0])
    after = model.value(node.graph, maker.outputs[0]).shape
    if before.shape is not None and len(before.shape) != 4:
        return None
    one_vector_each = _makes_vectors(maker, before.shape, after)
    if one_vector_each is False:
        return None
    return FlatMap(before.shape if one_vector_each else None)


def _alone(model: Model, graph: int, name: str) -> Node | None:
    """Node that computes *name* for one reader only."""
    if not name or model.is_output(graph, name) or len(model.consumers(graph, name)) != 1:
        return None
    return model.producer(graph, name)


def _makes_vectors(maker: Node, before: Shape | None, after: Shape | None) -> bool | None:
    """Whether *maker* turns `[N, C, H, W]` into `[N, C*H*W]`; None when its shapes do not tell."""
    if maker.op.name == "Flatten":
        return maker.attributes.get("axis", 1) in (1, -3)
    if after is not None and len(after) != 2:
        return False
    if before is None or after is None:
        return None
    each, length = elements(before[1:]), after[1].size
    if each is not None and length is not None:
        return each == length
    images, rows = before[0], after[0]
    if images.size is not None and rows.size is not None:
        return images.size == rows.size
    return True if images.symbol is not None and images.symbol == rows.symbol else None
