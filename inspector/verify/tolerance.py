"""Limits by safety class, stage and dtype.

An equivalent rewrite changes only the order of rounding: every one that was measured stayed below 8.0e-7 of the largest
reference value, and the runtime's own optimiser differs from itself by 9.0e-7. Rounding errors of consecutive layers
add like a random walk, hence the square root of the depth for a whole model. float16 rounds at 4.9e-4, so four such
roundings are its floor.
"""

from math import isfinite, sqrt

from inspector.errors import UsageError
from inspector.text import Message, say
from inspector.verify.result import StageName, Tolerance

EQUIVALENT = 1e-6
"""Largest max_rel of an equivalent rewrite, dimensionless."""

CAP = 1e-5
"""No declared or depth-scaled limit may exceed this, dimensionless."""

FLOAT16_FLOOR = 2.0**-9
"""Four unit roundoffs of float16; a float16 tensor is not held to less than this unless bit-exact is asked."""


def tolerance_for(
    bit_exact: bool, declared: float | None = None, stage: StageName = StageName.FRAGMENT, *, depth: int = 1
) -> Tolerance:
    """The limit for a rewrite.

    Args:
        bit_exact: the rewrite only moves data.
        declared: max_rel that the rule declares, capped at `CAP`; None takes `EQUIVALENT`.
        stage: which comparison; only the whole model is scaled by depth.
        depth: nodes on the longest path through the model, at least 1.
    """
    if bit_exact:
        return Tolerance(True, 0.0, say("verify.limit_exact"))
    base = EQUIVALENT if declared is None else min(declared, CAP)
    origin: Message = say("verify.limit_equivalent") if declared is None else say("verify.limit_declared")
    if stage is StageName.MODEL and depth > 1:
        return Tolerance(False, min(base * sqrt(depth), CAP), say("verify.limit_depth", base=f"{base:.1e}", n=depth))
    return Tolerance(False, base, origin)


def stated_tolerance(max_rel: float) -> Tolerance:
    """The limit that an approximate rule states: its own error, not capped."""
    return Tolerance(False, max_rel, say("verify.limit_stated"))


def user_tolerance(max_rel: float) -> Tolerance:
    """A limit chosen by the user; 0 asks for equal elements.

    Raises:
        UsageError: *max_rel* is negative, infinite or not a number, so that nothing could exceed it or all would.
    """
    if not isfinite(max_rel) or max_rel < 0:
        raise UsageError(say("verify.limit_unusable", found=f"{max_rel:g}"), say("verify.limit_unusable_help"))
    return Tolerance(max_rel == 0, max_rel, say("verify.limit_user"))


def limit_for(tolerance: Tolerance, dtype: str) -> float:
    """The max_rel that a tensor of numpy *dtype* is held to."""
    if tolerance.bit_exact:
        return 0.0
    return max(tolerance.max_rel, FLOAT16_FLOOR) if dtype == "float16" else tolerance.max_rel
