"""Forcing nodes and asking for number formats through the node menu; what the window then shows and copies."""

import onnx
import pytest
import yaml
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from inspector.gui.overrides import Overrides
from inspector.gui.service import Choice
from inspector.placement.target import Device, Qtype
from inspector.placement.verdict import Verdict
from tests.gui.window import SAMPLE, save_conv_bn


def choose(desk, node, submenu, text):
    """Pick an entry of a submenu of the node menu."""
    menu = desk.window.controller.menu.make(node)
    desk.idle()
    inner = next(action.menu() for action in menu.actions() if action.text() == submenu)
    entry = next(action for action in inner.actions() if action.text() == text)
    entry.trigger()
    desk.idle()
    menu.aboutToHide.emit()


def entries(desk, node, submenu):
    """`(text, whether it is the present choice)` of a submenu of the node menu."""
    menu = desk.window.controller.menu.make(node)
    desk.idle()
    inner = next(action.menu() for action in menu.actions() if action.text() == submenu)
    found = [(action.text(), action.isChecked()) for action in inner.actions()]
    menu.aboutToHide.emit()
    return found


def shown(widget):
    return " | ".join(label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget))


def press(desk, widget, text):
    found = [b for b in widget.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(widget)]
    desk.bot.mouseClick(found[0], Qt.MouseButton.LeftButton)
    desk.idle()


@pytest.fixture
def conv(desk, tmp_path):
    """A window with an open model and its Conv, which the BPU takes."""
    desk.document.choice = Choice("x5")
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    return desk.node("Conv").id


def verdict(desk, node):
    return desk.document.workspace.placement.verdicts[node]


def test_forced_to_the_cpu_recolours_at_once_and_back(desk, conv):
    assert verdict(desk, conv).verdict is Verdict.BPU
    choose(desk, conv, "Run on", "CPU")
    assert verdict(desk, conv).verdict is Verdict.CPU
    assert desk.bench.graph.placement is desk.document.workspace.placement
    chip = desk.bench.target_bar.chips[Verdict.CPU]
    assert chip.text().removesuffix(chip.delta).split()[-1] == str(desk.counts[Verdict.CPU])
    assert ("CPU", True) in entries(desk, conv, "Run on")
    desk.bench.inspector_tabs.setCurrentWidget(desk.bench.node)
    assert "forced to CPU" in shown(desk.bench.node)
    choose(desk, conv, "Run on", "Automatic")
    assert verdict(desk, conv).verdict is Verdict.BPU
    assert not desk.document.choice.overrides
    assert not desk.errors


def test_number_formats_are_those_of_the_march(desk, conv):
    assert [text for text, _ in entries(desk, conv, "Number format")] == ["Automatic", "int8", "int16"]
    choose(desk, conv, "Number format", "int16")
    assert verdict(desk, conv).qtype is Qtype.INT16
    assert desk.document.workspace.target.qtypes == {conv: Qtype.INT16}
    assert "asked for int16" in shown(desk.bench.node)


def test_a_format_that_another_march_lacks_is_kept_but_said_not_to_be_offered(desk, conv):
    choose(desk, conv, "Number format", "int16")
    bar = desk.bench.target_bar
    bar.platform.setCurrentIndex(bar.platform.findData("x3"))
    bar.platform.activated.emit(bar.platform.currentIndex())
    desk.idle()
    assert verdict(desk, conv).qtype is Qtype.INT8
    desk.document.select(None)
    assert "int16, not offered by bernoulli2" in shown(desk.bench.summary)
    bar.platform.setCurrentIndex(bar.platform.findData("x5"))
    bar.platform.activated.emit(bar.platform.currentIndex())
    desk.idle()
    assert verdict(desk, conv).qtype is Qtype.INT16


def test_the_summary_lists_copies_and_clears_them(desk, conv):
    choose(desk, conv, "Run on", "BPU")
    choose(desk, conv, "Number format", "int16")
    desk.document.select(None)
    desk.idle()
    assert "forced to BPU · int16" in shown(desk.bench.summary)
    press(desk, desk.bench.summary, "Copy node_info")
    told = yaml.safe_load("model_parameters:\n" + QApplication.clipboard().text())["model_parameters"]
    assert told == {"node_info": {"conv": {"ON": "BPU", "InputType": "int16", "OutputType": "int16"}}}
    press(desk, desk.bench.summary, "Conv")
    assert desk.document.selected == conv
    desk.document.select(None)
    press(desk, desk.bench.summary, "Clear all")
    assert not desk.document.choice.overrides
    assert not desk.document.workspace.target.forced
    assert "Asked of single nodes" not in shown(desk.bench.summary)


def test_they_belong_to_one_file_and_outlive_a_rewrite(desk, conv):
    choose(desk, conv, "Run on", "CPU")
    desk.document.bind({})
    desk.idle()
    assert desk.document.workspace.target.forced == {conv: Device.CPU}
    desk.preview("bn-fold", "BatchNormalization")
    assert desk.document.proposal.placement_after.target.forced == {conv: Device.CPU}
    desk.document.accept()
    desk.idle()
    assert desk.document.workspace.target.forced == {conv: Device.CPU}
    desk.document.undo_stack.clear()
    desk.open(SAMPLE)
    assert desk.document.choice.overrides == Overrides()
    assert not desk.document.workspace.target.forced
    assert not desk.errors


def test_a_node_without_a_name_of_its_own_is_told_not_copied(desk, tmp_path):
    path = save_conv_bn(tmp_path / "m.onnx")
    proto = onnx.load(str(path))
    proto.graph.node[0].name = ""
    onnx.save(proto, str(path))
    desk.document.choice = Choice("x5")
    desk.open(path)
    QApplication.clipboard().setText("before")
    choose(desk, desk.node("Conv").id, "Run on", "CPU")
    desk.document.select(None)
    press(desk, desk.bench.summary, "Copy node_info")
    assert QApplication.clipboard().text() == "before"
    assert "node_info finds nodes by name" in shown(desk.window.status)


def test_a_preview_offers_no_overrides(desk, conv):
    desk.preview("bn-fold", "BatchNormalization")
    menu = desk.window.controller.menu.make(conv)
    assert "Run on" not in [action.text() for action in menu.actions()]
    menu.aboutToHide.emit()


def test_the_menu_speaks_chinese(desk, conv):
    desk.window.set_language("zh_CN")
    desk.idle()
    assert [text for text, _ in entries(desk, conv, "运行在")][1:] == ["BPU", "CPU"]
