"""LayerNormalization or RMSNormalization spelled out with ReduceMean.

What it does:
    The normalisation becomes mean, deviation, variance of the deviations, and scale and shift. last-axes: the means run
    over the axes where they stand. channel-first: the normalised axis goes to axis 1 and back.

When it applies:
    Known rank, one output; scale and bias of any kind. channel-first needs rank 3 or 4 and the last axis alone.

Why it is equivalent:
    That is the definition of the operators; the variance is the mean of the squared deviations (two passes), never the
    difference of two means.

Safety:
    EQUIVALENT: other roundings. Measured 1.2e-6 absolute for N(0, 1).

Costs:
    About ten operators instead of one; channel-first two transposes more.

Source:
    ONNX operators LayerNormalization, version 17, and RMSNormalization, version 23.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.normalising import Moments, normalised, scaled
from inspector.rewrite.pattern import Answers, is_wide_float, rank, real, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "layernorm-to-reduce"
_LAST, _FIRST = "last-axes", "channel-first"
_OPERATORS = frozenset({"LayerNormalization", "RMSNormalization"})


class LayerNormToReduce:
    """Rewrites a normalisation over the last axes to means and products."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = _OPERATORS
    fixes = frozenset({"layer-normalization.*", "rms-normalization.*"})
    safety = Safety.EQUIVALENT
    limit = 2e-6
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_LAST, _FIRST))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name not in _OPERATORS or len(node.inputs) < 2 or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        further = [name for name in node.outputs[1:] if name]
        if any(model.is_output(node.graph, name) or model.consumers(node.graph, name) for name in further):
            return answers.refuse("norm_outputs", ", ".join(further))
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        width = rank(model, node.graph, node.inputs[0])
        if width is None:
            return answers.refuse("unknown_shape", node.inputs[0])
        axis, epsilon = node.attributes.get("axis", -1), real(node, "epsilon", 1e-5)
        if not isinstance(axis, int) or not -width <= axis < width or not epsilon >= 0:
            return answers.refuse("odd_attribute", f"axis = {axis}, epsilon = {epsilon}")
        axes = tuple(range(axis % width, width))
        answers.holds("norm_axes", ", ".join(map(str, axes)))
        moveable = axes == (width - 1,) and width in (3, 4)
        bindings = {"axes": axes, "epsilon": epsilon, "width": width}
        return answers.match((_LAST, _FIRST) if moveable else (_LAST,), bindings)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, width = editor.model.node(match.anchor), int(str(match.bindings["width"]))
        axes = cast("tuple[int, ...]", match.bindings["axes"])
        epsilon = float(str(match.bindings["epsilon"]))
        centred = node.op.name == "LayerNormalization"
        names = (*node.inputs[1:3], "")[:2]
        editor.remove(node.id)
        x = node.inputs[0]
        if variant == _LAST:
            value = normalised(editor, node, x, Moments(axes, epsilon, centred=centred))
            scaled(editor, node, value, names, (None, None)).emit(node.outputs[0])
            return
        forward = (0, width - 1, *range(1, width - 1))
        moved = Chain(editor, node, x).transpose(*forward).emit()
        value = normalised(editor, node, moved, Moments((1,), epsilon, centred=centred))
        shape = (1, -1, *(1,) * (width - 2))
        chain = scaled(editor, node, value, names, (shape, shape))
        chain.transpose(0, *range(2, width), 1).emit(node.outputs[0])
