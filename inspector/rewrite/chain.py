"""`Chain`: build a run of operators, each reading the one before, in the form that the model's opset takes.

Operators changed their form over the versions: Slice takes its numbers as inputs from opset 10 on, Pad and Clip from
11 on. A rule says what it wants; the chain writes what the opset knows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from inspector.model.edit import Editor
from inspector.model.graph import Node

Array = npt.NDArray[np.generic]

_SLICE_INPUTS_SINCE = 10
_PAD_INPUTS_SINCE = 11
_CLIP_INPUTS_SINCE = 11
_REDUCE_INPUTS_SINCE = 18
_REDUCE_SUM_INPUTS_SINCE = 13
_SPLIT_INPUTS_SINCE = 13


@dataclass(frozen=True, slots=True)
class _Step:
    op: str
    extra: tuple[str, ...]
    attributes: dict[str, Any]
    role: str
    data_index: int = 0


class Chain:
    """Operators in a row from one value; nothing is added to the model before `emit`.

    Args:
        editor: where the nodes go.
        base: node that they stand for.
        start: value that the first operator reads.
    """

    def __init__(self, editor: Editor, base: Node, start: str) -> None:
        self._editor = editor
        self._base = base
        self._start = start
        self._steps: list[_Step] = []

    def emit(self, out: str | None = None) -> str:
        """Add the nodes; the name of the last value, which is *out* when given.

        An empty chain with *out* becomes an Identity, because the name must stay.
        """
        steps = self._steps or ([_Step("Identity", (), {}, "Identity")] if out is not None else [])
        value = self._start
        for step in steps:
            inputs = [*step.extra[: step.data_index], value, *step.extra[step.data_index :]]
            outputs = (out,) if out is not None and step is steps[-1] else 1
            (value,) = self._editor.node(step.op, inputs, outputs, base=self._base, role=step.role, **step.attributes)
        return value

    def op(self, op: str, *extra: str, role: str = "", data_index: int = 0, **attributes: Any) -> "Chain":
        """Any operator; *extra* are its inputs besides the running value, which stands at *data_index*."""
        self._steps.append(_Step(op, extra, attributes, role or op, data_index))
        return self

    def constant(self, array: Array, what: str) -> str:
        """A new constant for this chain; *what* names it."""
        return self._editor.tensor(array, f"{self._base.label}/{what}")

    def tensor(self, array: Array, old: str) -> str:
        """A new constant that replaces the tensor *old* and is called after it."""
        return self._editor.tensor(array, old)

    def dtype_of(self, name: str) -> np.dtype[np.generic]:
        """Numpy type of the elements of *name*; float32 when it is not known."""
        dtype = self._editor.model.value(self._base.graph, name).dtype
        return (dtype.numpy if dtype is not None else None) or np.dtype(np.float32)

    def reshape(self, *sizes: int) -> "Chain":
        """Reshape to *sizes*; one may be -1."""
        return self.op("Reshape", self.constant(np.array(sizes, np.int64), "shape"))

    def transpose(self, *perm: int) -> "Chain":
        """Transpose: axis i of the result is axis perm[i] of the input."""
        return self.op("Transpose", perm=list(perm))

    def slice(self, axis: int, start: int, stop: int, step: int = 1) -> "Chain":
        """Every *step*-th of the elements start..stop-1 of *axis* (both at least 0); steps need opset 10."""
        if self._editor.opset < _SLICE_INPUTS_SINCE:
            return self.op("Slice", axes=[axis], starts=[start], ends=[stop])
        given = [(start, "starts"), (stop, "ends"), (axis, "axes"), *([(step, "steps")] if step != 1 else [])]
        return self.op("Slice", *(self.constant(np.array([number], np.int64), what) for number, what in given))

    def pad(
        self, before: Sequence[int], after: Sequence[int], dtype: np.dtype[np.generic], value: float = 0.0
    ) -> "Chain":
        """*value* before and after each axis; a count below 1 on every axis adds nothing."""
        counts = [*before, *after]
        if not any(counts):
            return self
        if self._editor.opset < _PAD_INPUTS_SINCE:
            return self.op("Pad", pads=counts, mode="constant", value=value)
        filled = self.constant(np.array(value, dtype), "pad_value")
        return self.op("Pad", self.constant(np.array(counts, np.int64), "pads"), filled, mode="constant")

    def crop(self, axis: int, size: int, start: int, stop: int, rank: int, dtype: np.dtype[np.generic]) -> "Chain":
        """Window start..stop-1 of *axis* of length *size*, which may reach outside: there it is filled with zeros."""
        low, high = max(start, 0), min(stop, size)
        if (low, high) != (0, size):
            self.slice(axis, low, high)
        before, after = [0] * rank, [0] * rank
        before[axis], after[axis] = max(-start, 0), max(stop - size, 0)
        return self.pad(before, after, dtype)

    def clip(self, low: float | None, high: float | None, dtype: np.dtype[np.generic]) -> "Chain":
        """Clip to low..high; None leaves a limit out."""
        if self._editor.opset < _CLIP_INPUTS_SINCE:
            return self.op("Clip", min=None if low is None else float(low), max=None if high is None else float(high))
        given = [
            "" if value is None else self.constant(np.array(value, dtype), name)
            for name, value in (("min", low), ("max", high))
        ]
        return self.op("Clip", *given)

    def reduce(self, op: str, axes: Sequence[int], *, keepdims: bool = True, role: str = "") -> "Chain":
        """ReduceMean, ReduceSum, ReduceMax ... over *axes* (each at least 0)."""
        since = _REDUCE_SUM_INPUTS_SINCE if op == "ReduceSum" else _REDUCE_INPUTS_SINCE
        if self._editor.opset < since:
            return self.op(op, role=role, axes=list(axes), keepdims=int(keepdims))
        return self.op(op, self.constant(np.array(axes, np.int64), "axes"), role=role, keepdims=int(keepdims))


def split_equally(editor: Editor, base: Node, value: str, axis: int, count: int, size: int) -> tuple[str, ...]:
    """*value* cut into *count* equal parts along *axis* of length *size*, which *count* divides."""
    parts = [size // count] * count
    if editor.opset < _SPLIT_INPUTS_SINCE:
        return editor.node("Split", [value], count, base=base, axis=axis, split=parts)
    sizes = editor.tensor(np.array(parts, np.int64), f"{base.label}/split")
    return editor.node("Split", [value, sizes], count, base=base, axis=axis)
