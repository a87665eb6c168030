"""`Runner`, the door to native code, with its two doors: `WorkerClient` (child process) and `InProcessRunner`."""

import atexit
import queue
import shutil
import signal
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event, Lock
from typing import Any, Protocol

from inspector.errors import WorkerCancelled, WorkerCrashed, WorkerError, WorkerTimeout, system_reason
from inspector.text import say
from inspector.worker.arrays import read_arrays, write_arrays
from inspector.worker.folders import private_folder, scratch
from inspector.worker.limits import MEMORY_EXIT, physical_memory
from inspector.worker.process import Child
from inspector.worker.protocol import Fault, Op, RunReply, RunRequest, RuntimeInfo, Transform, as_feed

_POLL_S = 0.05
_MEMORY_PERCENT = 80


class ModelRefused(WorkerError):  # noqa: N818 - reads as what happened
    """The worker is well, but the runtime refuses the model or an operator of it."""


class Runner(Protocol):
    """Whatever can check, infer and run a model."""

    def infer_shapes(self, model: bytes, *, data_prop: bool = True, strict: bool = False) -> bytes:
        """Serialised ModelProto *model* with the shapes that onnx infers; *strict*: refused where anything contradicts.

        Raises:
            WorkerError: the library gave no answer; `WorkerCrashed`, `WorkerTimeout`, `WorkerCancelled` are its kinds.
        """

    def check_model(self, model: bytes) -> str | None:
        """What `onnx.checker` says against *model*; None when it has no complaint.

        Raises:
            WorkerError: as `infer_shapes`.
        """

    def transform(self, model: bytes, how: Transform, version: int = 0) -> bytes:
        """Serialised *model* as a library makes it anew; *version* is the opset to convert to.

        Raises:
            WorkerError: as `infer_shapes`; `ModelRefused` when the library cannot.
        """

    def run(self, request: RunRequest) -> RunReply:
        """Run a model file.

        Raises:
            WorkerError: as `infer_shapes`; also when this runner cannot run models.
        """


class InProcessRunner:
    """Check and infer in this process, for the command line; `run` is refused. Loads onnx only when asked."""

    def infer_shapes(self, model: bytes, *, data_prop: bool = True, strict: bool = False) -> bytes:
        """See `Runner`."""
        from onnx.checker import ValidationError
        from onnx.shape_inference import InferenceError

        from inspector.worker.tasks import infer_shapes

        try:
            return infer_shapes(model, data_prop=data_prop, strict=strict)
        except (InferenceError, ValidationError, ValueError, RuntimeError) as error:
            raise task_failure(Fault.MODEL, str(error)) from error

    def check_model(self, model: bytes) -> str | None:
        """See `Runner`."""
        from inspector.worker.tasks import check_model

        try:
            return check_model(model)
        except (ValueError, RuntimeError) as error:
            raise task_failure(Fault.MODEL, str(error)) from error

    def transform(self, model: bytes, how: Transform, version: int = 0) -> bytes:
        """Refused: it belongs into the worker process."""
        raise WorkerError(say("worker.no_transform", how=how.value, version=version, bytes=len(model)))

    def run(self, request: RunRequest) -> RunReply:
        """Refused: native inference belongs into the worker process."""
        raise WorkerError(say("worker.no_run", model=request.model.name), say("worker.no_run_help"))


class _Requests(ABC):
    """The requests of a `Runner`, in terms of `_ask`."""

    def infer_shapes(self, model: bytes, *, data_prop: bool = True, strict: bool = False) -> bytes:
        """See `Runner`."""
        with scratch("infer-") as folder:
            source, result = folder / "model.onnx", folder / "result.onnx"
            _write(source, model)
            request = {"op": Op.INFER, "model": str(source), "result": str(result)}
            self._ask({**request, "data_prop": data_prop, "strict": strict})
            return result.read_bytes()

    def check_model(self, model: bytes) -> str | None:
        """See `Runner`."""
        with scratch("check-") as folder:
            source = folder / "model.onnx"
            _write(source, model)
            complaint = self._ask({"op": Op.CHECK, "model": str(source)})["complaint"]
        return None if complaint is None else str(complaint)

    def transform(self, model: bytes, how: Transform, version: int = 0) -> bytes:
        """See `Runner`."""
        with scratch("transform-") as folder:
            source, result = folder / "model.onnx", folder / "result.onnx"
            _write(source, model)
            self._ask({"op": Op.TRANSFORM, "model": str(source), "result": str(result), "how": how, "version": version})
            return result.read_bytes()

    def run(self, request: RunRequest) -> RunReply:
        """See `Runner`."""
        folder = Path(tempfile.mkdtemp(prefix="run-", dir=private_folder()))
        feeds, results = folder / "feeds.bin", folder / "results.bin"
        try:
            try:
                table = write_arrays(feeds, [{k: as_feed(v) for k, v in feed.items()} for feed in request.feeds])
            except OSError as error:
                raise task_failure(Fault.DISK, str(error)) from error
            reply = self._ask(
                {
                    "op": Op.RUN, "model": str(request.model), "feeds": str(feeds), "table": table,
                    "results": str(results), "outputs": request.outputs, "backend": request.backend,
                    "threads": request.threads, "keep": request.keep,
                },
                model=request.model.name,
            )  # fmt: skip
            arrays = read_arrays(results, reply["table"])
        finally:
            shutil.rmtree(folder, ignore_errors=True)  # mapped bytes live on where the system allows it
        return RunReply(arrays, RuntimeInfo(**reply["runtime"]), reply["elapsed_s"], reply["peak_bytes"])

    @abstractmethod
    def _ask(self, message: Mapping[str, Any], model: str = "") -> dict[str, Any]:
        """The result of one request; *model* is what to call the model in an error."""


class WorkerJob(_Requests):
    """A `Runner` for one job of the window: its requests share the client's child, and can be cancelled together."""

    def __init__(self, client: "WorkerClient") -> None:
        self._client = client
        self._cancelled = Event()

    def cancel(self) -> None:
        """Stop this job's request within 0.2 s; its caller gets `WorkerCancelled`, and so does every later request."""
        self._cancelled.set()

    def _ask(self, message: Mapping[str, Any], model: str = "") -> dict[str, Any]:
        return self._client.ask(message, model, self._cancelled)


class WorkerClient(_Requests):
    """One long-lived child process; usable from several threads, which take turns.

    The limits may be set anew at any time: they hold from the next request on, and another limit of memory starts
    another child.

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
        self.time_limit_s = time_limit_s
        self.memory_limit_bytes = memory_limit(_MEMORY_PERCENT) if memory_limit_bytes is None else memory_limit_bytes
        self._limit_of_child = self.memory_limit_bytes
        self._on_start = on_start
        self._turn = Lock()
        self._child: Child | None = None
        self._current: Event | None = None
        self._next = 0
        self._closed = Event()
        atexit.register(self.close)

    def job(self) -> WorkerJob:
        """A runner whose requests can be cancelled without touching those of other jobs."""
        return WorkerJob(self)

    def warm_up(self) -> None:
        """Start the child and load its libraries, so that the first real request does not wait for them."""
        self._ask({"op": Op.HELLO})

    def cancel(self) -> None:
        """Stop the request that is running now, whoever asked; its caller gets `WorkerCancelled`."""
        current = self._current
        if current is not None:
            current.set()

    def close(self) -> None:
        """End the child and remove its files. Called at exit too; a closed client refuses requests."""
        self._closed.set()
        with self._turn:
            if self._child is not None:
                self._child.reap()
                self._child = None
        atexit.unregister(self.close)

    def __enter__(self) -> "WorkerClient":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def ask(self, message: Mapping[str, Any], model: str, cancelled: Event | None = None) -> dict[str, Any]:
        """Send one request and wait for its reply.

        Args:
            message: the request.
            model: what to call the model in an error; may be empty.
            cancelled: set by another thread to stop the request, waiting or running; None for a request that only
                `cancel` and `close` can stop.

        Raises:
            WorkerError: see `Runner`.
        """
        job = cancelled or Event()
        while not self._turn.acquire(timeout=_POLL_S):
            self._stop_if_asked(job)
        try:
            self._stop_if_asked(job)
            running = Event()
            self._current = running
            return self._exchange(message, model, lambda: running.is_set() or job.is_set() or self._closed.is_set())
        finally:
            self._current = None
            self._turn.release()

    def _ask(self, message: Mapping[str, Any], model: str = "") -> dict[str, Any]:
        return self.ask(message, model)

    def _stop_if_asked(self, job: Event) -> None:
        if self._closed.is_set() or job.is_set():
            raise WorkerCancelled(say("worker.cancelled"))

    def _exchange(self, message: Mapping[str, Any], model: str, stop: Callable[[], bool]) -> dict[str, Any]:
        """Ask the child; one that died before it took up the request died of something else, and the next is asked."""
        answer = self._attempt(message, model, stop, retry=self._child is not None)
        while answer is None:
            answer = self._attempt(message, model, stop, retry=False)
        return answer

    def _attempt(
        self, message: Mapping[str, Any], model: str, stop: Callable[[], bool], *, retry: bool
    ) -> dict[str, Any] | None:
        """The result; None, with *retry*, when the child ended before it took up the request."""
        child = self._running_child()
        begun = False
        self._next += 1
        child.send({"id": self._next, **message})  # a dead child shows as the end of its output
        deadline = time.monotonic() + self.time_limit_s
        while True:
            if stop():
                self._discard(child)
                raise WorkerCancelled(say("worker.cancelled"))
            if time.monotonic() > deadline:
                self._discard(child)
                raise WorkerTimeout(
                    say("worker.timeout", model=model or "?", limit_s=f"{self.time_limit_s:g}"), say("worker.safe")
                )
            try:
                reply = child.receive(_POLL_S)
            except queue.Empty:
                continue
            except ValueError as error:
                self._discard(child)
                raise WorkerError(say("worker.garbage", reason=str(error)), say("worker.safe")) from error
            if reply is None and retry and not begun:
                self._discard(child)
                return None
            if reply is None:
                raise self._death(child, model)
            if reply.get("id") == self._next and "begun" in reply:
                begun = True
            elif reply.get("id") == self._next:
                return _result(reply)

    def _running_child(self) -> Child:
        if self._child is not None and (not self._child.alive or self._limit_of_child != self.memory_limit_bytes):
            self._discard(self._child)
        if self._child is None:
            try:
                self._limit_of_child = self.memory_limit_bytes
                self._child = Child(private_folder(), self._limit_of_child)
            except OSError as error:
                raise WorkerError(
                    say("worker.no_start", reason=system_reason(error)), say("worker.no_start_help")
                ) from error
            if self._on_start is not None:
                self._on_start(self._child.pid)
        return self._child

    def _discard(self, child: Child) -> int:
        self._child = None
        return child.reap()

    def _death(self, child: Child, model: str) -> WorkerError:
        """What to raise for a child whose output ended."""
        child.wait_status()
        status = self._discard(child)
        if status == MEMORY_EXIT:
            return task_failure(Fault.MEMORY, model)
        name = signal_name(status)
        return WorkerCrashed(say("worker.crashed", signal=name, model=model or "?"), say("worker.safe"))


def memory_limit(percent: int) -> int | None:
    """*percent* of the machine's memory in bytes; None where that is not known."""
    memory = physical_memory()
    return None if memory is None else memory * percent // 100


def signal_name(status: int) -> str:
    """`SIGSEGV` for -11, `exit code 3` for 3 (a name and a number, in every language)."""
    if status < 0:
        try:
            return signal.Signals(-status).name
        except ValueError:
            return f"signal {-status}"
    return f"exit code {status:#x}" if status > 255 else f"exit code {status}"


def _write(path: Path, data: bytes) -> None:
    try:
        path.write_bytes(data)
    except OSError as error:
        raise task_failure(Fault.DISK, str(error)) from error


def _result(reply: Mapping[str, Any]) -> dict[str, Any]:
    result = reply.get("ok")
    if isinstance(result, dict):
        return result
    if "fault" not in reply:
        raise WorkerError(say("worker.garbage", reason=str(reply)[:200]), say("worker.safe"))
    raise task_failure(Fault(reply["fault"]), str(reply["text"]))


def task_failure(fault: Fault, text: str) -> WorkerError:
    """The error for a task that failed in a living worker."""
    kind = ModelRefused if fault is Fault.MODEL else WorkerError
    return kind(say(f"worker.fault_{fault}", reason=text), say(f"worker.fault_{fault}_help"))
