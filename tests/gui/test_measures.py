"""The user's scale: sizes and fonts follow it and come back exactly."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QTableWidget
from pytestqt.qtbot import QtBot

from inspector.gui.fonts import Role, families, font, use_system_fonts
from inspector.gui.measures import Measure, Radius, Size, Space, scaled, set_scale
from inspector.gui.rescale import Rescaling


@pytest.fixture(autouse=True)
def unscaled() -> Iterator[None]:
    yield
    set_scale(100)
    use_system_fonts(False)


@pytest.mark.usefixtures("qapp")
def test_fonts_follow_the_scale_and_fall_back() -> None:
    plain = font(Role.TEXT).pointSizeF()
    set_scale(200)
    assert font(Role.TEXT).pointSizeF() == pytest.approx(2 * plain)
    assert font(Role.TITLE).weight() == 600
    assert len(families(True)) >= 1
    assert set(font(Role.TEXT, mono=True).families()) == set(families(True))


@pytest.mark.usefixtures("qapp")
def test_the_systems_font_comes_first_when_it_is_wanted() -> None:
    use_system_fonts(True)
    assert families(False)[0] == QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    assert families(True)[0] == QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


@given(percent=st.integers(100, 200))
def test_measures_follow_the_scale_and_come_back(percent: int) -> None:
    set_scale(percent)
    assert (scaled(28), scaled(12)) == (Size.CONTROL, Space.M)
    assert abs(Size.HEADER - 44 * percent / 100) <= 0.5
    assert (Size.WINDOW_WIDTH, Measure.HEADER) == (1600, 26.0)  # the screen and the canvas do not grow
    set_scale(100)
    assert (Size.CONTROL, Space.M, Radius.BOX) == (28, 12, 8)


@given(length=st.integers(0, 2000), steps=st.lists(st.integers(100, 200), min_size=1, max_size=6))
def test_lengths_do_not_drift_however_often_they_are_rescaled(length: int, steps: list[int]) -> None:
    now, before = length, 1.0
    for percent in [*steps, 100]:
        now = Rescaling(before, percent / 100).pixels(now)
        before = percent / 100
    assert now == length


def test_rows_follow_the_scale_and_come_back(qtbot: QtBot) -> None:
    table = QTableWidget(3, 2)
    qtbot.addWidget(table)
    table.verticalHeader().setDefaultSectionSize(27)
    table.show()
    before = 1.0
    for after in (1.5, 2.0, 1.0):
        Rescaling(before, after).apply([table.verticalHeader()])
        assert table.rowHeight(0) == round(27 * after + 0.01)
        before = after
