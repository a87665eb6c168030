"""Write the golden cases of the constraint tables: `python scripts/clause_cases.py [--list]`.

Every clause gets models just inside its limit, just outside it, with a fact missing, and enough others that each step
over the limit (`inspector.placement.example_limits`) changes the answer about one of them. Cases that are there already
are kept as they are and never written again: only clauses without cases get new ones, so that a changed limit is seen
by the tests. To accept a changed clause, delete its lines first. `--list` says which clauses have none.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from inspector.placement.catalog import Catalog, ClauseHit, load_catalog  # noqa: E402 - the path must be set first
from inspector.placement.example import Case, Explored, Tried, best, explore, hits, plainest  # noqa: E402
from inspector.placement.example_graph import graph_samples  # noqa: E402
from inspector.placement.facts import NodeFacts  # noqa: E402
from inspector.placement.table import OpRules  # noqa: E402
from inspector.placement.verdict import Side  # noqa: E402
from tests.helpers.clauses import CASES, FOLDER, REGISTER, WITHOUT, register  # noqa: E402


def main(arguments: list[str]) -> None:
    """Add the cases that are missing, and write the register of all clauses if there is none."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="only list clauses without cases")
    only_list = parser.parse_args(arguments).list
    FOLDER.mkdir(parents=True, exist_ok=True)
    catalog = load_catalog()
    lines = CASES.read_text(encoding="utf-8").splitlines() if CASES.exists() else []
    known = {(table, line["op"], line["clause"]) for line in map(json.loads, lines) for table in line["tables"]}
    groups = _grouped(hit for hit in hits(catalog) if (hit.table, hit.op, hit.clause.id) not in known)
    for op, clauses in groups.items():
        memory: dict[str, NodeFacts] = {}
        for group in clauses.values():
            print(f"{op or 'model'}: {group[0].clause.id} ({', '.join(hit.table for hit in group)})", flush=True)
            if not only_list:
                lines += [json.dumps(case, ensure_ascii=False) for case in _cases(catalog, group, memory)]
    if not only_list:
        CASES.write_text("\n".join(sorted(lines, key=_order)) + "\n", encoding="utf-8")
        WITHOUT.write_text(json.dumps(_without(catalog, lines), indent=1) + "\n", encoding="utf-8")
        REGISTER.write_text(json.dumps(_register(catalog, _earlier()), indent=1) + "\n", encoding="utf-8")


def _order(line: str) -> tuple[str, str, list[str]]:
    case = json.loads(line)
    return case["op"], case["clause"], case["tables"]


def _grouped(found: Iterable[ClauseHit]) -> Mapping[str, Mapping[str, list[ClauseHit]]]:
    """Operator -> clauses that say the same, which share their cases."""
    groups: dict[str, dict[str, list[ClauseHit]]] = {}
    for hit in found:
        if not hit.clause.note:
            key = repr((hit.clause.id, hit.clause.side, hit.clause.require, hit.clause.when))
            groups.setdefault(hit.op, {}).setdefault(key, []).append(hit)
    return groups


def _cases(catalog: Catalog, group: list[ClauseHit], memory: dict[str, NodeFacts]) -> Iterator[dict[str, Any]]:
    hit = group[0]
    table = catalog.tables[hit.table]
    if hit.clause.side is Side.GRAPH:
        for case, samples in graph_samples(hit.clause, table).items():
            yield from ({**sample.as_json(), **_head(group, case), "on": sample.op} for sample in samples)
        return
    key, rules = next((key, rules) for key, rules in table.ops.items() if rules.op == hit.op)
    explored = explore(hit.clause, rules, key.rpartition("::")[0], memory)
    for tried in _chosen(explored, rules):
        plain = tried.sample.as_json()
        yield {**_head(group, tried.case.value), **{k: v for k, v in plain.items() if k != "op"}}
    for change, some in explored.witnesses.items():
        if not some:
            print(f"  no model tells apart: {change}")


def _head(group: list[ClauseHit], case: str) -> dict[str, Any]:
    return {"op": group[0].op, "clause": group[0].clause.id, "case": case, "tables": [hit.table for hit in group]}


def _chosen(explored: Explored, rules: OpRules) -> list[Tried]:
    """One sample per case, and one for each step over the limit that none of them shows."""
    chosen = [tried for case in Case if (tried := plainest(explored, case, rules)) is not None]
    for some in explored.witnesses.values():
        if some and not any(tried.sample.key == other.sample.key for tried in chosen for other in some):
            tried = best(some, rules)
            if tried is not None:
                chosen.append(tried)
    return chosen


def _without(catalog: Catalog, lines: Iterable[str]) -> list[dict[str, Any]]:
    """Clauses that no model stands on one side of, with the reason; clauses without a known reason are printed."""
    have = {(t, c["op"], c["clause"], Case(c["case"])) for c in map(json.loads, lines) for t in c["tables"]}
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for hit in hits(catalog):
        for case in (Case.INSIDE, Case.OUTSIDE, Case.MISSING):
            if hit.clause.note or (hit.table, hit.op, hit.clause.id, case) in have:
                continue
            reason = _reason(hit, case)
            if not reason:
                print(f"no reason why {hit.clause.id} has nothing {case} in {hit.table}")
            found.setdefault((hit.op, hit.clause.id, case.value, reason), []).append(hit.table)
    return [
        {"op": op, "clause": clause, "case": case, "tables": tables, "reason": reason}
        for (op, clause, case, reason), tables in sorted(found.items())
    ]


_LACKING = {"SpaceToDepth": "mode", "Upsample": "coordinate_transformation_mode"}
"""Operator -> attribute that the vendor's table limits although ONNX does not define it."""

_OPERANDS = "a node always says which operands it has"
_NEVER_UNKNOWN = {
    "const": "a file always tells a constant from what is computed",
    "const_count": "a file always tells a constant from what is computed",
    "n_inputs": _OPERANDS,
    "n_outputs": _OPERANDS,
    "inputs_present": _OPERANDS,
    "outputs_present": _OPERANDS,
    "attrs_allowed": "a node always says which attributes it sets",
    "domain": "a node always names its domain",
    "domains": "a node always names its domain",
    "context": "the graph around a node always tells",
    "n_model_inputs": "a model always lists its inputs",
    "n_model_outputs": "a model always lists its outputs",
}
_NEVER_BROKEN = {
    "quant": "every number format of the BPU is taken, and of others nothing is known",
    "n_inputs": "a node without any input is broken, and nothing is said of it",
}


def _reason(hit: ClauseHit, case: Case) -> str:
    clause, (name, parameters) = hit.clause, next(iter(hit.clause.require.items()))
    if hit.op == "Gemm" and "dilation" in str((clause.require, clause.when)):
        return "a Gemm has no dilations and no groups"
    if hit.op in _LACKING and isinstance(parameters, dict) and parameters.get("name") == _LACKING[hit.op]:
        return f"ONNX gives {hit.op} no attribute {parameters['name']}"
    if name == "dtype" and case is Case.MISSING and clause.when is not None and "const" in clause.when:
        return "the dtype of a constant always stands in the file"
    if name == "layout":
        return "ONNX fixes the axis of the channels"
    if name == "broadcast" and parameters.get("mutual") and parameters.get("axes") == "all":
        return "any broadcasting is taken"
    if case is Case.INSIDE and (clause.when == {"not": clause.require} or clause.contradicted is not None):
        return "the clause applies only where it fails"
    if case is Case.OUTSIDE and name == "rank" and parameters.get("min") == 0:
        return "no tensor has fewer axes than none"
    if case is Case.MISSING and name == "attr" and "present" in parameters:
        return "a node always says which attributes it sets"
    return {Case.MISSING: _NEVER_UNKNOWN, Case.OUTSIDE: _NEVER_BROKEN}.get(case, {}).get(name, "")


def _earlier() -> dict[str, Any]:
    return json.loads(REGISTER.read_text(encoding="utf-8")) if REGISTER.exists() else {}


def _register(catalog: Catalog, earlier: dict[str, Any]) -> dict[str, Any]:
    """What each table says of each operator and where each clause leads, as far as *earlier* does not say it yet."""
    for table, rows in register(catalog).items():
        known = earlier.setdefault(table, {})
        for row, entries in rows.items():
            known[row] = {**entries, **known.get(row, {})}
    return earlier


if __name__ == "__main__":
    main(sys.argv[1:])
