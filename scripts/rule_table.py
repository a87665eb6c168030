"""How exact each rewrite rule is: `python scripts/rule_table.py [RULE...]` writes docs/rules.md.

For every rule 200 random models are drawn by the function `case` of its test file, rewritten in a drawn variant, and
both models are run. A refused case is one in which no site of the drawn model fits.
"""

import argparse
import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from inspector.rewrite.registry import rules  # noqa: E402 - the path must be set first
from inspector.rewrite.rule import Rule  # noqa: E402
from inspector.text import render  # noqa: E402
from tests.helpers.rule_cases import CASES, Tally, limit_of, tally  # noqa: E402

TABLE = ROOT / "docs" / "rules.md"
HEAD = f"""# Rewrite rules and how exact they are

Each row: random models drawn for the rule until {CASES} of them were rewritten, each in a drawn variant, and run before
and after (onnxruntime without graph optimisation; the reference implementation of onnx where the runtime has no
kernel). *max abs* is the largest |difference| of any output, *max rel* that over the largest |value| of the output
before; *limit* is what max rel is held to. Refused: drawn models without a site that fits. Written by
`python scripts/rule_table.py`.

| rule | what it does | safety | variants | cases run | refused | max abs | max rel | limit |
|---|---|---|---|---|---|---|---|---|
"""


def main(arguments: list[str]) -> int:
    """Measure the named rules (all without names) and print their rows; all rules together are written to docs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", nargs="*", metavar="RULE")
    names = parser.parse_args(arguments).rules
    rows = []
    worst = 0
    for rule in rules():
        if names and rule.id not in names:
            continue
        module = importlib.import_module(f"tests.rules.test_{rule.id.replace('-', '_')}")
        counted = tally(rule.id, module.case, scale=getattr(module, "SCALE", 1.0))
        rows.append(row(rule, counted))
        print(rows[-1], flush=True)
        worst += counted.max_rel > limit_of(rule.id)
    if not names:
        TABLE.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")
    return 1 if worst else 0


def row(rule: Rule, counted: Tally) -> str:
    """Line of the table."""
    cells = (
        f"`{rule.id}`",
        render(rule.summary),
        rule.safety.name,
        str(len(rule.variants)),
        str(counted.run),
        str(counted.refused),
        figure(counted.max_abs),
        figure(counted.max_rel),
        figure(limit_of(rule.id)),
    )
    return f"| {' | '.join(cells)} |"


def figure(value: float) -> str:
    """`0` for exactly zero, else two digits."""
    return f"{value:.1e}" if value else "0"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
