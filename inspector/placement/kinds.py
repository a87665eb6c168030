"""`Verdict` and `Standing`: where a node runs, and how well a statement is supported.

They need no model, so that what only names and colours them can be shown at once; `verdict` passes them on.
"""

from collections.abc import Mapping
from enum import StrEnum


class Verdict(StrEnum):
    """Where a node runs. `FOLDED`: not at run time at all (constant, no-op, or computed before)."""

    BPU = "BPU"
    CPU = "CPU"
    UNSUPPORTED = "UNSUPPORTED"
    UNKNOWN = "UNKNOWN"
    FOLDED = "FOLDED"


SEVERITY: Mapping[Verdict, int] = {
    Verdict.FOLDED: 0,
    Verdict.BPU: 1,
    Verdict.UNKNOWN: 2,
    Verdict.CPU: 3,
    Verdict.UNSUPPORTED: 4,
}
"""Order in which the worst of several verdicts is taken."""


class Standing(StrEnum):
    """How well a statement is supported: vendor document, report of a user or a log, or our inference."""

    DOCUMENTED = "documented"
    REPORTED = "reported"
    INFERRED = "inferred"
