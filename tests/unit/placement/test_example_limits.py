import pytest

from inspector.placement.example_limits import steps
from inspector.placement.table import Clause
from inspector.placement.verdict import Side, Source, Verdict
from inspector.text import Text


def changes(require, when=None, op="Conv"):
    clause = Clause("conv.x", Side.BPU, require, when, Verdict.CPU, Text("", ""), Source("d"))
    found = {}
    for step in steps(clause, op):
        assert step.change not in found
        found[step.change] = None if step.clause is None else (step.clause.require, step.clause.when)
    return found


@pytest.mark.parametrize(
    ("require", "wanted"),
    [
        ({"attr": {"name": "k", "range": [1, 7]}}, [[0, 7], [2, 7], [1, 6], [1, 8]]),
        ({"dim": {"of": "X", "axis": 0, "range": [1, 7]}}, [[0, 7], [2, 7], [1, 6], [1, 8]]),
    ],
)
def test_each_end_of_a_range_moves_both_ways(require, wanted):
    name = next(iter(require))
    found = [spec[0][name]["range"] for spec in changes(require).values() if spec]
    assert sorted(found) == sorted(wanted)


def test_a_clause_can_be_left_out_and_so_can_its_guard():
    found = changes({"rank": {"of": "X", "max": 4}}, {"opset": {"min": 11}})
    assert found["left out"] is None
    assert found["when: left out"][1] is None
    assert found["require.rank.max: 4 -> 5"][0] == {"rank": {"of": "X", "max": 5}}
    assert found["when.opset.min: 11 -> 12"][1] == {"opset": {"min": 12}}


def test_lists_gain_and_lose_entries():
    found = changes({"attr": {"name": "mode", "in": ["nearest", "linear"]}})
    assert found["require.attr.in: without linear"][0]["attr"]["in"] == ["nearest"]
    assert found["require.attr.in: with cubic"][0]["attr"]["in"] == ["nearest", "linear", "cubic"]


def test_dtypes_that_onnx_refuses_are_not_added():
    found = changes({"dtype": {"of": "all", "in": ["float32"]}})
    assert "require.dtype.in: with float64" in found
    assert "require.dtype.in: with int64" not in found


def test_expressions_change_their_figures_signs_and_parts():
    found = {spec[0]["expr"] for spec in changes({"expr": "C*H <= 8192 and W < 4"}).values() if spec}
    assert {"C * H <= 8193 and W < 4", "C * H < 8192 and W < 4", "C * H <= 8192 and W <= 4", "C * H <= 8192"} <= found


def test_parts_of_a_combination_change_one_at_a_time():
    found = changes({"any": [{"rank": {"of": "X", "eq": 4}}, {"not": {"opset": {"max": 10}}}]})
    assert found["require.any[0]: left out"][0] == {"any": [{"not": {"opset": {"max": 10}}}]}
    assert found["require.any[1].not.opset.max: 10 -> 11"][0]["any"][1] == {"not": {"opset": {"max": 11}}}
