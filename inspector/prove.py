"""`prove`: the numerical proof of a previewed rewrite, fragment first, then the whole model."""

from collections.abc import Callable, Mapping, Sequence

from inspector.rewrite.rule import Preview, Safety
from inspector.verify.result import Verification
from inspector.worker.client import Runner
from inspector.worker.protocol import Array


def prove(
    preview: Preview,
    rule_safety: Safety,
    rule_limit: float | None,
    runner: Runner,
    *,
    whole_model: bool = True,
    limit: float | None = None,
    seed: int = 7,
    samples: int = 3,
    dims: Mapping[str, int] | None = None,
    feeds: Sequence[Mapping[str, Array]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Verification, ...]:
    """Verifications of *preview*: the fragment stage, then the whole model unless the fragment failed."""
    raise NotImplementedError
