"""Tables from data: groups, `like` rows, stand-ins, and every fault named with its file and key."""

import copy

import pytest

from inspector.errors import ConstraintDataError
from inspector.placement.building import TableBuilder, both, default_text, kebab
from inspector.placement.table import Fold
from inspector.placement.target import Device
from inspector.placement.verdict import Kernel, Side, Standing, Verdict
from inspector.text import Text
from tests.helpers.tables import BASE, NASH, table_data


def build(data, name="m/base", others=None):
    return TableBuilder(name, data, others or {}).build()


def test_a_plain_row():
    table = build(BASE)
    rules = table.rules("", "Conv")
    assert rules.bpu
    assert rules.kernel is Kernel.EXISTS
    assert [c.id for c in rules.clauses] == [
        "general.batch",
        "conv.rank",
        "conv.kernel",
        "conv.depth",
        "conv.cpu-dtype",
    ]
    assert rules.clauses[1].source.section == "ONNX table, row 7"
    assert rules.clauses[1].text == Text("number of axes", "维数")
    assert rules.clauses[-1].side is Side.CPU
    assert table.unlisted is Verdict.UNSUPPORTED


def test_a_group_guards_its_clauses():
    clauses = {c.id: c for c in build(BASE).rules("", "Conv").clauses}
    assert clauses["conv.kernel"].when == {"rank": {"of": "X", "eq": 4}}
    assert clauses["conv.depth"].when == {"all": [{"rank": {"of": "X", "eq": 5}}, {"expr": "D > 1"}]}


def test_a_like_row_takes_the_clauses_under_its_own_name():
    gemm = build(BASE).rules("", "Gemm")
    assert [c.id for c in gemm.clauses] == ["general.batch", "gemm.kernel"]
    assert gemm.clauses[1].when is None


def test_other_facts_of_a_row():
    table = build(BASE)
    softmax = table.rules("", "Softmax")
    assert softmax.default_device is Device.CPU
    assert softmax.force_option == "run_on_bpu"
    assert softmax.context == frozenset({"output_is_graph_output"})
    assert softmax.clauses[1].contradicted == Text("2 of 2", "2 个")
    assert softmax.clauses[2].note
    assert table.rules("", "Shape").fold is Fold.CONSTANT
    assert not table.rules("", "Shape").bpu
    assert table.rules("horizon", "Grid") is not None
    assert table.rules("", "Grid") is None


def test_a_stand_in_lends_its_own_limits_as_inferences():
    nash = build(NASH, "n/nash", {"m/base": build(BASE)})
    rules = nash.rules("", "Conv")
    assert [c.id for c in rules.clauses] == ["general.wide", "conv.kernel", "conv.depth"]
    assert {c.source.standing for c in rules.clauses[1:]} == {Standing.INFERRED}
    assert rules.stand_in == build(BASE).title
    assert rules.kernel is Kernel.UNSTATED
    assert nash.unlisted is Verdict.UNKNOWN


def test_defaults_of_a_stand_in_do_not_carry_over():
    softmax = build(NASH, "n/nash", {"m/base": build(BASE)}).rules("", "Softmax")
    assert softmax.default_device is None
    assert softmax.force_option == ""


def test_an_own_row_wins_and_may_borrow():
    gemm = build(NASH, "n/nash", {"m/base": build(BASE)}).rules("", "Gemm")
    assert gemm.stand_in is None
    assert [c.id for c in gemm.clauses] == ["general.wide", "gemm.own", "gemm.kernel"]
    assert [c.source.standing for c in gemm.clauses[1:]] == [Standing.DOCUMENTED, Standing.INFERRED]
    assert gemm.clauses[1].otherwise is Verdict.UNSUPPORTED


FAULTS = [
    ("complete", "no", "complete"),
    ("titel", 1, "table.titel"),
    ("title", {"en": "x"}, "title.zh_CN"),
    ("title", {"en": "", "zh_CN": "x"}, "title.en"),
    ("source", "nowhere", "source"),
    ("sources", {"list": {"document": "d", "standing": "guess"}}, "sources.list.standing"),
    ("sources", {"list": {"document": "d", "page": "1"}}, "sources.list.page"),
    ("ops", [], "ops"),
    ("stand_in", {"table": "no/such"}, "stand_in.table"),
    ("ops.Conv.kernel", "yes", "ops.Conv.kernel"),
    ("ops.Conv.colour", "red", "ops.Conv.colour"),
    ("ops.Conv.fold", "later", "ops.Conv.fold"),
    ("ops.Conv.bpu", {}, "ops.Conv.bpu"),
    ("ops.Conv.bpu", ["x"], "ops.Conv.bpu[0]"),
    ("ops.Conv.bpu", [{"id": "conv.a"}], "ops.Conv.bpu[0]"),
    ("ops.Conv.bpu", [{"id": "conv.a", "rank": {"eq": 1}, "dim": {"axis": 0}}], "ops.Conv.bpu[0]"),
    ("ops.Conv.bpu", [{"rank": {"eq": 1}}], "ops.Conv.bpu[0]"),
    ("ops.Conv.bpu", [{"id": "conv.a", "size": {"eq": 1}}], "size"),
    ("ops.Conv.bpu", [{"id": "conv.a", "rank": {"equals": 1}}], "rank.equals"),
    ("ops.Conv.bpu", [{"id": "conv.a", "rank": {"range": [1]}}], "rank.range"),
    ("ops.Conv.bpu", [{"id": "conv.a", "rank": {"max": "no"}}], "rank.max"),
    ("ops.Conv.bpu", [{"id": "conv.a", "dtype": {"in": "float32"}}], "dtype.in"),
    ("ops.Conv.bpu", [{"id": "conv.a", "expr": "__import__('os')"}], "expr"),
    ("ops.Conv.bpu", [{"id": "conv.a", "context": "sunday"}], "context"),
    ("ops.Conv.bpu", [{"id": "conv.a", "all": [{"rank": {"eq": 1}}, {"sise": 1}]}], "all[1].sise"),
    ("ops.Conv.bpu", [{"id": "conv.a", "not": {"sise": 1}}], "not.sise"),
    ("ops.Conv.bpu", [{"id": "conv.a", "rank": {"eq": 1}, "when": {"sise": 1}}], "when.sise"),
    ("ops.Conv.bpu", [{"id": "conv.a", "rank": {"eq": 1}, "source": "nowhere"}], "source"),
    ("ops.Conv.bpu", [{"id": "conv.a", "rank": {"eq": 1}, "otherwise": "BPU"}], "conv.a"),
    ("ops.Conv.bpu", [{"id": "conv.a", "note": True}], "conv.a"),
    ("ops.Conv.bpu", [{"id": "conv.a", "rank": {"eq": 1}}] * 2, "conv.a"),
    ("ops.Conv.bpu", [{"like": "Nothing"}], "like"),
    ("ops.Conv.bpu", [{"stand_in": "Conv"}], "stand_in"),
    ("ops.Conv.bpu", [{"alternative": "a", "clauses": []}], "when"),
    ("graph", [{"id": "model.x", "weather": 1}], "graph[0]"),
    ("graph", [{"id": "model.x", "opset": {"max": 1}, "when": {"weather": 1}}], "graph[0].when"),
    ("graph", [{"id": "model.x", "opset": {"max": 1}, "when": {"rank": {"eq": 1}}}], "graph[0].when"),
    ("graph", [{"id": "model.x", "opset": {"max": 1}, "when": {"min_bpu_nodes": {"min": 1}}}], "graph[0].when"),
    ("graph", [{"id": "model.x", "opset": {"max": 1}, "when": "sunday"}], "graph[0].when"),
]


@pytest.mark.parametrize(("path", "value", "key"), FAULTS)
def test_a_fault_names_file_and_key(path, value, key):
    data = copy.deepcopy(BASE)
    place, *rest = path.split(".")
    holder = data
    for part in rest:
        holder, place = holder[place], part
    holder[place] = value
    with pytest.raises(ConstraintDataError) as error:
        build(data)
    assert "m/base.yaml" in str(error.value)
    assert key in str(error.value)
    assert error.value.exit_code == 4


@pytest.mark.parametrize("key", ["title", "march", "complete", "sources", "source", "ops"])
def test_nothing_may_be_left_out(key):
    data = {name: value for name, value in BASE.items() if name != key}
    with pytest.raises(ConstraintDataError, match=key):
        build(data)


@pytest.mark.parametrize(
    ("op", "name"),
    [("ConvTranspose", "conv-transpose"), ("PRelu", "prelu"), ("MatMul", "matmul"), ("ReduceL2", "reduce-l2"),
     ("LSTM", "lstm"), ("LRN", "lrn"), ("GlobalLpPool", "global-lp-pool"), ("IsNaN", "is-nan")],
)  # fmt: skip
def test_names_in_clause_ids(op, name):
    assert kebab(op) == name


def test_guards_are_joined():
    assert both(None, None) is None
    assert both({"a": 1}, None) == {"a": 1}
    assert both({"a": 1}, {"b": 2}) == {"all": [{"a": 1}, {"b": 2}]}


def test_words_of_a_clause_without_its_own():
    assert default_text({"attr": {"name": "mode", "eq": "x"}}).en == "limit of attribute mode"
    assert default_text({"expr": "H*W <= 4"}).en == "limit of H * W"
    assert default_text({"not": {"rank": {"eq": 1}}}).en == "limit of the table"


def test_helper_tables_are_whole():
    assert build(table_data()).rules("", "Relu") is not None
