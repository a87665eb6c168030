"""Min and Max with constant limits as Clip.

What it does:
    `min(max(x, lo), hi)`, in either order and with one limit or both, becomes Clip.

When it applies:
    The limits are one constant number each that does not raise the rank, and lo <= hi. The inner node is read by the
    outer one alone. float32 or float64.

Why it is equivalent:
    Clip is defined as `min(max(x, lo), hi)`; with lo <= hi the order does not matter.

Safety:
    EXACT for finite numbers; an infinity beyond a limit that is not set becomes the largest number.

Costs:
    None; one operator less where both limits stand.

Source:
    ONNX operators Clip, versions 6 to 13, Min and Max, versions 8 to 13.
"""

from math import inf
from typing import cast

import numpy as np

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, is_wide_float, needed_outside, refuse_place, scalar
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "minmax-to-clip"
_OPERATORS = frozenset({"Min", "Max"})
_LIMITS_ARE_INPUTS_SINCE = 11
"""Before, Clip has its limits as attributes, which are float32."""


class MinMaxToClip:
    """Rewrites Min and Max with constant limits to Clip."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = _OPERATORS
    fixes = frozenset({"min.*", "max.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("clip", say(f"rewrite.{_ID}.variant.clip")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        outer = _limit(model, node)
        if outer is None or not node.outputs:
            return answers.other()
        refusal = refuse_place(model, answers)
        if refusal is not None:
            return refusal
        dtype = model.value(node.graph, outer[0]).dtype
        if not is_wide_float(dtype):
            return answers.refuse("narrow_float", dtype)
        source, limits = outer[0], {node.op.name: outer[1]}
        nodes = [node.id]
        before = model.producer(node.graph, source)
        inner = None if before is None or before.op.name == node.op.name else _limit(model, before)
        if before is not None and inner is not None and needed_outside(model, before, frozenset({node.id})) is None:
            source, nodes = inner[0], [before.id, node.id]
            limits[before.op.name] = inner[1]
        low, high = limits.get("Max", -inf), limits.get("Min", inf)
        if not low <= high:
            return answers.refuse("clip_order", f"{low:g}, {high:g}")
        if model.opsets.get("", 1) < _LIMITS_ARE_INPUTS_SINCE:
            rough = [n for n in (low, high) if float(np.float32(n)) != n]
            if rough:
                return answers.refuse("clip_attribute", f"{rough[0]:.17g}")
        answers.holds("clip_order", f"{low:g}, {high:g}")
        return answers.match(("clip",), {"source": source, "low": low, "high": high}, *nodes)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node, source = editor.model.node(match.anchor), cast("str", match.bindings["source"])
        for node_id in match.nodes:
            editor.remove(node_id)
        chain = Chain(editor, node, source)
        low, high = (float(str(match.bindings[name])) for name in ("low", "high"))
        limits = (None if low == -inf else low, None if high == inf else high)
        chain.clip(*limits, chain.dtype_of(source)).emit(node.outputs[0])


def _limit(model: Model, node: Node) -> tuple[str, float] | None:
    """The computed value and the constant number of a Min or Max of two; None for any other node."""
    if node.op.domain or node.op.name not in _OPERATORS or len(node.inputs) != 2:
        return None
    for name, other in (node.inputs, node.inputs[::-1]):
        if name and not model.is_constant(node.graph, name):
            value = scalar(model, node.graph, other, name)
            if value is not None:
                return name, value
    return None
