"""Recent files: on the start page and in the menu, with target and verdicts; missing ones are off with the reason."""

import pytest
from PySide6.QtWidgets import QPushButton

from inspector.gui.panels.recent import RecentCard, VerdictStrip
from inspector.recent import read_glances
from inspector.settings import load_settings
from tests.gui.window import choose, save_conv_bn

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def used(desk, tmp_path):
    """A window that keeps settings, after two models were open."""
    desk.window.keeps_settings = True
    for name in ("a.onnx", "b & c.onnx"):
        desk.open(save_conv_bn(tmp_path / name))
    choose(desk, "x5")
    desk.idle()
    return desk


def start_page(desk):
    for tab in desk.window.tabs.all:
        desk.window.tabs.close(tab)
    desk.idle()
    (card,) = [card for card in desk.bench.start.findChildren(RecentCard) if card.isVisible()]
    return card


def test_the_start_page_tells_target_and_verdicts(used, tmp_path):
    counts = {str(tmp_path / "b & c.onnx"): dict(used.document.workspace.placement.counts)}
    (tmp_path / "a.onnx").unlink()
    card = start_page(used)
    buttons = {button.accessibleName() or button.text(): button for button in card.findChildren(QPushButton)}
    assert buttons["b & c.onnx"].isEnabled()
    assert not buttons["a.onnx"].isEnabled()
    assert buttons["a.onnx"].toolTip() == "file not found"
    (strip,) = card.findChildren(VerdictStrip)
    for name, seen in read_glances().items():
        if name in counts:
            assert seen.platform == "x5"
            assert {v: n for v, n in counts[name].items() if n} == dict(seen.counts)
    assert "BPU" in strip.accessibleName()
    buttons["b & c.onnx"].click()
    used.idle()
    assert used.model.origin.name == "b & c.onnx"


def test_the_menu_lists_them_and_clears_the_list(used, tmp_path):
    (tmp_path / "a.onnx").unlink()
    menu = used.window.recents.menu
    menu.aboutToShow.emit()
    entries = {action.text(): action for action in menu.actions() if action.text()}
    assert list(entries) == ["&1 b && c.onnx\tX5", "&2 a.onnx\tJ6P", "Clear list"]
    assert not entries["&2 a.onnx\tJ6P"].isEnabled()
    assert menu in [action.menu() for action in used.window.actions_.menu("file").actions()]
    entries["Clear list"].trigger()
    used.idle()
    assert load_settings()[0].recent == ()
    menu.aboutToShow.emit()
    assert [action.isEnabled() for action in menu.actions() if action.text()] == [False]


def test_a_window_that_keeps_nothing_notes_nothing(desk, tmp_path):
    desk.open(save_conv_bn(tmp_path / "a.onnx"))
    assert read_glances() == {}
