"""First line of the numerical diff: verdict, stages and their counts, progress against limits, seed and limit."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from inspector.errors import InspectorError
from inspector.gui.fonts import Role
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, button, clear, frame, label, row
from inspector.gui.words import bytes_text, feed_name, figure, stage_name, status_name
from inspector.verify.result import StageName, Status, Tolerance, Verification

TONES = {Status.PASSED: "passed", Status.FAILED: "failed", Status.INCONCLUSIVE: "inconclusive"}
"""Tone of a result (see `look`)."""

_SIGNS = {Status.PASSED: "✓", Status.FAILED: "✕", Status.INCONCLUSIVE: "!"}
_ORDER = (Status.FAILED, Status.INCONCLUSIVE, Status.PASSED)


@dataclass(frozen=True, slots=True)
class Running:
    """How far a comparison is.

    Attributes:
        stage: name of the stage under way, translated; may be empty.
        fraction: 0..1; negative when unknown.
        elapsed_s: seconds since it began.
        time_limit_s: seconds after which one run of a model is stopped.
        memory_limit_bytes: memory that the worker may take; None when it has no limit.
    """

    stage: str
    fraction: float
    elapsed_s: float
    time_limit_s: float
    memory_limit_bytes: int | None


@dataclass(frozen=True)
class DiffView:
    """What the panel shows.

    Attributes:
        results: verifications so far, fragments first.
        running: whether more are to come.
        failure: why there is no result; None when there is one or none was asked for.
        cancelled: whether the user stopped it.
    """

    results: tuple[Verification, ...] = ()
    running: bool = False
    failure: InspectorError | None = None
    cancelled: bool = False

    @property
    def stages(self) -> tuple[StageName, ...]:
        """Stages that have results, in order."""
        return tuple(dict.fromkeys(result.stage for result in self.results))

    def of(self, stage: StageName | None) -> tuple[Verification, ...]:
        """Results of *stage*."""
        return tuple(result for result in self.results if result.stage is stage)


def worst_of(results: tuple[Verification, ...]) -> Verification | None:
    """The result that decides: a failed one, else an inconclusive one, else the first."""
    return min(results, key=lambda result: _ORDER.index(result.status)) if results else None


class ProofHead(QWidget):
    """Pill, stages, facts; while a comparison runs also a bar, its limits and Cancel.

    Signals:
        stage_chosen: `StageName` whose button was clicked.
        cancel_asked: stop the comparison.
    """

    stage_chosen = Signal(object)
    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty head."""
        super().__init__(parent)
        self._stages = QButtonGroup(self)
        self._line = QHBoxLayout()
        self._line.setSpacing(Space.S)
        self._progress = QWidget()
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setFixedWidth(Size.LEFT_MIN // 2)
        self.limits = Elided("", Role.SMALL, tone="second")
        self._cancel = button("", self.cancel_asked.emit)
        inner = row(self.bar, self.limits, self._cancel)
        inner.setStretch(1, 1)
        self._progress.setLayout(inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        column.addLayout(self._line)
        column.addWidget(self._progress)
        self._progress.hide()

    def show_view(self, view: DiffView, stage: StageName | None) -> None:
        """Show *view*, of which *stage* is chosen."""
        clear(self._line)
        self._line.addWidget(self._pill(view))
        for old in self._stages.buttons():
            self._stages.removeButton(old)
        for name in view.stages:
            self._line.addWidget(self._stage_button(view, name, chosen=name is stage))
        result = worst_of(view.of(stage))
        facts = Elided(self._facts(result) if result is not None else "", Role.SMALL, tone="second")
        facts.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._line.addWidget(facts, 1)
        self._cancel.setText(self.tr("Cancel"))
        if view.running and self._progress.isHidden():
            self.bar.setRange(0, 0)
            self.limits.setText("")
        self._progress.setVisible(view.running)

    def show_running(self, running: Running) -> None:
        """Show how far the comparison is, and against which limits it runs."""
        known = running.fraction >= 0
        self.bar.setRange(0, 100 if known else 0)
        self.bar.setValue(int(100 * max(running.fraction, 0)))
        parts = [running.stage, f"{100 * running.fraction:.0f} %" if known else ""]
        time = self.tr("{elapsed} s, each run at most {limit} s")
        parts.append(time.format(elapsed=f"{running.elapsed_s:.0f}", limit=f"{running.time_limit_s:g}"))
        if running.memory_limit_bytes is not None:
            parts.append(self.tr("memory at most {size}").format(size=bytes_text(running.memory_limit_bytes)))
        text = " · ".join(part for part in parts if part)
        self.limits.setText(text)
        self.limits.setToolTip(text)

    def _pill(self, view: DiffView) -> QFrame:
        title, detail, tone = self._verdict(view)
        made, column = frame("pill", tone, margins=(Space.M, 0, Space.M, 0))
        made.setFixedHeight(Size.CONTROL)
        column.addLayout(row(label(title, Role.BODY, tone=tone, weight=600), label(detail, Role.SMALL, tone=tone)))
        return made

    def _verdict(self, view: DiffView) -> tuple[str, str, str]:
        worst = worst_of(view.results)
        if view.failure is not None:
            return self.tr("✕ No result"), "", "failed"
        if view.cancelled:
            return self.tr("! Cancelled"), "", "inconclusive"
        if view.running:
            return self.tr("Verifying"), self.tr("%n comparison(s) done", "", len(view.results)), "accent"
        if worst is None:
            return self.tr("Not verified"), "", "second"
        return f"{_SIGNS[worst.status]} {status_name(worst.status)}", self._class(view, worst), TONES[worst.status]

    def _class(self, view: DiffView, worst: Verification) -> str:
        diffs = [diff for result in view.results for diff in result.outputs]
        if worst.status is Status.PASSED and diffs and all(diff.equal for diff in diffs):
            return self.tr("bit-exact")
        if worst.status is Status.INCONCLUSIVE:
            return ""
        relative = [diff.max_rel for diff in worst.outputs if diff.max_rel is not None]
        if not relative:
            return ""
        text = self.tr("max rel {found}, limit {limit}")
        return text.format(found=figure(max(relative)), limit=figure(worst.tolerance.max_rel))

    def _stage_button(self, view: DiffView, stage: StageName, *, chosen: bool) -> QPushButton:
        results = view.of(stage)
        worst = worst_of(results)
        sign = _SIGNS[worst.status] if worst is not None else ""
        sets = sum(len(result.inputs) for result in results)
        count = self.tr("%n input set(s)", "", sets)
        made = button(f"{sign} {stage_name(stage)} · {count}", lambda: self.stage_chosen.emit(stage), role="segment")
        made.setCheckable(True)
        made.setChecked(chosen)
        tip = self.tr("%n tensor(s) compared in {seconds} s", "", sum(len(result.outputs) for result in results))
        made.setToolTip(tip.format(seconds=f"{sum(result.elapsed_s for result in results):.2f}"))
        self._stages.addButton(made)
        return made

    def _facts(self, result: Verification) -> str:
        parts = [
            self.tr("seed {seed}").format(seed=result.seed),
            self.tr(", ").join(feed_name(kind) for kind in result.inputs),
            self._limit(result.tolerance),
        ]
        if result.runtime is not None:
            parts.append(f"{result.runtime.name} {result.runtime.version}")
        return " · ".join(part for part in parts if part)

    def _limit(self, tolerance: Tolerance) -> str:
        if tolerance.bit_exact:
            return self.tr("limit max abs = 0")
        return self.tr("limit max rel {limit}").format(limit=figure(tolerance.max_rel))
