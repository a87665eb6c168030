"""`NodeFacts`: what a clause may ask of one node, gathered once, with every gap left as a gap.

Attribute defaults come from ONNX's own operator definitions; parameters that moved from attributes to inputs over the
opsets (`axes`, `pads`, `split`, `scales`, ...) are found under one name whichever way the model gives them. Weights are
never read: of an operand only its dtype, its dims and whether it is constant count, except for small parameter inputs.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from math import prod
from types import MappingProxyType
from typing import Any, Final

from inspector.errors import TensorDataError
from inspector.model.dtype import DType
from inspector.model.graph import MAIN, Model, Node, OpKey
from inspector.model.shape import Shape
from inspector.placement.flattened import FlatMap, flattened_map
from inspector.placement.operators import UNKNOWN, OperatorForm, Unknown, operator_form, well_typed
from inspector.placement.pads import same_pads
from inspector.placement.target import Flow, Qtype

PARAMETER_LIMIT = 1024
"""Parameter inputs of more elements than this are not read; the largest real one holds two numbers per axis."""

CONTEXT_FLAGS: Final = (
    "followed_by_shortcut_Add",  # an Add of two computed tensors reads the result
    "last_op_of_quantised_subgraph",  # the result leaves the BPU
    "consumer_on_bpu",  # every reader of the result is on the BPU
    "output_is_graph_output",  # the result is an output of the model
    "exported_from_pytorch",  # the model says that PyTorch wrote it
    "between_transposes",  # a Transpose computes the first input, and nothing but Transposes reads the result
)
"""Flags about the graph around a node that a clause may ask for."""

_REDUCTIONS = ("L1", "L2", "LogSum", "LogSumExp", "Max", "Mean", "Min", "Prod", "Sum", "SumSquare")
_PARAMETERS: Final[Mapping[str, tuple[str, ...]]] = {
    "Pad": ("pads", "constant_value", "axes"),
    "Split": ("split",),
    "Upsample": ("scales",),
    "Resize": ("roi", "scales", "sizes"),
    **{f"Reduce{kind}": ("axes",) for kind in _REDUCTIONS},
}
"""Operator -> names of its parameter inputs from the second input on (`Resize` of opset 10 has only `scales`)."""

PARAMETRIC: Final = frozenset(_PARAMETERS)
"""Operators that may have parameter inputs."""

VALUES_LIMIT = 1 << 16
"""Constants of more elements than this are not searched for zeros; a scale per channel has a few thousand at most."""

VALUED: Final = frozenset({"Mul", "Div"})
"""Operators whose constants are searched for zeros, because a clause limits their values."""

_ALIASES: Final[Mapping[str, int]] = {"input": 0, "X": 0, "A": 0, "data": 0, "x": 0, "B": 1, "W": 1}


@dataclass(frozen=True, slots=True)
class Operand:
    """An input or output of a node.

    Attributes:
        name: formal name in ONNX's definition of the operator (`X`, `W`, `indices`).
        present: whether the node gives it.
        dtype: element type; None when unknown.
        shape: axis lengths; None when the rank is unknown.
        constant: whether it is known before run time; None when that is not known.
        data: whether its dtype is one that the operator works in (not an index, a count or a condition).
        zeros: whether a constant holds the value 0; None for what is computed, too large or not asked about.
    """

    name: str
    present: bool = True
    dtype: DType | None = None
    shape: Shape | None = None
    constant: bool | None = False
    data: bool = True
    zeros: bool | None = None

    @property
    def rank(self) -> int | None:
        """Number of axes; None when unknown."""
        return None if self.shape is None else len(self.shape)

    @property
    def sizes(self) -> tuple[int | None, ...] | None:
        """Axis lengths with None for unknown ones; None when the rank is unknown."""
        return None if self.shape is None else tuple(dim.size for dim in self.shape)


@dataclass(frozen=True, slots=True)
class NodeFacts:
    """What is known of one node.

    Attributes:
        op: operator.
        inputs: operands in order, left-out ones included (`present` False).
        outputs: likewise.
        attributes: name -> value, defaults filled in and parameter inputs under their attribute name; a value that is
            given but not known is `UNKNOWN`.
        explicit: names that the file itself sets.
        qtype: number format that the node is asked to compute in.
        flow: quantisation flow.
        context: flag of `CONTEXT_FLAGS` -> whether it holds; None or missing when not known.
        flat: map that a reshaping in front of a Gemm makes a vector of, which its limits on C, H and W are about; None
            where the first input itself is meant.
    """

    op: OpKey
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    attributes: Mapping[str, Any]
    explicit: frozenset[str] = frozenset()
    qtype: Qtype = Qtype.INT8
    flow: Flow = Flow.PTQ
    context: Mapping[str, bool | None] = field(default_factory=lambda: MappingProxyType({}))
    flat: FlatMap | None = None

    def operands(self, of: str) -> tuple[Operand, ...]:
        """Operands that *of* names, present ones only.

        `input`, `output`: the first of each. `inputs`, `outputs`, `all`: every one that carries data. Anything else is
        a formal name (letter case aside) or a comma-separated list of these.
        """
        found: dict[int, Operand] = {}
        for part in of.split(","):
            for operand in self._named(part.strip()):
                if operand.present:
                    found[id(operand)] = operand
        return tuple(found.values())

    def _named(self, name: str) -> Iterable[Operand]:
        if name == "output":
            return self.outputs[:1]
        if name in ("inputs", "outputs", "all"):
            chosen = {"inputs": self.inputs, "outputs": self.outputs, "all": self.inputs + self.outputs}[name]
            return [operand for operand in chosen if operand.data]
        every = self.inputs + self.outputs
        exact = [operand for operand in every if operand.name == name]
        if exact:
            return exact
        index = _ALIASES.get(name)
        if index is not None:
            return self.inputs[index : index + 1]
        return [operand for operand in every if operand.name.casefold() == name.casefold()]

    def attribute(self, name: str) -> Any:
        """Value of an attribute or parameter; None when it has none, `UNKNOWN` when it cannot be told."""
        return self.attributes.get(name)

    @property
    def first(self) -> Operand:
        """The first input, or the first output of an operator without inputs."""
        return next((o for o in (*self.inputs, *self.outputs) if o.present), Operand("", present=False))


def parameter_names(op: OpKey) -> tuple[str, ...]:
    """Names of the small inputs of *op* whose values clauses read, second input first."""
    if op.name == "Resize" and op.version is not None and op.version < 11:
        return ("scales",)
    return _PARAMETERS.get(op.name, ())


def parameter(model: Model, node: Node, position: int) -> tuple[Any, ...] | Unknown | None:
    """Values of the input at *position*, flattened; None when left out or empty, `UNKNOWN` when it is computed."""
    name = node.inputs[position] if position < len(node.inputs) else ""
    if not name:
        return None
    tensor = model.constant_tensor(node.graph, name)
    if tensor is not None:
        count = 1
        for size in tensor.dims:
            count *= size
        if count == 0:
            return None
        if count > PARAMETER_LIMIT:
            return UNKNOWN
    try:
        array = model.constant(node.graph, name)
    except TensorDataError:
        return UNKNOWN
    if array is None or array.size > PARAMETER_LIMIT:
        return UNKNOWN
    return tuple(array.ravel().tolist())


def zeros(model: Model, node: Node, constants: AbstractSet[str] | None = None) -> tuple[bool | None, ...]:
    """Per input, whether it is a constant that holds the value 0; None where that is not known or not asked about.

    Empty for operators whose values no clause limits. NaN is not 0. *constants* are all values of the node's graph that
    are known before run time; others are not looked up.
    """
    if node.op.name not in VALUED or node.op.domain:
        return ()
    asked = node.inputs if constants is None else [name if name in constants else "" for name in node.inputs]
    return tuple([_holds_zero(model, node.graph, name) if name else None for name in asked])


def _holds_zero(model: Model, graph: int, name: str) -> bool | None:
    tensor = model.constant_tensor(graph, name)
    if tensor is not None and prod(tensor.dims) > VALUES_LIMIT:
        return None
    try:
        array = model.constant(graph, name)
    except TensorDataError:
        return None
    if array is None or array.size > VALUES_LIMIT or array.dtype.kind not in "biuf":
        return None
    return bool((array == 0).any())


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a node.

    Attributes:
        shortcut: an Add of two computed tensors reads a result of it.
        final: a result of it is an output of the model.
        turned: a Transpose computes its first input, and nothing but Transposes reads its first result.
    """

    shortcut: bool = False
    final: bool = False
    turned: bool = False


def surroundings(model: Model, node: Node, constants: AbstractSet[str] | None = None) -> Surroundings:
    """What stands around *node*; *constants* as for `node_facts`."""
    shortcut = final = False
    for name in node.outputs:
        if not name:
            continue
        for consumer in model.consumers(node.graph, name):
            if consumer.op.name == "Add" and not shortcut:
                shortcut = not any(_is_constant(model, node.graph, other, constants) for other in consumer.inputs)
        final = final or (node.graph == MAIN and model.is_output(MAIN, name))
    return Surroundings(shortcut, final, between_transposes(model, node))


def between_transposes(model: Model, node: Node) -> bool:
    """Whether a Transpose computes the first input of *node* and nothing but Transposes reads its first result."""
    before = model.producer(node.graph, node.inputs[0]) if node.inputs and node.inputs[0] else None
    result = node.outputs[0] if node.outputs else ""
    if before is None or not _is_transpose(before) or not result or model.is_output(node.graph, result):
        return False
    readers = model.consumers(node.graph, result)
    return bool(readers) and all(map(_is_transpose, readers))


def _is_transpose(node: Node) -> bool:
    return node.op.name == "Transpose" and not node.op.domain


def context_flags(
    model: Model, node: Node, constants: AbstractSet[str] | None = None, around: Surroundings | None = None
) -> Mapping[str, bool]:
    """Flags of `CONTEXT_FLAGS` as far as the graph alone tells them; *around* are its `surroundings`, if known.

    Where the placement of neighbours matters the stricter answer is given: an operator counts as followed by BPU
    operators unless its result is an output of the model.
    """
    around = surroundings(model, node, constants) if around is None else around
    return MappingProxyType(
        {
            "followed_by_shortcut_Add": around.shortcut,
            "last_op_of_quantised_subgraph": around.final,
            "consumer_on_bpu": not around.final,
            "output_is_graph_output": around.final,
            "exported_from_pytorch": model.shell.producer_name.casefold() == "pytorch",
            "between_transposes": around.turned,
        }
    )


def node_facts(
    model: Model,
    node: Node,
    *,
    qtype: Qtype,
    flow: Flow,
    context: Mapping[str, bool | None],
    constants: AbstractSet[str] | None = None,
) -> NodeFacts:
    """Gather the facts of *node*; *qtype* is the number format it is asked to compute in.

    *constants* are all values of its graph that are known before run time; None asks the model, which does not know
    what is still to be computed from constants.
    """
    schema = operator_form(node.op)
    inputs = tuple(_operand(model, node, schema, index, constants) for index in range(len(node.inputs)))
    outputs = tuple(
        Operand(*_formal(schema.outputs, index, "output"), constant=False)
        if not name
        else _known(model, node.graph, name, _formal_name(schema.outputs, index, "output"), False)
        for index, name in enumerate(node.outputs)
    )
    attributes: dict[str, Any] = dict(schema.defaults)
    for name, value in node.attributes.items():
        if name in schema.kinds:  # one that ONNX does not define for this operator means nothing
            attributes[name] = value if well_typed(value, schema.kinds[name]) else UNKNOWN
    explicit = set(node.attributes)
    for offset, name in enumerate(parameter_names(node.op)):
        given = parameter(model, node, offset + 1)
        if given is not None:
            numbers = float if name in ("roi", "scales") else int
            attributes[name] = given if well_typed(given, (numbers, True)) else UNKNOWN
            explicit.add(name)
    found = zeros(model, node)
    if any(zero is not None for zero in found):
        inputs = tuple(replace(operand, zeros=zero) for operand, zero in zip(inputs, found, strict=True))
    flat = flattened_map(model, node)
    facts = NodeFacts(node.op, inputs, outputs, attributes, frozenset(explicit), qtype, flow, context, flat)
    _fill_windows(facts, attributes)
    return facts


def _formal_name(formals: tuple[tuple[str, bool], ...], index: int, generic: str) -> tuple[str, bool]:
    if index < len(formals):
        return formals[index]
    if formals:  # the last formal of a variadic operator repeats
        name, data = formals[-1]
        return f"{name}[{index}]", data
    return (f"{generic}[{index}]" if index else generic), True


def _formal(formals: tuple[tuple[str, bool], ...], index: int, generic: str) -> tuple[str, bool]:
    return _formal_name(formals, index, generic)[0], False


def _operand(model: Model, node: Node, schema: OperatorForm, index: int, constants: AbstractSet[str] | None) -> Operand:
    formal = _formal_name(schema.inputs, index, "input")
    name = node.inputs[index]
    if not name:
        return Operand(formal[0], present=False, data=formal[1])
    return _known(model, node.graph, name, formal, _is_constant(model, node.graph, name, constants))


def _is_constant(model: Model, graph: int, name: str, constants: AbstractSet[str] | None) -> bool:
    return model.is_constant(graph, name) if constants is None else name in constants


def _known(model: Model, graph: int, name: str, formal: tuple[str, bool], constant: bool) -> Operand:
    value = model.value(graph, name)
    shape, dtype = value.shape, value.dtype
    return Operand(formal[0], True, dtype, shape, constant, formal[1])


_WINDOWED = frozenset({"Conv", "ConvTranspose", "AveragePool", "MaxPool", "LpPool", "QLinearConv", "ConvInteger"})


def _fill_windows(facts: NodeFacts, attributes: dict[str, Any]) -> None:
    """Defaults that depend on the shape: kernel, strides, dilations, pads, output padding of windowed operators."""
    if facts.op.name == "Gemm":  # runs as a 1x1 convolution
        one, none = (1, 1), (0, 0, 0, 0)
        attributes.update(kernel_shape=one, strides=one, dilations=one, pads=none, group=1)
    if facts.op.name not in _WINDOWED:
        return
    if "kernel_shape" not in attributes:
        weight = facts.inputs[1] if len(facts.inputs) > 1 else Operand("W")
        sizes = weight.sizes
        attributes["kernel_shape"] = UNKNOWN if sizes is None or None in sizes[2:] else sizes[2:]
    kernel = attributes["kernel_shape"]
    if kernel is UNKNOWN or not kernel:
        attributes["kernel_shape"] = UNKNOWN
        for name in ("strides", "dilations", "pads", "output_padding"):
            attributes.setdefault(name, UNKNOWN)
        return
    spatial = len(kernel)
    attributes.setdefault("strides", (1,) * spatial)
    attributes.setdefault("dilations", (1,) * spatial)
    attributes.setdefault("output_padding", (0,) * spatial)
    if attributes.get("auto_pad", "NOTSET") == "NOTSET":
        attributes.setdefault("pads", (0,) * (2 * spatial))
    elif attributes["auto_pad"] == "VALID":
        attributes["pads"] = (0,) * (2 * spatial)
    else:
        attributes["pads"] = same_pads(facts.op.name, facts.first.sizes, attributes)
