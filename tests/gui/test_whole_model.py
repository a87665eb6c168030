"""The menu Model, and what an approximate rewrite asks before it is accepted."""

import numpy as np
import onnx
import pytest
from onnx import helper
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMessageBox

from inspector.gui.proposal import Proof
from inspector.model.save import full_proto
from tests.gui.window import save_conv_bn
from tests.helpers.models import conv, proto, write

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


def content(desk):
    return full_proto(desk.model).SerializeToString(deterministic=True)


def trigger(desk, name):
    action = desk.window.actions_[name]
    assert action.isEnabled(), action.toolTip()
    action.trigger()


def dynamic(path):
    nodes = [
        helper.make_node("Shape", ["x"], ["s"], "shape"),
        helper.make_node("Relu", ["x"], ["r"], "relu"),
        helper.make_node("Reshape", ["r", "s"], ["y"], "reshape"),
    ]
    return write(proto(nodes, {"x": ["N", 8]}, {"y": ["N", 8]}, opset=11, ir=6), path)


def gelu(path):
    weight = np.random.default_rng(0).standard_normal((4, 4, 1, 1)).astype(np.float32)
    nodes = [helper.make_node("Conv", ["x", "w"], ["c"], "conv"), helper.make_node("Gelu", ["c"], ["y"], "gelu")]
    return write(proto(nodes, {"x": [1, 4, 8, 8]}, {"y": [1, 4, 8, 8]}, {"w": weight}, opset=20, ir=9), path)


def test_freeze_and_fold_are_previewed_proven_undone(desk, tmp_path):
    desk.open(dynamic(tmp_path / "m.onnx"))
    opened = content(desk)
    assert "Set sizes" in desk.window.actions_.reason("model.freeze")
    desk.document.bind({"N": 3})
    desk.idle()
    trigger(desk, "model.freeze")
    desk.wait_proof()
    assert desk.document.proposal.proof is Proof.PASSED
    assert desk.bench.preview.accept.isEnabled()
    trigger(desk, "rewrite.accept")
    desk.idle()
    trigger(desk, "model.fold")
    desk.wait_proof()
    desk.bench.preview.accept.click()
    desk.idle()
    assert [n.op.name for n in desk.model.main.nodes] == ["Relu", "Reshape"]
    assert [s.preview.match.rule for s in desk.document.workspace.steps] == ["freeze-dims", "fold-constants"]
    desk.document.verify()
    desk.idle()
    assert desk.document.verification.status.value == "PASSED"
    desk.document.undo()
    desk.document.undo()
    desk.idle()
    assert content(desk) == opened


def test_what_a_tool_refuses_is_told(desk, tmp_path):
    desk.open(write(conv(), tmp_path / "m.onnx"))
    trigger(desk, "model.fold")
    desk.idle()
    assert desk.document.proposal is None
    assert [error.message.key for error in desk.errors] == ["tool.fold-constants.none"]
    assert desk.window.actions_.reason("model.freeze")
    assert desk.window.actions_.reason("model.extract")


def test_the_opset_is_asked_for(desk, tmp_path, monkeypatch):
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    monkeypatch.setattr(QInputDialog, "getInt", lambda *_: (13, True))
    trigger(desk, "model.opset")
    desk.wait_proof()
    trigger(desk, "rewrite.accept")
    desk.idle()
    assert dict(desk.model.opsets) == {"": 13}
    desk.document.save_as(tmp_path / "saved.onnx")
    desk.idle()
    assert onnx.load(tmp_path / "saved.onnx").opset_import[0].version == 13


@pytest.mark.parametrize(
    ("command", "files"), [("model.extract", ["p.onnx"]), ("model.cut", ["p.onnx", "p_tail.onnx"])]
)
def test_parts_are_written_where_the_user_says(desk, tmp_path, monkeypatch, command, files):
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    desk.document.select(desk.node("Conv").id)
    desk.idle()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "p.onnx"), ""))
    trigger(desk, command)
    desk.idle()
    assert not desk.errors
    assert sorted(path.name for path in tmp_path.glob("p*.onnx")) == files
    assert [n.op_type for n in onnx.load(tmp_path / "p.onnx").graph.node] == ["Conv"]


@pytest.mark.parametrize("agreed", [True, False])
def test_an_approximate_rewrite_asks_first(desk, tmp_path, agreed):
    desk.open(gelu(tmp_path / "m.onnx"))
    proposal = desk.preview("gelu-to-tanh", "Gelu")
    assert proposal.proof is Proof.PASSED
    trigger(desk, "rewrite.accept")
    box = desk.window.tabs.current.accepting.question
    assert isinstance(box, QMessageBox)
    assert "0.003" in box.informativeText()
    assert desk.document.proposal is not None
    role = QMessageBox.ButtonRole.AcceptRole if agreed else QMessageBox.ButtonRole.RejectRole
    next(b for b in box.buttons() if box.buttonRole(b) is role).click()
    desk.idle()
    assert ("Gelu" in {n.op.name for n in desk.model.nodes}) is not agreed
    assert (desk.document.proposal is None) is agreed
    if agreed:
        desk.document.verify()
        desk.idle()
        assert desk.document.verification.status.value == "PASSED"
        assert desk.document.verification.tolerance.max_rel == 3e-3


def test_the_best_fix_is_never_approximate_by_itself(desk, tmp_path):
    desk.open(gelu(tmp_path / "m.onnx"))
    for found in desk.document.fixes.values():
        safeties = [offer.rule.safety.value for offer in found.fixes]
        assert safeties == sorted(safeties, key=lambda s: s == "approximate")
