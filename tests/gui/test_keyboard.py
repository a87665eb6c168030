"""The whole job by keys alone; nothing that is closed stays behind."""

import gc
import re
import threading

import pytest
import yaml
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from inspector.gui import pinyin
from inspector.gui.action_table import BY_ID, MENUS, SPECS, Context, keys_of
from inspector.gui.actions import Actions, title_of
from inspector.gui.palette_sources import command_titles
from inspector.gui.proposal import Proof
from inspector.model.graph import Model
from inspector.placement.verdict import Verdict
from inspector.rewrite import registry
from inspector.worker.folders import private_folder
from tests.gui.test_trouble import Wrong
from tests.gui.window import SAMPLE, choose, save_conv_bn

CTRL, SHIFT, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier(0)
ALT = Qt.KeyboardModifier.AltModifier


def press(desk, key, modifiers=NONE):
    focus = QApplication.focusWidget() or desk.window
    desk.bot.keyClick(focus, key, modifiers)
    desk.idle()


def test_fix_accept_undo_redo_by_keys(desk):
    desk.open()
    desk.window.activateWindow()
    for _ in range(2):
        press(desk, Qt.Key.Key_F8)
        press(desk, Qt.Key.Key_R, CTRL)
        desk.wait_proof()
        press(desk, Qt.Key.Key_Return, CTRL)
    document = desk.document
    assert len(document.workspace.groups) == 2
    counts = []
    for key, modifiers in (
        (Qt.Key.Key_Z, CTRL),
        (Qt.Key.Key_Z, CTRL),
        (Qt.Key.Key_Y, CTRL),
        (Qt.Key.Key_Z, CTRL | SHIFT),
    ):
        press(desk, key, modifiers)
        counts.append((len(document.workspace.groups), document.unsaved))
    assert counts == [(1, True), (0, False), (1, True), (2, True)]


def test_mark_follows_undo_to_the_saved_state(desk, tmp_path):
    desk.open()
    desk.preview("convtranspose3d-to-2d")
    desk.document.accept()
    desk.idle()
    desk.document.save_as(tmp_path / "out.onnx")
    desk.idle()
    marks = [desk.document.unsaved]
    for key in (Qt.Key.Key_Z, Qt.Key.Key_Y):
        press(desk, key, CTRL)
        marks.append(desk.document.unsaved)
    assert marks == [False, True, False]
    assert not desk.window.isWindowModified()


def test_all_sites_are_one_step_and_refused_ones_are_listed(desk):
    desk.open()
    desk.preview("convtranspose3d-to-2d")
    desk.document.accept()
    desk.idle()
    proposal = desk.document.proposal
    assert proposal is None
    desk.document.propose("convtranspose3d-to-2d", desk.node("ConvTranspose", -1).id, every_site=True)
    desk.wait_proof()
    proposal = desk.document.proposal
    assert proposal.proof is Proof.PASSED
    assert len(proposal.previews) == 2
    press(desk, Qt.Key.Key_Return, CTRL)
    assert [len(group) for group in desk.document.workspace.groups] == [1, 2]
    press(desk, Qt.Key.Key_Z, CTRL)
    assert [len(group) for group in desk.document.workspace.groups] == [1]


def test_escape_leaves_preview_then_filter_and_selection(desk):
    desk.open()
    press(desk, Qt.Key.Key_F8)
    press(desk, Qt.Key.Key_R, CTRL)
    desk.wait_proof()
    press(desk, Qt.Key.Key_Escape)
    assert desk.document.proposal is None
    assert QApplication.focusWidget() is not None
    assert desk.document.selected is not None
    press(desk, Qt.Key.Key_Escape)
    assert desk.document.selected is None


def test_focus_is_somewhere_visible_after_every_change(desk):
    desk.open()
    steps = (
        lambda: press(desk, Qt.Key.Key_F8),
        lambda: press(desk, Qt.Key.Key_R, CTRL),
        desk.wait_proof,
        lambda: press(desk, Qt.Key.Key_Return, CTRL),
        lambda: press(desk, Qt.Key.Key_Z, CTRL),
        lambda: press(desk, Qt.Key.Key_B, CTRL),
        lambda: press(desk, Qt.Key.Key_F, CTRL),
        lambda: press(desk, Qt.Key.Key_B, CTRL),
        lambda: press(desk, Qt.Key.Key_J, CTRL),
        lambda: press(desk, Qt.Key.Key_W, CTRL),
    )
    for number, step in enumerate(steps):
        step()
        focus = QApplication.focusWidget()
        assert focus is not None, number
        assert focus.isVisible(), number


def test_every_panel_is_reached_by_tab(desk):
    desk.open()
    desk.bench.graph.setFocus()
    bench = desk.bench
    wanted = {bench.target_bar, bench.left, bench.pages, bench.right, bench.bottom}
    for _ in range(200):
        desk.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focus: QWidget = QApplication.focusWidget()
        wanted = {panel for panel in wanted if not panel.isAncestorOf(focus)}
        if not wanted:
            return
    pytest.fail(f"not reached: {wanted}")


# The action table


def test_the_window_runs_every_row_of_the_table_and_no_other(desk):
    assert desk.window.actions_.specs == SPECS
    assert len(BY_ID) == len(SPECS)
    with pytest.raises(KeyError, match=r"file\.nothing"):
        Actions(desk.window, desk.window.menuBar(), {"file.nothing": print})


def test_no_two_actions_have_one_key_where_both_act():
    window, canvas = [], []
    for spec in SPECS:
        keys = [key.toString() for key in keys_of(spec)]
        (window if spec.context is Context.WINDOW else canvas).extend(keys)
        canvas.extend([spec.letter] if spec.letter else [])
    # What acts everywhere acts on a canvas, too.
    both = window + canvas
    assert len(both) == len(set(both))


def test_letters_and_digits_belong_to_the_canvas():
    plain = [s.id for s in SPECS for key in keys_of(s) if len(key.toString()) == 1 and s.context is Context.WINDOW]
    assert plain == []


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_action_is_reached_by_menu_or_palette_and_explains_itself(desk, language):
    desk.window.set_language(language)
    listed = {entry.id for entry in command_titles(SPECS).entries}
    menus = [desk.window.actions_.menu(name) for name in MENUS]
    in_menus = {action.objectName() for menu in menus for action in menu.findChildren(QAction)} | {
        action.objectName() for menu in menus for action in menu.actions()
    }
    for spec in SPECS:
        action = desk.window.actions_[spec.id]
        assert action.toolTip(), spec.id
        assert spec.id in in_menus or action in desk.window.actions(), spec.id
        assert spec.id in listed or keys_of(spec), spec.id
        if not action.isEnabled():
            plain = title_of(spec, language)
            assert desk.window.actions_.reason(spec.id) == action.toolTip() != plain, spec.id


def test_titles_are_translated_and_can_be_typed_in_pinyin():
    known = pinyin.readings()
    for spec in SPECS:
        chinese = title_of(spec, "zh_CN")
        assert re.search(r"[\u4e00-\u9fff]", chinese), spec.id
        missing = [letter for letter in chinese if "\u4e00" <= letter <= "\u9fff" and letter not in known]
        assert missing == [], f"run scripts/pinyin.py: {chinese}"


# Keys of the canvas


@pytest.fixture
def canvas(desk):
    desk.open()
    desk.window.activateWindow()
    desk.bench.graph.setFocus()
    return desk


def selected(desk):
    return None if desk.document.selected is None else desk.model.node(desk.document.selected).label


def names(desk):
    return [node.label for node in desk.model.main.nodes]


def test_arrows_travel_and_alt_arrows_go_back(canvas):
    canvas.document.select(canvas.model.main.nodes[0].id)
    for _ in range(2):
        press(canvas, Qt.Key.Key_Down)
    assert selected(canvas) == names(canvas)[2]
    press(canvas, Qt.Key.Key_Left, ALT)
    assert selected(canvas) == names(canvas)[1]
    press(canvas, Qt.Key.Key_Left, ALT)
    assert selected(canvas) == names(canvas)[0]
    press(canvas, Qt.Key.Key_Left, ALT)
    assert selected(canvas) == names(canvas)[0]
    press(canvas, Qt.Key.Key_Right, ALT)
    assert selected(canvas) == names(canvas)[1]
    press(canvas, Qt.Key.Key_Down)
    press(canvas, Qt.Key.Key_Right, ALT)
    assert selected(canvas) == names(canvas)[2]


def faint(desk):
    marks, scene = desk.bench.graph.marks, desk.bench.graph.scene
    return [] if marks.dimmed is None else [scene.label[box] for box in marks.dimmed.nonzero()[0]]


def test_traces_upstream_and_downstream_with_hops(canvas):
    canvas.document.select(canvas.model.main.nodes[2].id)
    press(canvas, Qt.Key.Key_U)
    assert faint(canvas) == [*names(canvas)[3:], "occ"]
    assert canvas.bench.graph.marks.traced
    press(canvas, Qt.Key.Key_1)
    assert faint(canvas) == ["feat", names(canvas)[0], *names(canvas)[3:], "occ"]
    press(canvas, Qt.Key.Key_D)
    assert faint(canvas) == ["feat", *names(canvas)[:2]]
    press(canvas, Qt.Key.Key_D)
    assert faint(canvas) == []
    assert selected(canvas) == names(canvas)[2]


def test_escape_ends_the_trace_before_it_clears_the_selection(canvas):
    canvas.document.select(canvas.model.main.nodes[2].id)
    press(canvas, Qt.Key.Key_U)
    press(canvas, Qt.Key.Key_Escape)
    assert faint(canvas) == []
    assert selected(canvas) == names(canvas)[2]
    press(canvas, Qt.Key.Key_Escape)
    assert selected(canvas) is None


def test_a_trace_outlives_other_verdicts_and_gives_way_to_a_filter(canvas):
    canvas.document.select(canvas.model.main.nodes[2].id)
    press(canvas, Qt.Key.Key_U)
    shown = faint(canvas)
    choose(canvas, "x5")
    canvas.idle()
    assert faint(canvas) == shown
    canvas.bench.target_bar.chips[Verdict.BPU].click()
    assert not canvas.window.controller.navigator.active
    canvas.bench.target_bar.clear_filter()
    assert faint(canvas) == []


def test_path_between_two_nodes(canvas):
    canvas.document.select(canvas.model.main.nodes[3].id)
    press(canvas, Qt.Key.Key_P)
    canvas.document.select(canvas.model.main.nodes[1].id)
    assert faint(canvas) == ["feat", names(canvas)[0], names(canvas)[4], "occ"]


def test_bookmarks(canvas):
    first, last = canvas.model.main.nodes[0], canvas.model.main.nodes[-1]
    canvas.document.select(first.id)
    press(canvas, Qt.Key.Key_3, CTRL)
    canvas.document.select(last.id)
    press(canvas, Qt.Key.Key_4)
    assert selected(canvas) == last.label
    press(canvas, Qt.Key.Key_3)
    assert selected(canvas) == first.label


def test_letters_are_typed_in_fields(canvas):
    canvas.document.select(canvas.model.main.nodes[2].id)
    canvas.bench.nodes.filter.setFocus()
    for key in (Qt.Key.Key_U, Qt.Key.Key_D, Qt.Key.Key_V, Qt.Key.Key_P, Qt.Key.Key_1, Qt.Key.Key_F):
        press(canvas, key)
    assert canvas.bench.nodes.filter.text() == "udvp1f"
    assert faint(canvas) == []


def test_letters_and_arrows_belong_to_the_menu_bar_while_it_is_open(canvas):
    node = canvas.model.main.nodes[2]
    canvas.document.select(node.id)
    bar = canvas.window.menuBar()
    bar.show()
    bar.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_U, Qt.Key.Key_1):
        canvas.bot.keyClick(bar, key)
    assert selected(canvas) == node.label
    assert faint(canvas) == []
    for menu in canvas.window.findChildren(QMenu):
        menu.close()
    bar.hide()


def test_copy_keys(canvas):
    node = canvas.model.main.nodes[0]
    canvas.document.select(node.id)
    press(canvas, Qt.Key.Key_C, CTRL)
    assert QApplication.clipboard().text() == node.label
    press(canvas, Qt.Key.Key_C, CTRL | SHIFT)
    copied = yaml.safe_load(QApplication.clipboard().text())
    assert (copied["name"], copied["verdict"]) == (node.label, "CPU")


def test_copies_from_the_menu(canvas):
    node = canvas.model.main.nodes[0]
    canvas.document.select(node.id)
    canvas.window.actions_["edit.copy_row"].trigger()
    cells = QApplication.clipboard().text().split("\t")
    assert cells[:3] == ["CPU", "ConvTranspose", node.label]
    canvas.window.actions_["edit.copy_attributes"].trigger()
    assert yaml.safe_load(QApplication.clipboard().text())["kernel_shape"] == [5, 2, 2]
    canvas.window.actions_["edit.copy_picture"].trigger()
    assert QApplication.clipboard().pixmap().width() > 0


def test_verify_by_its_letter(canvas):
    canvas.preview("convtranspose3d-to-2d")
    canvas.document.accept()
    canvas.idle()
    canvas.bench.graph.setFocus()
    press(canvas, Qt.Key.Key_V)
    assert canvas.document.verification is not None


def test_f8_goes_through_the_problems_inside_a_preview(canvas):
    canvas.preview("convtranspose3d-to-2d")
    before = canvas.bench.preview.before
    seen = []
    for _ in range(3):
        press(canvas, Qt.Key.Key_F8)
        seen.append(before.selected_node())
    assert len(set(seen)) == 3
    assert {canvas.document.workspace.model.node(node).op.name for node in seen} == {"ConvTranspose"}
    canvas.document.reject()


def test_f6_leads_through_the_panels_and_back(canvas):
    desk, bench = canvas, canvas.bench
    order = [bench.pages, bench.right, bench.bottom, desk.window.header, bench.target_bar, bench.left, bench.pages]
    for panel in order[1:]:
        press(desk, Qt.Key.Key_F6)
        assert panel.isAncestorOf(QApplication.focusWidget()), panel
    for panel in reversed(order[:-1]):
        press(desk, Qt.Key.Key_F6, SHIFT)
        assert panel.isAncestorOf(QApplication.focusWidget()), panel


def test_keys_of_view_and_table(canvas):
    view = canvas.bench.graph
    press(canvas, Qt.Key.Key_Plus)
    zoomed = view.camera.scale
    press(canvas, Qt.Key.Key_Minus)
    assert view.camera.scale < zoomed
    press(canvas, Qt.Key.Key_0, CTRL)
    assert view.camera.scale == pytest.approx(1.0)
    press(canvas, Qt.Key.Key_F)
    assert view.seen().contains(view.geometry_shown.bounds)
    press(canvas, Qt.Key.Key_F11)
    assert canvas.window.isFullScreen()
    press(canvas, Qt.Key.Key_F11)
    canvas.document.select(canvas.model.main.nodes[1].id)
    press(canvas, Qt.Key.Key_T, CTRL)
    assert canvas.bench.nodes.isAncestorOf(QApplication.focusWidget())


def test_wrong_rule_cannot_be_accepted_by_any_way(desk, tmp_path, monkeypatch):
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    wrong = Wrong(registry.rule("bn-fold"))
    monkeypatch.setattr("inspector.gui.service.rule_of", lambda _id: wrong)
    desk.preview("bn-fold", "BatchNormalization")
    before = desk.document.workspace
    press(desk, Qt.Key.Key_Return, CTRL)
    desk.window.actions_["rewrite.accept"].trigger()
    desk.bot.mouseClick(desk.bench.preview.accept, Qt.MouseButton.LeftButton)
    desk.bench.preview.accept_asked.emit()
    desk.idle()
    assert desk.document.workspace is before
    assert desk.document.undo_stack.count() == 0


def left(desk):
    for _ in range(2):
        for _ in range(3):
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # needs a turn of an event loop of its own
            QApplication.processEvents()
        gc.collect()
    return {
        "models": sum(isinstance(thing, Model) for thing in gc.get_objects()),
        "objects": len(desk.window.findChildren(QObject)),
        # Threads of Qt's pool come and go by themselves; Python calls them dummies.
        "threads": sum(not thread.name.startswith("Dummy") for thread in threading.enumerate()),
        "files": len(list(private_folder().iterdir())),
    }


def test_closed_models_leave_nothing_behind(desk, tmp_path):
    other = save_conv_bn(tmp_path / "other.onnx")

    def story(path, rule, op):
        desk.open(path)
        desk.document.select(desk.node(op).id)
        desk.preview(rule, op)
        desk.document.accept()
        desk.idle()
        desk.document.undo()
        desk.document.undo_stack.clear()
        desk.window.actions_["file.close"].trigger()
        desk.idle()

    counts = []
    for _ in range(3):
        story(SAMPLE, "convtranspose3d-to-2d", "ConvTranspose")
        story(other, "bn-fold", "BatchNormalization")
        counts.append(left(desk))
    assert counts[1] == counts[2]
