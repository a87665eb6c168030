"""Unconnected parts of a graph: found, and set beside or below each other in rank space."""

import math

import numpy as np

from inspector.layout.graph import Ints

_WIDE = 2.9
"""Ranks that are as high as a box with its gap is wide: a grid of unconnected boxes is about square with this."""


def label_components(count: int, source: Ints, target: Ints) -> Ints:
    """`[count]` number of the connected part of each box, 0, 1, 2... by first box; edge directions do not matter."""
    label = np.arange(count, dtype=np.int64)
    while True:
        low = np.minimum(label[source], label[target])
        high = np.maximum(label[source], label[target])
        if bool(np.all(low == high)):
            break
        np.minimum.at(label, high, low)
        while True:
            further = label[label]
            if bool(np.all(further == label)):
                break
            label = further
    return np.asarray(np.unique(label, return_inverse=True)[1], dtype=np.int64)


def pack(component: Ints, layer: Ints) -> tuple[Ints, Ints]:
    """Stack small parts in columns beside the largest one.

    Args:
        component: `[n]` part of each box.
        layer: `[n]` rank of each box within its part; need not start at 0.

    Returns:
        `[n]` new ranks, at which no two parts of a column share a rank, and `[parts]` position of each part from left
        to right. The part with most boxes is leftmost.
    """
    parts = int(component.max()) + 1 if len(component) else 0
    if not parts:
        return layer, np.zeros(0, dtype=np.int64)
    top = np.full(parts, np.iinfo(np.int64).max)
    bottom = np.zeros(parts, dtype=np.int64)
    np.minimum.at(top, component, layer)
    np.maximum.at(bottom, component, layer)
    ranks = bottom - top + 1
    size = np.bincount(component, minlength=parts)
    sequence = np.lexsort((np.arange(parts), -ranks, -size))
    room = max(int(ranks[sequence[0]]), math.ceil(math.sqrt(_WIDE * float(ranks.sum()))))
    offset = np.zeros(parts, dtype=np.int64)
    rank = 0
    for part in sequence.tolist():
        high = int(ranks[part])
        if rank and rank + high > room:
            rank = 0
        offset[part] = rank
        rank += high
    position = np.empty(parts, dtype=np.int64)
    position[sequence] = np.arange(parts)
    return layer - top[component] + offset[component], position
