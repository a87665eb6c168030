"""`worst_elements`: the elements of a tensor that differ most, with their places."""

from dataclasses import dataclass

import numpy as np

from inspector.verify.result import ArraySample

MOST = 20
"""Elements that are listed."""


@dataclass(frozen=True, slots=True)
class Element:
    """One element of a tensor.

    Attributes:
        index: its coordinates, axis 0 first; empty for a scalar.
        before: its value before, NaN and infinity as they are.
        after: its value after.
        difference: |after - before|; infinity where only one side is finite or NaN.
    """

    index: tuple[int, ...]
    before: float
    after: float
    difference: float


def worst_elements(sample: ArraySample, most: int = MOST) -> tuple[Element, ...]:
    """The up to *most* elements of *sample* that differ, largest difference first, equal ones in memory order.

    Only elements that differ are listed; NaN counts as equal to NaN. Arrays of another shape, or of no numbers, have
    none. float64 throughout.
    """
    if sample.before.shape != sample.after.shape or sample.before.dtype.kind not in "biuf":
        return ()
    before, after = (side.reshape(-1).astype(np.float64) for side in (sample.before, sample.after))
    with np.errstate(invalid="ignore", over="ignore"):
        difference = np.abs(after - before)
    same = (before == after) | (np.isnan(before) & np.isnan(after))
    difference[same] = 0.0
    difference[~same & ~np.isfinite(difference)] = np.inf
    places = np.flatnonzero(difference)
    order = places[np.argsort(-difference[places], kind="stable")][:most]
    return tuple(
        Element(
            tuple(int(i) for i in np.unravel_index(int(place), sample.before.shape)),
            float(before[place]),
            float(after[place]),
            float(difference[place]),
        )
        for place in order
    )
