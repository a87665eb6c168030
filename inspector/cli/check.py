"""`check MODEL`: where does each node run, why, and what can be done about it."""

from collections.abc import Mapping, Sequence

from inspector.cli.analysis import Analysis, analyse, has_findings
from inspector.cli.common import Parser, add_target_options, print_json
from inspector.model.graph import NodeId
from inspector.report.documents import check_document
from inspector.report.text import placement_lines
from inspector.rewrite.find import Found, find_all


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 1 when anything stands in the way, else 0."""
    parser = Parser("check", language)
    parser.positional("model")
    add_target_options(parser)
    parser.option("--json", action="store_true")
    args = parser.parse_args(argv)
    analysis = analyse(args)
    found = fixes_of(analysis)
    if args.json:
        print_json(check_document(analysis.model, analysis.placement, found, language))
    else:
        print("\n".join(report_lines(analysis, found, language)))
    return int(has_findings(analysis.placement))


def fixes_of(analysis: Analysis) -> Mapping[NodeId, Found]:
    """What can be done about each node that has a problem."""
    return find_all(analysis.model, analysis.placement, place=analysis.place)


def report_lines(analysis: Analysis, found: Mapping[NodeId, Found], language: str) -> list[str]:
    """The findings for a terminal."""
    fixes = {node: list(dict.fromkeys(o.rule.id for o in here.fixes)) for node, here in found.items()}
    refusals = {node: here.refusals for node, here in found.items()}
    return placement_lines(analysis.model, analysis.placement, fixes, refusals, language)
