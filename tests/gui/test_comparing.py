"""The Compare tab: from the dialog to the table, kept true to target, rewrites and language; gone when closed."""

import threading

import numpy as np
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu

from inspector.errors import UsageError
from inspector.gui.dialogs.compare import CompareDialog
from inspector.gui.models.compare import CompareColumn
from inspector.gui.models.nodes import NODE_ROLE
from inspector.gui.service import Choice
from inspector.placement.target import Device
from inspector.placement.verdict import Verdict
from inspector.text import say

pytestmark = pytest.mark.qt_log_ignore(
    "propagateSizeHints",
    "does not support raise",
    "does not support grabbing",  # the offscreen platform, on any dialog
)


def compare_in_dialog(desk, platform=None):
    """View > Compare with…, choose *platform* (None: what is suggested), Enter."""
    desk.window.actions_["view.compare"].trigger()
    dialog = desk.window.findChild(CompareDialog)
    desk.bot.waitUntil(dialog.isVisible)
    if platform is not None:
        dialog.platform.setCurrentIndex(dialog.platform.findData(platform))
    desk.bot.keyClick(dialog, Qt.Key.Key_Return)
    desk.idle()
    return dialog


def panel(desk):
    return desk.window.comparing.panel


def is_open(desk):
    return desk.bench.bottom.indexOf(panel(desk)) >= 0


def rows(desk):
    table = panel(desk).proxy
    return [[table.index(r, c).data() for c in range(table.columnCount())] for r in range(table.rowCount())]


def retarget(desk, platform):
    bar = desk.bench.target_bar
    bar.platform.setCurrentIndex(bar.platform.findData(platform))
    bar.platform.activated.emit(bar.platform.currentIndex())
    desk.idle()


@pytest.fixture
def compared(desk):
    """The sample on j6p beside x5, where none of its three ConvTranspose runs either."""
    desk.open()
    compare_in_dialog(desk, "x5")
    return desk


def test_no_tab_before_and_none_after(desk):
    assert not desk.window.actions_["view.compare"].isEnabled()
    desk.open()
    assert not is_open(desk)
    compare_in_dialog(desk)
    assert is_open(desk)
    assert desk.bench.bottom.currentWidget() is panel(desk)
    desk.bot.mouseClick(panel(desk).close_button, Qt.MouseButton.LeftButton)
    assert not is_open(desk)
    assert not panel(desk).isVisible()
    assert not desk.errors


def test_what_changes_is_counted_and_named_with_its_clauses(compared):
    desk = compared
    here = desk.document.workspace.placement
    there = desk.window.service.place(desk.model, desk.window.service.target(Choice("x5")))
    changed = [n.id for n in desk.model.nodes if here.verdicts[n.id].verdict is not there.verdicts[n.id].verdict]
    assert changed
    table = panel(desk).proxy
    listed = [table.index(r, 0).data(NODE_ROLE) for r in range(table.rowCount())]
    assert [node for node in listed if node in changed] == changed
    assert panel(desk).headline.text().startswith(f"{len(changed)} of {len(desk.model.nodes)} nodes change")
    assert f"segments {len(here.segments)} → {len(there.segments)}" in panel(desk).details.text()
    for row, node in enumerate(listed):
        check = next(iter(there.verdicts[node].failed), None) if node is not None else None
        if check is not None and there.verdicts[node].verdict is Verdict.CPU:
            assert check.clause in table.index(row, CompareColumn.WHY_THERE).data()


def test_a_row_selects_and_centres_its_node(compared):
    desk = compared
    table = panel(desk).table
    row = next(r for r in range(panel(desk).proxy.rowCount()) if panel(desk).proxy.index(r, 0).data(NODE_ROLE))
    graph = desk.bench.graph
    graph.move_camera(graph.camera.panned(9000, 9000))
    index = panel(desk).proxy.index(row, CompareColumn.OP)
    desk.bot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    desk.idle()
    assert desk.document.selected == index.data(NODE_ROLE)
    assert graph.seen().contains(graph.extent([desk.document.selected]))
    desk.bot.keyClick(table, Qt.Key.Key_Down)
    desk.idle()
    assert desk.document.selected == panel(desk).proxy.index(row + 1, 0).data(NODE_ROLE)


def test_unchanged_nodes_are_dimmed_on_request_and_a_filter_comes_first(compared):
    desk = compared
    graph = desk.bench.graph
    assert graph.marks.dimmed is None
    panel(desk).dim.click()
    changed = {change.node for change in desk.window.comparing.comparison.changes}
    bright = {int(graph.scene.node[box]) for box in np.flatnonzero(~graph.marks.dimmed)}
    assert {node for node in bright if node >= 0} == changed & set(graph.scene.box_of)
    desk.bench.target_bar.chips[Verdict.CPU].click()
    filtered = graph.marks.dimmed
    desk.bench.target_bar.chips[Verdict.CPU].click()
    assert not np.array_equal(graph.marks.dimmed, filtered)
    desk.window.set_language("zh_CN")
    desk.idle()
    assert graph.marks.dimmed is not None
    panel(desk).closed.emit()
    assert graph.marks.dimmed is None


def test_it_follows_another_target_and_an_accepted_rewrite(compared):
    desk = compared
    retarget(desk, "x3")
    assert panel(desk).model.headerData(CompareColumn.HERE, Qt.Orientation.Horizontal) == "x3"
    assert panel(desk).model.headerData(CompareColumn.THERE, Qt.Orientation.Horizontal) == "x5"
    retarget(desk, "x5")
    assert panel(desk).headline.text().startswith("None of")
    assert rows(desk) == []
    retarget(desk, "j6p")
    before = rows(desk)
    desk.preview("convtranspose3d-to-2d")
    assert rows(desk) == before
    gone = desk.document.proposal.anchor
    desk.document.accept()
    desk.idle()
    assert panel(desk).model.row_of(gone) is None
    assert panel(desk).headline.text().count(str(len(desk.model.nodes)))
    assert not desk.errors


def test_versions_of_one_platform_are_told_apart_in_the_titles(desk):
    desk.open()
    retarget(desk, "x5")
    versions = [known.version for known in desk.window.service.catalog.platform("x5").toolchains]
    desk.window.comparing.compare(Choice("x5", versions[0]))
    desk.idle()
    titles = [panel(desk).model.headerData(c, Qt.Orientation.Horizontal) for c in (2, 3)]
    assert titles == [versions[-1], versions[0]]
    assert "node_info" not in panel(desk).details.text()
    assert "GridSample" in panel(desk).details.text()  # known to differ since a version in between


def test_forced_nodes_are_forced_on_both_sides(compared):
    desk = compared
    node = desk.node("ConvTranspose").id
    desk.document.override(desk.document.choice.overrides.force(node, Device.CPU))
    desk.idle()
    comparison = desk.window.comparing.comparison
    assert comparison.before.target.forced == comparison.after.target.forced == {node: Device.CPU}


def test_an_answer_about_an_older_state_is_not_shown(compared, monkeypatch):
    desk = compared
    service, held = desk.window.service, threading.Event()
    compare = service.compare

    def slow(workspace, choice):
        held.wait(30)
        return compare(workspace, choice)

    monkeypatch.setattr(service, "compare", slow)
    desk.window.comparing.compare(Choice("x3"))
    bar = desk.bench.target_bar
    bar.platform.setCurrentIndex(bar.platform.findData("s100"))
    bar.platform.activated.emit(bar.platform.currentIndex())
    desk.bot.waitUntil(lambda: desk.document.workspace.target.platform == "s100")
    assert rows(desk) == []
    held.set()
    desk.idle()
    comparison = desk.window.comparing.comparison
    assert comparison.before is desk.document.workspace.placement
    assert comparison.after.target.platform == "x3"


def test_target_bar_offers_it_too(desk):
    desk.open()
    bar = desk.bench.target_bar
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, bar.rect().center(), bar.mapToGlobal(bar.rect().center()))
    seen = []

    def look():
        menu = QApplication.activePopupWidget()
        if isinstance(menu, QMenu):
            seen.extend(action.objectName() for action in menu.actions())
            menu.close()

    QTimer.singleShot(200, look)
    QApplication.sendEvent(bar, asked)
    assert seen == ["view.compare"]


def test_both_languages(compared):
    desk = compared
    node = desk.window.comparing.comparison.changes[0].node
    desk.window.controller.go_to(node)
    desk.window.set_language("zh_CN")
    desk.idle()
    assert panel(desk).table.currentIndex().data(NODE_ROLE) == node
    assert "个节点" in panel(desk).headline.text()
    assert desk.bench.bottom.tabText(desk.bench.bottom.indexOf(panel(desk))) == "比较"


def test_a_comparison_that_fails_or_is_cancelled_says_so(compared, monkeypatch):
    desk = compared
    service, held = desk.window.service, threading.Event()
    compare = service.compare

    def refuse(workspace, choice):
        raise UsageError(say("cli.against", found="x9"), say("cli.against_help"))

    def slow(workspace, choice):
        held.wait(30)
        return compare(workspace, choice)

    monkeypatch.setattr(service, "compare", refuse)
    desk.window.comparing.compare(Choice("x3"))
    desk.idle()
    assert panel(desk).headline.text() == "No comparison"
    assert "x9" in panel(desk).details.text()
    monkeypatch.setattr(service, "compare", slow)
    desk.window.comparing.compare(Choice("x3"))
    assert panel(desk).headline.text() == "Comparing"
    desk.window.jobs.cancel_current()
    held.set()
    desk.idle()
    assert panel(desk).headline.text() == "No comparison"
    assert rows(desk) == []
    assert not panel(desk).dim.isEnabled()


def test_it_ends_with_the_model(compared):
    desk = compared
    desk.window.actions_["file.close"].trigger()
    desk.idle()
    assert not is_open(desk)
    desk.open()
    assert not is_open(desk)


def test_it_does_not_widen_the_smallest_window(compared):
    desk = compared
    desk.window.resize(desk.window.minimumSize())
    desk.idle()
    assert desk.window.minimumSizeHint().width() <= desk.window.minimumWidth()
    assert panel(desk).close_button.visibleRegion().boundingRect().width() == panel(desk).close_button.width()
