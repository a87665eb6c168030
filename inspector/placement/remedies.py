"""What would satisfy a failed check: the smallest change first, then ways to get there.

The ways come in the order in which an engineer tries them: an equivalent operator, several smaller ones in its place,
another expression of the same thing, and last a boundary of the model that leaves the node out. A way is a suggestion,
not a proof; `inspector.rewrite` has the rules that are carried out and compared.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Any, Final

from inspector.model.graph import Model, NodeId
from inspector.placement.catalog import Catalog
from inspector.placement.expression import parse
from inspector.placement.facts import NodeFacts, context_flags, node_facts
from inspector.placement.predicates import evaluate, failures
from inspector.placement.table import Clause, Fold, Spec, Table
from inspector.placement.target import Qtype, Target
from inspector.placement.verdict import Check, NodeVerdict, Outcome, Placement, Verdict
from inspector.text import Message, Text, say

Words = Message | Text | str
Remedies = Mapping[str, tuple[Message, ...]]
"""Clause id -> remedies, the smallest change first."""

EQUIVALENTS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "And": (("Mul",),),
    "Celu": (("Elu", "Mul"),),
    "Einsum": (("Transpose", "MatMul"), ("MatMul",)),
    "Gelu": (("Erf", "Mul", "Add"), ("Tanh", "Mul", "Add"), ("Sigmoid", "Mul")),
    "GlobalAveragePool": (("AveragePool",),),
    "GlobalMaxPool": (("MaxPool",),),
    "GreaterOrEqual": (("Less", "Not"),),
    "HardSigmoid": (("Mul", "Add", "Clip"),),
    "HardSwish": (("HardSigmoid", "Mul"), ("Add", "Clip", "Mul")),
    "InstanceNormalization": (("ReduceMean", "Sub", "Mul", "Sqrt", "Div"),),
    "LayerNormalization": (("ReduceMean", "Sub", "Mul", "Sqrt", "Div"),),
    "LessOrEqual": (("Greater", "Not"),),
    "LogSoftmax": (("Softmax", "Log"),),
    "LpNormalization": (("Mul", "ReduceSum", "Sqrt", "Div"),),
    "Mean": (("Add", "Mul"),),
    "MeanVarianceNormalization": (("ReduceMean", "Sub", "Mul", "Sqrt", "Div"),),
    "Mish": (("Softplus", "Tanh", "Mul"), ("Exp", "Log", "Tanh", "Mul")),
    "Neg": (("Mul",),),
    "Not": (("Sub",),),
    "Or": (("Max",),),
    "ReduceL1": (("Abs", "ReduceSum"),),
    "ReduceL2": (("Mul", "ReduceSum", "Sqrt"),),
    "ReduceLogSum": (("ReduceSum", "Log"),),
    "ReduceLogSumExp": (("Exp", "ReduceSum", "Log"),),
    "ReduceMin": (("Mul", "ReduceMax"),),
    "ReduceSum": (("ReduceMean", "Mul"),),
    "ReduceSumSquare": (("Mul", "ReduceSum"),),
    "Softsign": (("Abs", "Add", "Div"),),
    "Sub": (("Mul", "Add"),),
    "Tan": (("Sin", "Cos", "Div"),),
    "Where": (("Mul", "Add"),),
    "Xor": (("Sub", "Abs"),),
}
"""Operator -> operators that compute the same between them; offered where the table gives all of them to the BPU."""


def node_remedies(model: Model, verdict: NodeVerdict, table: Table, target: Target) -> Remedies:
    """Remedies for each failed check of a node, in the checks' order."""
    node = model.node(verdict.node)
    rules = table.rules("" if node.op.domain == "ai.onnx" else node.op.domain, node.op.name)
    clauses = {} if rules is None else {clause.id: clause for clause in rules.clauses}
    qtype = target.qtypes.get(node.id) or target.qtype or Qtype.INT8
    facts = node_facts(model, node, qtype=qtype, flow=target.flow, context=context_flags(model, node))
    return {check.clause: remedies(check, clauses.get(check.clause), facts, table) for check in verdict.failed}


def remedies(check: Check, clause: Clause | None, facts: NodeFacts, table: Table) -> tuple[Message, ...]:
    """What would satisfy a failed *check*, the smallest change first; *clause* is None where no clause is behind it."""
    found: list[Message] = []
    if clause is None:
        found += _equivalents(facts, table)
        found += _fused(facts, table)
    else:
        spec = _failing(clause.require, facts)
        parts = _parts(check, spec, facts)
        found += [_smallest(part, spec, facts) for part in parts]
        if "const" in spec:
            found += _of_constants(facts, table)
        for part in parts:
            found += [way for way in _ways(part, spec, facts) if way not in found]
    found.append(_boundary(facts))
    return tuple(found)


def graph_remedy(check: Check, clause: Clause) -> tuple[Message, ...]:
    """What would satisfy a failed check of the whole model."""
    name = next(iter(clause.require))
    return (say(f"remedy.model.{name}", allowed=check.allowed, found=check.found),)


def graph_remedies(checks: tuple[Check, ...], table: Table) -> Remedies:
    """Remedies for the failed ones among *checks*, clauses about the whole model."""
    clauses = {clause.id: clause for clause in table.graph}
    failed = [c for c in checks if c.outcome is Outcome.FAIL and c.contradicted is None and c.clause in clauses]
    return {check.clause: graph_remedy(check, clauses[check.clause]) for check in failed}


def _failing(spec: Spec, facts: NodeFacts) -> Spec:
    """The part of *spec* that fails: of several that must hold the first, of alternatives the nearest."""
    name, parts = next(iter(spec.items()))
    if name not in ("all", "any"):
        return spec
    failed = [part for part in parts if _outcome(part, facts) is Outcome.FAIL]
    return _failing(failed[0], facts) if failed else spec


def _parts(check: Check, spec: Spec, facts: NodeFacts) -> Sequence[Check]:
    """*check* once for all that fails of it: every axis, element or limit that must change, not the first alone."""
    found = failures(spec, facts)
    if len(found) < 2 and next(iter(spec)) != "expr":
        return (check,)
    if len(found) == 1 and found[0].subject == found[0].allowed:
        return (check,)
    parts = [replace(check, subject=one.subject, found=one.found, allowed=one.allowed) for one in found]
    return parts or (check,)


def _outcome(spec: Spec, facts: NodeFacts) -> Outcome | None:
    finding = evaluate(spec, facts)
    return None if finding is None else finding.outcome


def _smallest(check: Check, spec: Spec, facts: NodeFacts) -> Message:
    """The nearest value that is taken: `kernel_shape[0] ≤ 2`, and into how many parts a size must be split."""
    if check.subject == check.allowed and check.note is not None:  # a condition that is not a limit on one figure
        return say("remedy.meet", condition=check.note, found=check.found)
    limit, pieces = _limit(check, spec), _pieces(check, spec, facts)
    if pieces is not None:
        return say("remedy.split", subject=check.subject, found=check.found, allowed=limit, n=pieces)
    return say("remedy.change", subject=check.subject, found=check.found, allowed=limit)


def _limit(check: Check, spec: Spec) -> Words:
    parameters, value = _bounds(spec), _figure(check.found)
    if parameters is None or value is None:
        return check.allowed
    if "range" in parameters:
        low, high = parameters["range"]
        return f"≤ {high}" if value > high else f"≥ {low}"
    choices = parameters.get("in")
    if choices and all(isinstance(choice, int) for choice in choices):
        return f"= {min(choices, key=lambda choice: abs(choice - value))}"
    return f"= {parameters['eq']}" if isinstance(parameters.get("eq"), int) else check.allowed


def _bounds(spec: Spec) -> Mapping[str, Any] | None:
    parameters = next(iter(spec.values()))
    return parameters if isinstance(parameters, Mapping) else None


def _figure(found: Words) -> float | None:
    """The figure that was found; None where it is not one."""
    if isinstance(found, Message):
        number = found.args.get("n")
        return float(number) if isinstance(number, int | float) else None
    try:
        return float(str(found))
    except ValueError:
        return None


def _ceiling(check: Check, spec: Spec) -> float | None:
    """The largest value that is taken; None where there is none."""
    name, parameters = next(iter(spec.items()))
    if name == "expr":
        allowed = str(check.allowed)
        sign, _, figure = allowed.rpartition(" ")
        if sign.endswith(("≤", "<")) and figure.isdigit():
            return int(figure) - sign.endswith("<")
        low, dots, high = allowed.partition("..")
        return int(high) if dots and low.isdigit() and high.isdigit() else None
    if not isinstance(parameters, Mapping):
        return None
    ceiling = parameters.get("max", parameters["range"][1] if "range" in parameters else None)
    return ceiling if isinstance(ceiling, int | float) else None


_SPLIT: Final = frozenset({"dim", "expr", "elements", "bytes"})
"""Predicates whose limit on a size can be met by cutting the tensor into parts."""


def _pieces(check: Check, spec: Spec, facts: NodeFacts) -> int | None:
    """Into how many parts a size must be cut; None where cutting does not help."""
    name = next(iter(spec))
    value, ceiling = _figure(check.found), _ceiling(check, spec)
    if name not in _SPLIT or value is None or not ceiling or value <= ceiling or _whole_axis(check, facts):
        return None
    if name == "expr" and not _names(check) & _SIZES:
        return None
    return ceil(value / ceiling)


_SIZES: Final = frozenset({"C", "H", "W", "D", "cin", "cout", "cin_per_group", "cout_per_group"})
_KERNEL: Final = frozenset({"kh", "kw", "kd"})
_WHOLE: Final = frozenset({"ArgMax", "ArgMin", "Hardmax", "LogSoftmax", "Softmax", "TopK"})
"""Operators that need all of their axis at once, so that parts of it do not add up to the answer."""


def _names(check: Check) -> frozenset[str]:
    """Variables of the limited part of a condition."""
    return frozenset(parse(check.subject).names) if isinstance(check.subject, str) else frozenset()


def _whole_axis(check: Check, facts: NodeFacts) -> bool:
    """Whether the axis that is too long is the one along which the operator chooses or normalises."""
    axis = facts.attribute("axis")
    if facts.op.name not in _WHOLE or not isinstance(check.subject, Message) or not isinstance(axis, int):
        return False
    rank = facts.first.rank
    return rank is not None and check.subject.args.get("axis") == axis % rank


def _ways(check: Check, spec: Spec, facts: NodeFacts) -> Iterator[Message]:
    name, parameters = next(iter(spec.items()))
    way = _WAYS.get(name)
    if way is not None:
        yield from way(check, parameters, facts)


def _of_attribute(check: Check, parameters: Mapping[str, Any], facts: NodeFacts) -> Iterator[Message]:
    name, op = parameters["name"], str(facts.op)
    if name == "kernel_shape":
        yield say("remedy.decompose.window", op=op, allowed=_limit(check, {"attr": parameters}))
    elif name == "pads":
        yield say("remedy.decompose.pad", op=op)
    elif name in ("axes", "axis"):
        if name == "axes" and facts.op.name.startswith("Reduce"):
            yield say("remedy.decompose.axes", op=op)
        yield say("remedy.re-express.axis", op=op)
    elif name == "keepdims":
        yield say("remedy.re-express.keepdims")
    elif name == "blocksize":
        yield say("remedy.decompose.blocks", op=op)
    elif name == "auto_pad":
        yield say("remedy.re-express.auto-pad")
    elif name in ("strides", "dilations", "output_padding", "group"):
        yield say(f"remedy.decompose.{name.replace('_', '-')}", op=op)


def _of_rank(check: Check, _parameters: Any, facts: NodeFacts) -> Iterator[Message]:
    value = _figure(check.found)
    if value is not None and value > 4:
        yield say("remedy.decompose.rank", op=str(facts.op))
    yield say("remedy.re-express.rank", op=str(facts.op))


def _of_size(check: Check, _parameters: Any, facts: NodeFacts) -> Iterator[Message]:
    if _figure(check.found) and not _whole_axis(check, facts):
        yield say("remedy.decompose.size", op=str(facts.op))


def _of_expression(check: Check, _parameters: Any, facts: NodeFacts) -> Iterator[Message]:
    """What an expression measures decides: sizes of tensors can be cut, a window becomes several."""
    names = _names(check)
    if names & _SIZES:
        yield from _of_size(check, _parameters, facts)
    elif names and names <= _KERNEL and _figure(check.found) is not None:
        yield say("remedy.decompose.window", op=str(facts.op), allowed=check.allowed)


def _of_changed_axes(check: Check, _parameters: Any, facts: NodeFacts) -> Iterator[Message]:
    yield say("remedy.decompose.one-axis", op=str(facts.op), n=int(_figure(check.found) or 2))


def _of_dtype(check: Check, parameters: Mapping[str, Any], _facts: NodeFacts) -> Iterator[Message]:
    """A Cast; what is computed is cast back behind the operator, a parameter is not."""
    entry = "cast-parameter" if parameters["of"] in _PARAMETERS else "cast"
    yield say(f"remedy.re-express.{entry}", subject=check.subject, allowed=check.allowed, n=len(parameters["in"]))


_PARAMETERS: Final = frozenset({"axis", "constant_value", "indices", "pads"})
"""Operands that tell an operator what to do, and are not themselves computed with."""


def _fixed(key: str) -> Callable[[Check, Any, NodeFacts], Iterator[Message]]:
    def way(check: Check, _parameters: Any, facts: NodeFacts) -> Iterator[Message]:
        yield say(f"remedy.{key}", op=str(facts.op), subject=check.subject, allowed=check.allowed)

    return way


_WAYS: Final[Mapping[str, Callable[[Check, Any, NodeFacts], Iterator[Message]]]] = {
    "attr": _of_attribute,
    "rank": _of_rank,
    "dim": _of_size,
    "expr": _of_expression,
    "elements": _of_size,
    "bytes": _of_size,
    "changed_axes": _of_changed_axes,
    "attrs_allowed": _fixed("re-express.attributes"),
    "dtype": _of_dtype,
    "quant": _fixed("re-express.quant"),
    "const": _fixed("re-express.const"),
    "const_count": _fixed("re-express.fold"),
    "broadcast": _fixed("re-express.broadcast"),
    "broadcast_merge": _fixed("re-express.merge"),
    "shapes": _fixed("re-express.shapes"),
    "leading_dims": _fixed("re-express.broadcast"),
    "same": _fixed("re-express.same"),
    "resize_axes": _fixed("decompose.resize"),
    "pad_axes": _fixed("re-express.axis"),
    "pieces_divide": _fixed("decompose.slices"),
    "indices_within": _fixed("decompose.gather"),
    "integer_border": _fixed("decompose.crop"),
    "opset": _fixed("re-express.opset"),
    "domain": _fixed("equivalent.domain"),
    "n_inputs": _fixed("decompose.inputs"),
    "inputs_present": _fixed("re-express.operands"),
    "outputs_present": _fixed("re-express.operands"),
    "n_outputs": _fixed("re-express.operands"),
    "context": _fixed("re-express.place"),
}
"""Predicate -> ways to satisfy it."""


def _equivalents(facts: NodeFacts, table: Table) -> Iterator[Message]:
    for parts in EQUIVALENTS.get(facts.op.name, ()):
        rules = [table.rules("", part) for part in parts]
        if all(rule is not None and rule.bpu for rule in rules):
            yield say("remedy.equivalent.operators", op=str(facts.op), parts=", ".join(parts))


def _fused(facts: NodeFacts, table: Table) -> Iterator[Message]:
    """An operator that the BPU has only as a part of the Conv before it."""
    rules = table.rules("", facts.op.name)
    if rules is not None and rules.fold is Fold.INTO_CONV:
        yield say("remedy.re-express.fuse", op=str(facts.op))


def _of_constants(facts: NodeFacts, table: Table) -> Iterator[Message]:
    """Dividing by a constant is multiplying by its reciprocal."""
    multiply = table.rules("", "Mul")
    if facts.op.name == "Div" and multiply is not None and multiply.bpu:
        yield say("remedy.equivalent.operators", op="Div", parts="Mul")


def _boundary(facts: NodeFacts) -> Message:
    if facts.context.get("output_is_graph_output"):
        return say("remedy.boundary.tail", op=str(facts.op))
    return say("remedy.boundary.inside", op=str(facts.op))


_STAGES: Final = ("change", "split", "meet", "model", "equivalent", "decompose", "re-express", "boundary")


def in_order(found: Remedies) -> tuple[Message, ...]:
    """All remedies of a node in the order in which they are tried, each once."""
    distinct = {(m.key, tuple(sorted((k, repr(v)) for k, v in m.args.items()))): m for ms in found.values() for m in ms}
    return tuple(sorted(distinct.values(), key=lambda message: _STAGES.index(message.key.split(".")[1])))


@dataclass(frozen=True)
class AllRemedies:
    """Remedies for everything that stands in the way of a model.

    Attributes:
        nodes: node with failed checks -> its remedies.
        graph: remedies for failed checks of the whole model.
    """

    nodes: Mapping[NodeId, Remedies]
    graph: Remedies


def placement_remedies(model: Model, placement: Placement, catalog: Catalog) -> AllRemedies:
    """Remedies for each node off the BPU, and for the model; *catalog* is the one that it was placed with."""
    table, target = catalog.table(placement.target), placement.target
    nodes = {
        node: node_remedies(model, verdict, table, target)
        for node, verdict in placement.verdicts.items()
        if verdict.verdict in _OFF_BPU
    }
    return AllRemedies(nodes, graph_remedies(placement.graph_checks, table))


_OFF_BPU: Final = (Verdict.CPU, Verdict.UNSUPPORTED)
