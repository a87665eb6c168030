"""`Finding`: the answer of one predicate, and the words its parts are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspector.placement.verdict import Outcome
from inspector.text import Message, Text, say

Words = Message | Text | str


@dataclass(frozen=True, slots=True)
class Finding:
    """Answer of a predicate; the texts are never empty.

    Attributes:
        outcome: whether it holds.
        subject: what was looked at.
        found: what the node has; `?` when unknown.
        allowed: what is taken.
    """

    outcome: Outcome
    subject: Words
    found: Words
    allowed: Words


@dataclass(frozen=True, slots=True)
class Piece:
    """Answer on one operand, axis or element, of which `worst` picks the one to show."""

    outcome: Outcome
    subject: Words
    found: Words
    allowed: Words | None = None


def outcome_of(holds: bool | None) -> Outcome:
    """PASS, FAIL, or UNKNOWN for None."""
    if holds is None:
        return Outcome.UNKNOWN
    return Outcome.PASS if holds else Outcome.FAIL


def worst(pieces: Sequence[Piece], allowed: Words) -> Finding | None:
    """The first failed piece, else the first unknown one, else the first; None when there is nothing to look at."""
    for outcome in (Outcome.FAIL, Outcome.UNKNOWN, Outcome.PASS):
        for piece in pieces:
            if piece.outcome is outcome:
                return Finding(outcome, piece.subject, piece.found, piece.allowed or allowed)
    return None


def listed(values: Sequence[Any]) -> str:
    """Values as a reader sees a set: `1, 2, 4`; names and figures, not translated."""
    return ", ".join(str(value) for value in values) or "-"


def bounds(parameters: Mapping[str, Any]) -> Words:
    """What `range`, `min`, `max`, `eq`, `in`, `not_in` allow, in words."""
    if "range" in parameters:
        low, high = parameters["range"]
        return f"{low}..{high}"
    if "min" in parameters:
        return f"≥ {parameters['min']}"
    if "max" in parameters:
        return f"≤ {parameters['max']}"
    if "eq" in parameters:
        expected = parameters["eq"]
        return listed(expected) if isinstance(expected, list | tuple) else str(expected)
    if "in" in parameters:
        return listed(parameters["in"])
    if "not_in" in parameters:
        return say("constraints.allowed_not_in", values=listed(parameters["not_in"]))
    return say("constraints.any")


def within(value: Any, parameters: Mapping[str, Any]) -> bool | None:
    """Whether *value* satisfies every bound in *parameters*; None when it is unknown and something is bounded."""
    if value is None:
        return None
    if "range" in parameters and not parameters["range"][0] <= value <= parameters["range"][1]:
        return False
    if "min" in parameters and value < parameters["min"]:
        return False
    if "max" in parameters and value > parameters["max"]:
        return False
    if "eq" in parameters and value != parameters["eq"]:
        return False
    if "in" in parameters and value not in parameters["in"]:
        return False
    return not ("not_in" in parameters and value in parameters["not_in"])


def shown(value: Any) -> str:
    """A value as a reader sees it: `?` for an unknown one, quotes for an empty text."""
    if value is None:
        return "?"
    return str(value) or "''"


def names_of(names: Sequence[str]) -> Words:
    """Names as a reader sees them; `none` where there are none."""
    return listed(names) if names else say("constraints.none")


def presence(expected: bool, present: bool, subject: Words) -> Finding:
    """Whether something is there, as *expected* or not."""
    words = {True: say("constraints.present"), False: say("constraints.absent")}
    return Finding(outcome_of(present is expected), subject, words[present], words[expected])
