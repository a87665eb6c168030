"""Two targets side by side."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from onnx import helper

from inspector.errors import UsageError
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.compare import compare
from inspector.placement.engine import place
from inspector.placement.target import Device, Flow, Qtype
from inspector.placement.verdict import Outcome, Standing, Verdict
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto

CATALOG = load_catalog()


def model(opset=11, size=16):
    """Conv -> Abs -> Conv on a 1x16xSxS input."""
    weight = np.zeros((16, 16, 1, 1), np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "conv"),
        helper.make_node("Abs", ["a"], ["b"], "abs"),
        helper.make_node("Conv", ["b", "w"], ["y"], "last"),
    ]
    made = proto(nodes, {"x": [1, 16, size, size]}, {"y": None}, {"w": weight}, opset=opset, ir=7)
    return infer_shapes(from_proto(made), InProcessRunner())


def on(of, platform, **choice):
    return place(of, CATALOG, resolve_target(CATALOG, platform, **choice))


def test_a_node_that_changes_names_the_deciding_clause_on_each_side():
    of = model()
    found = compare(on(of, "x3"), on(of, "x5"))
    assert [of.node(change.node).name for change in found.changes] == ["abs"]
    change = found.changes[0]
    assert (change.before.verdict, change.after.verdict) == (Verdict.CPU, Verdict.BPU)
    assert [check.clause for check in change.before.checks] == ["abs.bpu"]
    assert change.before.checks[0].outcome is Outcome.FAIL
    assert change.after.checks == ()
    assert change.before.standing is Standing.DOCUMENTED
    assert (found.better, found.worse) == (1, 0)
    back = compare(on(of, "x5"), on(of, "x3"))
    assert (back.better, back.worse) == (0, 1)
    assert back.changes[0].before == change.after


def test_an_unsupported_node_names_the_limit_of_both_processors():
    weight = np.zeros((16, 16, 5, 2, 2), np.float32)
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], "up", strides=[5, 2, 2])
    made = proto([node], {"x": [1, 16, 1, 8, 8]}, {"y": None}, {"w": weight}, opset=11, ir=7)
    of = infer_shapes(from_proto(made), InProcessRunner())
    change = compare(on(of, "j6p"), on(of, "x5")).changes[0]
    assert [check.clause for check in change.before.checks] == ["conv-transpose.kernel-depth"]
    assert (change.before.verdict, change.after.verdict) == (Verdict.CPU, Verdict.UNSUPPORTED)
    assert [check.side.value for check in change.after.checks] == ["bpu", "cpu"]


def test_changes_are_grouped_by_what_decides():
    weight = np.zeros((16, 16, 1, 1), np.float32)
    nodes = [helper.make_node("Conv", ["x", "w"], ["t0"], "conv")]
    nodes += [helper.make_node("Abs", [f"t{i}"], [f"t{i + 1}"], f"abs{i}") for i in range(3)]
    nodes += [
        helper.make_node("HardSigmoid", ["t3"], ["c"], "hard"),
        helper.make_node("Conv", ["c", "w"], ["y"], "last"),
    ]
    made = proto(nodes, {"x": [1, 16, 8, 8]}, {"y": None}, {"w": weight}, opset=11, ir=7)
    of = infer_shapes(from_proto(made), InProcessRunner())
    for there in (True, False):
        a, b = on(of, "x3"), on(of, "x5")
        groups = compare(a, b).groups if there else compare(b, a).groups
        assert [(group.by, group.nodes) for group in groups] == [("abs.bpu", (1, 2, 3)), ("hard-sigmoid.bpu", (4,))]
        moved = (Verdict.CPU, Verdict.BPU) if there else (Verdict.BPU, Verdict.CPU)
        assert {(group.before, group.after) for group in groups} == {moved}


def test_a_fused_node_goes_where_the_limit_of_its_host_sends_it():
    """A SiLU is one look-up table, held to the limits of the Sigmoid on either platform."""
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "conv"),
        helper.make_node("Sigmoid", ["a"], ["s"], "sigmoid"),
        helper.make_node("Mul", ["a", "s"], ["b"], "mul"),
        helper.make_node("Conv", ["b", "w"], ["y"], "last"),
    ]
    weight = np.zeros((16, 16, 1, 1), np.float32)
    made = proto(nodes, {"x": [1, 16, 64, 64]}, {"y": None}, {"w": weight}, opset=11, ir=7)
    of = infer_shapes(from_proto(made), InProcessRunner())
    found = compare(on(of, "x5"), on(of, "x3"))
    assert [(group.by, [of.node(node).name for node in group.nodes]) for group in found.groups] == [
        ("sigmoid.aligned-elements", ["sigmoid", "mul"])
    ]
    change = found.changes[0]
    assert [check.clause for check in change.after.checks] == ["sigmoid.aligned-elements"]
    assert change.after.because.pass_name == "fuse"


def test_equal_targets_change_nothing():
    of = model()
    found = compare(on(of, "x5"), on(of, "x5"))
    assert (found.changes, found.formats, found.graph) == ((), (), ())


def test_a_graph_clause_changes_only_by_its_outcome():
    of = model(opset=13)
    assert compare(on(of, "x5"), on(of, "j6p")).graph == ("model.opset",)
    of = model(opset=11)
    assert compare(on(of, "x5"), on(of, "j6p")).graph == ()


def test_another_number_format_is_told_apart_from_another_verdict():
    of = model()
    found = compare(on(of, "j6p"), on(of, "j6p", qtype=Qtype.INT16))
    assert found.changes == ()
    assert [(c.before.qtype, c.after.qtype) for c in found.formats] == [
        (Qtype.INT8, Qtype.INT16), (Qtype.FLOAT16, Qtype.INT16), (Qtype.INT8, Qtype.INT16),
    ]  # fmt: skip


def test_a_decision_of_a_pass_stands_where_no_clause_decides():
    of = model()
    target = resolve_target(CATALOG, "x5")
    forced = replace(target, forced=MappingProxyType({of.nodes[1].id: Device.CPU}))
    change = compare(place(of, CATALOG, target), place(of, CATALOG, forced)).changes[0]
    assert (change.after.checks, change.after.because.pass_name) == ((), "forced")


def test_an_open_shape_names_what_is_not_known():
    of = model(size="s")
    change = next(c for c in compare(on(of, "x3"), on(of, "x5")).changes if c.after.verdict is Verdict.UNKNOWN)
    assert all(check.outcome is Outcome.UNKNOWN for check in change.after.checks)
    assert change.after.checks


def test_placements_of_different_models_are_not_compared():
    weight = np.zeros((16, 16, 1, 1), np.float32)
    made = proto([helper.make_node("Conv", ["x", "w"], ["y"])], {"x": [1, 16, 8, 8]}, {"y": None}, {"w": weight})
    other = infer_shapes(from_proto(made), InProcessRunner())
    with pytest.raises(UsageError):
        compare(on(model(), "x5"), on(other, "x5"))


def test_the_flow_is_a_target_too():
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], "up", mode="linear")
    scales = np.array([1, 1, 2, 2, 2], np.float32)
    made = proto([node], {"x": [1, 16, 4, 8, 8]}, {"y": None}, {"s": scales}, opset=11, ir=7)
    of = infer_shapes(from_proto(made), InProcessRunner())
    change = compare(on(of, "j6p"), on(of, "j6p", flow=Flow.QAT)).changes[0]
    assert (change.before.verdict, change.after.verdict) == (Verdict.CPU, Verdict.UNSUPPORTED)
