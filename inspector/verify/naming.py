"""Tensors of one name that stand for different things in two independent files.

Folding a BatchNormalization leaves the name of the Conv's output on other values, and a second export may number its
tensors anew. Such a difference is gross, and what follows agrees at once. A fault, in contrast, fades step by step, so
any small difference keeps the verdict at FAILED.
"""

from collections.abc import Sequence

from inspector.model.graph import MAIN, Model
from inspector.verify.result import Status, TensorDiff

GROSS = 1e-2
"""Least max_rel of a difference that another meaning of the name may explain; dimensionless."""


def other_meanings(diffs: Sequence[TensorDiff], before: Model, aligned: frozenset[str]) -> frozenset[str]:
    """Intermediates that differ only because their name was used again; empty when that does not explain it all.

    Args:
        diffs: figures of all tensors that were compared.
        before: the first model.
        aligned: names that both models compute.
    """
    failed = {d.name: d for d in diffs if d.status is Status.FAILED}
    if not failed or any(d.output or not _gross(d) for d in failed.values()):
        return frozenset()
    known = {d.name: d for d in diffs}
    for name in failed:
        for following in _next(before, name, aligned):
            diff = known.get(following)
            if diff is not None and diff.status is not Status.PASSED and following not in failed:
                return frozenset()
    return frozenset(failed)


def _gross(diff: TensorDiff) -> bool:
    """Whether the difference is too large for a fault that no output shows; another shape or dtype always is."""
    if diff.nonfinite[0] or diff.nonfinite[1]:
        return False
    return diff.max_rel is None or diff.max_rel == 0 or diff.max_rel >= GROSS


def _next(model: Model, name: str, aligned: frozenset[str]) -> frozenset[str]:
    """Aligned tensors and graph outputs that follow *name* with no other such tensor between."""
    found: set[str] = set()
    seen = {name}
    front = [o for c in model.consumers(MAIN, name) for o in c.outputs if o]
    while front:
        current = front.pop()
        if current in seen:
            continue
        seen.add(current)
        if current in aligned or model.is_output(MAIN, current):
            found.add(current)
        else:
            front.extend(o for c in model.consumers(MAIN, current) for o in c.outputs if o)
    return frozenset(found)
