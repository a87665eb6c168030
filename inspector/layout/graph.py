"""`LayoutGraph`: what is laid out, as arrays in logical pixels."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LayoutGraph:
    """What to lay out. Boxes are numbered 0..n-1 in topological order.

    Attributes:
        width: `[n]` box widths.
        height: `[n]` box heights.
        edge_source: `[m]` box that an edge leaves.
        edge_target: `[m]` box that it enters.
        edge_value: `[m]` tensor that it carries; edges of one source and one value share a trunk.
        side: `[n]` bool, boxes of side chains (constants, shape computations) that should sit close to their consumer.
    """

    width: Floats
    height: Floats
    edge_source: Ints
    edge_target: Ints
    edge_value: Ints
    side: Mask
