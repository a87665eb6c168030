"""Settings: the dialog shows them all, everything in it takes effect at once, Cancel takes it back."""

from dataclasses import fields, replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QPushButton, QSpinBox

from inspector.gui import appearance
from inspector.gui.canvas.lettering import lettering
from inspector.gui.dialogs.settings import SECTIONS, SettingsDialog
from inspector.gui.fonts import families
from inspector.gui.i18n import language
from inspector.gui.look import look
from inspector.gui.measures import Measure, Size, scale_percent
from inspector.gui.snapshot import grab
from inspector.gui.theme import ThemeName
from inspector.settings import RANGES, Settings, load_settings, save_settings

NOT_SHOWN = {"platform", "toolchain", "flow", "recent", "unknown"}
"""Chosen elsewhere in the window, or no choice at all."""


@pytest.fixture
def dialog(qtbot):
    made = SettingsDialog(Settings(language="en", theme="light"))
    qtbot.addWidget(made)
    made.show()
    made.told = []
    made.changed.connect(made.told.append)
    return made


def button(dialog, text):
    return next(b for b in dialog.findChildren(QPushButton) if b.text() == text)


def choose(box, value):
    """Pick *value* in a combo box, as a user does."""
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def change(control):
    """Give *control* another value than it has."""
    if isinstance(control, QComboBox):
        choose(control, control.itemData((control.currentIndex() + 1) % control.count()))
    elif isinstance(control, QCheckBox):
        control.click()
    else:
        control.setValue(control.value() + control.singleStep())


def test_the_dialog_shows_every_setting_once(dialog):
    shown = [field.name for section in SECTIONS for field in section.fields]
    assert sorted(shown) == sorted({entry.name for entry in fields(Settings)} - NOT_SHOWN)
    assert set(dialog.controls) == set(shown)


@pytest.mark.parametrize("name", [field.name for section in SECTIONS for field in section.fields])
def test_every_control_changes_its_setting_and_no_other(dialog, name):
    before = dialog.settings
    change(dialog.controls[name])
    assert len(dialog.told) == 1
    assert getattr(dialog.settings, name) != getattr(before, name)
    assert replace(dialog.settings, **{name: getattr(before, name)}) == before


@pytest.mark.parametrize("way", ["Cancel", "close", "Escape"])
def test_cancel_restores_what_was(dialog, qtbot, way):
    before = dialog.settings
    choose(dialog.controls["theme"], "dark")
    choose(dialog.controls["ui_scale_percent"], 150)
    if way == "Cancel":
        button(dialog, "Cancel").click()
    elif way == "close":
        dialog.close()
    else:
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert dialog.told[-1] == before


def test_done_keeps_the_changes(dialog):
    choose(dialog.controls["wheel"], "scroll")
    button(dialog, "Done").click()
    assert not dialog.isVisible()
    assert dialog.told[-1].wheel == "scroll"


def test_reset_leaves_the_target_and_the_recent_files(qtbot):
    mine = Settings(platform="x5", recent=("/a.onnx",), theme="dark", seed=11, wheel="scroll")
    dialog = SettingsDialog(mine)
    qtbot.addWidget(dialog)
    button(dialog, "Reset all").click()
    assert dialog.settings == Settings(platform="x5", recent=("/a.onnx",))
    assert dialog.controls["seed"].value() == 7
    button(dialog, "Cancel").click()
    assert dialog.settings == mine


def test_numbers_keep_within_their_ranges(dialog):
    for name, (low, high) in RANGES.items():
        control = dialog.controls[name]
        if isinstance(control, QSpinBox):
            assert (control.minimum(), control.maximum()) == (low, high)


def test_a_scale_from_the_file_that_is_no_choice_is_shown_all_the_same(qtbot):
    dialog = SettingsDialog(Settings(ui_scale_percent=133))
    qtbot.addWidget(dialog)
    assert dialog.controls["ui_scale_percent"].currentText() == "133 %"


def test_controls_are_named_for_those_who_cannot_see(dialog):
    assert all(control.accessibleName() for control in dialog.controls.values())


# In the window


def put(desk, **changes):
    desk.window.preferences.apply(replace(desk.window.settings, **changes))
    desk.idle()


def test_themes_are_switched_live(desk):
    desk.open()
    for theme, contrast, name in (
        ("dark", "standard", ThemeName.DARK),
        ("dark", "high", ThemeName.CONTRAST_DARK),
        ("light", "high", ThemeName.CONTRAST_LIGHT),
        ("dark", "print", ThemeName.PRINT),
        ("light", "standard", ThemeName.LIGHT),
    ):
        put(desk, theme=theme, contrast=contrast)
        assert (look().name, desk.bench.graph.look.name) == (name, name)
        picture = desk.bench.graph.grab().toImage()
        assert picture.pixelColor(picture.width() // 4, picture.height() - 3).name().upper() == look().canvas


def test_the_systems_brightness_and_contrast_are_followed(desk, monkeypatch):
    put(desk, theme="system")
    hints = QGuiApplication.styleHints()
    monkeypatch.setattr(appearance, "system_is_dark", lambda: True)
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert look().name is ThemeName.DARK
    monkeypatch.setattr(appearance, "system_wants_contrast", lambda: True)
    hints.accessibility().contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    assert look().name is ThemeName.CONTRAST_DARK
    assert desk.window.settings.theme == "system"
    put(desk, theme="light")  # chosen, so that the system no longer decides
    assert look().name is ThemeName.LIGHT
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert look().name is ThemeName.LIGHT


def test_scale_takes_text_controls_and_canvas_along_and_comes_back(desk):
    desk.open()
    window, view = desk.window, desk.bench.graph
    label = next(one for one in window.status.findChildren(QLabel) if one.text())
    before = label.font().pointSizeF(), desk.bench.target_bar.height(), view.view_size()
    picture = grab(window, 1.0)
    put(desk, ui_scale_percent=200)
    assert (scale_percent(), Size.CONTROL) == (200, 56)
    assert label.font().pointSizeF() == pytest.approx(2 * before[0])
    assert desk.bench.target_bar.height() == 2 * before[1]
    assert view.at(QPointF(view.width(), 0)).x() == pytest.approx(view.width() / 2)
    frame = view.frame()
    assert frame is not None
    assert frame.ratio == pytest.approx(2 * view.devicePixelRatioF())
    put(desk, theme="dark")
    assert label.font().pointSizeF() == pytest.approx(2 * before[0])  # another theme leaves the scale alone
    put(desk, ui_scale_percent=100, theme="light")
    assert (label.font().pointSizeF(), desk.bench.target_bar.height()) == pytest.approx(before[:2])
    window.resize(picture.size())
    desk.idle()
    assert view.view_size() == before[2]


def test_the_pointer_finds_boxes_at_every_scale(desk, qtbot):
    desk.open()
    put(desk, ui_scale_percent=150)
    view, node = desk.bench.graph, desk.node("ConvTranspose", 1)
    view.centre_on(node.id, animated=False)
    frame = view.frame()
    spot = frame.on_screen(frame.scene.box_of[node.id]).center() * 1.5
    qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=spot.toPoint())
    assert desk.document.selected == node.id


def test_motion_is_reduced_everywhere(desk, monkeypatch):
    views = (desk.bench.graph, desk.bench.preview.before, desk.bench.preview.after)
    put(desk, animations=True)
    assert not any(view.reduce_motion for view in views)
    put(desk, animations=False)
    assert all(view.reduce_motion for view in views)
    monkeypatch.setattr(appearance, "system_reduces_motion", lambda: True)
    put(desk, animations=True)
    assert all(view.reduce_motion for view in views)


def turn(view, angle, keys=Qt.KeyboardModifier.NoModifier):
    middle = QPointF(view.rect().center())
    event = QWheelEvent(
        middle, view.mapToGlobal(middle), QPoint(), QPoint(0, angle), Qt.MouseButton.NoButton, keys,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)


def test_the_wheel_zooms_or_scrolls_and_that_is_remembered(desk, tmp_path):
    view = desk.open().bench.graph
    view.actual_size()
    turn(view, -120)
    assert view.camera.scale < 1
    view.actual_size()
    put(desk, wheel="scroll")
    before = view.camera
    turn(view, -120)
    assert (view.camera.scale, view.camera.x) == (before.scale, before.x)
    assert view.camera.y == pytest.approx(before.y + 120 / before.scale)
    turn(view, 120, Qt.KeyboardModifier.ControlModifier)
    assert view.camera.scale > before.scale
    save_settings(desk.window.settings, tmp_path / "settings.toml")
    assert load_settings(tmp_path / "settings.toml")[0].wheel == "scroll"


def test_the_graph_flows_to_the_right_and_down_again(desk):
    view = desk.open().bench.graph
    down = view.geometry_shown.bounds.size()
    put(desk, direction="right")
    assert view.geometry_shown.sideways
    assert view.geometry_shown.bounds.width() > view.geometry_shown.bounds.height()
    put(desk, direction="down")
    assert not view.geometry_shown.sideways
    assert view.geometry_shown.bounds.size() == down


def test_where_the_graph_flows_right_there_is_room_for_every_label_and_the_selection_stays_in_view(desk):
    view = desk.open().bench.graph
    chosen = desk.model.main.nodes[-1].id
    desk.document.select(chosen)
    put(desk, direction="right")
    letters = lettering(Measure.LABEL_SIZE, mono=True)
    widths = [letters.width(text) + 2 * Measure.LABEL_PAD for text in view.scene.edge_label]
    assert all(width <= room for width, room in zip(widths, view.geometry_shown.label_room, strict=True))
    assert view.seen().contains(view.geometry_shown.rect(view.scene.box_of[chosen]))


def test_seed_and_limits_reach_the_verification(desk):
    desk.open()
    client = desk.window.service.client
    kept = client.time_limit_s, client.memory_limit_bytes
    try:
        put(desk, seed=23, worker_timeout_s=77, worker_memory_percent=50)
        assert client.time_limit_s == 77
        assert kept[1] is None or client.memory_limit_bytes < kept[1]
        proposal = desk.preview("convtranspose3d-to-2d")
        assert {result.seed for result in proposal.verifications} == {23}
    finally:
        client.time_limit_s, client.memory_limit_bytes = kept
        put(desk, seed=7)


def test_the_dialog_opens_with_its_key_and_acts_on_the_window(desk, qtbot):
    desk.open()
    qtbot.keyClick(desk.window, ",", Qt.KeyboardModifier.ControlModifier)
    dialog = desk.window.findChild(SettingsDialog)
    assert dialog is not None
    choose(dialog.controls["theme"], "dark")
    assert look().dark
    choose(dialog.controls["language"], "zh_CN")
    desk.idle()
    assert dialog.windowTitle() == "设置"
    button(dialog, "取消").click()
    desk.idle()
    assert not look().dark
    assert language() == "en"


def test_what_is_in_the_middle_stays_there_at_another_scale(desk):
    desk.open()
    view = desk.bench.graph
    view.centre_on(desk.node("ConvTranspose", 1).id, animated=False, scale=1.0)
    before = view.seen().center()
    put(desk, ui_scale_percent=150)
    assert view.seen().center().x() == pytest.approx(before.x(), abs=1.0)
    assert view.camera.scale == 1.0


def test_the_language_follows_and_the_last_result_is_told_in_it(desk):
    desk.open()
    put(desk, language="zh_CN")
    assert language() == "zh_CN"
    assert "平台" in [label.text() for label in desk.bench.target_bar.findChildren(QLabel)]
    assert any("已检查" in label.text() for label in desk.window.status.findChildren(QLabel))


def test_boxes_are_measured_anew_for_other_fonts(desk):
    view = desk.open().bench.graph
    before = view.scene
    put(desk, system_fonts=True)
    assert view.scene is not before
    assert families(False)[0] == QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    label = next(one for one in desk.window.status.findChildren(QLabel) if one.text())
    assert label.font().families()[0] == families(False)[0]


def test_rows_and_icons_of_lists_grow_too(desk):
    desk.open()
    tree, table = desk.bench.problems.tree, desk.bench.nodes.table
    row = tree.visualRect(tree.model().index(0, 0, tree.model().index(0, 0))).height()
    height, icon = table.verticalHeader().defaultSectionSize(), table.iconSize()
    put(desk, ui_scale_percent=200)
    assert tree.visualRect(tree.model().index(0, 0, tree.model().index(0, 0))).height() > 1.8 * row
    assert table.verticalHeader().defaultSectionSize() == 2 * height
    assert table.iconSize() == 2 * icon
