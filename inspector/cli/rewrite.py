"""`rewrite MODEL`: apply rewrites, prove each, and write the result with its recipe."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from inspector.cli.analysis import analyse, find_node
from inspector.cli.common import Parser, add_target_options, nearest, print_json, print_lines
from inspector.cli.hints import after_comparison
from inspector.cli.sequence import Refused, RewriteRun
from inspector.cli.settle import settle
from inspector.errors import SaveError, UsageError
from inspector.placement.verdict import Placement, Verdict
from inspector.report.documents import rewrite_document
from inspector.report.islands import size
from inspector.report.output import check_output, recipe_path, save_with_recipe
from inspector.report.text import verification_lines
from inspector.report.values import Json, node_ref, verification_value
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Rule, Safety
from inspector.text import render, say
from inspector.verify.result import Status, Verification
from inspector.worker.client import WorkerClient
from inspector.workspace import Step


def run(argv: Sequence[str], language: str) -> int:
    """Run the command; exit code 0 when a file was written and every rewrite that was asked for is in it, else 1.

    With `--rule` alone the rule is applied wherever it matches, so sites that it refuses are told but are no failure.

    Raises:
        UsageError: options contradict each other, or the output may not be written.
    """
    args = _parse(argv, language)
    output = Path(args.output)
    rule = _checked(args, output)
    analysis = analyse(args)
    client = WorkerClient()
    try:
        work = RewriteRun(analysis, client, args.seed, args.allow_approximate)
        if rule is None:
            work.apply_fixes()
        else:
            node = None if args.node is None else find_node(analysis.model, args.node)
            work.apply_rule(rule, node, args.variant)
        whole = settle(work, accept_inconclusive=args.accept_inconclusive)
    finally:
        client.close()
    proven = whole is not None and whole.status is Status.PASSED
    if whole is not None and whole.status is Status.INCONCLUSIVE and args.accept_inconclusive:
        work.override(say("cli.override"))
    written = output if proven or work.overridden else None
    if written is not None:
        save_with_recipe(work.model, work.steps, output, overwrite=args.force_overwrite)
    if args.json:
        refused = [refused_value(entry, language) for entry in work.refused]
        print_json(
            rewrite_document(
                analysis.model,
                analysis.placement,
                work.placement,
                work.steps,
                refused,
                whole,
                written,
                language,
            )
        )
    else:
        lines = result_lines(work, whole, written, language)
        if whole is not None:
            lines += after_comparison(whole, analysis.model, {}, language)
        print_lines(lines)
    failed = any(entry.verification is not None or args.node is not None for entry in work.refused)
    return 0 if proven and not failed else 1


def result_lines(work: RewriteRun, whole: Verification | None, written: Path | None, language: str) -> list[str]:
    """The result for a terminal: steps, refusals, counts, the whole-model comparison, files."""
    lines = [line for step in work.steps for line in _step_lines(step, language)]
    for entry in work.refused:
        reason = say("cli.step_refused", rule=entry.rule, node=entry.node, reason=entry.reason)
        lines.append(render(reason, language))
    if whole is not None:
        lines += verification_lines(whole, language)
    lines.append(_counts(work.analysis.placement, work.placement, language))
    if work.overridden:
        lines.append(render(say("cli.override"), language))
    if written is not None:
        lines.append(render(say("cli.written", path=str(written)), language))
        lines.append(render(say("cli.recipe", path=str(recipe_path(written))), language))
    else:
        lines.append(render(say("cli.not_written" if work.steps else "cli.nothing"), language))
    return lines


def refused_value(entry: Refused, language: str) -> Json:
    """JSON form of a rewrite that was not applied."""
    proof = entry.verification
    return {
        "rule": entry.rule,
        "node": entry.node,
        "reason": render(entry.reason, language),
        "verification": None if proof is None else verification_value(proof, language),
    }


def _parse(argv: Sequence[str], language: str) -> argparse.Namespace:
    parser = Parser("rewrite", language)
    parser.positional("model")
    add_target_options(parser)
    parser.option("--rule", metavar="R")
    parser.option("--node", metavar="N")
    parser.option("--variant", metavar="V", text="variant")
    parser.option("--all", action="store_true")
    parser.option("-o", "--output", required=True, metavar="OUT")
    parser.option("--force-overwrite", action="store_true")
    parser.option("--accept-inconclusive", action="store_true")
    parser.option("--allow-approximate", action="store_true")
    parser.option("--seed", type=int, default=7, metavar="N")
    parser.option("--json", action="store_true")
    return parser.parse_args(argv)


def _checked(args: argparse.Namespace, output: Path) -> Rule | None:
    """The rule asked for, None for all fixes; options that make no sense together are refused before any work."""
    if args.all == (args.rule is not None):
        raise UsageError(say("cli.rule_or_all"), say("cli.rule_or_all_help"))
    if args.rule is None and (args.node is not None or args.variant is not None):
        raise UsageError(say("cli.needs_rule"), say("cli.needs_rule_help"))
    if args.seed < 0:
        raise UsageError(say("cli.samples", samples=1, seed=args.seed), say("cli.samples_help"))
    try:
        check_output(output, Path(args.model), overwrite=args.force_overwrite)
    except SaveError as error:
        exists = error.message.key == "model.save_exists" and not args.force_overwrite
        raise UsageError(error.message, say("cli.exists_help") if exists else error.help) from error
    if args.rule is None:
        return None
    rule = rule_of(args.rule)
    if rule.safety is Safety.APPROXIMATE and not args.allow_approximate:
        raise UsageError(say("cli.approximate", rule=rule.id, error=_stated(rule)), say("cli.approximate_help"))
    variants = [variant.id for variant in rule.variants]
    if args.variant is not None and args.variant not in variants:
        raise UsageError(
            say("cli.variant_unknown", rule=rule.id, name=args.variant),
            say("cli.variant_unknown_help", names=nearest(args.variant, variants)),
        )
    return rule


def _step_lines(step: Step, language: str) -> list[str]:
    built = step.preview
    node = node_ref(built.before, built.match.anchor)
    status = step.verifications[0].status.value
    lines = [render(say("cli.step", rule=built.match.rule, variant=built.variant, node=node, status=status), language)]
    rule = rule_of(built.match.rule)
    if rule.safety is Safety.APPROXIMATE:
        lines.append("  " + render(say("cli.step_approximate", error=_stated(rule)), language))
    before, after = built.cost_before, built.cost_after
    if before.widest_channels is not None and after.widest_channels is not None:
        channels = say("cli.costs", before=before.widest_channels, after=after.widest_channels)
        lines.append("  " + render(channels, language))
    figures = {
        f"{name}_{when}": value
        for when, cost in (("before", before), ("after", after))
        for name, value in (
            ("widest", size(cost.widest_bytes)),
            ("macs", say("report.size_unknown") if cost.macs is None else f"{cost.macs:,}"),
            ("bytes", size(cost.bytes)),
        )
    }
    lines.append("  " + render(say("cli.costs_sizes", **figures), language))
    return lines


def _stated(rule: Rule) -> str:
    """The error that an approximate rule states, as max_rel."""
    return "?" if rule.limit is None else f"{rule.limit:g}"


def _counts(before: Placement, after: Placement, language: str) -> str:
    figures = {
        f"{verdict.value.lower()}_{when}": placement.counts[verdict]
        for verdict in (Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN)
        for when, placement in (("before", before), ("after", after))
    }
    return render(say("cli.counts", platform=before.target.platform, **figures), language)
