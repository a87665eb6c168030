"""`verify_fragment`, `verify_models`, `verify_files`: are two computations the same, by numbers."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from inspector.model.graph import Model, NodeId
from inspector.verify.result import Tolerance, Verification
from inspector.worker.client import Runner
from inspector.worker.protocol import Array

Progress = Callable[[int, int], None]
"""Called with (done, total) steps; what it raises ends the comparison."""


def verify_fragment(
    before: Model,
    after: Model,
    removed: tuple[NodeId, ...],
    added: tuple[NodeId, ...],
    runner: Runner,
    *,
    tolerance: Tolerance,
    seed: int = 7,
    budget_s: float = 3.0,
    progress: Progress | None = None,
) -> Verification:
    """The matched nodes against their replacement, as two small models with the same boundary tensors."""
    raise NotImplementedError


def verify_models(
    before: Model,
    after: Model,
    runner: Runner,
    *,
    tolerance: Tolerance | None = None,
    seed: int = 7,
    samples: int = 3,
    dims: Mapping[str, int] | None = None,
    intermediates: bool = True,
    feeds: Sequence[Mapping[str, Array]] | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Two whole models on the same inputs: graph outputs, and intermediates aligned by tensor name."""
    raise NotImplementedError


def verify_files(
    a: Path,
    b: Path,
    runner: Runner,
    *,
    tolerance: Tolerance | None = None,
    seed: int = 7,
    samples: int = 3,
    dims: Mapping[str, int] | None = None,
    intermediates: bool = True,
    feeds: Sequence[Mapping[str, Array]] | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Any two model files; inputs and outputs are matched by name, else by position with equal shapes."""
    raise NotImplementedError
