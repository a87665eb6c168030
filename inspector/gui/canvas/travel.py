"""Where the arrow keys lead: to the producer, the consumer, or the sibling in the same rank."""

from enum import Enum

import numpy as np

from inspector.gui.canvas.geometry import Geometry
from inspector.gui.canvas.scene import Scene


class Way(Enum):
    """A direction of travel."""

    PRODUCER = "producer"
    CONSUMER = "consumer"
    LEFT = "left"
    RIGHT = "right"


def step(scene: Scene, geometry: Geometry, box: int, way: Way) -> int | None:
    """The box that *way* leads to from *box*; None at an end.

    Of several producers or consumers the one that stands most nearly above or below is taken.
    """
    centre = (geometry.left + geometry.right) / 2
    if way in (Way.PRODUCER, Way.CONSUMER):
        near, far = (
            (scene.edge_target, scene.edge_source) if way is Way.PRODUCER else (scene.edge_source, scene.edge_target)
        )
        candidates = far[near == box]
    else:
        rank = np.flatnonzero(geometry.layer == geometry.layer[box])
        candidates = rank[(centre[rank] < centre[box]) if way is Way.LEFT else (centre[rank] > centre[box])]
    if len(candidates) == 0:
        return None
    return int(candidates[np.argmin(np.abs(centre[candidates] - centre[box]))])
