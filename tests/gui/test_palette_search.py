"""What the palette lists for a line, without a window: prefixes, languages, filters, order, and speed of thought."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper

from inspector.gui.palette_entries import Entry, Kind, NodeTitles, Titles
from inspector.gui.palette_search import MOST_ROWS, Sources, search
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.query import NodeIndex
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto


def command(name, title, other, reason=""):
    return Entry(Kind.COMMAND, name, title, other, "Ctrl+X", reason)


COMMANDS = Titles(
    (
        command("file.open", "Open…", "打开…"),
        command("rewrite.preview", "Preview best fix", "预览最佳修复"),
        command("rewrite.accept", "Accept", "接受", "No preview is open."),
        command("view.fit", "Fit the graph", "适应窗口"),
        command("view.relu", "Relu view", "激活视图"),
    )
)


@pytest.fixture(scope="module")
def sources():
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], "/neck/relu"),
        helper.make_node("Sigmoid", ["a"], ["b"], "/neck/sigmoid"),
        helper.make_node("Einsum", ["b"], ["y"], "preview", equation="abcd->abc"),
    ]
    model = infer_shapes(from_proto(proto(nodes, {"x": [1, 2, 4, 4]}, {"y": [1, 2, 4]})), InProcessRunner())
    catalog = load_catalog()
    placement = place(model, catalog, resolve_target(catalog, "x3"))
    return Sources(COMMANDS, nodes=NodeTitles(NodeIndex(model)), placement=placement)


def ids(found):
    return [row.entry.id if row.entry.node is None else row.entry.other for row in found.rows]


@pytest.mark.parametrize("line", ["yl", "yulan", "预览", "preview", "prvw", "best fix", ">yl", "> Preview"])
def test_one_command_in_every_way_of_writing(sources, line):
    assert ids(search(sources, line))[0] == "rewrite.preview"


def test_typed_letters_are_marked_in_the_language_that_holds_them(sources):
    row = search(sources, "yl").rows[0]
    assert (row.title, row.other) == ((), (0, 1))
    row = search(sources, "best").rows[0]
    assert (row.title, row.other) == ((8, 9, 10, 11), ())


def test_without_a_prefix_nodes_and_commands_are_found(sources):
    found = search(sources, "relu")
    assert set(ids(found)) == {"view.relu", "/neck/relu"}
    assert found.nodes == 1


def test_prefixes_choose(sources):
    assert ids(search(sources, "/relu")) == ["/neck/relu"]
    assert ids(search(sources, "/neck")) == ["/neck/relu", "/neck/sigmoid"]
    assert ids(search(sources, ">relu")) == ["view.relu"]


def test_filters_find_nodes_alone(sources):
    assert ids(search(sources, "status:unsupported")) == ["preview"]
    assert ids(search(sources, "status:unsupported relu")) == []
    assert ids(search(sources, "op:relu,sigmoid qq")) == []
    assert search(sources, "rank:x").faults == ("rank:x",)


def test_what_is_off_stays_with_its_reason(sources):
    row = search(sources, ">accept").rows[0]
    assert row.entry.reason == "No preview is open."


def test_recent_ones_come_first(sources):
    recent = replace(sources, recent=("view.fit", "rewrite.accept"))
    assert ids(search(recent, ""))[:2] == ["view.fit", "rewrite.accept"]
    assert ids(search(recent, ">"))[:2] == ["view.fit", "rewrite.accept"]


def test_nothing_typed_lists_all_commands_and_no_node(sources):
    found = search(sources, "")
    assert ids(found) == [entry.id for entry in COMMANDS.entries]
    assert found.nodes is None


@given(st.text(alphabet=st.sampled_from("ab :\"*,<>=/#@?\\'预YL1\t") | st.characters(), max_size=24))
def test_any_line_gets_an_answer(sources, line):
    found = search(replace(sources, clauses=COMMANDS, targets=COMMANDS, help=COMMANDS), line)
    assert len(found.rows) <= MOST_ROWS
    assert found.ready


def test_what_is_not_there_yet_is_told(sources):
    assert not search(sources, "#conv").ready
    assert not search(Sources(COMMANDS), "/conv").ready
    assert search(Sources(COMMANDS), "conv").ready
