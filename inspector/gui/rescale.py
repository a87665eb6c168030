"""Takes widgets that exist to another scale: what was set once in pixels (fonts, margins, fixed sizes) is set anew.

Widgets that read the tokens while they paint follow by themselves. A length at a scale is its length at 100 % times the
scale, rounded; since a scale is at least 1, the length at 100 % can be had back, so nothing drifts however often the
scale is changed.
"""

from collections.abc import Iterable

from PySide6.QtCore import QMargins, QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QLayout,
    QListWidget,
    QTabBar,
    QToolBar,
    QTreeView,
    QWidget,
)

from inspector.gui.fonts import families

_UNBOUNDED = 16_777_215
"""Qt's largest size of a widget, which means that there is no limit."""


class Rescaling:
    """One change of the scale."""

    def __init__(self, before: float, after: float) -> None:
        """From the factor *before* to the factor *after*, both at least 1."""
        self._before, self._after = before, after

    def pixels(self, length: int) -> int:
        """A *length* at the scale before, at the one after; what Qt uses for "none" stays."""
        if length <= 0 or length >= _UNBOUNDED:
            return length
        at_100 = int(length / self._before + 0.5)
        return int(at_100 * self._after + 0.5)

    def size(self, size: QSize) -> QSize:
        """Likewise, both ways."""
        return QSize(self.pixels(size.width()), self.pixels(size.height()))

    def fonts(self, widgets: Iterable[QWidget]) -> list[tuple[QWidget, QFont]]:
        """The font at the scale after, for each of *widgets* that was given one of its own.

        To be asked while no style sheet is in force, because that changes fonts; and to be set once there is one again,
        because Qt then puts back the fonts that it found under the last one.
        """
        return [(w, self._font(w.font())) for w in widgets if w.testAttribute(Qt.WidgetAttribute.WA_SetFont)]

    def lengths(self, widgets: Iterable[QWidget]) -> None:
        """Set the lengths of *widgets* and of their layouts anew. No style sheet may be in force."""
        for widget in widgets:
            if not widget.isWindow():
                self._bounds(widget)
            margins = widget.contentsMargins()
            if not margins.isNull():
                widget.setContentsMargins(self._margins(margins))
            self._kind(widget)
            layout = widget.layout()
            if layout is not None:
                self._layout(layout)

    def _font(self, font: QFont) -> QFont:
        made = QFont(font)
        made.setPointSizeF(font.pointSizeF() * self._after / self._before)
        made.setFamilies(list(families(font.styleHint() is QFont.StyleHint.Monospace)))
        return made

    def _margins(self, margins: QMargins) -> QMargins:
        return QMargins(*map(self.pixels, (margins.left(), margins.top(), margins.right(), margins.bottom())))

    def _bounds(self, widget: QWidget) -> None:
        least, most = self.size(widget.minimumSize()), self.size(widget.maximumSize())
        widget.setMaximumSize(most.expandedTo(least))
        widget.setMinimumSize(least)

    def _kind(self, widget: QWidget) -> None:
        """What single kinds of widgets keep besides."""
        if isinstance(widget, QAbstractButton | QAbstractItemView | QTabBar | QToolBar):
            widget.setIconSize(self.size(widget.iconSize()))
        if isinstance(widget, QTreeView):
            widget.setIndentation(self.pixels(widget.indentation()))
        if isinstance(widget, QHeaderView):
            self._header(widget)
        if isinstance(widget, QListWidget):
            for row in range(widget.count()):
                hint = widget.item(row).sizeHint()
                if hint.isValid():
                    widget.item(row).setSizeHint(self.size(hint))

    def _header(self, header: QHeaderView) -> None:
        header.setMinimumSectionSize(self.pixels(header.minimumSectionSize()))
        if header.orientation() is Qt.Orientation.Vertical:
            header.setDefaultSectionSize(self.pixels(header.defaultSectionSize()))
            return
        count = header.count() - (1 if header.stretchLastSection() else 0)
        sizes = [header.sectionSize(section) for section in range(count)]
        for section, size in enumerate(sizes):
            if header.sectionResizeMode(section) is QHeaderView.ResizeMode.Interactive:
                header.resizeSection(section, self.pixels(size))

    def _layout(self, layout: QLayout) -> None:
        layout.setContentsMargins(self._margins(layout.contentsMargins()))
        if isinstance(layout, QGridLayout):
            layout.setHorizontalSpacing(self.pixels(layout.horizontalSpacing()))
            layout.setVerticalSpacing(self.pixels(layout.verticalSpacing()))
            for row in range(layout.rowCount()):
                layout.setRowMinimumHeight(row, self.pixels(layout.rowMinimumHeight(row)))
            for column in range(layout.columnCount()):
                layout.setColumnMinimumWidth(column, self.pixels(layout.columnMinimumWidth(column)))
        elif layout.spacing() >= 0:
            layout.setSpacing(self.pixels(layout.spacing()))
        for index in range(layout.count()):
            item = layout.itemAt(index)
            inner = item.layout() if item is not None else None
            if inner is not None:
                self._layout(inner)
