"""A Markdown report of one piece of work: placement before, proven rewrites, placement after."""

from collections.abc import Sequence

from inspector import __version__
from inspector.model.graph import Model
from inspector.placement.verdict import Placement, Verdict
from inspector.report.text import counts_line, node_lines, target_text
from inspector.report.values import node_ref
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Safety
from inspector.text import render, say
from inspector.verify.result import TensorDiff, Verification
from inspector.workspace import Step

_PROBLEMS = (Verdict.UNSUPPORTED, Verdict.CPU, Verdict.UNKNOWN)


def markdown_report(
    before: Model,
    placement_before: Placement,
    after: Model,
    placement_after: Placement,
    steps: Sequence[Step],
    whole: Verification | None,
    language: str,
) -> str:
    """The report; *whole* is the comparison of both models, None when nothing was changed."""
    name = "-" if before.origin is None else before.origin.name
    target = target_text(placement_before.target, language)
    lines = [render(say("report.title", name=name, target=target), language), ""]
    lines += _section("before", language) + _placement(before, placement_before, language)
    if steps:
        lines += _section("steps", language) + _steps(steps, language)
        lines += _section("after", language) + _placement(after, placement_after, language)
    if whole is not None:
        lines += _section("proof", language) + _proof(whole, language)
    lines += ["", render(say("report.made_by", version=__version__, catalog=placement_before.catalog_digest), language)]
    return "\n".join(lines) + "\n"


def _section(entry: str, language: str) -> list[str]:
    return ["", "## " + render(say(f"report.section.{entry}"), language), ""]


def _placement(model: Model, placement: Placement, language: str) -> list[str]:
    lines = [counts_line(placement, language)]
    for node in model.nodes:
        verdict = placement.verdicts[node.id]
        if verdict.verdict in _PROBLEMS:
            head, *rest = node_lines(model, verdict, language)
            lines += ["", f"- {head}", *(f"  - {line.strip()}" for line in rest)]
    return lines


def _steps(steps: Sequence[Step], language: str) -> list[str]:
    heads = ("rule", "variant", "node", "proof", "widest")
    lines = _table_head([render(say(f"report.column.{head}"), language) for head in heads])
    stated: list[str] = []
    for step in steps:
        built = step.preview
        widest = f"{_count(built.cost_before.widest_channels)} → {_count(built.cost_after.widest_channels)}"
        proof = step.verifications[0].status.value if step.verifications else "-"
        node = node_ref(built.before, built.match.anchor)
        rule = rule_of(built.match.rule)
        if rule.safety is Safety.APPROXIMATE:
            stated.append(render(say("report.approximate", rule=rule.id, error=f"{rule.limit or 0:g}"), language))
        lines.append(_row([f"`{rule.id}`", f"`{built.variant}`", f"`{node}`", proof, widest]))
    return [*lines, *(line for text in dict.fromkeys(stated) for line in ("", text))]


def _proof(whole: Verification, language: str) -> list[str]:
    heads = ("tensor", "shape", "max_abs", "max_rel", "cosine", "proof")
    lines = [f"**{whole.status.value}**"]
    if whole.reason is not None:
        lines += ["", render(whole.reason, language)]
    lines += ["", *_table_head([render(say(f"report.column.{head}"), language) for head in heads])]
    lines += [_diff_row(diff) for diff in whole.outputs if diff.output]
    limit = "0" if whole.tolerance.bit_exact else f"{whole.tolerance.max_rel:.3g}"
    lines += ["", render(say("report.limit", limit=limit, origin=whole.tolerance.origin), language)]
    if whole.runtime is not None:
        runtime = f"{whole.runtime.name} {whole.runtime.version}, {whole.runtime.provider}"
        inputs = ", ".join(whole.inputs)
        lines += ["", render(say("report.run", seed=whole.seed, inputs=inputs, runtime=runtime), language)]
    return lines


def _diff_row(diff: TensorDiff) -> str:
    figures = [_figure(diff.max_abs), _figure(diff.max_rel), _figure(diff.cosine)]
    return _row([f"`{diff.name}`", "×".join(map(str, diff.shape)), *figures, diff.status.value])


def _table_head(heads: Sequence[str]) -> list[str]:
    return [_row(heads), _row(["---"] * len(heads))]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"


def _count(value: int | None) -> str:
    return "?" if value is None else str(value)
