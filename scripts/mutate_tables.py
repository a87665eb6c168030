"""Are the constraint tables guarded? `python scripts/mutate_tables.py [--survivors]`.

Each clause is left out, and changed by each step of `inspector.placement.example_limits`: a figure moved by one, an
entry of a list added or left out, a part of a condition dropped. The golden cases judge the changed table; a change
that alters no outcome has survived. A survivor that the committed list does not name is a gap: exit code 1.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from inspector.model.graph import Model  # noqa: E402 - the path must be set first
from inspector.placement.catalog import Catalog, ClauseHit, load_catalog  # noqa: E402
from inspector.placement.example import Case, facts_of, hits, model_of  # noqa: E402
from inspector.placement.example_limits import Step, steps  # noqa: E402
from inspector.placement.facts import NodeFacts  # noqa: E402
from inspector.placement.table import Clause, Table  # noqa: E402
from inspector.placement.verdict import Side  # noqa: E402
from tests.helpers.clauses import (  # noqa: E402
    EXPECTED,
    SURVIVORS,
    golden_cases,
    graph_outcome,
    node_outcome,
    rules_for,
    sample_of,
    without_clause,
)

Cases = Sequence[tuple[Case, Any]]
"""Where a model stands, and its facts (or, for a clause about the whole model, the model)."""


def main(arguments: list[str]) -> int:
    """Change every clause of every table and count what the cases notice."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--survivors", action="store_true", help="write the list of survivors anew")
    write = parser.parse_args(arguments).survivors
    catalog = load_catalog()
    tally: dict[str, list[int]] = {}
    survivors: dict[str, None] = {}
    for hit, cases in _with_cases(catalog):
        for step in _steps(hit):
            killed = _killed(catalog, hit, step, cases)
            counts = tally.setdefault("left out" if step.clause is None else "changed", [0, 0])
            counts[not killed] += 1
            if not killed:
                survivors[f"{hit.clause.id}: {step.change}"] = None
    for kind, (killed, survived) in tally.items():
        print(f"{kind}: {killed + survived} mutants, {killed} killed by a case, {survived} survived")
    alone = {change for change in survivors if change.endswith(": left out") and change.count(":") == 1}
    print(f"of these, clauses that only register.json guards because no model breaks them: {len(alone)} ids")
    if write:
        SURVIVORS.write_text(json.dumps(sorted(survivors), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    new = sorted(set(survivors) - set(json.loads(SURVIVORS.read_text(encoding="utf-8"))))
    print("\n".join([f"{len(new)} not expected", *new]))
    return int(bool(new))


def _with_cases(catalog: Catalog) -> Iterator[tuple[ClauseHit, Cases]]:
    """Every clause that a program can check, with its cases, facts gathered once."""
    found: dict[tuple[str, str, str], list[tuple[Case, Any]]] = {}
    for case in golden_cases():
        sample = sample_of(case)
        facts: NodeFacts | Model = facts_of(sample) if case["op"] else model_of(sample)
        for table in case["tables"]:
            found.setdefault((table, case["op"], case["clause"]), []).append((Case(case["case"]), facts))
    for hit in hits(catalog):
        if not hit.clause.note:
            yield hit, found.get((hit.table, hit.op, hit.clause.id), [])


def _steps(hit: ClauseHit) -> Iterator[Step]:
    yield from steps(hit.clause, "Relu" if hit.clause.side is Side.GRAPH else hit.op)


def _killed(catalog: Catalog, hit: ClauseHit, step: Step, cases: Cases) -> bool:
    table = catalog.tables[hit.table]
    if hit.clause.side is Side.GRAPH:
        return _graph_killed(catalog, table, hit.clause, step, cases)
    rules = without_clause(rules_for(table, hit.op), hit.clause.id, step.clause)
    return any(node_outcome(rules, hit.clause.id, facts) is not EXPECTED[case] for case, facts in cases)


def _graph_killed(catalog: Catalog, table: Table, clause: Clause, step: Step, cases: Cases) -> bool:
    kept = tuple(step.clause if known.id == clause.id else known for known in table.graph)
    changed = replace(table, graph=tuple(known for known in kept if known is not None))
    tables: Mapping[str, Table] = {**catalog.tables, table.id: changed}
    other = replace(catalog, tables=tables)
    return any(graph_outcome(other, changed, clause.id, model) is not EXPECTED[case] for case, model in cases)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
