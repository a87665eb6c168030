"""Bodies of boxes at medium and full detail, and blocks at small detail: shapes only, one pass per verdict and kind."""

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPen, QPixmap, QTransform

from inspector.gui.canvas.colouring import PLAIN, VERDICTS
from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.geometry import Bools, Floats, Ints
from inspector.gui.canvas.lod import Level
from inspector.gui.canvas.paths import rectangles, rounded
from inspector.gui.theme import (
    BORDERS,
    INFERRED_ALPHA,
    INFERRED_STEP,
    INFERRED_WIDTH,
    Measure,
    Stroke,
    colour,
)
from inspector.placement.verdict import Verdict

Rects = tuple[Floats, Floats, Floats, Floats]
"""Left edges, top edges, widths and heights of boxes."""


def paint_boxes(painter: QPainter, frame: Frame, boxes: Ints) -> None:
    """Paint the shapes of *boxes* in world coordinates, faint ones first."""
    dimmed = frame.marks.dimmed
    if dimmed is not None:
        faint = dimmed[boxes]
        _by_verdict(painter, frame.faint(), boxes[faint])
        boxes = boxes[~faint]
    _by_verdict(painter, frame, boxes)


def _by_verdict(painter: QPainter, frame: Frame, boxes: Ints) -> None:
    code, inferred = frame.colouring.code[boxes], frame.colouring.inferred[boxes]
    if frame.level is Level.FULL:
        _shadows(painter, frame, boxes[code != PLAIN])
    paint = _blocks if frame.level is Level.SMALL else _bodies
    for which in (PLAIN, *range(len(VERDICTS))):
        chosen = code == which
        if chosen.any():
            verdict = None if which == PLAIN else VERDICTS[which]
            paint(painter, frame, boxes[chosen], inferred[chosen], verdict)


def _rects(frame: Frame, boxes: Ints) -> Rects:
    geometry = frame.geometry
    left = geometry.left[boxes]
    return left, geometry.top[boxes], geometry.right[boxes] - left, frame.heights(boxes)


def _stroke(painter: QPainter, rects: Rects, radius: float) -> None:
    """Outline rounded rectangles one by one: Qt strokes one path of many outlines in more than linear time."""
    for x, y, w, h in zip(*(part.tolist() for part in rects), strict=True):
        painter.drawRoundedRect(QRectF(x, y, w, h), radius, radius)


def _shadows(painter: QPainter, frame: Frame, boxes: Ints) -> None:
    """Soft lower rims of boxes at full detail; only the lowest part is filled, the box covers the rest."""
    x, y, w, h = _rects(frame, boxes)
    half = Measure.HEADER / 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for down, share in Measure.SHADOW:
        rim = rounded(x, y + h - half, w, np.full_like(h, half + down), Measure.RADIUS, corners="sw")
        painter.fillPath(rim, colour(frame.look.shadow, share))


def _bodies(painter: QPainter, frame: Frame, boxes: Ints, inferred: Bools, verdict: Verdict | None) -> None:
    """Outline in the verdict's fill, so that its left rim is the spine, then the ground, then the header on soft."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, verdict is None)
    if verdict is None:
        _pills(painter, frame, boxes)
        return
    x, y, w, h = _rects(frame, boxes)
    colours, full = frame.look.of(verdict), frame.level is Level.FULL
    # The outline stroked last covers the rims of these fills, so only the left one needs smoothing.
    painter.fillPath(rounded(x, y, w, h, Measure.RADIUS), colour(colours.fill))
    x, w = x + Measure.SPINE, w - Measure.SPINE
    painter.fillPath(
        rounded(x, y, w, h, Measure.RADIUS, corners="es"), colour(frame.look.raised if full else colours.soft)
    )
    bare = h <= Measure.HEADER + 0.5 if full else np.ones(len(h), dtype=np.bool_)
    head = np.full_like(h, Measure.HEADER) if full else h
    for group, corners in ((~bare, "e"), (bare, "es")):
        for part, brush in (
            (group & full, QBrush(colour(colours.soft))),
            (group & inferred, hatch(colours.pattern, frame.camera.scale, frame.ratio)),
        ):
            if part.any():
                painter.fillPath(rounded(x[part], y[part], w[part], head[part], Measure.RADIUS, corners=corners), brush)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    stroke_border(painter, frame, boxes, verdict)


def stroke_border(painter: QPainter, frame: Frame, boxes: Ints, verdict: Verdict, extra: float = 0.0) -> None:
    """Outline *boxes* in the manner of *verdict*, *extra* pixels thicker."""
    border, least = BORDERS[verdict], 1.0 / frame.camera.scale
    edge = colour(frame.look.of(verdict).edge)
    x, y, w, h = _rects(frame, boxes)
    width = max(border.width + frame.look.border_extra + extra, least)
    pen = QPen(edge, width)
    if border.dash:
        pen.setDashPattern([part / width for part in border.dash])
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    _stroke(painter, (x, y, w, h), Measure.RADIUS)
    if border.inner:
        inset = border.width / 2 + border.gap + border.inner / 2
        painter.setPen(QPen(edge, max(border.inner, least)))
        _stroke(painter, (x + inset, y + inset, w - 2 * inset, h - 2 * inset), Measure.RADIUS - inset)


def _pills(painter: QPainter, frame: Frame, boxes: Ints) -> None:
    nodes = frame.scene.node[boxes] >= 0
    for group, radius in ((boxes[~nodes], Measure.PILL / 2), (boxes[nodes], float(Measure.RADIUS))):
        if len(group):
            painter.setBrush(colour(frame.look.raised))
            painter.setPen(QPen(colour(frame.look.edge), max(1.0, 1.0 / frame.camera.scale)))
            _stroke(painter, _rects(frame, group), radius)


@lru_cache(maxsize=64)
def hatch(
    token: str, scale: float, ratio: float, alpha: float = INFERRED_ALPHA, width: float = INFERRED_WIDTH
) -> QBrush:
    """The 45 degree hatch of inferred verdicts as a brush for world coordinates at a zoom of *scale*.

    With another *width* of its lines it serves for the dashed rims of segments.
    """
    pixels = max(round(INFERRED_STEP * scale * ratio), 3)
    tile = QPixmap(pixels, pixels)
    tile.fill(Qt.GlobalColor.transparent)
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour(token, alpha), max(width * pixels / INFERRED_STEP, 1.0)))
    for shift in (-pixels, 0, pixels):
        painter.drawLine(QPointF(shift - 1, pixels + 1), QPointF(shift + pixels + 1, -1))
    painter.end()
    brush = QBrush(tile)
    brush.setTransform(QTransform.fromScale(INFERRED_STEP / pixels, INFERRED_STEP / pixels))
    return brush


def _blocks(painter: QPainter, frame: Frame, boxes: Ints, inferred: Bools, verdict: Verdict | None) -> None:
    scale, look = frame.camera.scale, frame.look
    x, y, w, h = _rects(frame, boxes)
    least = Measure.BLOCK_LEAST / scale
    y = y - np.maximum(least - h, 0.0) / 2
    h = np.maximum(h, least)
    tall = Measure.BLOCK_TYPICAL * scale
    patterned = tall >= Measure.BLOCK_PATTERN or (look.patterns and tall >= Measure.BLOCK_LEAST)
    soft = tall >= (Measure.BLOCK_ROUND if verdict is not None else Measure.BLOCK_ROUND / 2)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, soft)
    outline = rounded(x, y, w, h, Measure.BLOCK_RADIUS / scale) if soft else rectangles(x, y, w, h)
    if verdict is None:
        painter.fillPath(outline, colour(look.line2))
        return
    colours = look.of(verdict)
    painter.fillPath(outline, colour(colours.fill))
    if verdict is Verdict.FOLDED or look.patterns:
        pen = QPen(colour(colours.edge), Stroke.HAIR)
        pen.setCosmetic(True)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(outline)
    if patterned:
        _block_pattern(painter, frame, (x, y, w, h), verdict)
        if inferred.any():
            shape = rounded(x[inferred], y[inferred], w[inferred], h[inferred], Measure.BLOCK_RADIUS / scale)
            painter.fillPath(shape, _screen_brush(hatch(colours.on, 1.0, frame.ratio, 0.45), scale))


def _block_pattern(
    painter: QPainter,
    frame: Frame,
    rects: Rects,
    verdict: Verdict,
) -> None:
    """What tells the verdicts apart without colour: a bar, a cross-hatch, or dots."""
    x, y, w, h = rects
    on, scale = frame.look.of(verdict).on, frame.camera.scale
    if verdict is Verdict.CPU:
        bar = 2.0 / scale
        painter.fillPath(rectangles(x + w * 0.3, y + h / 2 - bar / 2, w * 0.4, np.full_like(h, bar)), colour(on, 0.9))
    elif verdict is Verdict.UNSUPPORTED:
        shape: QPainterPath = rounded(x, y, w, h, Measure.BLOCK_RADIUS / scale)
        brush = QBrush(colour(on, 0.75), Qt.BrushStyle.DiagCrossPattern)
        painter.fillPath(shape, _screen_brush(brush, scale))
    elif verdict is Verdict.UNKNOWN:
        dot = 2.4 / scale
        for share in (0.3, 0.43, 0.57, 0.7):
            side = np.full_like(w, dot)
            painter.fillPath(rounded(x + w * share - dot / 2, y + h / 2 - dot / 2, side, side, dot), colour(on))


def _screen_brush(brush: QBrush, scale: float) -> QBrush:
    """*brush* with its pattern kept at screen size under the world transform."""
    made = QBrush(brush)
    made.setTransform(brush.transform() * QTransform.fromScale(1.0 / scale, 1.0 / scale))
    return made
