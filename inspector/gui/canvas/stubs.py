"""Pills at the ends of edges that are cut: where the other end is, and a click away.

A cut edge leaves its source as a short line to a pill `→ /neck/Concat_3, 7 ranks`, and enters its target from a pill
`/neck/Conv_1 →, 7 ranks`. Pills are shown at full detail.
"""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QPointF, QRectF
from PySide6.QtGui import QPainter, QPen

from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.geometry import Ints
from inspector.gui.canvas.lettering import Lettering, lettering
from inspector.gui.canvas.lod import Level
from inspector.gui.theme import Measure, Stroke, colour


@dataclass(frozen=True, slots=True)
class Pill:
    """One end of a cut edge.

    Attributes:
        rect: where it is on screen.
        text: what it says.
        box: box at the edge's other end.
    """

    rect: QRectF
    text: str
    box: int


def stub_pills(frame: Frame, edges: Ints) -> tuple[Pill, ...]:
    """The pills of the cut ones among *edges*; a pill that would lie on an earlier one is left out.

    Edges of one tensor leave their source at one point and so share the pill there; it leads to the first target.
    """
    if frame.level is not Level.FULL:
        return ()
    geometry, scene = frame.geometry, frame.scene
    letters = _letters(frame)
    rim = Measure.STUB_WIDEST * frame.camera.scale
    view = QRectF(QPointF(), frame.size).adjusted(-rim, -rim, rim, rim)
    taken: list[QRectF] = []
    points: set[tuple[float, float]] = set()
    found: list[Pill] = []
    for edge in edges[geometry.cut[edges]].tolist():
        source, target = int(scene.edge_source[edge]), int(scene.edge_target[edge])
        ranks = abs(int(geometry.layer[target]) - int(geometry.layer[source]))
        first = int(geometry.straight.start[edge])
        for point, box, text in (
            (geometry.straight.points[first + 1], target, "→ {0}"),
            (geometry.straight.points[first + 2], source, "{0} →"),
        ):
            at = frame.point(float(point[0]), float(point[1]))
            if not view.contains(at) or at.toTuple() in points:
                continue
            points.add(at.toTuple())
            distance = QCoreApplication.translate("Canvas", "{0} ranks").format(ranks)
            words = f"{text.format(_short(frame, box))}, {distance}"
            rect = _rect(frame, letters, at, words)
            if not any(rect.intersects(other) for other in taken):
                taken.append(rect)
                found.append(Pill(rect, words, box))
    return tuple(found)


def _letters(frame: Frame) -> Lettering:
    return lettering(Measure.LABEL_SIZE * min(frame.camera.scale, 1.5), mono=True)


def _short(frame: Frame, box: int) -> str:
    return _letters(frame).fit(
        frame.scene.label[box] or frame.scene.title[box], Measure.STUB_WIDEST * frame.camera.scale
    )


def _rect(frame: Frame, letters: Lettering, at: QPointF, text: str) -> QRectF:
    height = max(Measure.STUB_HEIGHT * min(frame.camera.scale, 1.5), letters.height + 2)
    width = letters.width(text) + 2 * Measure.STUB_PAD
    return QRectF(at.x() - width / 2, at.y() - height / 2, width, height)


def paint_stubs(painter: QPainter, frame: Frame, pills: tuple[Pill, ...]) -> None:
    """Paint *pills* in view coordinates."""
    letters = _letters(frame)
    painter.setFont(letters.font)
    for pill in pills:
        dim = frame.marks.is_dim(pill.box)
        look = frame.faint().look if dim else frame.look
        painter.setPen(QPen(colour(look.edge), Stroke.HAIR))
        painter.setBrush(colour(look.raised))
        painter.drawRoundedRect(pill.rect, pill.rect.height() / 2, pill.rect.height() / 2)
        painter.setPen(colour(look.text))
        letters.draw(painter, pill.rect.left() + Measure.STUB_PAD, pill.rect.center().y(), pill.text)
