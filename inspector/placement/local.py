"""The op-local judgement: one node held against the clauses of its operator, without looking at its neighbours."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from inspector.model.graph import Model, Node, Value
from inspector.placement.building import kebab, words
from inspector.placement.facts import (
    NodeFacts,
    Surroundings,
    context_flags,
    node_facts,
    parameter,
    parameter_names,
    zeros,
)
from inspector.placement.flattened import flattened_map
from inspector.placement.malformed import misfit
from inspector.placement.predicates import evaluate, guard
from inspector.placement.table import Clause, Fold, OpRules, Table
from inspector.placement.target import Device, Qtype, Target
from inspector.placement.verdict import Check, Kernel, Outcome, Side, Source, Standing, Verdict
from inspector.text import Text, say

NO_CONTEXT: Mapping[str, bool] = MappingProxyType({})
"""No context flag is overridden."""

MEMORY_LIMIT = 50_000
"""Judgements a table remembers before it forgets all of them."""


@dataclass(frozen=True, slots=True)
class LocalVerdict:
    """What the table says about one node, its surroundings left aside.

    Attributes:
        verdict: where it would run: BPU, CPU, UNSUPPORTED or UNKNOWN; never FOLDED (see `fold`).
        standing: the weakest support among the statements that decided.
        listed: whether the target's table, or the one that stands in, has the operator.
        bpu: whether the BPU takes it: PASS, FAIL or UNKNOWN.
        cpu: whether the CPU takes it.
        checks: every clause that applies, failed first, then unknown, then passed, each by clause id. Clauses of the
            CPU side stand here only where the BPU does not take the node; `cpu_checks` has them always.
        cpu_checks: clauses of the CPU side in the same order, for a node that is kept off the BPU.
        notes: statements that apply but that no program can check.
        fold: what the toolchain does with the operator before placement. With `Fold.INTO_CONV` the BPU has the operator
            only that way, so `bpu` is FAIL.
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
    cpu_checks: tuple[Check, ...] = ()
    notes: tuple[Clause, ...] = ()
    fold: Fold = Fold.NO
    default_device: Device | None = None
    force_option: str = ""
    stand_in: Text | None = None
    source: Source | None = None
    lowering: tuple[Text, ...] = ()


def judge(
    model: Model,
    node: Node,
    table: Table,
    target: Target,
    context: Mapping[str, bool] = NO_CONTEXT,
    constants: AbstractSet[str] | None = None,
    around: Surroundings | None = None,
) -> LocalVerdict:
    """Hold *node* against its clauses in *table*.

    *context* overrides the flags that follow from the graph around the node (`facts.CONTEXT_FLAGS`), for a caller that
    knows the neighbours' placement; *around* is what stands around the node, if the caller knows that. *constants* are
    all values of the node's graph that are known before run time; None asks the model, which does not know what is
    still to be computed from constants. Answers are remembered by what a clause may ask of a node, so that equal nodes
    cost one judgement.
    """
    domain = "" if node.op.domain == "ai.onnx" else node.op.domain
    rules = table.rules(domain, node.op.name)
    if rules is None:
        return _unlisted(node, table)
    qtype = target.qtypes.get(node.id) or target.qtype or Qtype.INT8
    flags = {**context_flags(model, node, constants, around), **context} if rules.context else {}
    asked = tuple(flags.get(flag) for flag in sorted(rules.context))
    key = (_signature(model, node, constants), qtype, target.flow, asked)
    found: LocalVerdict | None = table.memory.get(key)
    if found is None:
        facts = node_facts(model, node, qtype=qtype, flow=target.flow, context=flags, constants=constants)
        found = decide(rules, facts)
        if len(table.memory) >= MEMORY_LIMIT:
            table.memory.clear()
        table.memory[key] = found
    return found


def decide(rules: OpRules, facts: NodeFacts) -> LocalVerdict:
    """The verdict on a node with these *facts*."""
    bpu_checks, notes = _checks(rules, facts, Side.BPU)
    cpu_checks, cpu_notes = _checks(rules, facts, Side.CPU)
    if not rules.bpu:
        bpu_checks = [_no_bpu(rules, facts)]
    elif not any(operand.present for operand in facts.inputs):
        bpu_checks = [_no_inputs(rules, facts)]
    else:
        bpu_checks += _misfits(rules, facts)
    if rules.kernel is Kernel.NONE:
        cpu_checks = [_no_kernel(rules, facts)]
    bpu = _combined(bpu_checks)
    cpu = _kernel(rules.kernel, cpu_checks)
    refused = _stops(rules, bpu_checks)
    verdict = _verdict(bpu, cpu, refused)
    shown = bpu_checks if bpu is Outcome.PASS else [*bpu_checks, *cpu_checks]
    return LocalVerdict(
        verdict=verdict,
        standing=_standing(verdict, rules, bpu_checks, cpu, notes),
        listed=True,
        bpu=bpu,
        cpu=cpu,
        checks=_in_order(shown, rules),
        cpu_checks=_in_order(cpu_checks, rules),
        notes=(*notes, *cpu_notes),
        fold=rules.fold,
        default_device=rules.default_device,
        force_option=rules.force_option,
        stand_in=rules.stand_in,
        source=rules.source,
        lowering=rules.lowering,
    )


def _checks(rules: OpRules, facts: NodeFacts, side: Side) -> tuple[list[Check], list[Clause]]:
    checks, notes = [], []
    for clause in rules.clauses:
        if clause.side is not side:
            continue
        applies = guard(clause.when, facts)
        if applies is False:
            continue
        if clause.note:
            notes.append(clause)
            continue
        finding = evaluate(clause.require, facts)
        if finding is None:
            continue
        doubtful = applies is None and finding.outcome is Outcome.FAIL
        outcome = Outcome.UNKNOWN if doubtful else finding.outcome
        checks.append(
            Check(
                clause.id,
                side,
                outcome,
                finding.subject,
                finding.found,
                finding.allowed,
                clause.source,
                clause.text,
                clause.contradicted,
            )
        )
    return checks, notes


def _no_bpu(rules: OpRules, facts: NodeFacts) -> Check:
    return Check(f"{kebab(facts.op.name)}.bpu", Side.BPU, Outcome.FAIL, say("constraints.subject_operator"),
                 str(facts.op), say("constraints.on_bpu"), rules.source, _text("no_bpu"))  # fmt: skip


def _no_inputs(rules: OpRules, facts: NodeFacts) -> Check:
    """A node without any input is broken, so that nothing can be said of it."""
    return Check(f"{kebab(facts.op.name)}.inputs", Side.BPU, Outcome.UNKNOWN, say("constraints.subject_n_inputs"),
                 say("constraints.none"), "≥ 1", rules.source, _text("n_inputs"))  # fmt: skip


def _misfits(rules: OpRules, facts: NodeFacts) -> Iterator[Check]:
    """A node whose operands do not fit each other is broken as well."""
    finding = misfit(facts)
    if finding is not None:
        yield Check(f"{kebab(facts.op.name)}.operands", Side.BPU, finding.outcome, finding.subject, finding.found,
                    finding.allowed, rules.source, _text("operands"))  # fmt: skip


def _no_kernel(rules: OpRules, facts: NodeFacts) -> Check:
    return Check(f"{kebab(facts.op.name)}.cpu-kernel", Side.CPU, Outcome.FAIL, say("constraints.subject_operator"),
                 str(facts.op), say("constraints.has_kernel"), rules.kernel_source, _text("no_kernel"))  # fmt: skip


def _text(entry: str) -> Text:
    return words(f"text.{entry}")


def _combined(checks: Iterable[Check]) -> Outcome:
    outcomes = {check.outcome for check in checks if check.contradicted is None}
    if Outcome.FAIL in outcomes:
        return Outcome.FAIL
    return Outcome.UNKNOWN if Outcome.UNKNOWN in outcomes else Outcome.PASS


def _kernel(kernel: Kernel, checks: Sequence[Check]) -> Kernel:
    if kernel is Kernel.NONE:
        return kernel
    answer = {Outcome.PASS: kernel, Outcome.FAIL: Kernel.REFUSES, Outcome.UNKNOWN: Kernel.UNKNOWN}
    return answer[_combined(checks)]


def _stops(rules: OpRules, checks: Sequence[Check]) -> bool:
    """Whether a failed clause says that the toolchain stops rather than falls back to the CPU."""
    failed = {check.clause for check in checks if check.outcome is Outcome.FAIL and check.contradicted is None}
    return any(clause.id in failed and clause.otherwise is Verdict.UNSUPPORTED for clause in rules.clauses)


def _verdict(bpu: Outcome, cpu: Kernel, refused: bool) -> Verdict:
    if bpu is Outcome.PASS:
        return Verdict.BPU
    if bpu is Outcome.UNKNOWN:
        return Verdict.UNKNOWN
    return Verdict.UNSUPPORTED if refused or cpu in (Kernel.NONE, Kernel.REFUSES) else Verdict.CPU


_WEAKNESS: Final = {Standing.DOCUMENTED: 0, Standing.REPORTED: 1, Standing.INFERRED: 2}


def _weakest(standings: Iterable[Standing]) -> Standing:
    return max(standings, key=_WEAKNESS.__getitem__)


def _standing(
    verdict: Verdict, rules: OpRules, bpu_checks: Sequence[Check], cpu: Kernel, notes: Sequence[Clause]
) -> Standing:
    """The weakest of what decided: all clauses for a BPU verdict, one failed clause and the kernel for a CPU one."""
    row = rules.source.standing
    applied = [check for check in bpu_checks if check.contradicted is None]
    if verdict is Verdict.BPU:
        stated = [check.source.standing for check in applied]
        if any(check.contradicted is not None and check.outcome is not Outcome.PASS for check in bpu_checks):
            stated.append(Standing.REPORTED)  # the document says otherwise, so only the builds support it
        return _weakest([row, *stated, *(clause.source.standing for clause in notes)])
    if verdict is Verdict.UNKNOWN:
        return _weakest(c.source.standing for c in applied if c.outcome is Outcome.UNKNOWN)
    failed = [check.source.standing for check in applied if check.outcome is Outcome.FAIL]
    limit = min(failed, key=_WEAKNESS.__getitem__, default=row)
    if cpu in (Kernel.UNSTATED, Kernel.UNKNOWN) and verdict is Verdict.CPU:
        return Standing.INFERRED
    stopped = verdict is Verdict.UNSUPPORTED and cpu not in (Kernel.NONE, Kernel.REFUSES)
    return limit if stopped else _weakest([limit, rules.kernel_source.standing])


_ORDER: Final = {Outcome.FAIL: 0, Outcome.UNKNOWN: 1, Outcome.PASS: 2}


def _in_order(checks: Iterable[Check], rules: OpRules) -> tuple[Check, ...]:
    """What decides comes first: of each outcome the BPU before the CPU kernel, and limits that stop the toolchain."""
    stops = {clause.id for clause in rules.clauses if clause.otherwise is Verdict.UNSUPPORTED}
    return tuple(sorted(checks, key=lambda c: (_ORDER[c.outcome], c.side is Side.CPU, c.clause not in stops, c.clause)))


def _unlisted(node: Node, table: Table) -> LocalVerdict:
    """An operator in no table: unsupported where the table is complete, else nothing is known."""
    outcome = Outcome.FAIL if table.complete else Outcome.UNKNOWN
    entry = "unlisted" if table.complete else "unlisted_open"
    standing = Standing.DOCUMENTED if table.complete else Standing.INFERRED
    source = next(iter(table.sources.values()), Source(table.title.en))
    source = Source(source.document, source.section, source.version, source.read_on, standing)
    check = Check(f"{kebab(node.op.name)}.listed", Side.BPU, outcome, say("constraints.subject_operator"),
                  str(node.op), say("constraints.listed_operators"), source, _text(entry))  # fmt: skip
    return LocalVerdict(
        verdict=table.unlisted,
        standing=standing,
        listed=False,
        bpu=outcome,
        cpu=Kernel.NONE if table.complete else Kernel.UNKNOWN,
        checks=(check,),
        source=source,
    )


def _signature(model: Model, node: Node, constants: AbstractSet[str] | None) -> Hashable:
    """Everything that a clause may ask of *node* itself, in a form that can be compared quickly."""
    graph = node.graph
    operands: list[Hashable] = []
    for name in node.inputs:
        operands.append(_brief(model.value(graph, name)) if name else None)
        operands.append(model.is_constant(graph, name) if constants is None else name in constants)
    operands += [_brief(model.value(graph, name)) if name else None for name in node.outputs]
    attributes = tuple((name, value if _plain(value) else None) for name, value in sorted(node.attributes.items()))
    given = tuple(str(parameter(model, node, i + 1)) for i in range(len(parameter_names(node.op))))
    key = node.op.domain, node.op.name, node.op.version, attributes, len(node.inputs), tuple(operands), given
    return (*key, zeros(model, node, constants), flattened_map(model, node))


def _brief(value: Value) -> Hashable:
    shape = value.shape
    sizes = None if shape is None else tuple([d.size if d.size is not None else d.symbol for d in shape])
    return value.dtype, sizes


def _plain(value: Any) -> bool:
    return isinstance(value, int | float | str | tuple)
