"""Outline: scopes with their counts and bars, nodes that follow and lead the selection, a filter, large models."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QLayout

from inspector.gui.look import look
from inspector.gui.models.outline import OutlineModel, outline_of
from inspector.gui.panels.outline import OutlinePanel
from inspector.gui.verdict_bar import ORDER, paint_verdict_bar, shares
from inspector.model.load import from_proto
from inspector.placement.query import NodeIndex
from inspector.placement.target import Target
from inspector.placement.verdict import NodeVerdict, Placement, Standing, Verdict
from tests.helpers import models

NAMES = ("/a/a.0/Conv", "/a/a.0/Relu", "/a/Add", "/b/Relu", "plain")


def model_of(names):
    nodes = [helper.make_node("Relu", [f"v{i}"], [f"v{i + 1}"], name) for i, name in enumerate(names)]
    return from_proto(models.proto(nodes, {"v0": [1]}, {f"v{len(names)}": [1]}))


def placed(model, *verdicts):
    """A placement that gives the nodes *verdicts* in turn."""
    made = {
        node.id: NodeVerdict(node.id, verdicts[i % len(verdicts)], Standing.DOCUMENTED)
        for i, node in enumerate(model.nodes)
    }
    return Placement(Target("p", "m", "1"), made)


@pytest.fixture
def panel(qtbot):
    made = OutlinePanel()
    qtbot.addWidget(made)
    made.layout().setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    made.resize(272, 500)
    made.show()
    return made


def rows(panel, parent=None):
    """Titles of all rows below *parent*, nested."""
    parent = parent if parent is not None else QModelIndex()
    model = panel.model
    below = [model.index(row, 0, parent) for row in range(model.rowCount(parent))]
    return {index.data(): rows(panel, index) for index in below}


def find(panel, *path):
    index = QModelIndex()
    for title in path:
        below = [panel.model.index(row, 0, index) for row in range(panel.model.rowCount(index))]
        index = next(one for one in below if one.data() == title)
    return index


def test_scopes_come_first_then_nodes(panel):
    model = model_of(NAMES)
    panel.show_outline(outline_of(model, placed(model, Verdict.BPU)), "m.onnx")
    assert rows(panel) == {
        "m.onnx": {"a": {"a.0": {"Conv": {}, "Relu": {}}, "Add": {}}, "b": {"Relu": {}}, "plain": {}}
    }
    assert list(rows(panel)["m.onnx"]) == ["a", "b", "plain"]


def test_a_scope_counts_the_verdicts_below_it(panel):
    model = model_of(NAMES)
    verdicts = (Verdict.BPU, Verdict.CPU, Verdict.UNKNOWN, Verdict.FOLDED, Verdict.UNSUPPORTED)
    panel.show_outline(outline_of(model, placed(model, *verdicts)), "m.onnx")
    assert panel.model.counts_at(find(panel, "m.onnx")) == (1, 1, 1, 1, 1)
    counts = dict(zip(ORDER, panel.model.counts_at(find(panel, "m.onnx", "a")), strict=True))
    assert {v for v, count in counts.items() if count} == {Verdict.BPU, Verdict.CPU, Verdict.UNKNOWN}


def test_another_target_changes_bars_and_keeps_what_is_open(panel):
    model = model_of(NAMES)
    first = outline_of(model, placed(model, Verdict.BPU))
    panel.show_outline(first, "m.onnx")
    panel.tree.expand(find(panel, "m.onnx", "a"))
    second = outline_of(model, placed(model, Verdict.CPU), first)
    assert second.scopes is first.scopes
    panel.show_outline(second, "m.onnx")
    assert panel.tree.isExpanded(find(panel, "m.onnx", "a"))
    assert panel.model.counts_at(find(panel, "m.onnx"))[ORDER.index(Verdict.CPU)] == len(NAMES)


def test_selection_leads_and_follows(panel, qtbot):
    model = model_of(NAMES)
    panel.show_outline(outline_of(model, placed(model, Verdict.BPU)), "m.onnx")
    picked, scopes = [], []
    panel.node_picked.connect(picked.append)
    panel.scope_picked.connect(lambda _scope, nodes: scopes.append(nodes))
    panel.show_selected(model.nodes[1].id)
    assert panel.tree.currentIndex().data() == "Relu"
    assert panel.tree.isExpanded(find(panel, "m.onnx", "a", "a.0"))
    assert (picked, scopes) == ([], [])
    place = panel.tree.visualRect(find(panel, "m.onnx", "a", "a.0", "Conv")).center()
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert picked == [model.nodes[0].id]
    qtbot.keyClick(panel.tree, Qt.Key.Key_Up)
    assert scopes == [tuple(node.id for node in model.nodes[:2])]
    panel.show_selected(None)
    assert panel.tree.currentIndex().data() == "a.0"


def test_double_click_and_enter_go_to_the_node(panel, qtbot):
    model = model_of(NAMES)
    panel.show_outline(outline_of(model, placed(model, Verdict.BPU)), "m.onnx")
    gone = []
    panel.node_activated.connect(gone.append)
    panel.show_selected(model.nodes[4].id)
    qtbot.keyClick(panel.tree, Qt.Key.Key_Return)
    place = panel.tree.visualRect(find(panel, "m.onnx", "plain")).center()
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert gone == [model.nodes[4].id] * 2


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a.0", {"m.onnx": {"a": {"a.0": {"Conv": {}, "Relu": {}}}}}),
        ("status:cpu", {"m.onnx": {"a": {"a.0": {"Relu": {}}}, "b": {"Relu": {}}}}),
        ("", None),
    ],
)
def test_filter_keeps_the_scopes_of_what_fits(panel, text, left):
    model = model_of(NAMES)
    panel.show_outline(outline_of(model, placed(model, Verdict.BPU, Verdict.CPU)), "m.onnx")
    panel.set_index(NodeIndex(model))
    whole = rows(panel)
    panel.filter.setText(text)
    panel._narrow()
    assert rows(panel) == (whole if left is None else left)
    if left is not None:
        total = sum(panel.model.counts_at(find(panel, "m.onnx")))
        assert total == len(panel.model.nodes_in(find(panel, "m.onnx"))) == 2


def test_a_filter_that_nothing_fits_says_so(panel):
    model = model_of(NAMES)
    panel.show_outline(outline_of(model, placed(model, Verdict.BPU)), "m.onnx")
    panel.set_index(NodeIndex(model))
    panel.filter.setText("op:Nothing")
    panel._narrow()
    assert "No node" in panel._stack.currentWidget().text()
    assert not panel.model.index_of(model.nodes[0].id).isValid()


def test_rows_of_a_large_model_are_made_when_they_are_opened(panel):
    model = model_of([f"/s.{i // 100}/n{i}" for i in range(20_000)])
    panel.show_outline(outline_of(model, placed(model, Verdict.BPU)), "m.onnx")
    panel.show_selected(model.nodes[19_999].id)
    assert panel.tree.currentIndex().data() == "n19999"
    assert sum(len(made) for made in panel.model._rows.values()) < 1000


@given(st.lists(st.text("ab/", max_size=5), max_size=12), st.lists(st.booleans(), min_size=12, max_size=12))
def test_tree_is_sound_for_any_names_and_any_filter(names, kept):
    model = model_of(names)
    tree = OutlineModel()
    tree.show(outline_of(model, placed(model, Verdict.BPU, Verdict.CPU)), "m.onnx")
    tester = QAbstractItemModelTester(tree, QAbstractItemModelTester.FailureReportingMode.Fatal)
    tree.narrow(np.array(kept[: len(names)], dtype=bool))
    left = [node for node, keep in zip(model.nodes, kept, strict=False) if keep]
    assert tree.hits == len(left)
    for node in left:
        index = tree.index_of(node.id)
        assert tree.node_at(index) is node
        assert tree.index(index.row(), 0, index.parent()) == index
    del tester


@given(st.lists(st.integers(0, 10**6), min_size=5, max_size=5), st.floats(1, 400))
def test_bar_is_filled_and_shows_every_verdict_there_is(counts, width):
    parts = shares(counts, width)
    assert sum(parts) == pytest.approx(width if sum(counts) else 0)
    for part, count in zip(parts, counts, strict=True):
        assert part > 0 if count else part == 0


def test_bar_paints_the_colours_of_the_verdicts():
    image = QImage(100, 10, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    paint_verdict_bar(painter, image.rect().toRectF(), (50, 50, 0, 0, 0), look())
    painter.end()
    assert image.pixelColor(20, 5).name().upper() == look().of(Verdict.BPU).fill
    assert image.pixelColor(80, 5).name().upper() == look().of(Verdict.CPU).fill
