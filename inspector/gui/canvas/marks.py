"""`Marks`: what a view adds to a scene for the moment: selection, hits, dimming, and the signs of a preview."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from inspector.gui.canvas.scene import Bools


class Change(StrEnum):
    """What a rewrite does to a node."""

    ADDED = "+"
    REMOVED = "−"
    CHANGED = "~"


@dataclass(frozen=True)
class Marks:
    """State of the boxes on screen, by box index.

    Attributes:
        selected: the selected box, or None.
        several: boxes that are selected together.
        hovered: the box under the pointer, or None.
        hits: boxes that a search found.
        changes: box -> sign of a preview.
        dimmed: `[n]` boxes drawn faint, or None when none are.
        traced: whether the edges between the boxes that are not faint are a trace, drawn in the accent.
        shapes: whether edges carry their shape at full detail.
        segments: whether the nodes of a segment share a tint.
    """

    selected: int | None = None
    several: frozenset[int] = frozenset()
    hovered: int | None = None
    hits: frozenset[int] = frozenset()
    changes: Mapping[int, Change] = field(default_factory=lambda: MappingProxyType({}))
    dimmed: Bools | None = None
    traced: bool = False
    shapes: bool = True
    segments: bool = True

    def is_dim(self, box: int) -> bool:
        """Whether *box* is drawn faint."""
        return self.dimmed is not None and bool(self.dimmed[box])

    def edge_dimmed(self, source: np.ndarray, target: np.ndarray) -> Bools | None:
        """Which of the edges from *source* to *target* are drawn faint; None when none are."""
        return None if self.dimmed is None else self.dimmed[source] | self.dimmed[target]
