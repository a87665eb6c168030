"""`verify_parts`: do parts of a model, run one after the other, give what the model gives."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inspector.errors import InspectorError, SaveError, TensorDataError, WorkerCancelled, system_reason
from inspector.model.graph import MAIN, Model
from inspector.model.save import write_runtime
from inspector.text import Message, say
from inspector.verify.engine import no_result, threads, why
from inspector.verify.feeds import input_specs, kind_of, make_feed
from inspector.verify.result import Runtime, StageName, Status, Verification
from inspector.verify.tally import Tally
from inspector.verify.tolerance import tolerance_for
from inspector.worker.client import Runner
from inspector.worker.folders import scratch
from inspector.worker.protocol import Array, RunReply, RunRequest


def verify_parts(
    whole: Model,
    parts: Sequence[Model],
    runner: Runner,
    *,
    seed: int = 7,
    samples: int = 3,
    dims: Mapping[str, int] | None = None,
) -> Verification:
    """Every output of the *parts* against the tensor of that name in *whole*, bit for bit.

    A part is fed what *whole* is fed, what parts before it gave, and otherwise what *whole* computes. The nodes are
    those of the model, only the borders are new, so equal values are proof enough even where they hardly vary.

    Args:
        whole: the model that was cut.
        parts: models whose inputs and outputs are called as in *whole*, in the order in which they run.
        runner: where models run.
        seed: seed of the made-up inputs.
        samples: number of input sets, at least 1.
        dims: sizes for dynamic dimensions, beside those bound in the model.

    Raises:
        WorkerCancelled: the user cancelled.
    """
    start = time.perf_counter()
    tolerance = tolerance_for(True)
    specs = input_specs(whole, dims)
    if isinstance(specs, Message):
        return no_result(StageName.MODEL, tolerance, seed, specs, start)
    try:
        with scratch("parts-") as folder:
            work = _Chain(whole, parts, runner, folder)
            for index in range(max(1, samples) if specs else 1):
                work.sample(index, make_feed(specs, index, seed))
            kinds = tuple(kind_of(index) for index in range(work.ran))
    except WorkerCancelled:
        raise
    except (InspectorError, SaveError, TensorDataError) as error:
        return no_result(StageName.MODEL, tolerance, seed, why(error), start)
    except (OSError, ValueError) as error:
        return no_result(StageName.MODEL, tolerance, seed, say("verify.no_file", reason=system_reason(error)), start)
    diffs = tuple(tally.diff() for tally in work.tallies.values())
    status, reason = Status.PASSED, None
    wrong = next((d for d in diffs if not d.equal or d.status is Status.FAILED), None)
    if wrong is not None:
        status, reason = Status.FAILED, say("verify.failed", tensor=wrong.name, why=wrong.reason or "", n=1)
    elif not diffs or any(d.max_abs is None for d in diffs):
        status, reason = Status.INCONCLUSIVE, say("verify.nothing_to_compare")
    elapsed = time.perf_counter() - start
    return Verification(StageName.MODEL, status, reason, diffs, tolerance, seed, kinds, work.runtime, elapsed)


@dataclass
class _Chain:
    """Runs the whole model and its parts on one input set after the other."""

    whole: Model
    parts: Sequence[Model]
    runner: Runner
    folder: Path
    tallies: dict[str, Tally] = field(default_factory=dict)
    runtime: Runtime | None = None
    ran: int = 0

    def __post_init__(self) -> None:
        names = [name for part in self.parts for name in (*part.main.outputs, *part.main.inputs)]
        self._names = tuple(n for n in dict.fromkeys(names) if self.whole.producer(MAIN, n) is not None)
        self._path = write_runtime(self.whole, self.folder, extra_outputs=self._names)
        self._paths = [write_runtime(part, self.folder) for part in self.parts]

    def sample(self, index: int, feed: Mapping[str, Array]) -> None:
        """Compare on input set *index*."""
        expected = self._run(self._path, feed, self._names)
        known: dict[str, Array] = {**expected, **feed}
        for part, path in zip(self.parts, self._paths, strict=True):
            outputs = part.main.outputs
            found = self._run(path, {name: known[name] for name in part.main.inputs}, outputs)
            known.update(found)
            for name in outputs:
                tally = self.tallies.setdefault(name, Tally(name, True, tolerance_for(True), proven=True))
                tally.add(index, expected.get(name), found.get(name))
        self.ran += 1

    def _run(self, path: Path, feed: Mapping[str, Array], names: Sequence[str]) -> Mapping[str, Array]:
        reply: RunReply = self.runner.run(RunRequest(path, (feed,), tuple(names), threads=threads(), keep=False))
        info = reply.runtime
        self.runtime = Runtime(info.name, info.version, info.provider, info.optimization, info.threads)
        return reply.results[0]
