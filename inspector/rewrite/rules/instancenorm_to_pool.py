"""InstanceNormalization or GroupNormalization spelled out with means.

What it does:
    Mean, deviation, variance of the deviations, scale and shift. pool: GlobalAveragePool takes the means. reduce:
    ReduceMean over the axes behind the channels. A GroupNormalization is reshaped first, so that each group is a
    channel.

When it applies:
    Rank 3 to 5, fixed sizes up to the first. GroupNormalization from version 21 on, with a scale for each channel;
    version 18 was withdrawn. pool needs float32.

Why it is equivalent:
    That is the definition of the operators; a group of `[N, G, C/G, ...]` normalises over `[N, G, C/G * ...]`.

Safety:
    EQUIVALENT: other roundings. Measured 9.5e-7 absolute.

Costs:
    About ten operators instead of one, two reshapes more for groups.

Source:
    ONNX operators InstanceNormalization, version 6, and GroupNormalization, version 21.
"""

from math import prod
from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.model.shape import text
from inspector.rewrite.chain import Chain
from inspector.rewrite.normalising import Moments, normalised, scaled
from inspector.rewrite.pattern import Answers, batch, fixed_sizes, is_wide_float, real, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "instancenorm-to-pool"
_POOL, _REDUCE = "pool", "reduce"
_OPERATORS = frozenset({"InstanceNormalization", "GroupNormalization"})


class InstanceNormToPool:
    """Rewrites a normalisation over the axes behind the channels to means and products."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = _OPERATORS
    fixes = frozenset({"instance-normalization.*", "group-normalization.*"})
    safety = Safety.EQUIVALENT
    limit = 2e-6
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_REDUCE, _POOL))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name not in _OPERATORS or len(node.inputs) != 3 or not all(node.inputs):
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        shape = model.value(node.graph, node.inputs[0]).shape
        if shape is None or not 3 <= len(shape) <= 5:
            return answers.refuse("norm_rank", text(shape))
        sizes = fixed_sizes(model, shape, tuple(range(1, len(shape))))
        if sizes is None:
            return answers.refuse("dynamic", text(shape), axes=", ".join(map(str, range(1, len(shape)))))
        groups = _groups(node, sizes[0], answers)
        if isinstance(groups, Refusal):
            return groups
        epsilon = real(node, "epsilon", 1e-5)
        if not epsilon >= 0:
            return answers.refuse("odd_attribute", f"epsilon = {epsilon}")
        answers.holds("norm_axes", ", ".join(map(str, range(2, len(shape)))))
        bindings = {"sizes": (batch(model, shape), *sizes), "groups": groups, "epsilon": epsilon}
        return answers.match((_REDUCE, _POOL), bindings)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, groups = editor.model.node(match.anchor), cast("int", match.bindings["groups"])
        sizes, epsilon = cast("tuple[int, ...]", match.bindings["sizes"]), cast("float", match.bindings["epsilon"])
        editor.remove(node.id)
        x = node.inputs[0]
        grouped = groups != sizes[1]
        if grouped:
            x = Chain(editor, node, x).reshape(sizes[0], groups, prod(sizes[1:]) // groups, 1).emit()
        axes = (2, 3) if grouped else tuple(range(2, len(sizes)))
        value = normalised(editor, node, x, Moments(axes, epsilon, pool=variant == _POOL))
        if grouped:
            value = Chain(editor, node, value).reshape(*sizes).emit()
        shape = (1, sizes[1], *(1,) * (len(sizes) - 2))
        scaled(editor, node, value, node.inputs[1:], (shape, shape)).emit(node.outputs[0])


def _groups(node: Node, channels: int, answers: Answers) -> int | Refusal:
    """Number of groups; as many as channels for an InstanceNormalization."""
    if node.op.name == "InstanceNormalization":
        return channels
    groups = node.attributes.get("num_groups", 0)
    if not isinstance(groups, int) or groups < 1 or channels % groups:
        return answers.refuse("odd_attribute", f"num_groups = {groups}")
    if (node.op.version or 21) < 21:
        return answers.refuse("norm_withdrawn", node.op.version)
    return groups
