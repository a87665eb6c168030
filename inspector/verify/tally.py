"""`Tally`: the figures of one tensor gathered over all input sets, and the verdict on it."""

from dataclasses import replace
from math import sqrt

import numpy as np

from inspector.text import Message, say
from inspector.verify.metrics import Array, Figures, figures, histogram
from inspector.verify.result import Status, TensorDiff, Tolerance
from inspector.verify.tolerance import CAP, limit_for

DEAD_STD = 1e-6
"""A reference tensor whose values deviate less than this from their mean shows nothing."""

HIDDEN_FAULT = 0.1
"""A reference hides a fault of this size when what depends on the input is so small a part of it that the fault stays
within the limit."""

_SMALLEST_RESPONSE = 1e-6
"""Below this part of the largest value a float32 tensor does not respond to its inputs at all."""

EXPLODED = 1e6
"""Above this median magnitude float32 swallows constants of everyday size."""

DEAD_BADGE = "dead"
SATURATED_BADGE = "saturated"
EXPLODED_BADGE = "exploded"

_PROBE_ELEMENTS = 1 << 14


class Tally:
    """Gathers one tensor.

    Args:
        name: tensor name before.
        output: whether it is a graph output.
        tolerance: the limit.
        varies: whether the values depend on those of the inputs; a constant proves itself and is never dead.
        proven: whether the changes before it are proven elsewhere: then it may respond faintly or be very large.
    """

    def __init__(
        self, name: str, output: bool, tolerance: Tolerance, *, varies: bool = True, proven: bool = False
    ) -> None:
        self.name = name
        self.output = output
        self._varies = varies
        self._proven = proven
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
        self._first: Array | None = None  # some elements of the first finite reference, in float64
        self._response: float | None = None
        self._moderate = False  # whether some reference has an everyday magnitude

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
            self._add(sample, before, figures(before, after))

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

    def _add(self, sample: int, before: Array, found: Figures) -> None:
        if self._worst is None or _badness(found) > _badness(self._worst):
            self._worst, self._sample, self._shape = found, sample, before.shape
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
            if self._is_float():
                self._watch(before)
        reason = self._judge(found)
        if reason is not None:
            self._fail(sample, reason, worst=found is self._worst)

    def _watch(self, before: Array) -> None:
        """Note how large a finite reference is and how it responds to the inputs, on a part of its elements."""
        flat = before.reshape(-1)
        part = np.abs(flat[:: flat.size // _PROBE_ELEMENTS + 1])
        self._moderate = self._moderate or float(np.median(part)) <= EXPLODED
        values = flat[:: flat.size // _PROBE_ELEMENTS + 1].astype(np.float64)
        if self._first is None:
            self._first = values
        elif self._first.shape != values.shape:
            self._response = np.inf
        else:
            largest = max(float(np.abs(self._first).max()), float(np.abs(values).max()))
            change = float(np.abs(values - self._first).max()) / largest if largest else 0.0
            self._response = max(self._response or 0.0, change)

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
            return SATURATED_BADGE
        if not self._live or not self._varies:
            return ""
        if not self._is_float():
            return DEAD_BADGE if self.output and self._low[0] == 0 == self._high[0] else ""
        if self._std() < DEAD_STD or self._hardly_responds():
            return DEAD_BADGE
        return "" if self._moderate else EXPLODED_BADGE

    def _is_still(self) -> bool:
        """Whether the reference is zero or constant."""
        return self._low[0] == 0 == self._high[0] or self._std() < DEAD_STD

    def _is_rounding_of_nothing(self) -> bool:
        """Whether a dead reference differs by less than what makes it dead, as a sigmoid far out does by rounding."""
        worst = self._worst
        return (
            worst is not None
            and not worst.misplaced
            and self._is_float()
            and bool(self._live)
            and (self._is_still() and worst.max_abs < DEAD_STD)
        )

    def _hardly_responds(self) -> bool:
        # A generous limit of the user's accepts a fault; it does not make the tensor blind to one.
        strict = replace(self._tolerance, max_rel=min(self._tolerance.max_rel, CAP))
        limit = limit_for(strict, self._dtype)
        return self._response is not None and self._response < max(limit / HIDDEN_FAULT, _SMALLEST_RESPONSE)

    def _std(self) -> float:
        """Standard deviation of the reference over the elements of all finite input sets together."""
        count = sum(n for n, _, _ in self._live)
        mean = sum(s for _, s, _ in self._live) / count
        return sqrt(max(0.0, sum(q for _, _, q in self._live) / count - mean * mean))

    def _verdict(self, badge: str) -> tuple[Status, Message | None]:
        if self._failure is not None:
            if self._proven and self._is_rounding_of_nothing():
                return Status.INCONCLUSIVE, self._why_dead()
            return Status.FAILED, self._failure
        if self._worst is None:
            return Status.INCONCLUSIVE, say("verify.nothing_ran")
        if not self._elements:
            return Status.INCONCLUSIVE, say("verify.empty")
        if not self._live:
            return Status.INCONCLUSIVE, say("verify.reference_nonfinite", n=self._nonfinite[0])
        if self._proven and not self._is_still() and badge in (DEAD_BADGE, EXPLODED_BADGE):
            return Status.PASSED, None
        if badge == DEAD_BADGE:
            return Status.INCONCLUSIVE, self._why_dead()
        if badge:
            return Status.INCONCLUSIVE, say(f"verify.{badge}", largest=f"{max(-self._low[0], self._high[0]):.1e}")
        return Status.PASSED, None

    def _why_dead(self) -> Message:
        if self._low[0] == 0 == self._high[0]:
            return say("verify.dead_zero")
        if self._std() < DEAD_STD or self._response is None:
            return say("verify.dead", std=f"{self._std():.1e}")
        return say("verify.dead_response", response=f"{self._response:.1e}")


def is_faint(diff: TensorDiff) -> bool:
    """Whether *diff* proves little only because the tensor hardly responds to the inputs or is very large.

    What stands between it and a change decides then: if that is alive and agrees, the rest is computed by equal nodes.
    """
    return diff.reason is not None and diff.reason.key in ("verify.dead_response", "verify.exploded")


def _badness(found: Figures) -> tuple[int, float, float]:
    relative = found.max_rel
    return found.misplaced, np.inf if relative is None and found.max_abs else (relative or 0.0), found.max_abs


def _range(low: float, high: float) -> tuple[float, float] | None:
    return (float(low), float(high)) if low <= high else None


def _text(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) if shape else "scalar"
