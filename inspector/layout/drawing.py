"""`drawing`: which boxes and edges a graph of a model has on screen, before their sizes are known."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from inspector.layout.result import Floats, Ints, LayoutGraph
from inspector.model.graph import MAIN, Model, NodeId


class BoxKind(StrEnum):
    """What a box stands for."""

    INPUT = "input"
    NODE = "node"
    OUTPUT = "output"


@dataclass(frozen=True, slots=True)
class Box:
    """One box.

    Attributes:
        kind: graph input, node or graph output.
        node: the node; None for inputs and outputs.
        value: name of the input or output value; `""` for nodes.
    """

    kind: BoxKind
    node: NodeId | None
    value: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Boxes and edges of one graph.

    Attributes:
        boxes: inputs, nodes and outputs in topological order; constants are part of their consumer and have none.
        edge_source: `[m]` box that an edge leaves.
        edge_target: `[m]` box that it enters; an edge from each distinct value to each box that reads it.
        edge_value: `[m]` index into `values`.
        values: names of the values that edges carry.
        side: `[n]` bool, boxes that only compute shapes or constants.
    """

    boxes: tuple[Box, ...]
    edge_source: Ints
    edge_target: Ints
    edge_value: Ints
    values: tuple[str, ...]
    side: npt.NDArray[np.bool_]

    def sized(self, width: Floats, height: Floats) -> LayoutGraph:
        """With the box sizes (`[n]`, logical pixels) that the texts need: ready for `lay_out`."""
        return LayoutGraph(width, height, self.edge_source, self.edge_target, self.edge_value, self.side)


def drawing(model: Model, graph: int = MAIN) -> Drawing:
    """Boxes and edges of graph number *graph* of *model*.

    Values that a body captures from outside have no box in it. Unused inputs are drawn, unconnected.
    """
    raise NotImplementedError
