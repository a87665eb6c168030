"""Predicates of constraint tables in one line, and clauses as YAML, for a reader."""

from collections.abc import Mapping

import yaml

from inspector.placement.table import Clause


def spec_text(spec: Mapping[str, object]) -> str:
    """A predicate as its table has it: `rank: {of: X, eq: 4}`."""
    return ", ".join(f"{key}: {_plain(value)}" for key, value in spec.items())


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + spec_text(value) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_plain, value)) + "]"
    return str(value)


def clause_yaml(clause: Clause) -> str:
    """What *clause* asks, as a table states it: id, predicate, and when it is asked."""
    document: dict[str, object] = {"id": clause.id, **_tree(clause.require)}
    if clause.when:
        document["when"] = _tree(clause.when)
    if clause.contradicted is not None:
        document["contradicted"] = clause.contradicted.en
    dumped: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, default_flow_style=None, width=_WIDTH)
    return dumped.rstrip("\n")


def _tree(spec: Mapping[str, object]) -> dict[str, object]:
    return {key: _value(value) for key, value in spec.items()}


def _value(value: object) -> object:
    if isinstance(value, Mapping):
        return _tree(value)
    if isinstance(value, list | tuple):
        return [_value(entry) for entry in value]
    return value if isinstance(value, str | bool | int | float) or value is None else str(value)


_WIDTH = 72
"""Letters after which YAML breaks a line."""
