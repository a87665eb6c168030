"""`ProofWatch`: shows in the numerical diff how far the running comparison is, and that it was cancelled."""

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

from inspector.gui.document import Document
from inspector.gui.jobs import Job, Jobs
from inspector.gui.panels.diff import DiffPanel
from inspector.gui.panels.proof_head import DiffView, Running
from inspector.gui.service import Service

_TICK_MS = 500


class ProofWatch(QObject):
    """Follows the comparisons of one tab: the proof of a preview, and that of the whole model against its original."""

    def __init__(self, document: Document, jobs: Jobs, panel: DiffPanel, service: Service, parent: QObject) -> None:
        """Follow *jobs* of *document* and show them in *panel*; the limits are those of *service*."""
        super().__init__(parent)
        self._document, self._jobs, self._panel, self._service = document, jobs, panel, service
        self._job: Job | None = None
        self._alone = False  # whether the job is a verification without a preview, whose state is shown here alone
        self._clock = QElapsedTimer()
        self._tick = QTimer(self)
        self._tick.setInterval(_TICK_MS)
        self._tick.timeout.connect(self._show)
        jobs.changed.connect(self._follow)

    def _follow(self) -> None:
        verify = self._jobs.running("verify")
        job = verify or self._jobs.running("prove")
        if job is not self._job:
            if job is None:
                self._ended()
            else:
                self._clock.start()
                self._tick.start()
            self._job, self._alone = job, job is not None and job is verify
            if self._alone:
                self._panel.show_view(DiffView(running=True))
        self._show()

    def _ended(self) -> None:
        self._tick.stop()
        if self._alone and self._panel.view.running and self._document.proposal is None:
            earlier = self._document.verification
            results = () if earlier is None else (earlier,)
            self._panel.show_view(DiffView(results, cancelled=earlier is None))

    def _show(self) -> None:
        if self._job is None:
            return
        client = self._service.client
        self._panel.show_running(
            Running(
                self._job.text,
                self._job.fraction,
                self._clock.elapsed() / 1000,
                client.time_limit_s,
                client.memory_limit_bytes,
            )
        )
