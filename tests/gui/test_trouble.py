"""When things go wrong the window says so, stays alive, and never lets an unproven rewrite through."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from inspector.gui.dialogs.crash import CrashDialog
from inspector.gui.dialogs.dims import DimsDialog
from inspector.gui.proposal import Proof, proof_of
from inspector.model.graph import ShapeOrigin
from inspector.rewrite import registry
from inspector.verify.result import StageName
from tests.gui.window import SAMPLE, save_conv_bn, save_nonzero

RULE = "bn-fold"
OFFSCREEN = pytest.mark.qt_log_ignore("propagateSizeHints")
"""What the offscreen platform says of every new dialog."""


class Wrong:
    """A rule that folds a BatchNormalization 10 % too strongly."""

    def __init__(self, rule):
        self._rule = rule

    def __getattr__(self, name):
        return getattr(self._rule, name)

    def rewrite(self, editor, match, variant):
        tensor = editor.tensor

        def off(array, *arguments, **options):
            array = np.asarray(array)
            wrong = array * array.dtype.type(1.1) if array.dtype.kind == "f" else array
            return tensor(wrong, *arguments, **options)

        editor.tensor = off
        self._rule.rewrite(editor, match, variant)


def test_wrong_rewrite_cannot_be_accepted(desk, tmp_path, monkeypatch):
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    wrong = Wrong(registry.rule(RULE))
    monkeypatch.setattr("inspector.gui.service.rule_of", lambda _id: wrong)
    proposal = desk.preview(RULE, "BatchNormalization")
    assert proposal.proof is Proof.FAILED
    assert proposal.whole is None, "the whole model is not compared after a failed fragment"
    assert [v.stage for v in proposal.verifications] == [StageName.FRAGMENT]
    preview = desk.bench.preview
    assert not preview.accept.isEnabled()
    assert preview.accept.toolTip() == preview.why_off.text() == preview.reason_off(proposal) != ""
    before = desk.document.workspace
    assert desk.document.accept() is False
    assert desk.document.workspace is before
    assert not desk.window.actions_["rewrite.accept"].isEnabled()


def test_proof_without_whole_model_is_not_a_pass():
    assert proof_of(()) is Proof.INCONCLUSIVE


def test_unreadable_file_is_a_banner_and_the_model_stays(desk, tmp_path):
    desk.open()
    before = desk.document.workspace
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"not a model at all")
    desk.open(bad)
    assert desk.document.workspace is before
    assert len(desk.errors) == 1
    assert desk.bench.banners.shown[0].key == "error"
    assert not desk.window.findChildren(QMessageBox)


@pytest.mark.expects_log
@OFFSCREEN
def test_unexpected_fault_shows_a_report(desk):
    def fault(_context):
        raise ZeroDivisionError("planted")

    desk.window.jobs.run("fault", "fault", fault, lambda _answer: None)
    desk.idle()
    dialog = desk.window.findChild(CrashDialog)
    assert "ZeroDivisionError: planted" in dialog.text.toPlainText()
    dialog.reject()
    assert isinstance(desk.crashes.pop(), ZeroDivisionError)


@OFFSCREEN
def test_dynamic_sizes_are_bound_through_the_dialog(desk, tmp_path):
    desk.open(save_conv_bn(tmp_path / "dyn.onnx", dynamic=True))
    assert [banner.action for banner in desk.bench.banners.shown if banner.key == "shapes"] == ["Set sizes…"]
    desk.window.actions_["file.sizes"].trigger()
    dialog = desk.window.findChild(DimsDialog)
    dialog.fields["batch"].setValue(2)
    dialog.accept()
    desk.idle()
    assert dict(desk.model.dims) == {"batch": 2}
    assert not [banner for banner in desk.bench.banners.shown if banner.key == "shapes"]


def test_shapes_are_read_off_one_run(desk, tmp_path):
    desk.open(save_nonzero(tmp_path / "nonzero.onnx"))
    (banner,) = [banner for banner in desk.bench.banners.shown if banner.key == "shapes"]
    banner.run()
    desk.idle()
    value = desk.model.value(0, "y")
    assert value.origin is ShapeOrigin.RUN
    assert [dim.size for dim in value.shape] == [2, 6]
    assert not [banner for banner in desk.bench.banners.shown if banner.key == "shapes"]


def test_late_answer_of_a_cancelled_job_is_dropped(desk):
    seen = []
    jobs = desk.window.jobs
    first = jobs.run("a", "same", lambda context: context.cancelled(), lambda answer: seen.append(("first", answer)))
    jobs.run("b", "same", lambda _context: 2, lambda answer: seen.append(("second", answer)))
    desk.idle()
    assert seen == [("second", 2)]
    assert first.context.cancelled()


def test_escape_cancels_the_job_in_the_status_bar(desk):
    ended = []

    def wait(context):
        while not context.cancelled():
            pass
        context.check()

    desk.window.jobs.run("long", "long", wait, lambda _answer: ended.append("done"), ended=lambda: ended.append("end"))
    assert desk.window.status.cancel.isVisible()
    desk.bot.keyClick(desk.window, Qt.Key.Key_Escape)
    desk.idle()
    assert ended == ["end"]
    assert not desk.window.status.cancel.isVisible()


def test_sample_is_shipped():
    assert SAMPLE.is_file()
