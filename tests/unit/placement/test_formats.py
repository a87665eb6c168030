"""Number formats: requests per node, what they spread to, what stays in int8, and the fallback."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.target import Flow, Qtype
from inspector.placement.verdict import Outcome, Standing, Verdict
from inspector.text import render
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto

CATALOG = load_catalog()
SHAPE = [1, 16, 16, 16]


def chain():
    """Conv -> PRelu -> Transpose -> Concat -> Sigmoid -> Conv, on a 1x16x16x16 input."""
    weight = np.zeros((16, 16, 1, 1), np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "conv"),
        helper.make_node("PRelu", ["a", "s"], ["b"], "prelu"),
        helper.make_node("Transpose", ["b"], ["t"], "transpose", perm=[0, 1, 3, 2]),
        helper.make_node("Concat", ["t", "t"], ["c"], "concat", axis=2),
        helper.make_node("Sigmoid", ["c"], ["d"], "sigmoid"),
        helper.make_node("Conv", ["d", "w"], ["y"], "last"),
    ]
    tensors = {"w": weight, "s": np.full((16, 1, 1), 0.1, np.float32)}
    made = proto(nodes, {"x": SHAPE}, {"y": None}, tensors, opset=11, ir=7)
    return infer_shapes(from_proto(made), InProcessRunner())


def placed(platform, *, qtype=None, flow=Flow.PTQ, **asked):
    """Verdicts by node name; *asked*: node name -> number format."""
    model = chain()
    names = {node.name: node.id for node in model.nodes}
    target = resolve_target(CATALOG, platform, flow=flow, qtype=qtype)
    target = replace(target, qtypes=MappingProxyType({names[name]: Qtype(value) for name, value in asked.items()}))
    placement = place(model, CATALOG, target)
    assert placement.target is target
    return {node.name: placement.verdicts[node.id] for node in model.nodes}


def formats(verdicts):
    return {name: verdict.qtype.value for name, verdict in verdicts.items()}


@pytest.mark.parametrize(
    ("platform", "default", "conv"),
    [("x3", "int8", "int8"), ("x5", "int8", "int8"), ("s100", "int8", "int8"), ("j6p", "float16", "int8")],
)
def test_the_default_is_that_of_the_march(platform, default, conv):
    found = formats(placed(platform))
    assert (found["sigmoid"], found["conv"], found["last"]) == (default, conv, conv)


def test_operators_of_the_convolution_kind_stay_in_int8_when_float16_is_asked_for():
    verdicts = placed("j6p", qtype=Qtype.INT16, conv="float16")
    assert formats(verdicts)["conv"] == "int8"
    assert verdicts["conv"].because[-1].pass_name == "format"
    assert "CPU" in render(verdicts["conv"].because[-1].message, "en")  # what a Conv left in float would do
    assert verdicts["conv"].because[-1].source.standing is Standing.REPORTED
    assert formats(verdicts)["last"] == "int16"


def test_a_request_spreads_to_passive_neighbours_and_no_further():
    verdicts = placed("x5", sigmoid="int16")
    assert formats(verdicts) == {
        "conv": "int8", "prelu": "int8", "transpose": "int16", "concat": "int16", "sigmoid": "int16", "last": "int8",
    }  # fmt: skip
    spread = [entry for entry in verdicts["concat"].because if entry.pass_name == "format"]
    assert [(entry.node, entry.source.standing) for entry in spread] == [(4, Standing.INFERRED)]


def test_a_request_of_its_own_stops_the_spreading():
    verdicts = placed("x5", sigmoid="int16", concat="int8")
    assert formats(verdicts)["concat"] == formats(verdicts)["transpose"] == "int8"


@pytest.mark.parametrize("platform", ["x5"])
def test_a_format_that_the_bpu_does_not_take_falls_back_to_int8(platform):
    verdicts = placed(platform, prelu="int16")
    assert (verdicts["prelu"].verdict, verdicts["prelu"].qtype) == (Verdict.BPU, Qtype.INT8)
    assert any(entry.pass_name == "format" and "int16" in str(entry) for entry in verdicts["prelu"].because)
    assert all(check.outcome is Outcome.PASS for check in verdicts["prelu"].checks)
    assert placed(platform)["prelu"].verdict is Verdict.BPU


def test_all_nodes_in_int16_change_no_verdict_on_x5():
    plain, wide = placed("x5"), placed("x5", qtype=Qtype.INT16)
    assert {name: v.verdict for name, v in plain.items()} == {name: v.verdict for name, v in wide.items()}
    assert formats(wide)["prelu"] == "int8"
    assert formats(wide)["sigmoid"] == "int16"


def test_quantisation_aware_training_does_not_fall_back():
    verdict = placed("x5", flow=Flow.QAT, prelu="int16")["prelu"]
    assert verdict.verdict is Verdict.CPU
    assert [check.clause for check in verdict.failed] == ["prelu.quant"]
    assert (verdict.failed[0].found, verdict.failed[0].allowed) == ("int16", "int8")


def test_a_node_that_fails_another_limit_too_keeps_its_refusal():
    weight = np.zeros((16, 16, 1, 1, 1), np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], "conv"),
        helper.make_node("PRelu", ["a", "s"], ["y"], "prelu"),
    ]
    tensors = {"w": weight, "s": np.full((16, 1, 1, 1), 0.1, np.float32)}
    made = proto(nodes, {"x": [1, 16, 4, 4, 4]}, {"y": None}, tensors, opset=11, ir=7)
    model = infer_shapes(from_proto(made), InProcessRunner())
    prelu = model.nodes[1].id
    target = resolve_target(CATALOG, "x5")
    verdict = place(model, CATALOG, replace(target, qtypes=MappingProxyType({prelu: Qtype.INT16}))).verdicts[prelu]
    assert verdict.qtype is Qtype.INT16
    assert "prelu.quant" in [check.clause for check in verdict.failed]
    assert len(verdict.failed) > 1
