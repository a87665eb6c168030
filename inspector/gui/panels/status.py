"""Status bar: the running job with its progress and Cancel, else the last result; facts on the model at the right."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from inspector.gui.fonts import Role
from inspector.gui.plain_words import plain_tip
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, button, label

if TYPE_CHECKING:
    from inspector.gui.jobs import Job

_STEPS = 1000


class StatusBar(QWidget):
    """One line at the foot of the window.

    Signals:
        cancel_asked: stop the job that is shown.
    """

    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty bar."""
        super().__init__(parent)
        self.setProperty("role", "foot")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(Size.STATUS_BAR)
        self.message = Elided("", Role.SMALL, tone="second")
        self.progress = QProgressBar(maximum=_STEPS)
        self.progress.setFixedWidth(Size.LEFT_MIN // 2)
        self.progress.setTextVisible(False)
        self.cancel = button("", self.cancel_asked.emit, role="link")
        self.facts = tuple(label("", Role.SMALL, tone="second") for _ in range(3))
        line = QHBoxLayout(self)
        line.setContentsMargins(Space.M, 0, Space.M, 0)
        line.setSpacing(Space.M)
        line.addWidget(self.message, 1)
        for widget in (self.progress, self.cancel):
            line.addWidget(widget)
        line.addSpacing(Space.S)
        for fact in self.facts:
            line.addWidget(fact)
        self._last = ""
        self._shown = 0
        self.show_job(None)

    def show_message(self, text: str) -> None:
        """Show *text* as the last result."""
        self._last = text
        if not self.progress.isVisibleTo(self):
            self._say(text)

    def show_job(self, job: "Job | None") -> None:
        """Show *job*; None shows the last result."""
        for widget in (self.progress, self.cancel):
            widget.setVisible(job is not None)
        self.cancel.setText(self.tr("Cancel (Esc)"))
        if job is None:
            self._say(self._last)
        else:
            self.progress.setMaximum(_STEPS if job.fraction >= 0 else 0)
            self.progress.setValue(round(job.fraction * _STEPS) if job.fraction >= 0 else 0)
            self._say(self.tr("{title}: {step}").format(title=job.title, step=job.text) if job.text else job.title)
        self._fit()

    def show_facts(self, facts: Sequence[str]) -> None:
        """Show up to three *facts* at the right; where there is no room the first goes first."""
        texts = (*facts, *[""] * (len(self.facts) - len(facts)))
        self._shown = len(facts)
        for fact, text in zip(self.facts, texts, strict=True):
            fact.setText(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out facts that do not fit."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Keep half of the bar for the message and the job."""
        room = self.width() // 2
        for index in reversed(range(len(self.facts))):
            fact = self.facts[index]
            room -= fact.sizeHint().width() + Space.M
            fact.setVisible(index < self._shown and (room >= 0 or index == self._shown - 1))

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.message.setToolTip(plain_tip(text))
