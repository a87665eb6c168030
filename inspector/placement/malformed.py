"""Operands that do not fit each other: nodes that ONNX's shape inference lets pass although nothing could run them.

Of such a node nothing can be said, so it is UNKNOWN, and never green. What is looked at is what ONNX's definitions of
the operators demand: channels of a convolution against its weight and groups, the window against the weight, inner
axes of a Gemm, lengths of normalisation tables.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from inspector.placement.facts import NodeFacts
from inspector.placement.finding import Finding, Words
from inspector.placement.operators import UNKNOWN
from inspector.placement.verdict import Outcome
from inspector.text import say

_Pair = tuple[Words, Any, Any]
"""What is compared, what is found, what it must be; None where a size is unknown."""


def misfit(facts: NodeFacts) -> Finding | None:
    """The first pair of operands that do not fit, or that may not because a size is unknown; None where all fit."""
    pairs = _PAIRS.get(facts.op.name)
    if pairs is None or facts.op.domain not in ("", "ai.onnx"):
        return None
    doubt = None
    for subject, found, expected in pairs(facts):
        unknown = found is None or expected is None
        if unknown and doubt is None:
            doubt = _finding("subject_fit", subject, found, expected)
        elif not unknown and found != expected:
            return _finding("subject_misfit", subject, found, expected)
    return doubt


def _finding(words: str, subject: Words, found: Any, expected: Any) -> Finding:
    what = say("constraints.misfit", subject=subject, found=_text(found))
    return Finding(Outcome.UNKNOWN, say(f"constraints.{words}"), what, _text(expected))


def _text(value: Any) -> str:
    if value is None:
        return "?"
    return " x ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _size(facts: NodeFacts, index: int, axis: int) -> int | None:
    """Length of an axis of an input; None when unknown or not there."""
    sizes = facts.inputs[index].sizes if index < len(facts.inputs) else None
    return None if sizes is None or not -len(sizes) <= axis < len(sizes) else sizes[axis]


def _channels(facts: NodeFacts, expected: int | None) -> _Pair:
    return say("constraints.subject_dim", operand=facts.inputs[0].name, axis=1), _size(facts, 0, 1), expected


def _window(facts: NodeFacts) -> Iterator[_Pair]:
    sizes = facts.inputs[1].sizes if len(facts.inputs) > 1 else None
    kernel = facts.attribute("kernel_shape")
    known = sizes is not None and None not in sizes[2:] and kernel is not UNKNOWN
    yield (say("constraints.subject_attribute", name="kernel_shape"), kernel if known else None,
           None if sizes is None or not known else sizes[2:])  # fmt: skip


def _conv(facts: NodeFacts) -> Iterator[_Pair]:
    group, out, each = facts.attribute("group"), _size(facts, 1, 0), _size(facts, 1, 1)
    fits = isinstance(group, int) and group > 0
    yield _channels(facts, each * group if fits and each is not None else None)
    yield say("constraints.subject_rest", group=group), out % group if fits and out is not None else None, 0
    yield from _window(facts)


def _transposed(facts: NodeFacts) -> Iterator[_Pair]:
    group, into = facts.attribute("group"), _size(facts, 1, 0)
    fits = isinstance(group, int) and group > 0
    yield _channels(facts, into)
    yield say("constraints.subject_rest", group=group), into % group if fits and into is not None else None, 0
    yield from _window(facts)


def _gemm(facts: NodeFacts) -> Iterator[_Pair]:
    if facts.inputs[0].rank != 2:  # ONNX refuses other ranks; the tables say what becomes of a feature map
        return
    own, other = (0 if facts.attribute("transA") else 1), (1 if facts.attribute("transB") else 0)
    subject = say("constraints.subject_dim", operand=facts.inputs[0].name, axis=own)
    yield subject, _size(facts, 0, own), _size(facts, 1, other)


def _per_channel(facts: NodeFacts) -> Iterator[_Pair]:
    for index, operand in enumerate(facts.inputs[1:], 1):
        if operand.present:
            subject = say("constraints.subject_dim", operand=operand.name, axis=0)
            yield subject, _size(facts, index, 0), _size(facts, 0, 1)


_PAIRS: Final[Mapping[str, Callable[[NodeFacts], Iterator[_Pair]]]] = {
    "Conv": _conv,
    "ConvTranspose": _transposed,
    "Gemm": _gemm,
    "BatchNormalization": _per_channel,
    "InstanceNormalization": _per_channel,
}
"""Operator -> pairs that must be equal."""

CHECKED: Final = frozenset(_PAIRS)
"""Operators whose operands are held against each other."""
