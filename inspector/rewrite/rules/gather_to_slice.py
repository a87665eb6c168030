"""Gather at constant, evenly spaced indices as Slice.

What it does:
    `x[..., i, ...]` with a constant index becomes Slice and Reshape; constant indices that rise evenly become one
    Slice with a step.

When it applies:
    The indices are one number, or a list `[a, a+s, a+2s, ...]` with s > 0 on one axis; negative ones count from the end
    of an axis of fixed length. For one number the other sizes are fixed, up to the first.

Why it is equivalent:
    Both pick the same elements. Slice keeps the axis: for one number its length is 1, and the Reshape drops it; for a
    list of n numbers it is n, as with Gather.

Safety:
    EXACT.

Costs:
    A Reshape for one number.

Source:
    ONNX operators Gather, versions 1 to 13, and Slice, versions 1 to 13.
"""

from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import Answers, batch, constant, fixed, is_overridable, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "gather-to-slice"
_STEPS_SINCE = 10


class GatherToSlice:
    """Rewrites a Gather at evenly spaced constant indices to a Slice."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Gather"})
    fixes = frozenset({"gather.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("slice", say(f"rewrite.{_ID}.variant.slice")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Gather" or len(node.inputs) != 2 or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        data, name = node.inputs
        if is_overridable(model, node.graph, name):
            return answers.refuse("overridable", name)
        indices = constant(model, node.graph, name)
        if indices is None:
            return answers.refuse("not_constant", name)
        shape = model.value(node.graph, data).shape
        if shape is None:
            return answers.refuse("unknown_shape", data)
        axis = node.attributes.get("axis", 0)
        if not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
            return answers.refuse("odd_attribute", f"axis = {axis}")
        axis %= len(shape)
        size = fixed(model, shape, axis)
        if size is None:
            return answers.refuse("dynamic", text(shape), axes=str(axis))
        steps = _progression(indices, size)
        if steps is None:
            return answers.refuse("gather_indices", _shown(indices))
        if steps[2] != 1 and model.opsets.get("", 1) < _STEPS_SINCE:
            return answers.refuse("gather_step", steps[2])
        others = tuple(axis_ for axis_ in range(len(shape)) if axis_ != axis)
        sizes = tuple(batch(model, shape) if a == 0 else fixed(model, shape, a) for a in others)
        if indices.ndim == 0 and None in sizes:
            return answers.refuse("dynamic", text(shape), axes=", ".join(map(str, others)))
        answers.holds("gather_even", _shown(indices))
        bindings = {"axis": axis, "steps": steps, "sizes": sizes if indices.ndim == 0 else None}
        return answers.match(("slice",), bindings)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, axis = editor.model.node(match.anchor), cast("int", match.bindings["axis"])
        start, stop, step = cast("tuple[int, int, int]", match.bindings["steps"])
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0]).slice(axis, start, stop, step)
        sizes = cast("tuple[int, ...] | None", match.bindings["sizes"])
        if sizes is not None:
            chain.reshape(*sizes)
        chain.emit(node.outputs[0])


def _progression(indices: Array, size: int) -> tuple[int, int, int] | None:
    """(start, stop, step) of the Slice that picks *indices* from an axis of *size*; None when there is none."""
    if indices.ndim > 1 or indices.size == 0:
        return None
    flat = indices.astype(np.int64).reshape(-1)
    flat = np.where(flat < 0, flat + size, flat)
    if ((flat < 0) | (flat >= size)).any():
        return None
    step = int(flat[1] - flat[0]) if flat.size > 1 else 1
    if step < 1 or (np.diff(flat) != step).any():
        return None
    return int(flat[0]), int(flat[-1]) + 1, step


def _shown(indices: Array) -> str:
    """The first indices and how many there are."""
    flat = indices.reshape(-1).tolist()
    return ", ".join(map(str, flat[:6])) + (f", … ({len(flat)})" if len(flat) > 6 else "")
