"""The example of a clause: the one that is kept for it, as long as it holds, else the one that a search finds.

Searching takes up to seconds, so the examples of the shipped tables are kept in `resources/examples.jsonl`, written by
`scripts/clause_examples.py`. A kept one is held against the table before it is shown: a table that was changed gets a
new search, never an example of another limit.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from inspector.assets import resources_dir
from inspector.placement.catalog import Catalog, ClauseHit
from inspector.placement.example import Case, Explored, Tried, explore, roughness, sizes
from inspector.placement.example_graph import graph_samples
from inspector.placement.example_model import Sample, build, from_json, is_valid
from inspector.placement.example_moves import MADE_UP
from inspector.placement.example_run import Example, Lack, example, places, targets
from inspector.placement.facts import NodeFacts
from inspector.placement.table import OpRules, Table
from inspector.placement.verdict import Side, Verdict

FILE: Final = "examples.jsonl"
"""One line per model or reason: clause, tables, and the sample in its short form or why there is none (`lack`)."""

_TRIED: Final = 24
"""Samples of a search that are placed."""


def find_example(catalog: Catalog, hit: ClauseHit) -> Example | Lack:
    """The example of the clause of *hit* in its table, or why it has none."""
    found = kept_example(catalog, hit)
    return search_example(catalog, hit) if found is None else found


def kept_example(catalog: Catalog, hit: ClauseHit) -> Example | Lack | None:
    """What is kept for the clause of *hit*; None where nothing is, or where it does not hold any more."""
    if hit.clause.note:
        return Lack.NOTE
    kept = _kept().get((hit.table, hit.clause.id))
    return example(catalog, hit, kept) if isinstance(kept, Sample) else kept


def search_example(catalog: Catalog, hit: ClauseHit, memory: dict[str, NodeFacts] | None = None) -> Example | Lack:
    """The plainest example that a search finds, whatever is kept; *memory* as for `explore`."""
    if hit.clause.note:
        return Lack.NOTE
    table = catalog.tables[hit.table]
    best: Example | None = None
    samples = list(_samples(hit, table, memory))
    for sample in samples:
        found = example(catalog, hit, sample)
        if found is not None and (best is None or found.others < best.others):
            best = found
        if best is not None and best.others == 0:
            break
    return _lack(catalog, hit, samples) if best is None else best


def _samples(hit: ClauseHit, table: Table, memory: dict[str, NodeFacts] | None) -> Iterator[Sample]:
    """Models that break the clause, plain ones first; those that ONNX takes before the others."""
    if hit.clause.side is Side.GRAPH:
        yield from graph_samples(hit.clause, table).get(Case.OUTSIDE.value, ())
        return
    key, rules = next((key, rules) for key, rules in table.ops.items() if rules.op == hit.op)
    domain = key.rpartition("::")[0]
    seen: set[str] = set()
    for wanted in (Case.OUTSIDE, None):  # near the plain forms first, then everywhere
        for one in _plainest(explore(hit.clause, rules, domain, memory, wanted), rules):
            if one.sample.key not in seen:
                seen.add(one.sample.key)
                yield one.sample


def _plainest(explored: Explored, rules: OpRules) -> list[Tried]:
    """Samples that break the clause, those at the limit and without a made-up word first, refused ones left out."""
    near = {one.sample.key for one in explored.of(Case.OUTSIDE)}

    def rank(one: Tried) -> tuple[bool, bool, int, int, int]:
        return _made_up(one.sample), one.sample.key not in near, one.changes, one.start, sizes(one.sample)

    tried = sorted((one for one in explored.tried if one.case is Case.OUTSIDE), key=rank)
    valid: list[Tried] = []
    for one in tried:
        if len(valid) < _TRIED and is_valid(build(one.sample)):
            valid.append(one)
    return sorted(valid, key=lambda t: (_made_up(t.sample), roughness(t, rules))) or tried[:_TRIED]


def _made_up(sample: Sample) -> bool:
    return MADE_UP in sample.attributes.values()


def _lack(catalog: Catalog, hit: ClauseHit, samples: list[Sample]) -> Lack:
    """Why none of *samples*, which all break the clause, is an example."""
    if not samples:
        return Lack.ALWAYS
    placed = [verdict for sample in samples for verdict in places(catalog, hit.table, sample)]
    if placed and all(verdict is Verdict.FOLDED for verdict in placed):
        return Lack.FOLDED
    valid = [sample for sample in samples if is_valid(build(sample))]
    if not valid:
        return Lack.INVALID
    offered = any(True for sample in valid for _ in targets(catalog, hit.table, sample))
    return Lack.UNKNOWN if offered else Lack.UNOFFERED


@cache
def _kept() -> Mapping[tuple[str, str], Sample | Lack]:
    """(table, clause) -> what is kept for it."""
    found: dict[tuple[str, str], Sample | Lack] = {}
    for line in (resources_dir() / FILE).read_text(encoding="utf-8").splitlines():
        entry: dict[str, Any] = json.loads(line)
        what = Lack(entry["lack"]) if "lack" in entry else from_json(entry)
        found.update(((table, entry["clause"]), what) for table in entry["tables"])
    return MappingProxyType(found)
