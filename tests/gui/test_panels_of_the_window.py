"""How the window shares its room: presets, collapsing, the rail, an inspector over the canvas, a maximised bottom."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from inspector.gui.columns import Splitter
from inspector.gui.measures import scale_percent
from inspector.gui.panel_layout import Part, Preset
from inspector.gui.theme import Size
from tests.gui.window import Desk

RULE = "convtranspose3d-to-2d"


def shown(desk):
    bench = desk.bench
    parts = {"left": bench.left, "rail": bench.rail, "right": bench.right, "bottom": bench.bottom}
    return {name for name, widget in parts.items() if widget.isVisible()}


def turn():
    for _ in range(3):
        QApplication.processEvents()


@pytest.fixture
def wide(desk):
    desk.window.resize(1600, 1000)
    return desk.open()


def test_start_page_has_no_panels(desk):
    assert shown(desk) == set()
    assert not desk.bench.breadcrumb.isVisible()


def test_switches_open_and_close_panels_and_leave_a_rail(wide):
    assert shown(wide) == {"left", "right", "bottom"}
    assert wide.bench.left.width() == Size.LEFT
    assert wide.bench.right.width() == Size.INSPECTOR
    assert wide.bench.bottom.height() == Size.BOTTOM
    for name in ("left", "right", "bottom"):
        wide.window.actions_[f"view.{name}"].trigger()
    assert shown(wide) == {"rail"}
    assert wide.bench.rail.width() == Size.RAIL
    assert wide.bench.rail.problems.badge == "3"
    assert not any(wide.window.actions_[f"view.{name}"].isChecked() for name in ("left", "right", "bottom"))
    wide.bench.rail.outline.click()
    assert shown(wide) == {"left"}
    assert wide.bench.left.currentWidget() is wide.bench.outline
    assert wide.window.actions_["view.left"].isChecked()


def test_presets_arrange_and_review_enlarges_text(wide):
    usual = scale_percent()
    wide.window.actions_["view.explore"].trigger()
    assert shown(wide) == {"left", "right"}
    wide.window.actions_["view.review"].trigger()
    assert shown(wide) == {"rail", "right"}
    assert scale_percent() > usual
    checked = [preset for preset in Preset if wide.window.actions_[f"view.{preset}"].isChecked()]
    assert checked == [Preset.REVIEW]
    wide.window.actions_["view.fix"].trigger()
    assert shown(wide) == {"left", "right", "bottom"}
    assert scale_percent() == usual


def test_a_preview_takes_the_rail_and_a_high_bottom_and_gives_back_what_was(wide):
    wide.window.actions_["view.bottom"].trigger()
    wide.preview(RULE)
    assert shown(wide) == {"rail", "right", "bottom"}
    assert wide.bench.bottom.height() == Size.BOTTOM_PREVIEW
    wide.window.actions_["view.left"].trigger()
    assert "left" in shown(wide)
    wide.document.reject()
    assert shown(wide) == {"left", "right"}


def test_where_it_is_narrow_the_inspector_lies_over_the_canvas(wide):
    wide.window.resize(Size.OVERLAY_BELOW - 1, 800)
    turn()
    bench = wide.bench
    assert bench.columns.is_overlaid
    assert bench.graph.width() >= Size.CANVAS_MIN_WIDTH
    assert bench.graph.covered_right == bench.right.width()
    over = bench.right.mapTo(bench, QPoint())
    assert over.x() + bench.right.width() == bench.graph.mapTo(bench, QPoint(bench.graph.width(), 0)).x()
    wide.window.controller.go_to(wide.node("ConvTranspose").id)
    turn()
    place = bench.graph.camera.screen(bench.graph.extent([wide.document.selected]).center()).x()
    assert 0 < place < bench.graph.width() - bench.right.width()
    wide.window.actions_["view.right"].trigger()
    assert bench.graph.covered_right == 0
    wide.window.actions_["view.right"].trigger()
    wide.window.resize(1600, 900)
    turn()
    assert not bench.columns.is_overlaid
    assert bench.graph.covered_right == 0
    assert bench.right.isVisible()


def test_double_click_on_the_tabs_maximises_and_restores(wide, qtbot):
    tabs = wide.bench.bottom.tabBar()
    spot = QPoint(20, tabs.height() // 2)
    qtbot.mouseDClick(tabs, Qt.MouseButton.LeftButton, pos=spot)
    turn()
    assert not wide.bench.graph.isVisible()
    assert wide.bench.bottom.height() > 700
    qtbot.mouseDClick(tabs, Qt.MouseButton.LeftButton, pos=spot)
    turn()
    assert wide.bench.graph.isVisible()
    assert wide.bench.bottom.height() == Size.BOTTOM


def test_dragging_a_border_is_remembered(wide):
    across = wide.bench.columns.findChild(Splitter)
    grip = across.handle(1)
    middle = QPoint(grip.width() // 2, 200)
    assert grip.width() == Size.SPLITTER_GRIP
    QTest.mousePress(grip, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(grip, middle + QPoint(40, 0))
    QTest.mouseRelease(grip, Qt.MouseButton.LeftButton, pos=middle)
    turn()
    moved = wide.bench.left.width()
    assert moved > Size.LEFT
    assert wide.window.arranging.layout.size(Part.LEFT) == moved
    wide.window.resize(1500, 900)
    turn()
    assert wide.bench.left.width() == moved


def test_the_arrangement_is_there_again_in_the_next_window(wide, qtbot, service, tmp_path):
    memory = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    wide.window.arranging.layout.use(Preset.EXPLORE)
    wide.window.arranging.layout.resize(Part.LEFT, 333)
    wide.window.arranging.keep(memory)
    other = Desk(qtbot, wide.window.preferences._languages, service)
    other.window.arranging.restore(memory)
    other.window.resize(1600, 1000)
    other.open()
    assert shown(other) == {"left", "right"}
    assert other.bench.left.width() == 333
    memory.setValue("panels", "{damaged")
    other.window.arranging.restore(memory)
    assert shown(other) == {"left", "right"}
    other.close()


@pytest.mark.parametrize("height", [680, 760])
def test_the_canvas_keeps_its_least_size(desk, height):
    desk.window.resize(Size.WINDOW_MIN_WIDTH, height)
    desk.open()
    desk.window.arranging.layout.resize(Part.BOTTOM, 900)
    turn()
    assert desk.bench.graph.height() >= Size.CANVAS_MIN_HEIGHT - Size.BREADCRUMB
    assert desk.bench.bottom.height() <= 0.6 * desk.bench.columns.height()


def test_the_graph_is_laid_out_sideways_by_button_and_menu(wide):
    before = wide.window.preferences.settings
    usual = wide.document.picture.layout
    wide.bench.breadcrumb.sideways.click()
    wide.idle()
    assert wide.window.actions_["view.sideways"].isChecked()
    turned = wide.document.picture.layout
    assert turned is not usual
    assert wide.bench.graph.geometry_shown.bounds.width() > wide.bench.graph.geometry_shown.bounds.height()
    wide.window.actions_["view.sideways"].trigger()
    wide.idle()
    assert not wide.bench.breadcrumb.sideways.isChecked()
    assert wide.bench.graph.geometry_shown.bounds.height() > wide.bench.graph.geometry_shown.bounds.width()
    assert wide.window.preferences.settings == before


def test_where_there_is_no_room_panels_wait_until_they_are_asked_for(desk):
    preferences = desk.window.preferences
    before = preferences.settings
    preferences.apply(replace(before, ui_scale_percent=200))
    try:
        desk.window.resize(Size.WINDOW_MIN_WIDTH, Size.WINDOW_MIN_HEIGHT)
        desk.open()
        turn()
        assert shown(desk) == {"rail"}
        desk.window.actions_["view.left"].trigger()
        assert shown(desk) == {"left"}
        desk.window.actions_["view.right"].trigger()
        assert shown(desk) == {"rail", "right"}
        desk.window.actions_["view.bottom"].trigger()
        assert desk.bench.bottom.isVisible()
        assert not desk.bench.graph.isVisible()
        desk.window.actions_["view.bottom"].trigger()
        assert desk.bench.graph.isVisible()
    finally:
        preferences.apply(before)
    desk.window.resize(1600, 1000)
    turn()
    assert shown(desk) == {"left", "right", "bottom"}
