"""Icons of buttons and menus: line drawings of the Lucide library, in the colours of the theme in use.

A drawing is a file `resources/icons/NAME.svg`. Verdicts have glyphs of their own (`glyphs`).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from inspector.assets import resources_dir
from inspector.gui.look import look
from inspector.gui.style import disabled_text
from inspector.gui.theme import Size, ThemeName, theme

_RATIOS = (1.0, 1.5, 2.0, 3.0)
_MODES = (QIcon.Mode.Normal, QIcon.Mode.Disabled)
_INK = "currentColor"


def icon(name: str, ink: str = "text2", size: int | None = None) -> QIcon:
    """The icon *name*, pale where its button is off; ask again after a change of theme or scale.

    Args:
        name: file name without its ending.
        ink: colour, an attribute of `Theme`.
        size: logical pixels; None takes `Size.ICON`.

    Raises:
        FileNotFoundError: there is no such icon.
    """
    return _icon(name, ink, look().name, size or Size.ICON, _ratios)


_ratios: tuple[float, ...] = _RATIOS


@contextmanager
def only_for(ratio: float) -> Iterator[None]:
    """Meanwhile icons are drawn for screens of the device pixel *ratio* alone; ask for them again afterwards."""
    global _ratios
    _ratios = (ratio,)
    try:
        yield
    finally:
        _ratios = _RATIOS


@cache
def _icon(name: str, ink: str, theme_name: ThemeName, size: int, ratios: tuple[float, ...]) -> QIcon:
    colours = theme(theme_name)
    made = QIcon()
    for mode in _MODES:
        colour = getattr(colours, ink) if mode is QIcon.Mode.Normal else disabled_text(colours)
        for ratio in ratios:
            made.addPixmap(_picture(name, colour, size, ratio), mode)
    return made


def _picture(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    renderer = QSvgRenderer(QByteArray(_drawing(name).replace(_INK, colour).encode()))
    picture = QPixmap(round(size * ratio), round(size * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture


@cache
def _drawing(name: str) -> str:
    return (resources_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
