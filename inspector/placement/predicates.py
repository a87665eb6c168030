"""The predicates of the constraint tables: pure, three-valued, and able to say what was looked at, found and allowed.

`evaluate` answers a `Finding`, or None where a predicate has nothing to look at in this node (an axis that the tensor
does not have). Losing a fact can turn any answer into UNKNOWN and an answer into None, but never a FAIL or an UNKNOWN
into a PASS.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from inspector.placement import predicates_operands as by_operands
from inspector.placement import predicates_shape as by_shape
from inspector.placement.expression import parse
from inspector.placement.facts import NodeFacts, Operand
from inspector.placement.finding import (
    Finding,
    Piece,
    Words,
    bounds,
    listed,
    names_of,
    outcome_of,
    presence,
    shown,
    within,
    worst,
)
from inspector.placement.operators import UNKNOWN
from inspector.placement.table import Spec
from inspector.placement.variables import spatial_index, variable
from inspector.placement.verdict import Outcome
from inspector.text import say

Predicate = Callable[[Any, NodeFacts], Finding | None]
"""Parameters as the table has them, facts -> answer."""


def evaluate(spec: Spec, facts: NodeFacts) -> Finding | None:
    """Hold one predicate (`{name: parameters}`) against *facts*."""
    name, parameters = next(iter(spec.items()))
    return PREDICATES[name](parameters, facts)


def guard(spec: Spec | None, facts: NodeFacts) -> bool | None:
    """Whether a clause guarded by *spec* applies; None when that cannot be told."""
    if spec is None:
        return True
    finding = evaluate(spec, facts)
    if finding is None:
        return False
    return {Outcome.PASS: True, Outcome.FAIL: False, Outcome.UNKNOWN: None}[finding.outcome]


def _rank(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    operands = _computed(facts.operands(parameters.get("of", "input")))
    allowed = bounds(parameters)
    pieces = [
        Piece(
            outcome_of(within(operand.rank, parameters)),
            say("constraints.subject_rank", operand=operand.name),
            shown(operand.rank),
        )
        for operand in operands
    ]
    return worst(pieces, allowed)


def _computed(operands: Sequence[Operand]) -> Sequence[Operand]:
    """Operands that are computed; a constant scalar or per-channel table does not count towards a rank limit."""
    return [operand for operand in operands if operand.constant is not True] or operands


def _dim(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    return worst(_axes(parameters, facts), bounds(parameters))


def _axes(parameters: Mapping[str, Any], facts: NodeFacts) -> list[Piece]:
    pieces: list[Piece] = []
    operands = facts.operands(parameters.get("of", "input"))
    if "rank" in parameters:
        operands = tuple(o for o in _computed(operands) if o.rank is None or o.rank == parameters["rank"])
    for operand in operands:
        flat = facts.flat if operand is facts.first and "rank" not in parameters else None
        sizes = operand.sizes if flat is None else flat.sizes
        if sizes is None:
            pieces.append(Piece(Outcome.UNKNOWN, say("constraints.subject_shape", operand=operand.name), "?"))
            continue
        axes = by_shape.axes_of(parameters["axis"], len(sizes), facts)
        if axes is None:
            pieces.append(Piece(Outcome.UNKNOWN, say("constraints.subject_shape", operand=operand.name), "?"))
            continue
        for index in axes:
            key = "subject_dim" if flat is None else "subject_dim_of_map"
            subject = say(f"constraints.{key}", operand=operand.name, axis=index)
            pieces.append(Piece(outcome_of(within(sizes[index], parameters)), subject, shown(sizes[index])))
    return pieces


def _dtype(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    pieces = []
    for operand in facts.operands(parameters.get("of", "all")):
        holds = None if operand.dtype is None else operand.dtype.value in parameters["in"]
        subject = say("constraints.subject_dtype", operand=operand.name)
        pieces.append(Piece(outcome_of(holds), subject, shown(operand.dtype)))
    return worst(pieces, listed(parameters["in"]))


def _quant(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    """Number formats on the BPU: a float tensor takes the node's format, any other must be of an allowed one itself.

    With `integers`, those dtypes are taken as they are, and of the rest nothing is known.
    """
    allowed, integers = tuple(parameters["in"]), parameters.get("integers")
    operands = facts.outputs[:1] if parameters["io"] == "out" else facts.inputs[:1]
    pieces = []
    for operand in operands:
        dtype = operand.dtype
        subject = say("constraints.subject_format", operand=operand.name)
        if dtype is None:
            holds, found = None, "?"
        elif dtype.is_float and dtype.value != "float64":
            holds, found = facts.qtype.value in allowed, facts.qtype.value
        else:
            taken = dtype.value.removeprefix("u") in allowed or dtype.value in (integers or ())
            holds, found = True if taken else (None if integers is not None else False), dtype.value
        pieces.append(Piece(outcome_of(holds), subject, found))
    return worst(pieces, listed(allowed))


def _attribute(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    name = parameters["name"]
    subject = say("constraints.subject_attribute", name=name)
    if "present" in parameters:
        return presence(parameters["present"], name in facts.explicit, subject)
    value = facts.attribute(name)
    if value is None:
        return None
    if value is UNKNOWN:
        return Finding(Outcome.UNKNOWN, subject, "?", _attribute_bounds(parameters))
    if "length" in parameters:
        return _length(parameters, value, subject, facts)
    if parameters.get("symmetric"):
        half = len(value) // 2
        allowed = say("constraints.allowed_symmetric")
        return Finding(outcome_of(value[:half] == value[half:]), subject, listed(value), allowed)
    if "normalise" in parameters:
        return _axis_attribute(parameters, facts, value, subject)
    if not isinstance(value, tuple):
        return Finding(outcome_of(within(value, parameters)), subject, shown(value), bounds(parameters))
    if "eq" in parameters and isinstance(parameters["eq"], Sequence):
        expected = tuple(parameters["eq"])
        return Finding(outcome_of(tuple(value) == expected), subject, listed(value), listed(expected))
    return worst(_elements_of(parameters, value, name), bounds(parameters))


def _elements_of(parameters: Mapping[str, Any], values: Sequence[Any], name: str) -> list[Piece]:
    indices: Sequence[int | None] = range(len(values))
    if "axes" in parameters:
        pads = name == "pads"
        count = len(values) // 2 if pads else len(values)
        chosen = [spatial_index(letter, count) for letter in parameters["axes"]]
        indices = [i for i in chosen if i is not None]
        if pads:
            indices = [*indices, *(i + count for i in indices if i is not None)]
    return [
        Piece(
            outcome_of(within(values[index], parameters)),
            say("constraints.subject_attribute_element", name=name, index=index, count=len(values)),
            shown(values[index]),
        )
        for index in indices
        if index is not None
    ]


def _axis_attribute(parameters: Mapping[str, Any], facts: NodeFacts, value: Any, subject: Words) -> Finding | None:
    """An axis, or several, counted from the first axis (`normalise: first`) or from the last one (`last`)."""
    rank = facts.first.rank
    values = value if isinstance(value, tuple) else (value,)
    expected = parameters.get("eq")
    if rank is None:
        settled = parameters["normalise"] == "last" and all(v < 0 for v in values)
        if not settled:
            return Finding(Outcome.UNKNOWN, subject, listed(values), _attribute_bounds(parameters))
        rank = 0
    elif not all(-rank <= v < rank for v in values):  # no such axis: the node is broken
        return Finding(Outcome.UNKNOWN, subject, listed(values), _attribute_bounds(parameters))
    if parameters["normalise"] == "last":
        counted = tuple(v - rank if v >= 0 else v for v in values)
    else:
        counted = tuple(v + rank if v < 0 else v for v in values)
    if isinstance(expected, Sequence):
        holds = sorted(counted) == sorted(expected)
        return Finding(outcome_of(holds), subject, listed(values), listed(expected))
    holds = all(within(v, parameters) for v in counted)
    return Finding(outcome_of(holds), subject, listed(values), bounds(parameters))


def _length(parameters: Mapping[str, Any], value: Any, subject: Words, facts: NodeFacts) -> Finding:
    expected: int | None = parameters["length"] if isinstance(parameters["length"], int) else None
    if parameters["length"] == "2 * spatial rank":
        rank = facts.first.rank
        expected = None if rank is None else 2 * (rank - 2)
    count = len(value) if isinstance(value, tuple) else 1
    allowed = _count(parameters["length"] if expected is None else expected)
    found = say("constraints.found_count", n=count, values=listed(value if isinstance(value, tuple) else (value,)))
    return Finding(outcome_of(None if expected is None else count == expected), subject, found, allowed)


def _count(length: int | str) -> Words:
    """So many values; a formula where the number depends on the rank."""
    return say("constraints.allowed_count", count=str(length), n=length if isinstance(length, int) else 2)


def _attributes_allowed(parameters: Sequence[str], facts: NodeFacts) -> Finding:
    """Only these attributes may be set; the ones that every form of the operator needs are always allowed."""
    needed = {"kernel_shape", "hidden_size", "auto_pad"} - ({"auto_pad"} if "pads" in parameters else set())
    extra = sorted(facts.explicit - set(parameters) - needed)
    allowed = listed(parameters) if parameters else say("constraints.none")
    return Finding(
        outcome_of(not extra), say("constraints.subject_attributes"), names_of(sorted(facts.explicit)), allowed
    )


def _attribute_bounds(parameters: Mapping[str, Any]) -> Words:
    if "length" in parameters:
        return _count(parameters["length"])
    return say("constraints.allowed_symmetric") if parameters.get("symmetric") else bounds(parameters)


def _expression(parameters: Any, facts: NodeFacts) -> Finding:
    """An arithmetic condition, once or per axis (`per: [H, W]` puts `_h`, `_w` for `_*`)."""
    text = parameters if isinstance(parameters, str) else parameters["is"]
    findings = _conditions(parameters, facts)
    finding = worst(findings, findings[0].allowed or text)
    return finding if finding is not None else Finding(Outcome.UNKNOWN, text, "?", text)


def _conditions(parameters: Any, facts: NodeFacts, *, apart: bool = False) -> list[Piece]:
    """A condition per axis; *apart* takes limits that must hold together one by one."""
    text = parameters if isinstance(parameters, str) else parameters["is"]
    letters = [""] if isinstance(parameters, str) else [axis.lower() for axis in parameters.get("per", [""])]
    lets: Mapping[str, str] = {} if isinstance(parameters, str) else parameters.get("let", {})

    def lookup(name: str) -> Any:
        if name not in lets:
            return variable(facts, name)
        return by_shape.number(lets[name], lookup)

    asked = [parse(text.replace("_axis", f"_{letter}") if letter else text) for letter in letters]
    if apart:
        asked = [parse(part) for expression in asked for part in expression.limits]
    return [Piece(outcome_of(e.holds(lookup)), e.subject, e.found(lookup), e.allowed) for e in asked]


def failures(spec: Spec, facts: NodeFacts) -> list[Finding]:
    """All that fails of *spec*, of which `evaluate` shows the first: each axis, element, or limit of a condition."""
    name, parameters = next(iter(spec.items()))
    pieces: list[Piece] = []
    if name == "dim":
        pieces = _axes(parameters, facts)
    elif name == "expr":
        pieces = _conditions(parameters, facts, apart=True)
    elif name == "attr" and not {"present", "length", "symmetric", "normalise"} & parameters.keys():
        value = facts.attribute(parameters["name"])
        if isinstance(value, tuple) and not isinstance(parameters.get("eq"), Sequence):
            pieces = _elements_of(parameters, value, parameters["name"])
    found = [piece for piece in pieces if piece.outcome is Outcome.FAIL]
    if found:
        allowed = "" if name == "expr" else bounds(parameters)
        return [Finding(Outcome.FAIL, one.subject, one.found, one.allowed or allowed) for one in found]
    whole = evaluate(spec, facts)
    return [whole] if whole is not None and whole.outcome is Outcome.FAIL else []


def _opset(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding:
    version = facts.op.version
    holds = within(version, parameters)
    return Finding(outcome_of(holds), say("constraints.subject_opset"), shown(version), bounds(parameters))


def _domain(parameters: Sequence[str], facts: NodeFacts) -> Finding:
    found = facts.op.domain or "ai.onnx"
    return Finding(outcome_of(found in parameters), say("constraints.subject_domain"), found, listed(parameters))


def _context(parameters: str, facts: NodeFacts) -> Finding:
    words: Mapping[bool | None, Words] = {True: say("constraints.yes"), False: say("constraints.no"), None: "?"}
    flag = facts.context.get(parameters)
    return Finding(outcome_of(flag), say(f"constraints.context_{parameters}"), words[flag], words[True])


def _choice(name: str) -> Predicate:
    def predicate(parameters: str | Sequence[str], facts: NodeFacts) -> Finding:
        allowed = [parameters] if isinstance(parameters, str) else list(parameters)
        found = variable(facts, name)
        return Finding(outcome_of(found in allowed), say(f"constraints.subject_{name}"), found, listed(allowed))

    return predicate


def _layout(parameters: int, _facts: NodeFacts) -> Finding:
    """Which axis holds the channels; ONNX fixes it at 1 for the operators that this is stated for."""
    return Finding(outcome_of(parameters == 1), say("constraints.subject_channel_axis"), "1", str(parameters))


def _note(_parameters: object, _facts: NodeFacts) -> None:
    """Shown and never decided; `local` lists it as a note of its own."""


def _all(parameters: Sequence[Spec], facts: NodeFacts) -> Finding | None:
    findings = [finding for spec in parameters if (finding := evaluate(spec, facts)) is not None]
    if not findings:
        return None
    return min(findings, key=lambda finding: _ORDER[finding.outcome])


def _any(parameters: Sequence[Spec], facts: NodeFacts) -> Finding | None:
    """One alternative must hold; the answer shows the nearest one, with all that would be allowed."""
    findings = [finding for spec in parameters if (finding := evaluate(spec, facts)) is not None]
    if not findings:
        return None
    best = max(findings, key=lambda finding: _ORDER[finding.outcome])
    if best.outcome is Outcome.PASS or len(findings) == 1:
        return best
    allowed = say("constraints.any_of", first=findings[0].allowed, rest=findings[-1].allowed)
    return Finding(best.outcome, best.subject, best.found, allowed)


def _not(parameters: Spec, facts: NodeFacts) -> Finding | None:
    finding = evaluate(parameters, facts)
    if finding is None:
        return None
    opposite = {Outcome.PASS: Outcome.FAIL, Outcome.FAIL: Outcome.PASS, Outcome.UNKNOWN: Outcome.UNKNOWN}
    allowed = say("constraints.not", allowed=finding.allowed)
    return Finding(opposite[finding.outcome], finding.subject, finding.found, allowed)


_ORDER: Final = {Outcome.FAIL: 0, Outcome.UNKNOWN: 1, Outcome.PASS: 2}


PREDICATES: Final[Mapping[str, Predicate]] = {
    "all": _all,
    "any": _any,
    "not": _not,
    "rank": _rank,
    "dim": _dim,
    "dtype": _dtype,
    "quant": _quant,
    "attr": _attribute,
    "attrs_allowed": _attributes_allowed,
    "expr": _expression,
    "opset": _opset,
    "domain": _domain,
    "context": _context,
    "qtype": _choice("qtype"),
    "flow": _choice("flow"),
    "note": _note,
    "layout": _layout,
    **by_operands.PREDICATES,
    **by_shape.PREDICATES,
}
"""Every predicate that a table may use, by its key."""
