"""Loading card: how far the opening of a model is, at the foot of the canvas; the rest of the window stays usable."""

import time

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QFrame, QProgressBar, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.jobs import Jobs
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, label, row

PATIENCE_MS = 300
"""Milliseconds that pass before the card is shown, so that it does not flash up for small models."""

_PERIOD_MS = 500
_STEPS = 1000
_LEAST_SHARE, _LEAST_SECONDS = 0.1, 1.0
"""Before that much is done, and that long has passed, nothing is said of the time that remains."""


def remaining_s(fraction: float, elapsed_s: float) -> float | None:
    """Seconds that are left if the rest goes on as the part before; None while nobody can tell."""
    if fraction < _LEAST_SHARE or elapsed_s < _LEAST_SECONDS:
        return None
    return elapsed_s * (1 - fraction) / fraction


class LoadingCard(QFrame):
    """Stands over the lower edge of its parent while a model is being opened."""

    def __init__(self, jobs: Jobs, parent: QWidget) -> None:
        """Watch the opening in *jobs*."""
        super().__init__(parent)
        self.setProperty("role", "card")
        self._jobs = jobs
        self._began = 0.0
        self._title, self._left = Elided("", Role.BODY), label("", Role.SMALL, tone="second")
        self._bar = QProgressBar(maximum=_STEPS)
        self._bar.setTextVisible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        column.setSpacing(Space.S)
        line = row(self._title, self._left)
        line.setStretch(0, 1)
        column.addLayout(line)
        column.addWidget(self._bar)
        self._patience = QTimer(self)
        self._patience.timeout.connect(self._appear)
        jobs.changed.connect(self._follow)
        parent.installEventFilter(self)
        self.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the foot of the parent."""
        if watched is self.parent() and event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def _follow(self) -> None:
        job = self._jobs.running("open")
        if job is None:
            self._patience.stop()
            self._began = 0.0
            self.hide()
        elif not self._began:
            self._began = time.monotonic()
            self._patience.start(PATIENCE_MS)
        elif self.isVisible():
            self._show(job.title, job.text, job.fraction)

    def _appear(self) -> None:
        """Show the card, and the time that is left every so often after that."""
        job = self._jobs.running("open")
        if job is not None:
            self._patience.start(_PERIOD_MS)
            self._show(job.title, job.text, job.fraction)
            self._place()
            self.show()
            self.raise_()

    def _show(self, title: str, step: str, fraction: float) -> None:
        said = self.tr("{title}: {step}").format(title=title, step=step) if step else title
        if fraction >= 0:
            said = self.tr("{text}, {percent} %").format(text=said, percent=round(100 * fraction))
        self._title.setText(said)
        seconds = remaining_s(fraction, time.monotonic() - self._began)
        cancels = self.tr("Esc cancels")
        if seconds is not None:
            about = self.tr("about %n s", "", max(round(seconds), 1))
            cancels = self.tr("{time} · {cancel}").format(time=about, cancel=cancels)
        self._left.setText(cancels)
        self._bar.setMaximum(_STEPS if fraction >= 0 else 0)
        self._bar.setValue(round(_STEPS * fraction) if fraction >= 0 else 0)

    def _place(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            width = min(Size.DIALOG, parent.width() - 2 * Space.XL)
            height = self.sizeHint().height()
            self.setGeometry((parent.width() - width) // 2, parent.height() - height - Space.XL, width, height)
