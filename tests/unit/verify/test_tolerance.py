import pytest

from inspector.errors import UsageError
from inspector.text import LANGUAGES, render
from inspector.verify.result import StageName
from inspector.verify.tolerance import CAP, limit_for, stated_tolerance, tolerance_for, user_tolerance


def test_exact_takes_no_difference():
    limit = tolerance_for(True, 1e-5, StageName.MODEL, depth=100)
    assert limit.bit_exact
    assert limit.max_rel == 0.0
    assert limit_for(limit, "float16") == 0.0


@pytest.mark.parametrize(
    ("declared", "stage", "depth", "expected"),
    [
        (None, StageName.FRAGMENT, 1, 1e-6),
        (None, StageName.FRAGMENT, 100, 1e-6),
        (5e-6, StageName.FRAGMENT, 1, 5e-6),
        (1.0, StageName.FRAGMENT, 1, CAP),
        (None, StageName.MODEL, 25, 5e-6),
        (None, StageName.MODEL, 10_000, CAP),
        (5e-6, StageName.MODEL, 100, CAP),
    ],
)
def test_equivalent(declared, stage, depth, expected):
    assert tolerance_for(False, declared, stage, depth=depth).max_rel == pytest.approx(expected)


def test_user_and_approximate():
    assert user_tolerance(0).bit_exact
    assert user_tolerance(1e-3).max_rel == 1e-3
    assert stated_tolerance(0.02).max_rel == 0.02


def test_float16_has_its_own_floor_and_others_not():
    limit = tolerance_for(False)
    assert limit_for(limit, "float16") == 2.0**-9
    assert limit_for(limit, "float32") == limit_for(limit, "float64") == limit_for(limit, "bfloat16") == 1e-6


def test_origins_read_well_in_both_languages():
    limits = [
        tolerance_for(True),
        tolerance_for(False),
        tolerance_for(False, 2e-6),
        stated_tolerance(1),
        user_tolerance(1),
    ]
    limits.append(tolerance_for(False, None, StageName.MODEL, depth=9))
    for language in LANGUAGES:
        texts = [render(limit.origin, language) for limit in limits]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("limit", [float("nan"), float("inf"), -1e-9])
def test_a_limit_that_everything_or_nothing_exceeds_is_refused(limit):
    with pytest.raises(UsageError):
        user_tolerance(limit)
