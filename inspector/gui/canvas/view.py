"""`GraphView`: the canvas. Mouse, wheel, gestures and keys on top of `Surface`, with zoom stack, legend and minimap."""

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from inspector.gui.canvas import hit, travel
from inspector.gui.canvas.legend import Legend
from inspector.gui.canvas.lod import visible_edges
from inspector.gui.canvas.minimap import Minimap
from inspector.gui.canvas.stubs import stub_pills
from inspector.gui.canvas.surface import Surface
from inspector.gui.canvas.travel import Way
from inspector.gui.canvas.zoom_bar import ZoomBar
from inspector.gui.measures import scale
from inspector.gui.theme import Measure, Size, Space, colour
from inspector.gui.words import plain_tip

_WHEEL_BASE = 1.0015
_KEY_REASONS = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
"""Ways to get the focus after which its ring is shown; who points at the canvas knows where the keys go."""

_WAYS = {
    Qt.Key.Key_Up: Way.PRODUCER,
    Qt.Key.Key_Down: Way.CONSUMER,
    Qt.Key.Key_Left: Way.LEFT,
    Qt.Key.Key_Right: Way.RIGHT,
}


class GraphView(Surface):
    """Shows a graph and tells what the user points at.

    Attributes:
        wheel_scrolls: whether the wheel moves the view and zooms only with Ctrl; else it zooms.

    Signals:
        nodePicked: the user selected a node (NodeId), or nothing (None).
        nodeHovered: the pointer came over a node (NodeId), or left it (None).
        nodeActivated: a node was double-clicked, or Enter was pressed on it (NodeId).
        edgeMenuAsked: a menu is wanted for an edge of the scene (its index), at a global position (QPoint).
        contextMenuAsked: a menu is wanted for a node (NodeId) or the ground (None), at a global position (QPoint).
    """

    nodePicked = Signal(object)  # noqa: N815 - named as Qt names signals
    nodeHovered = Signal(object)  # noqa: N815
    nodeActivated = Signal(object)  # noqa: N815
    edgeMenuAsked = Signal(int, QPoint)  # noqa: N815
    contextMenuAsked = Signal(object, QPoint)  # noqa: N815

    def __init__(self, parent: QWidget | None = None, *, overlays: bool = True) -> None:
        """Start empty; without *overlays* there is no zoom stack, legend or minimap, as in a preview's panes."""
        self._legend: Legend | None = None
        self._minimap: Minimap | None = None
        self._zoom_bar: ZoomBar | None = None
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._pressed: QPointF | None = None
        self._last = QPointF()
        self._dragging = False
        self._space = False
        self._by_key = False
        self.wheel_scrolls = False
        if overlays:
            self._add_overlays()
        self.sceneChanged.connect(self._refresh_overlays)

    # -- overlays ------------------------------------------------------------------------------------------------

    @property
    def legend(self) -> Legend | None:
        """The legend, or None without overlays."""
        return self._legend

    @property
    def minimap(self) -> Minimap | None:
        """The minimap, or None without overlays."""
        return self._minimap

    def _add_overlays(self) -> None:
        self._legend, self._minimap, self._zoom_bar = Legend(self), Minimap(self), ZoomBar(self)
        self._minimap.moved.connect(self._centre_point)
        self._minimap.zoomed.connect(self.zoom)
        self._zoom_bar.zoomed.connect(self.zoom)
        self._zoom_bar.fit_asked.connect(self.fit)
        self._zoom_bar.actual_asked.connect(self.actual_size)
        self._refresh_overlays()

    def _centre_point(self, point: QPointF) -> None:
        self.move_camera(self.camera.centred(point, self.view_size()))

    def _refresh_overlays(self) -> None:
        if self._legend is None or self._minimap is None or self._zoom_bar is None:
            return
        for overlay in (self._legend, self._minimap, self._zoom_bar):
            overlay.set_theme(self.look)
        if self.placement is not None:
            self._legend.set_counts(self.placement.counts, self.placement.inferred)
        self._minimap.set_graph(self.geometry_shown, self.colouring)
        self._place_overlays()
        self._camera_moved()

    def _place_overlays(self) -> None:
        if self._legend is None or self._minimap is None or self._zoom_bar is None:
            return
        shown = self.scene is not None and len(self.scene) > 0
        self._zoom_bar.move(Space.M, Space.M)
        self._zoom_bar.setVisible(shown)
        room = self.width() - self.covered_right
        self._legend.fold_for(narrow=room < Size.LEGEND_OPEN_FROM)
        self._legend.move(Space.M, self.height() - Space.M - self._legend.height())
        self._legend.setVisible(shown and self.placement is not None and room >= Size.LEGEND_FROM)
        corner = QPoint(room - Space.M, self.height() - Space.M)
        self._minimap.move(corner - QPoint(self._minimap.width(), self._minimap.height()))
        self._minimap.setVisible(shown and room >= Size.MINIMAP_FROM)

    def set_covered(self, pixels: int) -> None:  # noqa: D102
        super().set_covered(pixels)
        self._hold_start()
        self._place_overlays()

    def _camera_moved(self) -> None:
        super()._camera_moved()
        if self._minimap is not None and self._zoom_bar is not None:
            self._minimap.set_view(self.seen())
            self._zoom_bar.set_scale(self.camera.scale)

    def _covered(self, rect: QRectF) -> bool:
        overlays = (self._legend, self._minimap, self._zoom_bar)
        shown = [QRectF(o.geometry()) for o in overlays if o is not None and o.isVisible()]
        covered = QRectF(rect.topLeft() * scale(), rect.size() * scale())
        return any(covered.intersects(overlay) for overlay in shown)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        self._place_overlays()

    # -- pointer -------------------------------------------------------------------------------------------------

    def box_under(self, position: QPointF) -> int | None:
        """The box at a view *position*, or None."""
        if self.geometry_shown is None:
            return None
        slack = Measure.SLACK / self.camera.scale
        return hit.box_at(self.geometry_shown, self.camera.world(position), slack)

    def edge_under(self, position: QPointF) -> int | None:
        """The edge that passes near a view *position*, or None."""
        if self.geometry_shown is None:
            return None
        return hit.edge_at(self.geometry_shown, self.camera.world(position), Measure.DRAG / self.camera.scale)

    def stub_under(self, position: QPointF) -> int | None:
        """The box that the pill of a cut edge at a view *position* leads to, or None."""
        frame = self.frame()
        if frame is None:
            return None
        pills = stub_pills(frame, visible_edges(frame.geometry, frame.seen))
        return next((pill.box for pill in pills if pill.rect.contains(position)), None)

    def _follow(self, box: int) -> None:
        """Select *box* and bring it into view."""
        self._pick(box)
        self._reveal_box(box, animated=True)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        self._last = self.at(event.position())
        middle = event.button() == Qt.MouseButton.MiddleButton
        left = event.button() == Qt.MouseButton.LeftButton
        stub = self.stub_under(self.at(event.position())) if left and not self._space else None
        if stub is not None:
            self._follow(stub)
        elif middle or (left and (self._space or self.box_under(self.at(event.position())) is None)):
            self._pressed = self.at(event.position())
            self._dragging = middle or self._space
            if self._dragging:
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif left:
            self._pick(self.box_under(self.at(event.position())))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if self._pressed is not None:
            moved = self.at(event.position()) - self._pressed
            if not self._dragging and moved.manhattanLength() >= Measure.DRAG:
                self._dragging = True
                self._last = self._pressed
                self.setCursor(Qt.CursorShape.ClosedHandCursor)
            if self._dragging:
                step = self.at(event.position()) - self._last
                self.move_camera(self.camera.panned(step.x(), step.y()))
                self._last = self.at(event.position())
        else:
            self._hover(self.box_under(self.at(event.position())))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if self._pressed is not None and not self._dragging:
            self._pick(None)
        self._pressed, self._dragging = None, False
        self._set_cursor(self._marks.hovered)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        node = self._node(self.box_under(self.at(event.position())))
        if event.button() == Qt.MouseButton.LeftButton and node is not None:
            self.nodeActivated.emit(node)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: D102
        self._hover(None)
        super().leaveEvent(event)

    def _hover(self, box: int | None) -> None:
        if box != self._marks.hovered:
            before = self._node(self._marks.hovered)
            self._mark(hovered=box)
            self._set_cursor(box)
            if self._node(box) != before:
                self.nodeHovered.emit(self._node(box))

    def _set_cursor(self, box: int | None) -> None:
        if self._space:
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.setCursor(Qt.CursorShape.ArrowCursor if box is None else Qt.CursorShape.PointingHandCursor)

    def _pick(self, box: int | None) -> None:
        self._select_box(box)
        self.nodePicked.emit(self._node(box))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: D102
        keyboard = event.reason() == QContextMenuEvent.Reason.Keyboard
        box = self._marks.selected if keyboard else self.box_under(self.at(QPointF(event.pos())))
        position = event.globalPos()
        frame = self.frame()
        if keyboard and box is not None and frame is not None:
            position = self.mapToGlobal((frame.on_screen(box).center() * scale()).toPoint())
        edge = self.edge_under(self.at(QPointF(event.pos()))) if box is None and not keyboard else None
        if box is not None and box != self._marks.selected:
            self._pick(box)
        if edge is not None:
            self.edgeMenuAsked.emit(edge, position)
        else:
            self.contextMenuAsked.emit(self._node(box), position)
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: D102
        turn, held = event.angleDelta(), event.modifiers()
        if held & Qt.KeyboardModifier.ShiftModifier:
            self.move_camera(self.camera.panned(turn.x() + turn.y(), 0.0))
        elif self.wheel_scrolls and not held & Qt.KeyboardModifier.ControlModifier:
            self.move_camera(self.camera.panned(turn.x(), turn.y()))
        else:
            self.zoom(_WHEEL_BASE ** turn.y(), self.at(event.position()))
            self.move_camera(self.camera.panned(turn.x(), 0.0))
        event.accept()

    def event(self, event: QEvent) -> bool:  # noqa: D102
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.zoom(1.0 + event.value(), self.at(event.position()))
            return True
        if isinstance(event, QHelpEvent):
            self._tooltip(event)
            return True
        return super().event(event)

    def _tooltip(self, event: QHelpEvent) -> None:
        box = self.box_under(self.at(QPointF(event.pos())))
        if box is None or self.scene is None or self.colouring is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPos(), plain_tip(self._words(box)), self)

    # -- keys ----------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        if not self._by_key:
            self._by_key = True
            self.update()
        if not self._key(event):
            super().keyPressEvent(event)

    def _key(self, event: QKeyEvent) -> bool:
        key, ctrl = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if ctrl:
            if key == Qt.Key.Key_0:
                self.actual_size()
            return key == Qt.Key.Key_0
        if event.modifiers() & Qt.KeyboardModifier.AltModifier:
            return False
        if key in _WAYS:
            self.travel(_WAYS[key])
        elif key == Qt.Key.Key_F:
            self.fit()
        elif key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_in()
        elif key == Qt.Key.Key_Minus:
            self.zoom_out()
        elif key == Qt.Key.Key_Space:
            self._space = True
            self._set_cursor(self._marks.hovered)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.selected_node() is not None:
            self.nodeActivated.emit(self.selected_node())
        elif key == Qt.Key.Key_Escape and self._marks.selected is not None and not self._marks.traced:
            self._pick(None)
        else:
            return False
        return True

    def travel(self, way: Way) -> None:
        """Select the box that *way* leads to, the first one when none is selected, and bring it into view."""
        if self.scene is None or self.geometry_shown is None or len(self.scene) == 0:
            return
        current = self._marks.selected
        target = 0 if current is None else travel.step(self.scene, self.geometry_shown, current, way)
        if target is not None:
            self._follow(target)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self._set_cursor(self._marks.hovered)
        super().keyReleaseEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: D102
        super().focusInEvent(event)
        self._by_key = event.reason() in _KEY_REASONS
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: D102
        self._space = False
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        super().paintEvent(event)
        if self.hasFocus() and self._by_key:
            painter = QPainter(self)
            painter.setPen(QPen(colour(self.look.accent), Size.FOCUS_RING))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
            painter.end()
