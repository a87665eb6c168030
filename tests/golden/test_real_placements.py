"""Patterns whose real placement is known from build logs, rebuilt small, against the shipped tables."""

import numpy as np
import pytest
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.placement.target import Device
from inspector.placement.verdict import Verdict
from inspector.worker.client import InProcessRunner
from tests.golden.problems import Builder

CATALOG = load_catalog()


def verdicts(message, platform, forced=()):
    model = infer_shapes(from_proto(message), InProcessRunner())
    target = resolve_target(CATALOG, platform)
    ids = {node.name: node.id for node in model.nodes}
    target = type(target)(
        target.platform, target.march, target.toolchain, forced={ids[name]: Device.BPU for name in forced}
    )
    placement = place(model, CATALOG, target)
    return {node.name: placement.verdicts[node.id].verdict.value for node in model.nodes}


def decode_in_5d():
    """The decode of one YOLO scale inside the model, on 5-D tensors."""
    b = Builder()
    t = b.reshape(b.conv("x", 16, 255, 1, "conv"), [1, 3, 85, 20, 20], "to5d")
    t = b.op("Sigmoid", [b.op("Transpose", [t], "transpose", perm=[0, 1, 3, 4, 2])], "sigmoid")
    b.nodes.append(helper.make_node("Split", [t], ["xy", "wh", "rest"], "split", axis=4, split=[2, 2, 81]))
    two, stride = b.tensor(np.array(2, np.float32)), b.tensor(np.array(8, np.float32))
    m = b.op("Add", [b.op("Mul", ["xy", two], "xy_twice"), b.tensor(b.noise(1, 3, 20, 20, 2))], "xy_grid")
    m = b.op("Mul", [m, stride], "xy_stride")
    w = b.op("Pow", [b.op("Mul", ["wh", two], "wh_twice"), two], "wh_square")
    w = b.op("Mul", [w, b.tensor(b.noise(1, 3, 20, 20, 2))], "wh_anchor")
    y = b.reshape(b.op("Concat", [m, w, "rest"], "concat", axis=4), [1, -1, 85], "rows")
    return b.model({"x": [1, 16, 20, 20]}, y, [1, 1200, 85])


def test_decode_on_ultra():
    """As in the node table of an Ultra build: 12 nodes of this kind on the CPU, Pow alone on the BPU between them."""
    got = verdicts(decode_in_5d(), "ultra")
    on_cpu = {name for name, verdict in got.items() if verdict == "CPU"}
    assert on_cpu == {"xy_twice", "xy_grid", "xy_stride", "wh_twice", "wh_anchor", "concat", "rows"}
    assert set(got.values()) == {"BPU", "CPU"}


def test_residual_network_has_no_problem_inside():
    b = Builder()
    t = b.op("Relu", [b.conv("x", 3, 8, 3, "stem")], "r0")
    for i in range(3):
        u = b.op("Relu", [b.conv(t, 8, 8, 3, f"a{i}")], f"ra{i}")
        t = b.op("Relu", [b.op("Add", [b.conv(u, 8, 8, 3, f"b{i}"), t], f"add{i}")], f"rb{i}")
    t = b.op("Flatten", [b.op("GlobalAveragePool", [t], "pool")], "flatten", axis=1)
    y = b.op("Gemm", [t, b.tensor(b.noise(8, 10)), b.tensor(b.noise(10))], "fc")
    message = b.model({"x": [1, 3, 16, 16]}, y, [1, 10])
    for platform in ("x3", "x5", "ultra", "j6p"):
        assert set(verdicts(message, platform).values()) == {"BPU"}, platform


def test_scalar_computed_from_constants_counts_as_constant():
    b = Builder()
    scale = b.op("Sqrt", [b.tensor(np.array(16, np.float32))], "root")
    t = b.op("Mul", [b.conv("x", 3, 4, 1, "conv"), scale], "scaled")
    message = b.model({"x": [1, 3, 8, 8]}, b.conv(t, 4, 4, 1, "last"), [1, 4, 8, 8])
    assert verdicts(message, "x5") == {"root": "FOLDED", "conv": "BPU", "scaled": "BPU", "last": "BPU"}


def test_softmax_is_forced_with_its_limits_met():
    def message(axis):
        b = Builder()
        t = b.op("Softmax", [b.conv("x", 3, 4, 1, "conv")], "softmax", axis=axis)
        return b.model({"x": [1, 3, 8, 8]}, b.conv(t, 4, 4, 1, "last"), [1, 4, 8, 8])

    assert verdicts(message(3), "x5")["softmax"] == "CPU"
    assert verdicts(message(3), "x5", forced=["softmax"])["softmax"] == "BPU"
    assert verdicts(message(0), "x5", forced=["softmax"])["softmax"] == "CPU"


@pytest.mark.parametrize(("platform", "verdict"), [("x3", "CPU"), ("x5", "BPU")])
def test_last_transpose_to_nhwc_and_others(platform, verdict):
    b = Builder()
    t = b.conv("x", 3, 4, 1, "conv")
    layout = b.op("Transpose", [t], "layout", perm=[0, 2, 3, 1])
    message = b.model({"x": [1, 3, 8, 8]}, layout, [1, 8, 8, 4])
    assert verdicts(message, platform)["layout"] == "BPU"
    b = Builder()
    other = b.op("Transpose", [b.conv("x", 3, 4, 1, "conv")], "other", perm=[0, 1, 3, 2])
    message = b.model({"x": [1, 3, 8, 8]}, other, [1, 4, 8, 8])
    assert verdicts(message, platform)["other"] == verdict


def test_convolution_over_volumes_is_not_taken_for_a_picture_on_x3():
    b = Builder()
    w = b.tensor(b.noise(4, 3, 3, 3, 3))
    y = b.op("Conv", ["x", w], "conv3d", kernel_shape=[3, 3, 3])
    message = b.model({"x": [1, 3, 8, 8, 8]}, y, [1, 4, 6, 6, 6])
    assert verdicts(message, "x3")["conv3d"] in ("CPU", "UNSUPPORTED")


def test_local_function_is_as_good_as_its_body():
    def message(op):
        b = Builder()
        y = b.op("Act", [b.conv("x", 3, 4, 1, "conv")], "call", "local")
        model = b.model({"x": [1, 3, 8, 8]}, y, [1, 4, 8, 8], ir=8, domains=["local"])
        inner = helper.make_node(op, ["a"], ["b"], "inner")
        model.functions.append(helper.make_function("local", "Act", ["a"], ["b"], [inner], model.opset_import[:1]))
        return model

    assert verdicts(message("Relu"), "x5")["call"] in ("BPU", "UNKNOWN")
    assert verdicts(message("Not"), "x5")["call"] == Verdict.CPU
    assert verdicts(message("Det"), "x5")["call"] == Verdict.UNSUPPORTED
