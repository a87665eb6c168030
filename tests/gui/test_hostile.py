"""Odd files, folders, names and sizes: the window says what to do, shows every name as text, and nothing is lost."""

import os

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from inspector.gui.dialogs.dims import DimsDialog
from inspector.gui.proposal import Proof
from inspector.gui.words import plain_tip
from tests.gui.window import SAMPLE, choose, save_conv_bn

RULE = "bn-fold"
OFFSCREEN = pytest.mark.qt_log_ignore("propagateSizeHints")
NAMES = (
    "",
    "twice",
    "twice",
    "<b>bold</b> & <img src=x>",
    "עברית ‮abc",
    "tab\there\x01\x7f\nline",
    "n" * 10_000,
    "&Save",
)


def save_named(path):
    """A chain of BatchNormalizations with every odd name."""
    ones = {name: np.ones(4, np.float32) for name in ("scale", "mean", "var")} | {"shift": np.zeros(4, np.float32)}
    nodes = []
    for index, name in enumerate(NAMES):
        ends = [f"t{index}", "scale", "shift", "mean", "var"], [f"t{index + 1}"]
        nodes.append(helper.make_node("BatchNormalization", *ends, name=name))
    graph = helper.make_graph(
        nodes,
        "<h1>graph</h1>",
        [helper.make_tensor_value_info("t0", TensorProto.FLOAT, [1, 4, 8, 8])],
        [helper.make_tensor_value_info(f"t{len(NAMES)}", TensorProto.FLOAT, [1, 4, 8, 8])],
        [numpy_helper.from_array(value, name) for name, value in ones.items()],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6), str(path))
    return path


def rich(window):
    """What Qt would take for HTML: labels that may do so, and tooltips with tags of a name."""
    found = [x.text() for x in window.findChildren(QLabel) if "<" in x.text() and x.textFormat() is not Qt.PlainText]
    tips = [x.toolTip() for x in window.findChildren(QWidget) if "<b>" in x.toolTip() or "<img" in x.toolTip()]
    return found + tips


def test_names_are_shown_as_text(desk, tmp_path):
    needed = desk.open(save_conv_bn(tmp_path / "plain.onnx")).window.minimumSizeHint().width()
    desk.open(save_named(tmp_path / "<i>named<b>[*].onnx"))
    assert "<i>named<b>[*][*].onnx[*]" in desk.window.windowTitle()
    for node in desk.model.main.nodes:
        desk.document.select(node.id)
        desk.idle()
        for index in range(desk.bench.inspector_tabs.count()):
            desk.bench.inspector_tabs.setCurrentIndex(index)
        desk.window.controller.menu.make(node.id).close()
        desk.window.actions_["edit.copy_name"].trigger()
        assert not rich(desk.window)
        assert desk.window.minimumSizeHint().width() == needed
    desk.bench.search.field.setText("<b>")
    desk.window.actions_["edit.find_next"].trigger()
    assert desk.model.node(desk.document.selected).name == NAMES[3]
    table = desk.bench.nodes.model
    assert "<b>" not in table.index(3, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert table.index(3, 2).data() == NAMES[3]
    assert not desk.errors


def test_tip_is_cut_and_escaped():
    assert plain_tip("a < b") == "<span style='white-space: pre-wrap'>a &lt; b</span>"
    assert len(plain_tip("n" * 10_000)) < 1000
    assert plain_tip("plain") == "plain"


def drop(desk, *paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    desk.window.dropEvent(event)
    QApplication.processEvents()
    desk.idle()


def test_dropped_folder_and_non_model_say_what_to_do(desk, tmp_path):
    desk.open()
    before = desk.document.workspace
    drop(desk, tmp_path)
    text = tmp_path / "notes.txt"
    text.write_text("hello")
    drop(desk, text)
    assert len(desk.errors) == 2
    assert all(error.help is not None for error in desk.errors)
    assert desk.document.workspace is before
    choose(desk, "x5")
    desk.idle()
    assert desk.bench.banners.shown[0].key == "error", "what went wrong stays until it is closed"


def test_long_path_in_an_error_does_not_widen_the_window(desk, tmp_path):
    needed = desk.open().window.minimumSizeHint().width()
    desk.open(tmp_path / ("d" * 200) / ("f" * 200) / "missing.onnx")
    assert desk.errors
    assert desk.window.minimumSizeHint().width() == needed


@pytest.mark.parametrize("folder", ["missing/deep", "a file"])
def test_saving_where_it_is_impossible_keeps_the_work(desk, tmp_path, folder):
    (tmp_path / "a file").write_text("in the way")
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    desk.preview(RULE, "BatchNormalization")
    assert desk.document.accept()
    desk.idle()
    desk.document.save_as(tmp_path / folder / "out.onnx")
    desk.idle()
    (error,) = desk.errors
    assert error.help is not None
    assert desk.document.unsaved
    desk.document.save_as(tmp_path / "out.onnx")
    desk.idle()
    assert not desk.document.unsaved


def test_saving_over_another_file_replaces_it(desk, tmp_path):
    other = save_conv_bn(tmp_path / "other.onnx")
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    desk.preview(RULE, "BatchNormalization")
    desk.document.accept()
    desk.idle()
    desk.document.save_as(other)
    desk.idle()
    assert [node.op_type for node in onnx.load(str(other)).graph.node] == ["Conv"]
    assert not desk.errors


@pytest.mark.parametrize("change", ["deleted", "replaced"])
def test_file_that_changed_on_disk_is_noticed(desk, tmp_path, change):
    path = save_conv_bn(tmp_path / "m.onnx")
    desk.open(path)
    if change == "deleted":
        path.unlink()
    else:
        path.write_bytes(SAMPLE.read_bytes())
        os.utime(path, (1, 1))
    desk.document.propose(RULE, desk.node("BatchNormalization").id)
    desk.idle()
    proposal = desk.document.proposal
    assert proposal is None or proposal.proof is not Proof.PASSED or change == "deleted"
    desk.document.reject()
    desk.window.actions_["file.reload"].trigger()
    desk.idle()
    if change == "deleted":
        assert desk.errors
        assert desk.document.workspace is not None
    else:
        assert len(desk.model.nodes) > 2


@OFFSCREEN
def test_absurd_sizes_are_answered(desk, tmp_path):
    path = save_conv_bn(tmp_path / "dyn.onnx", dynamic=True)
    model = onnx.load(str(path))
    for value in (*model.graph.input, *model.graph.output):
        for axis in (2, 3):
            value.type.tensor_type.shape.dim[axis].dim_value = 4096
    onnx.save(model, str(path))
    desk.open(path)
    desk.window.actions_["file.sizes"].trigger()
    dialog = desk.window.findChild(DimsDialog)
    field = dialog.fields["batch"]
    for text in ("-5", "0", "abc", "1e9"):
        field.lineEdit().setText(text)
        field.interpretText()
        assert 1 <= field.value() <= field.maximum()
    most = field.maximum()
    field.setValue(most)
    dialog.accept()
    desk.idle()
    assert desk.model.dims["batch"] == most
    proposal = desk.preview(RULE, "BatchNormalization")
    assert proposal.proof in (Proof.INCONCLUSIVE, Proof.NO_RESULT)
    assert not desk.document.accept()


@pytest.mark.parametrize("name", ["a.onnx", "模型 №1 (copy).onnx", "100% %1 %n {x}.onnx"])
def test_any_file_name_can_be_opened(desk, tmp_path, name):
    desk.open(save_conv_bn(tmp_path / name))
    assert desk.model.origin.name == name
    assert desk.window.windowTitle().startswith(name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with a name are of POSIX systems")
def test_pipe_and_link_loop_say_what_to_do(desk, tmp_path):
    pipe, loop = tmp_path / "pipe.onnx", tmp_path / "loop.onnx"
    os.mkfifo(pipe)
    loop.symlink_to(loop)
    for path in (pipe, loop):
        desk.open(path)
    assert len(desk.errors) == 2
    assert all(error.help is not None for error in desk.errors)
