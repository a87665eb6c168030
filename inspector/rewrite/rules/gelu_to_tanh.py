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

from inspector.rewrite.gelu import GeluApproximation, build_tanh
from inspector.rewrite.rule import Variant
from inspector.text import say

_ID = "gelu-to-tanh"


class GeluToTanh(GeluApproximation):
    """Rewrites GELU to its approximation with Tanh."""

    id = _ID
    title = say(f"rewrite.{_ID}.title")
    summary = say(f"rewrite.{_ID}.summary")
    limit = 3e-3
    variants = (Variant("tanh", say(f"rewrite.{_ID}.variant.tanh")),)
    build = staticmethod(build_tanh)
