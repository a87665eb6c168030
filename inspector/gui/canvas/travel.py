"""Ways through the graph: to the producer, the consumer or the sibling in a rank; what feeds a box, what it feeds."""

from enum import Enum

import numpy as np

from inspector.gui.canvas.geometry import Geometry
from inspector.gui.canvas.scene import Bools, Ints, Scene


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


def reach(scene: Scene, box: int, way: Way, hops: int | None) -> Bools:
    """`[n]` boxes that lead to *box* (PRODUCER) or that it leads to (CONSUMER) within *hops* edges; itself too.

    None for *hops* sets no limit.
    """
    return _reach(scene, np.array([box]), way, hops)


def path(scene: Scene, first: int, second: int) -> Bools | None:
    """`[n]` boxes on the ways between two boxes, in whichever direction they run; None when no way leads there."""
    for start, end in ((first, second), (second, first)):
        below = _reach(scene, np.array([start]), Way.CONSUMER, None)
        if below[end]:
            return below & _reach(scene, np.array([end]), Way.PRODUCER, None)
    return None


def _reach(scene: Scene, start: Ints, way: Way, hops: int | None) -> Bools:
    upwards = way is Way.PRODUCER
    near, far = (scene.edge_target, scene.edge_source) if upwards else (scene.edge_source, scene.edge_target)
    order = np.argsort(near, kind="stable")
    begin = np.searchsorted(near[order], np.arange(len(scene) + 1))
    found = np.zeros(len(scene), dtype=np.bool_)
    found[start] = True
    front = start
    while len(front) and hops != 0:
        ends = far[order[_joined(begin[front], begin[front + 1])]]
        front = np.unique(ends[~found[ends]])
        found[front] = True
        hops = None if hops is None else hops - 1
    return found


def _joined(start: Ints, end: Ints) -> Ints:
    """The numbers of all ranges from *start* to before *end*, one after the other."""
    size = end - start
    offset: Ints = np.cumsum(size) - size
    return np.asarray(np.arange(int(size.sum())) - np.repeat(offset, size) + np.repeat(start, size), dtype=np.int64)
