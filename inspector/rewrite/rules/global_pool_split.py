"""A GlobalAveragePool over a large map as two averages.

What it does:
    AveragePool with a window that divides the map, without overlap, then GlobalAveragePool over what is left.

When it applies:
    Rank 4, fixed height and width, of which at least one has a divisor from 2 to 16.

Why it is equivalent:
    The mean over a map is the mean of the means of equal tiles.

Safety:
    EQUIVALENT: another order of additions. Measured 3e-8 absolute; 1.1e-6 of the largest value where all means of a
    large map come out near zero.

Costs:
    One more operator.

Source:
    ONNX operators GlobalAveragePool, version 1, and AveragePool, version 7.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, fixed_sizes, is_wide_float, rank, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "global-pool-split"
_LIMITS = {"window-7": 7, "window-16": 16}


class GlobalPoolSplit:
    """Rewrites a GlobalAveragePool to an AveragePool before a smaller one."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"GlobalAveragePool"})
    fixes = frozenset({"global-average-pool.*"})
    safety = Safety.EQUIVALENT
    limit = 5e-6
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in _LIMITS)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "GlobalAveragePool" or not node.inputs or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        if rank(model, node.graph, node.inputs[0]) != 4:
            return answers.other()
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        shape = model.value(node.graph, node.inputs[0]).shape
        sizes = fixed_sizes(model, shape, (2, 3))
        if sizes is None:
            return answers.refuse("dynamic", text(shape), axes="H, W")
        windows = {name: [_divisor(size, most) for size in sizes] for name, most in _LIMITS.items()}
        fitting = [name for name, window in windows.items() if max(window) > 1]
        if len(fitting) == len(_LIMITS) and windows["window-7"] == windows["window-16"]:
            fitting = ["window-7"]
        if not fitting:
            return answers.refuse("pool_divisors", "×".join(map(str, sizes)))
        answers.holds("pool_divisors", "×".join(map(str, sizes)))
        return answers.match(tuple(fitting), {"windows": windows})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        window = cast("dict[str, list[int]]", match.bindings["windows"])[variant]
        editor.remove(node.id)
        chain = Chain(editor, node, node.inputs[0]).op("AveragePool", kernel_shape=window, strides=window)
        chain.op("GlobalAveragePool").emit(node.outputs[0])


def _divisor(size: int, most: int) -> int:
    """The largest divisor of *size* that is at most *most*, and less than *size* itself; 1 when there is none."""
    return next((d for d in range(min(most, size - 1), 1, -1) if size % d == 0), 1)
