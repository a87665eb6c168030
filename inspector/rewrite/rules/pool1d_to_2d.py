"""Pooling over one axis as pooling over two, one of which has length 1.

What it does:
    `[N, C, L]` becomes `[N, C, 1, L]` (width) or `[N, C, L, 1]` (height), is pooled by the same operator with a window
    of length 1 along the new axis, and goes back to three axes.

When it applies:
    MaxPool without indices, AveragePool, GlobalMaxPool, GlobalAveragePool of rank 3; at most one of N, C, L open before
    and after, and neither N nor C when output sizes are rounded up: onnx and the runtime do not always agree on how
    many windows there are then, so that the last Reshape leaves the length open.

Why it is equivalent:
    Along an axis of length 1 a window of length 1 without padding does nothing; automatic padding adds none there, and
    the number of elements that an average divides by stays.

Safety:
    EXACT.

Costs:
    Two Reshapes.

Source:
    ONNX operators MaxPool, versions 1 to 12, AveragePool, versions 1 to 19, GlobalMaxPool and GlobalAveragePool.
"""

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.line import HEIGHT, WIDTH, lengthened, line_sizes, line_sizes_of, to_plane
from inspector.rewrite.pattern import Answers, is_wide_float, rank, refuse_place
from inspector.rewrite.pooling import look_pool
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "pool1d-to-2d"
_WINDOWS, _GLOBAL = ("MaxPool", "AveragePool"), ("GlobalMaxPool", "GlobalAveragePool")


class Pool1dTo2d:
    """Rewrites pooling over one axis to its two-dimensional form."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset((*_WINDOWS, *_GLOBAL))
    fixes = frozenset({"max-pool.*", "average-pool.*", "global-max-pool.*", "global-average-pool.*"})
    safety = Safety.EXACT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (WIDTH, HEIGHT))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        refusal = _look(model, node, answers)
        if refusal is not None:
            return refusal
        sizes = line_sizes(model, node, answers)
        if isinstance(sizes, Refusal):
            return sizes
        rounded_up = node.attributes.get("ceil_mode", 0) == 1
        if rounded_up and -1 in sizes[1][:2]:
            return answers.refuse("pool_ceil", "ceil_mode = 1")
        after = (*sizes[1][:2], -1) if rounded_up else sizes[1]
        return answers.match((WIDTH, HEIGHT), {"sizes": (sizes[0], after)})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        before, after = line_sizes_of(match)
        editor.remove(node.id)
        chain = to_plane(Chain(editor, node, node.inputs[0]), before, variant)
        chain.op(node.op.name, **lengthened(node, variant)).reshape(*after).emit(node.outputs[0])


def _look(model: Model, node: Node, answers: Answers) -> Refusal | None:
    known = node.op.name in (*_WINDOWS, *_GLOBAL) and not node.op.domain
    if not known or not node.inputs or not node.inputs[0] or not node.outputs:
        return answers.other()
    width = rank(model, node.graph, node.inputs[0])
    if width is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    if width != 3:
        return answers.other()
    if node.op.name in _WINDOWS:
        site = look_pool(model, node, node.op.name, answers)
        return site if isinstance(site, Refusal) else None
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    dtype = model.value(node.graph, node.inputs[0]).dtype
    return None if is_wide_float(dtype) else answers.refuse("narrow_float", dtype)
