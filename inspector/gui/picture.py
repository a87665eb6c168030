"""`Picture`: a model with its boxes and their positions, ready for the canvas."""

from collections.abc import Mapping
from dataclasses import dataclass

from inspector.gui.canvas.scene import Scene
from inspector.layout.result import GraphLayout
from inspector.model.graph import Model, Node, NodeId
from inspector.placement.cost import NodeCost


@dataclass(frozen=True)
class Picture:
    """What the canvas shows of one model.

    Attributes:
        model: the model.
        scene: boxes, texts and edges of its main graph.
        layout: their positions.
        costs: cost of every node.
        incomplete: nodes of the main graph with an output of unknown shape, in order.
    """

    model: Model
    scene: Scene
    layout: GraphLayout
    costs: Mapping[NodeId, NodeCost]
    incomplete: tuple[Node, ...]
