"""What is left when the passes are done, as `NodeVerdicts`: verdicts at once, their grounds when somebody asks."""

from collections.abc import Iterable

from inspector.model.graph import NodeId
from inspector.placement.context import Entries, Entry, Start
from inspector.placement.formats import Formats
from inspector.placement.verdict import Check, NodeVerdict, NodeVerdicts, Outcome, Side, Verdict

_ORDER = {Outcome.FAIL: 0, Outcome.UNKNOWN: 1, Outcome.PASS: 2}


def finish(entries: Entries, formats: Formats) -> NodeVerdicts:
    """The verdicts that *entries* stand for; they must not change any more."""
    verdict = {node_id: start.verdict for node_id, start in entries.starts.items()}
    standing = {node_id: start.standing for node_id, start in entries.starts.items()}
    for node_id, entry in entries.items():
        verdict[node_id] = entry.verdict
        standing[node_id] = entry.standing

    def make(node_id: NodeId) -> NodeVerdict:
        entry = entries.get(node_id)
        if entry is None:
            start = entries.starts[node_id]
            there = start.verdict is not Verdict.FOLDED
            return NodeVerdict(
                node_id,
                start.verdict,
                start.standing,
                _checks(start),
                start.because,
                None,
                formats.of(node_id) if there else None,
                start.local.cpu if there else None,
            )
        top = entry.top.node.id
        fused, there = entry.host is not None, entry.verdict is not Verdict.FOLDED
        return NodeVerdict(
            node_id,
            entry.verdict,
            entry.standing,
            () if fused else _checks(entry, entry.checks),
            entry.because,
            top if fused else None,
            formats.of(top) if there else None,
            entry.local.cpu if there and not fused else None,
        )

    return NodeVerdicts(verdict, standing, make)


def _checks(judged: Start | Entry, added: tuple[Check, ...] = ()) -> tuple[Check, ...]:
    """Clauses that apply: none where the node does not run by itself, those of the CPU where it is kept off the BPU."""
    if judged.verdict is Verdict.FOLDED:
        return ()
    checks = judged.local.checks
    if added:
        checks = in_order((*checks, *added))
    if judged.local.bpu is Outcome.PASS and judged.verdict in (Verdict.CPU, Verdict.UNSUPPORTED):
        checks = in_order((*checks, *judged.local.cpu_checks))
    return checks


def in_order(checks: Iterable[Check]) -> tuple[Check, ...]:
    """The order of `NodeVerdict.checks`; among equals the order that the local judgement gave stays."""
    return tuple(sorted(checks, key=lambda check: (_ORDER[check.outcome], check.side is Side.CPU)))
