"""Examples of clauses: the plainest model just outside a limit, just inside it, and with the fact missing.

The search starts at a plain form of the operator, changes one thing at a time as the clause's own figures suggest, and
asks the clause itself. Of what it finds, models that ONNX accepts and in which nothing else fails come first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from inspector.errors import InspectorError
from inspector.model.graph import Model
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import Catalog, ClauseHit
from inspector.placement.example_hints import Hints, hints
from inspector.placement.example_limits import Step, steps
from inspector.placement.example_model import NODE, Sample, build, elements, is_valid, present
from inspector.placement.example_moves import knobs, moves, sized, slim, weaker
from inspector.placement.example_seeds import seeds
from inspector.placement.facts import NodeFacts, context_flags, node_facts
from inspector.placement.local import decide
from inspector.placement.predicates import evaluate, guard
from inspector.placement.table import Clause, OpRules
from inspector.placement.verdict import Outcome
from inspector.worker.client import InProcessRunner

SEARCH_LIMIT: Final = 3_000
"""Samples that one search looks at before it gives up."""

_LARGEST: Final = 1 << 32
"""Longest axis that a search tries, in elements."""

_GRID: Final = tuple(1 << power for power in range(1, 33))


class Case(StrEnum):
    """Where an example stands."""

    INSIDE = "inside"
    OUTSIDE = "outside"
    MISSING = "missing"  # a fact is missing, so that the clause is UNKNOWN
    ELSEWHERE = "elsewhere"  # the clause does not apply


@dataclass(frozen=True)
class Tried:
    """A sample that was held against a clause.

    Attributes:
        sample: what was tried.
        facts: of its node.
        case: where it stands.
        changes: number of changes from a plain form.
        start: position of that form among those of the operator, from 0.
    """

    sample: Sample
    facts: NodeFacts
    case: Case
    changes: int
    start: int = 0


@dataclass(frozen=True)
class Explored:
    """What a search found.

    Attributes:
        tried: every sample that was looked at, plain ones first.
        weaker: samples of a plain form with one fact less in which the clause cannot be told.
        witnesses: step over the limit -> samples whose answer it changes, plain ones first and not all of them; empty
            where none was found.
    """

    tried: tuple[Tried, ...]
    weaker: tuple[Tried, ...]
    witnesses: Mapping[str, tuple[Tried, ...]]

    def of(self, case: Case) -> tuple[Tried, ...]:
        """Samples of *case*, those at the limit alone where there are any."""
        if case is Case.MISSING and self.weaker:
            return self.weaker
        moved = {id(t): t for change, some in self.witnesses.items() if change.startswith("require") for t in some}
        return tuple(t for t in moved.values() if t.case is case) or tuple(t for t in self.tried if t.case is case)


def explore(
    clause: Clause,
    rules: OpRules,
    domain: str = "",
    memory: dict[str, NodeFacts] | None = None,
    wanted: Case | None = None,
) -> Explored:
    """Samples around the limit of *clause*; the search ends when every step over the limit was met.

    *memory* keeps the facts of samples from one search to the next, for a caller that explores many clauses. With
    *wanted* the search ends at the first sample of that case.
    """
    return _Search(clause, rules, domain, {} if memory is None else memory, wanted).run()


def plainest(explored: Explored, case: Case, rules: OpRules) -> Tried | None:
    """The plainest sample of *case*; None where there is none."""
    fitting = explored.of(case)
    if case is not Case.MISSING:
        return best(fitting, rules)
    return next((t for t in fitting if is_valid(build(t.sample))), fitting[0] if fitting else None)


def best(pool: Iterable[Tried], rules: OpRules) -> Tried | None:
    """The plainest sample of *pool*: valid, with nothing else failing, few changes, small."""
    shortlist = sorted(pool, key=lambda t: (t.changes, t.start, sizes(t.sample)))[:_SHORTLIST]
    return min(shortlist, key=lambda t: roughness(t, rules), default=None)


_SHORTLIST: Final = 100

_FEW: Final = 5
"""Forms of an operator whose axes are followed to a limit first."""

_ENOUGH: Final = 12
"""Samples that are kept for each step over the limit."""


def roughness(tried: Tried, rules: OpRules) -> tuple[bool, int, int, int, int]:
    """How far *tried* is from a plain model: refused by ONNX, other clauses that fail, changes, form, size."""
    checks = decide(rules, tried.facts).checks
    failed = sum(check.outcome is Outcome.FAIL for check in checks)
    return (not is_valid(build(tried.sample)), failed, tried.changes, tried.start, sizes(tried.sample))


def _moved(step: Step, tried: Tried) -> bool:
    if step.clause is None:
        return tried.case is Case.OUTSIDE
    return tried.case is not case_of(step.clause, tried.facts)


def sizes(sample: Sample) -> int:
    """Elements of all inputs together, unknown axes counted as one."""
    return sum(elements(tensor) for _, tensor in present(sample))


def facts_of(sample: Sample) -> NodeFacts:
    """What a table is told of the node of *sample*."""
    model = model_of(sample)
    node = next(node for node in model.main.nodes if node.name == NODE)
    return node_facts(model, node, qtype=sample.qtype, flow=sample.flow, context=context_flags(model, node))


def model_of(sample: Sample) -> Model:
    """The model of *sample* with its shapes."""
    model = from_proto(build(sample))
    try:
        return infer_shapes(model, InProcessRunner())
    except InspectorError:  # a broken sample keeps the shapes that it has
        return model


def case_of(clause: Clause, facts: NodeFacts) -> Case:
    """Where a node with these *facts* stands."""
    applies = guard(clause.when, facts)
    if applies is False:
        return Case.ELSEWHERE
    finding = evaluate(clause.require, facts)
    if finding is None:
        return Case.ELSEWHERE
    if finding.outcome is Outcome.UNKNOWN or (applies is None and finding.outcome is Outcome.FAIL):
        return Case.MISSING
    return Case.INSIDE if finding.outcome is Outcome.PASS else Case.OUTSIDE


class _Search:
    """One search: what was seen, and what is still worth a look."""

    def __init__(
        self, clause: Clause, rules: OpRules, domain: str, memory: dict[str, NodeFacts], wanted: Case | None = None
    ) -> None:
        self.clause, self.rules, self.domain, self.memory, self.wanted = clause, rules, domain, memory, wanted
        self.clue: Hints = hints(clause.require, clause.when)
        guarded = clause.when is not None and "expr" in str(clause.when)
        self.measured = guarded or next(iter(clause.require)) in _MEASURED
        self.seen: set[str] = set()
        self.pool: list[Tried] = []
        self.known: dict[str, Tried] = {}
        self.cases: set[Case] = set()
        # One example needs to be told from near limits only, not from all of them.
        self.open = list(steps(clause, rules.op))[: None if wanted is None else _ENOUGH]
        self.witnesses: dict[str, list[Tried]] = {step.change: [] for step in self.open}

    def run(self) -> Explored:
        """Look until every step was met or nothing is left to try."""
        starts = self._try((0, i, sample) for i, sample in enumerate(seeds(self.rules.op, self.domain)))
        self._cross(starts[:_FEW])
        for start in starts:
            self._try((1, start.start, sample) for sample in moves(start.sample, self.clue))
            if self._done():
                break
        else:
            self._cross(starts[_FEW:])
            self._deeper()
        found = {change: tuple(some) for change, some in self.witnesses.items()}
        return Explored(tuple(self.pool), tuple(self._weaken()), found)

    def _deeper(self) -> None:
        """Two changes, starting where the clause applies."""
        near = [t for t in self.pool if t.changes == 1]
        applying = [t for t in near if t.case is not Case.ELSEWHERE] or near
        idle = 0
        for tried in _spread(applying):
            before = self._unmet()
            self._try((2, tried.start, sample) for sample in moves(tried.sample, self.clue))
            idle = idle + 1 if self._unmet() == before else 0
            if self._done() or idle == _PATIENCE:
                break
        self._cross(_spread(applying)[:8])

    def _weaken(self) -> Iterator[Tried]:
        """Take facts away from the plainest samples on either side, until the answer is unknown."""
        for case in (Case.OUTSIDE, Case.INSIDE):
            ground = best((t for t in self.pool if t.case is case), self.rules)
            for sample in () if ground is None else weaker(ground.sample):
                tried = self.known.get(sample.key) or self._hold(sample, 2, ground.start if ground else 0)
                if tried is not None and tried.case is Case.MISSING:
                    yield tried

    def _unmet(self) -> int:
        """Steps over the limit, and kinds of cases, that no sample shows yet."""
        return sum(not some for some in self.witnesses.values()) - len(self.cases)

    def _done(self) -> bool:
        if self.wanted is not None:
            return self.wanted in self.cases
        if not {Case.INSIDE, Case.OUTSIDE} <= self.cases:
            return False
        return all(self.witnesses.values())

    def _try(self, samples: Iterable[tuple[int, int, Sample]]) -> list[Tried]:
        fresh = []
        for changes, start, sample in samples:
            if len(self.seen) >= SEARCH_LIMIT:
                break
            tried = self._hold(sample, changes, start)
            if tried is not None:
                fresh.append(tried)
        return fresh

    def _hold(self, sample: Sample, changes: int, start: int) -> Tried | None:
        """*sample* held against the clause; None for one that was seen or that cannot be built."""
        key = sample.key
        if key in self.seen:
            return None
        self.seen.add(key)
        try:
            facts = self.memory.get(key) or facts_of(sample)
        except (ValueError, TypeError, OverflowError):  # no such model can be written
            return None
        self.memory[key] = facts
        tried = Tried(sample, facts, case_of(self.clause, facts), changes, start)
        self.pool.append(tried)
        self.known[key] = tried
        self.cases.add(tried.case)
        for step in self.open:
            if _moved(step, tried):
                self.witnesses[step.change].append(tried)
        self.open = [step for step in self.open if len(self.witnesses[step.change]) < _ENOUGH]
        return tried

    def _cross(self, grounds: Iterable[Tried]) -> None:
        """Follow each axis to the length at which the answer changes."""
        if not self.measured:
            return
        grounds = list(grounds)
        grounds += self._try((0, ground.start, slim(ground.sample)) for ground in grounds)
        for ground in grounds:
            if ground.case not in (Case.INSIDE, Case.OUTSIDE):
                continue
            for knob in knobs(ground.sample):
                self._follow(ground, knob)
                if self.wanted is not None and self._done():
                    return

    def _follow(self, ground: Tried, knob: tuple[int, int]) -> None:
        last, low = ground, 1
        for high in _GRID:
            tried = self._at(ground, knob, high)
            if tried is None:
                continue
            if tried.case is not last.case:
                self._bisect(ground, knob, (low, last.case), high)
            last, low = tried, high

    def _bisect(self, ground: Tried, knob: tuple[int, int], low: tuple[int, Case], high: int) -> None:
        bottom, case = low
        while high - bottom > 1:
            middle = (bottom + high) // 2
            tried = self._at(ground, knob, middle)
            if tried is None:
                return
            if tried.case is case:
                bottom = middle
            else:
                high = middle

    def _at(self, ground: Tried, knob: tuple[int, int], length: int) -> Tried | None:
        sample = sized(ground.sample, knob, length)
        if sample is None:
            return None
        return self.known.get(sample.key) or self._hold(sample, ground.changes + 1, ground.start)


_MEASURED: Final = frozenset({"expr", "bytes", "elements", "any", "all", "indices_within"})
"""Predicates whose limit is not a figure of the table itself."""

_PATIENCE: Final = 3
"""Samples in a row that may bring nothing new before a search goes no deeper."""

_BREADTH: Final = 24


def _spread(tried: Sequence[Tried]) -> list[Tried]:
    """A few of *tried*, evenly over the list."""
    step = max(len(tried) // _BREADTH, 1)
    return list(tried[::step])[:_BREADTH]


_GENERAL: Final = "Slice"
"""Operator that stands for all where a clause is about every node: its output may be smaller than its input."""


def hits(catalog: Catalog) -> Iterator[ClauseHit]:
    """Every clause of every table under its operator, a general one under one operator that has it."""
    for table in catalog.tables.values():
        general: set[str] = set()
        plain = [rules for rules in table.ops.values() if rules.op == _GENERAL]
        others = {rules.op: rules for rules in table.ops.values() if rules.op != _GENERAL}
        for rules in (*plain, *others.values()):
            for clause in rules.clauses:
                if clause.id.startswith("general."):
                    if clause.id in general:
                        continue
                    general.add(clause.id)
                yield ClauseHit(table.id, rules.op, clause)
        yield from (ClauseHit(table.id, "", clause) for clause in table.graph)
