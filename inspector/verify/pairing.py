"""Which input and output of one model stands for which of the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.model.graph import MAIN, Model, Value
from inspector.text import Message, say


@dataclass(frozen=True, slots=True)
class Pairing:
    """Inputs and outputs of two models, matched.

    Attributes:
        inputs: input of the first model -> input of the second, where the names differ.
        outputs: (output of the first, output of the second), in the order of the first.
        notes: what was matched by position, for a reader.
    """

    inputs: Mapping[str, str]
    outputs: tuple[tuple[str, str], ...]
    notes: tuple[Message, ...]


def pair_models(before: Model, after: Model) -> Pairing | Message:
    """Match by name, else by position where dtype and shape agree; a reason when neither gives a full match."""
    inputs = _pair(before, after, before.main.inputs, after.main.inputs)
    if inputs is None:
        return say("verify.inputs_differ", before=", ".join(before.main.inputs), after=", ".join(after.main.inputs))
    outputs = _pair(before, after, before.main.outputs, after.main.outputs)
    if outputs is None:
        return say("verify.outputs_differ", before=", ".join(before.main.outputs), after=", ".join(after.main.outputs))
    moved = [(a, b) for a, b in (*inputs, *outputs) if a != b]
    notes = (say("verify.by_position", pairs=", ".join(f"{a} = {b}" for a, b in moved)),) if moved else ()
    return Pairing({a: b for a, b in inputs if a != b}, tuple(outputs), notes)


def _pair(
    before: Model, after: Model, first: Sequence[str], second: Sequence[str]
) -> tuple[tuple[str, str], ...] | None:
    if len(first) != len(second):
        return None
    if set(first) == set(second):
        return tuple((name, name) for name in first)
    left = [name for name in first if name not in second]
    right = [name for name in second if name not in first]
    moved = dict(zip(left, right, strict=True))
    if not all(_fits(before.value(MAIN, a), after.value(MAIN, b)) for a, b in moved.items()):
        return None
    return tuple((name, moved.get(name, name)) for name in first)


def _fits(a: Value, b: Value) -> bool:
    """Whether nothing that is known of the two contradicts that they are the same tensor."""
    if a.dtype is not None and b.dtype is not None and a.dtype is not b.dtype:
        return False
    if a.shape is None or b.shape is None:
        return True
    if len(a.shape) != len(b.shape):
        return False
    return all(x.size is None or y.size is None or x.size == y.size for x, y in zip(a.shape, b.shape, strict=True))
