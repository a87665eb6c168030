"""`compare`: one model placed on two targets; which nodes change, and what decides on each side."""

from collections.abc import Mapping
from dataclasses import dataclass

from inspector.errors import UsageError
from inspector.model.graph import NodeId
from inspector.placement.target import Qtype
from inspector.placement.toolchains import Difference
from inspector.placement.verdict import SEVERITY, Because, Check, NodeVerdict, Outcome, Placement, Standing, Verdict
from inspector.placement.verdict import Side as Limit
from inspector.text import say


@dataclass(frozen=True, slots=True)
class Side:
    """One node on one of the two targets.

    Attributes:
        verdict: where it runs.
        standing: how well that is supported.
        qtype: number format; None when it is not there at run time.
        checks: clauses that decide: the first that failed on the BPU side and, where the CPU does not take the node
            either, the first on the CPU side; for UNKNOWN the first that a fact is missing for. Empty when no clause
            stands in the way.
        because: decision of a context pass; None when there is none.
    """

    verdict: Verdict
    standing: Standing
    qtype: Qtype | None
    checks: tuple[Check, ...]
    because: Because | None


@dataclass(frozen=True, slots=True)
class Change:
    """A node that is not placed alike on both targets."""

    node: NodeId
    before: Side
    after: Side


@dataclass(frozen=True, slots=True)
class Group:
    """Nodes that change alike, by the same clause or pass.

    Attributes:
        before: verdict on the first target.
        after: verdict on the second.
        by: id of the clause, or name of the pass, that keeps the nodes off the BPU where they are worse off.
        nodes: in model order.
    """

    before: Verdict
    after: Verdict
    by: str
    nodes: tuple[NodeId, ...]


@dataclass(frozen=True)
class Comparison:
    """What changes from one target to another.

    Attributes:
        before: placement on the first target.
        after: placement on the second.
        changes: nodes whose verdict differs, in model order.
        formats: nodes of equal verdict whose number format differs, in model order.
        graph: ids of graph clauses whose outcome differs, in alphabetical order; one that a side does not have passes.
        differences: what is known to differ between the two toolchain versions of one platform.
    """

    before: Placement
    after: Placement
    changes: tuple[Change, ...]
    formats: tuple[Change, ...]
    graph: tuple[str, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def groups(self) -> tuple[Group, ...]:
        """Changes by what decides, most nodes first."""
        found: dict[tuple[Verdict, Verdict, str], list[NodeId]] = {}
        for change in self.changes:
            key = (change.before.verdict, change.after.verdict, _decider(change))
            found.setdefault(key, []).append(change.node)
        groups = [Group(before, after, by, tuple(nodes)) for (before, after, by), nodes in found.items()]
        return tuple(sorted(groups, key=lambda group: -len(group.nodes)))

    @property
    def better(self) -> int:
        """Number of nodes that reach the BPU (or are folded) only on the second target."""
        return sum(c.after.verdict in _RUNS and c.before.verdict not in _RUNS for c in self.changes)

    @property
    def worse(self) -> int:
        """Number of nodes that leave the BPU on the second target."""
        return sum(c.before.verdict in _RUNS and c.after.verdict not in _RUNS for c in self.changes)


_RUNS = frozenset({Verdict.BPU, Verdict.FOLDED})
_WORD_ONLY = frozenset({"stand-in", "format"})
"""Passes that tell where a limit comes from or in what a node computes, and so decide nothing."""


def compare(a: Placement, b: Placement, differences: tuple[Difference, ...] = ()) -> Comparison:
    """Lay two placements of one model side by side.

    *differences* are those known between the two toolchain versions; they are handed on.

    Raises:
        UsageError: the placements are of different models.
    """
    if a.verdicts.keys() != b.verdicts.keys():
        raise UsageError(say("constraints.compare_models"), say("constraints.compare_models_help"))
    changes, formats = [], []
    for node, before in a.verdicts.items():
        after = b.verdicts[node]
        if before.verdict is not after.verdict:
            changes.append(Change(node, side(a, before), side(b, after)))
        elif before.qtype is not after.qtype:
            formats.append(Change(node, side(a, before), side(b, after)))
    return Comparison(a, b, tuple(changes), tuple(formats), _graph_changes(a, b), differences)


def side(placement: Placement, verdict: NodeVerdict) -> Side:
    """What decides about a node on one target; a fused one goes where the limits of its host send it."""
    because = next((entry for entry in verdict.because if entry.pass_name not in _WORD_ONLY), None)
    host = verdict if verdict.fused_into is None else placement.verdicts[verdict.fused_into]
    return Side(verdict.verdict, verdict.standing, verdict.qtype, _deciding(host), because)


def _decider(change: Change) -> str:
    """What keeps the node off the BPU where it is worse off."""
    sides = sorted((change.before, change.after), key=lambda side: -SEVERITY[side.verdict])
    for side in sides:
        if side.checks:
            return side.checks[0].clause
        if side.because is not None:
            return side.because.pass_name
    return "-"


def _deciding(verdict: NodeVerdict) -> tuple[Check, ...]:
    if verdict.verdict in _RUNS:
        return ()
    wanted = Outcome.UNKNOWN if verdict.verdict is Verdict.UNKNOWN else Outcome.FAIL
    found: dict[Limit, Check] = {}
    for check in verdict.checks:
        if check.outcome is wanted and check.contradicted is None:
            found.setdefault(check.side, check)
    sides = (Limit.BPU, Limit.CPU) if verdict.verdict is Verdict.UNSUPPORTED else (Limit.BPU,)
    return tuple(found[one] for one in sides if one in found)


def _graph_changes(a: Placement, b: Placement) -> tuple[str, ...]:
    before, after = (_outcomes(placement) for placement in (a, b))
    return tuple(
        sorted(
            key
            for key in before.keys() | after.keys()
            if before.get(key, Outcome.PASS) is not after.get(key, Outcome.PASS)
        )
    )


def _outcomes(placement: Placement) -> Mapping[str, Outcome]:
    checks = (check for check in placement.graph_checks if check.contradicted is None)
    return {check.clause: check.outcome for check in checks}
