"""Nothing that was done is lost: journals of unsaved work, recovery, reload, faults of the program."""

import os
import shutil
from dataclasses import replace

import numpy as np
import onnx
import pytest
from onnx import helper
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from inspector.gui.dialogs.changes import ChangesDialog
from inspector.gui.dialogs.crash import CrashDialog
from inspector.gui.kept import kept_of
from inspector.gui.overrides import Overrides
from inspector.gui.panels.recovery import RecoveryCards
from inspector.journal import FileState, read_journal, write_journal
from inspector.journals import Journals
from inspector.model.files import sha256
from inspector.placement.target import Device
from inspector.state import state_dir
from inspector.verify.result import Status
from tests.gui.window import LIMIT_MS, choose, save_conv_bn
from tests.helpers import models

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")
RULE = "bn-fold"


def journals():
    """What lies in the folder of journals, newest text of each."""
    folder = state_dir() / "journals"
    return [read_journal(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]


def settle(desk):
    desk.idle()
    desk.window.habits.keep_all()


def accept(desk, *, every_site=False):
    """Fold the first BatchNormalization that is left."""
    desk.document.propose(RULE, desk.node("BatchNormalization").id, every_site=every_site)
    desk.wait_proof()
    assert desk.document.accept()
    settle(desk)


def leave_behind(desk, tmp_path):
    """Journals as a killed window leaves them: a copy under a name that nobody claims."""
    settle(desk)
    kept = tmp_path / "kept"
    shutil.copytree(state_dir() / "journals", kept)
    for lock in kept.glob("*.lock"):
        lock.unlink()
    desk.window.tabs.close(desk.window.tabs.current)
    settle(desk)
    for number, path in enumerate(sorted(kept.glob("*.json"))):
        path.rename(state_dir() / "journals" / f"1-{'0' * 12}-{number}.json")


def find_work(desk):
    desk.window.habits.look_for_work()
    desk.idle()
    return desk.window.habits.entries


def shown_cards(desk):
    """The recovery cards on the start page; None when there are none."""
    desk.idle()
    found = [cards for cards in desk.bench.start.findChildren(RecoveryCards) if cards.isVisible()]
    assert len(found) <= 1
    return found[0] if found else None


def press(parent, text):
    (found,) = [b for b in parent.findChildren(QPushButton) if b.text().replace("&", "") == text]
    found.click()


def banner(desk, key):
    return next((b for b in desk.bench.banners.shown if b.key == key), None)


@pytest.fixture
def copy(tmp_path):
    return save_chain(tmp_path / "model.onnx")


def save_chain(path):
    """Three Conv, each with a BatchNormalization to fold, and a Relu at the end."""
    rng = np.random.default_rng(3)
    nodes, tensors = [], {}
    for n in range(3):
        tensors |= {f"w{n}": rng.normal(size=(4, 4, 1, 1)), f"b{n}": np.zeros(4)}
        tensors |= {f"{name}{n}": rng.uniform(0.5, 1.5, 4) for name in ("scale", "shift", "mean", "var")}
        start = "x" if n == 0 else f"y{n - 1}"
        nodes.append(helper.make_node("Conv", [start, f"w{n}", f"b{n}"], [f"c{n}"], f"conv{n}"))
        rest = [f"{name}{n}" for name in ("scale", "shift", "mean", "var")]
        nodes.append(helper.make_node("BatchNormalization", [f"c{n}", *rest], [f"y{n}"], f"bn{n}"))
    nodes.append(helper.make_node("Relu", ["y2"], ["y"], "relu"))
    floats = {name: value.astype(np.float32) for name, value in tensors.items()}
    return models.write(models.proto(nodes, {"x": [1, 4, 4, 4]}, {"y": [1, 4, 4, 4]}, floats, opset=11, ir=6), path)


def test_every_change_is_written_down_and_saving_removes_it(desk, copy, tmp_path):
    desk.open(copy)
    assert journals() == []
    accept(desk)
    (first,) = journals()
    assert first.model.path == copy
    assert first.model.sha256 == sha256(copy)
    assert [step.rule for step in first.steps] == [RULE]
    assert first.groups == (1,)
    desk.document.undo()
    settle(desk)
    assert journals() == []
    desk.document.redo()
    choose(desk, "x5")
    settle(desk)
    (third,) = journals()
    assert third.steps == first.steps
    assert third.aim.platform == "x5"
    node = desk.node("Relu")
    desk.document.override(Overrides().force(node.id, Device.CPU))
    settle(desk)
    (fourth,) = journals()
    assert [(wish.node.outputs, wish.device) for wish in fourth.wishes] == [(node.outputs, Device.CPU)]
    desk.window.habits.set_autosave(False)
    settle(desk)
    assert journals() == []
    desk.window.habits.set_autosave(True)
    settle(desk)
    assert len(journals()) == 1
    desk.document.save_as(tmp_path / "out.onnx")
    settle(desk)
    assert journals() == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.onnx", "out.onnx", "out.recipe.json"]
    choose(desk, "j6p")
    settle(desk)
    assert journals() == [], "another target alone is nothing to lose"


def test_each_model_has_its_journal_and_closing_removes_it(desk, copy, tmp_path):
    desk.open(copy)
    accept(desk)
    other = save_chain(tmp_path / "other.onnx")
    desk.open(other)
    accept(desk, every_site=True)
    assert {journal.model.path for journal in journals()} == {copy, other}
    desk.window.tabs.close(desk.window.tabs.current)
    settle(desk)
    assert [journal.model.path for journal in journals()] == [copy]


def test_sizes_are_work_too(desk, tmp_path):
    desk.open(save_conv_bn(tmp_path / "dyn.onnx", dynamic=True))
    desk.document.bind({"batch": 3})
    settle(desk)
    (journal,) = journals()
    assert dict(journal.dims) == {"batch": 3}


def test_work_is_recovered_with_proof_selection_of_target_and_wishes(desk, copy, tmp_path):
    desk.open(copy)
    choose(desk, "j6e")
    desk.idle()
    accept(desk)
    accept(desk)
    desk.document.override(Overrides().force(desk.node("Relu").id, Device.CPU))
    settle(desk)
    nodes = [node.proto.SerializeToString() for node in desk.model.nodes]
    leave_behind(desk, tmp_path)
    (entry,) = find_work(desk)
    assert entry.state is FileState.SAME
    cards = shown_cards(desk)
    press(cards, "Recover")
    desk.idle()
    assert [node.proto.SerializeToString() for node in desk.model.nodes] == nodes
    assert desk.document.choice.platform == "j6e"
    assert desk.document.workspace.target.forced == {desk.node("Relu").id: Device.CPU}
    assert [len(group) for group in desk.document.workspace.groups] == [1, 1]
    proofs = [v.status for step in desk.document.workspace.steps for v in step.verifications]
    assert proofs == [Status.PASSED] * 4
    assert desk.document.unsaved
    assert banner(desk, "resumed").tone == "passed"
    settle(desk)
    assert len(journals()) == 1
    assert not list((state_dir() / "journals").glob("1-*")), "the old journal is gone once all is back"
    desk.document.undo()
    desk.document.undo()
    desk.idle()
    assert not desk.document.workspace.groups


def test_a_changed_file_is_said_and_what_does_not_fit_is_told(desk, copy, tmp_path):
    desk.open(copy)
    accept(desk)
    accept(desk)
    leave_behind(desk, tmp_path)
    model = onnx.load(copy)
    del model.graph.node[1]
    model.graph.node[1].input[0] = "c0"
    onnx.save(model, copy)
    (entry,) = find_work(desk)
    assert entry.state is FileState.CHANGED
    desk.window.habits.recover(entry)
    desk.idle()
    assert len(desk.document.workspace.groups) == 1
    told = banner(desk, "resumed")
    assert told.tone == "inconclusive"
    assert told.title == "1 of 2 rewrites done again"
    told.run()
    (dialog,) = desk.window.findChildren(ChangesDialog)
    dialog.reject()
    assert len(find_work(desk)) == 1, "what was not recovered stays on offer"


def test_work_is_offered_over_the_model_that_is_opened_by_itself(desk, copy, tmp_path):
    desk.open(copy)
    accept(desk)
    leave_behind(desk, tmp_path)
    find_work(desk)
    other = save_chain(tmp_path / "other.onnx")
    desk.open(other)
    assert banner(desk, "work").text == "model.onnx"
    banner(desk, "work").run()
    desk.idle()
    assert shown_cards(desk) is not None
    desk.open(copy)
    offer = banner(desk, "work")
    assert offer.action == "Recover"
    offer.run()
    desk.idle()
    assert desk.model.origin == copy
    assert len(desk.document.workspace.groups) == 1
    assert banner(desk, "work") is None
    assert len(desk.window.tabs.all) == 2


def test_a_file_that_is_gone_can_be_shown_where_it_is_now(desk, copy, tmp_path, monkeypatch):
    desk.open(copy)
    accept(desk)
    leave_behind(desk, tmp_path)
    moved = copy.rename(tmp_path / "moved.onnx")
    (entry,) = find_work(desk)
    assert entry.state is FileState.GONE
    cards = shown_cards(desk)
    monkeypatch.setattr("inspector.gui.habits.QFileDialog.getOpenFileName", lambda *_: ("", ""))
    press(cards, "Choose the file…")
    assert desk.window.habits.entries == (entry,)
    monkeypatch.setattr("inspector.gui.habits.QFileDialog.getOpenFileName", lambda *_: (str(moved), ""))
    press(cards, "Choose the file…")
    desk.idle()
    assert desk.model.origin == moved
    assert len(desk.document.workspace.groups) == 1


def test_discarding_removes_the_journal_and_many_are_cut_short(desk, copy, tmp_path):
    desk.open(copy)
    accept(desk)
    (journal,) = journals()
    leave_behind(desk, tmp_path)
    folder = state_dir() / "journals"
    for number in range(200):
        text = write_journal(replace(journal, model=replace(journal.model, path=tmp_path / f"{number}.onnx")))
        (folder / f"2-{number:012}-1.json").write_text(text, encoding="utf-8")
    (folder / "3-0-1.json").write_text("{", encoding="utf-8")
    assert len(find_work(desk)) == 202
    cards = shown_cards(desk)
    assert len([b for b in cards.findChildren(QPushButton) if b.text() == "Discard"]) == 3
    press(cards, "Discard 199 older")
    desk.idle()
    assert len(desk.window.habits.entries) == 3
    desk.window.habits.discard(desk.window.habits.entries)
    assert not list(folder.glob("[123]-*"))
    assert shown_cards(desk) is None


def test_another_window_that_recovers_is_respected(desk, copy, tmp_path):
    desk.open(copy)
    accept(desk)
    leave_behind(desk, tmp_path)
    (entry,) = find_work(desk)
    rival = Journals()
    assert rival.take(entry.left)
    desk.window.habits.recover(entry)
    desk.idle()
    assert desk.document.workspace is None
    assert desk.errors[-1].message.key == "gui.recover_taken"
    rival.close()


def test_a_state_folder_that_cannot_be_written_is_told_once(desk, copy):
    (state_dir() / "journals").parent.mkdir(parents=True, exist_ok=True)
    (state_dir() / "journals").write_text("", encoding="utf-8")
    desk.open(copy)
    accept(desk)
    accept(desk)
    desk.idle()
    told = [error for error in desk.errors if error.message.key == "journal.unwritable"]
    assert len(told) == 1
    assert len(desk.document.workspace.groups) == 2, "work goes on"


def test_reload_keeps_selection_view_sizes_and_wishes(desk, tmp_path):
    path = save_conv_bn(tmp_path / "dyn.onnx", dynamic=True)
    desk.open(path)
    desk.document.bind({"batch": 2})
    desk.idle()
    desk.window.controller.go_to(desk.node("BatchNormalization").id)
    desk.document.override(Overrides().force(desk.node("Conv").id, Device.CPU))
    desk.idle()
    desk.bench.graph.zoom(1.7)
    before = desk.bench.graph.camera
    old = desk.document.workspace
    desk.window.actions_["file.reload"].trigger()
    desk.idle()
    assert desk.document.workspace.original is not old.original
    assert dict(desk.model.dims) == {"batch": 2}
    assert desk.document.selected == desk.node("BatchNormalization").id
    assert desk.document.workspace.target.forced == {desk.node("Conv").id: Device.CPU}
    after = desk.bench.graph.camera
    assert (after.scale, after.x, after.y) == pytest.approx((before.scale, before.x, before.y))


def test_a_reload_that_gives_way_to_another_loses_nothing(desk, copy):
    desk.open(copy)
    accept(desk)
    habits = desk.window.habits.of(desk.window.tabs.current)
    kept = kept_of(desk.document, desk.bench)
    habits.resume(copy, kept)
    habits.resume(copy, kept)
    assert habits.autosave.paused
    desk.window.habits.keep_all()
    assert len(journals()) == 1, "what was written stays until the second has ended"
    desk.idle()
    assert not habits.autosave.paused
    assert len(desk.document.workspace.groups) == 1
    settle(desk)
    assert len(journals()) == 1


def wait_for_banner(desk, key):
    desk.bot.waitUntil(lambda: banner(desk, key) is not None, timeout=LIMIT_MS)
    return banner(desk, key)


@pytest.mark.parametrize("replaced", [True, False], ids=["replaced", "rewritten"])
def test_a_change_on_disk_is_noticed_and_reloaded_with_the_rewrites(desk, copy, replaced):
    desk.open(copy)
    accept(desk)
    model = onnx.load(copy)
    model.doc_string = "newer"
    if replaced:
        onnx.save(model, copy.with_suffix(".tmp"))
        copy.with_suffix(".tmp").replace(copy)
    else:
        copy.write_bytes(model.SerializeToString())
    found = wait_for_banner(desk, "disk")
    assert (found.title, found.action, found.other) == ("model.onnx changed on disk", "Reload", "Ignore")
    found.run()
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    press(box, "Reload and redo")
    desk.idle()
    assert desk.document.workspace.original.to_proto().doc_string == "newer"
    assert len(desk.document.workspace.groups) == 1
    assert banner(desk, "disk") is None
    assert banner(desk, "resumed").tone == "passed"
    settle(desk)
    assert len(journals()) == 1


def test_a_file_that_goes_and_comes_back_is_said(desk, copy):
    desk.open(copy)
    aside = copy.rename(copy.with_suffix(".aside"))
    assert wait_for_banner(desk, "disk").title == "model.onnx is not there any more"
    aside.rename(copy)
    desk.bot.waitUntil(lambda: banner(desk, "disk") is None, timeout=LIMIT_MS)


def test_weights_beside_the_model_are_watched_and_ignoring_holds(desk, tmp_path):
    path = tmp_path / "m.onnx"
    onnx.save(
        onnx.load(save_conv_bn(tmp_path / "plain.onnx")),
        str(path),
        save_as_external_data=True,
        location="w.bin",
        size_threshold=0,
    )
    desk.open(path)
    os.utime(tmp_path / "w.bin", ns=(1, 1))
    found = wait_for_banner(desk, "disk")
    assert found.title == "Weights changed on disk: w.bin"
    press(desk.bench.banners, "Ignore")
    assert banner(desk, "disk") is None
    desk.window.habits.of(desk.window.tabs.current).watcher.check()
    desk.bot.wait(600)
    assert banner(desk, "disk") is None


@pytest.mark.expects_log
def test_a_fault_says_where_the_work_is_and_more_faults_join_it(desk, copy):
    desk.open(copy)
    accept(desk)

    def fault(text):
        def work(_context):
            raise ZeroDivisionError(f"{text} in {copy}")

        desk.window.jobs.run("fault", "fault", work, lambda _answer: None)
        desk.idle()

    fault("first")
    (dialog,) = desk.window.findChildren(CrashDialog)
    said = " ".join(label.text() for label in dialog.findChildren(type(dialog.again)))
    assert "model.onnx" in said
    assert str(state_dir() / "journals") in said
    report = dialog.text.toPlainText()
    assert "ZeroDivisionError: first in" in report
    assert str(copy) not in report
    assert "model.onnx" not in report
    dialog.paths.setChecked(True)
    assert str(copy) in dialog.text.toPlainText()
    dialog.copy()
    assert QApplication.clipboard().text() == dialog.text.toPlainText()
    fault("second")
    assert len(desk.window.findChildren(CrashDialog)) == 1
    assert "second" in dialog.text.toPlainText()
    assert "1 more fault" in dialog.again.text()
    press(dialog, "Continue")
    fault("third")
    assert not [d for d in desk.window.findChildren(CrashDialog) if d.isVisible()], "one place does not nag"
    assert len(desk.crashes) == 3
    desk.crashes.clear()
