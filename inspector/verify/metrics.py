"""Error figures of two arrays: one pass in blocks, float64 throughout.

Definitions are those of `TensorDiff`. Elements that are not finite on either side take no part in the figures; they are
counted, and their places and kinds must agree. Integers, booleans and strings are compared exactly.
"""

from dataclasses import dataclass, field
from math import log10, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from inspector.verify.result import ArraySample, Histogram

Array = npt.NDArray[Any]

BLOCK = 1 << 16
"""Elements per block: float64 copies of a block stay within the processor's cache."""

SAMPLE_LIMIT = 1 << 20
"""Most elements of an `ArraySample`."""

_DECADE_OFFSET = 400  # float64 differences lie between 1e-324 and 1e309


@dataclass(slots=True)
class Figures:
    """What one comparison of two arrays of equal shape and dtype adds up to.

    Attributes:
        count: elements.
        equal: whether all are equal, NaN counted equal to NaN.
        misplaced: elements that are NaN or infinite on one side only, or with another kind or sign.
        nonfinite: counts of NaN and infinity (before, after).
        finite: elements that are finite on both sides, which the figures below are about.
        max_abs: max |a - b|.
        sum_abs: sum |a - b|.
        max_ref: max |a|.
        dot: sum a b.
        ref_sum: sum a.
        ref_squares: sum a^2.
        after_squares: sum b^2.
        diff_squares: sum (a - b)^2.
        worst: flat index of the first largest difference; -1 when there is none.
        low: smallest finite value (before, after).
        high: largest finite value (before, after).
        decades: decade of |a - b| -> elements.
    """

    count: int = 0
    equal: bool = True
    misplaced: int = 0
    nonfinite: tuple[int, int] = (0, 0)
    finite: int = 0
    max_abs: float = 0.0
    sum_abs: float = 0.0
    max_ref: float = 0.0
    dot: float = 0.0
    ref_sum: float = 0.0
    ref_squares: float = 0.0
    after_squares: float = 0.0
    diff_squares: float = 0.0
    worst: int = -1
    low: tuple[float, float] = (np.inf, np.inf)
    high: tuple[float, float] = (-np.inf, -np.inf)
    decades: dict[int, int] = field(default_factory=dict)

    @property
    def max_rel(self) -> float | None:
        """Max |a - b| / max |a|; both zero: 0; None when only the reference is zero or nothing is finite."""
        if self.max_abs == 0:
            return 0.0 if self.finite or not self.count else None
        return self.max_abs / self.max_ref if self.max_ref else None

    @property
    def mean_abs(self) -> float | None:
        """Mean |a - b|; 0 for an empty tensor, None when nothing is finite."""
        if not self.finite:
            return None if self.count else 0.0
        return self.sum_abs / self.finite

    @property
    def cosine(self) -> float | None:
        """Cosine similarity, clipped to -1..1; None when a vector is zero or empty."""
        norm = sqrt(self.ref_squares) * sqrt(self.after_squares)
        if not norm or not np.isfinite(norm):
            return None
        return 1.0 if self.diff_squares == 0 else float(np.clip(self.dot / norm, -1.0, 1.0))

    @property
    def snr_db(self) -> float | None:
        """10 log10(sum a^2 / sum (a - b)^2) in dB; None when equal or when the reference is zero."""
        if not self.diff_squares or not self.ref_squares:
            return None
        ratio = self.ref_squares / self.diff_squares
        return 10 * log10(ratio) if 0 < ratio < np.inf else None

    @property
    def exact(self) -> int:
        """Finite elements that are equal."""
        return self.finite - sum(self.decades.values())


def figures(before: Array, after: Array) -> Figures:
    """Compare two arrays of equal shape and dtype.

    Raises:
        ValueError: shapes or dtypes differ.
    """
    if before.shape != after.shape or before.dtype != after.dtype:
        raise ValueError(f"{before.dtype}{before.shape} cannot be held against {after.dtype}{after.shape}")
    result = Figures(count=before.size)
    if before.dtype.kind in "OUS":
        _strings(result, before, after)
        return result
    pairs = before.dtype.kind == "c"  # held against each other as real and imaginary parts
    part = np.dtype(f"f{before.dtype.itemsize // 2}") if pairs else before.dtype
    a, b = (np.ascontiguousarray(side).reshape(-1).view(part) for side in (before, after))
    for start in range(0, a.size, BLOCK):
        _add_block(result, a[start : start + BLOCK], b[start : start + BLOCK], start)
    if pairs and result.worst >= 0:
        result.worst //= 2
    return result


def _strings(result: Figures, before: Array, after: Array) -> None:
    same = np.asarray(before == after, dtype=bool).reshape(-1)
    result.equal = bool(same.all())
    result.finite = before.size
    if not result.equal:
        result.worst = int(np.argmin(same))
        result.max_abs = 1.0
        result.decades[0] = int(np.count_nonzero(~same))


def _add_block(result: Figures, a: Array, b: Array, start: int) -> None:
    exact = a.dtype.kind in "iub" or a.dtype.name.startswith(("int", "uint"))
    x, y = a.astype(np.float64), b.astype(np.float64)
    places: Array | None = None
    if not exact:
        x, y, places = _finite_only(result, x, y)
    result.finite += x.size
    if not x.size:
        return
    result.low = (min(result.low[0], float(x.min())), min(result.low[1], float(y.min())))
    result.high = (max(result.high[0], float(x.max())), max(result.high[1], float(y.max())))
    result.max_ref = max(result.max_ref, abs(result.low[0]), abs(result.high[0]))
    unequal = a != b if exact else x != y
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        squares = _dot(x, x)
        result.ref_sum += float(x.sum())
        result.ref_squares += squares
        if not unequal.any():
            result.dot += squares
            result.after_squares += squares
            return
        result.equal = False
        result.dot += _dot(x, y)
        result.after_squares += _dot(y, y)
        diff = _integer_distance(a, b) if exact else np.abs(x - y)
        result.diff_squares += _dot(diff, diff)
        result.sum_abs += float(diff.sum())
    largest = int(np.argmax(diff))
    if diff[largest] > result.max_abs:
        result.max_abs = float(diff[largest])
        result.worst = start + (largest if places is None else int(places[largest]))
    _count_decades(result, diff[unequal])


def _dot(x: Array, y: Array) -> float:
    """Sum of products, without BLAS, whose threads spin against the worker for the cores."""
    return float(np.einsum("i,i->", x, y))


def _finite_only(result: Figures, x: Array, y: Array) -> tuple[Array, Array, Array | None]:
    """The elements that are finite on both sides, and their places if some are left out; counts the others."""
    good_x, good_y = np.isfinite(x), np.isfinite(y)
    if good_x.all() and good_y.all():
        return x, y, None
    lost = (x.size - int(np.count_nonzero(good_x)), y.size - int(np.count_nonzero(good_y)))
    result.nonfinite = (result.nonfinite[0] + lost[0], result.nonfinite[1] + lost[1])
    good = good_x & good_y
    odd_x, odd_y = x[~good], y[~good]
    misplaced = int(np.count_nonzero((odd_x != odd_y) & ~(np.isnan(odd_x) & np.isnan(odd_y))))
    result.misplaced += misplaced
    result.equal = result.equal and not misplaced
    places: Array = np.flatnonzero(good)
    return x[good], y[good], places


def _integer_distance(a: Array, b: Array) -> Array:
    """|a - b| in float64, exact before rounding even where int64 values are too large for float64."""
    if a.dtype == np.bool_:
        differs: Array = np.asarray(a != b, np.float64)
        return differs
    wide_a, wide_b = (v.astype(np.uint64 if v.dtype.kind == "u" else np.int64) for v in (a, b))
    low, high = np.minimum(wide_a, wide_b), np.maximum(wide_a, wide_b)
    distance: Array = high.view(np.uint64) - low.view(np.uint64)  # modulo 2^64, which is right for high >= low
    wide: Array = distance.astype(np.float64)
    return wide


def _count_decades(result: Figures, diff: Array) -> None:
    decades = np.floor(np.log10(diff[np.isfinite(diff)])).astype(np.int64)
    counts = np.bincount(decades + _DECADE_OFFSET)
    for place in np.flatnonzero(counts):
        decade = int(place) - _DECADE_OFFSET
        result.decades[decade] = result.decades.get(decade, 0) + int(counts[place])


def histogram(zero: int, decades: dict[int, int]) -> Histogram:
    """The `Histogram` of counts per decade, without empty decades at the ends."""
    if not decades:
        return Histogram(zero)
    low, high = min(decades), max(decades)
    edges = tuple(float(d) for d in range(low, high + 2))
    return Histogram(zero, edges, tuple(decades.get(d, 0) for d in range(low, high + 1)))


def sample(before: Array, after: Array) -> ArraySample:
    """Copies of both arrays for a view: leading parts of the first axes when they are too large, floats as float32."""
    return ArraySample(_cut(before), _cut(after))


def _cut(array: Array) -> Array:
    for axis in range(array.ndim):
        if array.size <= SAMPLE_LIMIT:
            break
        rest = array.size // array.shape[axis]
        keep = max(1, SAMPLE_LIMIT // rest)
        array = array[(slice(None),) * axis + (slice(0, keep),)]
    plain = array.dtype.kind in "iubOUS" and array.dtype.name in np.sctypeDict
    kept: Array = np.array(array if plain or array.dtype == object else array.astype(np.float32))
    kept.flags.writeable = False
    return kept
