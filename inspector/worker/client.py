"""`Runner`, the door to native code, with its two doors: `WorkerClient` (child process) and `InProcessRunner`."""

from collections.abc import Callable
from typing import Protocol

from inspector.worker.protocol import RunReply, RunRequest


class Runner(Protocol):
    """Whatever can check, infer and run a model."""

    def infer_shapes(self, model: bytes, *, data_prop: bool = True) -> bytes:
        """Serialised ModelProto *model* with the shapes that onnx infers.

        Raises:
            WorkerError: the library gave no answer; `WorkerCrashed`, `WorkerTimeout`, `WorkerCancelled` are its kinds.
        """

    def check_model(self, model: bytes) -> str | None:
        """What `onnx.checker` says against *model*; None when it has no complaint.

        Raises:
            WorkerError: as `infer_shapes`.
        """

    def run(self, request: RunRequest) -> RunReply:
        """Run a model file.

        Raises:
            WorkerError: as `infer_shapes`; also when this runner cannot run models.
        """


class InProcessRunner:
    """Check and infer in this process, for the command line; `run` is refused. Loads onnx only when asked."""

    def infer_shapes(self, model: bytes, *, data_prop: bool = True) -> bytes:
        """See `Runner`."""
        raise NotImplementedError

    def check_model(self, model: bytes) -> str | None:
        """See `Runner`."""
        raise NotImplementedError

    def run(self, request: RunRequest) -> RunReply:
        """Refused: native inference belongs into the worker process."""
        raise NotImplementedError


class WorkerJob:
    """A `Runner` for one job of the window: its requests share the client's child, and can be cancelled together."""

    def infer_shapes(self, model: bytes, *, data_prop: bool = True) -> bytes:
        """See `Runner`."""
        raise NotImplementedError

    def check_model(self, model: bytes) -> str | None:
        """See `Runner`."""
        raise NotImplementedError

    def run(self, request: RunRequest) -> RunReply:
        """See `Runner`."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop this job's request within 0.2 s; its caller gets `WorkerCancelled`, and so does every later request."""
        raise NotImplementedError


class WorkerClient:
    """One long-lived child process; usable from several threads, which take turns.

    Args:
        time_limit_s: a request that takes longer is stopped with `WorkerTimeout`.
        memory_limit_bytes: address space of the child; None takes 80 % of the machine's memory.
        on_start: called with the child's process id after each start.
    """

    def __init__(
        self,
        *,
        time_limit_s: float = 600.0,
        memory_limit_bytes: int | None = None,
        on_start: Callable[[int], None] | None = None,
    ) -> None:
        raise NotImplementedError

    def job(self) -> WorkerJob:
        """A runner whose requests can be cancelled without touching those of other jobs."""
        raise NotImplementedError

    def warm_up(self) -> None:
        """Start the child and load its libraries, so that the first real request does not wait for them."""
        raise NotImplementedError

    def infer_shapes(self, model: bytes, *, data_prop: bool = True) -> bytes:
        """See `Runner`."""
        raise NotImplementedError

    def check_model(self, model: bytes) -> str | None:
        """See `Runner`."""
        raise NotImplementedError

    def run(self, request: RunRequest) -> RunReply:
        """See `Runner`."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Stop the request that is running now, whoever asked; its caller gets `WorkerCancelled`."""
        raise NotImplementedError

    def close(self) -> None:
        """End the child and remove its files. Called at exit too; a closed client refuses requests."""
        raise NotImplementedError
