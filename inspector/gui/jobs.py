"""`Jobs`: work off the GUI thread, with progress, cancel, and a guard against results that came too late.

A job is a plain function of a `JobContext`. Its answer, or what it raised, comes back on the GUI thread. Jobs that
answer the same question share a *key*: a newer one cancels the older, and the older one's answer is dropped. Only this
module catches `InspectorError` in the window; any other exception goes to `Jobs.crashed` and so to the crash dialog.
"""

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Event, Lock
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from inspector.errors import InspectorError, WorkerCancelled

_log = logging.getLogger("inspector.gui")

THREADS = 4
"""One for what the user waits for, the others for what fills in beside it."""


class JobCancelled(Exception):  # noqa: N818 - reads as what happened
    """Raised inside a job by `JobContext.check` when somebody cancelled it."""


class JobContext:
    """What a running job may ask and tell; safe to use from its thread."""

    def __init__(self, report: Callable[[float, str], None], tell: Callable[[object], None]) -> None:
        """Make a context: progress goes to *report*, partial answers to *tell*; both can be called from any thread."""
        self._report = report
        self._tell = tell
        self._cancelled = Event()
        self._lock = Lock()
        self._stoppers: list[Callable[[], None]] = []

    def progress(self, fraction: float, text: str = "") -> None:
        """Tell how far the job is: *fraction* 0..1, negative when unknown; *text* is already translated."""
        self._report(fraction, text)

    def partial(self, value: object) -> None:
        """Hand over a partial answer; it reaches the *partial* handler of `Jobs.run` on the GUI thread."""
        self._tell(value)

    def cancelled(self) -> bool:
        """Whether somebody cancelled the job."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Leave the job if it was cancelled.

        Raises:
            JobCancelled: it was.
        """
        if self._cancelled.is_set():
            raise JobCancelled

    def on_cancel(self, stop: Callable[[], None]) -> None:
        """Call *stop* when the job is cancelled, or at once if it was already, to end what does not ask `cancelled`."""
        with self._lock:
            late = self._cancelled.is_set()
            self._stoppers.append(stop)
        if late:
            stop()

    def cancel(self) -> None:
        """Cancel the job; called by `Job.cancel`."""
        with self._lock:
            self._cancelled.set()
            stoppers = tuple(self._stoppers)
        for stop in stoppers:
            stop()


class Job(QObject):
    """One running piece of work. Lives in the GUI thread."""

    progressed = Signal(float, str)
    told = Signal(object)

    def __init__(self, title: str, key: str, parent: QObject) -> None:
        """Make a job called *title* (translated) that answers the question *key*."""
        super().__init__(parent)
        self.title = title
        self.key = key
        self.fraction = -1.0
        self.text = ""
        self.quiet = False
        self.context = JobContext(self.progressed.emit, self.told.emit)
        self.progressed.connect(self._remember)

    def cancel(self) -> None:
        """Ask the job to stop; its answer will not be delivered."""
        self.context.cancel()

    def _remember(self, fraction: float, text: str) -> None:
        self.fraction, self.text = fraction, text or self.text


class Jobs(QObject):
    """Runs jobs and hands their answers to the GUI thread.

    Signals:
        changed: a job started, moved on or ended; `current` is the one to show.
        failed: `(Job, InspectorError)` for jobs started without a *failed* handler.
        crashed: an exception that nobody expected.
    """

    changed = Signal()
    failed = Signal(object, object)
    crashed = Signal(object)
    _landed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        """Make a pool of `THREADS` threads; call `close` before the application ends."""
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="job")
        self._running: list[Job] = []
        self._newest: dict[str, Job] = {}
        self._turns: dict[str, list[Callable[[], None]]] = {}
        self._idle: Callable[[], None] | None = None
        # Queued even for a job that ended before `run` returns: no answer comes while somebody still asks.
        self._landed.connect(self._land, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        title: str,
        key: str,
        work: Callable[[JobContext], Any],
        done: Callable[[Any], None],
        *,
        failed: Callable[[InspectorError], None] | None = None,
        ended: Callable[[], None] | None = None,
        partial: Callable[[Any], None] | None = None,
        quiet: bool = False,
    ) -> Job:
        """Start *work* and give its answer to *done* on the GUI thread.

        Args:
            title: what the status bar calls it, translated.
            key: the question it answers; an older job with this key is cancelled and its answer dropped.
            work: runs in a thread; must not touch widgets.
            done: takes the answer.
            failed: takes an `InspectorError`; without it the error goes to the `failed` signal.
            ended: called last in every case but being superseded: done, failed, cancelled.
            partial: takes what the job hands over on its way.
            quiet: keep it out of the status bar.
        """
        self.cancel(key)
        job = Job(title, key, self)
        job.quiet = quiet
        job.progressed.connect(lambda *_: self.changed.emit())
        if partial is not None:
            job.told.connect(lambda value: partial(value) if self._newest.get(key) is job else None)
        self._newest[key] = job
        self._running.append(job)
        future = self._pool.submit(work, job.context)
        future.add_done_callback(lambda f: self._landed.emit((job, f, done, failed, ended)))
        self.changed.emit()
        return job

    def in_turns(self, key: str, *steps: Callable[[], None]) -> None:
        """Run *steps* on the GUI thread, one in each turn of the event loop, so that no turn is long.

        Until the last of them begins `is_running` holds for *key*. Newer steps of *key* replace those that still wait.
        """
        self._turns[key] = waiting = list(steps)
        QTimer.singleShot(0, self, lambda: self._turn(key, waiting))

    def _turn(self, key: str, waiting: list[Callable[[], None]]) -> None:
        if self._turns.get(key) is not waiting:
            return
        step = waiting.pop(0)
        if waiting:
            QTimer.singleShot(0, self, lambda: self._turn(key, waiting))
        else:
            del self._turns[key]
        step()
        if not waiting:
            self.changed.emit()

    @property
    def current(self) -> Job | None:
        """The job to show: the newest running one that is not quiet."""
        return next((job for job in reversed(self._running) if not job.quiet), None)

    def running(self, key: str) -> Job | None:
        """The newest job of *key* that is under way."""
        return next((job for job in reversed(self._running) if job.key == key), None)

    def is_running(self, key: str | None = None) -> bool:
        """Whether a job (with this *key*) is under way."""
        return any(key is None or job.key == key for job in self._running) or self.is_in_turn(key)

    def is_in_turn(self, key: str | None = None) -> bool:
        """Whether steps (with this *key*) wait for their turn."""
        return bool(self._turns) if key is None else key in self._turns

    def is_awaited(self, key: str) -> bool:
        """Whether a job of *key* is under way whose answer will be delivered."""
        return key in self._newest

    def cancel(self, key: str | None = None) -> None:
        """Cancel the jobs of *key*, or all of them; what they answer is dropped."""
        for waiting in tuple(self._turns):
            if key in (None, waiting):
                del self._turns[waiting]
        for job in tuple(self._running):
            if key in (None, job.key):
                job.cancel()
                if self._newest.get(job.key) is job:
                    del self._newest[job.key]

    def stop(self, key: str) -> None:
        """Cancel the job of *key* as the user would: its `ended` handler is still called."""
        job = self._newest.get(key)
        if job is not None:
            job.cancel()

    def cancel_current(self) -> None:
        """Cancel the job that the status bar shows; its `ended` handler is still called."""
        job = self.current
        if job is not None:
            job.cancel()

    def retire(self, idle: Callable[[], None]) -> None:
        """Cancel everything for good and call *idle* once nothing runs any more, without waiting for it."""
        self.cancel()
        self._idle = idle
        self._pool.shutdown(wait=False, cancel_futures=True)
        if not self._running:
            self._retired()

    def close(self) -> None:
        """Cancel everything and wait for the threads."""
        self.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _land(self, landing: tuple[Any, ...]) -> None:
        job: Job = landing[0]
        future, done, failed, ended = landing[1:]
        self._running.remove(job)
        if self._newest.get(job.key) is job:
            del self._newest[job.key]
            self._deliver(job, future, done, failed)
            if ended is not None:
                ended()
        job.deleteLater()
        if self._idle is None:
            self.changed.emit()
        elif not self._running:
            self._retired()

    def _retired(self) -> None:
        idle, self._idle = self._idle, None
        if idle is not None:
            idle()

    def _deliver(
        self,
        job: Job,
        future: "Future[Any]",
        done: Callable[[Any], None],
        failed: Callable[[InspectorError], None] | None,
    ) -> None:
        if future.cancelled() or job.context.cancelled():
            _log.info("cancelled: %s", job.key)
            return
        error = future.exception()
        if error is None:
            done(future.result())
        elif isinstance(error, JobCancelled | WorkerCancelled | CancelledError):
            _log.info("cancelled: %s", job.key)
        elif isinstance(error, InspectorError):
            _log.info("%s: %s", job.key, error)
            if failed is not None:
                failed(error)
            else:
                self.failed.emit(job, error)
        else:
            self.crashed.emit(error)
