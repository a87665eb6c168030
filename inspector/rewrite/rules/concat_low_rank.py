"""A Concat of five or more axes as one of four.

What it does:
    The axes between the first and the joined one become one axis, and so do those behind it; the result gets its axes
    back.

When it applies:
    Rank 5 or more, sizes fixed up to the first.

Why it is equivalent:
    Concat moves whole runs of the elements behind the joined axis; how these are divided into axes does not matter.

Safety:
    EXACT.

Costs:
    A Reshape for each input and one for the result.

Source:
    ONNX operators Concat, versions 4 to 13, and Reshape, version 5.
"""

from math import prod
from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, batch, fixed_sizes, rank, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "concat-low-rank"
_MOST_AXES = 4


class ConcatLowRank:
    """Rewrites a Concat of five or more axes to one of four."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Concat"})
    fixes = frozenset({"concat.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("rank-4", say(f"rewrite.{_ID}.variant.rank-4")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Concat" or not node.inputs or not all(node.inputs) or not node.outputs:
            return answers.other()
        width = rank(model, node.graph, node.outputs[0])
        if width is None:
            return answers.refuse("unknown_shape", node.outputs[0])
        if width <= _MOST_AXES:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        axis = node.attributes.get("axis")
        if not isinstance(axis, int) or not -width <= axis < width:
            return answers.refuse("odd_attribute", f"axis = {axis}")
        found = []
        for name in (*node.inputs, node.outputs[0]):
            shape = model.value(node.graph, name).shape
            sizes = fixed_sizes(model, shape, tuple(range(1, width)))
            if sizes is None:
                return answers.refuse("dynamic", text(shape), axes=f"1, …, {width - 1}")
            found.append((batch(model, shape), *sizes))
        if axis % width == 0 and any(sizes[0] < 0 for sizes in found):
            return answers.refuse("dynamic", text(model.value(node.graph, node.outputs[0]).shape), axes="0")
        answers.holds("concat_axis", axis)
        return answers.match(("rank-4",), {"axis": axis % width, "sizes": found})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, axis = editor.model.node(match.anchor), cast("int", match.bindings["axis"])
        *inputs, made = cast("list[tuple[int, ...]]", match.bindings["sizes"])
        editor.remove(node.id)
        parts = [
            Chain(editor, node, name).reshape(*_view(sizes, axis)).emit()
            for name, sizes in zip(node.inputs, inputs, strict=True)
        ]
        joined = 0 if axis == 0 else 2
        chain = Chain(editor, node, parts[0]).op("Concat", *parts[1:], axis=joined)
        chain.reshape(*made).emit(node.outputs[0])


def _view(sizes: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """Four axes: the first, those up to *axis*, *axis*, and those behind; for axis 0 it, 1, 1 and those behind."""
    if axis == 0:
        return sizes[0], 1, 1, prod(sizes[1:])
    return sizes[0], prod(sizes[1:axis]), sizes[axis], prod(sizes[axis + 1 :])
