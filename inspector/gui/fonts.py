"""Font roles: the type scale with families that fall back to what is installed.

Sizes follow the user's scale. Inter, JetBrains Mono and Noto CJK are used where installed; text is measured with
the font that Qt resolves, never with an assumed width. Fonts are made off the GUI thread too.
"""

from enum import Enum
from functools import cache

from PySide6.QtGui import QFont, QFontDatabase

from inspector.gui.measures import scale


class Role(Enum):
    """Roles of the type scale: size and line height (logical pixels at 100 %), weight."""

    PAGE = (27.0, 34.0, 600)
    TITLE = (20.0, 28.0, 600)
    IDENTITY = (15.0, 22.0, 600)
    HEADLINE = (14.0, 21.0, 600)
    BODY = (12.5, 18.0, 500)
    TEXT = (12.0, 18.0, 400)
    SMALL = (11.0, 16.0, 400)
    CAPTION = (10.5, 15.0, 600)

    @property
    def size(self) -> float:
        """Text size in logical pixels at the user's scale."""
        return self.value[0] * scale()

    @property
    def line(self) -> float:
        """Line height in logical pixels at the user's scale."""
        return self.value[1] * scale()

    @property
    def weight(self) -> int:
        """OpenType weight, 100..900."""
        return self.value[2]


FLOOR = 10.0
"""No text is ever drawn smaller than this many logical pixels."""

UI_FAMILIES = ("Inter", "Segoe UI", "SF Pro Text", "Noto Sans", "DejaVu Sans")
MONO_FAMILIES = ("JetBrains Mono", "Cascadia Mono", "SF Mono", "Menlo", "Consolas", "DejaVu Sans Mono")
CJK_FAMILIES = ("Noto Sans CJK SC", "Source Han Sans SC", "Microsoft YaHei UI", "PingFang SC")
CJK_MONO_FAMILIES = ("Noto Sans Mono CJK SC", *CJK_FAMILIES)

_POINTS_PER_PIXEL = 72.0 / 96.0


def font(role: Role, *, mono: bool = False, weight: int | None = None) -> QFont:
    """A font for *role*.

    Args:
        role: place in the type scale.
        mono: for names, shapes, attributes, ids and logs; never for sentences.
        weight: OpenType weight instead of the role's own (mono: 400).
    """
    return sized(role.size, mono=mono, weight=weight or (400 if mono else role.weight))


def sized(pixels: float, *, mono: bool = False, weight: int = 400) -> QFont:
    """A font of *pixels* logical pixels (fractions count), for painting on the canvas."""
    made = QFont(list(families(mono)))
    made.setPointSizeF(max(pixels, 1.0) * _POINTS_PER_PIXEL)
    made.setWeight(QFont.Weight(weight))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if mono:
        made.setStyleHint(QFont.StyleHint.Monospace)
        made.setFeature(QFont.Tag("calt"), 0)
    else:
        made.setFeature(QFont.Tag("tnum"), 1)
    return made


_system_fonts = False


def use_system_fonts(wanted: bool) -> None:
    """Whether the system's own fonts come before the families of the design."""
    global _system_fonts
    _system_fonts = wanted


def prefers_system_fonts() -> bool:
    """Whether `use_system_fonts` said so."""
    return _system_fonts


def families(mono: bool) -> tuple[str, ...]:
    """Families to ask for, best first, those that are not installed left out; the system's font ends the list."""
    return _families(mono, _system_fonts)


@cache
def _families(mono: bool, system_first: bool) -> tuple[str, ...]:
    installed = set(QFontDatabase.families())
    wanted = (*MONO_FAMILIES, *CJK_MONO_FAMILIES) if mono else (*UI_FAMILIES, *CJK_FAMILIES)
    system = QFontDatabase.systemFont(
        QFontDatabase.SystemFont.FixedFont if mono else QFontDatabase.SystemFont.GeneralFont
    ).family()
    if system_first:
        chinese = CJK_MONO_FAMILIES if mono else CJK_FAMILIES
        return (system, *(f for f in chinese if f in installed))
    return (*(f for f in wanted if f in installed), system)
