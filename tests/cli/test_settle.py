"""Many proven steps whose sum does not pass: what passes is kept, the rest is named."""

import numpy as np
import onnx
from onnx import helper

from inspector.cli.settle import MOST_DROPPED
from tests.helpers.cli import call, validate
from tests.helpers.models import proto


def divisions(path, *, cancelled, kept, kept_first=0):
    """Divisions by 3, of which *cancelled* end in the difference to x times 1/3: rounding is what is left."""
    counts = {"f": kept_first, "c": cancelled, "k": kept}
    names = [f"{kind}{i}" for kind, count in counts.items() for i in range(count)]
    nodes, outputs = [], {}
    for name in names:
        nodes.append(helper.make_node("Div", ["x", "three"], [f"{name}_d"], name))
        if name.startswith("c"):
            nodes.append(helper.make_node("Mul", ["x", "third"], [f"{name}_m"], f"{name}_mul"))
            nodes.append(helper.make_node("Sub", [f"{name}_d", f"{name}_m"], [f"{name}_s"], f"{name}_sub"))
            nodes.append(helper.make_node("Mul", [f"{name}_s", "large"], [f"{name}_y"], f"{name}_scale"))
        else:
            nodes.append(helper.make_node("Relu", [f"{name}_d"], [f"{name}_y"], f"{name}_relu"))
        outputs[f"{name}_y"] = [1, 4, 8, 8]
    tensors = {"three": np.float32(3), "third": np.float32(1) / np.float32(3), "large": np.float32(1e8)}
    onnx.save(proto(nodes, {"x": [1, 4, 8, 8]}, outputs, tensors), path)
    return path


def rewritten(path, output):
    words = ["--platform", "x3", "--rule", "div-to-mul", "-o", output, "--json"]
    answer = call("rewrite", path, *words)
    validate(answer.json)
    return answer


def test_the_step_at_fault_is_dropped_and_named_and_the_others_are_written(tmp_path):
    output = tmp_path / "out.onnx"
    answer = rewritten(divisions(tmp_path / "m.onnx", cancelled=1, kept=3), output)
    assert answer.code == 1  # what was asked for is not all there
    assert [step["node"] for step in answer.json["steps"]] == ["k0", "k1", "k2"]
    (dropped,) = answer.json["refused"]
    assert (dropped["node"], dropped["verification"]["status"]) == ("c0", "FAILED")
    assert "FAILED" in dropped["reason"]
    assert answer.json["verification"]["status"] == "PASSED"
    assert sum(node.op_type == "Div" for node in onnx.load(output).graph.node) == 1


def test_steps_behind_too_many_faults_are_given_up(tmp_path):
    """The first one passes; then come more faults than are looked for one by one."""
    path = divisions(tmp_path / "m.onnx", kept_first=1, cancelled=MOST_DROPPED + 1, kept=1)
    answer = rewritten(path, tmp_path / "out.onnx")
    assert answer.code == 1
    assert [step["node"] for step in answer.json["steps"]] == ["f0"]
    assert len(answer.json["refused"]) == MOST_DROPPED + 2
    assert answer.json["verification"]["status"] == "PASSED"


def test_where_no_step_passes_all_are_shown_with_the_comparison(tmp_path):
    output = tmp_path / "out.onnx"
    answer = rewritten(divisions(tmp_path / "m.onnx", cancelled=2, kept=0), output)
    assert answer.code == 1
    assert [step["node"] for step in answer.json["steps"]] == ["c0", "c1"]
    assert answer.json["verification"]["status"] == "FAILED"
    assert not output.exists()


def test_nothing_is_dropped_where_no_step_is_at_fault(tmp_path):
    """The output is constant zero, whatever the input: no comparison of this model proves anything."""
    nodes = [
        helper.make_node("Div", ["x", "three"], ["d"], "div"),
        helper.make_node("Mul", ["d", "zero"], ["y"], "mul"),
    ]
    tensors = {"three": np.float32(3), "zero": np.float32(0)}
    path = tmp_path / "m.onnx"
    onnx.save(proto(nodes, {"x": [1, 4, 8, 8]}, {"y": [1, 4, 8, 8]}, tensors), path)
    answer = rewritten(path, tmp_path / "out.onnx")
    assert answer.code == 1
    assert answer.json["output"] is None
    assert [step["node"] for step in answer.json["steps"]] == ["div"]
    assert answer.json["verification"]["status"] == "INCONCLUSIVE"
