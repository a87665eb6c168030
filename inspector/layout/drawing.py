"""`drawing`: which boxes and edges a graph of a model has on screen, before their sizes are known."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from inspector.layout.result import Floats, Ints, LayoutGraph
from inspector.model.graph import MAIN, Model, Node, NodeId

_SHAPE_OPS = frozenset({"Shape", "Size"})


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
    subject = model.graphs[graph]
    nodes = [node for node in subject.nodes if not _is_constant(node)]
    boxes = [Box(BoxKind.INPUT, None, name) for name in subject.inputs]
    boxes += [Box(BoxKind.NODE, node.id, "") for node in nodes]
    boxes += [Box(BoxKind.OUTPUT, None, name) for name in subject.outputs]
    producer = {name: number for number, name in enumerate(subject.inputs)}
    side = [False] * len(boxes)
    edges: dict[tuple[int, int, str], None] = {}
    first = len(subject.inputs)
    for number, node in enumerate(nodes, first):
        for name in node.outputs:
            if name:
                producer[name] = number
    for number, node in enumerate(nodes, first):
        read = [name for name in (*node.inputs, *model.captures(node)) if name in producer]
        edges.update(dict.fromkeys((producer[name], number, name) for name in read))
        side[number] = node.op.name in _SHAPE_OPS or all(side[producer[name]] for name in read)
    for number, name in enumerate(subject.outputs, first + len(nodes)):
        if name in producer:
            edges[producer[name], number, name] = None
    values = {name: number for number, name in enumerate(dict.fromkeys(name for _, _, name in edges))}
    return Drawing(
        boxes=tuple(boxes),
        edge_source=np.array([s for s, _, _ in edges], dtype=np.int64),
        edge_target=np.array([t for _, t, _ in edges], dtype=np.int64),
        edge_value=np.array([values[name] for _, _, name in edges], dtype=np.int64),
        values=tuple(values),
        side=np.array(side, dtype=np.bool_),
    )


def _is_constant(node: Node) -> bool:
    return node.op.name == "Constant" and not node.op.domain
