"""Run two model files on the same input sets and gather their tensors, within a memory budget."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from inspector.errors import InspectorError, WorkerCancelled
from inspector.text import Message, say
from inspector.verify.metrics import Array, sample
from inspector.verify.result import ArraySample, Runtime, StageName, Status, TensorDiff, Tolerance, Verification
from inspector.verify.structure import Probe
from inspector.verify.tally import Tally, is_faint
from inspector.worker.client import ModelRefused, Runner
from inspector.worker.protocol import Backend, RunReply, RunRequest, RuntimeInfo

Progress = Callable[[int, int], None]
"""Called with (done, total) steps; what it raises ends the comparison."""

MEMORY_BYTES = 512 << 20
"""Bytes of tensors of both sides that are held at once; more are fetched in several runs."""

SAMPLE_BYTES = 16 << 20
"""Bytes of intermediates, both sides together, that are kept for a view; those of graph outputs are always kept."""

_UNKNOWN_BYTES = 1 << 20
_SATURATED_SHARE = 0.99


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tensors that are held against each other.

    Attributes:
        before: name in the first model.
        after: name in the second.
        output: whether it is a graph output.
        bytes: expected size of each in bytes; None when unknown.
        counts: whether the comparison as a whole is inconclusive when this tensor is zero, constant, empty, not finite.
        near: whether it follows a change directly, so that it must also respond to the inputs and be of everyday size.
        varies: whether its values depend on those of the inputs.
        proven: whether the changes before it are proven elsewhere, so that it need only agree.
    """

    before: str
    after: str
    output: bool
    bytes: int | None = None
    counts: bool = True
    near: bool = True
    varies: bool = True
    proven: bool = False


@dataclass(frozen=True)
class Plan:
    """What to run.

    Attributes:
        stage: which comparison.
        before: first model file, with all compared and probed tensors among its outputs.
        after: second model file, likewise.
        pairs: tensors to compare, in the order of the result.
        feed: input set by index, under the names of the first model.
        kinds: names of the input sets, as many as there are.
        renamed: input of the first model -> input of the second, where they differ.
        probes_before: activations of the first model to watch.
        probes_after: activations of the second.
        tolerance: the limit.
        seed: seed of the input sets.
        budget_s: seconds after which no further input set is begun, once `least` were run; None for no limit.
        least: input sets that are always run.
        notes: what to tell beside the result.
        excuse: names of intermediates that differ for a reason of their own, from the figures; None excuses nothing.
    """

    stage: StageName
    before: Path
    after: Path
    pairs: tuple[Pair, ...]
    feed: Callable[[int], Mapping[str, Array]]
    kinds: tuple[str, ...]
    tolerance: Tolerance
    seed: int
    renamed: Mapping[str, str] = field(default_factory=dict)
    probes_before: tuple[Probe, ...] = ()
    probes_after: tuple[Probe, ...] = ()
    budget_s: float | None = None
    least: int = 3
    notes: tuple[Message, ...] = ()
    excuse: Callable[[Sequence[TensorDiff]], frozenset[str]] | None = None


def threads() -> int:
    """Threads for a run: the machine's cores but one, so that the window stays fluent; the same on both sides."""
    return max(1, min(8, (os.cpu_count() or 2) - 1))


def execute(plan: Plan, runner: Runner, progress: Progress | None, start: float) -> Verification:
    """Carry out *plan*; *start* is the `perf_counter` at which the comparison began.

    A worker that gives no answer makes the result INCONCLUSIVE, unless a difference was already seen.

    Raises:
        WorkerCancelled: the user cancelled.
    """
    try:
        return _Execution(plan, runner, Backend.ONNXRUNTIME, progress, start).result()
    except ModelRefused as refusal:
        if plan.stage is not StageName.FRAGMENT:
            return no_result(plan.stage, plan.tolerance, plan.seed, why(refusal), start, plan.notes)
        noted = replace(plan, notes=(*plan.notes, say("verify.by_reference", reason=refusal.message)))
    try:
        return _Execution(noted, runner, Backend.REFERENCE, progress, start).result()
    except ModelRefused as refusal:
        return no_result(plan.stage, plan.tolerance, plan.seed, why(refusal), start, noted.notes)


def no_result(
    stage: StageName,
    tolerance: Tolerance,
    seed: int,
    reason: Message,
    start: float | None = None,
    notes: tuple[Message, ...] = (),
) -> Verification:
    """A comparison that could not be made; *start* is the `perf_counter` at which it began, None if it did not."""
    elapsed = 0.0 if start is None else time.perf_counter() - start
    return Verification(stage, Status.INCONCLUSIVE, reason, (), tolerance, seed, (), None, elapsed, notes=notes)


def why(error: InspectorError) -> Message:
    """*error* as the reason of an inconclusive comparison."""
    if error.help is None:
        return say("verify.no_result", why=error.message)
    return say("verify.no_result_help", why=error.message, help=error.help)


class _Execution:
    """One pass over the input sets of a plan with one backend."""

    def __init__(self, plan: Plan, runner: Runner, backend: Backend, progress: Progress | None, start: float) -> None:
        self._plan = plan
        self._runner = runner
        self._backend = backend
        self._progress = progress
        self._start = start
        self._tallies = [
            Tally(p.before, p.output, plan.tolerance, varies=p.varies, proven=p.proven) for p in plan.pairs
        ]
        self._chunks = _chunks(plan.pairs)
        self._samples: dict[str, ArraySample] = {}
        self._kept = 0  # bytes of intermediates among them
        self._runtime: RuntimeInfo | None = None
        self._ran = 0
        self._open: dict[Probe, bool] = {}  # whether some input set left the probe unsaturated

    def result(self) -> Verification:
        """Run all, and judge."""
        problem: Message | None = None
        total = len(self._plan.kinds) * len(self._chunks)
        try:
            for index in range(len(self._plan.kinds)):
                if self._spent(index):
                    break
                self._sample(index, total)
                self._ran += 1
        except (WorkerCancelled, ModelRefused):
            raise
        except InspectorError as error:
            problem = why(error)
        return self._verification(problem)

    def _spent(self, index: int) -> bool:
        budget = self._plan.budget_s
        if budget is None or index < self._plan.least or not self._ran:
            return False
        spent = time.perf_counter() - self._start
        return spent + spent / self._ran > budget

    def _sample(self, index: int, total: int) -> None:
        feed = self._plan.feed(index)
        renamed = {self._plan.renamed.get(name, name): array for name, array in feed.items()}
        for number, chunk in enumerate(self._chunks):
            last = index == len(self._plan.kinds) - 1 and number == len(self._chunks) - 1
            pairs = [self._plan.pairs[i] for i in chunk]
            first = number == 0
            before = self._run(
                self._plan.before, feed, [p.before for p in pairs], self._plan.probes_before if first else (), True
            )
            after = self._run(
                self._plan.after, renamed, [p.after for p in pairs], self._plan.probes_after if first else (), not last
            )
            for place in chunk:
                self._compare(index, place, before, after)
            if self._progress is not None:
                self._progress(index * len(self._chunks) + number + 1, total)

    def _run(
        self, path: Path, feed: Mapping[str, Array], names: Sequence[str], probes: Sequence[Probe], keep: bool
    ) -> Mapping[str, Array]:
        wanted = tuple(dict.fromkeys([*names, *(p.source for p in probes if p.source not in feed)]))
        request = RunRequest(path, (feed,), wanted, self._backend, threads(), keep)
        reply: RunReply = self._runner.run(request)
        self._runtime = reply.runtime
        arrays = reply.results[0]
        for probe in probes:
            array = arrays.get(probe.source, feed.get(probe.source))
            if array is not None and not _saturated(array, probe):
                self._open[probe] = True
            else:
                self._open.setdefault(probe, False)
        return arrays

    def _compare(self, index: int, place: int, before: Mapping[str, Array], after: Mapping[str, Array]) -> None:
        pair = self._plan.pairs[place]
        a, b = before.get(pair.before), after.get(pair.after)
        if a is None and b is None and not pair.output:
            return  # a sequence or map on both sides: no tensor to compare
        self._tallies[place].add(index, a, b)
        if pair.before not in self._samples and a is not None and b is not None:
            size = 0 if pair.output else a.nbytes + b.nbytes
            if self._kept + size <= SAMPLE_BYTES:
                self._kept += size
                self._samples[pair.before] = sample(a, b)

    def _verification(self, problem: Message | None) -> Verification:
        plan = self._plan
        closed = [probe for probe, is_open in self._open.items() if not is_open]
        flat = {probe.target for probe in closed}
        for tally in self._tallies:
            tally.saturated = tally.name in flat
        diffs = tuple(t.diff() for t in self._tallies if t.output or t.seen)
        excused = frozenset() if plan.excuse is None or problem is not None else plan.excuse(diffs)
        diffs = tuple(_excused(d) if d.name in excused else d for d in diffs)
        status, reason = self._judge(diffs, closed, problem, excused)
        runtime = None
        if self._runtime is not None:
            info = self._runtime
            runtime = Runtime(info.name, info.version, info.provider, info.optimization, info.threads)
        notes = plan.notes
        if problem is None and self._ran < len(plan.kinds):
            notes = (*notes, say("verify.fewer_sets", n=self._ran, total=len(plan.kinds)))
        if excused:
            notes = (*notes, say("verify.names_reused", n=len(excused), tensor=min(excused)))
        faint = [pair.before for pair, diff in zip(plan.pairs, diffs, strict=False) if pair.proven and diff.badge]
        if faint:
            notes = (*notes, say("verify.rests_on_fragments", n=len(faint), tensor=faint[0]))
        elapsed = time.perf_counter() - self._start
        return Verification(
            plan.stage, status, reason, diffs, plan.tolerance, plan.seed, plan.kinds[: self._ran], runtime, elapsed,
            self._samples, notes,
        )  # fmt: skip

    def _judge(
        self,
        diffs: Sequence[TensorDiff],
        closed: Sequence[Probe],
        problem: Message | None,
        excused: frozenset[str],
    ) -> tuple[Status, Message | None]:
        failed = [d for d in diffs if d.status is Status.FAILED]
        if failed:
            first = next((d for d in failed if not d.output), failed[0])
            return Status.FAILED, say("verify.failed", tensor=first.name, why=first.reason or "", n=len(failed))
        if problem is not None:
            return Status.INCONCLUSIVE, problem
        near = {pair.before for pair in self._plan.pairs if pair.near} - excused
        counts = {pair.before for pair in self._plan.pairs if pair.counts} - excused
        for diff in diffs:
            matters = diff.name in near or (diff.name in counts and not is_faint(diff))
            if matters and diff.status is Status.INCONCLUSIVE:
                return Status.INCONCLUSIVE, say("verify.unproven", tensor=diff.name, why=diff.reason or "")
        if closed:
            return Status.INCONCLUSIVE, say("verify.saturated_at", node=closed[0].node)
        if not diffs:
            return Status.INCONCLUSIVE, say("verify.nothing_to_compare")
        return Status.PASSED, None


def _excused(diff: TensorDiff) -> TensorDiff:
    return replace(diff, status=Status.INCONCLUSIVE, reason=say("verify.other_meaning"))


def _chunks(pairs: Sequence[Pair]) -> list[list[int]]:
    """Places of *pairs* in groups that stay within the memory budget, at least one group."""
    chunks: list[list[int]] = [[]]
    used = 0
    for place, pair in enumerate(pairs):
        size = 2 * (_UNKNOWN_BYTES if pair.bytes is None else pair.bytes)
        if chunks[-1] and used + size > MEMORY_BYTES:
            chunks.append([])
            used = 0
        chunks[-1].append(place)
        used += size
    return chunks


def _saturated(array: Array, probe: Probe) -> bool:
    """Whether nearly all inputs of an activation lie where it is flat or linear."""
    if array.dtype.kind != "f" or not array.size:
        return False
    inside = np.count_nonzero((array > probe.low) & (array < probe.high))
    return bool(inside < (1 - _SATURATED_SHARE) * array.size)
