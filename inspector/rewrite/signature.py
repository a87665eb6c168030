"""Whether the inputs of a node are those that its operator takes, by the operator schemas of onnx."""

from dataclasses import dataclass
from functools import cache

from onnx import TensorProto, defs

from inspector.model.dtype import DType, from_onnx
from inspector.model.graph import Model, Node


@cache
def _types() -> dict[str, DType]:
    """Type strings of schemas, `tensor(float)`, and the element types they stand for."""
    known = {f"tensor({name.lower()})": from_onnx(code) for name, code in TensorProto.DataType.items()}
    return {name: dtype for name, dtype in known.items() if dtype is not None}


@dataclass(frozen=True, slots=True)
class _Input:
    """One input of an operator: its name, type variable and element types, and whether it is required or repeats."""

    name: str
    variable: str
    types: frozenset[DType]
    required: bool
    repeats: bool


@cache
def _inputs(op: str, opset: int) -> tuple[_Input, ...] | None:
    """Inputs of the operator *op*; None where *opset* does not have it."""
    if not defs.has(op, opset, ""):
        return None
    options = defs.OpSchema.FormalParameterOption
    return tuple(
        _Input(
            parameter.name,
            parameter.type_str,
            frozenset(_types()[name] for name in parameter.types if name in _types()),
            parameter.option == options.Single,
            parameter.option == options.Variadic,
        )
        for parameter in defs.get_schema(op, opset, "").inputs
    )


def misfit(model: Model, node: Node) -> str:
    """What does not fit the operator of *node*, `axes: float32`; empty when all fits, or it is not one of onnx.

    Rules need not understand nodes that no toolchain takes: an operator that the opset does not have, an input too many
    or too few, a constant of another type than the operator takes.
    """
    if not node.op.version or node.op.domain:
        return ""
    wanted = _inputs(node.op.name, node.op.version)
    if wanted is None:
        return f"{node.op.name}: opset {node.op.version}"
    if len(node.inputs) > len(wanted) and not (wanted and wanted[-1].repeats):
        return f"{node.op.name}: {len(node.inputs)} > {len(wanted)}"
    given = dict(enumerate(node.inputs))
    for index, place in enumerate(wanted):
        if place.required and not given.get(index):
            return f"{node.op.name}: {place.name} = –"
    return _other_type(model, node, wanted)


def _other_type(model: Model, node: Node, wanted: tuple[_Input, ...]) -> str:
    """The first constant whose type is not taken, or differs from that of another input with the same type variable.

    Of computed inputs the rules tell themselves which types they take.
    """
    seen: dict[str, DType] = {}
    for index, name in enumerate(node.inputs):
        place = wanted[min(index, len(wanted) - 1)]
        dtype = model.value(node.graph, name).dtype if name else None
        if dtype is None:
            continue
        same = dtype if place.repeats else seen.setdefault(place.variable, dtype)
        wrong = dtype is not same or (place.types and dtype not in place.types)
        if wrong and model.is_constant(node.graph, name):
            return f"{place.name}: {dtype}"
    return ""
