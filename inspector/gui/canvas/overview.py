"""Keeps a picture of large graphs at small zooms, so that panning and zooming over them stay smooth.

The picture holds edges and blocks, not the marks. While the zoom changes it is stretched; a moment after the
last change a sharp one replaces it.
"""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QPointF, QRectF, QSizeF, QTimer
from PySide6.QtGui import QImage, QPainter

from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.lod import OVERVIEW_BOXES, Level, visible_boxes, visible_edges
from inspector.gui.canvas.marks import Marks
from inspector.gui.canvas.paint import Painted, paint_content, paint_graph, paint_ground, with_world
from inspector.gui.canvas.paint_edges import incident, paint_edges
from inspector.gui.canvas.paint_marks import paint_marks

_MARGIN = 0.25
_PAUSE_MS = 80


class Overview(QObject):
    """Paints frames, those of many boxes from a kept picture."""

    def __init__(self, repaint: Callable[[], None], parent: QObject | None = None) -> None:
        """Call *repaint* when a sharper picture should be made."""
        super().__init__(parent)
        self._picture: QImage | None = None
        self._of: Frame | None = None
        self._stale = False
        self._repaint = repaint
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._refresh)

    @property
    def picture(self) -> QImage | None:
        """The kept picture, or None while frames are painted directly."""
        return self._picture

    def paint(self, painter: QPainter, frame: Frame) -> Painted:
        """Paint the whole picture of *frame*."""
        boxes = visible_boxes(frame.geometry, frame.seen)
        if frame.level is not Level.SMALL or len(boxes) < OVERVIEW_BOXES:
            self._picture, self._of = None, None
            return paint_graph(painter, frame)
        if self._picture is None or self._of is None or self._stale or not _same(self._of, frame):
            self._make(frame)
        edges = visible_edges(frame.geometry, frame.seen)
        paint_ground(painter, frame)
        if self._picture is not None and self._of is not None:
            self._blit(painter, frame, self._picture, self._of)
        with_world(painter, frame)
        paint_edges(painter, frame, edges[incident(frame, edges)])
        painter.restore()
        painter.save()
        paint_marks(painter, frame, boxes)
        painter.restore()
        return Painted(len(boxes), len(edges))

    def _refresh(self) -> None:
        self._stale = True
        self._repaint()

    def _make(self, frame: Frame) -> None:
        """Paint the kept picture: what *frame* shows and a margin around it."""
        margin = QPointF(frame.size.width() * _MARGIN, frame.size.height() * _MARGIN)
        camera = frame.camera.panned(margin.x(), margin.y())
        size = QSizeF(frame.size.width() * (1 + 2 * _MARGIN), frame.size.height() * (1 + 2 * _MARGIN))
        wide = replace(frame, camera=camera, size=size, marks=Marks(dimmed=frame.marks.dimmed))
        picture = QImage(
            round(size.width() * frame.ratio), round(size.height() * frame.ratio), QImage.Format.Format_RGB32
        )
        picture.setDevicePixelRatio(frame.ratio)
        painter = QPainter(picture)
        paint_ground(painter, wide)
        paint_content(painter, wide)
        painter.end()
        self._picture, self._of, self._stale = picture, wide, False
        self._timer.stop()

    def _blit(self, painter: QPainter, frame: Frame, picture: QImage, made: Frame) -> None:
        corner = frame.camera.screen(QPointF(made.camera.x, made.camera.y))
        if made.camera.scale == frame.camera.scale:
            painter.drawImage(_snapped(corner, frame.ratio), picture)
        else:
            growth = frame.camera.scale / made.camera.scale
            painter.drawImage(QRectF(corner, made.size * growth), picture)
        if made.camera.scale != frame.camera.scale or not _covers(made, frame):
            self._timer.start()


def _snapped(point: QPointF, ratio: float) -> QPointF:
    """The nearest point on whole device pixels, so that the picture is copied and not resampled."""
    return QPointF(round(point.x() * ratio) / ratio, round(point.y() * ratio) / ratio)


def _same(made: Frame, frame: Frame) -> bool:
    """Whether a picture of *made* still shows the right things in the right colours."""
    return (
        made.scene is frame.scene
        and made.geometry is frame.geometry
        and made.colouring is frame.colouring
        and made.look is frame.look
        and made.marks.dimmed is frame.marks.dimmed
        and made.ratio == frame.ratio
    )


def _covers(made: Frame, frame: Frame) -> bool:
    wanted = frame.camera.seen(frame.size).intersected(frame.geometry.bounds)
    return made.camera.seen(made.size).contains(wanted)
