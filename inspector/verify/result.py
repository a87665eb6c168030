"""`TensorDiff`, `Stage`, `Verification`: what a numerical comparison found, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from inspector.text import Message


class Status(StrEnum):
    """Answer of a comparison. INCONCLUSIVE is never shown as passing."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    INCONCLUSIVE = "INCONCLUSIVE"


class StageName(StrEnum):
    """Which comparison was made."""

    FRAGMENT = "fragment"  # the matched nodes against their replacement, alone
    MODEL = "model"  # the whole model, outputs and intermediates aligned by name


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counts of |difference| over all elements of a tensor and all input sets.

    Attributes:
        zero: number of elements that are exactly equal.
        edges: decades, log10 of the lower bin edges in units of |difference|; `len(counts) + 1` entries.
        counts: elements per bin, non-zero differences only.
    """

    zero: int
    edges: tuple[float, ...] = ()
    counts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TensorDiff:
    """Error figures of one tensor, the worst over all input sets.

    Attributes:
        name: tensor name.
        shape: its shape in the runs.
        dtype: its dtype, as numpy names it.
        output: True for a graph output, False for an intermediate.
        max_abs: max |a - b|; None when nothing could be compared.
        mean_abs: mean |a - b|.
        max_rel: max |a - b| / max |a| over the tensor, both zero: 0; None when only the reference is zero.
        cosine: cosine similarity in float64; None when a vector is zero.
        snr_db: 10 log10(sum a^2 / sum (a - b)^2) in dB; None when equal or when the reference is zero.
        nonfinite: counts of NaN and infinity (before, after).
        equal: whether all elements are equal, NaN counted equal to NaN in the same place.
        worst_index: coordinates of the largest difference; None when equal or not comparable.
        sample: index of the input set in which the worst difference was found.
        range_before: smallest and largest finite value before; None when there is none.
        range_after: likewise after.
        histogram: distribution of |difference|; None when not comparable.
        status: verdict on this tensor.
        reason: why it is not PASSED; None when it is.
        badge: why the tensor proves nothing, or empty: `dead` (the reference hardly varies or hardly responds to the
            inputs), `saturated` (an activation out of its interesting range), `exploded` (too large for small errors).
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    output: bool
    max_abs: float | None
    mean_abs: float | None
    max_rel: float | None
    cosine: float | None
    snr_db: float | None
    nonfinite: tuple[int, int]
    equal: bool
    worst_index: tuple[int, ...] | None
    sample: int
    range_before: tuple[float, float] | None
    range_after: tuple[float, float] | None
    histogram: Histogram | None
    status: Status
    reason: Message | None = None
    badge: str = ""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """The limit a comparison is held against.

    Attributes:
        bit_exact: every element must be equal.
        max_rel: largest accepted max_rel; 0.0 with `bit_exact`.
        origin: where the limit comes from: safety class, rule, or user.
    """

    bit_exact: bool
    max_rel: float
    origin: Message


@dataclass(frozen=True, slots=True)
class Runtime:
    """What computed the numbers, always named with a result."""

    name: str
    version: str
    provider: str
    optimization: str
    threads: int


@dataclass(frozen=True)
class Verification:
    """Result of comparing two models (or a fragment and its replacement).

    Attributes:
        stage: which comparison.
        status: the verdict.
        reason: why it is not PASSED; None when it is.
        outputs: figures per compared tensor: graph outputs first, then intermediates in topological order.
        tolerance: the limit.
        seed: seed of the inputs.
        inputs: what the input sets were, for a reader: `normal x1`, `ones`.
        runtime: what computed it; None when nothing ran.
        elapsed_s: wall time in seconds.
        samples: tensor name -> its values on one input set, for the window to show.
        notes: what a reader must know of how it was made: matched by position, another runtime, fewer input sets.
    """

    stage: StageName
    status: Status
    reason: Message | None
    outputs: tuple[TensorDiff, ...]
    tolerance: Tolerance
    seed: int
    inputs: tuple[str, ...]
    runtime: Runtime | None
    elapsed_s: float
    samples: Mapping[str, "ArraySample"] = field(default_factory=lambda: MappingProxyType({}))
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class ArraySample:
    """Values of one tensor on one input set, for the window to show; cut to at most 1 Mi elements.

    Attributes:
        before: values before, float32 or the tensor's own integer type, read-only.
        after: values after.
    """

    before: npt.NDArray[np.generic]
    after: npt.NDArray[np.generic]
