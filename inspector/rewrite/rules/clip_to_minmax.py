"""Clip as Max and Min.

What it does:
    Clip becomes Max with the lower limit, then Min with the upper one; a limit that is not set is left out.

When it applies:
    Constant limits, at least one of them. float32 or float64.

Why it is equivalent:
    Clip is defined as `min(max(x, lo), hi)`.

Safety:
    EXACT.

Costs:
    Two operators instead of one where both limits stand.

Source:
    ONNX operators Clip, versions 6 to 13, Min and Max, versions 8 to 13.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, Node, NodeId
from inspector.rewrite.activation import look_activation
from inspector.rewrite.arithmetic import number
from inspector.rewrite.chain import Chain
from inspector.rewrite.pattern import Answers, needed_constant, real
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "clip-to-minmax"


class ClipToMinMax:
    """Rewrites a Clip to Max and Min."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Clip"})
    fixes = frozenset({"clip.*"})
    safety = Safety.EXACT
    limit = None
    variants = (Variant("max-min", say(f"rewrite.{_ID}.variant.max-min")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        refusal = look_activation(model, node, "Clip", answers)
        if refusal is not None:
            return refusal
        limits: list[float | None] = []
        for index, name in enumerate(("min", "max"), start=1):
            given = node.inputs[index] if len(node.inputs) > index else ""
            if not given:
                limits.append(real(node, name, 0.0) if name in node.attributes else None)
                continue
            values = needed_constant(model, given, answers)
            if isinstance(values, Refusal):
                return values
            if values.size != 1:
                return answers.refuse("not_constant", given)
            limits.append(float(values.reshape(())))
        if limits == [None, None]:
            return answers.other()
        if any(limit is not None and limit != limit for limit in limits):
            return answers.refuse("odd_attribute", f"min = {limits[0]}, max = {limits[1]}")
        answers.holds("clip_limits", ", ".join("–" if limit is None else f"{limit:g}" for limit in limits))
        return answers.match(("max-min",), {"limits": tuple(limits)})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        node: Node = editor.model.node(match.anchor)
        x, limits = node.inputs[0], cast("tuple[float | None, float | None]", match.bindings["limits"])
        editor.remove(node.id)
        chain = Chain(editor, node, x)
        for op, limit in zip(("Max", "Min"), limits, strict=True):
            if limit is not None:
                chain.op(op, number(chain, editor.model, node, limit, x, op.lower()))
        chain.emit(node.outputs[0])
