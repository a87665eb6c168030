"""GELU by its approximation with Sigmoid.

What it does:
    `gelu(x)`, the operator or its spelling with Erf, becomes `x * sigmoid(1.702 x)`.

When it applies:
    GELU in its exact form, on float32 or float64.

Why it is equivalent:
    It is not: this is another function that stays near, which was published as an approximation.

Safety:
    APPROXIMATE: at most 2.0e-2 absolute over all x. Held to 0.15 of the largest value of the output, which
    is only 0.17 where no input is positive (measured there: 0.12).

Costs:
    Three operators.

Source:
    D. Hendrycks, K. Gimpel, Gaussian Error Linear Units, arXiv 1606.08415, section 2.
"""

from typing import cast

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.rewrite.gelu import Gelu, build_sigmoid, look_gelu
from inspector.rewrite.pattern import Answers
from inspector.rewrite.rule import Match, Refusal, Safety, Variant
from inspector.text import say

_ID = "gelu-to-sigmoid"


class GeluToSigmoid:
    """Rewrites GELU to its approximation with Sigmoid."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    anchors = frozenset({"Gelu", "Erf"})
    fixes = frozenset({"gelu.*", "erf.*"})
    safety = Safety.APPROXIMATE
    limit = 0.15
    variants = (Variant("sigmoid", say(f"rewrite.{_ID}.variant.sigmoid")),)

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """See `Rule`."""
        node = model.node(anchor)
        answers = Answers(_ID, node)
        gelu = look_gelu(model, node, answers)
        if isinstance(gelu, Refusal):
            return gelu
        if gelu.tanh:
            return answers.refuse("gelu_tanh", "approximate = tanh")
        return answers.match(("sigmoid",), {"gelu": gelu}, *gelu.nodes)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:  # noqa: ARG002 - there is one variant
        """See `Rule`."""
        gelu = cast("Gelu", match.bindings["gelu"])
        for node_id in gelu.nodes:
            editor.remove(node_id)
        build_sigmoid(editor, editor.model.node(match.anchor), gelu.source, gelu.output)
