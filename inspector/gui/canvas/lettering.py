"""Text on the canvas: fonts for a size on screen, widths, and texts cut to fit. All lengths are logical pixels."""

from functools import lru_cache

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from inspector.gui.fonts import FLOOR, families, sized

_STEP = 0.5


class Lettering:
    """One font at one size, with its measures."""

    def __init__(self, size: float, mono: bool, weight: int) -> None:
        """Use the font of *size* logical pixels."""
        self.size = size
        self.font: QFont = sized(size, mono=mono, weight=weight)
        self._metrics = QFontMetricsF(self.font)
        self.drop = (self._metrics.ascent() - self._metrics.descent()) / 2
        self.height = self._metrics.height()
        self._widths: dict[str, float] = {}
        self._fits: dict[tuple[str, int, bool], str] = {}

    def width(self, text: str) -> float:
        """Advance of *text*."""
        known = self._widths.get(text)
        if known is None:
            if len(self._widths) > _MOST:
                self._widths.clear()
            known = self._widths[text] = self._metrics.horizontalAdvance(text)
        return known

    def fit(self, text: str, room: float, *, middle: bool = True) -> str:
        """*text* shortened with an ellipsis so that it fits into *room*; empty when not even one letter fits.

        Args:
            text: what to show.
            room: width in logical pixels.
            middle: whether the middle is left out, as for names whose end matters; else the end.
        """
        if self.width(text) <= room:
            return text
        key = (text, int(room), middle)
        known = self._fits.get(key)
        if known is None:
            if len(self._fits) > _MOST:
                self._fits.clear()
            known = self._fits[key] = shortened(self._metrics, text, room, middle=middle)
        return known

    def draw(self, painter: QPainter, x: float, middle: float, text: str) -> None:
        """Draw *text* from *x* on, centred on the height *middle*; the painter must have this font."""
        painter.drawText(QPointF(x, middle + self.drop), text)


_MOST = 20_000


def shortened(metrics: QFontMetricsF, text: str, room: float, *, middle: bool = True) -> str:
    """*text* with an ellipsis for its middle or its end so that it fits into *room*; empty when nothing fits."""
    low, high = 0, len(text)
    while low < high:
        kept = (low + high + 1) // 2
        if metrics.horizontalAdvance(_cut(text, kept, middle)) <= room:
            low = kept
        else:
            high = kept - 1
    return _cut(text, low, middle) if low else ""


def _cut(text: str, kept: int, middle: bool) -> str:
    if kept >= len(text):
        return text
    head = (kept + 1) // 2 if middle else kept
    return text[:head] + "…" + text[len(text) - (kept - head) :]


@lru_cache(maxsize=128)
def _lettering(size: float, mono: bool, weight: int, _families: tuple[str, ...]) -> Lettering:
    return Lettering(size, mono, weight)


def lettering(size: float, *, mono: bool = False, weight: int = 400) -> Lettering:
    """The font for *size* logical pixels on screen, rounded down to half pixels and never below the floor."""
    return _lettering(max(FLOOR, size // _STEP * _STEP), mono, weight, families(mono))
