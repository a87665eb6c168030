"""The verdict glyphs: told apart by shape alone, crisp at every scale."""

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from inspector.gui.glyphs import glyph_pixmap, paint_glyph, verdict_icon
from inspector.gui.theme import ThemeName, theme
from inspector.placement.verdict import Verdict


def pixels(verdict: Verdict, inferred: bool = False, name: ThemeName = ThemeName.LIGHT, size: int = 56) -> np.ndarray:
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_glyph(painter, QRectF(0, 0, size, size), verdict, inferred, theme(name))
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(size, size, 4).astype(int)


@pytest.mark.usefixtures("qapp")
def test_silhouettes_differ_without_any_colour() -> None:
    shapes = {v: pixels(v)[:, :, 3] > 127 for v in Verdict}
    for one, two in combinations(Verdict, 2):
        assert (shapes[one] ^ shapes[two]).mean() > 0.04, (one, two)


@pytest.mark.usefixtures("qapp")
def test_print_glyphs_differ_in_their_black_parts() -> None:
    """On paper every fill is white, so outline and sign alone must tell."""
    ink = {v: pixels(v, name=ThemeName.PRINT)[:, :, :3].mean(axis=2) < 128 for v in Verdict}
    ink = {v: ink[v] & (pixels(v, name=ThemeName.PRINT)[:, :, 3] > 127) for v in Verdict}
    for one, two in combinations(Verdict, 2):
        assert (ink[one] ^ ink[two]).mean() > 0.03, (one, two)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("verdict", list(Verdict))
def test_inferred_keeps_the_silhouette_and_changes_the_ground(verdict: Verdict) -> None:
    sure, inferred = pixels(verdict), pixels(verdict, inferred=True)
    assert ((sure[:, :, 3] > 127) ^ (inferred[:, :, 3] > 127)).mean() < 0.05
    assert (np.abs(sure - inferred).max(axis=2) > 20).mean() > 0.1


@pytest.mark.usefixtures("qapp")
def test_painting_leaves_the_painter_as_it_was() -> None:
    image = QImage(20, 20, QImage.Format.Format_ARGB32)
    painter = QPainter(image)
    painter.setOpacity(0.5)
    before = painter.transform()
    paint_glyph(painter, QRectF(3, 3, 14, 14), Verdict.CPU, True, theme(ThemeName.DARK))
    assert painter.transform() == before
    assert painter.opacity() == pytest.approx(0.5, abs=0.01)
    assert not painter.hasClipping()
    painter.end()


@pytest.mark.usefixtures("qapp")
def test_pixmap_has_the_device_pixels_it_is_asked_for() -> None:
    picture = glyph_pixmap(Verdict.BPU, False, theme(ThemeName.LIGHT), 14, 2.0)
    assert picture.width() == 28
    assert picture.devicePixelRatio() == 2.0


@pytest.mark.usefixtures("qapp")
def test_icon_is_made_once_per_theme() -> None:
    light = verdict_icon(Verdict.CPU, False, theme(ThemeName.LIGHT))
    assert light is verdict_icon(Verdict.CPU, False, theme(ThemeName.LIGHT))
    assert light is not verdict_icon(Verdict.CPU, False, theme(ThemeName.DARK))
    assert not light.pixmap(16, 16).isNull()
