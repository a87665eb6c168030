"""Edges: lines with round corners, arrow heads, shape labels and crossing chips. One pass per kind."""

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QPainter, QPen

from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.geometry import Bools, Ints
from inspector.gui.canvas.lettering import Lettering, lettering
from inspector.gui.canvas.lod import Level
from inspector.gui.canvas.paint_segments import ground_of
from inspector.gui.canvas.paths import path_of, polygons
from inspector.gui.theme import LABEL_ALPHA, Measure, Stroke, colour
from inspector.placement.verdict import Verdict

_BAND = 64.0
_CELL = 256.0
_TOGETHER = 64
"""Edges of one path: the cost of a path grows with the square of what overlaps in it, as it does behind a fan-out."""

_FAINT_BELOW, _FAINTEST = 0.06, 0.35


def paint_edges(painter: QPainter, frame: Frame, edges: Ints) -> None:
    """Paint *edges* in world coordinates: plain ones, unknown shapes, crossings, then those of the selection."""
    dim = frame.marks.edge_dimmed(frame.scene.edge_source[edges], frame.scene.edge_target[edges])
    if dim is not None:
        _by_kind(painter, frame.faint(), edges[dim])
        edges = edges[~dim]
    _by_kind(painter, frame, edges)


def _by_kind(painter: QPainter, frame: Frame, edges: Ints) -> None:
    look = frame.look
    crossing, known = frame.colouring.crossing[edges], frame.scene.edge_known[edges]
    traced = incident(frame, edges)
    plain = ~crossing & known & ~traced
    _lines(painter, frame, edges[plain], look.edge, Measure.EDGE)
    _lines(
        painter,
        frame,
        edges[~crossing & ~known & ~traced],
        look.of(Verdict.UNKNOWN).edge,
        Measure.EDGE,
        Measure.UNKNOWN_DASH,
    )
    _lines(painter, frame, edges[crossing & ~traced], look.of(Verdict.CPU).edge, Measure.CROSSING)
    _lines(painter, frame, edges[traced], look.accent, Measure.TRACED)


def incident(frame: Frame, edges: Ints) -> Bools:
    """Which of *edges* touch the selected or the hovered box, or belong to a trace."""
    touched = np.zeros(len(edges), dtype=np.bool_)
    for box in (frame.marks.selected, frame.marks.hovered):
        if box is not None:
            touched |= (frame.scene.edge_source[edges] == box) | (frame.scene.edge_target[edges] == box)
    faint = frame.marks.edge_dimmed(frame.scene.edge_source[edges], frame.scene.edge_target[edges])
    return touched | ~faint if frame.marks.traced and faint is not None else touched


def _lines(
    painter: QPainter, frame: Frame, edges: Ints, token: str, width: float, dash: tuple[float, ...] = ()
) -> None:
    if len(edges) == 0:
        return
    small = frame.level is Level.SMALL
    geometry = frame.geometry
    pen = QPen(colour(token), max(width, 1.0 / frame.camera.scale))
    if small:
        faint = min(max(frame.camera.scale / _FAINT_BELOW, _FAINTEST), 1.0)
        pen = QPen(colour(token, round(faint, 2)), Stroke.HAIR if width == Measure.EDGE or faint < 1 else Stroke.STRONG)
        pen.setCosmetic(True)
    if dash and not small:
        pen.setDashPattern([part / pen.widthF() for part in dash])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, not small)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    if small:
        painter.drawPath(path_of(*geometry.straight.of(edges)))
        return
    for start in range(0, len(edges), _TOGETHER):
        painter.drawPath(path_of(*geometry.curved.of(edges[start : start + _TOGETHER])))
    if frame.level is Level.MEDIUM:
        painter.drawLines(_tails(frame, edges))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(token))
    painter.drawPath(polygons(_heads(frame, edges)))
    _stub_ends(painter, frame, edges)


def _tails(frame: Frame, edges: Ints) -> list[QLineF]:
    """From the lower edge of a box painted in one line to where the layout lets its edges begin."""
    source = frame.scene.edge_source[edges]
    lower = frame.geometry.top[source] + frame.heights(source)
    short = lower < frame.geometry.bottom[source] - 0.5
    start = frame.geometry.straight.points[frame.geometry.straight.start[edges]]
    return [QLineF(x, y, x, begin) for (x, begin), y in zip(start[short].tolist(), lower[short].tolist(), strict=True)]


def _heads(frame: Frame, edges: Ints) -> np.ndarray:
    tip, along = frame.geometry.tip[edges], frame.geometry.direction[edges]
    size = Measure.ARROW * (min(1.0, 0.6 / frame.camera.scale) if frame.camera.scale > 1 else 1.0)
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    base = tip - along * size
    return np.stack([tip, base + across * size / 2, base - across * size / 2], axis=1)


def _stub_ends(painter: QPainter, frame: Frame, edges: Ints) -> None:
    """A ring where a cut edge breaks off, at both of its ends."""
    geometry = frame.geometry
    cut = edges[geometry.cut[edges]]
    if len(cut) == 0:
        return
    painter.setBrush(colour(frame.look.canvas))
    painter.setPen(QPen(colour(frame.look.edge), Measure.EDGE))
    for start in geometry.straight.start[cut]:
        for x, y in geometry.straight.points[start + 1 : start + 3]:
            painter.drawEllipse(QPointF(x, y), Measure.STUB_RING, Measure.STUB_RING)


def paint_labels(painter: QPainter, frame: Frame, edges: Ints, kept_free: tuple[QRectF, ...] = ()) -> None:
    """Shape labels and crossing chips, in view coordinates.

    At full detail every edge has one, the others only where the pointer or the selection touches them. A label that
    would lie on an earlier one or on a place *kept_free*, or does not fit its piece of line, is left out.
    """
    touched = incident(frame, edges)
    if frame.level is Level.SMALL:
        return
    if frame.level is Level.FULL and frame.marks.shapes:
        chosen = np.concatenate([edges[touched], edges[~touched]])
    elif frame.level is Level.FULL:
        chosen = np.concatenate([edges[touched], edges[~touched & frame.colouring.crossing[edges]]])
    else:
        chosen = edges[touched]
    taken = _Taken()
    for rect in kept_free:
        taken.take(rect)
    told: set[tuple[int, str]] = set()
    for edge in chosen.tolist():
        _label(painter, frame, edge, taken, told)


class _Taken:
    """Places that labels already have, sorted into cells so that few need to be compared."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[QRectF]] = {}

    def take(self, rect: QRectF) -> bool:
        """Take the place of *rect*; False when another label has a part of it."""
        rows = range(int(rect.top() // _BAND), int(rect.bottom() // _BAND) + 1)
        columns = range(int(rect.left() // _CELL), int(rect.right() // _CELL) + 1)
        cells = [(row, column) for row in rows for column in columns]
        if any(rect.intersects(other) for cell in cells for other in self._cells.get(cell, ())):
            return False
        for cell in cells:
            self._cells.setdefault(cell, []).append(rect)
        return True


def _label(painter: QPainter, frame: Frame, edge: int, taken: _Taken, told: set[tuple[int, str]]) -> None:
    scale = frame.camera.scale
    letters = lettering(Measure.LABEL_SIZE * min(scale, 1.5), mono=True)
    text, chip = frame.scene.edge_label[edge], frame.colouring.chip.get(edge, "")
    same = (int(frame.scene.edge_source[edge]), text + chip)
    if same in told:
        return
    size = QSizeF(
        letters.width(text) + 2 * Measure.LABEL_PAD,
        max(Measure.LABEL_HEIGHT * min(scale, 1.5), letters.height + Measure.LABEL_PAD / 2),
    )
    chip_width = _chip_letters(frame).width(chip) + 2 * Measure.CHIP_PAD if chip else 0.0
    along = _above_line if frame.geometry.sideways else _beside_line
    places = along(frame, edge, size, chip_width)
    if places is None:
        return
    rect, chip_rect = places
    if not taken.take(rect.united(chip_rect) if chip_rect.width() > 0 else rect):
        return
    told.add(same)
    ground = ground_of(frame, edge)
    if _is_dim(frame, edge):
        frame = frame.faint()
    painter.setFont(letters.font)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(ground, LABEL_ALPHA))
    painter.drawRoundedRect(rect, Measure.TAG_RADIUS, Measure.TAG_RADIUS)
    known = bool(frame.scene.edge_known[edge])
    painter.setPen(colour(frame.look.text2 if known else frame.look.of(Verdict.UNKNOWN).ink))
    letters.draw(painter, rect.left() + Measure.LABEL_PAD, rect.center().y(), text)
    if chip_rect.width() > 0:
        _chip(painter, frame, chip_rect, chip)


def _beside_line(frame: Frame, edge: int, size: QSizeF, chip_width: float) -> tuple[QRectF, QRectF] | None:
    """Places of label and chip side by side: on the horizontal piece of the edge, or right of its vertical one."""
    scale = frame.camera.scale
    place, room = frame.geometry.label[edge], float(frame.geometry.label_room[edge]) * scale
    at = frame.point(float(place[0]), float(place[1]))
    beside = room == 0
    if not beside and size.width() > room:
        return None
    left = at.x() + Measure.LABEL_GAP * min(scale, 1.0) if beside else at.x() - size.width() / 2
    rect = QRectF(QPointF(left, at.y() - size.height() / 2), size)
    return rect, QRectF(rect.right() + Measure.LABEL_PAD, rect.top(), chip_width, size.height())


def _above_line(frame: Frame, edge: int, size: QSizeF, chip_width: float) -> tuple[QRectF, QRectF] | None:
    """Places of label and chip above and below the start of a level edge; both on the outer side of a bend."""
    geometry, scale = frame.geometry, frame.camera.scale
    place, room = geometry.label[edge], float(geometry.label_room[edge]) * scale
    if size.width() > room:
        return None
    if chip_width > room:
        chip_width = 0.0
    first, end = int(geometry.straight.start[edge]), int(geometry.straight.start[edge + 1])
    bend = float(geometry.straight.points[first + 2, 1] - place[1]) if end - first > 2 else 0.0
    at = frame.point(float(place[0]), float(place[1]))
    away = Measure.CROSSING + size.height() / 2
    up = -1.0 if bend >= 0 else 1.0
    centre = at.y() + up * away
    chip = at.y() - up * away if bend == 0 else centre + up * (size.height() + Measure.CROSSING)
    left = at.x() + Measure.LABEL_PAD
    rect = QRectF(QPointF(left, centre - size.height() / 2), size)
    return rect, QRectF(left, chip - size.height() / 2, chip_width, size.height())


def _is_dim(frame: Frame, edge: int) -> bool:
    marks, scene = frame.marks, frame.scene
    return marks.is_dim(int(scene.edge_source[edge])) or marks.is_dim(int(scene.edge_target[edge]))


def _chip_letters(frame: Frame) -> Lettering:
    return lettering(Measure.LABEL_SIZE * min(frame.camera.scale, 1.5), weight=Measure.TITLE_WEIGHT)


def _chip(painter: QPainter, frame: Frame, rect: QRectF, text: str) -> None:
    colours = frame.look.of(Verdict.CPU)
    letters = _chip_letters(frame)
    painter.setFont(letters.font)
    painter.setPen(QPen(colour(colours.edge), Stroke.HAIR))
    painter.setBrush(colour(colours.soft))
    painter.drawRoundedRect(rect, Measure.TAG_RADIUS, Measure.TAG_RADIUS)
    painter.setPen(colour(colours.ink))
    letters.draw(painter, rect.left() + Measure.CHIP_PAD, rect.center().y(), text)
