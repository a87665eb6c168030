"""Random cases of a rewrite rule: apply it to a drawn model, run both, and tell how far they are apart.

Every test file of a rule has a function `case(random)` that draws a small model for the rule from a `random.Random`
(hypothesis hands one in and shrinks what it gave; the table of rules hands in a seeded one). `hold` is the property
test of a rule, `tally` counts the same cases for `docs/rules.md`.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import onnx
from hypothesis import given, settings
from hypothesis import strategies as st
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidGraph
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NoKernel

from inspector.model.graph import Model
from inspector.model.save import full_proto
from inspector.rewrite.find import sites
from inspector.rewrite.preview import preview
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match, Safety
from inspector.verify.tolerance import EQUIVALENT
from tests.helpers.rewriting import check_form, feeds_of, opened, run, run_reference

CASES = 200
"""Random cases of each rule."""

_UPSAMPLE_UNTIL = 9

Draw = Callable[[random.Random], onnx.ModelProto]
Arrays = Sequence[npt.NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one case.

    Attributes:
        variant: variant that was built; None when the rule refused every site.
        max_abs: largest |after - before| over all outputs.
        max_rel: the largest of max |after - before| / max |before| of each output; 0 for equal outputs.
    """

    variant: str | None
    max_abs: float = 0.0
    max_rel: float = 0.0


@dataclass(frozen=True, slots=True)
class Tally:
    """Cases of one rule.

    Attributes:
        run: cases that were rewritten and run.
        refused: cases in which the rule refused.
        variants: variants that were built.
        max_abs: worst of all cases.
        max_rel: worst of all cases.
    """

    run: int
    refused: int
    variants: tuple[str, ...]
    max_abs: float
    max_rel: float


def limit_of(rule: str) -> float:
    """Largest max_rel that *rule* may show: 0 for EXACT and BOUNDARY, else what it declares or 1e-6."""
    subject = rule_of(rule)
    if subject.safety in (Safety.EXACT, Safety.BOUNDARY):
        return 0.0
    return EQUIVALENT if subject.limit is None else subject.limit


def outcome(rule: str, proto: onnx.ModelProto, chance: random.Random, *, scale: float = 1.0) -> Outcome:
    """Rewrite *proto* at one of its sites in one of the variants there, both drawn, and compare all outputs.

    The runtime is onnxruntime; a model that it has no kernel for is run by the reference implementation of onnx.
    """
    model = opened(proto)
    matches = [reply for reply in sites(model, rule_of(rule)) if isinstance(reply, Match)]
    if not matches:
        return Outcome(None)
    match = chance.choice(matches)
    variant = chance.choice(match.variants)
    built = preview(model, rule_of(rule), match, variant)
    check_form(model, built)
    feeds = feeds_of(model, seed=chance.randrange(2**31), scale=scale)
    before, after = both(model, built.after, feeds)
    return Outcome(variant, *distance(before, after))


def both(before: Model, after: Model, feeds: Mapping[str, npt.NDArray[np.generic]]) -> tuple[Arrays, Arrays]:
    """Outputs of both models under one runtime.

    A model with an operator that its opset withdrew (Upsample) is run as one of the last opset that had it.
    """
    try:
        return run(before, feeds), run(after, feeds)
    except NoKernel:
        return run_reference(before, feeds), run_reference(after, feeds)
    except InvalidGraph:
        older = full_proto(before)
        older.opset_import[0].version = _UPSAMPLE_UNTIL
        return run(opened(older), feeds), run(after, feeds)


def distance(before: Arrays, after: Arrays) -> tuple[float, float]:
    """max |after - before|, and the largest of that over max |before| of each output.

    Outputs must agree in shape, dtype, and in where they are infinite or NaN.
    """
    largest = relative = 0.0
    for a, b in zip(before, after, strict=True):
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        if a.dtype.kind not in "fc":
            assert np.array_equal(a, b)
            continue
        left, right = a.astype(np.float64), b.astype(np.float64)
        finite = np.isfinite(left)
        assert np.array_equal(left[~finite], right[~finite], equal_nan=True)
        apart = float(np.abs(left[finite] - right[finite]).max(initial=0.0))
        size = float(np.abs(left[finite]).max(initial=0.0))
        largest = max(largest, apart)
        relative = max(relative, apart / size if size else apart)
    return largest, relative


def hold(rule: str, draw: Draw, *, scale: float = 1.0) -> Callable[[], None]:
    """The property test of *rule*: 200 drawn cases stay within its limit, and every variant comes up.

    `test_random_cases = hold(RULE, case)` in the rule's test file.
    """
    built: set[str] = set()

    @settings(max_examples=CASES)
    @given(st.randoms(use_true_random=False))
    def within(chance: random.Random) -> None:
        result = outcome(rule, draw(chance), chance, scale=scale)
        if result.variant is not None:
            built.add(result.variant)
        assert result.max_rel <= limit_of(rule), result

    def test() -> None:
        """Every drawn case stays within the limit of the rule, and every variant of it comes up."""
        built.clear()
        within()
        assert built == {variant.id for variant in rule_of(rule).variants}

    return test


def tally(rule: str, draw: Draw, *, count: int = CASES, seed: int = 0, scale: float = 1.0) -> Tally:
    """Cases of *rule* from a seeded source, until *count* of them were rewritten and run.

    Raises:
        ValueError: of ten times as many drawn cases too few fit the rule.
    """
    done: list[Outcome] = []
    refused = 0
    while len(done) < count:
        if refused > 10 * count:
            raise ValueError(f"{rule}: {refused} drawn cases were refused, {len(done)} fitted")
        chance = random.Random(seed * 1_000_003 + len(done) + refused)
        result = outcome(rule, draw(chance), chance, scale=scale)
        if result.variant is None:
            refused += 1
        else:
            done.append(result)
    return Tally(
        run=len(done),
        refused=refused,
        variants=tuple(sorted({o.variant for o in done if o.variant is not None})),
        max_abs=max(o.max_abs for o in done),
        max_rel=max(o.max_rel for o in done),
    )
