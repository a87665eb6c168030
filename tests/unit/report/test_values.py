import json
import math

import numpy as np
import pytest
from onnx import helper

from inspector.model import shape
from inspector.model.load import from_proto
from inspector.placement.source_text import source_text
from inspector.placement.target import Device, Flow, Target
from inspector.placement.verdict import (
    Because,
    Check,
    NodeVerdict,
    Outcome,
    Placement,
    Segment,
    Side,
    Source,
    Standing,
    Verdict,
)
from inspector.report.values import (
    model_value,
    number,
    placement_value,
    shape_value,
    target_value,
    verification_value,
)
from inspector.text import Text, render, say
from inspector.verify.result import Runtime, StageName, Status, TensorDiff, Tolerance, Verification
from tests.helpers.models import proto

TARGET = Target("j6p", "nash-p", "3.0", Flow.PTQ, forced={3: Device.CPU})
SOURCE = Source("operator list", "Conv", "3.0", "2026-01-02", Standing.REPORTED)
FAILED = Check(
    "conv.kernel", Side.BPU, Outcome.FAIL, "attribute kernel_shape[0]", "5", "1..2", SOURCE, Text("depth", "深度")
)


def model():
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], name=""), helper.make_node("Relu", ["y"], ["z"], name="act")]
    return from_proto(
        proto(nodes, {"x": [1, 3, "h", None]}, {"z": None}, {"w": np.zeros((4, 3, 5, 5), np.float32)}, opset=13)
    )


def placement(of):
    conv, relu = (node.id for node in of.nodes)
    verdicts = {
        conv: NodeVerdict(conv, Verdict.CPU, Standing.REPORTED, (FAILED,)),
        relu: NodeVerdict(
            relu,
            Verdict.CPU,
            Standing.INFERRED,
            (),
            (Because("fuse", say("report.inferred_verdict"), conv, SOURCE),),
            conv,
        ),
    }
    return Placement(
        TARGET, verdicts, (), (Segment(0, Verdict.CPU, (conv, relu), ("x",), ("z",), None, 64),), (), "abcd0123"
    )


def test_a_shape_keeps_sizes_symbols_and_gaps():
    assert shape_value(shape.of(1, "h", None)) == [1, "h", None]
    assert shape_value(()) == []
    assert shape_value(None) is None


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_json_cannot_hold_is_null(value):
    assert number(value) is None
    assert number(0.0) == 0.0


def test_a_source_is_never_empty():
    assert render(source_text(Source("", standing=Standing.INFERRED))) == "inferred"
    assert render(source_text(SOURCE)) == "operator list, Conv, 3.0"


def test_a_model_tells_its_interface():
    value = model_value(model(), "en")
    assert value["opsets"] == {"ai.onnx": 13}
    assert value["inputs"] == [{"name": "x", "dtype": "float32", "shape": [1, 3, "h", None]}]
    assert value["nodes"] == 2
    assert value["path"] is None


def test_a_target_names_forced_nodes():
    assert target_value(TARGET) == {
        "platform": "j6p",
        "march": "nash-p",
        "toolchain": "3.0",
        "flow": "ptq",
        "qtype": None,
        "qtypes": {},
        "forced": {"3": "cpu"},
    }


def test_a_placement_lists_every_node_with_its_reasons():
    of = model()
    value = placement_value(of, placement(of), "zh_CN")
    conv, relu = value["nodes"]
    assert value["counts"] == {"BPU": 0, "CPU": 2, "UNSUPPORTED": 0, "UNKNOWN": 0, "FOLDED": 0}
    assert value["inferred"]["CPU"] == 1
    assert (conv["name"], conv["label"], relu["label"]) == ("", "y", "act")
    assert conv["checks"] == [
        {
            "clause": "conv.kernel",
            "side": "bpu",
            "outcome": "FAIL",
            "subject": "attribute kernel_shape[0]",
            "found": "5",
            "allowed": "1..2",
            "source": "operator list, Conv, 3.0",
            "standing": "reported",
            "note": "深度",
            "contradicted": None,
        }
    ]
    assert relu["because"][0]["node"] == conv["id"]
    assert relu["fused_into"] == conv["id"]
    assert value["segments"][0]["bytes_in"] is None
    json.dumps(value, allow_nan=False)


def test_a_verification_keeps_outputs_and_intermediates_apart():
    def diff(name, output):
        return TensorDiff(
            name, (1, 2), "float32", output, math.nan, 0.0, None, None, None, (1, 0), False, (0, 1), 0, None, None,
            None, Status.INCONCLUSIVE, say("report.inferred_verdict"),
        )  # fmt: skip

    result = Verification(
        StageName.MODEL,
        Status.INCONCLUSIVE,
        None,
        (diff("out", True), diff("mid", False)),
        Tolerance(False, 1e-6, say("report.stage.model")),
        7,
        ("normal x1",),
        Runtime("onnxruntime", "1", "CPU", "off", 1),
        0.5,
    )
    value = verification_value(result, "en")
    assert [d["name"] for d in value["outputs"]] == ["out"]
    assert [d["name"] for d in value["intermediates"]] == ["mid"]
    assert value["outputs"][0]["max_abs"] is None
    assert value["outputs"][0]["nonfinite"] == [1, 0]
    assert "elapsed_s" not in value
    json.dumps(value, allow_nan=False)
