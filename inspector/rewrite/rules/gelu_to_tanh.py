"""GELU by its approximation with Tanh.

What it does:
    `gelu(x)`, the operator or its spelling with Erf, becomes `x * 0.5 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3)))`.

When it applies:
    GELU in its exact form, on float32 or float64.

Why it is equivalent:
    It is not: this is another function that stays near, which was published as an approximation.

Safety:
    APPROXIMATE: at most 4.7e-4 absolute over all x. Held to 3e-3 of the largest value of the output, which
    is only 0.17 where no input is positive (measured there: 2.8e-3).

Costs:
    Nine operators.

Source:
    D. Hendrycks, K. Gimpel, Gaussian Error Linear Units, arXiv 1606.08415, section 2.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.gelu import Gelu, build_tanh, look_gelu
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "gelu-to-tanh"


class GeluToTanh:
    """Rewrites GELU to its approximation with Tanh."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Gelu", "Erf"})
    fixes = frozenset({"gelu.*", "erf.*"})
    safety = Safety.APPROXIMATE
    limit = 3e-3
    variants = (Variant("tanh", say(f"rewrite.{_ID}.variant.tanh")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        gelu = look_gelu(model, node, answers)
        if isinstance(gelu, Refusal):
            return gelu
        if gelu.tanh:
            return answers.refuse("gelu_tanh", "approximate = tanh")
        return answers.match(("tanh",), {"gelu": gelu}, *gelu.nodes)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        gelu = cast("Gelu", match.bindings["gelu"])
        for node_id in gelu.nodes:
            editor.remove(node_id)
        build_tanh(editor, editor.model.node(match.anchor), gelu.source, gelu.output)
