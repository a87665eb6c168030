"""Segments: a tint behind the nodes that run in one piece on one processor.

The tint follows boxes and the edges between them, not a bounding rectangle, so it never covers a node of another
segment. It is shown at medium and full detail, when the graph has more than one segment.
"""

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QPainter, QPen

from inspector.gui.canvas.colouring import VERDICTS
from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.geometry import Ints
from inspector.gui.canvas.lod import Level
from inspector.gui.canvas.paint_boxes import hatch
from inspector.gui.canvas.paths import path_of, rectangles, rounded
from inspector.gui.theme import Measure, colour, mixed
from inspector.placement.verdict import Verdict

_TINT = {Verdict.BPU: 0.07, Verdict.CPU: 0.16}
_OUTLINE = 0.6
_ACROSS = 0.5**0.5
"""Width of a line of the 45 degree hatch per length of the dash that it leaves on an upright or level rim."""


def paint_segments(painter: QPainter, frame: Frame, boxes: Ints, edges: Ints) -> None:
    """Paint the tints behind *boxes* and *edges* in world coordinates."""
    if frame.level is Level.SMALL or not frame.marks.segments or frame.colouring.segments < 2:
        return
    segment, code = frame.colouring.segment, frame.colouring.code
    ends = frame.scene.edge_source[edges], frame.scene.edge_target[edges]
    within = edges[(segment[ends[0]] == segment[ends[1]]) & (segment[ends[0]] >= 0)]
    for verdict, share in _TINT.items():
        which = VERDICTS.index(verdict)
        chosen = boxes[(segment[boxes] >= 0) & (code[boxes] == which)]
        linked = within[code[frame.scene.edge_source[within]] == which]
        fill, canvas = frame.look.of(verdict).pattern, frame.look.canvas
        rim = hatch(mixed(fill, canvas, _OUTLINE), frame.camera.scale, frame.ratio, 1.0, Measure.SEGMENT_DASH * _ACROSS)
        for brush, grown in ((rim, Measure.SEGMENT_LINE), (QBrush(colour(mixed(fill, canvas, share))), 0.0)):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, grown > 0)
            _shape(painter, frame, chosen, linked, brush, grown)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)


def _shape(painter: QPainter, frame: Frame, boxes: Ints, edges: Ints, brush: QBrush, grown: float) -> None:
    pen = QPen(brush, Measure.SEGMENT_BAND + 2 * grown)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    geometry, away = frame.geometry, Measure.SEGMENT_SIDE + grown
    straight = geometry.straight.start[edges + 1] - geometry.straight.start[edges] == 2
    for edge in edges[~straight].tolist():
        painter.drawPath(path_of(*geometry.straight.of(np.array([edge]))))
    _columns(painter, frame, edges[straight], brush, grown)
    x, y = geometry.left[boxes] - away, geometry.top[boxes] - Measure.SEGMENT_HEAD - grown
    width, height = geometry.right[boxes] + away - x, geometry.bottom[boxes] + Measure.SEGMENT_FOOT + grown - y
    painter.fillPath(rounded(x, y, width, height, Measure.GROUP_RADIUS + grown), brush)


def _columns(painter: QPainter, frame: Frame, edges: Ints, brush: QBrush, grown: float) -> None:
    """Fill the gap between two boxes of a chain over the width that both have."""
    geometry, away = frame.geometry, Measure.SEGMENT_SIDE + grown
    source, target = frame.scene.edge_source[edges], frame.scene.edge_target[edges]
    left = np.maximum(geometry.left[source], geometry.left[target]) - away
    right = np.minimum(geometry.right[source], geometry.right[target]) + away
    top, bottom = geometry.bottom[source], geometry.top[target]
    near = bottom - top <= Measure.SEGMENT_NEAR
    left = np.where(near, left, geometry.tip[edges, 0] - Measure.SEGMENT_BAND / 2 - grown)
    right = np.where(near, right, geometry.tip[edges, 0] + Measure.SEGMENT_BAND / 2 + grown)
    painter.fillPath(rectangles(left, top, right - left, bottom - top), brush)


def ground_of(frame: Frame, edge: int) -> str:
    """Colour behind the middle of *edge*: the tint of its segment, or the canvas."""
    colouring, look = frame.colouring, frame.look
    source, target = int(frame.scene.edge_source[edge]), int(frame.scene.edge_target[edge])
    same = colouring.segment[source] == colouring.segment[target] >= 0
    return ground_in(frame, source) if same else look.canvas


def ground_in(frame: Frame, box: int) -> str:
    """Colour around *box*: the tint of its segment, or the canvas."""
    colouring, look = frame.colouring, frame.look
    if not (colouring.segment[box] >= 0 and frame.marks.segments and colouring.segments > 1):
        return look.canvas
    verdict = VERDICTS[int(colouring.code[box])]
    return mixed(look.of(verdict).fill, look.canvas, _TINT[verdict]) if verdict in _TINT else look.canvas
