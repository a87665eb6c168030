"""The child's loop: a line in, a task, a line out, until the input closes.

A thread of its own reads the input, so that the end of the parent is noticed while native code runs; the child then
removes the parent's folder and ends.
"""

import faulthandler
import os
import queue
import shutil
import sys
import threading
from pathlib import Path
from typing import IO, Any

from inspector.worker.limits import limit_memory
from inspector.worker.protocol import Fault, decode, encode


def serve(replies: IO[bytes], folder: Path, memory_limit_bytes: int | None) -> None:
    """Answer requests until standard input closes.

    Args:
        replies: where replies go.
        folder: private folder of the parent, removed when the parent is gone.
        memory_limit_bytes: limit of this process; None for no limit.
    """
    faulthandler.enable(sys.stderr)
    lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(lines, folder), name="requests", daemon=True).start()
    from inspector.worker.tasks import Tasks

    if memory_limit_bytes is not None:
        limit_memory(memory_limit_bytes)
    tasks = Tasks()
    while True:
        message = decode(lines.get())
        _send(replies, {"id": message["id"], "begun": True})
        _send(replies, {"id": message["id"], **_guarded(tasks, message)})


def _guarded(tasks: Any, message: dict[str, Any]) -> dict[str, Any]:
    """The task's reply, or what went wrong: the one place where whatever a library raises becomes a value."""
    try:
        return {"ok": tasks.answer(message)}
    except MemoryError as error:
        return {"fault": Fault.MEMORY, "text": str(error)}
    except OSError as error:
        return {"fault": Fault.DISK, "text": str(error)}
    except Exception as error:  # noqa: BLE001 - the libraries' own exception types share no base class
        return {"fault": _fault(error), "text": str(error)}


def _fault(error: Exception) -> Fault:
    text = str(error).lower()
    if any(sign in text for sign in ("bad_alloc", "failed to allocate", "bad allocation", "unable to allocate")):
        return Fault.MEMORY
    module = type(error).__module__
    return Fault.MODEL if module.startswith(("onnx", "google.protobuf")) else Fault.TASK


def _send(replies: IO[bytes], message: dict[str, Any]) -> None:
    view = memoryview(encode(message))
    while view:
        view = view[replies.write(view) :]


def _read(lines: "queue.SimpleQueue[bytes]", folder: Path) -> None:
    for line in sys.stdin.buffer:
        lines.put(line)
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)
