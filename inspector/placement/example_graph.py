"""Examples of clauses about a whole model: small models just inside and just outside each limit."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from inspector.placement.example_model import Sample, Tensor
from inspector.placement.example_seeds import seeds
from inspector.placement.finding import within
from inspector.placement.table import Clause, Spec, Table
from inspector.placement.verdict import Kernel, Side

Samples = Mapping[str, tuple[Sample, ...]]
"""Case (`inside`, `outside`, `missing`, `elsewhere`) -> samples, the plainest first."""

_PLAIN: Final = Sample("Relu", (Tensor(),))


def graph_samples(clause: Clause, table: Table) -> Samples:
    """Models around the limit of *clause*, a graph clause of *table*."""
    name, parameters = next(iter(clause.require.items()))
    if name == "min_bpu_nodes":
        on_bpu = _on_bpu(table)
        unknown = tuple(replace(sample, inputs=(Tensor(shape=None),)) for sample in on_bpu)
        return {"inside": on_bpu, "outside": _off_bpu(table), "missing": unknown}
    samples = _MAKERS[name](parameters)
    return samples if clause.when is None else _guarded(clause.when, name, parameters, samples)


def _guarded(when: Spec, name: str, parameters: Mapping[str, Any], samples: Samples) -> Samples:
    """*samples*, and the figures that the guard names, sorted by what the clause says where it applies.

    A guard about another figure than the clause's own leaves the samples as they are.
    """
    if name not in when or name not in _FIGURES:
        return samples
    make, bounds = _FIGURES[name], when[name]
    inside, outside = _ends(parameters)
    figures = sorted({*inside, *outside, *bounds.get("not_in", ()), *([bounds["eq"]] if "eq" in bounds else [])})
    found: dict[str, list[Sample]] = {"inside": [], "outside": [], "elsewhere": []}
    for figure in figures:
        case = "inside" if within(figure, parameters) else "outside"
        found[case if within(figure, bounds) else "elsewhere"].append(make(figure))
    return {**samples, **{case: tuple(some) for case, some in found.items()}}


def _on_bpu(table: Table) -> tuple[Sample, ...]:
    """A node that the BPU takes whatever its parameters, as far as its shape is known."""
    for rules in table.ops.values():
        own = [clause for clause in rules.clauses if clause.side is Side.BPU and not clause.id.startswith("general.")]
        sample = next(seeds(rules.op))
        if rules.bpu and not own and not rules.fold and rules.default_device is None and len(sample.inputs) == 1:
            return (sample,)
    return ()


def _off_bpu(table: Table) -> tuple[Sample, ...]:
    for rules in table.ops.values():
        if not rules.bpu and rules.kernel is Kernel.EXISTS and not rules.fold and not rules.clauses:
            return tuple(seeds(rules.op))[:1]
    return ()


def _ends(parameters: Mapping[str, Any]) -> tuple[list[int], list[int]]:
    """Figures just inside and just outside a limit."""
    if "range" in parameters:
        low, high = parameters["range"]
        return [low, high], [low - 1, high + 1]
    if "eq" in parameters:
        return [parameters["eq"]], [parameters["eq"] - 1, parameters["eq"] + 1]
    return [parameters["max"]], [parameters["max"] + 1]


def _over(make: Callable[[int], Sample], missing: tuple[Sample, ...] = ()) -> Callable[[Mapping[str, Any]], Samples]:
    def maker(parameters: Mapping[str, Any]) -> Samples:
        inside, outside = _ends(parameters)
        return {"inside": tuple(map(make, inside)), "outside": tuple(map(make, outside)), "missing": missing}

    return maker


def _of_rank(rank: int) -> Sample:
    return replace(_PLAIN, inputs=(Tensor(shape=(1, 4, 8, 8, 8, 8)[:rank]),))


def _of_batch(batch: int) -> Sample:
    return replace(_PLAIN, inputs=(Tensor(shape=(batch, 4, 8, 8)),))


def _with_inputs(count: int) -> Sample:
    return Sample("Sum", (Tensor(),) * count)


def _with_outputs(count: int) -> Sample:
    return Sample("Split", (Tensor(shape=(1, count, 8, 8)),), attributes={"axis": 1}, outputs=count)


def _of_bytes(count: int) -> Sample:
    return replace(_PLAIN, op="Identity", inputs=(Tensor("int8", (count,)),))


def _static(_parameters: Any) -> Samples:
    symbol = replace(_PLAIN, inputs=(Tensor(shape=("N", 4, 8, 8)),))
    empty = replace(_PLAIN, inputs=(Tensor(shape=(0, 4, 8, 8)),))
    return {"inside": (_PLAIN,), "outside": (symbol, empty), "missing": (_UNKNOWN_RANK,)}


def _domains(parameters: Any) -> Samples:
    own = [domain for domain in parameters if domain != "ai.onnx"]
    strange = Sample("Mine", (Tensor(),), domain="com.example", result=Tensor())
    return {"inside": (_PLAIN, *(replace(strange, domain=domain) for domain in own)), "outside": (strange,)}


_UNKNOWN_RANK: Final = replace(_PLAIN, inputs=(Tensor(shape=None),))
_UNKNOWN_BATCH: Final = replace(_PLAIN, inputs=(Tensor(shape=("N", 4, 8, 8)),))

_FIGURES: Final[Mapping[str, Callable[[int], Sample]]] = {
    "opset": lambda opset: replace(_PLAIN, opset=opset),
    "ir_version": lambda version: replace(_PLAIN, ir_version=version),
    "input_rank": _of_rank,
    "input_batch": _of_batch,
}
"""Graph predicate about a figure -> a model with that figure."""

_MAKERS: Final[Mapping[str, Callable[[Any], Samples]]] = {
    "opset": _over(_FIGURES["opset"], (replace(_PLAIN, opset=0),)),
    "ir_version": _over(_FIGURES["ir_version"], (replace(_PLAIN, ir_version=0),)),
    "static_inputs": _static,
    "input_rank": _over(_of_rank, (_UNKNOWN_RANK,)),
    "input_batch": _over(_of_batch, (_UNKNOWN_BATCH,)),
    "n_model_inputs": _over(_with_inputs),
    "n_model_outputs": _over(_with_outputs),
    "tensor_bytes": _over(_of_bytes, (_UNKNOWN_BATCH,)),
    "domains": _domains,
}
"""Graph predicate -> models around its limit."""
