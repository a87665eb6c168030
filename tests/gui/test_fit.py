"""Every text of the window has the room that it needs, in both languages and at all sizes that the window may have."""

from dataclasses import replace
from types import MappingProxyType, SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QMenu, QTabBar, QWidget

from inspector.gui.fonts import Role
from inspector.gui.panel_layout import Part
from inspector.gui.panels.causes import CauseChain
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, ElidedButton, Page, breakable, label
from inspector.gui.words import plain_tip
from inspector.placement.verdict import Because, NodeVerdict, Standing, Verdict
from inspector.text import Text
from tests.gui.window import save_conv_bn

SIZES = [(Size.WINDOW_MIN_WIDTH, Size.WINDOW_MIN_HEIGHT), (1180, 720), (1280, 800), (1600, 1000)]
SLACK = 2  # pixels by which a font's measure may differ from its layout


def cut(widget):
    """What is wrong with the room of a visible *widget*; empty when nothing is."""
    if isinstance(widget, Elided | ElidedButton):
        return cut_secretly(widget)
    if isinstance(widget, QLabel) and widget.text():
        return cut_label(widget)
    if isinstance(widget, QAbstractButton | QComboBox):
        wanted = widget.minimumSizeHint() if isinstance(widget, QComboBox) else widget.sizeHint()
        short = widget.width() + SLACK < wanted.width() and not isinstance(widget, QComboBox)
        low = widget.height() + SLACK < min(wanted.height(), Size.CONTROL)
        return f"{widget.size().toTuple()} of {wanted.toTuple()}" if short or low else ""
    return ""


def cut_secretly(widget):
    """Texts that may be cut must leave something to read, and tell the whole in the tooltip."""
    text = widget.whole_text if isinstance(widget, ElidedButton) else widget.text()
    if not text or widget.fontMetrics().horizontalAdvance(text) <= widget.width() + SLACK:
        return ""
    least = widget.fontMetrics().horizontalAdvance("m…")
    told = plain_tip(text) in widget.toolTip()
    return "" if told and widget.width() >= least else f"{widget.width()} px, tooltip {widget.toolTip()!r}"


def cut_label(widget):
    inner = widget.contentsRect()
    flags = Qt.TextFlag.TextWordWrap if widget.wordWrap() else Qt.TextFlag(0)
    needed = widget.fontMetrics().boundingRect(0, 0, inner.width(), 10_000, int(flags), widget.text())
    wide = widget.wordWrap() is False and needed.width() > inner.width() + SLACK
    high = needed.height() > inner.height() + SLACK
    return f"{inner.size().toTuple()} of {needed.size().toTuple()}" if wide or high else ""


def overlaps(window):
    """Pairs of texts of one parent that lie on each other."""
    found = []
    for parent in window.findChildren(QWidget):
        texts = [
            child
            for child in parent.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
            if isinstance(child, QLabel | QAbstractButton) and child.isVisible() and child.text()
        ]
        for index, first in enumerate(texts):
            for second in texts[index + 1 :]:
                common = first.geometry().intersected(second.geometry())
                if common.width() > SLACK and common.height() > SLACK:
                    found.append((type(parent).__name__, first.text(), second.text()))
    return found


def faults(window):
    found = [
        (type(widget).__name__, widget.text() if hasattr(widget, "text") else widget.currentText(), problem)
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and not isinstance(widget, QMenu | QTabBar) and (problem := cut(widget))
    ]
    return found + overlaps(window)


def at_every_size(desk, sizes=SIZES):
    """Faults of the present state in both languages and at all sizes."""
    found = []
    for language in ("en", "zh_CN"):
        desk.window.set_language(language)
        for size in sizes:
            desk.window.resize(*size)
            for _ in range(3):
                QApplication.processEvents()
            found += [(language, size[0], *fault) for fault in faults(desk.window)]
    desk.window.set_language("en")
    return found


def test_start_page(desk):
    assert at_every_size(desk) == []


def test_opened_and_selected(desk):
    desk.open()
    assert at_every_size(desk) == []
    desk.window.actions_["view.next_problem"].trigger()
    desk.idle()
    for panel in (desk.bench.explain, desk.bench.node, desk.bench.fixes):
        desk.bench.inspector_tabs.setCurrentWidget(panel)
        assert at_every_size(desk) == []


def test_every_page_below_the_canvas_and_search(desk):
    desk.open()
    desk.bench.left.setCurrentWidget(desk.bench.search)
    desk.bench.search.field.setText("conv")
    for page in (desk.bench.nodes, desk.bench.diff, desk.bench.history, desk.bench.log):
        desk.bench.bottom.setCurrentWidget(page)
        assert at_every_size(desk) == []


def test_preview_with_its_proof_and_history(desk):
    desk.open().preview("convtranspose3d-to-2d", every_site=True)
    assert at_every_size(desk) == []
    assert desk.document.accept()
    desk.idle()
    desk.bench.bottom.setCurrentWidget(desk.bench.history)
    assert at_every_size(desk) == []


def test_both_panes_of_a_preview_start_at_one_height(desk):
    proposal = desk.open().preview("convtranspose3d-to-2d")
    panes = desk.bench.preview
    site = proposal.sites[0].preview
    tops = [
        view.camera.screen(view.extent(nodes).topLeft()).y()
        for view, nodes in ((panes.before, site.removed), (panes.after, site.added))
    ]
    assert tops[0] == pytest.approx(tops[1], abs=1)
    assert 0 < tops[0] < panes.before.height() / 2


def test_banners_of_unknown_shapes(desk, tmp_path):
    desk.open(save_conv_bn(tmp_path / "dynamic.onnx", dynamic=True))
    assert at_every_size(desk) == []


def test_outline_and_several_nodes(desk):
    desk.open()
    desk.bench.open(desk.bench.outline)
    desk.bench.outline.tree.setCurrentIndex(desk.bench.outline.model.index(0, 0))
    desk.idle()
    assert desk.bench.inspector_pages.currentWidget() is desk.bench.several
    assert at_every_size(desk) == []


@pytest.mark.parametrize("percent", [150, 200])
def test_larger_scales(desk, percent):
    preferences = desk.window.preferences
    before = preferences.settings
    preferences.apply(replace(before, ui_scale_percent=percent))
    try:
        assert at_every_size(desk, SIZES[:1] + SIZES[-1:]) == []
        desk.open()
        assert at_every_size(desk, SIZES[:1] + SIZES[-1:]) == []
        desk.window.actions_["view.next_problem"].trigger()
        desk.idle()
        for part in Part:
            desk.window.actions_[f"view.{part}"].trigger()
            assert at_every_size(desk, SIZES[:1]) == []
    finally:
        preferences.apply(before)


@pytest.mark.parametrize("text", ["x" * 400, "非常长的名称" * 60, "/a/very/long/name/" * 20])
def test_long_texts_are_cut_and_told_in_the_tooltip(qtbot, text):
    shown = Elided(text)
    qtbot.addWidget(shown)
    shown.resize(120, 20)
    shown.show()
    assert shown.minimumSizeHint().width() < 120
    assert text in shown.toolTip()


def test_a_cause_stands_right_beside_its_glyph(qtbot):
    placement, node = Placed(), NodeVerdict(0, Verdict.BPU, Standing.REPORTED)
    panel, causes = Page(), CauseChain()
    qtbot.addWidget(panel)
    causes.add_cause(Named(), placement, Because("fuse", Text("w" * 300, "词" * 300), 0), node)
    panel.column.addWidget(causes)
    panel.resize(Size.INSPECTOR, 300)
    panel.show()
    QApplication.processEvents()
    link = panel.findChild(QAbstractButton)
    assert link.mapTo(panel, QPoint(0, 0)).x() < Size.GLYPH + 3 * Space.L


class Placed:
    """A placement without verdicts of its own."""

    verdicts = MappingProxyType({})


class Named:
    """A model in which every node is one MatMul."""

    def find_node(self, node):
        return SimpleNamespace(id=node, label="/m", op=SimpleNamespace(name="MatMul"))


@pytest.mark.parametrize("word", ["BatchNormalization", "MeanVarianceNormalization", "averyveryverylongcustomoperator"])
def test_long_words_of_the_check_table_break_instead_of_being_cut(qtbot, word):
    room = 90
    cell = label(breakable(word), Role.SMALL, mono=True, wrap=True)
    qtbot.addWidget(cell)
    assert cell.text().replace("\u200b", "") == word
    pieces = cell.text().split("\u200b")
    assert max(cell.fontMetrics().horizontalAdvance(piece) for piece in pieces) <= room
    assert breakable("kernel_shape[0]") == "kernel_shape[0]"
