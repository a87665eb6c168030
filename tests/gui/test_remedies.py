"""What to do about a failed check, and which island to remove first, as the panels say it."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from inspector.gui.models.blockers import top_blockers
from inspector.gui.service import Choice
from inspector.placement.segments import islands
from inspector.placement.verdict import Verdict


def save_chain(path, ops):
    """Conv, then each of *ops*, each followed by another Conv."""
    rng = np.random.default_rng(3)
    nodes, weights, last = [], [], "x"
    for index, op in enumerate(("Conv", *(part for between in ops for part in (between, "Conv")))):
        name, out = f"{op.lower()}{index}", f"v{index}"
        if op == "Conv":
            weights.append(numpy_helper.from_array(rng.normal(size=(8, 8, 3, 3)).astype(np.float32), f"w{index}"))
            nodes.append(helper.make_node("Conv", [last, f"w{index}"], [out], name=name, pads=[1, 1, 1, 1]))
        else:
            nodes.append(helper.make_node(op, [last], [out], name=name))
        last = out
    ends = [helper.make_tensor_value_info(v, TensorProto.FLOAT, [1, 8, 16, 16]) for v in ("x", last)]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:], weights)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6), str(path))
    return path


def lines(widget):
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget)]


@pytest.fixture
def fallen(desk):
    """The sample with its first ConvTranspose selected, whose kernel is too deep."""
    desk.open()
    desk.window.actions_["view.next_problem"].trigger()
    desk.idle()
    return desk


def test_the_smallest_change_stands_below_the_failed_check(fallen):
    desk = fallen
    placement, node = desk.document.workspace.placement, desk.document.selected
    check = placement.verdicts[node].failed[0]
    shown = lines(desk.bench.explain)
    smallest = [text for text in shown if text.startswith("Smallest change: ")]
    assert len(smallest) == len(placement.verdicts[node].failed)
    assert str(check.found) in smallest[0].rpartition("now ")[2]
    assert any(text.startswith("Move the boundary: ") for text in shown)
    desk.window.set_language("zh_CN")
    desk.idle()
    assert any(text.startswith("最小改动：") for text in lines(desk.bench.explain))


def test_a_node_on_the_bpu_needs_no_remedy(desk):
    desk.open()
    placement = desk.document.workspace.placement
    fine = next(node for node, verdict in placement.verdicts.items() if verdict.verdict is Verdict.BPU)
    desk.document.select(fine)
    desk.idle()
    assert not [text for text in lines(desk.bench.explain) if text.startswith(("Smallest change", "Move the boundary"))]


def test_folded_passes_open_without_losing_the_remedies(fallen):
    desk = fallen
    before = [text for text in lines(desk.bench.explain) if text.startswith("Smallest change: ")]
    more = [b for b in desk.bench.explain.findChildren(QPushButton) if b.text().endswith("more passed")]
    for opener in more:
        desk.bot.mouseClick(opener, Qt.MouseButton.LeftButton)
    desk.idle()
    assert [text for text in lines(desk.bench.explain) if text.startswith("Smallest change: ")] == before


def test_blockers_are_listed_by_segments_saved_and_lead_to_their_node(desk, tmp_path):
    desk.document.choice = Choice("x5")
    desk.open(save_chain(tmp_path / "chain.onnx", ["Softmax", "Softmax"]))
    placement = desk.document.workspace.placement
    found = [island for island in islands(placement) if island.copies]
    assert len(found) == 2
    (blocker,) = top_blockers(desk.model, placement)
    assert (blocker.islands, blocker.segments, blocker.left) == (2, 5, 1)
    assert (blocker.copies, blocker.bytes) == (sum(i.copies for i in found), sum(i.bytes for i in found))
    blockers = desk.bench.problems.blockers
    assert blockers.isVisible()
    (link,) = [b for b in blockers.findChildren(QPushButton) if b.isVisibleTo(blockers)]
    assert link.text().startswith("Softmax")
    assert "2 islands" in link.toolTip()
    assert "5 → 1 segment" in lines(blockers)
    desk.bot.mouseClick(link, Qt.MouseButton.LeftButton)
    desk.idle()
    assert desk.document.selected == blocker.nodes[0]
    assert desk.model.node(blocker.nodes[0]).op.name == "Softmax"


def test_blockers_follow_the_filter_by_verdict(desk, tmp_path):
    desk.document.choice = Choice("x5")
    desk.open(save_chain(tmp_path / "chain.onnx", ["Softmax"]))
    desk.bench.target_bar.chips[Verdict.UNKNOWN].click()
    desk.idle()
    assert not desk.bench.problems.blockers.isVisible()
    desk.bench.target_bar.chips[Verdict.CPU].click()
    desk.idle()
    assert desk.bench.problems.blockers.isVisible()


def test_no_island_no_list(desk, tmp_path):
    desk.document.choice = Choice("x5")
    desk.open(save_chain(tmp_path / "chain.onnx", ["Softmax"]))
    assert desk.bench.problems.blockers.isVisible()
    desk.document.undo_stack.clear()
    desk.open(save_chain(tmp_path / "plain.onnx", ["Relu"]))
    assert not desk.bench.problems.blockers.isVisible()
