"""`Columns`: how rail, left panel, canvas, inspector and bottom panel share the room below the target bar."""

from enum import Enum

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QSplitter, QSplitterHandle, QWidget

from inspector.gui.panel_layout import PREVIEW, PanelLayout, Part
from inspector.gui.theme import Size

BOTTOM_SHARE = 0.6
"""Largest part of the height that the bottom panel takes unless it is maximised."""


class Mode(Enum):
    """What the canvas shows."""

    EMPTY = 0
    MODEL = 1
    PREVIEW = 2


class Columns(QWidget):
    """Gives every part its place by the `PanelLayout` that all documents share, and tells it what the user drags.

    A preview opens the bottom panel and leaves the rail of the left one for as long as it lasts; what the user opens
    and closes meanwhile is not remembered either. Where the window is narrow the inspector lies over the canvas.

    Signals:
        changed: a part was opened or closed.
        covered: the inspector lies over this many pixels at the right of the canvas.
    """

    changed = Signal()
    covered = Signal(int)

    def __init__(self, parts: dict[Part, QWidget], rail: QWidget, canvas: QWidget, ground: QWidget) -> None:
        """Share the room between *parts*, the *rail* that stands for a closed left part, and the *canvas*.

        The *ground* is the part of the canvas that the inspector lies over where the window is narrow.
        """
        super().__init__()
        self._layout = PanelLayout(self)
        self._parts, self._rail, self._canvas = parts, rail, canvas
        self._mode = Mode.EMPTY
        self._for_now: dict[Part, bool] = {}
        self._cramped: frozenset[Part] = frozenset()
        self._maximised = False
        self._ground = ground
        self._across, self._down = Splitter(Qt.Orientation.Horizontal), Splitter(Qt.Orientation.Vertical)
        self._down.addWidget(canvas)
        self._down.addWidget(parts[Part.BOTTOM])
        for widget in (parts[Part.LEFT], self._down, parts[Part.RIGHT]):
            self._across.addWidget(widget)
        self._across.setStretchFactor(1, 1)
        self._down.setStretchFactor(0, 1)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(rail)
        line.addWidget(self._across, 1)
        self._across.splitterMoved.connect(lambda: self._dragged())
        self._down.splitterMoved.connect(lambda: self._dragged())
        self._layout.changed.connect(self._follow)
        ground.installEventFilter(self)
        self._apply()

    def share(self, layout: PanelLayout) -> None:
        """Arrange the panels by *layout* from now on, as other documents do."""
        self._layout.changed.disconnect(self._follow)
        self._layout = layout
        layout.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self._apply()
        self.changed.emit()

    @property
    def mode(self) -> Mode:
        """What the canvas shows."""
        return self._mode

    def set_mode(self, mode: Mode) -> None:
        """Arrange the panels for *mode*."""
        if mode is not self._mode:
            self._mode, self._maximised = mode, False
            self._cramped = self._without_room()
            self._for_now = {Part.LEFT: False} if mode is Mode.PREVIEW else {}
            if mode is Mode.PREVIEW and Part.BOTTOM not in self._cramped:
                self._for_now[Part.BOTTOM] = True
            self._apply()
            self.changed.emit()

    def is_shown(self, part: Part) -> bool:
        """Whether *part* is open."""
        return self._mode is not Mode.EMPTY and self.is_wanted(part)

    def is_wanted(self, part: Part) -> bool:
        """Whether *part* is open as soon as a model is."""
        return self._for_now.get(part, self._layout.is_shown(part) and part not in self._cramped)

    def show_part(self, part: Part, on: bool) -> None:
        """Open or close *part*."""
        if on == self.is_wanted(part):
            return
        if part is Part.BOTTOM:
            self._maximised = on and part in self._cramped
        if self._mode is Mode.PREVIEW or part in self._cramped:
            self._for_now[part] = on
            for other in self._cramped & {Part.LEFT, Part.RIGHT} - {part}:
                self._for_now[other] = False
            self._follow()
        else:
            self._layout.show(part, on)

    @property
    def is_maximised(self) -> bool:
        """Whether the bottom panel takes the room of the canvas too."""
        return self._maximised

    def maximise(self, on: bool) -> None:
        """Give the bottom panel the room of the canvas, or give it back."""
        if on:
            self.show_part(Part.BOTTOM, True)
        self._maximised = on
        self._apply()

    @property
    def is_overlaid(self) -> bool:
        """Whether the inspector lies over the canvas."""
        return self._parts[Part.RIGHT].parentWidget() is self._ground

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the widths of the side panels; the canvas takes what is left."""
        super().resizeEvent(event)
        before, self._cramped = self._cramped, self._without_room()
        if before == self._cramped:
            self._apply()
            return
        for part in before | self._cramped:
            self._for_now.pop(part, None)
        self._maximised = self._maximised and Part.BOTTOM not in before
        self._follow()

    def _without_room(self) -> frozenset[Part]:
        """Parts that do not fit beside a canvas of a size that can be worked with."""
        wide, high = self.width(), self.height()
        tight = Size.RAIL + Size.INSPECTOR_MIN + Size.CANVAS_MIN_WIDTH
        found = set()
        beside = Size.CANVAS_MIN_WIDTH // 2 + Size.INSPECTOR if self._mode is Mode.MODEL else Size.CANVAS_MIN_WIDTH
        if wide < Size.LEFT + beside:
            found.add(Part.LEFT)
        if wide < (tight if self._mode is Mode.PREVIEW else tight - Size.CANVAS_MIN_WIDTH // 2):
            found.add(Part.RIGHT)
        if high < Size.BOTTOM_MIN + Size.CANVAS_MIN_HEIGHT:
            found.add(Part.BOTTOM)
        return frozenset(found)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the inspector where it lies when the ground below it changes."""
        if watched is self._ground and event.type() == QEvent.Type.Resize:
            self._place_overlay()
        return False

    def _apply(self) -> None:
        self._settle_inspector()
        for part, widget in self._parts.items():
            widget.setVisible(self.is_shown(part))
        self._rail.setVisible(self._mode is not Mode.EMPTY and not self.is_shown(Part.LEFT))
        self._canvas.setVisible(not self._maximised)
        self._set_sizes()
        self._place_overlay()

    def _settle_inspector(self) -> None:
        """Move the inspector onto the canvas or back beside it."""
        narrow = self._mode is Mode.MODEL and self.width() < Size.OVERLAY_BELOW
        inspector = self._parts[Part.RIGHT]
        if narrow == self.is_overlaid:
            return
        focus = QApplication.focusWidget()
        if narrow:
            inspector.setParent(self._ground)
        else:
            self._across.addWidget(inspector)
            self._across.setStretchFactor(2, 0)
        if focus is not None and inspector.isAncestorOf(focus):
            focus.setFocus()

    def _set_sizes(self) -> None:
        limits = {
            Part.LEFT: (Size.LEFT_MIN, Size.LEFT_MAX),
            Part.RIGHT: (Size.INSPECTOR_MIN, Size.INSPECTOR_MAX),
        }
        for part, (least, most) in limits.items():
            self._parts[part].setMinimumWidth(least)
            self._parts[part].setMaximumWidth(most)
        left, right = self._layout.size(Part.LEFT), self._layout.size(Part.RIGHT)
        beside = self.is_shown(Part.RIGHT) and not self.is_overlaid
        shown = (left if self.is_shown(Part.LEFT) else 0) + (right if beside else 0)
        room, high = self._across.width(), self._down.height()
        low = min(Size.CANVAS_MIN_HEIGHT, high)
        if Part.BOTTOM not in self._cramped and self.is_shown(Part.BOTTOM):
            low = min(low, max(high - Size.BOTTOM_MIN, 1))
        self._canvas.setMinimumSize(min(Size.CANVAS_MIN_WIDTH, max(room - shown, 1)), low)
        self._across.setSizes([left, max(room - shown, 1), right])
        most = max(min(int(high * BOTTOM_SHARE), high - low), Size.BOTTOM_MIN)
        bottom = min(self._layout.size(PREVIEW if self._mode is Mode.PREVIEW else Part.BOTTOM), most)
        self._parts[Part.BOTTOM].setMinimumHeight(Size.BOTTOM_MIN)
        self._parts[Part.BOTTOM].setMaximumHeight(_UNLIMITED if self._maximised else most)
        self._down.setSizes([max(high - bottom, 1), bottom])

    def _place_overlay(self) -> None:
        inspector, ground = self._parts[Part.RIGHT], self._ground
        width = 0
        if self.is_overlaid:
            width = min(self._layout.size(Part.RIGHT), ground.width())
            inspector.setGeometry(ground.width() - width, 0, width, ground.height())
            inspector.raise_()
        self.covered.emit(width if self.is_overlaid and self.is_shown(Part.RIGHT) else 0)

    def _dragged(self) -> None:
        """Remember what the user made of the sizes."""
        if self.is_shown(Part.LEFT):
            self._layout.resize(Part.LEFT, self._parts[Part.LEFT].width())
        if self.is_shown(Part.RIGHT) and not self.is_overlaid:
            self._layout.resize(Part.RIGHT, self._parts[Part.RIGHT].width())
        if self.is_shown(Part.BOTTOM) and not self._maximised:
            name = PREVIEW if self._mode is Mode.PREVIEW else Part.BOTTOM
            self._layout.resize(name, self._parts[Part.BOTTOM].height())


_UNLIMITED = 16_777_215
"""The largest height that Qt knows."""


class Splitter(QSplitter):
    """Lines of one pixel that can be gripped at `Size.SPLITTER_GRIP` pixels."""

    def __init__(self, orientation: Qt.Orientation) -> None:
        """Make an empty splitter whose parts cannot be dragged away."""
        super().__init__(orientation)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def createHandle(self) -> QSplitterHandle:
        """A line with room around it for the pointer."""
        return _Grip(self.orientation(), self)


class _Grip(QSplitterHandle):
    """A handle that is wider than its line, by margins that the splitter leaves out of its arithmetic."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the margins."""
        reach = (Size.SPLITTER_GRIP - 1) // 2
        across = self.orientation() is Qt.Orientation.Horizontal
        self.setAttribute(Qt.WidgetAttribute.WA_MouseNoMask)
        self.setContentsMargins(*((reach, 0, reach, 0) if across else (0, reach, 0, reach)))
        self.setMask(self.contentsRect())
        QWidget.resizeEvent(self, event)
