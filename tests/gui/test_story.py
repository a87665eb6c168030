"""The main job through real widgets: open, see why, preview, prove, accept, undo, save."""

import onnx
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton

from inspector.gui.panels.explain import ExplainPanel
from inspector.gui.proposal import Proof
from inspector.model.load import load_model
from inspector.placement.verdict import Verdict
from tests.gui.window import SAMPLE

RULE = "convtranspose3d-to-2d"


def texts(widget):
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget)]


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
    assert desk.bench.nodes.proxy.rowCount() == desk.counts[Verdict.BPU]
    assert desk.bench.problems.tree.topLevelItemCount() == 0
    desk.bot.mouseClick(chip, Qt.MouseButton.LeftButton)
    assert desk.bench.nodes.proxy.rowCount() == len(desk.model.nodes)


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
