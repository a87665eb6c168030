"""Takes widgets that exist to another scale: what was set once in pixels (fonts, margins, fixed sizes) is set anew.

Widgets that read the tokens while they paint follow by themselves. A length at a scale is its length at 100 % times the
scale, rounded; since a scale is at least 1, the length at 100 % can be had back, so nothing drifts however often the
scale is changed.
"""

from collections.abc import Iterable, Iterator

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
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from inspector.gui.fonts import families

_NOTED_FONT = "_q_styleSheetWidgetFont"
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

    def apply(self, widgets: Iterable[QWidget]) -> None:
        """Set the fonts and lengths of *widgets* and of their layouts anew. No style sheet may be in force."""
        for widget in widgets:
            if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont):
                self._set_font(widget, self._font(widget.font()))
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

    def _set_font(self, widget: QWidget, font: QFont) -> None:
        """Give *widget* a *font* that outlasts the style sheet.

        Qt notes the font that a widget has when it is first styled, and puts it back with every new style sheet.
        """
        widget.setFont(font)
        if widget.property(_NOTED_FONT) is not None:
            widget.setProperty(_NOTED_FONT, font)

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
        if isinstance(widget, QAbstractItemView):
            widget.scheduleDelayedItemsLayout()
        if isinstance(widget, QTreeView):
            widget.setIndentation(self.pixels(widget.indentation()))
        if isinstance(widget, QHeaderView):
            self._header(widget)
        if isinstance(widget, QListWidget):
            for row in range(widget.count()):
                hint = widget.item(row).sizeHint()
                if hint.isValid():
                    widget.item(row).setSizeHint(self.size(hint))
        if isinstance(widget, QTreeWidget):
            for item in _items(widget.invisibleRootItem()):
                if item.sizeHint(0).isValid():
                    item.setSizeHint(0, self.size(item.sizeHint(0)))

    def _header(self, header: QHeaderView) -> None:
        least, usual = self.pixels(header.minimumSectionSize()), self.pixels(header.defaultSectionSize())
        # Rows follow the usual size only while they have it, so the least one must not push them away first.
        header.setMinimumSectionSize(1)
        if header.orientation() is Qt.Orientation.Vertical:
            header.setDefaultSectionSize(usual)
        header.setMinimumSectionSize(least)
        if header.orientation() is Qt.Orientation.Vertical:
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


def _items(top: QTreeWidgetItem) -> Iterator[QTreeWidgetItem]:
    """The items below *top*."""
    for index in range(top.childCount()):
        item = top.child(index)
        if item is not None:
            yield item
            yield from _items(item)
