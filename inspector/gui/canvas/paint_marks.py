"""What lies on top of the boxes: hover and selection rings, search underlines, and the signs of a rewrite preview."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from inspector.gui.canvas.colouring import PLAIN, VERDICTS
from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.geometry import Ints
from inspector.gui.canvas.lettering import lettering
from inspector.gui.canvas.lod import Level
from inspector.gui.canvas.marks import Change
from inspector.gui.canvas.paint_text import title_span
from inspector.gui.fonts import FLOOR
from inspector.gui.theme import HALO_ALPHA, HOVER_ALPHA, Measure, Stroke, colour


def paint_marks(painter: QPainter, frame: Frame, boxes: Ints) -> None:
    """Paint the marks of the visible *boxes* in view coordinates; the selection comes last, above everything."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    shown = set(boxes.tolist())
    for box in sorted(frame.marks.hits & shown):
        _hit(painter, frame, box)
    for box in sorted(shown & set(frame.marks.changes)):
        _change(painter, frame, box, frame.marks.changes[box])
    for box in sorted(frame.marks.several & shown):
        _ring(painter, frame, box)
    hovered, selected = frame.marks.hovered, frame.marks.selected
    if hovered in shown and hovered is not None and hovered != selected:
        _hover(painter, frame, hovered)
    if selected in shown and selected is not None:
        _selection(painter, frame, selected)


def _radius(frame: Frame, away: float) -> float:
    return Measure.RADIUS * frame.camera.scale + away


def _outline(painter: QPainter, frame: Frame, rect: QRectF, away: float) -> None:
    radius = _radius(frame, away)
    painter.drawRoundedRect(rect.adjusted(-away, -away, away, away), radius, radius)


def _hover(painter: QPainter, frame: Frame, box: int) -> None:
    code = int(frame.colouring.code[box])
    edge = frame.look.edge if code == PLAIN else frame.look.of(VERDICTS[code]).edge
    rect = frame.on_screen(box)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour(edge, HOVER_ALPHA), Measure.HALO))
    _outline(painter, frame, rect, Measure.HALO / 2 + Stroke.HAIR)
    painter.setPen(QPen(colour(edge), Stroke.HAIR))
    _outline(painter, frame, rect, 0.5)


def _selection(painter: QPainter, frame: Frame, box: int) -> None:
    rect = frame.on_screen(box)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour(frame.look.accent, HALO_ALPHA), Measure.HALO))
    away = Measure.RING_AWAY if frame.level is not Level.SMALL else Measure.RING_AWAY / 2
    _outline(painter, frame, rect, away + Measure.RING / 2 + Measure.HALO / 2)
    _ring(painter, frame, box)


def _ring(painter: QPainter, frame: Frame, box: int) -> None:
    away = Measure.RING_AWAY if frame.level is not Level.SMALL else Measure.RING_AWAY / 2
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(colour(frame.look.accent), Measure.RING))
    _outline(painter, frame, frame.on_screen(box), away)


def _hit(painter: QPainter, frame: Frame, box: int) -> None:
    rect = frame.on_screen(box)
    painter.setPen(QPen(colour(frame.look.accent), Measure.HIT))
    if frame.level is Level.SMALL:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        _outline(painter, frame, rect, 2.0)
        return
    left, right, under = title_span(frame, box)
    painter.drawLine(QPointF(left, under), QPointF(right, under))


def _change(painter: QPainter, frame: Frame, box: int, change: Change) -> None:
    look, rect = frame.look, frame.on_screen(box)
    if change is Change.ADDED:
        pen = QPen(colour(look.accent), Stroke.THIN)
        pen.setDashPattern([part / Stroke.THIN for part in Measure.ADDED_DASH])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        _outline(painter, frame, rect, Measure.ADDED_AWAY)
    if frame.level is Level.SMALL:
        if change is not Change.ADDED:
            painter.setPen(QPen(colour(look.text3), Stroke.THIN))
            painter.drawLine(rect.topLeft(), rect.bottomRight())
        return
    if change is Change.REMOVED:
        left, right, under = title_span(frame, box)
        middle = under - lettering(FLOOR).height * 0.5
        painter.setPen(QPen(colour(look.text2), Stroke.THIN))
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
    _sign(painter, frame, QPointF(rect.left() - 1.0, rect.center().y()), change)


def _sign(painter: QPainter, frame: Frame, centre: QPointF, change: Change) -> None:
    look = frame.look
    ground, ink = (look.text3, look.panel) if change is Change.REMOVED else (look.accent, look.on_accent)
    size = Measure.SIGN * min(max(frame.camera.scale, 0.75), 1.25)
    painter.setPen(QPen(colour(look.canvas), Stroke.THIN))
    painter.setBrush(colour(ground))
    painter.drawEllipse(centre, size / 2, size / 2)
    pen = QPen(colour(ink), Measure.SIGN_STROKE)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    arm = size * 0.24
    if change is Change.CHANGED:
        letters = lettering(size * 0.85, weight=700)
        painter.setFont(letters.font)
        letters.draw(painter, centre.x() - letters.width("~") / 2, centre.y(), "~")
        return
    painter.drawLine(QPointF(centre.x() - arm, centre.y()), QPointF(centre.x() + arm, centre.y()))
    if change is Change.ADDED:
        painter.drawLine(QPointF(centre.x(), centre.y() - arm), QPointF(centre.x(), centre.y() + arm))
