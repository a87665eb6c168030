"""GatherND at constant indices as Gather on merged axes, or as Slices.

What it does:
    The axes that the indices run over become one axis, and one index stands for each tuple; or, for a few tuples, each
    is cut out by Slices and Concat joins them.

When it applies:
    batch_dims 0, constant indices within the shape, all sizes fixed. Slices: at most eight tuples.

Why it is equivalent:
    Element (i, j, ...) of axes of length (I, J, ...) stands at i*J*... + j*... + ... of the merged axis (row-major
    order). `[I, J, rest]` -> `[I*J, rest]` -> `[M, rest]` -> the leading shape of the indices, then the rest.

Safety:
    EXACT.

Costs:
    Slices: one for each axis of each tuple.

Source:
    ONNX operators GatherND, versions 11 to 13, and Gather, versions 1 to 13.
"""

from math import prod
from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Array, Chain
from inspector.rewrite.pattern import Answers, fixed_sizes, needed_constant, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "gathernd-to-gather"
_GATHER, _SLICES = "gather", "slices-concat"
_MOST_TUPLES = 8


class GatherNdToGather:
    """Rewrites a GatherND at constant indices."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"GatherND"})
    fixes = frozenset({"gather-nd.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_GATHER, _SLICES))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "GatherND" or len(node.inputs) != 2 or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        data, name = node.inputs
        indices = needed_constant(model, name, answers)
        if isinstance(indices, Refusal):
            return indices
        if node.attributes.get("batch_dims", 0) != 0:
            return answers.refuse("gathernd_batch", node.attributes["batch_dims"])
        shape = model.value(node.graph, data).shape
        sizes = None if shape is None else fixed_sizes(model, shape, tuple(range(len(shape))))
        if sizes is None:
            return answers.refuse("dynamic", text(shape), axes=data)
        tuples = _tuples(indices, sizes)
        if tuples is None:
            return answers.refuse("gathernd_indices", "×".join(map(str, indices.shape)), shape=text(shape))
        answers.holds("gathernd_indices", "×".join(map(str, indices.shape)))
        variants = (_GATHER, _SLICES) if len(tuples) <= _MOST_TUPLES else (_GATHER,)
        return answers.match(variants, {"tuples": tuples, "sizes": sizes, "lead": indices.shape[:-1]})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, tuples = editor.model.node(match.anchor), cast("Array", match.bindings["tuples"])
        sizes, lead = cast("tuple[int, ...]", match.bindings["sizes"]), cast("tuple[int, ...]", match.bindings["lead"])
        width = tuples.shape[1]
        rest = sizes[width:]
        editor.remove(node.id)
        if variant == _GATHER:
            chain = Chain(editor, node, node.inputs[0])
            if width > 1:
                chain.reshape(prod(sizes[:width]), *rest)
            flat = np.ravel_multi_index(tuple(tuples.T), sizes[:width]).astype(np.int64)
            chain.op("Gather", chain.constant(flat.reshape(lead), "indices"), axis=0).emit(node.outputs[0])
            return
        parts = []
        for row in tuples.tolist():
            part = Chain(editor, node, node.inputs[0])
            for axis, index in enumerate(row):
                part.slice(axis, index, index + 1)
            parts.append(part.emit())
        chain = Chain(editor, node, parts[0])
        if len(parts) > 1:
            chain.op("Concat", *parts[1:], axis=0)
        chain.reshape(*lead, *rest).emit(node.outputs[0])


def _tuples(indices: Array, sizes: tuple[int, ...]) -> Array | None:
    """The indices as rows `[M, k]`, each within *sizes*; None when they do not fit."""
    if indices.ndim < 1 or not 1 <= indices.shape[-1] <= len(sizes) or indices.size == 0:
        return None
    rows = indices.astype(np.int64).reshape(-1, indices.shape[-1])
    bounds = np.array(sizes[: rows.shape[1]], np.int64)
    rows = np.where(rows < 0, rows + bounds, rows)
    return None if ((rows < 0) | (rows >= bounds)).any() else rows
