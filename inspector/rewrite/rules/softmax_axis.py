"""Softmax over another axis, between two transposes.

What it does:
    axis-1: the axis changes places with axis 1, Softmax runs over axis 1, and the axes change back. last: the same with
    the last axis. rows: every line becomes a row of `[rows, C, 1, 1]`, and Softmax runs over its axis 1.

When it applies:
    Rank 2 to 5, one axis, which is not the wanted one already. Before opset 13 Softmax runs over the axes behind as
    well, so that axis-1 is offered from opset 13 on. rows: fixed sizes, up to the first.

Why it is equivalent:
    Softmax treats every line along its axis by itself; a transpose only moves the lines.

Safety:
    EXACT.

Costs:
    Two transposes.

Source:
    ONNX operator Softmax, versions 1 to 13.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, batch, fixed
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.rewrite.softmax import SoftmaxSite, look_softmax
from inspector.text import say

_ID = "softmax-axis"
_FIRST, _LAST, _ROWS = "axis-1", "last", "rows"
_ONE_AXIS_SINCE = 13


class SoftmaxAxis:
    """Moves the axis of a Softmax."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Softmax"})
    fixes = frozenset({"softmax.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_FIRST, _ROWS, _LAST))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        site = look_softmax(model, node, answers)
        if isinstance(site, Refusal):
            return site
        if not 2 <= site.rank <= 5:
            return answers.refuse("softmax_rank", site.rank)
        one_axis = model.opsets.get("", 1) >= _ONE_AXIS_SINCE
        fitting = [_FIRST] if site.axis != 1 and one_axis else []
        if site.axis != site.rank - 1 and (site.rank - 1 != 1 or not fitting):
            fitting.append(_LAST)
        shape = model.value(node.graph, node.inputs[0]).shape
        order = (*(axis for axis in range(site.rank) if axis != site.axis), site.axis)
        sizes = [batch(model, shape) if axis == 0 else fixed(model, shape, axis) for axis in order]
        plain = site.rank == 4 and sizes[1:3] == [1, 1] and site.axis == 1
        if None not in sizes and sizes[-1] != -1 and not plain:
            fitting.append(_ROWS)
        bindings = {"site": site, "order": order, "sizes": sizes}
        return answers.match(tuple(fitting), bindings) if fitting else answers.other()

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, site = editor.model.node(match.anchor), cast("SoftmaxSite", match.bindings["site"])
        if variant == _ROWS:
            self._rows(editor, node, match)
            return
        wanted = 1 if variant == _FIRST else site.rank - 1
        order = list(range(site.rank))
        order[site.axis], order[wanted] = order[wanted], order[site.axis]
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0]).transpose(*order).op("Softmax", axis=wanted)
        chain.op("Transpose", role="Back", perm=order).emit(node.outputs[0])

    @staticmethod
    def _rows(editor: Editor, node: Node, match: Match) -> None:
        order, sizes = cast("tuple[int, ...]", match.bindings["order"]), cast("list[int]", match.bindings["sizes"])
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0])
        moved = order != tuple(range(len(order)))
        if moved:
            chain.transpose(*order)
        chain.reshape(-1, sizes[-1], 1, 1).op("Softmax", axis=1).reshape(*sizes)
        if moved:
            chain.op("Transpose", role="Back", perm=[order.index(axis) for axis in range(len(order))])
        chain.emit(node.outputs[0])
