"""One picture of the graph, in the order ground, segments, edges, labels, boxes, texts, marks, badges."""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.lod import GRID_FROM, visible_boxes, visible_edges
from inspector.gui.canvas.paint_boxes import paint_boxes
from inspector.gui.canvas.paint_edges import paint_edges, paint_labels
from inspector.gui.canvas.paint_marks import paint_marks
from inspector.gui.canvas.paint_segments import paint_segments
from inspector.gui.canvas.paint_text import paint_badges, paint_texts
from inspector.gui.canvas.segment_names import paint_segment_names, segment_names
from inspector.gui.canvas.stubs import paint_stubs, stub_pills
from inspector.gui.theme import Measure, Theme, ThemeName, colour, theme

_TILE = 8
"""Grid dots along a side of the picture that the ground is tiled with."""


@dataclass(frozen=True, slots=True)
class Painted:
    """What a picture held.

    Attributes:
        boxes: boxes painted.
        edges: edges painted.
    """

    boxes: int
    edges: int


def paint_graph(painter: QPainter, frame: Frame) -> Painted:
    """Paint the whole picture of *frame*, ground included."""
    paint_ground(painter, frame)
    return paint_content(painter, frame)


def paint_content(painter: QPainter, frame: Frame) -> Painted:
    """Paint edges, boxes and marks, without the ground."""
    boxes, edges = visible_boxes(frame.geometry, frame.seen), visible_edges(frame.geometry, frame.seen)
    with_world(painter, frame)
    paint_segments(painter, frame, boxes, edges)
    paint_edges(painter, frame, edges)
    painter.restore()
    painter.save()
    names = segment_names(frame, boxes, edges)
    paint_segment_names(painter, frame, names)
    pills = stub_pills(frame, edges)
    paint_stubs(painter, frame, pills)
    paint_labels(
        painter,
        frame,
        edges[~frame.geometry.cut[edges]],
        (*(pill.rect for pill in pills), *(name.rect for name in names)),
    )
    painter.restore()
    with_world(painter, frame)
    paint_boxes(painter, frame, boxes)
    painter.restore()
    painter.save()
    paint_texts(painter, frame, boxes)
    paint_marks(painter, frame, boxes)
    paint_badges(painter, frame, boxes)
    painter.restore()
    return Painted(len(boxes), len(edges))


def with_world(painter: QPainter, frame: Frame) -> None:
    """Save *painter* and let it paint in world coordinates; the caller restores it."""
    painter.save()
    painter.setTransform(frame.camera.transform, combine=True)


def paint_ground(painter: QPainter, frame: Frame) -> None:
    """Fill the view with the canvas colour, with grid dots where they are far enough apart."""
    view = QRectF(QPointF(0.0, 0.0), frame.size)
    scale = frame.camera.scale
    if scale < GRID_FROM:
        painter.fillRect(view, colour(frame.look.canvas))
        return
    step = round(Measure.GRID * scale * frame.ratio) / frame.ratio
    start = QPointF(frame.camera.x * scale % step, frame.camera.y * scale % step)
    painter.drawTiledPixmap(view, _dots(frame.look.name, step, frame.ratio), start)


@lru_cache(maxsize=16)
def _dots(name: ThemeName, step: float, ratio: float) -> QPixmap:
    """An opaque tile of `_TILE` x `_TILE` grid dots, *step* logical pixels apart."""
    look: Theme = theme(name)
    side = round(step * _TILE * ratio)
    tile = QPixmap(side, side)
    tile.setDevicePixelRatio(ratio)
    tile.fill(colour(look.canvas))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(look.dot))
    for row in range(_TILE):
        for column in range(_TILE):
            painter.drawEllipse(QPointF((column + 0.5) * step, (row + 0.5) * step), 1.0, 1.0)
    painter.end()
    return tile
