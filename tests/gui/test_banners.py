"""Banners: two at most, then how many more; each with its button; sizes show at once what they do."""

import pytest
from onnx import TensorProto, helper, load, save
from PySide6.QtWidgets import QLabel, QLayout, QPushButton

from inspector.gui.dialogs.dims import DimsDialog
from inspector.gui.look import apply_look
from inspector.gui.measures import Size
from inspector.gui.panels.banners import Banner, Banners
from inspector.gui.service import Choice
from inspector.placement.verdict import Verdict
from tests.gui.window import choose, save_conv_bn

OFFSCREEN = pytest.mark.qt_log_ignore("This plugin does not support")


def buttons(widget):
    return {button.text(): button for button in widget.findChildren(QPushButton) if not button.isHidden()}


@pytest.fixture
def stack(qtbot):
    made = Banners()
    qtbot.addWidget(made)
    made.layout().setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    return made


def test_two_are_shown_and_the_rest_is_counted(stack):
    stack.show_banners(tuple(Banner(f"k{i}", "second", f"t{i}") for i in range(5)))
    assert stack._column.count() == 3
    buttons(stack)["3 more"].click()
    assert stack._column.count() == 5


def test_more_counts_findings_and_not_lines(stack):
    stack.show_banners(tuple(Banner(f"k{i}", "second", f"t{i}", beside=("and", "this")) for i in range(4)))
    assert "6 more" in buttons(stack)


def test_findings_that_share_a_banner_are_all_shown_and_closed_together(stack):
    stack.show_banners((Banner("opset", "unsupported", "Opset is 17", "Refused.", beside=("IR version is 8",)),))
    texts = [label.text() for label in stack.findChildren(QLabel)]
    assert {"Opset is 17", "IR version is 8", "Refused."} <= set(texts)
    buttons(stack)["✕"].click()
    assert not stack.shown


@OFFSCREEN
def test_what_the_toolchain_refuses_takes_one_line_for_two_findings(desk, tmp_path):
    desk.document.choice = Choice("x5")
    model = load(save_conv_bn(tmp_path / "new.onnx"))
    model.ir_version, model.opset_import[0].version = 8, 17
    save(model, tmp_path / "new.onnx")
    desk.open(tmp_path / "new.onnx")
    failures = desk.document.workspace.placement.graph_failures
    refused = [banner for banner in desk.bench.banners.shown if banner.verdict is Verdict.UNSUPPORTED]
    assert len(failures) == 2
    assert [len(banner.beside) for banner in refused] == [1]


def test_the_glyph_follows_the_scale(desk):
    desk.open()
    desk.bench.banners.show_banners((Banner("k", "unsupported", "t", verdict=Verdict.UNSUPPORTED),))
    apply_look("light", 200, system_fonts=False)
    desk.bench.retranslate()
    pictures = [label.pixmap() for label in desk.bench.banners.findChildren(QLabel) if not label.pixmap().isNull()]
    assert pictures[-1].deviceIndependentSize().width() == Size.GLYPH == 28


def test_a_closed_banner_makes_room_for_the_next(stack):
    stack.show_banners(tuple(Banner(f"k{i}", "second", f"t{i}") for i in range(3)))
    next(button for button in stack.findChildren(QPushButton) if button.text() == "✕").click()
    assert [banner.key for banner in stack.shown] == ["k1", "k2"]
    assert stack._column.count() == 2


def test_a_button_does_what_it_says(stack):
    done = []
    stack.show_banners((Banner("k", "unknown", "t", "x", "Mend", lambda: done.append(1)),))
    buttons(stack)["Mend"].click()
    assert done == [1]


def save_open_input(path):
    """A model whose tables refuse it for its open batch."""
    return save_conv_bn(path, dynamic=True)


@OFFSCREEN
def test_a_refusal_of_open_sizes_offers_to_set_them(desk, tmp_path):
    desk.document.choice = Choice("x3")
    desk.open(save_open_input(tmp_path / "open.onnx"))
    failures = desk.document.workspace.placement.graph_failures
    assert failures
    shown = {banner.key: banner for banner in desk.bench.banners.shown}
    refused = [shown[check.clause] for check in failures]
    assert [banner.action for banner in refused] == ["Set sizes…"] * len(refused)
    assert all(banner.verdict is Verdict.UNSUPPORTED for banner in refused)
    first = desk.bench.banners.shown[0]
    assert first.verdict is Verdict.UNSUPPORTED
    first.run()
    assert desk.window.findChild(DimsDialog) is not None
    desk.window.findChild(DimsDialog).reject()


@OFFSCREEN
def test_sizes_show_their_effect_before_they_are_applied(desk, tmp_path):
    desk.open(save_conv_bn(tmp_path / "dyn.onnx", dynamic=True))
    choose(desk, "j6p")
    desk.idle()
    before = dict(desk.counts)
    desk.window.actions_["file.sizes"].trigger()
    dialog = desk.window.findChild(DimsDialog)
    dialog.fields["batch"].setValue(2)
    assert "Checking" not in dialog.effect.text()
    desk.bot.waitUntil(lambda: "→" in dialog.effect.text(), timeout=20_000)
    desk.idle()
    told = dialog.effect.text()
    assert dict(desk.counts) == before
    assert dict(desk.model.dims) == {}
    dialog.accept()
    desk.idle()
    assert f"Unknown {before[Verdict.UNKNOWN]} → {desk.counts[Verdict.UNKNOWN]}" in told
    gained = desk.counts[Verdict.BPU] - before[Verdict.BPU]
    assert (f"BPU +{gained}" in told) == (gained > 0)


@OFFSCREEN
def test_sizes_that_contradict_the_model_are_told_in_the_dialog(desk, tmp_path):
    nodes = [helper.make_node("Reshape", ["x", "shape"], ["y"], name="reshape")]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [8, 3])],
        [helper.make_tensor("shape", TensorProto.INT64, [2], [8, 3])],
    )
    path = tmp_path / "fixed.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6), str(path))
    desk.open(path)
    desk.window.actions_["file.sizes"].trigger()
    dialog = desk.window.findChild(DimsDialog)
    dialog.fields["n"].setValue(5)
    desk.bot.waitUntil(lambda: dialog.effect.text() not in ("", "Checking these sizes"), timeout=20_000)
    desk.idle()
    assert not desk.errors
    dialog.reject()
    desk.idle()
