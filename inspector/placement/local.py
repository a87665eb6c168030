"""The op-local judgement: one node held against the clauses of its operator, without looking at its neighbours."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from inspector.model.graph import Model, Node
from inspector.placement.table import Fold, Kernel, Table
from inspector.placement.target import Device, Target
from inspector.placement.verdict import Check, Outcome, Source, Standing, Verdict
from inspector.text import Text

NO_CONTEXT: Mapping[str, bool] = MappingProxyType({})
"""No context flag is overridden."""


@dataclass(frozen=True, slots=True)
class LocalVerdict:
    """What the table says about one node, its surroundings left aside.

    Attributes:
        verdict: where it would run: BPU, CPU, UNSUPPORTED or UNKNOWN; never FOLDED (see `fold`).
        standing: the weakest support among the statements that decided.
        listed: whether the target's table, or the one that stands in, has the operator.
        bpu: whether the BPU takes it: PASS, FAIL or UNKNOWN.
        cpu: whether the CPU takes it.
        checks: every clause that applies, BPU and CPU side: failed first, then unknown, then passed, each by clause id.
        fold: what the toolchain does with the operator before placement.
        default_device: where it is put unless forced; None when nothing is said.
        force_option: option that forces it; empty when there is none.
        stand_in: title of the table that stands in; None when the target's own table decided.
        source: the row that decided; None for an operator in no table.
        lowering: what it becomes, for a reader.
    """

    verdict: Verdict
    standing: Standing
    listed: bool
    bpu: Outcome
    cpu: Kernel
    checks: tuple[Check, ...] = ()
    fold: Fold = Fold.NO
    default_device: Device | None = None
    force_option: str = ""
    stand_in: Text | None = None
    source: Source | None = None
    lowering: tuple[Text, ...] = ()


def judge(
    model: Model, node: Node, table: Table, target: Target, context: Mapping[str, bool] = NO_CONTEXT
) -> LocalVerdict:
    """Hold *node* against its clauses in *table*.

    *context* overrides the flags that follow from the graph around the node (`facts.CONTEXT_FLAGS`), for a caller that
    knows the neighbours' placement. Answers are remembered by what a clause may ask of a node, so that equal nodes cost
    one judgement.
    """
    raise NotImplementedError
