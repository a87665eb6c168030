"""`rules`: the rewrites that there are."""

from collections.abc import Sequence

from inspector.cli.common import Parser, print_json
from inspector.report.documents import rules_document
from inspector.rewrite.registry import rules
from inspector.text import render, say


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 0."""
    parser = Parser("rules", language)
    parser.option("--json", action="store_true")
    args = parser.parse_args(argv)
    if args.json:
        print_json(rules_document(rules(), language))
        return 0
    for rule in rules():
        print(f"{rule.id}: {render(rule.title, language)}")
        print(f"  {render(rule.summary, language)}")
        variants = ", ".join(variant.id for variant in rule.variants)
        figures = say(
            "cli.rule_figures", safety=rule.safety.value, ops=", ".join(sorted(rule.anchors)), variants=variants
        )
        print(f"  {render(figures, language)}")
    return 0
