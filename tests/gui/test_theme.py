"""Contrast of every pair of colours that carries meaning, distance of the verdict colours, no colour elsewhere."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import inspector.gui
from inspector.gui.style import application_style, disabled_text, palette
from inspector.gui.theme import BORDERS, DIM, ThemeName, colour, faded, mixed, theme
from inspector.placement.verdict import Verdict
from tests.helpers.tokens import TOKEN_MODULES, stray_tokens

# Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB.
VISIONS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def linear(token: str) -> np.ndarray:
    parts = np.array([int(token[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(a: str, b: str) -> float:
    """WCAG 2.1 contrast ratio."""
    high, low = sorted((float(linear(t) @ [0.2126, 0.7152, 0.0722]) for t in (a, b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(token: str, vision: np.ndarray) -> np.ndarray:
    rgb = np.clip(vision @ linear(token), 0, 1)
    xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175],
                    [0.0193339, 0.119192, 0.9503041]]) @ rgb / [0.95047, 1.0, 1.08883]  # fmt: skip
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def delta_e2000(one: np.ndarray, two: np.ndarray) -> float:
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = np.hypot((1 + g) * a1, b1), np.hypot((1 + g) * a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, (1 + g) * a1)) % 360, np.degrees(np.arctan2(b2, (1 + g) * a2)) % 360
    turn = (h2 - h1 + 180) % 360 - 180
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    lm, cm, hm = (l1 + l2) / 2, (c1 + c2) / 2, (h1 + turn / 2) % 360
    t = (
        1
        - 0.17 * np.cos(np.radians(hm - 30))
        + 0.24 * np.cos(np.radians(2 * hm))
        + 0.32 * np.cos(np.radians(3 * hm + 6))
        - 0.20 * np.cos(np.radians(4 * hm - 63))
    )
    sl = 1 + 0.015 * (lm - 50) ** 2 / np.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rt = -2 * np.sqrt(cm**7 / (cm**7 + 25**7)) * np.sin(np.radians(60 * np.exp(-(((hm - 275) / 25) ** 2))))
    dl, dc, dh = (l2 - l1) / sl, (c2 - c1) / sc, dh / sh
    return float(np.sqrt(dl**2 + dc**2 + dh**2 + rt * dc * dh))


def test_the_distance_formula_agrees_with_published_pairs() -> None:
    # Sharma, Wu, Dalal 2005, table 1, pairs 1, 7 and 17.
    pairs = [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
    ]
    for one, two, expected in pairs:
        assert delta_e2000(np.array(one), np.array(two)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("name", list(ThemeName))
def test_text_can_be_read_on_every_ground(name: ThemeName) -> None:
    look = theme(name)
    grounds = (look.panel, look.canvas, look.sunken)
    pairs = [(text, ground) for text in (look.text, look.text2, look.text3) for ground in grounds]
    pairs += [(look.text, ground) for ground in (look.bar, look.raised, look.hover, look.accent_soft)]
    pairs += [(look.text2, look.raised), (look.text3, look.raised), (look.on_accent, look.accent)]
    pairs += [(look.accent_ink, look.accent_soft), (look.accent_ink, look.panel), (look.passed, look.passed_soft)]
    pairs += [(look.failed, look.failed_soft), (look.inconclusive, look.inconclusive_soft)]
    for verdict in Verdict:
        of = look.of(verdict)
        pairs += [(of.on, of.fill), (of.ink, look.panel), (of.ink, of.soft), (look.text, of.soft)]
        pairs += [(look.text2, of.soft)]
    poor = [(a, b, round(contrast(a, b), 2)) for a, b in pairs if contrast(a, b) < 4.5]
    assert poor == []


@pytest.mark.parametrize("name", list(ThemeName))
def test_edges_of_boxes_stand_out(name: ThemeName) -> None:
    look = theme(name)
    tokens = [look.of(v).edge for v in Verdict] + [look.edge, look.accent]
    assert [t for t in tokens if contrast(t, look.canvas) < 3] == []


@pytest.mark.parametrize("name", list(ThemeName))
def test_borders_and_marks_of_controls_stand_out(name: ThemeName) -> None:
    """WCAG 1.4.11: what tells a control, its state or the focus needs 3 : 1 against what is beside it."""
    look = theme(name)
    grounds = (look.panel, look.raised, look.sunken, look.canvas, look.bar)
    pairs = [(token, ground) for token in (look.accent, look.text3) for ground in grounds]
    pairs += [(look.on_accent, look.accent), (look.passed, look.passed_soft), (look.failed, look.failed_soft)]
    pairs += [(look.of(v).edge, ground) for v in Verdict for ground in (look.raised, look.panel)]
    pairs += [(look.of(v).on, look.of(v).fill) for v in Verdict]
    assert [(a, b, round(contrast(a, b), 2)) for a, b in pairs if contrast(a, b) < 3] == []


@pytest.mark.parametrize("name", [ThemeName.CONTRAST_LIGHT, ThemeName.CONTRAST_DARK])
def test_high_contrast_text_on_fills(name: ThemeName) -> None:
    look = theme(name)
    assert [v for v in Verdict if contrast(look.of(v).on, look.of(v).fill) < 7] == []
    assert look.text3 == look.text2
    assert look.patterns
    assert look.border_extra == 1


@pytest.mark.parametrize("name", [ThemeName.LIGHT, ThemeName.DARK])
@pytest.mark.parametrize("vision", VISIONS)
def test_verdict_colours_differ_for_every_eye(name: ThemeName, vision: str) -> None:
    fills = [lab(theme(name).of(v).fill, VISIONS[vision]) for v in Verdict]
    assert min(delta_e2000(a, b) for a, b in combinations(fills, 2)) >= 20


@pytest.mark.parametrize("name", [ThemeName.CONTRAST_LIGHT, ThemeName.CONTRAST_DARK])
@pytest.mark.parametrize("vision", VISIONS)
def test_high_contrast_gives_up_some_distance_for_brightness(name: ThemeName, vision: str) -> None:
    """Less than in the standard palettes, which is why patterns are always on there."""
    fills = [lab(theme(name).of(v).fill, VISIONS[vision]) for v in Verdict]
    assert min(delta_e2000(a, b) for a, b in combinations(fills, 2)) >= 14.5


def test_on_paper_shape_and_pattern_carry_everything() -> None:
    look = theme(ThemeName.PRINT)
    assert {look.of(v).fill for v in Verdict} == {"#FFFFFF"}
    assert {look.of(v).edge for v in Verdict} == {"#000000"}
    assert look.patterns


def test_borders_tell_the_verdicts_apart_without_colour() -> None:
    borders = [(b.width, b.dash, b.inner) for b in BORDERS.values()]
    assert len(set(borders)) == len(Verdict)


def test_a_faded_theme_is_its_colours_over_the_canvas() -> None:
    full, faint = theme(ThemeName.DARK), faded(ThemeName.DARK)
    assert faint.canvas == full.canvas
    assert faint.text == mixed(full.text, full.canvas, DIM)
    assert faint.of(Verdict.CPU).edge == mixed(full.of(Verdict.CPU).edge, full.canvas, DIM)
    assert contrast(faint.text, faint.canvas) < contrast(full.text, full.canvas)


def test_mixed_goes_from_ground_to_top() -> None:
    assert mixed("#FFFFFF", "#000000", 0.0) == "#000000"
    assert mixed("#FFFFFF", "#000000", 1.0) == "#FFFFFF"
    assert mixed("#FF0000", "#0000FF", 0.5) == "#800080"


def test_colour_multiplies_opacity() -> None:
    assert colour("#80102030", 0.5).alphaF() == pytest.approx(0.25, abs=0.01)
    assert colour("#102030").alpha() == 255


def test_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="sepia"):
        theme("sepia")


@pytest.mark.parametrize("name", list(ThemeName))
def test_style_sheet_parses_without_complaint(qapp, qtlog, name: ThemeName) -> None:
    qapp.setPalette(palette(theme(name)))
    qapp.setStyleSheet(application_style(theme(name)))
    qapp.setStyleSheet("")
    assert [r.message for r in qtlog.records] == []


@pytest.mark.parametrize("name", [ThemeName.LIGHT, ThemeName.DARK])
def test_text_of_disabled_controls_is_weaker_but_visible(name: ThemeName) -> None:
    look = theme(name)
    assert 1.8 < contrast(disabled_text(look), look.panel) < contrast(look.text3, look.panel)


GUI = Path(inspector.gui.__file__).parent


@pytest.mark.parametrize("path", sorted(GUI.rglob("*.py")), ids=lambda path: path.relative_to(GUI).as_posix())
def test_only_the_tokens_write_colours_and_sizes(path: Path) -> None:
    assert path.name in TOKEN_MODULES or list(stray_tokens(path)) == []


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('ink = "#12AB9f"', "colour"),
        ("painter.setPen(QColor(1, 2, 3))", "colour"),
        ('painter.setPen(QColor("red"))', "colour"),
        ("picture.fill(Qt.GlobalColor.white)", "colour"),
        ("sheet = f'QLabel {{ padding: 3px; color: {ink}; }}'", "size"),
        ("box.setFixedHeight(28)", "size"),
        ("column.setContentsMargins(0, 0, Space.M + 2, 0)", "size"),
        ("card = frame('card', margins=(8, 0, 8, 0))", "size"),
        ("made = row(first, spacing=6)", "size"),
        ("pen = QPen(ink, 2.5)", "size"),
        ("_LEAST_WIDTH = 120", "size"),
        ("made.setPointSizeF(10.5)", "size"),
    ],
)
def test_a_colour_or_size_elsewhere_is_found(tmp_path: Path, line: str, found: str) -> None:
    module = tmp_path / "module.py"
    module.write_text(line, encoding="utf-8")
    assert {what.split()[1] for what in stray_tokens(module)} == {found}


@pytest.mark.parametrize(
    "line",
    [
        "column.setContentsMargins(0, 0, 1, 0)",
        "inner.setMaximumWidth(2 * Size.START_COLUMN + Space.XL)",
        "bar.setFixedWidth(Size.LEFT_MIN // 2)",
        "picture.fill(Qt.GlobalColor.transparent)",
        "sheet = f'border: 1px solid {look.line}'",
        "_MOST_ROWS = 500",
        '"""Colours are `#12AB9F`, sizes 12px."""',
    ],
)
def test_factors_hairlines_and_words_are_no_sizes(tmp_path: Path, line: str) -> None:
    module = tmp_path / "module.py"
    module.write_text(line, encoding="utf-8")
    assert list(stray_tokens(module)) == []
