"""Tokens of size: distances, radii, heights, strokes, durations. No other module of the window writes a size.

Numbers are logical pixels at 100 %. Those of `Space`, `Radius` and `Size` follow the user's scale (`set_scale`):
read them when they are used, and never keep them in a constant or a default argument. Those of `Measure` are the
canvas's own; it paints in units of 100 % and is enlarged as a whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from inspector.placement.kinds import Verdict


@dataclass(frozen=True, slots=True)
class Border:
    """How a box of one verdict is outlined.

    Attributes:
        width: of the outline.
        dash: lengths of dashes and gaps; empty for a solid line.
        inner: width of a second line inside the first; 0 when there is none.
        gap: between the two lines.
    """

    width: float
    dash: tuple[float, ...] = ()
    inner: float = 0.0
    gap: float = 0.0


BORDERS: Mapping[Verdict, Border] = MappingProxyType(
    {
        Verdict.BPU: Border(1.25),
        Verdict.CPU: Border(2.0),
        Verdict.UNSUPPORTED: Border(2.0, inner=1.0, gap=1.5),
        Verdict.UNKNOWN: Border(1.5, dash=(5.0, 3.0)),
        Verdict.FOLDED: Border(1.5, dash=(1.5, 2.5)),
    }
)
"""Outline per verdict, so that no meaning rests on colour alone."""


class Space:
    """Distances between things."""

    XXS, XS, S, M, L, XL, XXL = 2, 4, 8, 12, 16, 24, 32
    PANEL = 16


class Radius:
    """Corner radii."""

    TAG, CONTROL, BOX, PANEL, GROUP = 4, 6, 8, 10, 12


class _Window:
    """Sizes that do not follow the user's scale, because the screen does not."""

    WINDOW_WIDTH, WINDOW_HEIGHT, WINDOW_MIN_WIDTH, WINDOW_MIN_HEIGHT = 1600, 1000, 1024, 680


class Size(_Window):
    """Heights of controls and rows, widths of parts of the window, and widths at which parts give way."""

    CONTROL, CONTROL_SMALL, CONTROL_START = 28, 22, 34
    ROW_TABLE, ROW_CHECK, ROW_TREE, ROW_PROBLEM, ROW_LEGEND = 27, 26, 30, 50, 21
    HEADER, TARGET_BAR, STATUS_BAR, BREADCRUMB, BANNER = 44, 44, 24, 32, 40
    SEARCH_BOX, SEARCH_BOX_MIN, PALETTE = 360, 200, 640
    DOCUMENT_TAB, DOCUMENT_TAB_MIN = 260, 132
    LEFT, LEFT_MIN, LEFT_MAX = 272, 220, 420
    INSPECTOR, INSPECTOR_MIN, INSPECTOR_MAX = 388, 320, 560
    BOTTOM, BOTTOM_PREVIEW, BOTTOM_MIN = 212, 352, 140
    CANVAS_MIN_WIDTH, CANVAS_MIN_HEIGHT = 420, 260
    MINIMAP_WIDTH, MINIMAP_HEIGHT, MINIMAP_LEAST = 146, 220, 56
    LEGEND_FROM, LEGEND_OPEN_FROM, MINIMAP_FROM = 320, 640, 520
    ZOOM_BUTTON = 38
    SHADOW_DOWN, SHADOW_BLUR = 5, 28
    """Of what lies over the window: distance of the shadow, and over how many pixels it fades, both ways."""
    GLYPH, GLYPH_LARGE, ICON, RAIL, BAR = 14, 18, 16, 44, 3
    SCOPE_BAR_WIDTH, SCOPE_BAR_HEIGHT = 56, 5
    FOCUS_RING = 2
    SPLITTER_GRIP = 7
    COMMAND_FROM, OVERLAY_BELOW, SUMMARY_FROM, BUTTON_TEXT_FROM = 1100, 1180, 1280, 1400
    PROGRESS = 6
    CHECK_MARK = 16
    PLOT_WIDTH, PLOT_HEIGHT, HISTOGRAM_WIDTH, HISTOGRAM_HEIGHT = 72, 56, 160, 68
    START_COLUMN = 560
    DIALOG, FIELD = 480, 120
    TWO_LINES_BELOW = 1000


class Motion:
    """Durations in milliseconds."""

    FADE, CAMERA, DELTA = 120, 160, 4000


class Measure:
    """What the canvas paints, in pixels at 100 % zoom and 100 % scale."""

    # Boxes
    MIN_WIDTH, MAX_WIDTH = 160.0, 280.0
    HEADER, ROW, PAD, SPINE, MEDIUM = 26.0, 18.0, 4.0, 5.0, 28.0
    GLYPH_X, GLYPH_Y, GLYPH, GLYPH_MEDIUM = 13.0, 6.0, 14.0, 22.0
    TITLE_X, TEXT_X, RIGHT, GAP = 33.0, 13.0, 12.0, 8.0
    PILL, PILL_PAD, PILL_MIN = 26.0, 18.0, 72.0
    TITLE_SIZE, FACT_SIZE, NAME_SIZE, ATTRIBUTE_SIZE, LABEL_SIZE = 12.5, 10.5, 11.0, 11.0, 10.5
    TITLE_WEIGHT, ATTRIBUTE_WEIGHT = 600, 500
    RADIUS, TAG_RADIUS, CHIP_PAD, GROUP_RADIUS = 8.0, 4.0, 6.0, 12.0
    BLOCK_RADIUS, BLOCK_LEAST = 3.0, 3.0
    BLOCK_TYPICAL, BLOCK_PATTERN, BLOCK_ROUND = 60.0, 10.0, 8.0
    """Height of an ordinary box at 100 %; heights on screen from which blocks carry a pattern, and round corners."""
    SHADOW = ((3.0, 0.5), (1.8, 1.0))
    """How far a rim reaches below its box, and its share of the shadow's opacity."""
    BADGE_WIDTH, BADGE_HEIGHT, BADGE_SMALL, BADGE_OVERHANG, BADGE_AWAY = 34.0, 20.0, 16.0, 4.0, 8.0
    WAND, WAND_ROOM, BADGE_ROOM = 11.0, 13.0, 24.0
    # Marks
    RING, RING_AWAY, HALO = 2.5, 5.0, 3.0
    SIGN, SIGN_STROKE, HIT, ADDED_AWAY = 18.0, 2.0, 2.5, 4.0
    ADDED_DASH = (5.0, 3.0)
    # Edges
    EDGE, CROSSING, TRACED, STUB_RING = 1.5, 2.25, 2.5, 3.0
    UNKNOWN_DASH = (4.0, 3.0)
    LABEL_HEIGHT, LABEL_GAP, LABEL_PAD = 18.0, 10.0, 4.0
    CORNER, ARROW, LABEL_DEPTH, COLUMN_GAP = 10.0, 8.0, 14.0, 168.0
    STUB_HEIGHT, STUB_PAD, STUB_WIDEST = 18.0, 8.0, 190.0
    # Segments: how far the tint reaches beside, above and below a box; its bands along edges
    SEGMENT_SIDE, SEGMENT_HEAD, SEGMENT_FOOT = 14.0, 20.0, 10.0
    SEGMENT_BAND, SEGMENT_NEAR, SEGMENT_LINE, SEGMENT_DASH = 40.0, 120.0, 1.0, 4.0
    SEGMENT_NAME, SEGMENT_CLEAR = 12.0, 14.0
    """From the upper edge of a box to the middle of its segment's name; on screen, clear of the ring of a selection."""
    # Ground and camera
    GRID = 20.0
    MARGIN = 24.0
    """Room that the camera keeps around what it shows."""
    ABOVE = 76.0
    """Room above what a preview changes: enough for the edge into it and its segment's name."""
    SLACK, DRAG = 3.0, 4.0
    """How near to a box a click counts, and from where on a press is a drag."""


class Stroke:
    """Widths of lines that are drawn by hand."""

    HAIR, THIN, SIGN, STRONG = 1.0, 1.5, 1.7, 2.0


DIM = 0.32
"""Opacity of what a filter or a trace leaves out."""

EMPTY_CHIP = 0.55
"""Opacity of a verdict chip that counts nothing."""

INFERRED_ALPHA, INFERRED_STEP, INFERRED_WIDTH = 0.33, 7.0, 1.6
"""Hatch of an inferred verdict: opacity of the fill colour, distance of the lines, their width."""

HALO_ALPHA, HOVER_ALPHA, LABEL_ALPHA = 0.22, 0.20, 0.92
"""Opacity of the halo of a selection and of the pointer, and of the ground of a label."""

_SCALED = (Space, Radius, Size)
_BASE = {cls: {name: value for name, value in vars(cls).items() if isinstance(value, int)} for cls in _SCALED}
_percent = 100


def scale_percent() -> int:
    """The user's scale in %, 100..200."""
    return _percent


def scale() -> float:
    """The user's scale as a factor, 1.0..2.0."""
    return _percent / 100


def set_scale(percent: int) -> None:
    """Make *percent*, 100..200, the user's scale: the numbers of `Space`, `Radius` and `Size` follow."""
    global _percent
    _percent = min(max(percent, 100), 200)
    for cls, base in _BASE.items():
        for name, value in base.items():
            setattr(cls, name, scaled(value))


def scaled(pixels: float) -> int:
    """*pixels* at 100 % in whole pixels at the user's scale."""
    return int(pixels * scale() + 0.5)
