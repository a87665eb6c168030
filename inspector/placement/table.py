"""`Table`, `OpRules`, `Clause`: one constraint table as immutable values.

A table answers, per operator: under which clauses the BPU takes it, what its CPU kernel accepts, and what the toolchain
does with it before it is placed at all. `inspector.placement.catalog` reads tables; `inspector.placement.local` holds
them against nodes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from inspector.placement.target import Device
from inspector.placement.verdict import Kernel, Side, Source, Verdict
from inspector.text import Text

Spec = Mapping[str, Any]
"""A predicate as the file has it: one key that names it, and its parameters (`{rank: {of: X, eq: 4}}`)."""


class Fold(StrEnum):
    """What the toolchain does with an operator before it is placed."""

    NO = ""
    CONSTANT = "constant"  # computed before run time where its inputs allow
    REMOVED = "removed"  # does nothing at run time
    INTO_CONV = "fused_into_previous_Conv"


@dataclass(frozen=True, slots=True)
class Clause:
    """One limit of a table.

    Attributes:
        id: `operator.limited-thing`, kebab case, unique within one operator of a table; ids of CPU limits start with
            `operator.cpu-`, ids of graph limits with `model.`, of limits on every node with `general.`.
        side: whose limit it is.
        require: predicate that must hold.
        when: predicate that must hold for the clause to apply; None applies always. Where that cannot be told, a node
            that meets `require` anyway passes, and one that does not is UNKNOWN.
        otherwise: verdict that a failure leads to: CPU (the CPU side decides then) or UNSUPPORTED.
        text: what is limited, for a reader.
        source: who says so.
        contradicted: counts from real builds that contradict it, so that it is shown and does not fire; or None.
        note: whether it cannot be checked by a program, so that it is only shown.
        stated_for: toolchain versions that a graph limit is stated for; for others it is inferred. Empty: for all.
    """

    id: str
    side: Side
    require: Spec
    when: Spec | None
    otherwise: Verdict
    text: Text
    source: Source
    contradicted: Text | None = None
    note: bool = False
    stated_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpRules:
    """What a table says about one operator.

    Attributes:
        op: operator name, or `domain::Name` for a custom one.
        bpu: whether the BPU has the operator at all.
        clauses: limits of the BPU side, the general ones that apply included, then those of the CPU side.
        kernel: what the table says about the CPU kernel.
        fold: what happens to it before placement.
        default_device: where the toolchain puts it unless forced; None when nothing is said.
        force_option: option that forces it to the other device (`run_on_bpu`); empty when there is none.
        lowering: what it becomes, for a reader.
        source: the row of the table.
        kernel_source: who says what is known of the CPU kernel.
        context: flags about the graph around the node that its clauses ask for.
        stand_in: title of the table that stands in because the target's own says nothing; None for its own rules.
    """

    op: str
    bpu: bool
    clauses: tuple[Clause, ...]
    kernel: Kernel
    fold: Fold = Fold.NO
    default_device: Device | None = None
    force_option: str = ""
    lowering: tuple[Text, ...] = ()
    source: Source = field(default_factory=lambda: Source(""))
    kernel_source: Source = field(default_factory=lambda: Source(""))
    context: frozenset[str] = frozenset()
    stand_in: Text | None = None


@dataclass(frozen=True)
class Table:
    """One constraint table.

    Attributes:
        id: `MARCH/TABLE`, the file's path below `constraints/` without its ending.
        title: what it is called, for a reader.
        march: architecture it was written for.
        complete: whether an operator it does not list is unsupported (else nothing is known of it).
        ops: operator -> rules.
        graph: clauses about the whole model; `model.min-bpu-nodes` can be judged only after placement.
        sources: documents by the short name that the file uses.
        stand_in: table whose BPU limits stand in for operators that this one does not list; None when none does.
        memory: judgements already made, by what they were made from; filled by `local.judge`.
    """

    id: str
    title: Text
    march: str
    complete: bool
    ops: Mapping[str, OpRules]
    graph: tuple[Clause, ...]
    sources: Mapping[str, Source]
    stand_in: str | None = None
    memory: dict[object, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def unlisted(self) -> Verdict:
        """Verdict on an operator that the table does not list."""
        return Verdict.UNSUPPORTED if self.complete else Verdict.UNKNOWN

    def rules(self, domain: str, name: str) -> OpRules | None:
        """Rules for an operator; None when the table does not list it.

        *domain* is `""` for ONNX's own operators; others are listed as `domain::Name`.
        """
        return self.ops.get(f"{domain}::{name}" if domain else name)
