"""The whole job by keys alone; nothing that is closed stays behind."""

import gc
import threading

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from inspector.gui.actions import SPECS
from inspector.gui.proposal import Proof
from inspector.model.graph import Model
from inspector.rewrite import registry
from inspector.worker.folders import private_folder
from tests.gui.test_trouble import Wrong
from tests.gui.window import SAMPLE, save_conv_bn

CTRL, SHIFT, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier(0)


def press(desk, key, modifiers=NONE):
    focus = QApplication.focusWidget() or desk.window
    desk.bot.keyClick(focus, key, modifiers)
    desk.idle()


def test_fix_accept_undo_redo_by_keys(desk):
    desk.open()
    desk.window.activateWindow()
    for _ in range(2):
        press(desk, Qt.Key.Key_F8)
        press(desk, Qt.Key.Key_R, CTRL)
        desk.wait_proof()
        press(desk, Qt.Key.Key_Return, CTRL)
    document = desk.document
    assert len(document.workspace.groups) == 2
    counts = []
    for key, modifiers in (
        (Qt.Key.Key_Z, CTRL),
        (Qt.Key.Key_Z, CTRL),
        (Qt.Key.Key_Y, CTRL),
        (Qt.Key.Key_Z, CTRL | SHIFT),
    ):
        press(desk, key, modifiers)
        counts.append((len(document.workspace.groups), document.unsaved))
    assert counts == [(1, True), (0, False), (1, True), (2, True)]


def test_mark_follows_undo_to_the_saved_state(desk, tmp_path):
    desk.open()
    desk.preview("convtranspose3d-to-2d")
    desk.document.accept()
    desk.idle()
    desk.document.save_as(tmp_path / "out.onnx")
    desk.idle()
    marks = [desk.document.unsaved]
    for key in (Qt.Key.Key_Z, Qt.Key.Key_Y):
        press(desk, key, CTRL)
        marks.append(desk.document.unsaved)
    assert marks == [False, True, False]
    assert not desk.window.isWindowModified()


def test_all_sites_are_one_step_and_refused_ones_are_listed(desk):
    desk.open()
    desk.preview("convtranspose3d-to-2d")
    desk.document.accept()
    desk.idle()
    proposal = desk.document.proposal
    assert proposal is None
    desk.document.propose("convtranspose3d-to-2d", desk.node("ConvTranspose", -1).id, every_site=True)
    desk.wait_proof()
    proposal = desk.document.proposal
    assert proposal.proof is Proof.PASSED
    assert len(proposal.previews) == 2
    press(desk, Qt.Key.Key_Return, CTRL)
    assert [len(group) for group in desk.document.workspace.groups] == [1, 2]
    press(desk, Qt.Key.Key_Z, CTRL)
    assert [len(group) for group in desk.document.workspace.groups] == [1]


def test_escape_leaves_preview_then_filter_and_selection(desk):
    desk.open()
    press(desk, Qt.Key.Key_F8)
    press(desk, Qt.Key.Key_R, CTRL)
    desk.wait_proof()
    press(desk, Qt.Key.Key_Escape)
    assert desk.document.proposal is None
    assert QApplication.focusWidget() is not None
    assert desk.document.selected is not None
    press(desk, Qt.Key.Key_Escape)
    assert desk.document.selected is None


def test_focus_is_somewhere_visible_after_every_change(desk):
    desk.open()
    steps = (
        lambda: press(desk, Qt.Key.Key_F8),
        lambda: press(desk, Qt.Key.Key_R, CTRL),
        desk.wait_proof,
        lambda: press(desk, Qt.Key.Key_Return, CTRL),
        lambda: press(desk, Qt.Key.Key_Z, CTRL),
        lambda: press(desk, Qt.Key.Key_B, CTRL),
        lambda: press(desk, Qt.Key.Key_F, CTRL),
        lambda: press(desk, Qt.Key.Key_B, CTRL),
        lambda: press(desk, Qt.Key.Key_J, CTRL),
        lambda: press(desk, Qt.Key.Key_W, CTRL),
    )
    for number, step in enumerate(steps):
        step()
        focus = QApplication.focusWidget()
        assert focus is not None, number
        assert focus.isVisible(), number


def test_every_panel_is_reached_by_tab(desk):
    desk.open()
    desk.bench.graph.setFocus()
    bench = desk.bench
    wanted = {bench.target_bar, bench.left, bench.pages, bench.right, bench.bottom}
    for _ in range(200):
        desk.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focus: QWidget = QApplication.focusWidget()
        wanted = {panel for panel in wanted if not panel.isAncestorOf(focus)}
        if not wanted:
            return
    pytest.fail(f"not reached: {wanted}")


def test_no_shortcut_is_taken_twice(desk):
    taken = [QKeySequence(k).toString() for s in SPECS for k in ((s.keys,) if s.keys else ()) + s.also]
    assert len(taken) == len(set(taken))


def test_wrong_rule_cannot_be_accepted_by_any_way(desk, tmp_path, monkeypatch):
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    wrong = Wrong(registry.rule("bn-fold"))
    monkeypatch.setattr("inspector.gui.service.rule_of", lambda _id: wrong)
    desk.preview("bn-fold", "BatchNormalization")
    before = desk.document.workspace
    press(desk, Qt.Key.Key_Return, CTRL)
    desk.window.actions_["rewrite.accept"].trigger()
    desk.bot.mouseClick(desk.bench.preview.accept, Qt.MouseButton.LeftButton)
    desk.bench.preview.accept_asked.emit()
    desk.idle()
    assert desk.document.workspace is before
    assert desk.document.undo_stack.count() == 0


def left(desk):
    for _ in range(3):
        QApplication.sendPostedEvents(None, 52)  # DeferredDelete, which needs a turn of an event loop of its own
        QApplication.processEvents()
        gc.collect()
    return {
        "models": sum(isinstance(thing, Model) for thing in gc.get_objects()),
        "objects": len(desk.window.findChildren(QObject)),
        # Threads of Qt's pool come and go by themselves; Python calls them dummies.
        "threads": sum(not thread.name.startswith("Dummy") for thread in threading.enumerate()),
        "files": len(list(private_folder().iterdir())),
    }


def test_closed_models_leave_nothing_behind(desk, tmp_path):
    other = save_conv_bn(tmp_path / "other.onnx")

    def story(path, rule, op):
        desk.open(path)
        desk.document.select(desk.node(op).id)
        desk.preview(rule, op)
        desk.document.accept()
        desk.idle()
        desk.document.undo()
        desk.document.undo_stack.clear()
        desk.window.actions_["file.close"].trigger()
        desk.idle()

    counts = []
    for _ in range(4):
        story(SAMPLE, "convtranspose3d-to-2d", "ConvTranspose")
        story(other, "bn-fold", "BatchNormalization")
        counts.append(left(desk))
    assert counts[1] == counts[2] == counts[3]
