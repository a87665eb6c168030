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
import numpy.typing as npt

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.gathering import look_gather
from inspector.rewrite.pattern import Answers
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
        choice = look_gather(model, node, answers)
        if isinstance(choice, Refusal):
            return choice
        runs = _runs(choice.indices) if choice.indices.ndim == 1 else ()
        if len(runs) < 2:
            return answers.other()
        if len(runs) > _MOST_RUNS:
            return answers.refuse("gather_runs", len(runs), most=_MOST_RUNS)
        answers.holds("gather_runs", ", ".join(f"{start}:{stop}" for start, stop in runs))
        return answers.match(("slices-concat",), {"axis": choice.axis, "runs": runs, "size": choice.size})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, axis = editor.model.node(match.anchor), cast("int", match.bindings["axis"])
        size, runs = cast("int", match.bindings["size"]), cast("tuple[tuple[int, int], ...]", match.bindings["runs"])
        editor.remove(node.id)
        data = node.inputs[0]
        parts = [data if run == (0, size) else Chain(editor, node, data).slice(axis, *run).emit() for run in runs]
        Chain(editor, node, parts[0]).op("Concat", *parts[1:], axis=axis).emit(node.outputs[0])


def _runs(indices: npt.NDArray[np.int64]) -> tuple[tuple[int, int], ...]:
    """(start, stop) of each run of *indices* that rise by one."""
    parts = np.split(indices, np.flatnonzero(np.diff(indices) != 1) + 1)
    return tuple((int(part[0]), int(part[-1]) + 1) for part in parts)
