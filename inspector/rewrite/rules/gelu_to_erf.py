"""Gelu spelled out, for toolchains and opsets without the operator.

What it does:
    `gelu(x)` becomes `x * 0.5 * (1 + erf(x / sqrt 2))`; with approximate = tanh its form with Tanh.

When it applies:
    The operator Gelu on float32 or float64.

Why it is equivalent:
    That is the definition of the operator.

Safety:
    EQUIVALENT: other roundings. Measured 0.0 for the form with Erf.

Costs:
    Five operators, or nine with Tanh.

Source:
    ONNX operator Gelu, version 20.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.gelu import Gelu, build_erf, build_tanh, look_gelu
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "gelu-to-erf"
_ERF, _TANH = "erf", "tanh"


class GeluToErf:
    """Rewrites the operator Gelu to the function that it stands for."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Gelu"})
    fixes = frozenset({"gelu.*"})
    safety = Safety.EQUIVALENT
    limit = None
    variants = tuple(Variant(v, say(f"rewrite.{_ID}.variant.{v}")) for v in (_ERF, _TANH))

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        if node.op.name != "Gelu":
            return answers.other()
        gelu = look_gelu(model, node, answers)
        if isinstance(gelu, Refusal):
            return gelu
        return answers.match((_TANH if gelu.tanh else _ERF,), {"gelu": gelu})

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """See `Rule`."""
        node, gelu = editor.model.node(match.anchor), cast("Gelu", match.bindings["gelu"])
        editor.remove(node.id)
        build = build_tanh if variant == _TANH else build_erf
        build(editor, node, gelu.source, gelu.output)
