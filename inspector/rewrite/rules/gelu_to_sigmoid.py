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

from inspector.model.edit import Editor
from inspector.model.graph import Node
from inspector.rewrite.arithmetic import number
from inspector.rewrite.chain import Chain
from inspector.rewrite.gelu import GeluApproximation
from inspector.rewrite.rule import Variant
from inspector.text import say

_ID = "gelu-to-sigmoid"


class GeluToSigmoid(GeluApproximation):
    """Rewrites GELU to its approximation with Sigmoid."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    limit = 0.15
    variants = (Variant("sigmoid", say(f"rewrite.{_ID}.variant.sigmoid")),)

    @staticmethod
    def build(editor: Editor, node: Node, x: str, out: str) -> None:
        """See `GeluApproximation`."""
        chain = Chain(editor, node, x)
        chain.op("Mul", number(chain, editor.model, node, 1.702, x, "factor"), role="Scale").op("Sigmoid")
        chain.op("Mul", x, role="Product").emit(out)
