"""Several models in one window: each has a tab with its own state, its own jobs and its own question on closing."""

import gc
import weakref

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox

from inspector.gui.panel_layout import Part
from inspector.gui.proposal import Proof
from tests.gui.test_races import Gate
from tests.gui.window import LIMIT_MS, SAMPLE, choose, save_conv_bn

RULE = "convtranspose3d-to-2d"
OFFSCREEN = pytest.mark.qt_log_ignore("This plugin does not support")


def names(desk):
    strip = desk.window.header.documents
    return [strip.tabText(index) for index in range(strip.count())]


def drop(desk, *paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    desk.window.dropEvent(event)
    QApplication.processEvents()
    desk.idle()


def answer(desk, text):
    """Press the button called *text* in the question that stands over the window."""
    (box,) = [box for box in desk.window.findChildren(QMessageBox) if box.isVisible()]
    button = next(button for button in box.buttons() if button.text().replace("&", "") == text)
    desk.bot.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.idle()
    return box


def fixed(desk, index=0):
    """The current model with one accepted rewrite."""
    desk.document.propose(RULE, desk.node("ConvTranspose", index).id)
    desk.wait_proof()
    assert desk.document.accept()
    desk.idle()


@pytest.fixture
def two(desk, tmp_path):
    """The sample and a second model, which is shown."""
    desk.open(SAMPLE)
    desk.open(save_conv_bn(tmp_path / "second.onnx"))
    return desk


def test_every_file_has_a_tab_with_its_own_state(two):
    desk = two
    assert names(desk) == [SAMPLE.name, "second.onnx"]
    second = desk.window.tabs.current
    first = desk.window.tabs.all[0]
    desk.window.tabs.show(first)
    choose(desk, "x5")
    node = desk.node("ConvTranspose")
    desk.document.select(node.id)
    desk.bench.graph.zoom_in()
    camera = desk.bench.graph.camera
    fixed(desk)
    desk.window.tabs.show(second)
    assert desk.document is second.document
    assert desk.document.workspace.target.march == "nash-p"
    assert desk.document.selected is None
    assert not desk.window.isWindowModified()
    assert not desk.window.actions_["edit.undo"].isEnabled()
    assert desk.window.windowTitle().startswith("second.onnx")
    desk.window.tabs.show(first)
    assert desk.document.workspace.target.march == "bayes-e"
    assert desk.bench.graph.camera.scale == camera.scale
    assert desk.window.isWindowModified()
    assert desk.window.actions_["edit.undo"].isEnabled()
    assert desk.bench.target_bar.platform.currentData() == "x5"


def test_a_file_that_is_open_is_shown_and_not_opened_again(two, tmp_path):
    desk = two
    first = desk.window.tabs.all[0]
    link = tmp_path / "link.onnx"
    link.symlink_to(SAMPLE)
    for path in (SAMPLE, link):
        desk.window.tabs.show(desk.window.tabs.all[1])
        desk.open(path)
        assert desk.window.tabs.current is first
    assert len(desk.window.tabs.all) == 2


def test_dropped_files_are_all_opened_and_the_first_is_shown(desk, tmp_path):
    drop(desk, SAMPLE, save_conv_bn(tmp_path / "b.onnx"), save_conv_bn(tmp_path / "c.onnx"))
    assert names(desk) == [SAMPLE.name, "b.onnx", "c.onnx"]
    assert desk.model.origin == SAMPLE


def test_file_that_cannot_be_read_leaves_no_tab(desk, tmp_path):
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"not a model")
    drop(desk, bad, save_conv_bn(tmp_path / "good.onnx"))
    assert names(desk) == ["good.onnx"] or names(desk) == ["Start", "good.onnx"]
    assert len(desk.errors) == 1
    desk.open(bad)
    assert "bad.onnx" not in names(desk)
    assert [banner.key for banner in desk.bench.banners.shown] == ["error"]


def test_keys_walk_the_tabs_and_close_them(two):
    desk = two
    first, second = desk.window.tabs.all
    desk.window.activateWindow()
    for expected in (first, second):
        desk.bot.keyClick(desk.window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
        assert desk.window.tabs.current is expected
    desk.bot.keyClick(desk.window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    desk.idle()
    assert desk.window.tabs.all == (first,)
    assert names(desk) == [SAMPLE.name]
    desk.bot.keyClick(desk.window, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    desk.idle()
    assert names(desk) == ["Start"]
    assert desk.bench.pages.currentWidget() is desk.bench.start
    assert not desk.window.actions_["file.close"].isEnabled()


def test_middle_click_closes_the_tab_under_the_pointer(two):
    desk = two
    strip = desk.window.header.documents
    desk.bot.mouseClick(strip, Qt.MouseButton.MiddleButton, pos=strip.tabRect(0).center())
    desk.idle()
    assert names(desk) == ["second.onnx"]
    assert desk.window.windowTitle().startswith("second.onnx")


def test_tab_is_dragged_to_another_place(two):
    desk = two
    strip = desk.window.header.documents
    strip.moveTab(0, 1)
    assert names(desk) == ["second.onnx", SAMPLE.name]
    desk.bot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip.tabRect(1).center() - QPoint(30, 0))
    assert desk.model.origin == SAMPLE


def test_unsaved_work_is_marked_on_its_tab(two):
    desk = two
    desk.window.tabs.show(desk.window.tabs.all[0])
    fixed(desk)
    strip = desk.window.header.documents
    assert [strip._closer(index).unsaved for index in range(2)] == [True, False]
    desk.document.undo()
    desk.idle()
    assert not strip._closer(0).unsaved


@OFFSCREEN
def test_closing_a_tab_asks_about_its_unsaved_work(desk, tmp_path, monkeypatch):
    desk.open()
    fixed(desk)
    close = desk.window.actions_["file.close"].trigger
    close()
    close()
    answer(desk, "Cancel")
    assert names(desk) == [SAMPLE.name]
    out = tmp_path / "out.onnx"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    close()
    answer(desk, "Save as…")
    assert out.is_file()
    assert names(desk) == ["Start"]


@OFFSCREEN
def test_a_save_that_fails_keeps_the_tab(desk, tmp_path, monkeypatch):
    desk.open()
    fixed(desk)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "such" / "o.onnx"), ""))
    desk.window.actions_["file.close"].trigger()
    answer(desk, "Save as…")
    assert desk.errors
    assert names(desk) == [SAMPLE.name]
    assert desk.document.unsaved
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    desk.window.actions_["file.close"].trigger()
    answer(desk, "Save as…")
    assert desk.document.unsaved, "a dialog that is cancelled closes nothing"
    desk.window.actions_["file.close"].trigger()
    answer(desk, "Discard")
    assert names(desk) == ["Start"]


@OFFSCREEN
def test_closing_the_window_asks_about_every_tab_with_unsaved_work(two, tmp_path, monkeypatch):
    desk = two
    fixed_second = desk.preview("bn-fold", "BatchNormalization")
    assert fixed_second.proof is Proof.PASSED
    desk.document.accept()
    desk.window.tabs.show(desk.window.tabs.all[0])
    fixed(desk)
    assert desk.window.close() is False
    assert SAMPLE.name in answer(desk, "Discard").text()
    assert "second.onnx" in answer(desk, "Cancel").text()
    assert desk.window.isVisible()
    assert all(tab.document.unsaved for tab in desk.window.tabs.all)
    out = tmp_path / "out.onnx"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    desk.window.close()
    answer(desk, "Discard")
    answer(desk, "Save as…")
    assert out.is_file()
    assert not desk.window.isVisible()


def test_save_goes_to_the_name_chosen_before(desk, tmp_path, monkeypatch):
    desk.open()
    fixed(desk)
    out = tmp_path / "out.onnx"
    asked = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: asked.append(1) or (str(out), ""))
    save = desk.window.actions_["file.save"]
    save.trigger()
    desk.idle()
    first = out.read_bytes()
    assert not save.isEnabled()
    fixed(desk, -1)
    save.trigger()
    desk.idle()
    assert len(asked) == 1
    assert out.read_bytes() != first
    assert not desk.document.unsaved


def test_answer_for_a_tab_in_the_background_reaches_that_tab(two, service, monkeypatch):
    desk = two
    first, second = desk.window.tabs.all
    desk.window.tabs.show(first)
    gate = Gate(monkeypatch, service, "propose", after=True)
    desk.document.propose(RULE, desk.node("ConvTranspose").id)
    desk.bot.waitUntil(gate.reached.is_set, timeout=LIMIT_MS)
    assert desk.window.status.cancel.isVisible()
    desk.window.tabs.show(second)
    assert not desk.window.status.cancel.isVisible()
    gate.open()
    desk.idle()
    assert first.document.proposal is not None
    assert second.document.proposal is None
    assert desk.bench.pages.currentWidget() is desk.bench.graph
    assert not desk.window.actions_["rewrite.accept"].isEnabled()
    desk.window.tabs.show(first)
    assert desk.window.actions_["rewrite.accept"].isEnabled()
    assert desk.bench.pages.currentWidget() is desk.bench.preview


def test_closing_a_tab_cancels_its_jobs_and_frees_its_memory(two, service, monkeypatch):
    desk = two
    first, second = desk.window.tabs.all
    desk.window.tabs.show(first)
    gate = Gate(monkeypatch, service, "find", after=True)
    desk.document.select(desk.node("ConvTranspose").id)
    desk.bot.waitUntil(gate.reached.is_set, timeout=LIMIT_MS)
    kept = [weakref.ref(thing) for thing in (desk.model, desk.document, desk.bench, first.controller, first)]
    desk.window.close_tab(first)
    assert desk.window.tabs.current is second
    assert desk.window.is_busy
    gate.open()
    desk.idle()
    del first
    monkeypatch.undo()
    for _ in range(3):
        QApplication.sendPostedEvents(None, 52)  # DeferredDelete, which needs a turn of an event loop of its own
        QApplication.processEvents()
        gc.collect()
    assert [thing() for thing in kept] == [None] * len(kept)


def test_panels_keep_their_size_and_place_in_every_tab(two):
    desk = two
    desk.window.actions_["view.bottom"].trigger()
    assert not desk.bench.bottom.isVisible()
    desk.window.tabs.step(1)
    assert not desk.bench.bottom.isVisible()
    desk.window.actions_["view.bottom"].trigger()
    desk.window.arranging.layout.resize(Part.LEFT, 300)
    desk.window.arranging.layout.resize(Part.RIGHT, 420)
    desk.window.tabs.step(1)
    assert desk.bench.bottom.isVisible()
    assert (desk.bench.left.width(), desk.bench.right.width()) == (300, 420)


def test_theme_and_language_reach_a_tab_when_it_is_shown(two):
    desk = two
    desk.window.set_language("zh_CN")
    desk.window.set_theme("dark")
    desk.window.tabs.step(1)
    assert desk.bench.left.tabText(0).startswith("问题")
    assert desk.bench.graph.look.dark
    desk.window.set_language("en")
    desk.window.tabs.step(1)
    assert desk.bench.left.tabText(0).startswith("Problems")
