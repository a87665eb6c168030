"""Problems: the nodes that are not on the BPU, grouped by the clause or decision that put them there."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from inspector.gui.words import decisive_check, headline
from inspector.model.graph import Model, Node, NodeId
from inspector.placement.verdict import SEVERITY, NodeVerdict, Placement, Verdict

PROBLEMS = frozenset({Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN})
"""Verdicts that count as a problem."""


@dataclass(frozen=True)
class Problem:
    """One node of the list.

    Attributes:
        node: the node.
        verdict: its verdict.
    """

    node: Node
    verdict: NodeVerdict

    @property
    def title(self) -> str:
        """One sentence with found and allowed, in the language in use."""
        return headline(self.verdict)


@dataclass(frozen=True)
class ProblemGroup:
    """Problems of one operator with one reason.

    Attributes:
        title: operator and rank, `ConvTranspose, 5-D`.
        clause: id of the clause or name of the pass that decided; empty when there is neither.
        problems: in the model's order.
    """

    title: str
    clause: str
    problems: tuple[Problem, ...]


def group_problems(
    model: Model, placement: Placement, verdicts: frozenset[Verdict] = frozenset()
) -> tuple[ProblemGroup, ...]:
    """Problems of *model*, worst and largest group first; *verdicts* narrows them, empty for all."""
    wanted = PROBLEMS & verdicts if verdicts else PROBLEMS
    groups: dict[tuple[str, str], list[Problem]] = {}
    for node in model.nodes:
        if placement.verdict[node.id] not in wanted:
            continue
        verdict = placement.verdicts[node.id]
        if verdict.fused_into is not None:
            continue
        groups.setdefault((operator_title(model, node), _clause(verdict)), []).append(Problem(node, verdict))
    made = [ProblemGroup(title, clause, tuple(problems)) for (title, clause), problems in groups.items()]
    return tuple(sorted(made, key=_rank))


def ordered_problems(groups: tuple[ProblemGroup, ...]) -> tuple[NodeId, ...]:
    """Node ids in the order in which next and previous problem go through them."""
    return tuple(problem.node.id for group in groups for problem in group.problems)


def worst_verdict(groups: tuple[ProblemGroup, ...]) -> Verdict:
    """The worst verdict among the problems of *groups*; CPU when there are none."""
    found = (problem.verdict.verdict for group in groups for problem in group.problems)
    return max(found, key=SEVERITY.__getitem__, default=Verdict.CPU)


def _rank(group: ProblemGroup) -> tuple[int, int]:
    return -max(SEVERITY[problem.verdict.verdict] for problem in group.problems), -len(group.problems)


def _clause(verdict: NodeVerdict) -> str:
    check = decisive_check(verdict)
    if check is not None:
        return check.clause
    return verdict.because[0].pass_name if verdict.because else ""


def operator_title(model: Model, node: Node) -> str:
    """Operator and rank of its first input, `ConvTranspose, 5-D`; the operator alone when the rank is unknown."""
    value = model.value(node.graph, node.inputs[0]) if node.inputs and node.inputs[0] else None
    if value is None or value.shape is None:
        return str(node.op)
    text = QCoreApplication.translate("Problems", "{op}, {rank}-D")
    return text.format(op=node.op, rank=len(value.shape))
