"""`Picture`: a model with its boxes and their positions, ready for the canvas."""

from dataclasses import dataclass

from inspector.gui.canvas.scene import Scene
from inspector.layout.result import GraphLayout
from inspector.model.graph import Model


@dataclass(frozen=True)
class Picture:
    """What the canvas shows of one model.

    Attributes:
        model: the model.
        scene: boxes, texts and edges of its main graph.
        layout: their positions.
    """

    model: Model
    scene: Scene
    layout: GraphLayout
