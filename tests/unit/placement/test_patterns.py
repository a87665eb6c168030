"""Shape patterns."""

import pytest

from inspector.placement.patterns import matches


@pytest.mark.parametrize(
    ("pattern", "shapes", "fits"),
    [
        ("NCHW|NC11", [(2, 3, 4, 5), (2, 3, 1, 1)], True),
        ("NCHW|NC11", [(2, 3, 4, 5), (2, 4, 1, 1)], False),
        ("NCHW|NC11", [(2, 3, 4, 5), (2, 3, 1, 2)], False),
        ("NCHW|NC11", [(2, 3, 4, 5), (3, 1, 1)], False),
        ("NCHW|NC11", [(2, 3, 4, 5), (2, None, 1, 1)], None),
        ("NCHW|NC11", [(2, 3, 4, 5), (2, None, 1, 2)], False),
        ("NCHW|NC11", [None, (2, 3, 1, 1)], None),
        ("K|KN", [(3,), (3, 4)], True),
        ("K|KN", [(3,), (4, 4)], False),
        ("equal", [(1, 2), (1, 2)], True),
        ("equal", [(1, 2), (1, 3)], False),
        ("equal", [(1, 2), (1, 2, 3)], False),
        ("equal", [(1, 2), (1, None)], None),
        ("equal", [(1, 2), None], None),
        ("single", [(4, 4), (1, 1)], True),
        ("single", [(4, 4), ()], True),
        ("single", [(4, 4), (1, 2)], False),
        ("single", [(4, 4), (1, None)], None),
        ("single", [(4, 4), None], None),
    ],
)
def test_one_pattern(pattern, shapes, fits):
    assert matches([pattern], shapes, {}) is fits


def test_one_fitting_pattern_is_enough():
    assert matches(["KN|K", "equal"], [(3, 4), (3, 4)], {}) is True


def test_an_unknown_pattern_hides_a_refusal():
    assert matches(["NC|NC", "single"], [(2, 3), None], {}) is None


def test_least_lengths():
    assert matches(["BK|BK"], [(1, 3), (1, 3)], {"B": 2}) is False
    assert matches(["BK|BK"], [(2, 3), (2, 3)], {"B": 2}) is True
