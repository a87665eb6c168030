"""A BatchNormalization folded into the Conv behind it.

What it does:
    The factor of each channel goes into the weights, and the shift into the bias of the Conv that reads the result.

When it applies:
    Inference with constant parameters; the Conv alone reads the result, has constant weights, and pads nothing: at a
    padded border the Conv reads zeros that did not go through the BatchNormalization.

Why it is equivalent:
    `sum over i of W[o, i] * (factor[i] * x[i] + shift[i])` has the weights `W[o, i] * factor[i]` and the bias
    `b[o] + sum over i of W[o, i] * shift[i]`, summed over kernel positions; computed in float64.

Safety:
    EQUIVALENT: other roundings. Measured 1.4e-6 absolute inside the border.

Costs:
    None; one operator less.

Source:
    ONNX operators BatchNormalization, versions 9 to 15, and Conv, version 11.
"""

from dataclasses import replace

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.batchnorm import factors, not_affine
from inspector.rewrite.chain import Chain
from inspector.rewrite.convolution import conv, conv_site_of, conv_weights, look_conv
from inspector.rewrite.pattern import Answers, needed_outside, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "bn-into-conv"


class BnIntoConv:
    """Folds a BatchNormalization into the Conv behind it."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"BatchNormalization"})
    fixes = frozenset({"batch-normalization.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("weights", say(f"rewrite.{_ID}.variant.weights")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "BatchNormalization" or len(node.inputs) != 5 or not node.outputs:
            return answers.other()
        behind = _conv_behind(model, node)
        if behind is None:
            return answers.other()
        refusal = refuse_place(model, answers) or not_affine(model, node, answers)
        if refusal is not None:
            return refusal
        outside = needed_outside(model, node, frozenset({behind.id}))
        if outside is not None:
            return answers.refuse(outside, node.outputs[0])
        site = look_conv(model, behind, answers, ranks=(3, 4, 5))
        if isinstance(site, Refusal):
            return replace(site, anchor=anchor)
        if any(site.window.pads):
            return answers.refuse("bn_padded", site.window.pads, node=behind.label)
        factor, shift = factors(model, node)
        if factor.size != site.channels or not np.isfinite(factor).all() or not np.isfinite(shift).all():
            return answers.refuse("bn_not_finite", factor.size)
        answers.holds("sole_reader", node.outputs[0])
        return answers.match(("weights",), {"site": site}, node.id, behind.id)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, behind, site = (*(editor.model.node(n) for n in match.nodes), conv_site_of(match))
        weight, bias = conv_weights(editor, behind)
        factor, shift = factors(editor.model, node)
        maps = site.maps // site.group
        axes = (1,) * (weight.ndim - 2)
        rows = [part.reshape(site.group, 1, -1, *axes) for part in (factor, shift)]
        grouped = weight.astype(np.float64).reshape(site.group, maps, *weight.shape[1:])
        scaled = (grouped * rows[0]).reshape(weight.shape).astype(weight.dtype)
        added = (grouped * rows[1]).reshape(site.maps, -1).sum(axis=1)
        total = (added if bias is None else added + bias.astype(np.float64)).astype(weight.dtype)
        for node_id in match.nodes:
            editor.remove(node_id)
        chain = Chain(editor, behind, node.inputs[0])
        conv(chain, behind, scaled, total, site.window, group=site.group).emit(behind.outputs[0])


def _conv_behind(model: Model, node: Node) -> Node | None:
    """The Conv that reads the result of *node* as its data; None when another operator does, or a Conv its weight."""
    found = model.consumers(node.graph, node.outputs[0])
    convs = [n for n in found if n.op.name == "Conv" and not n.op.domain and n.inputs[0] == node.outputs[0]]
    return convs[0] if convs and node.outputs[0] not in convs[0].inputs[1:] else None
