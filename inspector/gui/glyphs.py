"""The verdict glyphs: one silhouette and one sign per verdict, drawn at any size, and as icons for lists and buttons.

BPU is a rounded square with a tick, CPU a triangle with bar and dot, UNSUPPORTED an octagon with a cross, UNKNOWN a
circle with a question mark, FOLDED a flat pill with a dash. An inferred verdict keeps its silhouette on a hatched
ground. Silhouettes are given on a 14 x 14 grid.
"""

from functools import cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QIcon, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from inspector.gui.theme import Stroke, Theme, ThemeName, VerdictColours, colour, theme
from inspector.placement.kinds import Verdict

_GRID = 14.0
_ICON_SIZES = (14, 16, 20, 24, 28, 32, 48, 64)
_HATCH, _HATCH_ALPHA = 0.9, 0.5
"""Width and opacity of the lines on the ground of an inferred verdict, on the grid."""


def paint_glyph(painter: QPainter, rect: QRectF, verdict: Verdict, inferred: bool, look: Theme) -> None:
    """Paint the glyph of *verdict* into the square *rect*.

    Args:
        painter: active painter; its state is left as it was.
        rect: where, in the painter's coordinates.
        verdict: which glyph.
        inferred: whether the verdict rests on inference, so that the ground is hatched.
        look: theme whose colours are used.
    """
    colours = look.of(verdict)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.topLeft())
    painter.scale(rect.width() / _GRID, rect.height() / _GRID)
    silhouette = _silhouette(verdict)
    outline = QPen(colour(colours.edge), Stroke.HAIR)
    outline.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(outline)
    painter.setBrush(QBrush(colour(colours.soft if inferred else colours.fill)))
    painter.drawPath(silhouette)
    if inferred:
        _hatch(painter, silhouette, colours)
    _sign(painter, verdict, colours.ink if inferred else colours.on)
    painter.restore()


def _hatch(painter: QPainter, silhouette: QPainterPath, colours: VerdictColours) -> None:
    painter.save()
    painter.setClipPath(silhouette)
    painter.setPen(QPen(colour(colours.pattern, _HATCH_ALPHA), _HATCH))
    for start in range(-14, 15, 3):
        painter.drawLine(QPointF(start, 14.0), QPointF(start + 14.0, 0.0))
    painter.restore()


@cache
def _silhouette(verdict: Verdict) -> QPainterPath:
    path = QPainterPath()
    if verdict is Verdict.BPU:
        path.addRoundedRect(QRectF(1.0, 1.0, 12.0, 12.0), 3.0, 3.0)
    elif verdict is Verdict.CPU:
        path.addPolygon(QPolygonF([QPointF(7.0, 1.2), QPointF(13.3, 12.6), QPointF(0.7, 12.6)]))
        path.closeSubpath()
    elif verdict is Verdict.UNSUPPORTED:
        low, near, far, high = 0.6, 4.3, 9.7, 13.4
        corners = [
            *((near, low), (far, low), (high, near), (high, far)),
            *((far, high), (near, high), (low, far), (low, near)),
        ]
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
        path.closeSubpath()
    elif verdict is Verdict.UNKNOWN:
        path.addEllipse(QRectF(1.0, 1.0, 12.0, 12.0))
    else:
        path.addRoundedRect(QRectF(0.7, 3.5, 12.6, 7.0), 3.5, 3.5)
    return path


def _sign(painter: QPainter, verdict: Verdict, ink: str) -> None:
    pen = QPen(colour(ink), Stroke.SIGN)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if verdict is Verdict.BPU:
        painter.drawPolyline(QPolygonF([QPointF(4.1, 7.3), QPointF(6.2, 9.4), QPointF(10.1, 4.9)]))
    elif verdict is Verdict.UNSUPPORTED:
        painter.drawLine(QPointF(4.9, 4.9), QPointF(9.1, 9.1))
        painter.drawLine(QPointF(9.1, 4.9), QPointF(4.9, 9.1))
    elif verdict is Verdict.FOLDED:
        painter.drawLine(QPointF(4.4, 7.0), QPointF(9.6, 7.0))
    elif verdict is Verdict.CPU:
        painter.drawLine(QPointF(7.0, 5.3), QPointF(7.0, 8.3))
        _dot(painter, QPointF(7.0, 10.7), ink)
    else:
        hook = QPainterPath(QPointF(5.1, 5.4))
        hook.cubicTo(QPointF(5.1, 3.0), QPointF(8.9, 3.0), QPointF(8.9, 5.4))
        hook.cubicTo(QPointF(8.9, 6.8), QPointF(7.0, 6.7), QPointF(7.0, 8.2))
        painter.drawPath(hook)
        _dot(painter, QPointF(7.0, 10.6), ink)


def _dot(painter: QPainter, centre: QPointF, ink: str) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(ink))
    painter.drawEllipse(centre, 0.95, 0.95)


def glyph_pixmap(verdict: Verdict, inferred: bool, look: Theme, size: float = _GRID, ratio: float = 1.0) -> QPixmap:
    """The glyph as a transparent square picture of *size* logical pixels at the device pixel *ratio*."""
    picture = QPixmap(round(size * ratio), round(size * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_glyph(painter, QRectF(0.0, 0.0, size, size), verdict, inferred, look)
    painter.end()
    return picture


def verdict_icon(verdict: Verdict, inferred: bool, look: Theme) -> QIcon:
    """The glyph as an icon, crisp at 1x, 1.5x, 2x and 3x; made once per theme."""
    return _icon(verdict, inferred, look.name)


@cache
def _icon(verdict: Verdict, inferred: bool, name: ThemeName) -> QIcon:
    icon = QIcon()
    for size in _ICON_SIZES:
        picture = glyph_pixmap(verdict, inferred, theme(name), size)
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):  # Qt would tint the glyph of a selected row
            icon.addPixmap(picture, mode)
    return icon
