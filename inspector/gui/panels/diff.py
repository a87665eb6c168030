"""Numerical diff: verdict, stages, limit, seed, inputs, runtime; figures and values per tensor; what is not proven."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QScrollArea,
    QSizePolicy,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.fonts import Role
from inspector.gui.i18n import language
from inspector.gui.models.diffs import DiffColumn, DiffsModel
from inspector.gui.panels.depth import DepthView, in_depth
from inspector.gui.panels.proof_head import TONES, DiffView, ProofHead, Running, worst_of
from inspector.gui.panels.values import ValuesPanel
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import button, clear, frame, label, row
from inspector.gui.words import NONE, say_text
from inspector.verify.result import StageName, Status, TensorDiff, Verification

__all__ = ["DiffPanel", "DiffView"]

_LEAST_DEPTH = 3
"""Tensors from which on an error along depth is shown."""


class _Table(QTableView):
    """A table whose first column takes the width that the figures leave, but never less than a readable name."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the first column its width."""
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Give the first column the width that is left."""
        others = sum(self.columnWidth(column) for column in DiffColumn if column is not DiffColumn.TENSOR)
        self.setColumnWidth(DiffColumn.TENSOR, max(self.viewport().width() - others, Size.LEFT_MIN // 2))


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
        self.head = ProofHead()
        self.head.stage_chosen.connect(self._choose)
        self.head.cancel_asked.connect(self.cancel_asked)
        self.along = DepthView()
        self.along.setMouseTracking(True)
        self.along.picked.connect(self._pick)
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
        column.addWidget(self.along)
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
        self._split.setStretchFactor(0, 7)
        self._split.setStretchFactor(1, 4)
        self._split.setSizes([7 * Size.INSPECTOR, 4 * Size.INSPECTOR])
        outer = QVBoxLayout(self)
        outer.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        outer.setSpacing(Space.S)
        outer.addWidget(self.head)
        outer.addLayout(self._note)
        outer.addWidget(self._split, 1)
        self._limits.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def retranslate(self) -> None:
        """Set the fixed texts in the current language."""
        self._values_area.setAccessibleName(self.tr("Values of the tensor"))
        self.table.setAccessibleName(self.tr("Differences per tensor"))
        self.show_view(self._view)

    @property
    def view(self) -> DiffView:
        """What is shown."""
        return self._view

    def show_view(self, view: DiffView) -> None:
        """Show *view*; keeps the stage that the user chose while it exists."""
        self._view = view
        stages = view.stages
        self._stage = self._chosen if self._chosen in stages else stages[-1] if stages else None
        self.head.show_view(view, self._stage)
        self._show_note()
        self._show_stage()
        self._show_limits()

    def show_running(self, running: Running) -> None:
        """Show how far the comparison under way is; nothing while none is shown as under way."""
        if self._view.running:
            self.head.show_running(running)

    def _choose(self, stage: StageName) -> None:
        self._chosen = stage
        self.show_view(self._view)

    def _show_note(self) -> None:
        clear(self._note)
        worst = worst_of(self._view.results)
        if self._view.failure is not None:
            card, column = frame("soft", "failed")
            card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
            column.addWidget(label(self._view.failure.text(language()), tone="failed", wrap=True, selectable=True))
            column.addLayout(row(button(self.tr("Try again"), self.retry_asked.emit), None))
            self._note.addWidget(card)
        elif self._view.cancelled:
            self._note.addLayout(row(button(self.tr("Try again"), self.retry_asked.emit), None))
        elif worst is not None and worst.reason is not None and not self._view.running:
            card, column = frame("soft", TONES[worst.status])
            card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
            column.addWidget(label(say_text(worst.reason), tone=TONES[worst.status], wrap=True, selectable=True))
            first = next((d for d in in_depth(worst.outputs) if d.status is Status.FAILED), None)
            if first is not None:
                text = self.tr("First over the limit: {tensor}").format(tensor=first.name)
                column.addWidget(button(text, lambda: self._show_first(worst.stage, first), role="link"))
            if worst.status is Status.INCONCLUSIVE:
                column.addLayout(row(button(self.tr("Try again"), self.retry_asked.emit), None))
            self._note.addWidget(card)

    def _show_first(self, stage: StageName, diff: TensorDiff) -> None:
        if stage is not self._stage:
            self._choose(stage)
        self._pick(diff)

    def _show_stage(self) -> None:
        results = self._results()
        diffs = [diff for result in results for diff in result.outputs]
        self.table.clearSpans()
        self.model.show(diffs)
        for line in self.model.title_rows:
            self.table.setSpan(line, 0, 1, len(DiffColumn))
        self._split.setVisible(bool(diffs))
        self.table.fit()
        worst = worst_of(results)
        failed = worst is not None and worst.status is Status.FAILED and len(worst.outputs) >= _LEAST_DEPTH
        self.along.setVisible(failed)
        if worst is not None and failed:
            self.along.show_diffs(in_depth(worst.outputs), worst.tolerance.max_rel)
        if diffs:
            self._pick(diffs[0])
        else:
            self.values.show_tensor(None, None, None)

    def _pick(self, diff: TensorDiff) -> None:
        line = self.model.row_of(diff)
        if line is not None:
            self.table.selectRow(line)
            self.table.scrollTo(self.model.index(line, 0))

    def _select(self, line: int) -> None:
        diff = self.model.diff(line)
        if diff is None:
            return
        for result in self._results():
            if diff in result.outputs:
                self.values.show_tensor(diff, result.samples.get(diff.name), result.tolerance, self._view.results)
                self.tensor_picked.emit(diff.name)
                return

    def _show_limits(self) -> None:
        clear(self._limits_column)
        result = worst_of(self._results())
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
        return self._view.of(self._stage)
