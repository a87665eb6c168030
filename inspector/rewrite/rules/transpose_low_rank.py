"""A Transpose of five or more axes as transposes of at most four.

What it does:
    Axes of length 1 are dropped and axes that stay side by side become one. What is left is permuted by one Transpose
    where four axes are enough, else by several, each of which exchanges two neighbouring runs of axes.

When it applies:
    Five axes or more, sizes fixed up to the first.

Why it is equivalent:
    Axes that stay side by side move like one axis of their product. Every permutation is made of exchanges of
    neighbouring runs `[a, b, c, d]` -> `[a, c, b, d]`, and each exchange brings at least two axes together that belong
    together, so that the number of runs falls.

Safety:
    EXACT.

Costs:
    For more than four runs the data moves more than once: random permutations of five to eight axes take 1 to 5
    transposes.

Source:
    ONNX operators Transpose, versions 1 to 13, and Reshape, version 5.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.conv import ints
from inspector.rewrite.pattern import Answers, batch, fixed_sizes, rank, refuse_place
from inspector.rewrite.permuting import MOST_AXES, blocks, transpose_low_rank
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "transpose-low-rank"


class TransposeLowRank:
    """Rewrites a Transpose of five or more axes to transposes of at most four."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Transpose"})
    fixes = frozenset({"transpose.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("rank-4", say(f"rewrite.{_ID}.variant.rank-4")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "Transpose" or not node.inputs or not node.inputs[0] or not node.outputs:
            return answers.other()
        width = rank(model, node.graph, node.inputs[0])
        if width is None:
            return answers.refuse("unknown_shape", node.inputs[0])
        if width <= MOST_AXES:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        perm = ints(node, "perm", tuple(reversed(range(width))))
        if sorted(perm) != list(range(width)):
            return answers.refuse("odd_attribute", f"perm = {perm}")
        shape = model.value(node.graph, node.inputs[0]).shape
        sizes = fixed_sizes(model, shape, tuple(range(1, width)))
        if sizes is None:
            return answers.refuse("dynamic", text(shape), axes=f"1, …, {width - 1}")
        every = (batch(model, shape), *sizes)
        answers.holds("transpose_runs", f"{perm}: {len(blocks(every, perm)[0])}")
        return answers.match(("rank-4",), {"sizes": every, "perm": perm})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        sizes, perm = (cast("tuple[int, ...]", match.bindings[key]) for key in ("sizes", "perm"))
        editor.remove(node.id)
        transpose_low_rank(Chain(editor, node, node.inputs[0]), sizes, perm).emit(node.outputs[0])
