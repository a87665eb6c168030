"""Names of segments: `segment 3`, `CPU island 1` above the first box of each, where no edge runs through them."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from inspector.gui.canvas.colouring import VERDICTS
from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.geometry import Ints
from inspector.gui.canvas.lettering import Lettering, lettering
from inspector.gui.canvas.lod import Level
from inspector.gui.canvas.paint_segments import ground_in
from inspector.gui.canvas.paint_text import badge_rect
from inspector.gui.theme import LABEL_ALPHA, Measure, colour
from inspector.placement.verdict import Verdict


@dataclass(frozen=True, slots=True)
class SegmentName:
    """One name.

    Attributes:
        rect: where it is on screen.
        text: what it says.
        box: the first box of the segment.
        crossed: whether an edge runs behind it: no place without one was found.
    """

    rect: QRectF
    text: str
    box: int
    crossed: bool


def segment_names(frame: Frame, boxes: Ints, edges: Ints) -> tuple[SegmentName, ...]:
    """Names of the segments whose first box is among *boxes*, kept clear of *edges*; none below full detail."""
    if frame.level is not Level.FULL or not frame.marks.segments or frame.colouring.segments < 2:
        return ()
    letters = _letters(frame)
    island = _islands(frame)
    found = []
    for box in boxes[frame.colouring.first[boxes]].tolist():
        text = _name(VERDICTS[int(frame.colouring.code[box])], int(frame.colouring.segment[box]), island)
        places = _places(frame, box, letters.width(text), letters)
        clear = next((place for place in places if not _taken(frame, place, boxes, edges)), None)
        found.append(SegmentName(clear or places[0], text, box, clear is None))
    return tuple(found)


def paint_segment_names(painter: QPainter, frame: Frame, names: tuple[SegmentName, ...]) -> None:
    """Paint *names* in view coordinates, on the ground of their segment where an edge runs behind them."""
    letters = _letters(frame)
    painter.setFont(letters.font)
    for name in names:
        look = frame.faint().look if frame.marks.is_dim(name.box) else frame.look
        if name.crossed:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(ground_in(frame, name.box), LABEL_ALPHA))
            painter.drawRoundedRect(name.rect, Measure.TAG_RADIUS, Measure.TAG_RADIUS)
        painter.setPen(colour(look.of(VERDICTS[int(frame.colouring.code[name.box])]).ink))
        letters.draw(painter, name.rect.left(), name.rect.center().y(), name.text)


def _letters(frame: Frame) -> Lettering:
    return lettering(Measure.FACT_SIZE * frame.camera.scale, weight=Measure.TITLE_WEIGHT)


def _places(frame: Frame, box: int, width: float, letters: Lettering) -> tuple[QRectF, ...]:
    """Places, best first: above a corner of *box*, the right one unless a badge has it, or beside it."""
    rect, scale = frame.on_screen(box), frame.camera.scale
    fixes = int(frame.colouring.fixes[box])
    beside = Measure.SEGMENT_SIDE / 2 * scale
    up = max(Measure.SEGMENT_NAME * scale, Measure.SEGMENT_CLEAR if fixes else 0.0)
    left, right = rect.left() - beside, rect.right() + beside - width
    if fixes:
        right = badge_rect(frame, box, str(fixes)).left() - Measure.LABEL_PAD - width
    outside = Measure.SEGMENT_SIDE * scale + Measure.LABEL_PAD
    middle, header = rect.top() - up, rect.top() + Measure.HEADER / 2 * scale
    spots = [(left, middle), (right, middle)] if fixes else [(right, middle), (left, middle)]
    spots += [(rect.left() - outside - width, header), (rect.right() + outside, header)]
    return tuple(QRectF(x, y - letters.height / 2, width, letters.height) for x, y in spots)


def _taken(frame: Frame, place: QRectF, boxes: Ints, edges: Ints) -> bool:
    """Whether one of *boxes* lies on *place*, in view pixels, or one of *edges* runs through it."""
    geometry = frame.geometry
    away = Measure.CROSSING
    low = frame.camera.world(place.topLeft() - QPointF(away, away))
    high = frame.camera.world(place.bottomRight() + QPointF(away, away))
    beside = (geometry.left[boxes] <= high.x()) & (geometry.right[boxes] >= low.x())
    if (beside & (geometry.top[boxes] <= high.y()) & (geometry.bottom[boxes] >= low.y())).any():
        return True
    reach = geometry.edge_box[edges]
    near = (reach[:, 0] <= high.x()) & (reach[:, 2] >= low.x()) & (reach[:, 1] <= high.y()) & (reach[:, 3] >= low.y())
    for edge in edges[near].tolist():
        start, end = int(geometry.straight.start[edge]), int(geometry.straight.start[edge + 1])
        for at, (first, second) in enumerate(pairwise(geometry.straight.points[start:end].tolist()), start + 1):
            across = min(first[0], second[0]) <= high.x() and max(first[0], second[0]) >= low.x()
            along = min(first[1], second[1]) <= high.y() and max(first[1], second[1]) >= low.y()
            if across and along and geometry.straight.joined[at]:
                return True
    return False


def _islands(frame: Frame) -> tuple[int, ...]:
    """Indexes of the segments on the CPU, in order."""
    cpu = frame.colouring.code == VERDICTS.index(Verdict.CPU)
    return tuple(np.unique(frame.colouring.segment[cpu & (frame.colouring.segment >= 0)]).tolist())


def _name(verdict: Verdict, segment: int, islands: tuple[int, ...]) -> str:
    if verdict is Verdict.CPU and segment in islands:
        return QCoreApplication.translate("Canvas", "CPU island {0}").format(islands.index(segment) + 1)
    return QCoreApplication.translate("Canvas", "segment {0}").format(segment + 1)
