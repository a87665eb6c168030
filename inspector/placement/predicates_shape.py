"""Predicates about how shapes fit together: broadcasting, patterns, sizes, the axes that an operator touches."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import isfinite, prod
from typing import Any, Final

from inspector.model.shape import text as shape_text
from inspector.placement.expression import evaluate_number
from inspector.placement.facts import NodeFacts, Operand
from inspector.placement.finding import Finding, Piece, Words, bounds, listed, outcome_of, worst
from inspector.placement.operators import UNKNOWN
from inspector.placement.patterns import matches
from inspector.placement.target import Qtype
from inspector.placement.variables import axis_of, resize_scales
from inspector.placement.verdict import Outcome
from inspector.text import say

Sizes = tuple[int | None, ...]

number = evaluate_number
"""Value of an arithmetic expression; None when unknown."""


def axes_of(axis: Any, rank: int, facts: NodeFacts) -> Sequence[int] | None:
    """Axis indices that *axis* names in a tensor of *rank* axes; empty when it has none, None when not known.

    *axis*: an index, a letter of `NCDHW`, a list of these, `last_two`, `leading` (all but the last two), `others` (all
    but the first), `batch` (axis 1, of a recurrent operator's input) or `reduced` (the axes a reduction removes).
    """
    if isinstance(axis, int):
        return [axis] if axis < rank else []
    if isinstance(axis, list | tuple):
        found = [axes_of(one, rank, facts) for one in axis]
        return None if None in found else [index for indices in found if indices for index in indices]
    named: Mapping[str, Sequence[int]] = {
        "last_two": range(max(rank - 2, 0), rank),
        "leading": range(max(rank - 2, 0)),
        "others": range(1, rank),
        "batch": [1] if rank == 3 else [],
    }
    if axis in named:
        return named[axis]
    if axis == "reduced":
        return _reduced(facts, rank)
    index = axis_of(axis, rank)
    return [] if index is None else [index]


def _reduced(facts: NodeFacts, rank: int) -> Sequence[int] | None:
    axes = facts.attribute("axes")
    if axes is UNKNOWN:
        return None
    if axes is None:
        axis = facts.attribute("axis") if facts.op.name.startswith("Arg") else None
        if axis is UNKNOWN:
            return None
        axes = range(rank) if axis is None else [axis]
    return [a % rank for a in axes] if rank else []


def _elements(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    """Number of elements of an operand, or of the axes that a reduction removes (`of: reduced`)."""
    pieces = []
    reduced = parameters["of"] == "reduced"
    for operand in facts.operands("input" if reduced else parameters["of"]):
        sizes = operand.sizes
        if sizes is not None and reduced:
            axes = _reduced(facts, len(sizes))
            sizes = None if axes is None else tuple(sizes[index] for index in axes)
        count = None if sizes is None or None in sizes else prod(s for s in sizes if s is not None)
        subject = say("constraints.subject_elements", operand=operand.name)
        pieces.append(Piece(outcome_of(_inside(count, parameters)), subject, "?" if count is None else str(count)))
    return worst(pieces, bounds(parameters))


def _inside(value: int | None, parameters: Mapping[str, Any]) -> bool | None:
    if value is None:
        return None
    if "range" in parameters:
        return bool(parameters["range"][0] <= value <= parameters["range"][1])
    return bool(value == parameters["eq"]) if "eq" in parameters else bool(value <= parameters["max"])


def _bytes(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    """Size in bytes. The element size is not stated, so a tensor between 1 and 2 bytes per element is UNKNOWN."""
    pieces = []
    for operand in facts.operands(parameters.get("of", "all")):
        if operand.constant is True or ("rank" in parameters and operand.rank not in (None, parameters["rank"])):
            continue
        sizes = operand.sizes
        count = None if sizes is None or None in sizes else prod(s for s in sizes if s is not None)
        subject = say("constraints.subject_bytes", operand=operand.name)
        if count is None:
            pieces.append(Piece(Outcome.UNKNOWN, subject, "?"))
            continue
        small = count * (1 if facts.qtype is Qtype.INT8 else 2)
        holds = False if small > parameters["max"] else (True if 2 * count <= parameters["max"] else None)
        pieces.append(Piece(outcome_of(holds), subject, say("constraints.bytes", n=small)))
    return worst(pieces, say("constraints.allowed_bytes", n=parameters["max"]))


def _shapes(operands: Sequence[Operand]) -> str:
    return listed([shape_text(operand.shape) for operand in operands])


def _broadcast(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    """Limits on implicit broadcasting between the inputs of an elementwise operator.

    `max_rank`: highest rank of any input. `mutual: false`: only one input may be stretched. `ranks_may_differ: false`:
    all inputs have the same rank. `axes: all_but_first`: the first axis may not be stretched.
    """
    operands = [operand for operand in facts.inputs if operand.present]
    subject, found = say("constraints.subject_broadcast"), _shapes(operands)
    allowed = _broadcast_words(parameters)
    results = [_broadcast_rank(parameters, operands), _broadcast_axes(parameters, operands)]
    if False in results:
        return Finding(Outcome.FAIL, subject, found, allowed)
    return Finding(Outcome.UNKNOWN if None in results else Outcome.PASS, subject, found, allowed)


def _broadcast_words(parameters: Mapping[str, Any]) -> Words:
    if "max_rank" in parameters:
        return say("constraints.allowed_max_rank", rank=parameters["max_rank"])
    if not parameters.get("mutual", True):
        key = "allowed_one_sided" if parameters.get("ranks_may_differ", True) else "allowed_one_sided_same_rank"
        return say(f"constraints.{key}")
    return say(f"constraints.allowed_broadcast_{parameters.get('axes', 'all')}")


def _broadcast_rank(parameters: Mapping[str, Any], operands: Sequence[Operand]) -> bool | None:
    ranks = [operand.rank for operand in operands]
    known = [rank for rank in ranks if rank is not None]
    if "max_rank" in parameters and any(rank > parameters["max_rank"] for rank in known):
        return False
    if not parameters.get("ranks_may_differ", True) and len(set(known)) > 1:
        return False
    limited = "max_rank" in parameters or not parameters.get("ranks_may_differ", True)
    return None if limited and len(known) < len(ranks) else True


def _broadcast_axes(parameters: Mapping[str, Any], operands: Sequence[Operand]) -> bool | None:
    one_sided, first = not parameters.get("mutual", True), parameters.get("axes") == "all_but_first"
    if not (one_sided or first):
        return True
    stretched = stretches([operand.sizes for operand in operands])
    if stretched is None:
        return None
    if one_sided and len(frozenset().union(*stretched)) > 1:
        return False
    ranks = [operand.rank for operand in operands]
    whole = {index for index, rank in enumerate(ranks) if rank == len(stretched)}
    return not (first and stretched and stretched[0] & whole)


def stretches(shapes: Sequence[Sizes | None]) -> tuple[frozenset[int], ...] | None:
    """Per axis of the broadcast result, first axis first: which inputs are stretched along it; None when unknown.

    An input is stretched where it has length 1 (or no such axis) and another has more.
    """
    if any(sizes is None or None in sizes for sizes in shapes):
        return None
    known = [tuple(s for s in sizes if s is not None) for sizes in shapes if sizes is not None]
    rank = max((len(sizes) for sizes in known), default=0)
    padded = [(1,) * (rank - len(sizes)) + sizes for sizes in known]
    result = []
    for axis in range(rank):
        longest = max(sizes[axis] for sizes in padded)
        result.append(frozenset(i for i, sizes in enumerate(padded) if sizes[axis] == 1 and longest > 1))
    return tuple(result)


def _broadcast_merge(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding:
    """Whether the axes of a broadcast can be merged until at most `to` are left.

    Axes of length 1 in the result are dropped (`drop_ones`). Neighbours merge when nothing is stretched along either,
    and, with `merge_stretched`, when the same inputs are stretched along both.
    """
    operands = [operand for operand in facts.inputs if operand.present]
    subject, allowed = say("constraints.subject_merged_rank"), f"≤ {parameters['to']}"
    shapes = [operand.sizes for operand in operands]
    stretched = stretches(shapes)
    if stretched is None:
        ranks = [len(sizes) for sizes in shapes if sizes is not None]
        low = len(ranks) == len(shapes) and max(ranks, default=0) <= parameters["to"]
        return Finding(outcome_of(True if low else None), subject, _shapes(operands), allowed)
    rank = len(stretched)
    lengths = [max((s[axis - rank] or 1) if len(s) >= rank - axis else 1 for s in shapes if s) for axis in range(rank)]
    groups: list[frozenset[int]] = []
    for axis in range(rank):
        if parameters["drop_ones"] and lengths[axis] == 1:
            continue
        same = bool(groups) and groups[-1] == stretched[axis]
        if same and (parameters["merge_stretched"] or not stretched[axis]):
            continue
        groups.append(stretched[axis])
    return Finding(outcome_of(len(groups) <= parameters["to"]), subject, str(len(groups)), allowed)


def _leading(parameters: str, facts: NodeFacts) -> Finding:
    """Broadcasting of the leading axes of a MatMul (all but the last two).

    An axis needs broadcasting in an operand when it is 1 there and longer in the other. `one_uniform`: one operand has
    only 1s, or needs no broadcasting. `first_uniform`: A does not mix axes that need broadcasting with axes that do
    not. `second_prefix`: in B, axes that need none stand before all that do.
    """
    operands = facts.inputs[:2]
    subject, allowed = say("constraints.subject_leading"), say(f"constraints.allowed_{parameters}")
    found = _shapes(operands)
    sizes = [operand.sizes for operand in operands]
    if len(sizes) < 2 or any(s is None or None in s for s in sizes):
        return Finding(Outcome.UNKNOWN, subject, found, allowed)
    first, second = (tuple(s or ())[:-2] for s in sizes)
    rank = max(len(first), len(second))
    a = (1,) * (rank - len(first)) + first
    b = (1,) * (rank - len(second)) + second
    return Finding(outcome_of(_LEADING[parameters](a, b)), subject, found, allowed)


def _needs(own: Sizes, other: Sizes) -> list[bool]:
    return [x == 1 and y != 1 for x, y in zip(own, other, strict=True)]


def _one_uniform(a: Sizes, b: Sizes) -> bool:
    return any(all(x == 1 for x in own) or not any(_needs(own, other)) for own, other in ((a, b), (b, a)))


def _first_uniform(a: Sizes, b: Sizes) -> bool:
    return _unmixed(a, b)


def _unmixed(own: Sizes, other: Sizes) -> bool:
    """Whether axes longer than 1 do not stand beside axes that need broadcasting."""
    return not any(_needs(own, other)) or all(x == 1 for x in own)


def _second_prefix(a: Sizes, b: Sizes) -> bool:
    if _unmixed(b, a):
        return True
    needs = _needs(b, a)
    return not any(later < earlier for earlier, later in pairwise(needs))


_LEADING: Final[Mapping[str, Callable[[Sizes, Sizes], bool]]] = {
    "one_uniform": _one_uniform,
    "first_uniform": _first_uniform,
    "second_prefix": _second_prefix,
}


def _patterns(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    operands = [operand for name in parameters["of"] for operand in facts.operands(name)]
    if len(operands) < len(parameters["of"]):
        return None
    shapes = [operand.sizes for operand in operands]
    holds = matches(parameters["any_of"], shapes, parameters.get("min", {}))
    subject = say("constraints.subject_shapes", operands=listed([operand.name for operand in operands]))
    return Finding(outcome_of(holds), subject, _shapes(operands), " ; ".join(parameters["any_of"]))


def _same(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding | None:
    what = parameters["what"]
    operands = [operand for name in parameters["of"] for operand in facts.operands(name)]
    values = [operand.dtype if what == "dtype" else operand.rank for operand in operands]
    known = {value for value in values if value is not None}
    holds = False if len(known) > 1 else (None if None in values else True)
    names = listed([operand.name for operand in operands])
    subject = say(f"constraints.subject_same_{what}", operands=names)
    return Finding(
        outcome_of(holds), subject, listed(["?" if v is None else v for v in values]), say("constraints.allowed_same")
    )


def _pad_axes(parameters: Sequence[Any], facts: NodeFacts) -> Finding | None:
    """Axes that a Pad may lengthen: letters or indices."""
    rank, pads, axes = facts.first.rank, facts.attribute("pads"), facts.attribute("axes")
    subject, allowed = say("constraints.subject_pad_axes"), listed(parameters)
    if rank is None or not isinstance(pads, tuple) or axes is UNKNOWN:
        return Finding(Outcome.UNKNOWN, subject, "?", allowed)
    count = len(pads) // 2
    touched = range(count) if axes is None else [axis % max(rank, 1) for axis in axes]
    padded = [axis for axis, begin, end in zip(touched, pads[:count], pads[count:], strict=False) if begin or end]
    return _only_axes(padded, parameters, rank, facts, subject)


def _resize_axes(parameters: Sequence[Any], facts: NodeFacts) -> Finding | None:
    """Axes that a Resize may change: letters or indices."""
    scales = resize_scales(facts)
    subject = say("constraints.subject_resize_axes")
    if scales is None:
        return Finding(Outcome.UNKNOWN, subject, "?", listed(parameters))
    changed = [axis for axis, scale in enumerate(scales) if scale != 1]
    return _only_axes(changed, parameters, len(scales), facts, subject)


def _only_axes(
    touched: Sequence[int], parameters: Sequence[Any], rank: int, facts: NodeFacts, subject: Words
) -> Finding:
    free = set(axes_of(list(parameters), rank, facts) or ())
    found = listed(touched) if touched else say("constraints.none")
    return Finding(outcome_of(set(touched) <= free), subject, found, listed(parameters))


def _changed_axes(parameters: Mapping[str, Any], facts: NodeFacts) -> Finding:
    """Number of axes whose length differs between first input and output (missing leading axes count as 1)."""
    before = facts.first.sizes
    after = facts.outputs[0].sizes if facts.outputs else None
    subject, allowed = say("constraints.subject_changed_axes"), bounds(parameters)
    if before is None or after is None:
        return Finding(Outcome.UNKNOWN, subject, "?", allowed)
    padded = (1,) * (len(after) - len(before)) + before
    sure = sum(a is not None and b is not None and a != b for a, b in zip(padded, after, strict=False))
    maybe = sure + sum(a is None or b is None for a, b in zip(padded, after, strict=False))
    holds = False if sure > parameters["max"] else (True if maybe <= parameters["max"] else None)
    return Finding(outcome_of(holds), subject, str(sure), allowed)


def _pieces_divide(parameters: object, facts: NodeFacts) -> Finding:
    """Every piece of a Split divides the length of the split axis (`true`), or the number of pieces does (`count`)."""
    counted = parameters == "count"
    subject = say("constraints.subject_pieces")
    allowed = say("constraints.allowed_count_divides") if counted else say("constraints.allowed_divide")
    sizes, axis, pieces = facts.first.sizes, facts.attribute("axis"), facts.attribute("split")
    if sizes is None or not isinstance(axis, int) or not -len(sizes) <= axis < len(sizes) or sizes[axis] is None:
        return Finding(Outcome.UNKNOWN, subject, "?", allowed)
    length = sizes[axis] or 0
    if counted:
        count = len(pieces) if isinstance(pieces, tuple) else sum(operand.present for operand in facts.outputs)
        return Finding(outcome_of(length % count == 0 if count else None), subject, f"{length} / {count}", allowed)
    if pieces is UNKNOWN:
        return Finding(Outcome.UNKNOWN, subject, "?", allowed)
    if pieces is None:
        count = sum(operand.present for operand in facts.outputs)
        return Finding(outcome_of(length % count == 0 if count else None), subject, f"{length} / {count}", allowed)
    holds = all(piece > 0 and length % piece == 0 for piece in pieces)
    return Finding(outcome_of(holds), subject, say("constraints.pieces", pieces=listed(pieces), length=length), allowed)


def _indices_within(_parameters: object, facts: NodeFacts) -> Finding:
    """The indices are no longer than the data along every axis but the gathered one."""
    subject, allowed = say("constraints.subject_indices"), say("constraints.allowed_within")
    axis = facts.attribute("axis")
    data, indices = (*(operand.sizes for operand in facts.inputs[:2]), None, None)[:2]
    if data is None or indices is None or not isinstance(axis, int):
        return Finding(Outcome.UNKNOWN, subject, "?", allowed)
    pairs = [(i, d) for n, (i, d) in enumerate(zip(indices, data, strict=False)) if n != axis % max(len(data), 1)]
    results = [None if i is None or d is None else i <= d for i, d in pairs]
    holds = False if False in results else (None if None in results else True)
    return Finding(outcome_of(holds), subject, _shapes(facts.inputs[:2]), allowed)


def _integer_border(_parameters: object, facts: NodeFacts) -> Finding | None:
    """The corners of a Resize's region fall on whole elements."""
    subject, allowed = say("constraints.subject_roi"), say("constraints.allowed_integer")
    roi, sizes = facts.attribute("roi"), facts.first.sizes
    if roi is None:
        return None
    if not isinstance(roi, tuple) or sizes is None or None in sizes or len(roi) != 2 * len(sizes):
        return Finding(Outcome.UNKNOWN, subject, "?", allowed)
    corners = [value * ((size or 1) - 1) for value, size in zip(roi, sizes * 2, strict=True)]
    holds = all(isfinite(corner) and abs(corner - round(corner)) < 1e-6 for corner in corners)
    return Finding(outcome_of(holds), subject, listed([f"{corner:g}" for corner in corners]), allowed)


PREDICATES: Final[Mapping[str, Callable[[Any, NodeFacts], Finding | None]]] = {
    "elements": _elements,
    "bytes": _bytes,
    "broadcast": _broadcast,
    "broadcast_merge": _broadcast_merge,
    "leading_dims": _leading,
    "shapes": _patterns,
    "same": _same,
    "pad_axes": _pad_axes,
    "resize_axes": _resize_axes,
    "changed_axes": _changed_axes,
    "pieces_divide": _pieces_divide,
    "indices_within": _indices_within,
    "integer_border": _integer_border,
}
"""Predicates of this module by their key."""
