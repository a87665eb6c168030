"""What stands around the models: header, menu bar, status bar, start page, loading card, first size."""

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QPushButton

from inspector.gui.menu_bar import has_native_menus
from inspector.gui.panels.loading import LoadingCard, remaining_s
from inspector.gui.panels.start_cards import CardButton, PlatformButton, VerdictStrip
from inspector.gui.panels.status import StatusBar
from inspector.gui.placing import first_size
from inspector.gui.theme import Size
from inspector.placement.verdict import Verdict
from tests.gui.test_races import Gate
from tests.gui.window import LIMIT_MS, SAMPLE, choose, save_conv_bn

RULE = "convtranspose3d-to-2d"
POPUP = pytest.mark.qt_log_ignore("This plugin does not support")


def buttons(desk):
    return {b.accessibleName(): b for b in desk.window.header.findChildren(QAbstractButton) if b.isVisible()}


def texts(widget):
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible() and label.text()]


def cards(desk, kind=CardButton):
    return [button for button in desk.bench.start.findChildren(kind) if button.isVisible()]


# Header


def test_buttons_say_what_they_do_and_why_they_are_off(desk):
    desk.open()
    undo = buttons(desk)["Undo"]
    assert not undo.isEnabled()
    assert undo.toolTip() == "Nothing to undo."
    desk.preview(RULE)
    desk.document.accept()
    desk.idle()
    assert undo.isEnabled()
    assert "Ctrl+Z" in undo.toolTip()
    desk.bot.mouseClick(undo, Qt.MouseButton.LeftButton)
    desk.idle()
    assert not desk.document.unsaved
    redo = buttons(desk)["Redo"]
    desk.bot.mouseClick(redo, Qt.MouseButton.LeftButton)
    desk.idle()
    assert desk.document.unsaved


def test_every_button_of_the_header_has_a_name_a_tip_and_an_icon(desk):
    found = [b for b in desk.window.header.findChildren(QAbstractButton) if b.isVisible() and b.width()]
    assert len(found) >= 9
    for button in found:
        assert button.accessibleName(), button
        assert button.toolTip(), button.accessibleName()
        if isinstance(button, QPushButton) or button.parent() is desk.window.header.documents:
            continue  # they paint themselves
        assert not button.icon().isNull(), button.accessibleName()


def test_menu_button_holds_the_whole_menu(desk):
    menu = desk.window.header.menu.menu()
    held = {action for entry in menu.actions() for action in entry.menu().actions()}
    names = {action.objectName() for action in held}
    assert {"file.open", "edit.undo", "rewrite.verify", "view.theme", "help.about"} <= names


@pytest.mark.skipif(has_native_menus(), reason="macOS shows the menu bar outside the window")
@POPUP
def test_alt_alone_shows_the_classic_menu_bar_and_leaves_it(desk):
    bar = desk.window.menuBar()
    desk.window.activateWindow()
    desk.bench.start.setFocus()
    assert not bar.isVisible()
    desk.bot.keyClick(desk.window, Qt.Key.Key_Alt)
    assert bar.isVisible()
    assert bar.hasFocus()
    desk.bot.keyClick(bar, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert desk.bench.start.isAncestorOf(QApplication.focusWidget())
    desk.bot.keyPress(desk.window, Qt.Key.Key_Alt, Qt.KeyboardModifier.AltModifier)
    desk.bot.keyClick(desk.window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    desk.bot.keyRelease(desk.window, Qt.Key.Key_Alt)
    assert not bar.isVisible(), "Alt with another key is that key's shortcut"


def test_command_box_shrinks_to_an_icon_and_opens_the_palette(desk):
    asked = []
    desk.window.header.command_asked.connect(lambda: asked.append(True))
    command = desk.window.header.command
    desk.window.resize(1600, 900)
    QApplication.processEvents()
    assert command.width() == Size.SEARCH_BOX
    assert "Search nodes or run a command" in texts(command)
    desk.window.resize(1024, 680)
    QApplication.processEvents()
    assert command.width() < Size.SEARCH_BOX_MIN
    assert texts(command) == []
    desk.bot.mouseClick(command, Qt.MouseButton.LeftButton)
    assert asked


@POPUP
def test_tabs_that_do_not_fit_are_listed(desk, tmp_path):
    desk.window.resize(1024, 680)
    for index in range(8):
        desk.open(save_conv_bn(tmp_path / f"model_with_a_long_name_{index}.onnx"))
    header = desk.window.header
    strip = header.documents
    assert strip.width() < strip.least_width
    assert strip.tabRect(7).right() <= strip.width() + 1, "the current tab is in view"
    assert strip.tabToolTip(7) == str(tmp_path / "model_with_a_long_name_7.onnx")
    more = buttons(desk)["All open models"]
    more.click()
    (menu,) = [menu for menu in header.findChildren(QMenu) if menu.isVisible()]
    assert [action.isChecked() for action in menu.actions()] == [False] * 7 + [True]
    menu.actions()[2].trigger()
    menu.close()
    assert desk.model.origin.name == "model_with_a_long_name_2.onnx"
    assert strip.tabRect(2).left() >= -1, "the current tab is in view"
    for _ in range(6):
        desk.window.close_tab(desk.window.tabs.all[-1])
    desk.idle()
    assert "All open models" not in buttons(desk)


def test_plus_shows_one_start_page(desk):
    desk.open()
    plus = buttons(desk)["New tab"]
    for _ in range(2):
        plus.click()
        assert desk.bench.pages.currentWidget() is desk.bench.start
        assert len(desk.window.tabs.all) == 2
    desk.open(SAMPLE)
    assert desk.window.tabs.current is desk.window.tabs.all[0]


def test_ampersand_in_a_name_is_shown(desk, tmp_path):
    desk.open(save_conv_bn(tmp_path / "a&b.onnx"))
    assert desk.window.header.documents.tabText(0) == "a&&b.onnx"


# Status bar


@POPUP
def test_facts_leave_from_the_left_where_there_is_no_room(desk):
    desk.open()
    status = desk.window.status
    digest = desk.document.workspace.placement.catalog_digest
    shown = [fact.text() for fact in status.facts if fact.isVisible()]
    assert shown[0] == "no unsaved change"
    assert shown[1] == "float32 · opset 11 · IR 6"
    assert digest in shown[2]
    assert "nash-p" in shown[2]
    narrow = StatusBar()
    desk.bot.addWidget(narrow)
    narrow.show_facts(shown)
    narrow.resize(300, Size.STATUS_BAR)
    narrow.show()
    QApplication.processEvents()
    assert [fact.text() for fact in narrow.facts if fact.isVisible()] == shown[2:]


def test_saved_state_counts_the_changes(desk, tmp_path):
    desk.open()
    desk.preview(RULE)
    desk.document.accept()
    desk.idle()
    assert desk.window.status.facts[0].text() == "1 change, not saved"
    desk.document.save_as(tmp_path / "out.onnx")
    desk.idle()
    assert desk.window.status.facts[0].text() == "no unsaved change"


# Start page


def test_start_page_offers_samples_with_their_verdicts(desk):
    titles = [card.accessibleName() for card in cards(desk) if card.property("role") == "sample"]
    assert titles == ["Occupancy head", "Detector", "3-D upsampling"]
    strips = [strip.toolTip() for strip in desk.bench.start.findChildren(VerdictStrip) if strip.isVisible()]
    assert "CPU 3" in strips[0]
    card = next(card for card in cards(desk) if card.accessibleName() == "Occupancy head")
    desk.bot.mouseClick(card, Qt.MouseButton.LeftButton)
    desk.idle()
    assert desk.model.origin == SAMPLE
    assert desk.counts[Verdict.CPU] == 3


def test_chip_chosen_on_the_start_page_is_the_target(desk):
    chips = {button.accessibleName(): button for button in cards(desk, PlatformButton)}
    assert [name for name, button in chips.items() if button.isChecked()] == ["Journey 6P nash-p"]
    desk.bot.mouseClick(chips["RDK X3 bernoulli2"], Qt.MouseButton.LeftButton)
    desk.idle()
    assert desk.bench.target_bar.platform.currentData() == "x3"
    assert desk.window.settings.platform == "x3"
    strips = [strip.toolTip() for strip in desk.bench.start.findChildren(VerdictStrip) if strip.isVisible()]
    assert strips[0], "the samples are placed on the new chip"
    desk.open()
    assert desk.document.workspace.target.march == "bernoulli2"
    choose(desk, "j6p")


# Loading


def test_time_that_is_left_is_told_once_it_can_be():
    assert remaining_s(0.05, 10.0) is None
    assert remaining_s(0.5, 0.2) is None
    assert remaining_s(0.25, 2.0) == pytest.approx(6.0)


def test_loading_is_shown_at_the_foot_and_can_be_cancelled(desk, service, monkeypatch):
    gate = Gate(monkeypatch, service, "draw", after=True)
    desk.window.open(SAMPLE)
    desk.bot.waitUntil(gate.reached.is_set, timeout=LIMIT_MS)
    assert desk.window.header.documents.tabText(0) == SAMPLE.name
    assert desk.window.windowTitle().startswith(SAMPLE.name)
    assert desk.bench.pages.currentWidget() is not desk.bench.start
    card = desk.bench.findChild(LoadingCard)
    desk.bot.waitUntil(card.isVisible, timeout=LIMIT_MS)
    assert any(SAMPLE.name in text and "%" in text for text in texts(card))
    assert any("Esc cancels" in text for text in texts(card))
    foot = card.mapTo(desk.bench.pages, QPoint(0, card.height()))
    assert desk.bench.pages.height() - foot.y() < card.height()
    assert QApplication.activeModalWidget() is None
    desk.bot.keyClick(desk.window, Qt.Key.Key_Escape)
    gate.open()
    desk.idle()
    assert not card.isVisible()
    assert desk.document.workspace is None
    assert desk.bench.pages.currentWidget() is desk.bench.start
    assert desk.window.header.documents.tabText(0) == "Start"


# Window


def test_first_size_is_the_usual_one_or_a_share_of_the_screen(desk):
    screen = desk.window.screen().availableGeometry().size()
    first = first_size(desk.window)
    usual = QSize(Size.WINDOW_WIDTH, Size.WINDOW_HEIGHT)
    fits = screen.width() >= usual.width() and screen.height() >= usual.height()
    assert first == (usual if fits else screen * 0.85)
    assert desk.window.minimumSize() == QSize(1024, 680)


def test_focus_stays_on_the_start_page_when_it_is_made_anew(desk):
    desk.window.activateWindow()
    desk.bench.start.setFocus()
    for language in ("zh_CN", "en"):
        desk.window.set_language(language)
        desk.idle()
        focus = QApplication.focusWidget()
        assert desk.bench.start.isAncestorOf(focus)
        assert focus.text() == {"zh_CN": "打开模型…", "en": "Open model…"}[language]
