"""`Tally`: the figures of one tensor gathered over all input sets, and the verdict on it."""

from math import sqrt

import numpy as np

from inspector.text import Message, say
from inspector.verify.metrics import Array, Figures, figures, histogram
from inspector.verify.result import Status, TensorDiff, Tolerance
from inspector.verify.tolerance import limit_for

DEAD_STD = 1e-6
"""A reference tensor whose values deviate less than this from their mean shows nothing."""

DEAD = "dead"
SATURATED = "saturated"


class Tally:
    """Gathers one tensor.

    Args:
        name: tensor name before.
        output: whether it is a graph output.
        tolerance: the limit.
    """

    def __init__(self, name: str, output: bool, tolerance: Tolerance) -> None:
        self.name = name
        self.output = output
        self.saturated = False
        self._tolerance = tolerance
        self._worst: Figures | None = None
        self._shape: tuple[int, ...] = ()
        self._dtype = "?"
        self._sample = 0
        self._failure: Message | None = None
        self._nonfinite = (0, 0)
        self._equal = True
        self._exact = 0
        self._decades: dict[int, int] = {}
        self._low = (np.inf, np.inf)
        self._high = (-np.inf, -np.inf)
        self._live: list[tuple[int, float, float]] = []  # count, sum, sum of squares of each finite reference
        self._elements = 0

    @property
    def seen(self) -> bool:
        """Whether anything was taken in."""
        return self._worst is not None or self._failure is not None

    def add(self, sample: int, before: Array | None, after: Array | None) -> None:
        """Take in the two arrays of input set *sample*; None where the runtime gave no tensor."""
        if before is None or after is None:
            self._fail(sample, say("verify.no_tensor", tensor=self.name))
            return
        if self._worst is None:
            self._shape, self._dtype = before.shape, before.dtype.name
        if before.dtype != after.dtype:
            self._fail(sample, say("verify.dtype_differs", before=before.dtype.name, after=after.dtype.name))
        elif before.shape != after.shape:
            self._fail(sample, say("verify.shape_differs", before=_text(before.shape), after=_text(after.shape)))
        else:
            self._add(sample, before.shape, figures(before, after))

    def diff(self) -> TensorDiff:
        """Figures and verdict so far."""
        worst, badge = self._worst, self._badge()
        status, reason = self._verdict(badge)
        index = None
        if worst is not None and worst.worst >= 0:
            index = tuple(int(i) for i in np.unravel_index(worst.worst, self._shape))
        return TensorDiff(
            name=self.name, shape=self._shape, dtype=self._dtype, output=self.output,
            max_abs=None if worst is None or not (worst.finite or not worst.count) else worst.max_abs,
            mean_abs=None if worst is None else worst.mean_abs,
            max_rel=None if worst is None else worst.max_rel,
            cosine=None if worst is None else worst.cosine,
            snr_db=None if worst is None else worst.snr_db,
            nonfinite=self._nonfinite, equal=self._equal, worst_index=index, sample=self._sample,
            range_before=_range(self._low[0], self._high[0]), range_after=_range(self._low[1], self._high[1]),
            histogram=None if worst is None else histogram(self._exact, self._decades),
            status=status, reason=reason, badge=badge,
        )  # fmt: skip

    def _add(self, sample: int, shape: tuple[int, ...], found: Figures) -> None:
        if self._worst is None or _badness(found) > _badness(self._worst):
            self._worst, self._sample, self._shape = found, sample, shape
        self._nonfinite = (self._nonfinite[0] + found.nonfinite[0], self._nonfinite[1] + found.nonfinite[1])
        self._equal = self._equal and found.equal
        self._exact += found.exact
        self._elements += found.count
        for decade, count in found.decades.items():
            self._decades[decade] = self._decades.get(decade, 0) + count
        self._low = (min(self._low[0], found.low[0]), min(self._low[1], found.low[1]))
        self._high = (max(self._high[0], found.high[0]), max(self._high[1], found.high[1]))
        if found.finite and not found.nonfinite[0]:
            self._live.append((found.finite, found.ref_sum, found.ref_squares))
        reason = self._judge(found)
        if reason is not None:
            self._fail(sample, reason, worst=found is self._worst)

    def _judge(self, found: Figures) -> Message | None:
        """Why one input set fails; None when it does not."""
        if found.misplaced:
            return say(
                "verify.nonfinite_differs", n=found.misplaced, before=found.nonfinite[0], after=found.nonfinite[1]
            )
        if found.equal:
            return None
        unequal = sum(found.decades.values())
        if self._tolerance.bit_exact or not self._is_float():
            return say("verify.not_equal", n=unequal, total=found.count, max_abs=f"{found.max_abs:.2e}")
        if found.max_rel is None:
            return say("verify.reference_zero", max_abs=f"{found.max_abs:.2e}")
        limit = limit_for(self._tolerance, self._dtype)
        if not found.max_rel <= limit:
            return say("verify.above_limit", max_rel=f"{found.max_rel:.2e}", limit=f"{limit:.1e}")
        return None

    def _fail(self, sample: int, reason: Message, *, worst: bool = False) -> None:
        self._equal = False
        if self._failure is None or worst:
            self._failure = reason
            if self._worst is None:
                self._sample = sample

    def _is_float(self) -> bool:
        return self._dtype.startswith(("float", "bfloat", "complex"))

    def _badge(self) -> str:
        if self.saturated:
            return SATURATED
        if not self._live:
            return ""
        if self._is_float():
            return DEAD if self._std() < DEAD_STD else ""
        return DEAD if self.output and self._dtype != "string" and self._low[0] == 0 == self._high[0] else ""

    def _std(self) -> float:
        """Standard deviation of the reference over the elements of all finite input sets together."""
        count = sum(n for n, _, _ in self._live)
        mean = sum(s for _, s, _ in self._live) / count
        return sqrt(max(0.0, sum(q for _, _, q in self._live) / count - mean * mean))

    def _verdict(self, badge: str) -> tuple[Status, Message | None]:
        if self._failure is not None:
            return Status.FAILED, self._failure
        if self._worst is None:
            return Status.INCONCLUSIVE, say("verify.nothing_ran")
        if not self._elements:
            return Status.INCONCLUSIVE, say("verify.empty")
        if not self._live:
            return Status.INCONCLUSIVE, say("verify.reference_nonfinite", n=self._nonfinite[0])
        if badge == SATURATED:
            return Status.INCONCLUSIVE, say("verify.saturated")
        if badge == DEAD:
            zero = self._low[0] == 0 == self._high[0]
            return Status.INCONCLUSIVE, say("verify.dead_zero" if zero else "verify.dead", std=f"{self._std():.1e}")
        return Status.PASSED, None


def _badness(found: Figures) -> tuple[int, float, float]:
    relative = found.max_rel
    return found.misplaced, np.inf if relative is None and found.max_abs else (relative or 0.0), found.max_abs


def _range(low: float, high: float) -> tuple[float, float] | None:
    return (float(low), float(high)) if low <= high else None


def _text(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) if shape else "scalar"
