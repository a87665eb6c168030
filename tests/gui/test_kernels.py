"""The Explain panel tells apart what is known of the CPU kernel of a node that the BPU does not take."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper
from PySide6.QtWidgets import QLabel

from inspector.placement.verdict import Kernel, Verdict
from tests.gui.window import choose

WORDS = {
    "summed32": (Kernel.EXISTS, Verdict.CPU, "exists and takes these parameters", "存在，且接受这些参数"),
    "summed64": (Kernel.REFUSES, Verdict.UNSUPPORTED, "exists, but refuses these parameters", "存在，但不接受这些参数"),
    "hardmax": (Kernel.NONE, Verdict.UNSUPPORTED, "none is integrated", "未集成"),
}
"""Node -> its kernel and verdict on X5, and the panel's words in English and Chinese."""


def save_kernels(path):
    """Operators off the BPU of X5: a running sum over an int32 and an int64 axis, and one without a CPU kernel."""
    nodes = [
        helper.make_node("CumSum", ["x", "axis32"], ["a"], "summed32"),
        helper.make_node("CumSum", ["a", "axis64"], ["b"], "summed64"),
        helper.make_node("Hardmax", ["b"], ["c"], "hardmax", axis=1),
        helper.make_node("Relu", ["c"], ["y"], "relu"),
    ]
    axes = [numpy_helper.from_array(np.array(1, dtype), f"axis{dtype().nbytes * 8}") for dtype in (np.int32, np.int64)]
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 8, 16, 16]) for name in "xy"]
    graph = helper.make_graph(nodes, "kernels", ends[:1], ends[1:], axes)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6), str(path))
    return path


@pytest.fixture
def kernels(desk, tmp_path):
    desk.open(save_kernels(tmp_path / "kernels.onnx"))
    choose(desk, "x5")
    return desk


def select(desk, name):
    node = next(node for node in desk.model.nodes if node.name == name)
    desk.document.select(node.id)
    desk.idle()
    return desk.document.workspace.placement.verdicts[node.id]


def lines(desk):
    panel = desk.bench.explain
    return [label.text().replace("\u200b", "") for label in panel.findChildren(QLabel) if label.isVisibleTo(panel)]


@pytest.mark.parametrize("name", WORDS)
def test_each_kind_of_kernel_has_its_words(kernels, name):
    kernel, verdict, english, chinese = WORDS[name]
    judged = select(kernels, name)
    assert (judged.kernel, judged.verdict) == (kernel, verdict)
    assert f"CPU kernel: {english}" in lines(kernels)
    others = {words for other, (_, _, words, _) in WORDS.items() if other != name}
    assert not any(f"CPU kernel: {words}" in lines(kernels) for words in others)
    kernels.window.set_language("zh_CN")
    kernels.idle()
    assert f"CPU 实现：{chinese}" in lines(kernels)


def test_a_kernel_that_refuses_is_the_reason_and_its_limit_stands_in_the_table(kernels):
    judged = select(kernels, "summed64")
    assert judged.because[0].pass_name == "kernel-refuses"
    shown = lines(kernels)
    assert any("a CPU kernel exists for CumSum, but it refuses these parameters" in line for line in shown)
    refused = next(check for check in judged.failed if check.clause == "cum-sum.cpu-dtype-axis")
    assert {"CPU kernel: dtype of axis", str(refused.found), str(refused.allowed)} <= set(shown)


def test_a_node_on_the_bpu_needs_no_kernel(kernels):
    judged = select(kernels, "relu")
    assert judged.verdict is Verdict.BPU
    assert not any(line.startswith("CPU kernel") for line in lines(kernels))
