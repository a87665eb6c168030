"""Values of one tensor before and after, as heat-maps of one slice, with steppers for the other axes."""

import numpy as np
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.icons import icon
from inspector.gui.panels.plots import HeatMap, HistogramView, Plane
from inspector.gui.panels.values_tools import Shown, ValuesTools
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, Flow, clear, label, row
from inspector.gui.words import decimal, figure, plain_tip, short_decimal
from inspector.verify.result import ArraySample, TensorDiff, Tolerance, Verification

_TITLE_MOST = 150
"""Widest name of a tensor in pixels, so that the steppers of two axes stand beside it."""

_MOST_CELLS = 512
"""Rows or columns of a plane that are drawn; a larger plane is cut, and the panel says so."""


class Stepper(QWidget):
    """Chooses an index along one axis with two buttons or the arrow keys; wraps round.

    Signals:
        changed: another index was chosen.
    """

    changed = Signal()

    def __init__(self, axis: int, size: int) -> None:
        """Start at index 0 of *size* along *axis*."""
        super().__init__()
        self.index = 0
        self._axis, self._size = axis, size
        self._text = label("", Role.SMALL, tone="second")
        back, forth = QToolButton(), QToolButton()
        back.clicked.connect(lambda: self.step(-1))
        forth.clicked.connect(lambda: self.step(1))
        back.setAccessibleName(self.tr("Back along axis {axis}").format(axis=axis))
        forth.setAccessibleName(self.tr("Forth along axis {axis}").format(axis=axis))
        for part, sign in ((back, "chevron-left"), (forth, "chevron-right")):
            part.setIcon(icon(sign))
            part.setIconSize(QSize(Size.ICON, Size.ICON))
            part.setAutoRepeat(True)
        self.setLayout(row(back, self._text, forth, spacing=0))
        self._tell()

    def step(self, by: int) -> None:
        """Move *by* places."""
        self.go_to(self.index + by)

    def go_to(self, index: int) -> None:
        """Choose *index*; wraps round."""
        self.index = index % max(self._size, 1)
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        text = self.tr("axis {axis}: {index} of {n}")
        self._text.setText(text.format(axis=self._axis, index=self.index + 1, n=self._size))


class ValuesPanel(QWidget):
    """Heat-maps Before, After, |Difference| with a linked cursor, and the histogram of differences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty panel."""
        super().__init__(parent)
        self.setProperty("role", "page")
        self._diff: TensorDiff | None = None
        self._sample: ArraySample | None = None
        self._planes: tuple[Plane, Plane] | None = None
        self._steppers: list[Stepper] = []
        self._shared = ""
        self._axes = Flow(Space.XS)
        self.tools = ValuesTools(self)
        self.tools.element_picked.connect(self.go_to)
        self.maps = (HeatMap(), HeatMap(), HeatMap())
        self._names = tuple(Elided("", Role.SMALL, tone="second") for _ in self.maps)
        self._cursor = Elided("", Role.SMALL, tone="second", mono=True)
        self._worst = Elided("", Role.SMALL, mono=True)
        self._histogram_title = Elided("", Role.SMALL, tone="second")
        self.histogram = HistogramView()
        self._build()
        for heat in self.maps:
            heat.hovered.connect(self._point)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.XS, Space.S, Space.XS)
        column.setSpacing(Space.XS)
        head = QHBoxLayout()
        head.setSpacing(Space.XS)
        head.addLayout(self._axes, 1)
        head.addWidget(self.tools, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.S)
        grid.setVerticalSpacing(Space.XS)
        for index, (heat, name) in enumerate(zip(self.maps, self._names, strict=True)):
            grid.addWidget(heat, 0, index)
            name.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            grid.addWidget(name, 1, index)
            grid.setColumnStretch(index, 1)
        grid.setRowStretch(0, 1)
        column.addLayout(grid, 3)
        column.addWidget(self._worst)
        column.addWidget(self._cursor)
        column.addWidget(self._histogram_title)
        column.addWidget(self.histogram, 2)

    def show_tensor(
        self,
        diff: TensorDiff | None,
        sample: ArraySample | None,
        tolerance: Tolerance | None,
        results: tuple[Verification, ...] = (),
    ) -> None:
        """Show *diff*, one of *results*; *sample* is None when no values were kept for it."""
        self._diff, self._sample = diff, sample
        self.tools.show_values(Shown(diff, sample, results) if diff is not None else None)
        _tell(self._histogram_title, self.tr("Elements per decade of |difference|, log scale; line: limit"))
        self._histogram_title.setVisible(diff is not None and diff.histogram is not None)
        limit = None
        if diff is not None and tolerance is not None and diff.range_before is not None:
            limit = tolerance.max_rel * max(abs(end) for end in diff.range_before)
        self.histogram.show_histogram(diff.histogram if diff is not None else None, limit)
        self._make_steppers()
        self._show_planes()

    def go_to(self, index: tuple[int, ...]) -> None:
        """Show the slice of the element *index*, and mark it."""
        for stepper, place in zip(self._steppers, index, strict=False):
            stepper.go_to(place)
        spot = (0, 0, *index)[-2:]
        self._point(spot if all(place < _MOST_CELLS for place in spot) else None)

    def _make_steppers(self) -> None:
        clear(self._axes)
        self._steppers = []
        title = Elided("", Role.BODY, mono=True)
        _tell(title, self._diff.name if self._diff is not None else "")
        width = title.fontMetrics().horizontalAdvance(title.text()) + Space.M
        title.setFixedSize(min(width, _TITLE_MOST), Size.CONTROL)
        self._axes.addWidget(title)
        shape = self._sample.before.shape if self._sample is not None else ()
        for axis, size in enumerate(shape[:-2]):
            stepper = Stepper(axis, size)
            stepper.changed.connect(self._show_planes)
            self._steppers.append(stepper)
            if size > 1:
                self._axes.addWidget(stepper)

    def _show_planes(self) -> None:
        sample, diff = self._sample, self._diff
        _tell(self._cursor, "")
        _tell(self._worst, "")
        if sample is None or diff is None or sample.before.size == 0 or sample.before.shape != sample.after.shape:
            text = self.tr("No values were kept for this tensor.") if diff is not None else ""
            for heat, name in zip(self.maps, self._names, strict=True):
                heat.show_plane(None, 0, 0, text)
                _tell(name, "")
            self._planes = None
            return
        index = tuple(stepper.index for stepper in self._steppers)
        before, after = _plane(sample.before, index), _plane(sample.after, index)
        self._planes = before, after
        low, high = _range(before, after)
        self._shared = f"{short_decimal(low)} … {short_decimal(high)}"
        self.maps[0].show_plane(before, low, high)
        self.maps[1].show_plane(after, low, high)
        _tell(self._names[0], self.tr("Before"))
        _tell(self._names[1], self.tr("After"))
        self._show_difference(diff, np.abs(after - before))
        _tell(self._cursor, self._range_note())
        self._worst.setVisible(not diff.equal)
        difference = np.nan_to_num(np.abs(after - before), nan=-1.0)
        row_, column = np.unravel_index(int(difference.argmax()), difference.shape)
        _tell(self._worst, self.tr("worst in this slice: {values}").format(values=self._at((int(row_), int(column)))))

    def _at(self, spot: tuple[int, int]) -> str:
        """Coordinates and both values of one cell of the slice."""
        if self._planes is None:
            return ""
        before, after = (float(plane[spot]) for plane in self._planes)
        index = ", ".join(str(i) for i in (*(s.index for s in self._steppers), *spot))
        return f"[{index}]  {decimal(before)} → {decimal(after)}  Δ {figure(abs(after - before))}"

    def _range_note(self) -> str:
        """The range that Before and After share, and what part of the tensor was kept, when it is not all."""
        diff, sample = self._diff, self._sample
        if diff is None or sample is None or self._planes is None:
            return ""
        if sample.before.shape == diff.shape:
            return self.tr("range {range}").format(range=self._shared)
        kept, whole = ("×".join(str(size) for size in shape) for shape in (sample.before.shape, diff.shape))
        return self.tr("range {range} · shown: {kept} of {whole}").format(range=self._shared, kept=kept, whole=whole)

    def _show_difference(self, diff: TensorDiff, difference: Plane) -> None:
        finite = difference[np.isfinite(difference)]
        most = float(finite.max()) if finite.size else 0.0
        if diff.equal:
            text = self.tr("all elements equal: {n}").format(n=f"{int(np.prod(diff.shape)):,}")
            self.maps[2].show_plane(None, 0, 0, text)
        elif most == 0:
            self.maps[2].show_plane(None, 0, 0, self.tr("equal in this slice"))
        else:
            self.maps[2].show_plane(difference, 0.0, most)
        _tell(self._names[2], self.tr("|Difference|  0 … {high}").format(high=figure(most)))

    def _point(self, cell: object) -> None:
        spot = cell if isinstance(cell, tuple) else None
        for heat in self.maps:
            heat.show_cursor(spot)
        if spot is None or self._planes is None:
            _tell(self._cursor, self._range_note())
            return
        _tell(self._cursor, self._at(spot))


def _tell(name: Elided, text: str) -> None:
    name.setText(text)
    name.setToolTip(plain_tip(text))


def _plane(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]], index: tuple[int, ...]) -> Plane:
    """The last two axes of *array* at *index* of the others, as float64; a vector becomes one row."""
    plane = np.atleast_2d(np.asarray(array[index] if index else array)).astype(np.float64)
    return plane[:_MOST_CELLS, :_MOST_CELLS]


def _range(before: Plane, after: Plane) -> tuple[float, float]:
    both = np.concatenate([before.ravel(), after.ravel()])
    finite = both[np.isfinite(both)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
