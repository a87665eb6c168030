"""`check MODEL`: where does each node run, why, and what can be done about it."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from inspector.cli.analysis import Analysis, analyse, has_findings
from inspector.cli.common import Parser, add_target_options, print_json, print_lines
from inspector.cli.hints import after_check
from inspector.errors import UsageError
from inspector.model.graph import NodeId
from inspector.placement.catalog import offered_qtype, resolve_target
from inspector.placement.compare import compare
from inspector.placement.engine import place
from inspector.placement.remedies import placement_remedies
from inspector.placement.target import Flow, Target
from inspector.placement.toolchains import Difference, between
from inspector.report.comparison import compare_document, comparison_lines
from inspector.report.documents import check_document
from inspector.report.islands import island_lines
from inspector.report.text import placement_lines
from inspector.rewrite.find import Found, find_all
from inspector.text import render, say


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 1 when anything stands in the way, else 0."""
    parser = Parser("check", language)
    parser.positional("model")
    add_target_options(parser)
    parser.option("--against", metavar="P[:M][@V][/FLOW]")
    parser.option("--json", action="store_true")
    args = parser.parse_args(argv)
    analysis = analyse(args)
    if args.against is not None:
        return _compare(args, analysis, language)
    found = fixes_of(analysis)
    if args.json:
        print_json(check_document(analysis.model, analysis.placement, analysis.catalog, found, language))
    else:
        lines = [*report_lines(analysis, found, language), *after_check(analysis, found, argv, language)]
        print_lines(lines)
    return int(has_findings(analysis.placement))


def _compare(args: argparse.Namespace, analysis: Analysis, language: str) -> int:
    """Lay the placement beside that on another target; exit code 1 when a node or a graph clause changes."""
    after = place(analysis.model, analysis.catalog, other_target(args, analysis), cache=analysis.cache)
    comparison = compare(
        analysis.placement, after, _known_differences(analysis.placement.target, after.target, analysis)
    )
    if args.json:
        print_json(compare_document(analysis.model, comparison, analysis.catalog, language))
    else:
        print_lines(comparison_lines(analysis.model, comparison, language))
    return int(bool(comparison.changes or comparison.graph))


def _known_differences(a: Target, b: Target, analysis: Analysis) -> tuple[Difference, ...]:
    if a.platform != b.platform:
        return ()
    platform = analysis.catalog.platform(a.platform)
    return between(platform.toolchains, platform.differences, a.toolchain, b.toolchain)


def other_target(args: argparse.Namespace, analysis: Analysis) -> Target:
    """The target of `--against PLATFORM[:MARCH][@TOOLCHAIN][/FLOW]`, with forced nodes and asked formats kept.

    What is left out is the platform's own default, except the platform itself and the flow, which stay as they are.

    Raises:
        UsageError: something is not offered there.
    """
    first = analysis.placement.target
    words, _, flow = args.against.partition("/")
    place_, _, toolchain = words.partition("@")
    platform, _, march = place_.partition(":")
    same = platform in ("", first.platform)
    if flow not in ("", *Flow):
        raise UsageError(say("cli.against", found=args.against), say("cli.against_help"))
    target = resolve_target(
        analysis.catalog,
        platform or first.platform,
        toolchain=toolchain or None,
        march=march or (first.march if same else None),
        flow=Flow(flow) if flow else first.flow,
    )
    offered = analysis.catalog.platform(target.platform)
    qtype = target.qtype if args.qtype is None else offered_qtype(offered, target.march, args.qtype)
    qtypes = {node: offered_qtype(offered, target.march, asked) for node, asked in first.qtypes.items()}
    return replace(target, qtype=qtype, qtypes=MappingProxyType(qtypes), forced=first.forced)


def fixes_of(analysis: Analysis) -> Mapping[NodeId, Found]:
    """What can be done about each node that has a problem."""
    return find_all(analysis.model, analysis.placement, place=analysis.place)


def report_lines(analysis: Analysis, found: Mapping[NodeId, Found], language: str) -> list[str]:
    """The findings for a terminal."""
    fixes = {node: list(dict.fromkeys(o.rule.id for o in here.fixes)) for node, here in found.items()}
    refusals = {node: here.refusals for node, here in found.items()}
    target = analysis.placement.target
    toolchain = analysis.catalog.platform(target.platform).toolchain(target.toolchain)
    remedies = placement_remedies(analysis.model, analysis.placement, analysis.catalog)
    lines = placement_lines(analysis.model, analysis.placement, fixes, refusals, language, remedies)
    if not toolchain.own_table:
        table = analysis.catalog.table(target).title
        borrowed = say("report.table_borrowed", version=toolchain.version, table=table)
        lines.insert(2, render(borrowed, language))
    blockers = island_lines(analysis.model, analysis.placement, language)
    return [*lines, "", *blockers] if blockers else lines
