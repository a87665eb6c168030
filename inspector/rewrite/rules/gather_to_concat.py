"""Gather at constant indices as a Concat of Slices: rolls, swaps of halves, repeats.

What it does:
    A list of constant indices is cut into runs of neighbours; each run becomes a Slice, and Concat joins them.

When it applies:
    Two to eight runs, each rising by one. A single run is the business of gather-to-slice.

Why it is equivalent:
    `x[[a, a+1, ..., b, c, c+1, ..., d]]` is `x[a:b+1]` followed by `x[c:d+1]`.

Safety:
    EXACT.

Costs:
    One Slice for each run and one Concat.

Source:
    ONNX operators Gather, versions 1 to 13, Slice, versions 1 to 13, and Concat, version 4.
"""

from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import Answers, constant, fixed, is_overridable, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "gather-to-concat"
_MOST_RUNS = 8


class GatherToConcat:
    """Rewrites a Gather at a few runs of constant indices to Slices and a Concat."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Gather"})
    fixes = frozenset({"gather.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("slices-concat", say(f"rewrite.{_ID}.variant.slices-concat")),)

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
        if indices is None or indices.ndim != 1 or indices.size < 2:
            return answers.other()
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
        runs = _runs(indices, size)
        if runs is None:
            return answers.refuse("odd_attribute", f"indices of an axis of length {size}")
        if len(runs) < 2:
            return answers.other()
        if len(runs) > _MOST_RUNS:
            return answers.refuse("gather_runs", len(runs), most=_MOST_RUNS)
        answers.holds("gather_runs", ", ".join(f"{start}:{stop}" for start, stop in runs))
        return answers.match(("slices-concat",), {"axis": axis, "runs": runs, "size": size})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, axis = editor.model.node(match.anchor), cast("int", match.bindings["axis"])
        size, runs = cast("int", match.bindings["size"]), cast("tuple[tuple[int, int], ...]", match.bindings["runs"])
        editor.remove(node.id)
        data = node.inputs[0]
        parts = [data if run == (0, size) else Chain(editor, node, data).slice(axis, *run).emit() for run in runs]
        Chain(editor, node, parts[0]).op("Concat", *parts[1:], axis=axis).emit(node.outputs[0])


def _runs(indices: Array, size: int) -> tuple[tuple[int, int], ...] | None:
    """(start, stop) of each run of indices that rise by one; None when an index lies outside the axis."""
    flat = indices.astype(np.int64)
    flat = np.where(flat < 0, flat + size, flat)
    if ((flat < 0) | (flat >= size)).any():
        return None
    parts = np.split(flat, np.flatnonzero(np.diff(flat) != 1) + 1)
    return tuple((int(part[0]), int(part[-1]) + 1) for part in parts)
