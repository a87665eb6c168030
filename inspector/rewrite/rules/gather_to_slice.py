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
import numpy.typing as npt

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.gathering import look_gather, shown
from inspector.rewrite.pattern import Answers, batch, fixed
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
        choice = look_gather(model, node, answers)
        if isinstance(choice, Refusal):
            return choice
        steps = _progression(choice.indices)
        if steps is None:
            return answers.refuse("gather_indices", shown(choice.indices))
        if steps[2] != 1 and model.opsets.get("", 1) < _STEPS_SINCE:
            return answers.refuse("gather_step", steps[2])
        shape = model.value(node.graph, node.inputs[0]).shape or ()
        others = tuple(axis for axis in range(len(shape)) if axis != choice.axis)
        sizes = tuple(batch(model, shape) if a == 0 else fixed(model, shape, a) for a in others)
        if choice.indices.ndim == 0 and None in sizes:
            return answers.refuse("dynamic", text(shape), axes=", ".join(map(str, others)))
        answers.holds("gather_even", shown(choice.indices))
        bindings = {"axis": choice.axis, "steps": steps, "sizes": sizes if choice.indices.ndim == 0 else None}
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


def _progression(indices: npt.NDArray[np.int64]) -> tuple[int, int, int] | None:
    """(start, stop, step) of the Slice that picks *indices*; None when there is none."""
    if indices.ndim > 1:
        return None
    flat = indices.reshape(-1)
    step = int(flat[1] - flat[0]) if flat.size > 1 else 1
    if step < 1 or (np.diff(flat) != step).any():
        return None
    return int(flat[0]), int(flat[-1]) + 1, step
