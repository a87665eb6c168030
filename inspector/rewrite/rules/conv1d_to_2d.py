"""Conv or ConvTranspose over one axis as one over two, one of which has length 1.

What it does:
    `[N, C, L]` becomes `[N, C, 1, L]` (width) or `[N, C, L, 1]` (height), the weight gets an axis of length 1, and the
    result goes back to three axes.

When it applies:
    Rank 3, constant weight and bias, at most one of N, C, L open before and after. Strides, dilations, padding, groups
    and output_padding below the strides are free.

Why it is equivalent:
    Along an axis of length 1 a kernel of length 1 without padding does nothing; automatic padding adds none there.

Safety:
    EQUIVALENT: the same products, added in the runtime's order. Measured bit-equal.

Costs:
    Two Reshapes.

Source:
    ONNX operators Conv and ConvTranspose, versions 1 and 11.
"""

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.conv import ints, odd_attribute
from inspector.rewrite.convolution import look_conv
from inspector.rewrite.line import HEIGHT, WIDTH, lengthened, line_sizes, line_sizes_of, to_plane
from inspector.rewrite.pattern import Answers, Array, constant, is_wide_float, not_constant, rank, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "conv1d-to-2d"


class Conv1dTo2d:
    """Rewrites a Conv1d or ConvTranspose1d to its two-dimensional form."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Conv", "ConvTranspose"})
    fixes = frozenset({"conv.*", "conv-transpose.*"})
    safety = Safety.EQUIVALENT
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
        return answers.match((WIDTH, HEIGHT), {"sizes": sizes})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        before, after = line_sizes_of(match)
        weight = np.asarray(constant(editor.model, node.graph, node.inputs[1]))
        editor.remove(node.id)
        chain = to_plane(Chain(editor, node, node.inputs[0]), before, variant)
        plane = np.expand_dims(weight, 2 if variant == WIDTH else 3)
        chain.op(node.op.name, chain.tensor(plane, node.inputs[1]), *node.inputs[2:], **lengthened(node, variant))
        chain.reshape(*after).emit(node.outputs[0])


def _look(model: Model, node: Node, answers: Answers) -> Refusal | None:
    if node.op.name == "Conv":
        site = look_conv(model, node, answers, ranks=(3,))
        return site if isinstance(site, Refusal) else None
    if node.op.domain or node.op.name != "ConvTranspose" or len(node.inputs) < 2 or not all(node.inputs[:2]):
        return answers.other()
    width = rank(model, node.graph, node.inputs[0])
    if width is None:
        return answers.refuse("unknown_shape", node.inputs[0])
    if width != 3 or not node.outputs:
        return answers.other()
    refusal = refuse_place(model, answers)
    if refusal is not None:
        return refusal
    refusal = not_constant(model, node.inputs[1:3], answers)
    if refusal is not None:
        return refusal
    value = model.value(node.graph, node.inputs[0])
    if not is_wide_float(value.dtype):
        return answers.refuse("narrow_float", value.dtype)
    return _odd(node, np.asarray(constant(model, node.graph, node.inputs[1])), answers)


def _odd(node: Node, weight: Array, answers: Answers) -> Refusal | None:
    """Refusal for attributes that do not fit the *weight* `[Ci, Co/group, k]`, or that the runtime rejects."""
    odd = odd_attribute(node, weight.shape[2:]) if weight.ndim == 3 else "×".join(map(str, weight.shape))
    if odd:
        return answers.refuse("odd_attribute", odd)
    extra, strides = ints(node, "output_padding", (0,)), ints(node, "strides", (1,))
    if extra >= strides:
        return answers.refuse("output_padding", extra, strides=str(strides))
    return None
