"""`verify_fragment`, `verify_models`, `verify_files`: are two computations the same, by numbers."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from inspector.errors import SaveError, TensorDataError, system_reason
from inspector.model.graph import MAIN, Model, NodeId
from inspector.model.infer import dynamic_dims
from inspector.model.load import load_model
from inspector.model.save import write_runtime
from inspector.model.shape import static
from inspector.text import Message, say
from inspector.verify.engine import Pair, Plan, Progress, execute, no_result, why
from inspector.verify.feeds import KINDS, InputSpec, input_specs, kind_of, make_feed
from inspector.verify.fragment import Fragment, cut
from inspector.verify.naming import other_meanings
from inspector.verify.pairing import Pairing, pair_models
from inspector.verify.result import StageName, Tolerance, Verification
from inspector.verify.structure import Difference, Probe, aligned_tensors, depth, difference, probes, varying
from inspector.verify.tolerance import tolerance_for
from inspector.worker.client import Runner
from inspector.worker.folders import scratch
from inspector.worker.protocol import Array

FRAGMENT_BUDGET_S = 3.0
"""Seconds after which a fragment comparison begins no further input set."""


def verify_fragment(
    before: Model,
    after: Model,
    removed: tuple[NodeId, ...],
    added: tuple[NodeId, ...],
    runner: Runner,
    *,
    tolerance: Tolerance,
    seed: int = 7,
    budget_s: float = FRAGMENT_BUDGET_S,
    progress: Progress | None = None,
) -> Verification:
    """The matched nodes against their replacement, as two small models with the same boundary tensors.

    Inputs come at several scales, so that activations are neither dead nor saturated in all of them; at least three
    sets are run, more within *budget_s* seconds. Shapes are those of the model: a smaller one would need other
    constants. Where ONNX Runtime cannot run the nodes, both sides are computed by onnx's reference evaluator, and a
    note says so.

    Raises:
        WorkerCancelled: the user cancelled.
    """
    start = time.perf_counter()
    stage = StageName.FRAGMENT
    try:
        fragment = cut(before, after, removed, added)
        if isinstance(fragment, Message):
            return no_result(stage, tolerance, seed, fragment, start)
        with scratch("fragment-") as folder:
            paths = folder / "before.onnx", folder / "after.onnx"
            for path, proto in zip(paths, (fragment.before, fragment.after), strict=True):
                path.write_bytes(proto.SerializeToString())
            return execute(_fragment_plan(fragment, paths, tolerance, seed, budget_s), runner, progress, start)
    except (TensorDataError, SaveError) as error:
        return no_result(stage, tolerance, seed, why(error), start)
    except (OSError, ValueError) as error:  # the disk, or a fragment beyond protobuf's 2 GiB
        return no_result(stage, tolerance, seed, say("verify.no_file", reason=system_reason(error)), start)


def _fragment_plan(
    fragment: Fragment, paths: tuple[Path, Path], tolerance: Tolerance, seed: int, budget_s: float
) -> Plan:
    specs = fragment.specs
    return Plan(
        stage=StageName.FRAGMENT,
        before=paths[0],
        after=paths[1],
        pairs=tuple(Pair(name, name, output=True) for name in fragment.outputs),
        feed=lambda index: make_feed(specs, index, seed),
        kinds=KINDS if specs else KINDS[:1],
        tolerance=tolerance,
        seed=seed,
        probes_before=fragment.probes_before,
        probes_after=fragment.probes_after,
        budget_s=budget_s,
    )


def verify_models(
    before: Model,
    after: Model,
    runner: Runner,
    *,
    tolerance: Tolerance | None = None,
    seed: int = 7,
    samples: int = 3,
    dims: Mapping[str, int] | None = None,
    intermediates: bool = True,
    feeds: Sequence[Mapping[str, Array]] | None = None,
    same_names: bool = True,
    changes_proven: bool = False,
    progress: Progress | None = None,
) -> Verification:
    """Two whole models on the same inputs: graph outputs, and intermediates aligned by tensor name.

    Only intermediates that a difference of the graphs can reach are fetched; the others are computed by equal operators
    from equal bits. Those next to a change are fetched even without *intermediates*, and the comparison is
    INCONCLUSIVE when one of them, or an output behind a change, is dead, saturated, empty or not finite.

    Args:
        before: the reference.
        after: the model that is held against it.
        runner: where models run.
        tolerance: the limit; None takes that of an equivalent rewrite, scaled by the depth of *before*.
        seed: seed of the made-up inputs.
        samples: number of made-up input sets, at least 1.
        dims: sizes for dynamic dimensions, beside those bound in the model.
        intermediates: whether all reachable intermediates are compared.
        feeds: the user's input sets, by input name of *before*; None makes some up.
        same_names: whether a tensor name is sure to mean the same on both sides, as it is after a rewrite. Otherwise a
            gross difference that is gone right behind the tensor is noted and does not count.
        changes_proven: whether every change passed its fragment stage. Then a dead or saturated tensor beside a change
            hides nothing, and only outputs that are zero, constant, empty or not finite leave the question open.
        progress: called with (done, total).

    Raises:
        WorkerCancelled: the user cancelled.
    """
    start = time.perf_counter()
    limit = tolerance or tolerance_for(False, None, StageName.MODEL, depth=depth(before))
    pairing = pair_models(before, after)
    if isinstance(pairing, Message):
        return no_result(StageName.MODEL, limit, seed, pairing, start)
    try:
        inputs = _inputs(before, after, pairing, dims, feeds, samples, seed)
        if isinstance(inputs, Message):
            return no_result(StageName.MODEL, limit, seed, inputs, start, pairing.notes)
        with scratch("models-") as folder:
            plan = _model_plan(before, after, pairing, inputs, folder, limit, seed, intermediates, changes_proven)
            if not same_names:
                aligned = aligned_tensors(before, after)
                plan = replace(plan, excuse=lambda diffs: other_meanings(diffs, before, aligned))
            return execute(plan, runner, progress, start)
    except (TensorDataError, SaveError) as error:
        return no_result(StageName.MODEL, limit, seed, why(error), start)
    except (OSError, ValueError) as error:
        return no_result(StageName.MODEL, limit, seed, say("verify.no_file", reason=system_reason(error)), start)


def verify_files(
    a: Path,
    b: Path,
    runner: Runner,
    *,
    tolerance: Tolerance | None = None,
    seed: int = 7,
    samples: int = 3,
    dims: Mapping[str, int] | None = None,
    intermediates: bool = True,
    feeds: Sequence[Mapping[str, Array]] | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Any two model files; inputs and outputs are matched by name, else by position with equal shapes, and noted.

    See `verify_models` for the arguments.

    Raises:
        ModelLoadError: a file is not a readable model.
        WorkerCancelled: the user cancelled.
    """
    return verify_models(
        load_model(a),
        load_model(b),
        runner,
        tolerance=tolerance,
        seed=seed,
        samples=samples,
        dims=dims,
        intermediates=intermediates,
        feeds=feeds,
        same_names=False,
        progress=progress,
    )


class _Inputs:
    """The input sets of a whole-model comparison: made up from *specs*, or the user's."""

    def __init__(
        self, specs: Sequence[InputSpec], given: Sequence[Mapping[str, Array]] | None, samples: int, seed: int
    ) -> None:
        self._specs = specs
        self._given = given
        self._seed = seed
        count = len(given) if given is not None else max(1, samples) if specs else 1
        self.kinds = tuple(f"#{i + 1}" if given is not None else kind_of(i) for i in range(count))

    def feed(self, index: int) -> Mapping[str, Array]:
        """Input set *index*."""
        return self._given[index] if self._given is not None else make_feed(self._specs, index, self._seed)


def _inputs(
    before: Model,
    after: Model,
    pairing: Pairing,
    dims: Mapping[str, int] | None,
    feeds: Sequence[Mapping[str, Array]] | None,
    samples: int,
    seed: int,
) -> _Inputs | Message:
    if feeds is not None:
        for feed in feeds:
            missing = [name for name in before.main.inputs if name not in feed]
            if missing:
                return say("verify.feed_missing", tensor=missing[0])
        return _Inputs((), feeds, samples, seed) if feeds else say("verify.feed_none")
    dims = {**_sizes_of(after, before), **(dims or {})}
    specs = input_specs(before, dims)
    if isinstance(specs, Message):
        return specs
    other = input_specs(after, dims)
    if isinstance(other, Message):
        return other
    bounds = {spec.name: spec for spec in other}
    merged = tuple(_narrower(spec, bounds.get(pairing.inputs.get(spec.name, spec.name))) for spec in specs)
    return _Inputs(merged, None, samples, seed)


def _sizes_of(frozen: Model, model: Model) -> dict[str, int]:
    """Sizes that *frozen* fixes where the input of the same name is dynamic in *model*: no others can be fed."""
    found: dict[str, int] = {}
    for dim, places in dynamic_dims(model).items():
        for place in places:
            name, _, axis = place.rpartition("[")
            shape = frozen.value(MAIN, name).shape if name in frozen.main.inputs else None
            size = shape[int(axis[:-1])].size if shape is not None and int(axis[:-1]) < len(shape) else None
            if size is not None and dim not in model.dims:
                found.setdefault(dim, size)
    return found


def _narrower(spec: InputSpec, other: InputSpec | None) -> InputSpec:
    """*spec* with the smaller of the two upper bounds: an index must be legal on both sides."""
    if other is None or other.high is None or (spec.high is not None and spec.high <= other.high):
        return spec
    return InputSpec(spec.name, spec.shape, spec.dtype, other.low, other.high)


def _model_plan(
    before: Model,
    after: Model,
    pairing: Pairing,
    inputs: _Inputs,
    folder: Path,
    tolerance: Tolerance,
    seed: int,
    intermediates: bool,
    changes_proven: bool,
) -> Plan:
    found = difference(before, after)
    inner = _inner_pairs(before, after, found, intermediates, {a for a, _ in pairing.outputs})
    reached, live = set(found.reached), varying(before)
    outputs = tuple(
        Pair(a, b, True, _bytes(before, a), a != b or a in reached, near=a != b or a in found.near, varies=a in live)
        for a, b in pairing.outputs
    )
    watch = probes(before, found.changed_before), probes(after, found.changed_after)
    if changes_proven:
        watch = (), ()
        outputs = tuple(replace(pair, near=False, proven=True) for pair in outputs)
        inner = tuple(replace(pair, near=False, counts=False, proven=True) for pair in inner)
    extra = [[p.before for p in inner], [p.after for p in inner]]
    paths = [
        write_runtime(model, folder, extra_outputs=_exposed(model, [*names, *(p.source for p in found_probes)]))
        for model, names, found_probes in zip((before, after), extra, watch, strict=True)
    ]
    return Plan(
        stage=StageName.MODEL,
        before=paths[0],
        after=paths[1],
        pairs=(*outputs, *inner),
        feed=inputs.feed,
        kinds=inputs.kinds,
        tolerance=tolerance,
        seed=seed,
        renamed=pairing.inputs,
        probes_before=_computed(before, watch[0]),
        probes_after=_computed(after, watch[1]),
        notes=pairing.notes,
    )


def _inner_pairs(
    before: Model, after: Model, found: Difference, intermediates: bool, outputs: set[str]
) -> tuple[Pair, ...]:
    aligned = aligned_tensors(before, after)
    wanted, live = aligned if intermediates else found.near, varying(before)
    return tuple(
        Pair(name, name, False, _bytes(before, name), name in found.near, near=name in found.near, varies=name in live)
        for name in found.reached
        if name in wanted and name in aligned and name not in outputs and not after.is_output(MAIN, name)
    )


def _exposed(model: Model, names: Sequence[str]) -> tuple[str, ...]:
    """Those of *names* that a node of the main graph computes, without repeats."""
    return tuple(n for n in dict.fromkeys(names) if model.producer(MAIN, n) is not None)


def _computed(model: Model, found: Sequence[Probe]) -> tuple[Probe, ...]:
    return tuple(p for p in found if model.producer(MAIN, p.source) is not None or p.source in model.main.inputs)


def _bytes(model: Model, name: str) -> int | None:
    value = model.value(MAIN, name)
    sizes = static(value.shape)
    if sizes is None or value.dtype is None or value.dtype.bits is None:
        return None
    total = value.dtype.bits
    for size in sizes:
        total *= size
    return total // 8
