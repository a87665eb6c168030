"""Target bar: chips that filter and tell what changed, versions that say whose table they use, texts that give way."""

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox

from inspector.gui.panels.target_bar import TargetBar
from inspector.gui.panels.target_boxes import lender_of
from inspector.gui.service import Choice
from inspector.gui.theme import Size
from inspector.placement.catalog import load_catalog
from inspector.placement.verdict import Verdict
from tests.gui.window import choose


@pytest.fixture(scope="module")
def catalog():
    return load_catalog()


def test_a_change_of_target_tells_the_difference_for_a_moment(desk):
    desk.open()
    chips = desk.bench.target_bar.chips
    assert [chip.delta for chip in chips.values()] == [""] * len(chips)
    before = desk.counts
    choose(desk, "x3")
    desk.idle()
    for verdict, chip in chips.items():
        change = desk.counts[verdict] - before[verdict]
        sign = "" if not change else f"+{change}" if change > 0 else f"−{-change}"
        assert chip.delta == sign
        assert chip.text().endswith(sign)
    assert any(chip.delta for chip in chips.values())
    chips[Verdict.CPU]._delta.timeout.emit()
    chips[Verdict.CPU]._delta.stop()
    chips[Verdict.CPU]._settle()
    assert chips[Verdict.CPU].text().split() == ["CPU", str(desk.counts[Verdict.CPU])]


def test_another_file_or_language_is_no_change(desk, tmp_path):
    desk.open()
    desk.window.set_language("zh_CN")
    desk.idle()
    assert not any(chip.delta for chip in desk.bench.target_bar.chips.values())
    desk.window.set_language("en")
    desk.bench.target_bar.start_over()
    desk.bench.target_bar.show_placement(desk.document.workspace.placement)
    assert not any(chip.delta for chip in desk.bench.target_bar.chips.values())


def test_click_filters_ctrl_click_adds_escape_clears(desk, qtbot):
    desk.open()
    bar = desk.bench.target_bar
    told = []
    bar.filter_changed.connect(told.append)
    qtbot.mouseClick(bar.chips[Verdict.CPU], Qt.MouseButton.LeftButton)
    qtbot.mouseClick(bar.chips[Verdict.BPU], Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(bar, Qt.Key.Key_Escape)
    assert told == [{Verdict.CPU}, {Verdict.CPU, Verdict.BPU}, frozenset()]
    assert not any(chip.isChecked() for chip in bar.chips.values())


def test_a_version_without_a_table_says_whose_it_uses(catalog, qtbot):
    bar = TargetBar()
    qtbot.addWidget(bar)
    bar.set_catalog(catalog, Choice("j6p"))
    box = bar.toolchain
    platform = catalog.platform("j6p")
    newest = platform.toolchains[-1]
    lender = lender_of(newest, platform, platform.marches[0])
    assert lender is not None
    assert not newest.own_table
    assert f"uses {lender.version}" in box.itemText(0)
    assert box.shown_text == newest.version
    own = box.findData(lender.version)
    assert box.itemText(own) == lender.version


def test_choosing_a_version_asks_for_it(catalog, qtbot):
    bar = TargetBar()
    qtbot.addWidget(bar)
    bar.set_catalog(catalog, Choice("x5"))
    asked = []
    bar.choice_changed.connect(asked.append)
    bar.toolchain.setCurrentIndex(1)
    bar.toolchain.activated.emit(1)
    assert asked == [Choice("x5", catalog.platform("x5").toolchains[-2].version, "bayes-e")]


@pytest.mark.parametrize("name", ["platform", "toolchain"])
def test_both_lists_end_with_the_comparison_which_changes_nothing(catalog, qtbot, name):
    bar = TargetBar()
    qtbot.addWidget(bar)
    bar.set_catalog(catalog, Choice("x5"))
    box: QComboBox = getattr(bar, name)
    before, last = box.currentIndex(), box.count() - 1
    asked, chosen = [], []
    bar.compare_asked.connect(lambda: asked.append(True))
    bar.choice_changed.connect(chosen.append)
    box.setCurrentIndex(last)
    box.activated.emit(last)
    assert asked == [True]
    assert chosen == []
    assert box.currentIndex() == before


def test_language_keeps_the_choice(catalog, qtbot):
    bar = TargetBar()
    qtbot.addWidget(bar)
    bar.set_catalog(catalog, Choice("j6b", march="nash-b-plus"))
    bar.retranslate()
    assert bar.march.currentData() == "nash-b-plus"
    assert bar.platform.currentData() == "j6b"


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("platform", ["j6p", "j6b"])
def test_nothing_is_cut_at_any_width_and_texts_give_way_as_designed(desk, language, platform):
    desk.window.set_language(language)
    desk.open()
    choose(desk, platform)
    desk.idle()
    bar = desk.bench.target_bar
    for width in (1024, 1180, 1279, 1280, 1399, 1400, 1600):
        desk.window.resize(width, 700)
        for _ in range(3):
            QApplication.processEvents()
        shown = [w for w in bar.findChildren(QAbstractButton) + bar.findChildren(QComboBox) if w.isVisible()]
        for widget in shown:
            assert widget.width() >= widget.sizeHint().width(), (width, widget.accessibleName())
            assert bar.rect().contains(widget.mapTo(bar, widget.rect().bottomRight())), (width, widget.accessibleName())
        for box in (bar.platform, bar.toolchain, bar.march):
            assert box.fontMetrics().horizontalAdvance(box.shown_text) <= box.text_room or box.isHidden(), width
        spans = sorted((w.mapTo(bar, w.rect().topLeft()).x(), w.mapTo(bar, w.rect().topRight()).x()) for w in shown)
        assert all(left[1] < right[0] for left, right in pairwise(spans)), width
        assert not bar.summary.isVisible() or width >= Size.SUMMARY_FROM
        assert not bar.save.text() or width >= Size.BUTTON_TEXT_FROM
        assert bar.save.accessibleName()
