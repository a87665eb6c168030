"""A dilated ConvTranspose as one with zeros in its kernel.

What it does:
    Zeros are put between the kernel positions, and the dilation becomes 1.

When it applies:
    Rank 3 to 5, constant weights, at least one dilation above 1 on an axis whose kernel is longer than 1.

Why it is equivalent:
    A dilated kernel writes every d-th position; the kernel of length (k-1)*d + 1 with zeros in between adds zero to the
    positions in between. Finite values only.

Safety:
    EQUIVALENT: another order of additions. Measured 0.0.

Costs:
    A kernel that is longer by the factor d on each axis, and as many more products.

Source:
    ONNX operator ConvTranspose, version 11.
"""

from typing import Any

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.conv import ints, odd_attribute
from inspector.rewrite.pattern import Answers, constant, is_wide_float, needed_constant, rank, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "convtranspose-fill-dilation"


class ConvTransposeFillDilation:
    """Rewrites a dilated ConvTranspose to one with a longer kernel."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"ConvTranspose"})
    fixes = frozenset({"conv-transpose.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = (Variant("zeros", say(f"rewrite.{_ID}.variant.zeros")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.domain or node.op.name != "ConvTranspose" or len(node.inputs) < 2 or not node.outputs:
            return answers.other()
        if max(ints(node, "dilations", (1,))) < 2 or rank(model, node.graph, node.inputs[0]) not in (3, 4, 5):
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        name = node.inputs[1]
        weight = needed_constant(model, name, answers)
        if isinstance(weight, Refusal):
            return weight
        dtype = model.value(node.graph, node.inputs[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        kernel = tuple(int(size) for size in weight.shape[2:])
        odd = "×".join(map(str, weight.shape)) if not kernel else odd_attribute(node, kernel)
        if odd or len(kernel) + 2 != rank(model, node.graph, node.inputs[0]):
            return answers.refuse("odd_attribute", odd or "×".join(map(str, weight.shape)))
        dilations = ints(node, "dilations", (1,) * len(kernel))
        reach = tuple((k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True))
        if reach == kernel:
            return answers.other()
        answers.holds("convtranspose_dilated", f"{'×'.join(map(str, kernel))} → {'×'.join(map(str, reach))}")
        return answers.match(("zeros",), {})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node = editor.model.node(match.anchor)
        weight = np.asarray(constant(editor.model, node.graph, node.inputs[1]))
        kernel = weight.shape[2:]
        dilations = ints(node, "dilations", (1,) * len(kernel))
        reach = tuple((k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True))
        filled = np.zeros((*weight.shape[:2], *reach), weight.dtype)
        filled[:, :, *(slice(None, None, step) for step in dilations)] = weight
        editor.remove(node.id)
        attributes: dict[str, Any] = dict(node.attributes)
        attributes |= {"kernel_shape": list(reach), "dilations": [1] * len(reach)}
        chain = Chain(editor, node, node.inputs[0])
        parts = [chain.tensor(filled, node.inputs[1]), *node.inputs[2:3]]
        chain.op("ConvTranspose", *parts, **attributes).emit(node.outputs[0])
