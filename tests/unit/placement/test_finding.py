"""Words of findings, and which piece of several is shown."""

import pytest

from inspector.placement.finding import Piece, bounds, listed, outcome_of, worst
from inspector.placement.verdict import Outcome
from inspector.text import render


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"range": [1, 2]}, "1..2"),
        ({"min": 3}, "≥ 3"),
        ({"max": 3}, "≤ 3"),
        ({"eq": 4}, "4"),
        ({"eq": [2, 3]}, "2, 3"),
        ({"in": ["a", "b"]}, "a, b"),
        ({"not_in": [0]}, "anything but 0"),
        ({}, "anything"),
    ],
)
def test_bounds_in_words(parameters, text):
    assert render(bounds(parameters)) == text


def test_the_first_failure_is_shown_before_unknowns():
    pieces = [Piece(Outcome.PASS, "a", "1"), Piece(Outcome.UNKNOWN, "b", "?"), Piece(Outcome.FAIL, "c", "9")]
    finding = worst(pieces, "≤ 3")
    assert (finding.outcome, finding.subject, finding.found, finding.allowed) == (Outcome.FAIL, "c", "9", "≤ 3")
    assert worst(pieces[:2], "≤ 3").subject == "b"
    assert worst(pieces[:1], "≤ 3").subject == "a"


def test_nothing_to_look_at():
    assert worst([], "≤ 3") is None


def test_small_helpers():
    assert [outcome_of(v) for v in (True, False, None)] == [Outcome.PASS, Outcome.FAIL, Outcome.UNKNOWN]
    assert listed([]) == "-"
