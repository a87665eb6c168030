"""Plain-text form of verdicts and comparisons, for a terminal.

A finding reads like a compiler's: a headline that stands alone, the figures, `note` with the ground, and only `help`
proposes a change:

    cpu[conv-transpose.kernel-depth]: `up0` (ConvTranspose) falls back to the CPU
      attribute kernel_shape[0] is 5, allowed 1..2
      note: depth of a 3-D kernel; operator list for J6P/H 3.0, ConvTranspose (documented)
      help: convtranspose3d-to-2d applies here; ...
"""

from collections.abc import Mapping, Sequence

from inspector.model.graph import Model, NodeId
from inspector.placement.remedies import AllRemedies
from inspector.placement.source_text import source_text
from inspector.placement.target import Target
from inspector.placement.verdict import (
    Because,
    Check,
    Kernel,
    NodeVerdict,
    Outcome,
    Placement,
    Side,
    Standing,
    Verdict,
)
from inspector.report.remedies import graph_help, node_help
from inspector.report.values import node_ref
from inspector.rewrite.rule import Refusal
from inspector.text import Message, render, say
from inspector.verify.result import TensorDiff, Verification

FORMAT = "format"
"""Name of the pass that decides on number formats."""

FINDINGS = (Verdict.UNSUPPORTED, Verdict.CPU, Verdict.UNKNOWN)
"""Verdicts that are reported node by node."""


def placement_lines(
    model: Model,
    placement: Placement,
    fixes: Mapping[NodeId, Sequence[str]],
    refusals: Mapping[NodeId, Sequence[Refusal]],
    language: str,
    remedies: AllRemedies | None = None,
) -> list[str]:
    """All findings of a placement in graph order, after one line of counts; *fixes*: node -> ids of rules on offer."""
    lines = [summary_line(model, placement.target, language), counts_line(placement, language)]
    for warning in model.warnings:
        lines.append(render(say("report.warning", message=warning), language))
    lines += format_lines(model, placement, language)
    for check in placement.graph_failures:
        lines += ["", *_graph_finding(check, language), *graph_help(remedies, check.clause, language)]
    against = contradicted_lines(placement.graph_checks, language)
    lines += ["", *(line.strip() for line in against)] if against else []
    for node in model.nodes:
        verdict = placement.verdicts[node.id]
        if verdict.verdict not in FINDINGS:
            lines += _kept_lines(model, verdict, language)
        else:
            rules = fixes.get(node.id, ())
            lines += ["", *node_lines(model, verdict, language, rules, refusals.get(node.id, ()))]
            lines += node_help(remedies, node.id, language, fixed=bool(rules))
    return lines


def _kept_lines(model: Model, verdict: NodeVerdict, language: str) -> list[str]:
    """A node that is no finding, where a limit that it breaks does not fire."""
    broken = contradicted_lines(verdict.checks, language)
    if not broken:
        return []
    node = model.node(verdict.node)
    words = say("report.headline_contradicted", verdict=verdict.verdict.value, node=node.label, op=str(node.op))
    return ["", render(words, language), *broken]


def summary_line(model: Model, target: Target, language: str) -> str:
    """File, number of nodes and target in one line."""
    name = "-" if model.origin is None else model.origin.name
    where = target_text(target, language)
    return render(say("report.summary", name=name, n=len(model.nodes), target=where), language)


def target_text(target: Target, language: str) -> str:
    """Target for a reader: `j6p (nash-p), toolchain 3.0.22, PTQ, float16`."""
    key = "report.target" if target.qtype is None else "report.target_format"
    return render(
        say(
            key,
            qtype="" if target.qtype is None else target.qtype.value,
            platform=target.platform,
            march=target.march,
            toolchain=target.toolchain,
            flow=target.flow.value.upper(),
        ),
        language,
    )


def counts_line(placement: Placement, language: str) -> str:
    """Number of nodes per verdict, and how many of them rest on inference."""
    parts = [f"{verdict.value} {count}" for verdict, count in placement.counts.items()]
    inferred = sum(placement.inferred.values())
    if inferred:
        parts.append(render(say("report.inferred", n=inferred), language))
    return "  ".join(parts)


def node_lines(
    model: Model,
    verdict: NodeVerdict,
    language: str,
    fixes: Sequence[str] = (),
    refusals: Sequence[Refusal] = (),
) -> list[str]:
    """One finding: headline, figures, ground, cause chain, and what can be done."""
    node = model.node(verdict.node)
    wanted = Outcome.UNKNOWN if verdict.verdict is Verdict.UNKNOWN else Outcome.FAIL
    checks = [c for c in verdict.checks if c.outcome is wanted and c.contradicted is None]
    reason = checks[0].clause if checks else (verdict.because[0].pass_name if verdict.because else "-")
    lines = [
        render(
            say(f"report.headline.{verdict.verdict.value}", reason=reason, node=node.label, op=str(node.op)), language
        )
    ]
    for check in checks:
        lines += _figures(check, language)
    lines += contradicted_lines(verdict.checks, language)
    lines += ["  " + _because_line(model, because, language) for because in verdict.because]
    if verdict.kernel is not None and _kernel_matters(verdict):
        lines.append("  " + render(kernel_words(verdict.kernel), language))
    if not checks and verdict.standing is Standing.INFERRED:
        lines.append("  " + render(say("report.inferred_verdict"), language))
    for rule in fixes:
        lines.append("  " + render(say("report.help", rule=rule), language))
    if not fixes:
        for refusal in refusals:
            lines.append("  " + render(say("report.refused", rule=refusal.rule, reason=refusal.reason), language))
    return lines


def contradicted_lines(checks: Sequence[Check], language: str) -> list[str]:
    """Limits that are broken and do not fire, because builds contradict them: one line each, with counts."""
    lines = []
    for check in checks:
        if check.contradicted is not None and check.outcome is Outcome.FAIL:
            line = say("report.contradicted", clause=check.clause, counts=check.contradicted)
            lines.append("  " + render(line, language))
    return lines


def _kernel_matters(verdict: NodeVerdict) -> bool:
    """Whether the finding leaves open what is known of the CPU kernel: neither headline nor cause chain tells."""
    first = next(iter(verdict.because), None)
    if first is not None and (first.node is not None or first.pass_name in ("no-kernel", "kernel-refuses")):
        return False
    return {
        Verdict.CPU: verdict.kernel not in (Kernel.EXISTS, Kernel.NONE, Kernel.REFUSES),
        Verdict.UNKNOWN: verdict.kernel in (Kernel.NONE, Kernel.REFUSES),
    }.get(verdict.verdict, True)


def kernel_words(kernel: Kernel) -> Message:
    """What is known of the CPU kernel, for a reader: `CPU kernel: exists, but refuses these parameters`."""
    return say("report.kernel_line", kernel=say(f"report.kernel.{kernel.value}"))


def _because_line(model: Model, because: Because, language: str) -> str:
    """One decision; a word about the number format explains no verdict and is told apart."""
    kind = "format" if because.pass_name == FORMAT else "because"
    if because.node is None:
        return render(say(f"report.{kind}", message=because.message), language)
    node = node_ref(model, because.node)
    return render(say(f"report.{kind}_node", message=because.message, node=node), language)


def format_lines(model: Model, placement: Placement, language: str) -> list[str]:
    """BPU nodes whose number format was asked for, or is not the one that was: the format, and why."""
    lines = []
    for node in model.nodes:
        verdict = placement.verdicts[node.id]
        reasons = [because for because in verdict.because if because.pass_name == FORMAT]
        if verdict.verdict is not Verdict.BPU or verdict.qtype is None:
            continue
        if reasons or node.id in placement.target.qtypes:
            name, op, qtype = node.label, str(node.op), verdict.qtype.value
            lines.append(render(say("report.computes_in", node=name, op=op, qtype=qtype), language))
            lines += ["  " + _because_line(model, because, language) for because in reasons]
    return lines


def verification_lines(result: Verification, language: str) -> list[str]:
    """A comparison: verdict with limit, one line per output, and what computed it."""
    head = say(f"report.verification.{result.status.value}", stage=say(f"report.stage.{result.stage.value}"))
    lines = [render(head, language)]
    if result.reason is not None:
        lines.append("  " + render(result.reason, language))
    lines += ["  " + render(say("report.verification_note", note=note), language) for note in result.notes]
    limit = "0" if result.tolerance.bit_exact else f"{result.tolerance.max_rel:.3g}"
    lines.append("  " + render(say("report.limit", limit=limit, origin=result.tolerance.origin), language))
    lines += ["  " + diff_line(diff, language) for diff in result.outputs if diff.output]
    taps = [diff for diff in result.outputs if not diff.output]
    if taps:
        worst = max((diff.max_rel for diff in taps if diff.max_rel is not None), default=0.0)
        lines.append("  " + render(say("report.intermediates", n=len(taps), worst=f"{worst:.3g}"), language))
    if result.runtime is not None:
        runtime = f"{result.runtime.name} {result.runtime.version}, {result.runtime.provider}"
        inputs = ", ".join(result.inputs)
        lines.append("  " + render(say("report.run", seed=result.seed, inputs=inputs, runtime=runtime), language))
    return lines


def diff_line(diff: TensorDiff, language: str) -> str:
    """Error figures of one tensor in one line."""
    shape = "×".join(map(str, diff.shape)) or "scalar"
    return render(
        say(
            "report.diff",
            name=diff.name,
            shape=shape,
            dtype=diff.dtype,
            max_abs=_figure(diff.max_abs),
            max_rel=_figure(diff.max_rel),
            cosine=_figure(diff.cosine, 9),
            status=diff.status.value,
        ),
        language,
    )


def _figure(value: float | None, digits: int = 3) -> str:
    return "-" if value is None else f"{value:.{digits}g}"


def _graph_finding(check: Check, language: str) -> list[str]:
    return [render(say("report.headline.graph", reason=check.clause), language), *_figures(check, language)]


def figures_key(check: Check) -> str:
    """Catalogue entry for the figures of *check*: whose limit it is, and whether what it asks for is known."""
    unknown = check.outcome is Outcome.UNKNOWN
    if check.side is Side.CPU:
        return "report.figures_cpu_unknown" if unknown else "report.figures_cpu"
    return "report.figures_unknown" if unknown else "report.figures"


def _figures(check: Check, language: str) -> list[str]:
    """The figures of a check and, below, its ground."""
    figures = say(figures_key(check), subject=check.subject, found=check.found, allowed=check.allowed)
    standing = say(f"report.standing.{check.source.standing.value}")
    ground = say("report.source", source=source_text(check.source), standing=standing)
    if check.note is not None:
        ground = say("report.note", note=check.note, source=source_text(check.source), standing=standing)
    return ["  " + render(figures, language), "  " + render(ground, language)]
