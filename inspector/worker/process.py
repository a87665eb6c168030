"""`Child`: one worker process with its pipes. Knows nothing of tasks."""

import collections
import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from inspector.worker.protocol import decode, encode

_STDERR_LINES = 200
_REAP_S = 5.0
_PACKAGE_PARENT = Path(__file__).resolve().parents[2]


class Child:
    """A running worker. Replies are read by one thread, standard error by another, so no pipe can fill up.

    Args:
        folder: private folder of this process; the child removes it if this process dies.
        memory_limit_bytes: limit of the child; None for no limit.
    """

    def __init__(self, folder: Path, memory_limit_bytes: int | None) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            [sys.executable, "-P", "-m", "inspector.worker", str(folder), str(memory_limit_bytes or 0)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(folder),
            **_GROUP,
        )
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._stderr: collections.deque[bytes] = collections.deque(maxlen=_STDERR_LINES)
        self._threads = [
            threading.Thread(target=target, name=f"worker-{name}", daemon=True)
            for name, target in (("replies", self._read_replies), ("stderr", self._read_stderr))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def send(self, message: dict[str, Any]) -> bool:
        """Send one message; False when the child is gone."""
        stdin = self._process.stdin
        if stdin is None:
            return False
        try:
            stdin.write(encode(message))
            stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def receive(self, timeout_s: float) -> dict[str, Any] | None:
        """The next reply; None when the child's output has ended.

        Raises:
            queue.Empty: nothing came within *timeout_s*.
            ValueError: what came is no message.
        """
        line = self._replies.get(timeout=timeout_s)
        if line is None:
            self._replies.put(None)
            return None
        return decode(line)

    def kill(self) -> None:
        """End the child and all that it started. Safe to call from any thread, also twice."""
        if sys.platform == "win32":
            self._process.kill()
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def reap(self) -> int:
        """Kill, wait and close the pipes; the exit status as `subprocess` gives it (negative: a signal)."""
        if self.alive:
            self.kill()
        status = self._process.wait()
        for thread in self._threads:
            thread.join(_REAP_S)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        return status

    def wait_status(self) -> int | None:
        """Exit status of a child whose output has ended; None if it still runs after a moment."""
        try:
            return self._process.wait(_REAP_S)
        except subprocess.TimeoutExpired:
            return None

    def stderr_tail(self) -> str:
        """The last lines that the child, or a native library in it, wrote to standard error or printed."""
        return b"".join(self._stderr).decode("utf-8", "replace")

    def _read_replies(self) -> None:
        if self._process.stdout is not None:
            for line in self._process.stdout:
                self._replies.put(line)
        self._replies.put(None)

    def _read_stderr(self) -> None:
        if self._process.stderr is not None:
            while chunk := self._process.stderr.readline(4096):
                self._stderr.append(chunk)


def _environment(folder: Path) -> dict[str, str]:
    """The child's environment: this package importable, telemetry off, temporary files of libraries in *folder*."""
    path = os.pathsep.join(p for p in (str(_PACKAGE_PARENT), os.environ.get("PYTHONPATH", "")) if p)
    quiet = {"ORT_DISABLE_TELEMETRY": "1", "OPENBLAS_NUM_THREADS": "1"}  # BLAS threads would only reserve memory
    temporary = dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder))
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1", **quiet, **temporary}


def _group() -> dict[str, Any]:
    """Arguments of Popen that give the child a process group of its own, out of reach of the terminal's Ctrl-C."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}


_GROUP = _group()
