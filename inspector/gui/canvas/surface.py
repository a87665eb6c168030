"""`Surface`: the widget that paints a scene and owns its camera and marks; it reacts to no input yet."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from inspector.gui.canvas.camera import Camera, fitted, within
from inspector.gui.canvas.camera_widget import CameraWidget
from inspector.gui.canvas.colouring import VERDICTS, Colouring, colour_scene, with_fixes
from inspector.gui.canvas.describe import describe_box
from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.geometry import Geometry
from inspector.gui.canvas.lettering import lettering
from inspector.gui.canvas.marks import Change, Marks
from inspector.gui.canvas.overview import Overview
from inspector.gui.canvas.paint import Painted
from inspector.gui.canvas.scene import Bools, Scene
from inspector.gui.fonts import Role
from inspector.gui.measures import scale
from inspector.gui.theme import Measure, Size, Theme, ThemeName, colour, theme
from inspector.layout.result import GraphLayout
from inspector.model.graph import NodeId
from inspector.placement.verdict import Placement, Verdict


class Surface(CameraWidget):
    """Paints one graph. Nodes are named by id; a node that the scene does not show is ignored.

    Signals:
        sceneChanged: another scene, other verdicts or another theme are shown.
    """

    sceneChanged = Signal()  # noqa: N815 - named as Qt names signals

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start empty, in the light theme."""
        super().__init__(parent)
        self.setMinimumSize(Size.CANVAS_MIN_WIDTH // 2, Size.CANVAS_MIN_HEIGHT // 2)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._look = theme(ThemeName.LIGHT)
        self._scale = scale()
        self._own_name = ""
        self._scene: Scene | None = None
        self._geometry: Geometry | None = None
        self._colouring: Colouring | None = None
        self._placement: Placement | None = None
        self._fixes: Mapping[NodeId, int] = {}
        self._marks = Marks()
        self._fit_pending = False
        self._start: tuple[float, QPointF] | None = None
        self._started: Camera | None = None
        self._empty_text: str | None = None
        self._overview = Overview(self.update, self)
        self.painted = Painted(0, 0)
        self._describe()

    # -- what is shown -------------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene | None:
        """The scene on screen, or None."""
        return self._scene

    @property
    def geometry_shown(self) -> Geometry | None:
        """Positions on screen, or None."""
        return self._geometry

    @property
    def colouring(self) -> Colouring | None:
        """Verdicts on screen, or None while there is no scene."""
        return self._colouring

    @property
    def placement(self) -> Placement | None:
        """The placement that colours the scene, or None."""
        return self._placement

    def set_scene(
        self,
        scene: Scene | None,
        layout: GraphLayout | None,
        *,
        placement: Placement | None = None,
        keep_camera: bool = False,
    ) -> None:
        """Show *scene* at the positions of *layout*, coloured by *placement*; None shows the empty state.

        Verdicts, fixes and marks of the previous scene are dropped; a selected node that the new scene shows stays
        selected. The view fits the start of the graph unless *keep_camera*.
        """
        kept = self.selected_node()
        self._scene = scene if layout is not None else None
        self._geometry = Geometry.of(layout) if scene is not None and layout is not None else None
        self._placement, self._fixes = placement, {}
        self._marks = Marks(shapes=self._marks.shapes, segments=self._marks.segments)
        self._recolour()
        if kept is not None:
            self._mark(selected=self._box(kept))
        if not keep_camera:
            if self._started is not None:  # that was for the scene before
                self._start = self._started = None
            self._fit_pending = True
            self._first_view()

    def start_at(self, scale: float, middle: QPointF) -> None:
        """Show the next scene at *scale* with the world's *middle* in the middle, unless nothing of it is there."""
        self._start, self._started = (scale, middle), None

    def set_placement(self, placement: Placement | None, fixes: Mapping[NodeId, int] | None = None) -> None:
        """Colour the scene by *placement*, with badges for the number of *fixes* per node. Nothing moves."""
        if placement is self._placement and self._colouring is not None:
            self.set_fixes(fixes or {})
            return
        self._placement, self._fixes = placement, dict(fixes or {})
        self._recolour()

    def set_fixes(self, fixes: Mapping[NodeId, int]) -> None:
        """Show badges for the number of *fixes* per node."""
        if fixes == self._fixes:
            return
        self._fixes = dict(fixes)
        if self._scene is not None and self._colouring is not None:
            self._show_colouring(with_fixes(self._colouring, self._scene, self._fixes))

    def set_theme(self, look: Theme) -> None:
        """Paint in the colours of *look*, and at the user's scale; what was in the middle stays there."""
        self._look = look
        if self._scale != scale():
            self._scale = scale()
            self._start, self._started = (self._camera.scale, self._middle), self._camera
            self._hold_start()
        self.sceneChanged.emit()
        self.update()

    @property
    def look(self) -> Theme:
        """The theme painted in."""
        return self._look

    def set_empty_text(self, text: str | None) -> None:
        """Sentence shown while there is no scene; None shows the canvas's own."""
        self._empty_text = text
        self.update()

    def _recolour(self) -> None:
        scene = self._scene
        self._show_colouring(None if scene is None else colour_scene(scene, self._placement, self._fixes))

    def _show_colouring(self, colouring: Colouring | None) -> None:
        self._colouring = colouring
        self._describe()
        self.sceneChanged.emit()
        self.update()

    # -- marks ---------------------------------------------------------------------------------------------------

    def _box(self, node: NodeId | None) -> int | None:
        return None if self._scene is None or node is None else self._scene.box_of.get(node)

    def _place(self, node: NodeId | None) -> int | None:
        """The box that stands for *node*: its own, or the one that a constant is folded into."""
        box = self._box(node)
        if box is None and self._scene is not None and node is not None:
            return self._scene.folded_into.get(node)
        return box

    def _node(self, box: int | None) -> NodeId | None:
        if self._scene is None or box is None or self._scene.node[box] < 0:
            return None
        return NodeId(int(self._scene.node[box]))

    def _mark(self, **changes: object) -> None:
        self._marks = replace(self._marks, **changes)  # type: ignore[arg-type]
        self.update()

    @property
    def marks(self) -> Marks:
        """Selection, hits, dimming and preview signs, by box."""
        return self._marks

    def selected_node(self) -> NodeId | None:
        """The selected node, or None when nothing, an input or an output is selected."""
        return self._node(self._marks.selected)

    def select(self, node: NodeId | None) -> None:
        """Select *node* (None: nothing), without a signal and without moving the camera.

        For a constant that is folded into its consumer, the consumer is selected.
        """
        self._select_box(self._place(node))

    def _select_box(self, box: int | None) -> None:
        if box != self._marks.selected:
            self._mark(selected=box)
            self._describe()

    def select_several(self, nodes: Collection[NodeId]) -> None:
        """Mark *nodes* as selected together; none takes the marks away."""
        boxes = (self._box(node) for node in nodes)
        self._mark(several=frozenset(box for box in boxes if box is not None))

    def set_dimmed(self, dimmed: Callable[[NodeId], bool] | None) -> None:
        """Draw the nodes for which *dimmed* answers True faint; None draws all in full."""
        if self._scene is None or dimmed is None:
            self._mark(dimmed=None, traced=False)
            return
        faint = [node >= 0 and dimmed(NodeId(node)) for node in self._scene.node.tolist()]
        self._mark(dimmed=np.array(faint, dtype=np.bool_), traced=False)

    def show_only(self, verdicts: Collection[Verdict]) -> None:
        """Draw everything but the nodes of *verdicts* faint; no verdicts: draw all in full."""
        if self._colouring is None or not verdicts:
            self._mark(dimmed=None, traced=False)
            return
        wanted = [code for code, verdict in enumerate(VERDICTS) if verdict in verdicts]
        self._mark(dimmed=~np.isin(self._colouring.code, wanted), traced=False)

    def show_traced(self, boxes: Bools) -> None:
        """Draw everything but *boxes* (`[n]` of the scene) faint, and the edges between them in the accent."""
        self._mark(dimmed=~boxes, traced=True)

    def set_search_hits(self, nodes: Collection[NodeId]) -> None:
        """Mark the *nodes* that a search found."""
        boxes = (self._box(node) for node in nodes)
        self._mark(hits=frozenset(box for box in boxes if box is not None))

    def set_changes(self, changes: Mapping[NodeId, Change]) -> None:
        """Mark nodes that a rewrite adds, removes or changes."""
        found = {box: change for node, change in changes.items() if (box := self._box(node)) is not None}
        self._mark(changes=found)

    def set_shapes_shown(self, shown: bool) -> None:
        """Whether edges carry the shape of their tensor at full detail."""
        self._mark(shapes=shown)

    def set_segments_shown(self, shown: bool) -> None:
        """Whether the nodes of a segment share a tint."""
        self._mark(segments=shown)

    # -- camera --------------------------------------------------------------------------------------------------

    def fit(self, *, animated: bool = True) -> None:
        """Show the whole graph."""
        if self._geometry is not None:
            self.move_camera(fitted(self._geometry.bounds, self.view_size()), animated=animated)

    def centre_on(self, node: NodeId, *, animated: bool = True, scale: float | None = None) -> None:
        """Bring *node* to the middle of the view; a zoom too small to read becomes 100 %, or *scale* if given."""
        box = self._place(node)
        if box is not None:
            self._centre_box(box, animated=animated, scale=scale)

    def _centre_box(self, box: int, *, animated: bool, scale: float | None = None) -> None:
        if self._geometry is None:
            return
        middle = self._geometry.rect(box).center()
        wanted = scale or (self._camera.scale if self._camera.scale >= 0.5 else 1.0)
        centred = Camera(wanted).centred(middle, self.view_size())
        filled = within(centred, self._geometry.bounds, self.view_size())
        rect = self._geometry.rect(box)
        covered = self._covered(QRectF(filled.screen(rect.topLeft()), filled.screen(rect.bottomRight())))
        self.move_camera(centred if covered else filled, animated=animated)

    def _covered(self, _rect: QRectF) -> bool:
        """Whether something lies over the view's *rect*."""
        return False

    def extent(self, nodes: Collection[NodeId]) -> QRectF:
        """World rectangle around the boxes of *nodes*; empty when none of them is shown."""
        boxes = [box for node in nodes if (box := self._box(node)) is not None]
        found = QRectF()
        for box in boxes if self._geometry is not None else ():
            found = found.united(self._geometry.rect(box)) if self._geometry is not None else found
        return found

    def show_at(self, world: QRectF, top: float, scale: float) -> None:
        """Put the upper edge of *world* *top* pixels below that of the view, and its middle in the view's middle."""
        middle = world.center().x() - self.view_size().width() / 2 / scale
        self.move_camera(Camera(scale, middle, world.top() - top / scale))

    def reveal(self, node: NodeId, *, animated: bool = True) -> None:
        """Move the view only if *node* is not well inside it."""
        box = self._place(node)
        if box is not None:
            self._reveal_box(box, animated=animated)

    def _reveal_box(self, box: int, *, animated: bool) -> None:
        if self._geometry is None:
            return
        rim = Measure.MARGIN / self._camera.scale
        if not self.seen().adjusted(rim, rim, -rim, -rim).contains(self._geometry.rect(box)):
            self._centre_box(box, animated=animated, scale=self._camera.scale)

    def _first_view(self) -> None:
        """Fit a graph that stays readable when fitted; else show its start at a readable size."""
        if self._geometry is None or not self._fit_pending or not self.isVisible():
            return
        self._fit_pending = False
        if self._start is not None:
            camera = Camera(self._start[0]).centred(self._start[1], self.view_size())
            if camera.seen(self.view_size()).intersects(self._geometry.bounds):
                self._started = camera
                self.move_camera(camera)
                return
            self._start = None
        camera = fitted(self._geometry.bounds, self.view_size())
        if camera.scale < _FITTED_FROM and len(self._geometry.left):
            first = self._geometry.rect(int(np.lexsort((self._geometry.left, self._geometry.top))[0]))
            centre = Camera(_READABLE).centred(first.center(), self.view_size())
            camera = Camera(_READABLE, centre.x, self._geometry.bounds.top() - Measure.MARGIN / _READABLE)
        self.move_camera(camera)

    def _hold_start(self) -> None:
        """Keep what `start_at` asked for in the middle while the view finds its size; not once somebody moved it."""
        if self._start is not None and self._camera == self._started:
            self._started = Camera(self._start[0]).centred(self._start[1], self.view_size())
            self.move_camera(self._started)
        elif self._started is not None:
            self._start = self._started = None

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        self._first_view()
        self._hold_start()
        self._camera_moved()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: D102
        super().showEvent(event)
        self._first_view()

    # -- painting ------------------------------------------------------------------------------------------------

    def frame(self) -> Frame | None:
        """The picture that `paintEvent` paints, or None while there is no scene."""
        if self._scene is None or self._geometry is None or self._colouring is None:
            return None
        return Frame(
            self._scene,
            self._geometry,
            self._colouring,
            self._marks,
            self._look,
            self._camera,
            self.view_size(),
            self.devicePixelRatioF() * scale(),
        )

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: D102
        painter = QPainter(self)
        frame = self.frame()
        if frame is None or len(frame.scene) == 0:
            self._paint_empty(painter)
        else:
            painter.scale(scale(), scale())
            self.painted = self._overview.paint(painter, frame)
        painter.end()

    def _paint_empty(self, painter: QPainter) -> None:
        painter.fillRect(self.rect(), colour(self._look.canvas))
        text = self._empty_text if self._empty_text is not None else self._own_empty_text()
        letters = lettering(Role.BODY.size)
        painter.setFont(letters.font)
        painter.setPen(colour(self._look.text2))
        painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignCenter, text)

    def _own_empty_text(self) -> str:
        if self._scene is not None:
            return self.tr("This graph has no nodes.")
        return self.tr("No model is open. Open one, or drop a file here.")

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        if event.type() == QEvent.Type.LanguageChange:
            self._describe()
            self.update()
        super().changeEvent(event)

    # -- access --------------------------------------------------------------------------------------------------

    def describe(self, node: NodeId) -> str:
        """*node* in words: operator, verdict, why, name, fixes, place in the graph; empty if it is not shown."""
        box = self._place(node)
        return "" if box is None else self._words(box)

    def _words(self, box: int) -> str:
        if self._scene is None or self._colouring is None:
            return ""
        node = self._node(box)
        verdict = self._placement.verdicts.get(node) if self._placement is not None and node is not None else None
        return describe_box(self._scene, self._colouring, box, verdict)

    def _describe(self) -> None:
        """Tell assistive technology which node is selected."""
        if self.accessibleName() in ("", self._own_name):  # a pane of a preview was given another one
            self._own_name = self.tr("Model graph")
            self.setAccessibleName(self._own_name)
        text = "" if self._marks.selected is None else self._words(self._marks.selected)
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)
            event = QAccessibleEvent(self, QAccessible.Event.DescriptionChanged)
            QAccessible.updateAccessibility(event)


_FITTED_FROM, _READABLE = 0.5, 0.8
