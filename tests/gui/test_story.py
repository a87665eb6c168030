"""The main job through real widgets: open, see why, preview, prove, accept, undo, save."""

import numpy as np
import onnx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu, QPushButton

from inspector.gui.canvas.scene import kept_boxes
from inspector.gui.panels.explain import ExplainPanel
from inspector.gui.proposal import Proof
from inspector.gui.widgets import ElidedButton
from inspector.model.load import load_model
from inspector.placement.verdict import Verdict
from inspector.verify.result import Status
from tests.gui.window import SAMPLE, save_conv_bn

RULE = "convtranspose3d-to-2d"


def texts(widget):
    labels = [label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget)]
    return labels + [link.whole_text for link in widget.findChildren(ElidedButton) if link.isVisibleTo(widget)]


def press(desk, widget, text):
    found = [b for b in widget.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(widget)]
    assert found, f"no button {text!r}"
    desk.bot.mouseClick(found[0], Qt.MouseButton.LeftButton)


def test_open_explain_preview_accept_undo_redo_save(desk, tmp_path):
    desk.open()
    assert desk.counts[Verdict.CPU] == 3
    assert desk.bench.target_bar.chips[Verdict.CPU].text().split() == ["CPU", "3"]

    desk.window.actions_["view.next_problem"].trigger()
    desk.idle()
    node = desk.model.node(desk.document.selected)
    assert node.op.name == "ConvTranspose"
    assert desk.bench.graph.selected_node() == node.id
    shown = " ".join(texts(desk.bench.explain))
    verdict = desk.document.workspace.placement.verdicts[node.id]
    assert str(verdict.failed[0].source.document) in shown
    assert verdict.failed[0].clause in shown

    press(desk, desk.bench.explain, "Preview all")
    desk.wait_proof()
    proposal = desk.document.proposal
    assert proposal.proof is Proof.PASSED
    assert len(proposal.previews) == 3
    assert desk.bench.pages.currentWidget() is desk.bench.preview
    assert all(diff.equal for diff in proposal.whole.outputs)
    assert desk.bench.preview.accept.isEnabled()

    desk.bot.mouseClick(desk.bench.preview.accept, Qt.MouseButton.LeftButton)
    desk.idle()
    assert desk.trouble() == 0
    assert desk.window.isWindowModified()
    accepted = desk.document.workspace

    desk.window.actions_["edit.undo"].trigger()
    desk.idle()
    assert desk.counts[Verdict.CPU] == 3
    assert not desk.window.isWindowModified()
    desk.window.actions_["edit.redo"].trigger()
    desk.idle()
    assert desk.document.workspace is accepted

    out = tmp_path / "saved.onnx"
    desk.document.save_as(out)
    desk.idle()
    assert not desk.window.isWindowModified()
    assert (tmp_path / "saved.recipe.json").is_file()
    saved = load_model(out)
    assert [n.op.name for n in saved.main.nodes] == [n.op.name for n in accepted.model.main.nodes]
    onnx.checker.check_model(onnx.load(str(out)))
    assert not desk.errors


def test_file_is_never_overwritten_by_itself(desk):
    before = SAMPLE.read_bytes()
    desk.open()
    desk.preview(RULE)
    desk.document.accept()
    desk.idle()
    desk.document.save_as(SAMPLE)
    desk.idle()
    assert desk.errors
    assert SAMPLE.read_bytes() == before
    assert desk.window.isWindowModified()


def test_another_target_recolours_without_moving(desk):
    desk.open()
    graph = desk.bench.graph
    graph.zoom_in()
    camera, scene = graph.camera, graph.scene
    bar = desk.bench.target_bar
    bar.platform.setCurrentIndex(bar.platform.findData("x5"))
    bar.platform.activated.emit(bar.platform.currentIndex())
    desk.idle()
    assert desk.document.workspace.target.march == "bayes-e"
    assert graph.camera == camera
    assert graph.scene is scene
    assert graph.placement is desk.document.workspace.placement


def test_target_change_during_a_preview_keeps_its_proof(desk):
    desk.open()
    proposal = desk.preview(RULE)
    bar = desk.bench.target_bar
    bar.platform.setCurrentIndex(bar.platform.findData("x3"))
    bar.platform.activated.emit(bar.platform.currentIndex())
    desk.idle()
    moved = desk.document.proposal
    assert moved.placement_after.target.march == "bernoulli2"
    assert moved.whole is proposal.whole
    assert moved.proof is Proof.PASSED


def test_another_variant_is_another_preview(desk):
    desk.open()
    first = desk.preview(RULE)
    assert len(first.variants) > 1
    desk.bench.preview.variant_asked.emit(first.variants[1])
    desk.idle()
    desk.wait_proof()
    assert desk.document.proposal.variant == first.variants[1]
    assert desk.document.proposal.proof is Proof.PASSED


def test_reject_leaves_everything_as_it_was(desk):
    desk.open()
    before = desk.document.workspace
    desk.preview(RULE)
    desk.bot.keyClick(desk.window, Qt.Key.Key_Escape)
    desk.idle()
    assert desk.document.proposal is None
    assert desk.document.workspace is before
    assert desk.bench.pages.currentWidget() is desk.bench.graph


def test_chips_filter_table_and_problems(desk):
    desk.open()
    chip = desk.bench.target_bar.chips[Verdict.BPU]
    desk.bot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert desk.bench.nodes.model.rowCount() == desk.counts[Verdict.BPU]
    desk.idle()
    assert desk.bench.problems.tree.topLevelItemCount() == 0
    desk.bot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert desk.bench.nodes.model.rowCount() == len(desk.model.nodes)


def test_search_finds_and_walks_hits(desk):
    desk.open()
    desk.window.actions_["edit.find"].trigger()
    desk.bench.search.field.setText("convtranspose")
    desk.window.actions_["edit.find_next"].trigger()
    found = [desk.model.node(hit) for hit in desk.bench.search.hits]
    assert {node.id for node in desk.model.main.nodes if node.op.name == "ConvTranspose"} <= {n.id for n in found}
    first = desk.document.selected
    desk.window.actions_["edit.find_next"].trigger()
    assert desk.document.selected in desk.bench.search.hits
    assert desk.document.selected != first


def test_cause_chain_links_lead_to_the_node(desk):
    desk.open()
    picked = []
    panel: ExplainPanel = desk.bench.explain
    panel.node_picked.connect(picked.append)
    for node in desk.model.main.nodes:
        verdict = desk.document.workspace.placement.verdicts[node.id]
        linked = [cause.node for cause in verdict.because if cause.node is not None]
        panel.show_node(desk.model, desk.document.workspace.placement, node, None)
        links = [b for b in panel.findChildren(QPushButton) if b.property("role") == "link" and b.isVisibleTo(panel)]
        if linked and links:
            links[0].click()
            assert picked[-1] in linked


def test_context_menu_offers_fixes_and_clean_ups(desk, tmp_path):
    desk.open(save_conv_bn(tmp_path / "m.onnx"))
    node = desk.node("BatchNormalization")
    desk.document.select(node.id)
    desk.idle()
    assert desk.document.found.cleanups, "folding is a clean-up where the toolchain folds by itself"
    assert not desk.document.found.fixes
    menu = desk.window.controller.menu.make(node.id)
    action = next(a for a in menu.actions() if a.text().startswith("Clean up"))
    action.trigger()
    desk.wait_proof()
    assert desk.document.proposal.rule.id == "bn-fold"
    assert desk.document.proposal.proof is Proof.PASSED
    assert desk.document.accept()
    desk.idle()
    assert [n.op.name for n in desk.model.main.nodes] == ["Conv"]


@pytest.mark.qt_log_ignore("This plugin does not support")  # the offscreen platform about any pop-up
def test_problem_list_leads_to_the_preview_of_its_row(desk):
    desk.open()
    tree = desk.bench.problems.tree
    row = tree.topLevelItem(0).child(0)
    tree.customContextMenuRequested.emit(tree.visualItemRect(row).center())
    desk.idle()
    (menu,) = [menu for menu in desk.bench.findChildren(QMenu) if menu.isVisible()]
    node = desk.document.selected
    next(action for action in menu.actions() if action.text().startswith("Preview: ")).trigger()
    menu.close()
    desk.wait_proof()
    assert [site.preview.match.anchor for site in desk.document.proposal.sites] == [node]
    assert desk.model.node(node).label in row.text(0)
    desk.document.reject()


def test_menu_opened_before_the_fixes_are_known_fills_itself(desk):
    desk.open()
    node = desk.node("ConvTranspose", 1)
    menu = desk.window.controller.menu.make(node.id)
    desk.idle()
    assert any(action.text().startswith("Preview: ") for action in menu.actions())
    menu.aboutToHide.emit()
    desk.document.select(desk.node("Relu").id)
    desk.idle()


def test_history_lists_what_was_accepted_with_its_proof(desk):
    desk.open()
    desk.preview(RULE, every_site=True)
    desk.document.accept()
    desk.idle()
    shown = texts(desk.bench.history)
    assert "3 sites" in shown
    assert "Passed" in shown
    assert "max abs 0" in shown
    desk.bench.history.undo_asked.emit()
    desk.idle()
    assert "3 sites" not in texts(desk.bench.history)


def test_undo_keeps_the_target_that_was_chosen_since(desk):
    desk.open()
    desk.preview(RULE)
    desk.document.accept()
    desk.idle()
    bar = desk.bench.target_bar
    bar.platform.setCurrentIndex(bar.platform.findData("x5"))
    bar.platform.activated.emit(bar.platform.currentIndex())
    desk.idle()
    desk.document.undo_stack.undo()
    desk.idle()
    assert desk.document.workspace.target.march == "bayes-e"
    assert desk.document.workspace.placement.target.march == "bayes-e"
    assert desk.bench.graph.placement is desk.document.workspace.placement


def test_verify_compares_with_the_original_after_accepting(desk):
    desk.open()
    assert not desk.window.actions_["rewrite.verify"].isEnabled()
    desk.preview(RULE)
    desk.document.accept()
    desk.idle()
    desk.window.actions_["rewrite.verify"].trigger()
    desk.idle()
    assert desk.document.verification.status is Status.PASSED
    assert desk.bench.bottom.currentWidget() is desk.bench.diff
    compared = desk.bench.diff.model.rowCount() - len(desk.bench.diff.model.title_rows)
    assert compared == len(desk.document.verification.outputs)


def test_node_of_the_pane_after_is_explained_with_its_own_verdict(desk):
    desk.open()
    proposal = desk.preview(RULE)
    added = proposal.added[0]
    desk.bench.preview.after.nodePicked.emit(added)
    desk.idle()
    said = texts(desk.bench.identity)
    assert proposal.after.node(added).op.name in said
    assert proposal.after.node(added).label in said
    assert "Looking for fixes" not in texts(desk.bench.explain)


def test_what_a_preview_does_not_touch_stays_where_it_is(desk):
    desk.open()
    before = desk.document.picture
    proposal = desk.preview(RULE)
    after = proposal.picture
    kept = kept_boxes(before.scene, after.scene)
    held = np.flatnonzero(kept >= 0)
    assert len(held) >= len(before.scene) - len(proposal.removed)
    middle = after.layout.x + after.layout.width / 2
    was = before.layout.x + before.layout.width / 2
    assert np.array_equal(middle[held], was[kept[held]])
    changed = after.layout.layer[kept < 0].min()
    above = held[after.layout.layer[held] < changed]
    assert len(above)
    assert np.array_equal(after.layout.y[above], before.layout.y[kept[above]])


def test_panes_of_the_preview_move_together(desk):
    desk.open()
    desk.preview(RULE)
    before, after = desk.bench.preview.before, desk.bench.preview.after
    middle = after.seen().center()
    start = before.seen().center()
    before.move_camera(before.camera.panned(30, -50))
    moved = before.seen().center() - start
    assert (after.seen().center() - middle - moved).manhattanLength() < 1e-6
    before.zoom_in()
    assert after.camera.scale == before.camera.scale
