"""Fill in shapes and dtypes, in three steps, each value marked with its origin.

1. `onnx.shape_inference` with data propagation; 2. partial evaluation of integer shape chains and inference again;
3. when asked, the shapes seen in one run in the worker (`with_observed`). Sizes bound to dynamic dimensions are used
for the analysis only and are never written to a file.
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from types import MappingProxyType
from typing import Protocol

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

from inspector.errors import UsageError, WorkerError
from inspector.model.build import shared_shape, value_from_info
from inspector.model.dtype import to_onnx
from inspector.model.fold import fold_constants
from inspector.model.graph import MAIN, GraphKind, Model, ShapeOrigin, Value
from inspector.model.shape import Dim, static
from inspector.text import say

_Values = list[dict[str, Value]]
"""Per graph of a model, name -> value."""

LARGEST_DIM = 2**31 - 1
"""Largest size that a dimension can be bound to; products of larger ones leave the range of the runtimes."""

_MADE_UP = "unk__"

_FEWEST_ROUNDS = 5
_MOST_NODES = 150_000
"""Inference and folding alternate while something new is found, until so many nodes were inferred in all.

Below opset 14 onnx's inference does not look through a Reshape to a computed shape, so that every one in a row takes a
round: an exported transformer needs two for each layer.
"""


class ShapeRunner(Protocol):
    """Where onnx's own inference runs: in the worker for the window, in process for the command line."""

    def infer_shapes(self, model: bytes, *, data_prop: bool = True, strict: bool = False) -> bytes:
        """The serialised *model* with value_info filled in; *strict*: refused where types or shapes contradict.

        Raises:
            WorkerError: onnx refused the model or died; the text says why.
        """


def dynamic_dims(model: Model) -> Mapping[str, tuple[str, ...]]:
    """Dimensions of the model's inputs without a fixed size: name to bind -> where it stands (`images[0]`).

    The name is the symbol of the file, or `INPUT:AXIS` where the file gives none.
    """
    found: dict[str, list[str]] = {}
    for name in model.main.inputs:
        declared = next((i for i in model.shell.graph.input if i.name == name), None)
        if declared is None:
            continue
        for axis, dim in enumerate(value_from_info(declared, ShapeOrigin.DECLARED).shape or ()):
            if dim.size is None:
                found.setdefault(dim.symbol or f"{name}:{axis}", []).append(f"{name}[{axis}]")
    return {name: tuple(places) for name, places in found.items()}


def infer_shapes(model: Model, runner: ShapeRunner, dims: Mapping[str, int] | None = None) -> Model:
    """*model* with all shapes and dtypes that steps 1 and 2 can find; *dims* binds dynamic dimensions (name -> size).

    Failure of onnx's inference is not an error: what is unknown stays unknown, and a warning of the model says so.

    Raises:
        UsageError: *dims* names a dimension that the inputs do not have, or a size below 1 or above `LARGEST_DIM`.
    """
    bound = {**model.dims, **(dims or {})}
    _check_dims(model, dims or {})
    proto = model.to_proto()
    bind_dims(proto, bound)
    warnings = model.warnings
    values, constants = _declared(model, proto), dict[str, npt.NDArray[np.generic]]()
    origin = ShapeOrigin.INFERRED
    strict, contradiction = _strict(proto, runner)
    for _ in range(max(_FEWEST_ROUNDS, _MOST_NODES // max(len(model.nodes), 1))):
        inferred, failure = (strict, None) if strict is not None else _run(proto, runner)
        if failure is not None:
            warnings = (*warnings, say("model.inference_failed", reason=failure))
            break
        if contradiction is not None:
            warnings, contradiction = (*warnings, say("model.contradiction", reason=contradiction)), None
        strict = None
        values = _merge(model, values, _collect(model, inferred, values, origin), bool(bound))
        found = fold_constants(model, values[MAIN])
        if set(found) <= set(constants):
            break
        constants = found
        _substitute(proto, constants)
        origin = ShapeOrigin.FOLDED
    for name, array in constants.items():
        known = values[MAIN].get(name)
        if known is None or static(known.shape) is None:
            dims_of = tuple(Dim(size) for size in array.shape)
            values[MAIN][name] = Value(name, known.dtype if known else None, dims_of, ShapeOrigin.FOLDED)
    after = replace(
        model,
        values=tuple(MappingProxyType(v) for v in values),
        constants=(MappingProxyType(constants), *model.constants[1:]),
        dims=MappingProxyType(bound),
        warnings=warnings,
    )
    after.share_indices(model)
    return after


def with_observed(model: Model, observed: Iterable[Value]) -> Model:
    """*model* with dtypes and shapes of main-graph values seen in one run, for those that were not fully known."""
    main = dict(model.values[MAIN])
    for value in observed:
        known = main.get(value.name)
        if known is None or known.dtype is None or static(known.shape) is None:
            main[value.name] = replace(value, origin=ShapeOrigin.RUN)
    after = replace(model, values=(MappingProxyType(main), *model.values[1:]))
    after.share_indices(model)
    return after


def infer_fragment(
    nodes: Iterable[onnx.NodeProto],
    known: Mapping[str, Value],
    constants: Mapping[str, onnx.TensorProto],
    opsets: Mapping[str, int],
    runner: ShapeRunner,
) -> dict[str, Value]:
    """Dtypes and shapes of what a few *nodes* compute, from the *known* values and *constants* that they read.

    Used for the nodes that a rewrite adds: its cost follows their number, not the size of the model.
    """
    graph = onnx.GraphProto(name="fragment")
    graph.node.extend(nodes)
    made = {name for node in graph.node for name in node.output}
    for name in dict.fromkeys(i for node in graph.node for i in node.input if i and i not in made):
        if name in constants:
            graph.initializer.append(constants[name])
        elif name in known:
            graph.input.append(value_info(known[name]))
    proto = onnx.ModelProto(ir_version=8, graph=graph)
    proto.opset_import.extend(onnx.OperatorSetIdProto(domain=d, version=v) for d, v in opsets.items())
    inferred = onnx.ModelProto.FromString(runner.infer_shapes(proto.SerializeToString()))
    found = (value_from_info(info, ShapeOrigin.INFERRED) for info in inferred.graph.value_info)
    return {value.name: value for value in found if value.name in made}


def value_info(value: Value) -> onnx.ValueInfoProto:
    """*value* as a ValueInfoProto; what is unknown is left out."""
    info = onnx.ValueInfoProto(name=value.name)
    if value.dtype is not None:
        info.type.tensor_type.elem_type = to_onnx(value.dtype)
    if value.shape is not None:
        info.type.tensor_type.shape.SetInParent()
        for dim in value.shape:
            entry = info.type.tensor_type.shape.dim.add()
            if dim.size is not None:
                entry.dim_value = dim.size
            elif dim.symbol:
                entry.dim_param = dim.symbol
    return info


def _check_dims(model: Model, dims: Mapping[str, int]) -> None:
    allowed = dynamic_dims(model)
    for name, size in dims.items():
        if name not in allowed:
            names = ", ".join(allowed) or "-"
            raise UsageError(say("model.unknown_dim", dim=name), say("model.unknown_dim_help", names=names))
        if not 1 <= size <= LARGEST_DIM:
            raise UsageError(say("model.dim_size", dim=name, found=size, most=LARGEST_DIM))


def bind_dims(proto: onnx.ModelProto, bound: Mapping[str, int]) -> None:
    """Write *bound* sizes into every declaration of the main graph of *proto*; inference reaches the bodies."""
    if not bound:
        return
    graph = proto.graph
    for info in (*graph.input, *graph.output, *graph.value_info):
        for axis, dim in enumerate(info.type.tensor_type.shape.dim):
            size = bound.get(dim.dim_param) if dim.dim_param else None
            if size is None and not dim.HasField("dim_value"):
                size = bound.get(f"{info.name}:{axis}")
            if size is not None:
                dim.dim_value = size


def _strict(proto: onnx.ModelProto, runner: ShapeRunner) -> tuple[onnx.ModelProto | None, str | None]:
    """The model after an inference that passes over nothing, or None and what it stumbled over first.

    It costs what the lenient one costs, and only a file that contradicts itself needs both.
    """
    try:
        return onnx.ModelProto.FromString(runner.infer_shapes(proto.SerializeToString(), strict=True)), None
    except WorkerError as error:
        return None, _reason(error)


def _reason(error: WorkerError) -> str:
    """What onnx said, without the advice that goes with it when a run fails."""
    return str(error.message.args.get("reason", error))


def _run(proto: onnx.ModelProto, runner: ShapeRunner) -> tuple[onnx.ModelProto, str | None]:
    """The model after inference; when declared shapes contradict the operators, inference without them."""
    try:
        return onnx.ModelProto.FromString(runner.infer_shapes(proto.SerializeToString())), None
    except WorkerError as first:
        bare = onnx.ModelProto()
        bare.CopyFrom(proto)
        del bare.graph.value_info[:]
        for info in bare.graph.output:
            info.type.tensor_type.ClearField("shape")
        try:
            return onnx.ModelProto.FromString(runner.infer_shapes(bare.SerializeToString())), None
        except WorkerError:
            return proto, _reason(first)


def _declared(model: Model, proto: onnx.ModelProto) -> _Values:
    """Per graph what the file declares, with bound sizes in place."""
    values = [dict(v) for v in model.values]
    for value in _infos(proto.graph, ShapeOrigin.DECLARED, frozenset()):
        before = values[MAIN].get(value.name)
        if before is None or before.shape == value.shape or before.shape is None or value.shape is None:
            values[MAIN][value.name] = value
            continue
        pairs = zip(before.shape, value.shape, strict=True)
        shape = tuple(Dim(now.size, old.symbol or now.symbol) for old, now in pairs)
        values[MAIN][value.name] = replace(value, shape=shape, origin=ShapeOrigin.BOUND)
    return values


def _collect(model: Model, proto: onnx.ModelProto, known: _Values, origin: ShapeOrigin) -> _Values:
    """Per graph of *model*, what *proto* (the model after inference) says of values that are not settled in *known*."""
    found: list[dict[str, Value]] = [{} for _ in model.graphs]
    _collect_graph(model, proto.graph, MAIN, (known, found), origin)
    return found


def _collect_graph(
    model: Model, graph: onnx.GraphProto, index: int, tables: tuple[_Values, _Values], origin: ShapeOrigin
) -> None:
    known, found = tables
    settled = {name for name, value in known[index].items() if value.dtype is not None and _is_static(value)}
    found[index].update((v.name, v) for v in _infos(graph, origin, settled))
    owners = {node.outputs: node for node in model.graphs[index].nodes if node.bodies}
    if not owners:
        return
    for proto in graph.node:
        owner = owners.get(tuple(proto.output))
        if owner is None:
            continue
        bodies = [g for a in proto.attribute for g in ((a.g,) if a.type == a.GRAPH else tuple(a.graphs))]
        for body, held in zip(owner.bodies, bodies, strict=False):
            _collect_graph(model, held, body, tables, origin)


def _infos(graph: onnx.GraphProto, origin: ShapeOrigin, settled: AbstractSet[str]) -> Iterator[Value]:
    for info in (*graph.value_info, *graph.input, *graph.output):
        if info.name not in settled:
            value = value_from_info(info, origin)
            yield value if origin is ShapeOrigin.DECLARED else _without_made_up_symbols(value)


def _without_made_up_symbols(value: Value) -> Value:
    """*value* without the names that onnx's inference invents for sizes it cannot know (`unk__7`)."""
    if value.shape is None or not any(d.symbol and d.symbol.startswith(_MADE_UP) for d in value.shape):
        return value
    axes = [d.symbol if d.size is None else d.size for d in value.shape]
    known = tuple([None if isinstance(axis, str) and axis.startswith(_MADE_UP) else axis for axis in axes])
    return replace(value, shape=shared_shape(known))


def _is_static(value: Value) -> bool:
    return value.shape is not None and all(dim.size is not None for dim in value.shape)


def _merge(model: Model, known: _Values, found: _Values, bound: bool) -> _Values:
    """*known* completed by *found*: a value keeps what it knew unless the new shape knows more of it."""
    merged = [dict(values) for values in known]
    for graph in model.graphs:
        if graph.kind is GraphKind.FUNCTION:
            continue
        table = merged[graph.index]
        for name, value in found[graph.index].items():
            old = table.get(name)
            if old is None or old.origin is None:
                table[name] = _marked(value, bound)
            elif _knows_more(value, old):
                table[name] = replace(_marked(value, bound), dtype=value.dtype or old.dtype)
            elif old.dtype is None and value.dtype is not None:
                table[name] = replace(old, dtype=value.dtype)
    return merged


def _marked(value: Value, bound: bool) -> Value:
    return replace(value, origin=ShapeOrigin.BOUND) if bound and value.origin is ShapeOrigin.INFERRED else value


def _knows_more(new: Value, old: Value) -> bool:
    if new.shape is None:
        return False
    if old.shape is None:
        return True
    if len(new.shape) != len(old.shape):
        return static(old.shape) is None
    return sum(d.size is not None for d in new.shape) > sum(d.size is not None for d in old.shape)


def _substitute(proto: onnx.ModelProto, constants: Mapping[str, npt.NDArray[np.generic]]) -> None:
    """Make *constants* initializers of the main graph and drop the nodes that computed nothing else."""
    graph = proto.graph
    kept = [node for node in graph.node if not all(not o or o in constants for o in node.output)]
    dropped = {o for node in graph.node for o in node.output} - {o for node in kept for o in node.output}
    del graph.node[:]
    graph.node.extend(kept)
    present = {tensor.name for tensor in graph.initializer}
    graph.initializer.extend(
        numpy_helper.from_array(np.ascontiguousarray(constants[name]), name)
        for name in constants
        if name in dropped and name not in present
    )
