"""The verdict bar: how the nodes of a scope, a model or a file are split among the verdicts, as one thin strip."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath

from inspector.gui.theme import Theme, colour
from inspector.placement.kinds import Verdict

ORDER = (Verdict.BPU, Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN, Verdict.FOLDED)
"""Verdicts from left to right; counts are given in this order everywhere."""

_LEAST = 2.0
"""Pixels of a verdict that few nodes have, so that one CPU node among thousands is seen."""


def shares(counts: Sequence[int], width: float) -> tuple[float, ...]:
    """Width of each part of a bar of *width* pixels: by its count, none narrower than `_LEAST` unless it is empty."""
    total = sum(counts)
    if not total or width <= 0:
        return tuple(0.0 for _ in counts)
    least = min(_LEAST, width / len(counts))
    wide = [max(width * count / total, least) if count else 0.0 for count in counts]
    spare = sum(wide) - width
    room = sum(part - least for part in wide if part > least)
    return tuple(part - spare * (part - least) / room if part > least and room > 0 else part for part in wide)


def paint_verdict_bar(painter: QPainter, rect: QRectF, counts: Sequence[int], look: Theme) -> None:
    """Paint the split *counts* (in `ORDER`) into *rect*; nothing but the empty ground when they are all 0."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    outline = QPainterPath()
    outline.addRoundedRect(rect, rect.height() / 2, rect.height() / 2)
    painter.setClipPath(outline)
    painter.fillRect(rect, colour(look.sunken))
    left = rect.x()
    painter.setPen(Qt.PenStyle.NoPen)
    for verdict, width in zip(ORDER, shares(counts, rect.width()), strict=True):
        painter.fillRect(QRectF(left, rect.y(), width, rect.height()), colour(look.of(verdict).pattern))
        left += width
    painter.restore()
