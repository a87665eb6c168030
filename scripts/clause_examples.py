"""Write the examples that `explain` shows: `python scripts/clause_examples.py [--all]`.

Looks for the examples of clauses that have none, or whose example no longer shows them failing; `--all` looks for every
one anew. What is found, or why there is none, goes to `resources/examples.jsonl` and is printed.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from inspector.placement.catalog import Catalog, ClauseHit, load_catalog  # noqa: E402 - the path must be set first
from inspector.placement.example import Case, hits  # noqa: E402
from inspector.placement.example_find import FILE, kept_example, search_example  # noqa: E402
from inspector.placement.example_run import Example, Lack, example  # noqa: E402
from inspector.placement.facts import NodeFacts  # noqa: E402
from tests.helpers.clauses import golden_cases, sample_of  # noqa: E402

PATH = ROOT / "resources" / FILE


def main(arguments: list[str]) -> None:
    """Bring the file up to date."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="look for every example anew")
    everything = parser.parse_args(arguments).all
    catalog = load_catalog()
    found: dict[str, list[str]] = {}
    memory: dict[str, NodeFacts] = {}
    operator = ""
    answers: dict[tuple[str, str, str], Example | Lack] = {}
    for hit in sorted(hits(catalog), key=lambda h: (h.op, h.clause.id)):
        if hit.clause.note:
            continue
        if hit.op != operator:
            operator, memory = hit.op, {}
        kept = None if everything else kept_example(catalog, hit)
        answer = _shared(catalog, hit, answers) if kept is None else kept
        if answer is None:
            answer = search_example(catalog, hit, memory)
        if isinstance(answer, Lack):
            answer = _of_cases(catalog, hit) or answer
        if answer is not kept:
            print(f"{hit.table} {hit.clause.id}: {answer.value if isinstance(answer, Lack) else 'found'}", flush=True)
        answers.setdefault(_words(hit), answer)
        found.setdefault(json.dumps(_entry(hit, answer), ensure_ascii=False), []).append(hit.table)
    lines = [json.dumps({**json.loads(entry), "tables": tables}, ensure_ascii=False) for entry, tables in found.items()]
    PATH.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _of_cases(catalog: Catalog, hit: ClauseHit) -> Example | None:
    """The example that one of the golden cases makes, where a search found none."""
    mine = (case for case in golden_cases() if case["clause"] == hit.clause.id and hit.table in case["tables"])
    broken = (sample_of(case) for case in mine if case["case"] == Case.OUTSIDE and case["op"] == hit.op)
    return next((found for sample in broken if (found := example(catalog, hit, sample)) is not None), None)


def _words(hit: ClauseHit) -> tuple[str, str, str]:
    return hit.op, hit.clause.id, repr((hit.clause.require, hit.clause.when))


def _shared(catalog: Catalog, hit: ClauseHit, answers: dict[tuple[str, str, str], Example | Lack]) -> Example | None:
    """What another table has for the same words, where it does as well here."""
    other = answers.get(_words(hit))
    found = example(catalog, hit, other.sample) if isinstance(other, Example) else None
    return found if found is not None and isinstance(other, Example) and found.others <= other.others else None


def _entry(hit: ClauseHit, answer: Example | Lack) -> dict[str, Any]:
    if isinstance(answer, Lack):
        return {"clause": hit.clause.id, "lack": answer.value}
    return {"clause": hit.clause.id, **answer.sample.as_json()}


if __name__ == "__main__":
    main(sys.argv[1:])
