"""Glyphs and texts of boxes, in view coordinates: text keeps its own size and is never drawn below the floor."""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap

from inspector.gui.canvas.colouring import PLAIN, VERDICTS
from inspector.gui.canvas.frame import Frame
from inspector.gui.canvas.geometry import Ints
from inspector.gui.canvas.lettering import Lettering, lettering
from inspector.gui.canvas.lod import GRID_FROM, Level
from inspector.gui.canvas.marks import Change
from inspector.gui.canvas.scene import Kind
from inspector.gui.glyphs import glyph_pixmap
from inspector.gui.theme import DIM, Measure, Stroke, Theme, ThemeName, colour, theme
from inspector.placement.verdict import Verdict


def paint_texts(painter: QPainter, frame: Frame, boxes: Ints) -> None:
    """Paint glyphs, titles, facts, names and attributes of *boxes*; nothing at small detail."""
    if frame.level is Level.SMALL:
        return
    nodes = boxes[frame.scene.kind[boxes] == Kind.NODE]
    pills = boxes[frame.scene.kind[boxes] != Kind.NODE]
    full = frame.level is Level.FULL
    _glyphs(painter, frame, nodes)
    _titles(painter, frame, nodes)
    if full:
        _body_rows(painter, frame, nodes)
    _pill_texts(painter, frame, pills)


def _fade(painter: QPainter, frame: Frame, box: int) -> None:
    if frame.marks.dimmed is not None:
        painter.setOpacity(DIM if frame.marks.dimmed[box] else 1.0)


def _glyph_size(frame: Frame) -> float:
    if frame.level is Level.FULL:
        return Measure.GLYPH * frame.camera.scale
    return min(Measure.GLYPH, Measure.GLYPH_MEDIUM * frame.camera.scale)


def _glyphs(painter: QPainter, frame: Frame, nodes: Ints) -> None:
    size = round(_glyph_size(frame) * 2) / 2
    full, scale = frame.level is Level.FULL, frame.camera.scale
    for box in nodes.tolist():
        code = int(frame.colouring.code[box])
        if code == PLAIN:
            continue
        _fade(painter, frame, box)
        rect = frame.on_screen(box)
        inferred = bool(frame.colouring.inferred[box])
        picture = _glyph(VERDICTS[code], inferred, frame.look.name, size, frame.ratio)
        y = rect.top() + Measure.GLYPH_Y * scale if full else rect.center().y() - size / 2
        painter.drawPixmap(QPointF(rect.left() + Measure.GLYPH_X * scale, y), picture)
    painter.setOpacity(1.0)


@lru_cache(maxsize=512)
def _glyph(verdict: Verdict, inferred: bool, name: ThemeName, size: float, ratio: float) -> QPixmap:
    return glyph_pixmap(verdict, inferred, theme(name), size, ratio)


def _title_letters(frame: Frame) -> tuple[Lettering, float]:
    """Font of the operator names, and their distance from the left edge of the box."""
    scale = frame.camera.scale
    if frame.level is Level.FULL:
        return lettering(Measure.TITLE_SIZE * scale, weight=Measure.TITLE_WEIGHT), Measure.TITLE_X * scale
    size = Measure.TITLE_SIZE * min(max(scale * 1.6, 0.8), 1.0)
    return lettering(size, weight=Measure.TITLE_WEIGHT), Measure.GLYPH_X * scale + _glyph_size(frame) + 4.0


def _title_line(frame: Frame, box: int) -> tuple[QRectF, float, float]:
    """Rectangle of the box on screen, height of the middle of its title, and room for title and fact."""
    rect, scale = frame.on_screen(box), frame.camera.scale
    full = frame.level is Level.FULL
    middle = rect.top() + Measure.HEADER / 2 * scale if full else rect.center().y()
    indent = _title_letters(frame)[1]
    return rect, middle, rect.width() - indent - (Measure.RIGHT if full else Measure.GAP) * min(scale, 1.0)


def title_span(frame: Frame, box: int) -> tuple[float, float, float]:
    """Left end, right end and underline height of the title of *box* on screen, at medium and full detail."""
    letters, indent = _title_letters(frame)
    rect, middle, room = _title_line(frame, box)
    left = rect.left() + (indent if frame.scene.kind[box] == Kind.NODE else Measure.GAP)
    width = letters.width(letters.fit(frame.scene.title[box], room, middle=False))
    return left, left + width, middle + letters.height / 2


def _titles(painter: QPainter, frame: Frame, nodes: Ints) -> None:
    """Operator at the left of the header; a fact (full) or the output shape (medium) at its right, if there is room."""
    full, scene = frame.level is Level.FULL, frame.scene
    title, indent = _title_letters(frame)
    fact = lettering(Measure.FACT_SIZE * (frame.camera.scale if full else 1.0), mono=True)
    facts: list[tuple[int, float, float, str]] = []
    painter.setFont(title.font)
    painter.setPen(colour(frame.look.text))
    for box in nodes.tolist():
        rect, middle, room = _title_line(frame, box)
        text = title.fit(scene.title[box], room, middle=False)
        _fade(painter, frame, box)
        title.draw(painter, rect.left() + indent, middle, text)
        side = scene.fact[box] if full else scene.short[box]
        badge = Measure.BADGE_ROOM * frame.camera.scale if full and frame.colouring.fixes[box] else 0.0
        if side and fact.width(side) <= room - title.width(text) - Measure.GAP - badge:
            facts.append((box, rect.right() - Measure.GAP - badge - fact.width(side), middle, side))
    painter.setFont(fact.font)
    painter.setPen(colour(frame.look.text2))
    for box, x, middle, side in facts:
        _fade(painter, frame, box)
        fact.draw(painter, x, middle, side)
    painter.setOpacity(1.0)


def _body_rows(painter: QPainter, frame: Frame, nodes: Ints) -> None:
    scale, scene = frame.camera.scale, frame.scene
    name = lettering(Measure.NAME_SIZE * scale, mono=True)
    attribute = lettering(Measure.ATTRIBUTE_SIZE * scale, mono=True, weight=Measure.ATTRIBUTE_WEIGHT)
    for letters, texts, token, below_name in (
        (name, scene.name, frame.look.text2, False),
        (attribute, scene.attributes, frame.look.text, True),
    ):
        painter.setFont(letters.font)
        for box in nodes.tolist():
            if texts[box]:
                row = 1 if below_name and scene.name[box] else 0
                changed = below_name and frame.marks.changes.get(box) is Change.CHANGED
                painter.setPen(colour(frame.look.accent_ink if changed else token))
                _fade(painter, frame, box)
                _row(painter, frame, box, row, letters, texts[box])
    painter.setOpacity(1.0)


def _row(painter: QPainter, frame: Frame, box: int, row: int, letters: Lettering, text: str) -> None:
    scale, rect = frame.camera.scale, frame.on_screen(box)
    middle = rect.top() + (Measure.HEADER + Measure.PAD + (row + 0.5) * Measure.ROW) * scale
    left = rect.left() + Measure.TEXT_X * scale
    letters.draw(painter, left, middle, letters.fit(text, rect.right() - 6.0 * scale - left))


def _pill_texts(painter: QPainter, frame: Frame, pills: Ints) -> None:
    letters = lettering(Measure.NAME_SIZE * frame.camera.scale, mono=True)
    painter.setFont(letters.font)
    painter.setPen(colour(frame.look.text))
    for box in pills.tolist():
        rect = frame.on_screen(box)
        text = letters.fit(frame.scene.title[box], rect.width() - Measure.GAP / 2, middle=False)
        _fade(painter, frame, box)
        letters.draw(painter, rect.center().x() - letters.width(text) / 2, rect.center().y(), text)
    painter.setOpacity(1.0)


def paint_badges(painter: QPainter, frame: Frame, boxes: Ints) -> None:
    """Fix badges: a wand and the number of rewrites; half outside at the top right, at medium detail beside the box."""
    if frame.level is Level.SMALL:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for box in boxes[frame.colouring.fixes[boxes] > 0].tolist():
        look = frame.faint().look if frame.marks.is_dim(box) else frame.look
        _badge(painter, frame, look, box, str(int(frame.colouring.fixes[box])))


def badge_rect(frame: Frame, box: int, text: str) -> QRectF:
    """Where the badge of *box* with *text* is painted, in view pixels."""
    full, rect = frame.level is Level.FULL, frame.on_screen(box)
    size, height, letters = _badge_size(frame)
    least = Measure.BADGE_WIDTH * size if full else 0.0
    width = max(_wand_room(frame, size) + letters.width(text) + 0.65 * height, least)
    if full:
        left = rect.right() + Measure.BADGE_OVERHANG * size - width
        return QRectF(left, rect.top() - height / 2, width, height)
    return QRectF(rect.right() + Measure.BADGE_AWAY * frame.camera.scale, rect.center().y() - height / 2, width, height)


def _badge_size(frame: Frame) -> tuple[float, float, Lettering]:
    """Scale, height and font of a badge."""
    full = frame.level is Level.FULL
    size = min(frame.camera.scale, 1.5) if full else Measure.BADGE_SMALL / Measure.BADGE_HEIGHT
    letters = lettering(Measure.ATTRIBUTE_SIZE * size, weight=Measure.TITLE_WEIGHT)
    return size, max(Measure.BADGE_HEIGHT * size, letters.size + 3.0), letters


def _wand_room(frame: Frame, size: float) -> float:
    """Width that the wand takes; at medium detail there is room for it beside the number from half size on."""
    return Measure.WAND_ROOM * size if frame.camera.scale >= GRID_FROM else 0.0


def _badge(painter: QPainter, frame: Frame, look: Theme, box: int, text: str) -> None:
    size, height, letters = _badge_size(frame)
    pill, room = badge_rect(frame, box, text), _wand_room(frame, size)
    left = pill.center().x() - (room + letters.width(text)) / 2
    painter.setPen(QPen(colour(look.canvas), Stroke.THIN))
    painter.setBrush(colour(look.accent))
    painter.drawRoundedRect(pill, height / 2, height / 2)
    if room:
        side = Measure.WAND * size
        _wand(painter, look, QRectF(left, pill.center().y() - side / 2, side, side))
    painter.setFont(letters.font)
    painter.setPen(colour(look.on_accent))
    letters.draw(painter, left + room, pill.center().y(), text)


def _wand(painter: QPainter, look: Theme, rect: QRectF) -> None:
    unit = rect.width() / 11.0
    pen = QPen(colour(look.on_accent), 1.5 * unit)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)

    def at(x: float, y: float) -> QPointF:
        return QPointF(rect.left() + x * unit, rect.top() + y * unit)

    painter.drawLine(at(1.0, 10.0), at(7.0, 4.0))
    pen.setWidthF(1.1 * unit)
    painter.setPen(pen)
    for start, stop in (((8.8, 0.6), (8.8, 2.2)), ((9.4, 5.4), (10.6, 6.2)), ((4.2, 0.8), (5.2, 1.8))):
        painter.drawLine(at(*start), at(*stop))
