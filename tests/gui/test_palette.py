"""The command palette, the cheat sheet and the context menus through real keys and clicks."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QContextMenuEvent
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu

from inspector.gui.action_table import SPECS, Place
from inspector.gui.dialogs.clause import ClauseDialog
from inspector.gui.dialogs.keys import CheatSheet
from inspector.gui.palette_entries import Kind
from inspector.placement.verdict import Verdict
from tests.gui.window import save_conv_bn

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # the offscreen platform about any pop-up

CTRL, SHIFT, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier(0)


def press(desk, key, modifiers=NONE):
    desk.bot.keyClick(QApplication.focusWidget() or desk.window, key, modifiers)
    desk.idle()


def typed(desk, line):
    """Open the palette by its key and type *line*."""
    desk.window.activateWindow()
    press(desk, Qt.Key.Key_K, CTRL)
    desk.bot.keyClicks(desk.window.quick.palette.field, line)
    desk.idle()
    return desk.window.quick.palette


def ids(palette):
    return [row.entry.id for row in palette.model.rows]


@pytest.fixture
def opened(desk):
    desk.open()
    desk.window.activateWindow()
    desk.bench.graph.setFocus()
    return desk


def test_a_node_is_found_and_shown_by_keys_alone(opened):
    palette = typed(opened, "relu")
    assert palette.isVisible()
    assert QApplication.focusWidget() is palette.field
    wanted = palette.current().node
    press(opened, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert opened.document.selected == wanted
    assert opened.model.node(wanted).op.name == "Relu"
    assert QApplication.focusWidget() is opened.bench.graph


def test_a_command_is_found_by_pinyin_and_runs(opened):
    press(opened, Qt.Key.Key_F8)
    palette = typed(opened, ">yulan")
    assert ids(palette)[0] == "rewrite.preview"
    press(opened, Qt.Key.Key_Return)
    opened.wait_proof()
    assert opened.document.proposal is not None


def test_what_is_off_says_why_and_does_not_run(desk):
    palette = typed(desk, "accept")
    assert ids(palette)[0] == "rewrite.accept"
    assert palette.current().reason == desk.window.actions_["rewrite.accept"].toolTip()
    press(desk, Qt.Key.Key_Return)
    assert palette.isVisible()
    press(desk, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_escape_gives_the_focus_back_and_changes_nothing(opened):
    press(opened, Qt.Key.Key_F8)
    before = opened.document.selected
    palette = typed(opened, "")
    press(opened, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert QApplication.focusWidget() is opened.bench.graph
    assert opened.document.selected == before


def test_a_click_elsewhere_closes_it_and_keeps_the_focus_there(opened):
    palette = typed(opened, "")
    opened.bench.nodes.filter.setFocus(Qt.FocusReason.MouseFocusReason)
    opened.idle()
    assert not palette.isVisible()
    assert QApplication.focusWidget() is opened.bench.nodes.filter


def test_arrows_walk_and_wrap_round(opened):
    palette = typed(opened, ">")
    first = palette.current().id
    press(opened, Qt.Key.Key_Up)
    last = palette.current().id
    press(opened, Qt.Key.Key_Down)
    assert palette.current().id == first != last
    press(opened, Qt.Key.Key_PageDown)
    assert ids(palette).index(palette.current().id) == 8


def test_what_was_chosen_comes_first_the_next_time(opened):
    typed(opened, "> fit")
    press(opened, Qt.Key.Key_Return)
    assert ids(typed(opened, ""))[0] == "view.fit"


def test_a_platform_is_chosen(opened):
    typed(opened, "@x5")
    press(opened, Qt.Key.Key_Return)
    assert opened.document.choice.platform == "x5"
    assert opened.document.workspace.target.platform == "x5"
    assert opened.bench.target_bar.platform.currentData() == "x5"


def test_a_toolchain_version_is_chosen(opened):
    typed(opened, "@x5 1.2.6")
    press(opened, Qt.Key.Key_Return)
    assert (opened.document.workspace.target.platform, opened.document.workspace.target.toolchain) == ("x5", "1.2.6")


def test_a_clause_is_explained_and_leads_to_the_nodes_that_fail_it(opened):
    palette = typed(opened, "#conv-transpose.stride")
    opened.bot.waitUntil(lambda: bool(palette.model.rows))
    press(opened, Qt.Key.Key_Return)
    dialog = next(d for d in opened.window.findChildren(ClauseDialog) if d.isVisible())
    shown = " ".join(label.text() for label in dialog.findChildren(QLabel))
    assert "conv-transpose.stride" in shown
    assert "field article on ConvTranspose3d" in shown
    dialog.nodes_asked.emit()
    dialog.close()
    opened.bench.search.search()
    assert {opened.model.node(hit).op.name for hit in opened.bench.search.hits} == {"ConvTranspose"}
    assert len(opened.bench.search.hits) == 2


def test_help_lists_the_prefixes_and_puts_one_in(opened):
    palette = typed(opened, "?")
    assert ids(palette) == ["/", ">", "#", "@"]
    press(opened, Qt.Key.Key_Down)
    press(opened, Qt.Key.Key_Return)
    assert palette.field.text() == ">"
    assert palette.model.rows[0].entry.kind is Kind.COMMAND


def test_filters_are_those_of_the_search_panel(opened):
    palette = typed(opened, "status:cpu op:ConvT")
    found = {row.entry.node for row in palette.model.rows}
    opened.bench.search.field.setText("status:cpu op:ConvT")
    opened.bench.search.search()
    assert found == set(opened.bench.search.hits)
    assert len(found) == 3


def test_both_languages_in_either_window(opened):
    english = typed(opened, ">fit").current()
    press(opened, Qt.Key.Key_Escape)
    opened.window.set_language("zh_CN")
    opened.idle()
    chinese = typed(opened, ">fit").current()
    assert (english.title, english.other) == (chinese.other, chinese.title)
    assert english.title == "Fit the graph"
    assert any(letter >= "\u4e00" for letter in chinese.title)


def test_it_fits_a_narrow_window(opened):
    opened.window.resize(1024, 680)
    palette = typed(opened, "")
    assert opened.window.rect().contains(palette.geometry())


def test_rows_are_read_out(opened):
    palette = typed(opened, ">accept")
    spoken = palette.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Accept, 接受, Ctrl+Return, No preview is open."


def test_a_closed_model_is_not_searched(desk, tmp_path):
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    desk.window.actions_["file.close"].trigger()
    desk.idle()
    assert all(row.entry.kind is Kind.COMMAND for row in typed(desk, "conv").model.rows)


# Cheat sheet


def test_cheat_sheet_lists_every_command_with_keys_and_is_searched(desk):
    desk.window.activateWindow()
    press(desk, Qt.Key.Key_F1)
    sheet = next(d for d in desk.window.findChildren(CheatSheet) if d.isVisible())
    with_keys = {s.id for s in SPECS if (s.keys or s.letter) and s.number in (None, 1)}
    assert {name for name in sheet.shown() if not name.startswith("pointer.")} == with_keys
    desk.bot.keyClicks(sheet.field, "F8")
    assert sheet.shown() == ("view.next_problem",)
    sheet.field.setText("jujue")
    assert sheet.shown() == ()
    sheet.field.setText("zhuizongshangyou")
    assert sheet.shown() == ("go.trace_up",)
    sheet.close()


# Context menus


def texts(menu):
    found = []
    for action in menu.actions():
        found.append(action.text().partition("\t")[0].replace("&", ""))
        if action.menu() is not None:
            found += texts(action.menu())
    return found


def test_node_menu_holds_every_action_of_the_table_for_nodes(opened):
    node = opened.node("ConvTranspose")
    menu = opened.window.controller.menu.make(node.id)
    opened.idle()
    shown = texts(menu)
    for action in opened.window.actions_.at(Place.NODE):
        assert action.text().partition("\t")[0].replace("&", "") in shown
    assert any(text.startswith("Preview: ") for text in shown)
    assert "Other fixes" in shown
    menu.aboutToHide.emit()


def test_menus_share_the_actions_of_the_menu_bar(opened):
    menu = opened.window.controller.menu.make(opened.node("Relu").id)
    opened.idle()
    assert opened.window.actions_["go.trace_up"] in menu.actions()
    assert opened.window.actions_["edit.copy_name"] in menu.actions()
    menu.aboutToHide.emit()


def test_edge_menu_leads_to_both_ends_and_copies_the_tensor(opened):
    view = opened.bench.graph
    scene, geometry = view.scene, view.geometry_shown
    edge = next(
        e
        for e in range(len(scene.edge_source))
        if scene.node[scene.edge_source[e]] >= 0 <= scene.node[scene.edge_target[e]]
    )
    begin = int(geometry.straight.start[edge])
    first, second = geometry.straight.points[begin], geometry.straight.points[begin + 1]
    view.centre_on(opened.model.nodes[0].id)
    middle = view.camera.screen(_point((first + second) / 2))
    asked = []
    view.edgeMenuAsked.connect(lambda index, _position: asked.append(index))
    _context_click(view, middle.toPoint())
    assert asked == [edge]
    menu = opened.window.controller.menu.make_edge(edge)
    ends = [opened.model.node(int(scene.node[box])).label for box in (scene.edge_source[edge], scene.edge_target[edge])]
    shown = texts(menu)
    assert any(text.startswith("Go to the producer") and ends[0] in text for text in shown)
    assert any(text.startswith("Go to the consumer") and ends[1] in text for text in shown)
    next(action for action in menu.actions() if action.text() == "Copy tensor name").trigger()
    assert QApplication.clipboard().text() == scene.values[int(scene.edge_value[edge])]
    next(action for action in menu.actions() if action.text().startswith("Go to the consumer")).trigger()
    assert opened.document.selected == int(scene.node[scene.edge_target[edge]])
    menu.aboutToHide.emit()
    for open_menu in opened.bench.findChildren(QMenu):
        open_menu.close()


def _point(pair):
    return QPointF(float(pair[0]), float(pair[1]))


def _context_click(view, position):
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, position, view.mapToGlobal(position))
    QApplication.sendEvent(view, event)


# Announcements

NAMES = {
    Verdict.BPU: "BPU",
    Verdict.CPU: "CPU",
    Verdict.UNSUPPORTED: "Unsupported",
    Verdict.UNKNOWN: "Unknown",
    Verdict.FOLDED: "Folded",
}


def test_verdicts_and_results_are_announced(opened, monkeypatch):
    heard = []
    monkeypatch.setattr("inspector.gui.announce.announce", lambda _source, text: heard.append(text))
    opened.document.retarget(opened.document.choice.__class__("x5"))
    opened.idle()
    counts = opened.counts
    wanted = [f"{name} {counts[verdict]}" for verdict, name in NAMES.items() if counts[verdict]]
    assert f"Placed on bayes-e: {', '.join(wanted)}" in heard
    opened.document.retarget(opened.document.choice.__class__("j6p"))
    opened.idle()
    opened.preview("convtranspose3d-to-2d")
    assert "The verification has begun" in heard
    assert "The verification has passed" in heard
    opened.document.reject()


def test_the_canvas_tells_the_selected_node_with_its_reason(opened):
    node = opened.node("ConvTranspose")
    opened.document.select(node.id)
    opened.idle()
    interface = QAccessible.queryAccessibleInterface(opened.bench.graph)
    told = interface.text(QAccessible.Text.Description)
    parts = told.split(", ")
    assert parts[:2] == ["ConvTranspose", "CPU"]
    assert "Kernel depth is 5" in told
    assert "the BPU takes 1 to 2" in told
    assert parts[-2].endswith("fixes")
    assert parts[-1] == "1 of 5"


def test_dialogs_close_by_escape(desk):
    for name in ("help.keys", "help.about"):
        desk.window.actions_[name].trigger()
        dialog = next(d for d in desk.window.findChildren(QDialog) if d.isVisible())
        desk.bot.keyClick(dialog, Qt.Key.Key_Escape)
        assert not dialog.isVisible()
