"""Sizes that may be unknown: `Dim`, `Shape`, and arithmetic that never guesses."""

from dataclasses import dataclass
from math import prod


@dataclass(frozen=True, slots=True)
class Dim:
    """One axis length.

    Attributes:
        size: number of elements along the axis; None when it is not known.
        symbol: name of a dynamic dimension (`batch`), kept even when a size was bound to it; None when it has none.
    """

    size: int | None = None
    symbol: str | None = None

    def __str__(self) -> str:
        if self.size is not None:
            return str(self.size)
        return self.symbol or "?"


Shape = tuple[Dim, ...]
"""Axis lengths, first axis first; `()` is a scalar. A tensor of unknown rank has the shape None."""


def static(shape: Shape | None) -> tuple[int, ...] | None:
    """All sizes as integers; None when the rank or any size is unknown."""
    if shape is None:
        return None
    sizes = tuple(d.size for d in shape)
    return None if None in sizes else sizes  # type: ignore[return-value]


def of(*sizes: int | str | None) -> Shape:
    """Shape from integers (sizes), strings (symbols) and None (unknown)."""
    return tuple(Dim(symbol=s) if isinstance(s, str) else Dim(s) for s in sizes)


def elements(shape: Shape | None) -> int | None:
    """Number of elements; None when unknown, except that a known zero length makes it 0."""
    if shape is None:
        return None
    if any(d.size == 0 for d in shape):
        return 0
    sizes = static(shape)
    return None if sizes is None else prod(sizes)


def text(shape: Shape | None, separator: str = "×") -> str:
    """`1×64×?×batch`; `scalar` for rank 0; `?` for an unknown rank. Not translated."""
    if shape is None:
        return "?"
    return separator.join(str(d) for d in shape) if shape else "scalar"
