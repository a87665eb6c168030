"""`ForkedRunner`: onnx's native code in a copy of this process, so that an abort ends the copy only.

Shape inference of a contradictory file can end the process without an exception. The command line cannot pay for a
whole worker with every `check`; a fork costs a few milliseconds. Where the system cannot fork safely, the call runs in
process.
"""

import faulthandler
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress

from inspector.errors import WorkerCrashed, WorkerError
from inspector.text import say
from inspector.worker.client import InProcessRunner, signal_name, task_failure
from inspector.worker.protocol import Fault

_DONE, _REFUSED = b"\x00", b"\x01"


class ForkedRunner(InProcessRunner):
    """An `InProcessRunner` that survives what onnx's inference does not."""

    def infer_shapes(self, model: bytes, *, data_prop: bool = True, strict: bool = False) -> bytes:
        """See `Runner`; also raises `WorkerCrashed` when the native code ended the copy."""

        def infer() -> bytes:
            return InProcessRunner.infer_shapes(self, model, data_prop=data_prop, strict=strict)

        return _in_a_copy(infer)


def _in_a_copy(function: Callable[[], bytes]) -> bytes:
    if sys.platform != "linux":
        return function()
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of BLAS sleep; the copy never calls it
        child = os.fork()
    if child == 0:
        os.close(reader)
        _answer(writer, function)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        answer = stream.read()
    _, status = os.waitpid(child, 0)
    if not answer or os.waitstatus_to_exitcode(status):
        name = signal_name(os.waitstatus_to_exitcode(status))
        raise WorkerCrashed(say("worker.inference_crashed", signal=name))
    if answer[:1] == _REFUSED:
        raise task_failure(Fault.MODEL, answer[1:].decode("utf-8", "replace"))
    return answer[1:]


def _answer(writer: int, function: Callable[[], bytes]) -> None:
    """The copy's whole life: compute, write the answer, end without running anybody's exit handlers."""
    code = 1
    with suppress(BaseException):
        faulthandler.disable()
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 2)  # what native code says while it aborts is not for the user's terminal
        with os.fdopen(writer, "wb") as stream:
            try:
                stream.write(_DONE + function())
            except WorkerError as error:
                stream.write(_REFUSED + str(error.message.args.get("reason", error)).encode())
        code = 0
    os._exit(code)
