"""The golden cases of the constraint tables: how they are read, and how a table is held against them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from inspector.model.graph import Model
from inspector.placement.catalog import Catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.example import Case, facts_of, model_of
from inspector.placement.example_model import Sample, from_json
from inspector.placement.facts import NodeFacts
from inspector.placement.graph_checks import graph_checks
from inspector.placement.local import decide
from inspector.placement.table import Clause, OpRules, Table
from inspector.placement.target import Target
from inspector.placement.verdict import Check, Outcome

FOLDER = Path(__file__).resolve().parent.parent / "golden" / "clauses"
CASES = FOLDER / "cases.jsonl"
REGISTER = FOLDER / "register.json"
WITHOUT = FOLDER / "without.json"
SURVIVORS = FOLDER / "survivors.json"

EXPECTED: Mapping[Case, Outcome | None] = {
    Case.INSIDE: Outcome.PASS,
    Case.OUTSIDE: Outcome.FAIL,
    Case.MISSING: Outcome.UNKNOWN,
    Case.ELSEWHERE: None,
}
"""Where a model stands -> outcome of the clause; None where the clause does not apply."""


@cache
def golden_cases() -> tuple[Mapping[str, Any], ...]:
    """All cases as they are committed."""
    lines = CASES.read_text(encoding="utf-8").splitlines()
    return tuple(MappingProxyType(json.loads(line)) for line in lines)


def sample_of(case: Mapping[str, Any]) -> Sample:
    """The model of a case; `on` is the operator of a case about the whole model."""
    return from_json({**case, "op": case.get("on", case["op"])})


def node_outcome(rules: OpRules, clause: str, facts: NodeFacts) -> Outcome | None:
    """Outcome of *clause* for a node with these *facts*; None when it does not apply."""
    local = decide(rules, facts)
    return _outcome((*local.checks, *local.cpu_checks), clause)


def graph_outcome(catalog: Catalog, table: Table, clause: str, model: Model) -> Outcome | None:
    """Outcome of *clause*, about the whole model, on a target that uses *table*."""
    if clause == "model.min-bpu-nodes":
        return _outcome(place(model, catalog, target_of(catalog, table)).graph_checks, clause)
    return _outcome(graph_checks(model, table, Target("", table.march, "")), clause)


def _outcome(checks: tuple[Check, ...], clause: str) -> Outcome | None:
    return next((check.outcome for check in checks if check.clause == clause), None)


def target_of(catalog: Catalog, table: Table) -> Target:
    """A target whose default toolchain uses *table*."""
    for platform in catalog.platforms:
        for march in platform.marches:
            target = resolve_target(catalog, platform.id, march=march)
            if catalog.table(target) is table:
                return target
    raise KeyError(table.id)


def rules_for(table: Table, op: str) -> OpRules:
    """Rules of *op*, whichever domain it stands in."""
    return next(rules for rules in table.ops.values() if rules.op == op)


def case_outcome(catalog: Catalog, table: Table, case: Mapping[str, Any]) -> Outcome | None:
    """What *table* says about a case."""
    sample = sample_of(case)
    if not case["op"]:
        return graph_outcome(catalog, table, case["clause"], model_of(sample))
    return node_outcome(rules_for(table, case["op"]), case["clause"], facts_of(sample))


def register(catalog: Catalog) -> dict[str, dict[str, dict[str, str]]]:
    """Table -> row (`""` for clauses about the model) -> clause (`""` for the row itself) -> what it leads to."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for table in catalog.tables.values():
        rows = {key: {"": row_words(rules), **dict(_words(rules.clauses))} for key, rules in table.ops.items()}
        found[table.id] = {**rows, "": {"": "complete" if table.complete else "open", **dict(_words(table.graph))}}
    return found


def row_words(rules: OpRules) -> str:
    """What a row says apart from its clauses."""
    words = ["bpu" if rules.bpu else "no-bpu", f"kernel={rules.kernel}", f"standing={rules.source.standing}"]
    words += [f"fold={rules.fold}"] if rules.fold else []
    words += [f"default={rules.default_device}"] if rules.default_device else []
    words += [f"force={rules.force_option}"] if rules.force_option else []
    return " ".join([*words, *(["stand-in"] if rules.stand_in else [])])


def _words(clauses: tuple[Clause, ...]) -> Iterator[tuple[str, str]]:
    for clause in clauses:
        yield clause.id, clause_words(clause)


def clause_words(clause: Clause) -> str:
    """Where a clause leads: its side, what a failure means, how well it is supported, whether it fires."""
    words = [str(clause.side), str(clause.otherwise), str(clause.source.standing)]
    words += ["contradicted"] if clause.contradicted is not None else []
    return " ".join([*words, *(["note"] if clause.note else [])])


def without_clause(rules: OpRules, clause: str, other: Clause | None) -> OpRules:
    """*rules* with *other* in place of a clause, or without it."""
    changed = [other if known.id == clause else known for known in rules.clauses]
    return replace(rules, clauses=tuple(known for known in changed if known is not None))
