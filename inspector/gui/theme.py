"""Design tokens of colour: the palettes, as data. Sizes are in `measures`, which this module passes on.

No other module of the window writes a colour. Colours are sRGB `#RRGGBB` strings (`#AARRGGBB` with alpha). The tests
measure the contrast of every pair that carries text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from PySide6.QtGui import QColor

from inspector.gui.measures import (
    BORDERS,
    DIM,
    EMPTY_CHIP,
    HALO_ALPHA,
    HOVER_ALPHA,
    INFERRED_ALPHA,
    INFERRED_STEP,
    INFERRED_WIDTH,
    LABEL_ALPHA,
    Border,
    Measure,
    Motion,
    Radius,
    Size,
    Space,
    Stroke,
)
from inspector.placement.kinds import Verdict

__all__ = [
    "BORDERS",
    "DIM",
    "EMPTY_CHIP",
    "HALO_ALPHA",
    "HOVER_ALPHA",
    "INFERRED_ALPHA",
    "INFERRED_STEP",
    "INFERRED_WIDTH",
    "LABEL_ALPHA",
    "VIRIDIS",
    "Border",
    "Measure",
    "Motion",
    "Radius",
    "Size",
    "Space",
    "Stroke",
    "Theme",
    "ThemeName",
    "VerdictColours",
    "colour",
    "faded",
    "mixed",
    "theme",
    "theme_name",
]


class ThemeName(StrEnum):
    """The themes to choose from."""

    LIGHT = "light"
    DARK = "dark"
    CONTRAST_LIGHT = "contrast-light"
    CONTRAST_DARK = "contrast-dark"
    PRINT = "print"


@dataclass(frozen=True, slots=True)
class VerdictColours:
    """Colours of one verdict.

    Attributes:
        fill: spine, glyph, minimap, small boxes.
        on: text on `fill`.
        edge: border of a box.
        ink: verdict-coloured text on panels and on `soft`.
        soft: ground of headers, chips and rows.
    """

    fill: str
    on: str
    edge: str
    ink: str
    soft: str

    @property
    def pattern(self) -> str:
        """Colour of hatches and of tiny marks: `fill`, or `edge` where the fill is that of the ground (on paper)."""
        return self.edge if self.fill == self.soft else self.fill


@dataclass(frozen=True)
class Theme:
    """One complete set of colours.

    Attributes:
        name: which theme.
        dark: whether light text stands on dark ground.
        canvas: ground of the graph and the window.
        bar: header, status bar and table heads.
        panel: side and bottom panels.
        raised: boxes, menus, popovers and buttons.
        sunken: fields, tiles and segmented ground.
        hover: rows and buttons under the pointer.
        line: hairlines.
        line2: borders of controls.
        dot: grid dots of the canvas.
        edge: graph edges.
        text: main text.
        text2: secondary text.
        text3: labels.
        accent: primary button, selection, focus ring.
        on_accent: text on `accent`.
        accent_soft: selected row, active chip.
        accent_ink: accent-coloured text.
        passed: text of a passed proof.
        passed_soft: its ground.
        failed: text of a failed proof.
        failed_soft: its ground.
        inconclusive: text of an inconclusive proof.
        inconclusive_soft: its ground.
        shadow: of raised boxes.
        border_extra: added to every box border.
        patterns: whether small boxes carry their verdict's pattern at any size.
        verdicts: colours per verdict.
    """

    name: ThemeName
    dark: bool
    canvas: str
    bar: str
    panel: str
    raised: str
    sunken: str
    hover: str
    line: str
    line2: str
    dot: str
    edge: str
    text: str
    text2: str
    text3: str
    accent: str
    on_accent: str
    accent_soft: str
    accent_ink: str
    passed: str
    passed_soft: str
    failed: str
    failed_soft: str
    inconclusive: str
    inconclusive_soft: str
    shadow: str
    verdicts: Mapping[Verdict, VerdictColours]
    border_extra: float = 0.0
    patterns: bool = False

    def of(self, verdict: Verdict) -> VerdictColours:
        """Colours of *verdict*."""
        return self.verdicts[verdict]


def _verdicts(**rows: str) -> Mapping[Verdict, VerdictColours]:
    return MappingProxyType({Verdict(name): VerdictColours(*row.split()) for name, row in rows.items()})


VIRIDIS = (
    (68, 1, 84), (72, 40, 120), (62, 74, 137), (49, 104, 142), (38, 130, 142),
    (31, 158, 137), (53, 183, 121), (109, 205, 89), (180, 222, 44), (253, 231, 37),
)  # fmt: skip
"""Red, green and blue, 0..255, of ten even steps of the viridis scale (matplotlib, CC0), for pictures of numbers.

It reads in grey and with colour-vision deficiencies.
"""

_LIGHT = Theme(
    name=ThemeName.LIGHT,
    dark=False,
    canvas="#F4F5F7",
    bar="#FAFBFC",
    panel="#FFFFFF",
    raised="#FFFFFF",
    sunken="#EEF0F4",
    hover="#F0F3F7",
    line="#E2E6EB",
    line2="#C3CAD4",
    dot="#DDE1E7",
    edge="#7B8694",
    text="#161B22",
    text2="#46515E",
    text3="#5F6A78",
    accent="#1D5FD6",
    on_accent="#FFFFFF",
    accent_soft="#E4EDFC",
    accent_ink="#174FB5",
    passed="#177338",
    passed_soft="#E2F4E7",
    failed="#C02530",
    failed_soft="#FCE6E8",
    inconclusive="#8A5200",
    inconclusive_soft="#FDF1D8",
    shadow="#1A101828",
    verdicts=_verdicts(
        BPU="#0A8472 #FFFFFF #0A8472 #076557 #E1F3EF",
        CPU="#F9B233 #221500 #B87503 #7E4A00 #FDF0D6",
        UNSUPPORTED="#A30B2E #FFFFFF #A30B2E #9B0A2B #FAE3E8",
        UNKNOWN="#7A5CCB #FFFFFF #7A5CCB #5B3EB0 #EEE9FA",
        FOLDED="#D3DBE6 #1E2732 #7C8798 #4F5B69 #F0F3F7",
    ),
)

_DARK = Theme(
    name=ThemeName.DARK,
    dark=True,
    canvas="#0E1115",
    bar="#15191F",
    panel="#171B21",
    raised="#1E242C",
    sunken="#101419",
    hover="#222932",
    line="#282F38",
    line2="#404A57",
    dot="#1E242B",
    edge="#7D8896",
    text="#E9EDF2",
    text2="#B3BDC9",
    text3="#8E99A7",
    accent="#6AA5FF",
    on_accent="#08152B",
    accent_soft="#1A2A45",
    accent_ink="#8FBCFF",
    passed="#5CCB83",
    passed_soft="#15301F",
    failed="#FF7B86",
    failed_soft="#3C1A1E",
    inconclusive="#F0BC4A",
    inconclusive_soft="#352A12",
    shadow="#73000000",
    verdicts=_verdicts(
        BPU="#47B79E #06201A #47B79E #74D4BE #15302B",
        CPU="#F6BF2C #221500 #F6BF2C #F8CB55 #372B10",
        UNSUPPORTED="#E51941 #FFFFFF #F0476A #FF8CA0 #3F1620",
        UNKNOWN="#887EC5 #0D0A1E #9A90DB #BBB2F2 #28243F",
        FOLDED="#3E4754 #EEF2F6 #6C7785 #A9B4C2 #1C2229",
    ),
)

_CONTRAST_LIGHT = replace(
    _LIGHT,
    name=ThemeName.CONTRAST_LIGHT,
    canvas="#FFFFFF",
    bar="#FFFFFF",
    text3=_LIGHT.text2,
    line=_LIGHT.line2,
    line2=_LIGHT.text2,
    border_extra=1.0,
    patterns=True,
    verdicts=_verdicts(
        BPU="#056153 #FFFFFF #056153 #065347 #E1F3EF",
        CPU="#F9B233 #221500 #8A5700 #6A3E00 #FDF0D6",
        UNSUPPORTED="#7A0420 #FFFFFF #7A0420 #7A0420 #FAE3E8",
        UNKNOWN="#5B3EB0 #FFFFFF #5B3EB0 #4A2F98 #EEE9FA",
        FOLDED="#D3DBE6 #1E2732 #4F5B69 #3A4550 #F0F3F7",
    ),
)

_CONTRAST_DARK = replace(
    _DARK,
    name=ThemeName.CONTRAST_DARK,
    canvas="#000000",
    bar="#000000",
    panel="#000000",
    text3=_DARK.text2,
    line=_DARK.line2,
    line2=_DARK.text2,
    border_extra=1.0,
    patterns=True,
    verdicts=_verdicts(
        BPU="#5FCFB9 #06201A #5FCFB9 #8CE3CF #15302B",
        CPU="#FFD043 #221500 #FFD043 #FFDC73 #372B10",
        UNSUPPORTED="#FF7088 #25000A #FF7088 #FFA6B5 #3F1620",
        UNKNOWN="#B3A9F5 #0D0A1E #B3A9F5 #CEC8FA #28243F",
        FOLDED="#3E4754 #EEF2F6 #A9B4C2 #C9D2DC #1C2229",
    ),
)

_PRINT = replace(
    _CONTRAST_LIGHT,
    name=ThemeName.PRINT,
    panel="#FFFFFF",
    sunken="#FFFFFF",
    hover="#FFFFFF",
    dot="#FFFFFF",
    edge="#000000",
    text="#000000",
    text2="#000000",
    text3="#000000",
    shadow="#00000000",
    border_extra=0.0,
    verdicts=MappingProxyType(
        {v: VerdictColours("#FFFFFF", "#000000", "#000000", "#000000", "#FFFFFF") for v in Verdict}
    ),
)

_THEMES = {t.name: t for t in (_LIGHT, _DARK, _CONTRAST_LIGHT, _CONTRAST_DARK, _PRINT)}


def theme_name(brightness: str, contrast: str, *, system_dark: bool, system_contrast: bool = False) -> ThemeName:
    """The theme for what the user chose and what the system asks for.

    Args:
        brightness: `light`, `dark`, or `system`.
        contrast: `standard`, `high`, or `print`.
        system_dark: whether the system is set to dark.
        system_contrast: whether the system is set to more contrast, which raises `standard` to `high`.
    """
    if contrast == "print":
        return ThemeName.PRINT
    dark = system_dark if brightness == "system" else brightness == "dark"
    if contrast == "high" or system_contrast:
        return ThemeName.CONTRAST_DARK if dark else ThemeName.CONTRAST_LIGHT
    return ThemeName.DARK if dark else ThemeName.LIGHT


def theme(name: ThemeName | str) -> Theme:
    """The theme called *name*.

    Raises:
        ValueError: no theme has that name.
    """
    return _THEMES[ThemeName(name)]


@cache
def colour(text: str, alpha: float = 1.0) -> QColor:
    """The `QColor` of a token, its opacity multiplied by *alpha*; shared, so never change the result."""
    made = QColor(text)
    made.setAlphaF(made.alphaF() * alpha)
    return made


def mixed(top: str, ground: str, share: float) -> str:
    """*top* laid over *ground* with the opacity *share* in 0..1, as an opaque `#RRGGBB`."""
    a, b = QColor(top), QColor(ground)
    parts = ((x * share + y * (1 - share)) for x, y in zip(a.getRgb()[:3], b.getRgb()[:3], strict=True))  # type: ignore[index]
    return "#" + "".join(f"{round(part):02X}" for part in parts)


@cache
def faded(name: ThemeName) -> Theme:
    """The theme *name* with every colour laid over the canvas at `DIM`, for what a filter leaves out.

    Opaque, so that what lies below a faint box does not shine through it.
    """
    full = theme(name)

    def over_canvas(token: str) -> str:
        return mixed(token, full.canvas, DIM)

    tokens = {
        field.name: over_canvas(getattr(full, field.name))
        for field in fields(full)
        if field.type in (str, "str") and field.name not in ("canvas", "shadow")
    }
    verdicts = {
        verdict: VerdictColours(*(over_canvas(getattr(colours, part.name)) for part in fields(colours)))
        for verdict, colours in full.verdicts.items()
    }
    return replace(full, **tokens, shadow="#00000000", verdicts=MappingProxyType(verdicts))  # type: ignore[arg-type]
