"""Numerical diff: verdict, stages, limit, seed, inputs, runtime; figures and values per tensor; what is not proven."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from inspector.errors import InspectorError
from inspector.gui.fonts import Role
from inspector.gui.i18n import language
from inspector.gui.models.diffs import DiffColumn, DiffsModel
from inspector.gui.panels.values import ValuesPanel
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, button, clear, frame, label, row
from inspector.gui.words import NONE, feed_name, figure, say_text, stage_name, status_name
from inspector.verify.result import StageName, Status, Tolerance, Verification

_TONES = {Status.PASSED: "passed", Status.FAILED: "failed", Status.INCONCLUSIVE: "inconclusive"}
_SIGNS = {Status.PASSED: "✓", Status.FAILED: "✕", Status.INCONCLUSIVE: "!"}
_ORDER = (Status.FAILED, Status.INCONCLUSIVE, Status.PASSED)


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


class _Table(QTableView):
    """A table whose first column takes the width that the figures leave, but never less than a readable name."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the first column its width."""
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Give the first column the width that is left."""
        others = sum(self.columnWidth(column) for column in DiffColumn if column is not DiffColumn.TENSOR)
        self.setColumnWidth(DiffColumn.TENSOR, max(self.viewport().width() - others, Size.LEFT_MIN * 2 // 3))


class DiffPanel(QWidget):
    """Shows verifications.

    Signals:
        retry_asked: run the comparison again.
        cancel_asked: stop it.
        tensor_picked: name of the tensor whose row was selected.
    """

    retry_asked = Signal()
    cancel_asked = Signal()
    tensor_picked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty panel; call `show_view`."""
        super().__init__(parent)
        self.setProperty("role", "panel")
        self._view = DiffView()
        self._stage: StageName | None = None
        self._chosen: StageName | None = None
        self._stages = QButtonGroup(self)
        self._head = QHBoxLayout()
        self._head.setSpacing(Space.S)
        self._note = QVBoxLayout()
        self.model = DiffsModel(self)
        self.table = _Table()
        self.values = ValuesPanel()
        self._limits, self._limits_column = frame("soft", "inconclusive")
        self._build()

    def _build(self) -> None:
        table = self.table
        table.setModel(self.model)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(Size.ROW_TABLE)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setSectionResizeMode(DiffColumn.TENSOR, QHeaderView.ResizeMode.Interactive)
        table.setWordWrap(False)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.selectionModel().currentRowChanged.connect(lambda index: self._select(index.row()))
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(table, 1)
        column.addWidget(self._limits)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(left)
        values = QScrollArea()
        values.setWidgetResizable(True)
        values.setFrameShape(QFrame.Shape.NoFrame)
        values.setProperty("role", "panel")
        values.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        values.setMinimumWidth(Size.LEFT)
        values.setWidget(self.values)
        self._values_area = values
        self._split.addWidget(values)
        self._split.setStretchFactor(0, 2)
        self._split.setStretchFactor(1, 1)
        self._split.setSizes([2 * Size.INSPECTOR, Size.INSPECTOR])
        outer = QVBoxLayout(self)
        outer.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        outer.setSpacing(Space.S)
        outer.addLayout(self._head)
        outer.addLayout(self._note)
        outer.addWidget(self._split, 1)
        self._limits.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self._values_area.setAccessibleName(self.tr("Values of the tensor"))
        self.table.setAccessibleName(self.tr("Differences per tensor"))
        self.show_view(self._view)

    def show_view(self, view: DiffView) -> None:
        """Show *view*; keeps the stage that the user chose while it exists."""
        self._view = view
        stages = tuple(dict.fromkeys(result.stage for result in view.results))
        self._stage = self._chosen if self._chosen in stages else stages[-1] if stages else None
        self._show_head(stages)
        self._show_note()
        self._show_stage()
        self._show_limits()

    def _show_head(self, stages: tuple[StageName, ...]) -> None:
        clear(self._head)
        self._head.addWidget(self._pill())
        for button_ in self._stages.buttons():
            self._stages.removeButton(button_)
        for stage in stages:
            self._head.addWidget(self._stage_button(stage))
        if self._view.running:
            bar = QProgressBar(minimum=0, maximum=0)
            bar.setFixedWidth(Size.LEFT_MIN // 2)
            self._head.addWidget(bar)
            self._head.addWidget(button(self.tr("Cancel"), self.cancel_asked.emit))
        result = self._worst(self._results())
        facts = Elided(self._facts(result) if result is not None else "", Role.SMALL, tone="second")
        facts.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._head.addWidget(facts, 1)

    def _pill(self) -> QFrame:
        title, detail, tone = self._verdict()
        made, column = frame("pill", tone, margins=(Space.M, 0, Space.M, 0))
        made.setFixedHeight(Size.CONTROL)
        column.addLayout(row(label(title, Role.BODY, tone=tone, weight=600), label(detail, Role.SMALL, tone=tone)))
        return made

    def _verdict(self) -> tuple[str, str, str]:
        view = self._view
        worst = self._worst(view.results)
        if view.failure is not None:
            return self.tr("✕ No result"), "", "failed"
        if view.cancelled:
            return self.tr("! Cancelled"), "", "inconclusive"
        if view.running:
            return self.tr("Verifying"), self.tr("%n comparison(s) done", "", len(view.results)), "accent"
        if worst is None:
            return self.tr("Not verified"), "", "second"
        return f"{_SIGNS[worst.status]} {status_name(worst.status)}", self._class(worst), _TONES[worst.status]

    def _class(self, worst: Verification) -> str:
        diffs = [diff for result in self._view.results for diff in result.outputs]
        if worst.status is Status.PASSED and diffs and all(diff.equal for diff in diffs):
            return self.tr("bit-exact")
        if worst.status is Status.INCONCLUSIVE:
            return ""
        relative = [diff.max_rel for diff in worst.outputs if diff.max_rel is not None]
        if not relative:
            return ""
        text = self.tr("max rel {found}, limit {limit}")
        return text.format(found=figure(max(relative)), limit=figure(worst.tolerance.max_rel))

    def _stage_button(self, stage: StageName) -> QPushButton:
        results = [result for result in self._view.results if result.stage is stage]
        worst = self._worst(tuple(results))
        sign = _SIGNS[worst.status] if worst is not None else ""
        made = button(f"{sign} {stage_name(stage)}", lambda: self._choose(stage), role="segment")
        made.setCheckable(True)
        made.setChecked(stage is self._stage)
        tip = self.tr("%n tensor(s) compared in {seconds} s", "", sum(len(result.outputs) for result in results))
        made.setToolTip(tip.format(seconds=f"{sum(result.elapsed_s for result in results):.2f}"))
        self._stages.addButton(made)
        return made

    def _choose(self, stage: StageName) -> None:
        self._chosen = stage
        self.show_view(self._view)

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

    def _show_note(self) -> None:
        clear(self._note)
        worst = self._worst(self._view.results)
        if self._view.failure is not None:
            card, column = frame("soft", "failed")
            card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
            column.addWidget(label(self._view.failure.text(language()), tone="failed", wrap=True, selectable=True))
            column.addLayout(row(button(self.tr("Try again"), self.retry_asked.emit), None))
            self._note.addWidget(card)
        elif self._view.cancelled:
            self._note.addLayout(row(button(self.tr("Try again"), self.retry_asked.emit), None))
        elif worst is not None and worst.reason is not None and not self._view.running:
            card, column = frame("soft", _TONES[worst.status])
            card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
            column.addWidget(label(say_text(worst.reason), tone=_TONES[worst.status], wrap=True, selectable=True))
            if worst.status is Status.INCONCLUSIVE:
                column.addLayout(row(button(self.tr("Try again"), self.retry_asked.emit), None))
            self._note.addWidget(card)

    def _show_stage(self) -> None:
        results = self._results()
        diffs = [diff for result in results for diff in result.outputs]
        self.model.show(diffs)
        self._split.setVisible(bool(diffs))
        self.table.fit()
        if diffs:
            self.table.selectRow(0)
        else:
            self.values.show_tensor(None, None, None)

    def _select(self, line: int) -> None:
        diff = self.model.diff(line)
        if diff is None:
            return
        for result in self._results():
            if diff in result.outputs:
                self.values.show_tensor(diff, result.samples.get(diff.name), result.tolerance)
                self.tensor_picked.emit(diff.name)
                return

    def _show_limits(self) -> None:
        clear(self._limits_column)
        result = self._worst(self._results())
        self._limits.setVisible(result is not None)
        if result is None:
            return
        runtime = result.runtime
        name = f"{runtime.name} {runtime.version}" if runtime is not None else NONE
        level = runtime.optimization if runtime is not None else NONE
        dtypes = ", ".join(dict.fromkeys(diff.dtype for diff in result.outputs)) or NONE
        text = self.tr(
            "Computed in {dtype} by {runtime} on this computer, graph optimisation {level}. "
            "Not INT8 and not the board. The placement is a prediction from the tables, not a compiler's result."
        ).format(dtype=dtypes, runtime=name, level=level)
        title = label(self.tr("What this does not prove"), Role.BODY, tone="inconclusive", weight=600)
        lines = QVBoxLayout()
        lines.setSpacing(0)
        for line in (text, *(say_text(note) for note in result.notes)):
            lines.addWidget(label(line, Role.SMALL, wrap=True))
        self._limits_column.addWidget(title)
        self._limits_column.addLayout(lines)

    def _results(self) -> tuple[Verification, ...]:
        return tuple(result for result in self._view.results if result.stage is self._stage)

    @staticmethod
    def _worst(results: tuple[Verification, ...]) -> Verification | None:
        return min(results, key=lambda result: _ORDER.index(result.status)) if results else None
