"""Panels fed with hand-made values: what they say, and what they must never say."""

import time
from dataclasses import replace
from threading import Event
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QPushButton

from inspector.errors import WorkerCrashed
from inspector.gui import words
from inspector.gui.dialogs.clause import ClauseDialog
from inspector.gui.models.diffs import DiffColumn
from inspector.gui.panels.causes import CauseChain
from inspector.gui.panels.depth import DepthView, in_depth
from inspector.gui.panels.diff import DiffPanel, DiffView
from inspector.gui.panels.explain import CheckTable
from inspector.gui.panels.plots import HeatMap
from inspector.gui.panels.proof_head import Running
from inspector.gui.panels.standing import HatchedChip, standing_chip
from inspector.gui.panels.values import ValuesPanel
from inspector.gui.widgets import ElidedButton
from inspector.placement.verdict import (
    Because,
    Check,
    Crossing,
    NodeVerdict,
    Outcome,
    Side,
    Source,
    Standing,
    Verdict,
)
from inspector.text import Text, say
from inspector.verify.result import (
    ArraySample,
    Histogram,
    Runtime,
    StageName,
    Status,
    TensorDiff,
    Tolerance,
    Verification,
)

EQUAL = TensorDiff(
    name="y", shape=(2, 3, 4), dtype="float32", output=True, max_abs=0.0, mean_abs=0.0, max_rel=0.0, cosine=1.0,
    snr_db=None, nonfinite=(0, 0), equal=True, worst_index=None, sample=0, range_before=(-1.0, 1.0),
    range_after=(-1.0, 1.0), histogram=Histogram(24), status=Status.PASSED,
)  # fmt: skip
OFF = replace(
    EQUAL, name="z", output=False, equal=False, max_abs=0.035, mean_abs=0.01, max_rel=0.035, cosine=0.999, snr_db=29.0,
    histogram=Histogram(4, (-3.0, -2.0, -1.0), (10, 10)), status=Status.FAILED, reason=say("verify.limit_exact"),
)  # fmt: skip
RUNTIME = Runtime("onnxruntime", "1.0", "CPUExecutionProvider", "ORT_DISABLE_ALL", 1)


def verification(status, *diffs, reason=None, stage=StageName.MODEL):
    return Verification(
        stage=stage,
        status=status,
        reason=reason,
        outputs=diffs,
        tolerance=Tolerance(False, 1e-6, say("verify.limit_equivalent")),
        seed=7,
        inputs=("normal x1",),
        runtime=RUNTIME,
        elapsed_s=0.1,
    )


def shown(widget):
    return " | ".join(label.text() for label in widget.findChildren(QLabel) if not label.isHidden())


@pytest.fixture
def diff(qtbot):
    panel = DiffPanel()
    qtbot.addWidget(panel)
    return panel


def test_pass_names_its_class_seed_limit_and_what_it_does_not_prove(diff):
    diff.show_view(DiffView((verification(Status.PASSED, EQUAL),)))
    text = shown(diff)
    for part in ("Passed", "bit-exact", "seed 7", "normal ×1", "1.00e-6", "onnxruntime 1.0", "Not INT8"):
        assert part in text
    assert diff.model.title_rows == (0,)
    assert diff.model.index(1, DiffColumn.SNR).data() == "∞"
    assert diff.model.index(1, DiffColumn.MAX_ABS).data() == "0"


@pytest.mark.parametrize(
    "view",
    [
        DiffView((verification(Status.FAILED, OFF, reason=say("verify.limit_exact")),)),
        DiffView((verification(Status.INCONCLUSIVE, reason=say("verify.limit_exact")),)),
        DiffView(
            (verification(Status.PASSED, EQUAL), verification(Status.INCONCLUSIVE)),
        ),
        DiffView((verification(Status.PASSED, EQUAL, stage=StageName.FRAGMENT),), running=True),
        DiffView(failure=WorkerCrashed(say("verify.limit_exact"))),
        DiffView(cancelled=True),
        DiffView(),
    ],
)
def test_nothing_but_a_pass_shows_a_green_pill(diff, view):
    diff.show_view(view)
    pills = [w for w in diff.findChildren(QLabel) if w.parent().property("role") == "pill" and not w.isHidden()]
    assert pills
    assert all(pill.property("tone") != "passed" for pill in pills if not pill.parent().isHidden())
    assert not any("Passed" in pill.text() for pill in pills if not pill.parent().isHidden())


def test_failure_says_figure_and_limit(diff):
    diff.show_view(DiffView((verification(Status.FAILED, EQUAL, OFF),)))
    assert "max rel 3.50e-2, limit 1.00e-6" in shown(diff)


def test_undefined_figures_are_dashes(diff):
    dead = replace(EQUAL, cosine=None, max_rel=None, max_abs=None, badge="dead", equal=False)
    diff.show_view(DiffView((verification(Status.INCONCLUSIVE, dead),)))
    row = {column: diff.model.index(1, column).data() for column in DiffColumn}
    assert row[DiffColumn.COSINE] == row[DiffColumn.MAX_REL] == row[DiffColumn.MAX_ABS] == row[DiffColumn.SNR] == "–"
    assert "dead" in row[DiffColumn.STATUS]


def test_values_step_through_slices_with_a_linked_cursor(qtbot):
    panel = ValuesPanel()
    qtbot.addWidget(panel)
    before = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    after = before.copy()
    after[1, 2, 3] += 0.5
    panel.show_tensor(replace(OFF, shape=(2, 3, 4)), ArraySample(before, after), None)
    panel._steppers[0].step(1)
    assert panel.maps[0].value((2, 3)) == 23.0
    assert panel.maps[1].value((2, 3)) == 23.5
    assert panel.maps[2].value((2, 3)) == 0.5
    worst = next(text for text in shown(panel).splitlines() if "worst in this slice" in text)
    assert all(part in worst for part in ("[1, 2, 3]", "23", "23.5", "5.00e-1"))
    panel.maps[0].hovered.emit((2, 3))
    assert "[1, 2, 3]" in shown(panel)
    assert "5.00e-1" in shown(panel)


@pytest.mark.parametrize("shape", [(), (5,), (0, 3), (1, 1, 1, 1), (2, 3, 4, 5, 6)])
def test_values_of_any_rank_are_painted(qtbot, shape):
    panel = ValuesPanel()
    qtbot.addWidget(panel)
    array = np.full(shape, np.nan, dtype=np.float32)
    panel.show_tensor(replace(OFF, shape=shape), ArraySample(array, array), None)
    panel.resize(400, 300)
    assert not panel.grab().isNull()


def test_heat_map_without_values_says_so(qtbot):
    heat = HeatMap()
    qtbot.addWidget(heat)
    heat.show_plane(None, 0, 0, "nothing")
    assert heat.value((0, 0)) is None
    assert not heat.grab().isNull()


def check(outcome, clause="a.b", found="5"):
    return Check(clause, Side.BPU, outcome, "attribute k", found, "1..2", Source("list"))


def test_passes_beyond_two_fold_and_open(qtbot):
    table = CheckTable()
    qtbot.addWidget(table)
    checks = [check(Outcome.FAIL), *(check(Outcome.PASS, f"p.{i}") for i in range(5))]
    table.show_checks(checks)
    assert shown(table).count("✓") == 2
    assert shown(table).count("✕") == 1
    table.show_checks(checks, opened=True)
    assert shown(table).count("✓") == 5


def test_a_contradicted_check_is_marked_and_not_counted_as_failed(qtbot):
    table = CheckTable()
    qtbot.addWidget(table)
    contradicted = replace(check(Outcome.FAIL, "limit"), contradicted=Text("3 of 3 ran", "3 个全部运行"))
    table.show_checks([contradicted, check(Outcome.PASS)], {"limit": (say("report.stage.model"),)})
    said = shown(table)
    assert (said.count("✕"), said.count("≠"), said.count("3 of 3 ran")) == (0, 1, 1)
    assert "hole model" not in said, "what does not fire needs no remedy"


def test_headline_carries_found_and_allowed():
    verdict = NodeVerdict(0, Verdict.CPU, Standing.REPORTED, (check(Outcome.FAIL), check(Outcome.PASS)))
    assert words.headline(verdict) == "attribute k is 5, the BPU takes 1 to 2"
    unknown = NodeVerdict(0, Verdict.UNKNOWN, Standing.INFERRED, (check(Outcome.UNKNOWN, found="?"),))
    assert words.headline(unknown) == "attribute k is unknown, so it cannot be checked; the BPU takes 1 to 2"


@given(st.integers(0, 2**62))
def test_sizes_have_a_unit_and_stay_short(count):
    for text in (words.bytes_text(count), words.count_text(count)):
        assert len(text) <= 11
    assert words.bytes_text(count).endswith("B")


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (18432, "18 KiB"), (1_100_000, "1.05 MiB")]
)
def test_bytes_text(count, text):
    assert words.bytes_text(count) == text


def test_figures():
    assert [words.figure(v) for v in (0.0, None, 4.8e-7)] == ["0", "–", "4.80e-7"]
    assert [words.delta_text(*v) for v in ((3, 0), (1, 320), (2, 2), (None, 1))] == ["−3", "+319", "0", "–"]


class Neighbours:
    """A model of two nodes, the second behind the first."""

    first = SimpleNamespace(id=0, label="/a", op=SimpleNamespace(name="Conv"))
    second = SimpleNamespace(id=1, label="/b", op=SimpleNamespace(name="Reshape"))

    def find_node(self, node):
        return (self.first, self.second)[node]

    def successors(self, node):
        return (self.second,) if node is self.first else ()

    def predecessors(self, node):
        return (self.first,) if node is self.second else ()


def test_own_verdict_shows_what_follows_from_it_with_links(qtbot):
    own = NodeVerdict(0, Verdict.CPU, Standing.REPORTED, (check(Outcome.FAIL),))
    pulled = NodeVerdict(1, Verdict.CPU, Standing.REPORTED, because=(Because("passive", Text("pulled", "x"), 0),))
    crossing = Crossing("t", 0, 1, 2048)
    placement = SimpleNamespace(verdicts={0: own, 1: pulled}, crossings=(crossing,))
    chain = CauseChain()
    qtbot.addWidget(chain)
    chain.add_consequences(Neighbours(), placement, own)
    assert "2 KiB" in shown(chain)
    assert "pulled" in shown(chain)
    (link,) = chain.findChildren(ElidedButton)
    with qtbot.waitSignal(chain.node_picked) as picked:
        link.click()
    assert picked.args == [1]


def test_chain_does_not_repeat_the_headline(qtbot):
    verdict = NodeVerdict(0, Verdict.UNSUPPORTED, Standing.DOCUMENTED, because=(Because("no-kernel", Text("a", "b")),))
    chain = CauseChain()
    qtbot.addWidget(chain)
    chain.add_causes(Neighbours(), SimpleNamespace(verdicts={}, crossings=()), verdict)
    assert chain.is_empty


def test_inferred_standing_is_hatched_and_legible(qtbot):
    for standing in Standing:
        made = standing_chip(standing)
        qtbot.addWidget(made)
        assert made.text() == words.standing_name(standing)
        assert isinstance(made, HatchedChip) == (standing is Standing.INFERRED)
        assert not made.grab().isNull()


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_clause_opens_as_the_table_has_it(desk):
    desk.open()
    desk.window.actions_["view.next_problem"].trigger()
    desk.idle()
    clause = words.decisive_check(desk.document.workspace.placement.verdicts[desk.document.selected]).clause
    link = next(b for b in desk.bench.explain.findChildren(ElidedButton) if b.whole_text == clause)
    link.click()
    dialog = desk.window.findChild(ClauseDialog)
    text = "\n".join(part.text() for part in dialog.findChildren(QLabel))
    assert f"id: {clause}" in text
    assert "constraints/nash-p/op-list.yaml" in text
    dialog.reject()


def test_outputs_and_intermediates_stand_below_their_titles(diff):
    diff.show_view(DiffView((verification(Status.FAILED, EQUAL, OFF),)))
    assert diff.model.title_rows == (0, 2)
    assert [diff.model.diff(line) for line in range(4)] == [None, EQUAL, None, OFF]
    assert diff.table.currentIndex().row() == 1
    assert diff.table.columnSpan(0, 0) == len(DiffColumn)
    assert not diff.model.flags(diff.model.index(0, 0)) & Qt.ItemFlag.ItemIsSelectable


def test_failure_leads_to_the_first_tensor_over_the_limit_along_depth(diff, qtbot):
    early = replace(OFF, name="early", max_rel=1e-9, status=Status.PASSED, reason=None)
    out = replace(OFF, name="out", output=True)
    reason = say("verify.limit_exact")
    diff.show_view(DiffView((verification(Status.FAILED, out, early, OFF, reason=reason),)))
    assert [d.name for d in in_depth((out, early, OFF))] == ["early", "z", "out"]
    link = next(b for b in diff.findChildren(QPushButton) if "First over the limit: z" in b.text())
    link.click()
    assert diff.model.diff(diff.table.currentIndex().row()) is OFF
    assert not diff.along.isHidden()
    diff.along.resize(300, 80)
    qtbot.mouseClick(diff.along, Qt.MouseButton.LeftButton, pos=QPoint(290, 40))
    assert diff.model.diff(diff.table.currentIndex().row()) is out
    diff.show_view(DiffView((verification(Status.PASSED, EQUAL),)))
    assert diff.along.isHidden()


@pytest.mark.parametrize("rel", [None, 0.0, float("inf"), 1e-300, 1e300])
def test_error_along_depth_paints_any_figure(qtbot, rel):
    view = DepthView()
    qtbot.addWidget(view)
    view.show_diffs([replace(OFF, max_rel=rel)], 0.0)
    assert not view.grab().isNull()
    view.show_diffs([replace(OFF, max_rel=rel), EQUAL], 1e-6)
    assert not view.grab().isNull()


def test_running_comparison_shows_share_and_limits_and_can_be_cancelled(diff, qtbot):
    running = Running("Whole model", 0.45, 12.3, 120, 3 << 30)
    diff.show_running(running)
    assert diff.head.limits.text() == "", "nothing is shown while nothing runs"
    diff.show_view(DiffView(running=True))
    diff.show_running(running)
    for part in ("Whole model", "45 %", "12 s", "120 s", "3 GiB"):
        assert part in diff.head.limits.text()
    assert diff.head.bar.value() == 45
    cancel = next(b for b in diff.head.findChildren(QPushButton) if b.text() == "Cancel")
    with qtbot.waitSignal(diff.cancel_asked):
        cancel.click()
    diff.show_running(replace(running, fraction=-1.0, memory_limit_bytes=None))
    assert "%" not in diff.head.limits.text()
    assert "GiB" not in diff.head.limits.text()


def shown_values(qtbot):
    panel = ValuesPanel()
    qtbot.addWidget(panel)
    before = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    after = before.copy()
    after[1, 2, 3] += 0.5
    after[0, 0, 0] += 0.25
    result = verification(Status.FAILED, OFF)
    panel.show_tensor(OFF, ArraySample(before, after), None, (result,))
    return panel, before, after


def test_worst_elements_lead_to_their_slice(qtbot):
    panel, _before, _after = shown_values(qtbot)
    panel.tools.list_worst()
    first, second, *_ = panel.tools.worst_menu.actions()
    assert first.text().startswith("[1, 2, 3]")
    assert "5.00e-1" in first.text()
    assert second.text().startswith("[0, 0, 0]")
    first.trigger()
    assert panel._steppers[0].index == 1
    assert "[1, 2, 3]" in shown(panel)
    panel.show_tensor(EQUAL, None, None)
    assert not panel.tools.worst.isEnabled()
    assert "No element differs" in panel.tools.worst.toolTip()


def test_what_is_shown_can_be_exported(qtbot, tmp_path):
    panel, before, after = shown_values(qtbot)
    tools = panel.tools
    tools.list_exports()
    assert len(tools.export_menu.actions()) == 3
    for name, data in (("a.png", tools.picture_bytes), ("a.csv", tools.figures_bytes), ("a.npz", tools.values_bytes)):
        tools.write(tmp_path / name, data)
    assert not QImage(str(tmp_path / "a.png")).isNull()
    assert ",z,intermediate,2x3x4," in (tmp_path / "a.csv").read_text("utf-8-sig")
    with np.load(tmp_path / "a.npz") as arrays:
        np.testing.assert_array_equal(arrays["before"], before)
        np.testing.assert_array_equal(arrays["after"], after)
    with qtbot.waitSignal(tools.failed):
        tools.write(tmp_path / "none" / "a.csv", tools.figures_bytes)


def test_verification_without_a_preview_says_that_it_runs_and_that_it_was_cancelled(desk, monkeypatch):
    started = Event()

    def slow(_workspace, context):
        started.set()
        while True:
            context.check()
            time.sleep(0.01)

    desk.open()
    monkeypatch.setattr(desk.window.service, "verify", slow)
    desk.document.verify()
    desk.bot.waitUntil(started.is_set)
    desk.bot.waitUntil(lambda: desk.bench.diff.view.running)
    assert "at most" in desk.bench.diff.head.limits.text()
    desk.document.cancel_proof()
    desk.idle()
    assert desk.bench.diff.view.cancelled
    assert not desk.bench.diff.view.running


def test_sites_say_where_they_run_before_and_after(desk):
    proposal = desk.open().preview("convtranspose3d-to-2d", every_site=True)
    moves = [desk.bench.rewrite.site_moves(proposal, site) for site in proposal.sites]
    assert [text.partition(" · ")[0] for text in moves] == ["CPU → BPU"] * len(proposal.sites)
    assert moves[0].endswith("320 ch")
    assert moves[0] in shown(desk.bench.rewrite)
    refused = replace(proposal.sites[0], preview=None)
    assert desk.bench.rewrite.site_moves(proposal, refused) == ""
