"""Answers that come late, in another order, or not at all never show what is no longer true."""

import gc
import os
import signal
import weakref
from threading import Event

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QLabel

from inspector.errors import WorkerCrashed
from inspector.gui.app import application
from inspector.gui.i18n import Languages
from inspector.gui.jobs import JobContext
from inspector.gui.proposal import Proof
from inspector.gui.service import Service
from inspector.worker.client import WorkerClient
from inspector.worker.process import Child
from tests.gui.window import LIMIT_MS, SAMPLE, Desk, choose, save_conv_bn

RULE = "convtranspose3d-to-2d"


class Gate:
    """Holds every call of a method of the service, before or after its work, until it is opened."""

    def __init__(self, monkeypatch, service, name, *, after=False):
        self.reached, self._open = Event(), Event()
        real = getattr(service, name)

        def gated(*arguments):
            if after:
                answer = real(*arguments)
                self._wait()
                return answer
            self._wait()
            return real(*arguments)

        monkeypatch.setattr(service, name, gated)

    def _wait(self):
        self.reached.set()
        assert self._open.wait(LIMIT_MS / 1000)

    def open(self):
        self._open.set()


def march(desk):
    workspace = desk.document.workspace
    assert workspace.placement.target == workspace.target
    assert desk.bench.graph.placement is workspace.placement
    return workspace.target.march


def test_ten_targets_in_a_row_end_on_the_last(desk):
    desk.open()
    for platform in ("x3", "x5", "s100", "j6e", "ultra", "j6p", "x3", "j5", "j6m", "x5"):
        choose(desk, platform)
    desk.idle()
    assert march(desk) == "bayes-e"


def test_target_chosen_while_a_file_loads_is_the_one_shown(desk, service, monkeypatch):
    gate = Gate(monkeypatch, service, "draw")
    desk.window.open(SAMPLE)
    desk.bot.waitUntil(gate.reached.is_set)
    choose(desk, "x5")
    gate.open()
    desk.idle()
    assert march(desk) == "bayes-e"


def test_another_file_opened_meanwhile_wins(desk, service, monkeypatch, tmp_path):
    gate = Gate(monkeypatch, service, "draw", after=True)
    desk.window.open(SAMPLE)
    desk.bot.waitUntil(gate.reached.is_set)
    desk.window.open(save_conv_bn(tmp_path / "second.onnx"))
    gate.open()
    desk.idle()
    assert desk.model.origin.name == "second.onnx"
    assert "second.onnx" in desk.window.windowTitle()


def test_proof_that_ends_while_the_target_changes_is_kept(desk, service, monkeypatch):
    desk.open()
    gate = Gate(monkeypatch, service, "retarget", after=True)
    desk.document.propose(RULE, desk.node("ConvTranspose").id)
    desk.bot.waitUntil(lambda: desk.document.proposal is not None)
    choose(desk, "x5")  # takes the preview as it is now: still being proven
    desk.bot.waitUntil(gate.reached.is_set)
    desk.bot.waitUntil(lambda: desk.document.proposal.proof is Proof.PASSED, timeout=LIMIT_MS)
    gate.open()
    desk.idle()
    proposal = desk.document.proposal
    assert proposal.proof is Proof.PASSED
    assert proposal.placement_after.target.march == march(desk) == "bayes-e"


def test_preview_asked_for_while_the_target_changes_is_on_the_new_target(desk, service, monkeypatch):
    desk.open()
    gate = Gate(monkeypatch, service, "propose", after=True)
    desk.document.propose(RULE, desk.node("ConvTranspose").id)
    desk.bot.waitUntil(gate.reached.is_set)
    choose(desk, "x5")
    desk.bot.waitUntil(lambda: desk.document.workspace.target.march == "bayes-e")
    gate.open()
    desk.wait_proof()
    proposal = desk.document.proposal
    assert proposal.workspace is desk.document.workspace
    assert proposal.placement_after.target.march == "bayes-e"


def test_accepting_while_the_target_changes_ends_on_the_new_target(desk, service, monkeypatch):
    desk.open()
    desk.preview(RULE)
    gate = Gate(monkeypatch, service, "retarget", after=True)
    choose(desk, "x5")
    desk.bot.waitUntil(gate.reached.is_set)
    assert desk.document.accept()
    gate.open()
    desk.idle()
    assert len(desk.document.workspace.groups) == 1
    assert march(desk) == "bayes-e"


def test_verification_of_an_undone_model_is_dropped(desk, service, monkeypatch):
    desk.open()
    desk.preview(RULE)
    desk.document.accept()
    desk.idle()
    gate = Gate(monkeypatch, service, "verify", after=True)
    desk.window.actions_["rewrite.verify"].trigger()
    desk.bot.waitUntil(gate.reached.is_set, timeout=LIMIT_MS)
    desk.window.actions_["edit.undo"].trigger()
    gate.open()
    desk.idle()
    assert desk.document.verification is None
    assert not desk.document.unsaved


def test_verification_of_a_model_that_was_replaced_is_dropped(desk, service, monkeypatch, tmp_path):
    desk.open()
    desk.preview(RULE)
    desk.document.accept()
    desk.idle()
    gate = Gate(monkeypatch, service, "verify", after=True)
    desk.document.verify()
    desk.bot.waitUntil(gate.reached.is_set, timeout=LIMIT_MS)
    desk.document.open(save_conv_bn(tmp_path / "other.onnx"))
    desk.bot.waitUntil(lambda: desk.model.origin.name == "other.onnx", timeout=LIMIT_MS)
    gate.open()
    desk.idle()
    assert desk.document.verification is None


def test_preview_rejected_while_it_is_proven_stays_closed(desk, service, monkeypatch):
    desk.open()
    gate = Gate(monkeypatch, service, "prove", after=True)
    desk.document.propose(RULE, desk.node("ConvTranspose").id)
    desk.bot.waitUntil(gate.reached.is_set, timeout=LIMIT_MS)
    desk.document.reject()
    gate.open()
    desk.idle()
    assert desk.document.proposal is None
    assert desk.bench.pages.currentWidget() is desk.bench.graph


def test_second_preview_takes_the_place_of_one_being_proven(desk):
    desk.open()
    first = desk.node("ConvTranspose", 0).id
    second = desk.node("ConvTranspose", 1).id
    desk.document.propose(RULE, first)
    desk.bot.waitUntil(lambda: desk.document.proposal is not None)
    desk.document.propose(RULE, second)
    desk.bot.waitUntil(lambda: desk.document.proposal.anchor == second)
    desk.wait_proof()
    assert desk.document.proposal.proof is Proof.PASSED
    assert set(desk.document.proposal.fragments) == {second}


def test_second_preview_that_cannot_be_built_leaves_the_first_without_result(desk, service, monkeypatch):
    desk.open()
    gate = Gate(monkeypatch, service, "prove")
    desk.document.propose(RULE, desk.node("ConvTranspose").id)
    desk.bot.waitUntil(gate.reached.is_set, timeout=LIMIT_MS)
    desk.document.propose(RULE, desk.node("Relu").id)
    gate.open()
    desk.idle()
    assert desk.errors
    assert desk.document.proposal.proof is Proof.NO_RESULT
    assert not desk.bench.preview.accept.isEnabled()


def test_history_cannot_be_undone_under_an_open_preview(desk):
    desk.open()
    desk.preview(RULE)
    desk.document.accept()
    desk.idle()
    desk.document.propose(RULE, desk.node("ConvTranspose", -1).id)
    desk.wait_proof()
    accepted = desk.document.workspace
    desk.bench.history.undo_asked.emit()
    desk.idle()
    assert desk.document.workspace is accepted
    assert desk.document.proposal is not None


def test_saving_while_the_target_changes_clears_the_mark(desk, service, monkeypatch, tmp_path):
    desk.open()
    desk.preview(RULE)
    desk.document.accept()
    desk.idle()
    gate = Gate(monkeypatch, service, "save", after=True)
    desk.document.save_as(tmp_path / "out.onnx")
    desk.bot.waitUntil(gate.reached.is_set, timeout=LIMIT_MS)
    choose(desk, "x5")
    desk.bot.waitUntil(lambda: desk.document.workspace.target.march == "bayes-e", timeout=LIMIT_MS)
    gate.open()
    desk.idle()
    assert not desk.document.unsaved


def test_stopper_of_a_job_that_was_cancelled_before_is_called_at_once():
    context = JobContext(lambda *_: None, lambda _value: None)
    context.cancel()
    called = []
    context.on_cancel(lambda: called.append(True))
    assert called == [True]


@pytest.mark.parametrize("name", ["draw", "retarget", "propose", "prove", "fixes", "find"])
def test_window_closes_during_every_kind_of_job(qtbot, name, monkeypatch):
    own = Service(WorkerClient())
    desk = Desk(qtbot, Languages(application()), own)
    if name != "draw":
        desk.open()
    gate = Gate(monkeypatch, own, name)
    start = {
        "draw": lambda: desk.window.open(SAMPLE),
        "retarget": lambda: choose(desk, "x5"),
        "fixes": lambda: choose(desk, "x5"),
        "find": lambda: desk.document.select(desk.node("ConvTranspose").id),
    }.get(name, lambda: desk.document.propose(RULE, desk.node("ConvTranspose").id))
    start()
    qtbot.waitUntil(gate.reached.is_set, timeout=LIMIT_MS)
    gate.open()
    desk.close()
    assert not desk.window.isVisible()
    assert own.client._child is None


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="killing a process is a POSIX signal")
def test_worker_killed_in_mid_proof_is_said_to_be_no_result(qtbot, monkeypatch):
    desk = Desk(qtbot, Languages(application()), Service(WorkerClient()))
    desk.open()
    receive = Child.receive

    def killed(child, timeout_s):
        reply = receive(child, timeout_s)
        if reply is not None and "begun" in reply and desk.document.proposal is not None:
            os.kill(child.pid, signal.SIGKILL)
        return reply

    with monkeypatch.context() as patch:
        patch.setattr(Child, "receive", killed)
        desk.document.propose(RULE, desk.node("ConvTranspose").id)
        desk.wait_proof()
    proposal = desk.document.proposal
    assert proposal.proof is Proof.NO_RESULT
    assert isinstance(proposal.failure, WorkerCrashed)
    said = " ".join(x.text() for x in desk.bench.diff.findChildren(QLabel) if x.isVisibleTo(desk.bench.diff))
    assert "No result" in said
    assert "SIGKILL" in said
    assert "Your work is safe" in said
    assert SAMPLE.name in said
    assert not desk.document.accept()
    desk.bench.diff.retry_asked.emit()
    desk.wait_proof()
    assert desk.document.proposal.proof is Proof.PASSED
    desk.close()


def test_a_late_placement_of_a_closed_model_keeps_nothing_of_it(desk):
    model, target = desk.open().model, desk.document.workspace.target
    weights = weakref.ref(model.tensors)
    desk.window.actions_["file.close"].trigger()
    desk.idle()
    assert desk.window.service.place(model, target).counts
    del model
    for _ in range(2):  # the tab goes in a turn of an event loop of its own
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QApplication.processEvents()
        gc.collect()
    assert weights() is None
