"""Nodes table: order, filters, columns, copying, and both ways of the selection; large models without a stall."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QLayout

from inspector.gui.models.nodes import NODE_ROLE, Column, NodesModel
from inspector.gui.panels.nodes import NodesPanel
from inspector.model.load import from_proto
from inspector.placement.cost import NodeCost
from inspector.placement.query import NodeIndex
from inspector.placement.target import Target
from inspector.placement.verdict import NodeVerdict, Placement, Segment, Standing, Verdict
from tests.helpers import models

NAMES = ("n10", "n2", "n1", "n30")
MACS = (5, None, 70, 6)
VERDICTS = (Verdict.BPU, Verdict.CPU, Verdict.UNKNOWN, Verdict.BPU)


def model_of(names):
    nodes = [helper.make_node("Relu", [f"v{i}"], [f"v{i + 1}"], name) for i, name in enumerate(names)]
    return from_proto(models.proto(nodes, {"v0": [1]}, {f"v{len(names)}": [1]}))


def placed(model, verdicts):
    made = {
        node.id: NodeVerdict(node.id, verdicts[i % len(verdicts)], Standing.DOCUMENTED)
        for i, node in enumerate(model.nodes)
    }
    first = Segment(0, Verdict.BPU, tuple(node.id for node in model.nodes[:1]), (), (), None, None)
    return Placement(Target("p", "m", "1"), made, (), (first,))


def costs(model, macs=MACS):
    return {node.id: NodeCost(macs[i % len(macs)], 0, i) for i, node in enumerate(model.nodes)}


@pytest.fixture
def panel(qtbot):
    made = NodesPanel()
    qtbot.addWidget(made)
    made.layout().setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
    made.resize(1000, 300)
    made.show()
    return made


@pytest.fixture
def model(panel):
    made = model_of(NAMES)
    panel.show_model(made, placed(made, VERDICTS), costs(made))
    panel.set_index(NodeIndex(made))
    return made


def names(panel):
    return [panel.model.index(row, Column.NAME).data() for row in range(panel.model.rowCount())]


@pytest.mark.parametrize(
    ("column", "up", "down"),
    [
        (Column.NAME, ["n1", "n2", "n10", "n30"], ["n30", "n10", "n2", "n1"]),
        (Column.MACS, ["n10", "n30", "n1", "n2"], ["n1", "n30", "n10", "n2"]),
        (Column.VERDICT, ["n2", "n1", "n10", "n30"], ["n10", "n30", "n1", "n2"]),
        (Column.SEGMENT, ["n10", "n2", "n1", "n30"], ["n10", "n2", "n1", "n30"]),
    ],
)
def test_columns_sort_by_value_with_what_has_none_last(panel, model, column, up, down):
    panel.table.sortByColumn(column, Qt.SortOrder.AscendingOrder)
    assert names(panel) == up
    panel.table.sortByColumn(column, Qt.SortOrder.DescendingOrder)
    assert names(panel) == down
    panel.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert names(panel) == list(NAMES)


def test_filters_by_text_and_by_verdict_together(panel, model):
    panel.set_verdicts(frozenset({Verdict.BPU}))
    assert names(panel) == ["n10", "n30"]
    panel.filter.setText("n1")
    panel._narrow()
    assert names(panel) == ["n10"]
    assert panel._count.text() == "1 of 4"
    panel.set_verdicts(frozenset())
    assert names(panel) == ["n10", "n1"]
    panel.filter.setText("status:cpu")
    panel._narrow()
    assert names(panel) == ["n2"]
    panel.recolour(placed(model, (Verdict.CPU,)))
    assert names(panel) == list(NAMES)


def test_selection_survives_sorting_filtering_and_another_target(panel, model):
    picked = []
    panel.node_picked.connect(picked.append)
    panel.show_selected(model.nodes[0].id)
    panel.table.sortByColumn(Column.NAME, Qt.SortOrder.AscendingOrder)
    assert panel.table.currentIndex().data(NODE_ROLE) == model.nodes[0].id
    panel.set_verdicts(frozenset({Verdict.CPU}))
    assert not panel.table.selectionModel().hasSelection()
    panel.set_verdicts(frozenset())
    panel.recolour(placed(model, (Verdict.CPU,)))
    assert panel.table.currentIndex().data(NODE_ROLE) == model.nodes[0].id
    assert picked == []


def test_a_click_picks_and_several_rows_are_told_together(panel, model, qtbot):
    one, several = [], []
    panel.node_picked.connect(one.append)
    panel.nodes_picked.connect(several.append)
    spot = [panel.table.visualRect(panel.model.index(row, Column.NAME)).center() for row in range(4)]
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=spot[1])
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, spot[3])
    assert one == [model.nodes[1].id]
    assert several == [tuple(node.id for node in model.nodes[1:])]
    panel.show_several((model.nodes[0].id, model.nodes[2].id))
    chosen = panel.table.selectionModel().selectedRows()
    assert [index.data(NODE_ROLE) for index in chosen] == [model.nodes[0].id, model.nodes[2].id]
    assert len(several) == 1


def test_columns_can_be_hidden_but_not_the_name(panel, model):
    menu = panel.columns_menu()
    actions = dict(zip(Column, menu.actions(), strict=True))
    assert not actions[Column.NAME].isEnabled()
    assert panel.table.isColumnHidden(Column.DTYPE)
    actions[Column.DTYPE].trigger()
    assert not panel.table.isColumnHidden(Column.DTYPE)
    assert panel.model.index(3, Column.DTYPE).data() == "float32"
    menu.close()


def test_rows_are_copied_as_they_are_seen(panel, model, qtbot):
    panel.table.sortByColumn(Column.NAME, Qt.SortOrder.AscendingOrder)
    for column in (Column.REASON, Column.SEGMENT, Column.BYTES, Column.SHAPE, Column.OP):
        panel.table.setColumnHidden(column, True)
    panel.copy.click()
    lines = QApplication.clipboard().text().split("\n")
    assert lines[0].split("\t") == ["Verdict", "Name", "MACs"]
    assert lines[1:3] == ["Unknown\tn1\t70", "CPU\tn2\t–"]
    panel.show_selected(panel.model.node_at(1).id)
    how = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    panel.table.selectionModel().select(panel.model.index(2, 0), how)
    qtbot.keyClick(panel.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "CPU\tn2\t–\nBPU\tn10\t5"


@given(
    st.lists(st.sampled_from(["a", "b", "a1", "a10"]), max_size=12),
    st.sampled_from(list(Column)),
    st.booleans(),
    st.lists(st.booleans(), min_size=12, max_size=12),
    st.frozensets(st.sampled_from(list(Verdict))),
)
def test_rows_are_those_that_pass_the_filters_each_once(names, column, down, kept, verdicts):
    model = model_of(names)
    table = NodesModel()
    tester = QAbstractItemModelTester(table, QAbstractItemModelTester.FailureReportingMode.Fatal)
    table.show(model, placed(model, VERDICTS), costs(model))
    table.sort(column, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)
    table.keep(np.array(kept[: len(names)], dtype=bool))
    table.set_verdicts(verdicts)
    shown = [table.node_at(row).id for row in range(table.rowCount())]
    wanted = [
        node.id
        for i, node in enumerate(model.nodes)
        if kept[i] and (not verdicts or VERDICTS[i % len(VERDICTS)] in verdicts)
    ]
    assert sorted(shown) == sorted(wanted)
    assert [table.row_of(node) for node in shown] == list(range(len(shown)))
    del tester
