"""A model on two targets, side by side: the document `compare/1` and its text for a terminal."""

from inspector import __version__
from inspector.model.graph import Model
from inspector.placement.catalog import Catalog
from inspector.placement.compare import Change, Comparison, Side
from inspector.placement.source_text import source_text
from inspector.placement.verdict import Check, Outcome, Placement, Verdict
from inspector.report.documents import difference_value
from inspector.report.islands import island_values, size
from inspector.report.text import figures_key, target_text
from inspector.report.values import (
    Json,
    because_value,
    check_value,
    counts_value,
    model_value,
    table_value,
    target_value,
)
from inspector.text import Message, Text, render, say


def compare_document(model: Model, comparison: Comparison, catalog: Catalog, language: str) -> Json:
    """The answer of `check --against`."""
    before, after = comparison.before, comparison.after
    return {
        "schema": "bpu-inspector/compare/1",
        "generator": __version__,
        "model": model_value(model, language),
        "catalog": before.catalog_digest,
        "before": _placement_value(before, catalog, language),
        "after": _placement_value(after, catalog, language),
        "better": comparison.better,
        "worse": comparison.worse,
        "groups": [
            {"before": g.before.value, "after": g.after.value, "by": g.by, "nodes": list(g.nodes)}
            for g in comparison.groups
        ],
        "changes": [_change_value(model, change, language) for change in comparison.changes],
        "formats": [_change_value(model, change, language) for change in comparison.formats],
        "graph_checks": [
            {
                "clause": clause,
                "before": _graph_check(before, clause, language),
                "after": _graph_check(after, clause, language),
            }
            for clause in comparison.graph
        ],
        "differences": [difference_value(difference, language) for difference in comparison.differences],
    }


def comparison_lines(model: Model, comparison: Comparison, language: str) -> list[str]:
    """Counts on both sides, then each node that changes with what decides before and after, in graph order."""
    before, after = comparison.before, comparison.after
    name = "-" if model.origin is None else model.origin.name
    targets = [target_text(placement.target, language) for placement in (before, after)]
    heading = say("report.compare", name=name, n=len(model.nodes), before=targets[0], after=targets[1])
    lines = [render(heading, language)]
    lines.append("  ".join(f"{v.value} {before.counts[v]} -> {after.counts[v]}" for v in Verdict))
    lines.append(render(_segments(before, after), language))
    for difference in comparison.differences:
        known = say("report.compare_difference", text=difference.text, source=difference.source)
        lines.append(render(known, language))
    for clause in comparison.graph:
        lines += ["", *_graph_lines(before, after, clause, language)]
    if comparison.groups:
        lines.append("")
    for group in comparison.groups:
        moved = say(
            "report.compare_group", before=group.before.value, after=group.after.value, n=len(group.nodes), by=group.by
        )
        lines.append(render(moved, language))
    for change in comparison.changes:
        lines += ["", *_change_lines(model, change, language)]
    if not comparison.changes:
        lines += ["", render(say("report.compare_none"), language)]
    if comparison.formats:
        lines += ["", render(say("report.compare_formats", n=len(comparison.formats)), language)]
    return lines


def _placement_value(placement: Placement, catalog: Catalog, language: str) -> Json:
    return {
        "target": target_value(placement.target),
        "table": table_value(catalog, placement.target, language),
        "counts": counts_value(placement.counts),
        "inferred": counts_value(placement.inferred),
        "segments": len(placement.segments),
        "copies": len(placement.crossings),
        "bytes": copied(placement),
        "islands": island_values(placement),
    }


def copied(placement: Placement) -> int | None:
    """Bytes copied between processors per run; None when a size is unknown."""
    sizes = [crossing.bytes for crossing in placement.crossings]
    known = [count for count in sizes if count is not None]
    return sum(known) if len(known) == len(sizes) else None


def _change_value(model: Model, change: Change, language: str) -> Json:
    node = model.node(change.node)
    return {
        "id": node.id,
        "name": node.name,
        "label": node.label,
        "op": node.op.name,
        "domain": node.op.domain,
        "scope": model.graphs[node.graph].path,
        "before": _side_value(change.before, language),
        "after": _side_value(change.after, language),
    }


def _side_value(side: Side, language: str) -> Json:
    return {
        "verdict": side.verdict.value,
        "standing": side.standing.value,
        "qtype": None if side.qtype is None else side.qtype.value,
        "clauses": [check.clause for check in side.checks],
        "checks": [check_value(check, language) for check in side.checks],
        "because": None if side.because is None else because_value(side.because, language),
    }


def _graph_check(placement: Placement, clause: str, language: str) -> Json | None:
    found = _find(placement, clause)
    return None if found is None else check_value(found, language)


def _find(placement: Placement, clause: str) -> Check | None:
    return next((check for check in placement.graph_checks if check.clause == clause), None)


def _segments(before: Placement, after: Placement) -> Message:
    return say(
        "report.compare_segments",
        before=len(before.segments),
        after=len(after.segments),
        copied_before=size(copied(before)),
        copied_after=size(copied(after)),
    )


def _graph_lines(before: Placement, after: Placement, clause: str, language: str) -> list[str]:
    checks = [_find(placement, clause) for placement in (before, after)]
    outcomes = ["-" if check is None else check.outcome.value for check in checks]
    lines = [render(say("report.compare_graph", clause=clause, before=outcomes[0], after=outcomes[1]), language)]
    for first, check in zip((True, False), checks, strict=True):
        if check is not None and check.outcome is not Outcome.PASS:
            lines.append("  " + render(_labelled(first, _figures(check)), language))
    return lines


def _change_lines(model: Model, change: Change, language: str) -> list[str]:
    node, before, after = model.node(change.node), change.before.verdict.value, change.after.verdict.value
    headline = say("report.compare_node", node=node.label, op=str(node.op), before=before, after=after)
    lines = [render(headline, language)]
    for first, side in ((True, change.before), (False, change.after)):
        lines += ["  " + render(_labelled(first, _figures(check)), language) for check in side.checks]
        if side.because is not None and not side.checks:
            lines.append("  " + render(_labelled(first, side.because.message), language))
    return lines


def _labelled(first: bool, text: Message | Text) -> Message:
    return say("report.compare_before" if first else "report.compare_after", text=text)


def _figures(check: Check) -> Message:
    figures = say(figures_key(check), subject=check.subject, found=check.found, allowed=check.allowed)
    ground = say(f"report.standing.{check.source.standing.value}")
    return say("report.compare_check", clause=check.clause, figures=figures, source=source_text(check.source),
               standing=ground)  # fmt: skip
