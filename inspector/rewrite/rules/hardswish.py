"""HardSwish in any spelling, written in the form that the chip runs.

What it does:
    Recognises `x * clip(x/6 + 1/2, 0, 1)` as the operator HardSwish, as a product with HardSigmoid, or spelled out with
    Add, Clip, Relu, Min, Max, Mul and Div in any order and with constants of any form; and writes it in another form.

When it applies:
    The spelling computes exactly that function (constants equal to 2e-6 relative, which is how exporters print 1/6).
    No value inside it is read elsewhere, is a graph output or is captured by a body.

Why it is equivalent:
    With a clamp of an affine function, `k * x * clip(a x + b, lo, hi)`, the pattern is HardSwish if and only if
    `lo = 0`, `a / hi = 1/6`, `b / hi = 1/2` and `k * hi = 1`. Shapes do not change: all forms are element by element.

Safety:
    EQUIVALENT: at most three roundings more. Measured 2.4e-7 absolute near |x| = 3; bit-equal for the HardSigmoid form
    of the operator.

Costs:
    conv-clip-mul reads C weights and needs a fixed channel count; constant forms add tensors of one element.

Source:
    ONNX operators HardSwish, version 14, and HardSigmoid, version 6.
"""

from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.hardswish import Spelling, spelling_of
from inspector.rewrite.pattern import Answers, fixed_sizes, refuse_place
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "hardswish"
_HARDSWISH_SINCE = 14
_FORMS = ("hardsigmoid-mul", "add-clip-mul-mul", "conv-clip-mul", "hardswish-op")


class HardSwish:
    """Rewrites HardSwish from one spelling to another."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"HardSwish", "Mul", "Div"})
    fixes = frozenset({"hard-swish.listed", "hard-sigmoid.*", "mul.*", "div.*", "add.*", "clip.*", "min.*", "max.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in _FORMS)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        spelling = spelling_of(model, node, answers)
        if isinstance(spelling, Refusal):
            return spelling
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        dtype = model.value(node.graph, spelling.source).dtype
        if dtype is not None and not dtype.is_float:
            return answers.refuse("narrow_float", dtype)
        answers.holds("hardswish_constants", spelling.found)
        answers.holds("sole_reader", ", ".join(model.node(n).label for n in spelling.nodes))
        fitting = tuple(form for form in _FORMS if form != spelling.form and self._fits(model, node, spelling, form))
        return answers.match(fitting, {"source": spelling.source}, *spelling.nodes)

    @staticmethod
    def _fits(model: Model, node: Node, spelling: Spelling, form: str) -> bool:
        shape = model.value(node.graph, spelling.source).shape
        if form == "hardswish-op":
            return model.opsets.get("", 1) >= _HARDSWISH_SINCE
        if form == "conv-clip-mul":
            return shape is not None and len(shape) == 4 and fixed_sizes(model, shape, (1,)) is not None
        return form != "add-clip-mul-mul" or shape is not None

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, source = editor.model.node(match.anchor), cast("str", match.bindings["source"])
        for node_id in match.nodes:
            editor.remove(node_id)
        chain = Chain(editor, node, source)
        if variant == "hardswish-op":
            chain.op("HardSwish").emit(node.outputs[0])
            return
        shape = editor.model.value(node.graph, source).shape or ()
        dtype = chain.dtype_of(source)
        if variant == "hardsigmoid-mul":
            chain.op("HardSigmoid", alpha=1 / 6, beta=0.5)
        elif variant == "conv-clip-mul":
            channels = shape[1].size or 1
            weight = np.full((channels, 1, 1, 1), 1 / 6, dtype)
            bias = np.full(channels, 0.5, dtype)
            parts = chain.constant(weight, "sixth"), chain.constant(bias, "half")
            chain.op("Conv", *parts, group=channels, kernel_shape=[1, 1]).clip(0, 1, dtype)
        else:
            ones = (1,) * len(shape)
            chain.op("Add", chain.constant(np.full(ones, 3, dtype), "three")).clip(0, 6, dtype)
            chain.op("Mul", chain.constant(np.full(ones, 1 / 6, dtype), "sixth"), role="Sixth")
        chain.op("Mul", source, data_index=1).emit(node.outputs[0])
