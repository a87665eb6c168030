"""Predicates of constraint tables in one line, for a reader."""

from collections.abc import Mapping


def spec_text(spec: Mapping[str, object]) -> str:
    """A predicate as its table has it: `rank: {of: X, eq: 4}`."""
    return ", ".join(f"{key}: {_plain(value)}" for key, value in spec.items())


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + spec_text(value) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_plain, value)) + "]"
    return str(value)
