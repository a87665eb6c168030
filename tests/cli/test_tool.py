"""`tool`: whole-model changes and parts from the command line, with exit codes, files and documents."""

import json

import numpy as np
import onnx
import pytest
from onnx import helper

from tests.helpers.cli import call, run, validate
from tests.helpers.models import conv, proto, write


@pytest.fixture
def dynamic(tmp_path):
    nodes = [
        helper.make_node("Shape", ["x"], ["s"], "shape"),
        helper.make_node("Relu", ["x"], ["r"], "relu"),
        helper.make_node("Reshape", ["r", "s"], ["y"], "reshape"),
    ]
    return write(proto(nodes, {"x": ["N", 8]}, {"y": ["N", 8]}), tmp_path / "dynamic.onnx")


def test_freeze_then_fold(dynamic):
    frozen, folded = dynamic.with_name("frozen.onnx"), dynamic.with_name("folded.onnx")
    before = dynamic.read_bytes()
    answer = run("tool", "freeze", dynamic, "--dim", "N=2", "-o", frozen, "--json")
    validate(answer.json)
    assert (answer.code, answer.json["output"]) == (0, [str(frozen)])
    assert answer.json["arguments"] == {"dims": {"N": 2}}
    assert answer.json["verification"]["status"] == "PASSED"
    words = run("tool", "fold", frozen, "-o", folded)
    assert words.code == 0
    assert "fold-constants: 1 nodes removed, 0 added" in words.out
    assert [n.op_type for n in onnx.load(folded).graph.node] == ["Relu", "Reshape"]
    recipe = json.loads(folded.with_suffix(".recipe.json").read_text(encoding="utf-8"))
    assert recipe["steps"][0]["rule"] == "fold-constants"
    assert dynamic.read_bytes() == before


def test_what_is_refused_says_why_and_writes_nothing(dynamic):
    output = dynamic.with_name("out.onnx")
    answer = run("tool", "freeze", dynamic, "--dim", "M=2", "-o", output, "--json")
    validate(answer.json)
    assert (answer.code, answer.json["output"], output.exists()) == (1, [], False)
    assert "N" in answer.json["reason"]
    open_sizes = run("tool", "opset", dynamic, "--to", "15", "-o", output)
    assert (open_sizes.code, output.exists()) == (1, False)
    assert "--dim N=1" in open_sizes.out
    given = run("tool", "opset", dynamic, "--to", "15", "--dim", "N=2", "-o", output)
    assert given.code == 0
    assert onnx.load(output).opset_import[0].version == 15


def test_cut_and_extract(tmp_path):
    model, head, tail, part = (tmp_path / f"{name}.onnx" for name in ("model", "head", "tail", "part"))
    write(conv(), model)
    answer = run("tool", "cut", model, "--at", "c", "-o", head, "--tail", tail, "--json")
    validate(answer.json)
    assert answer.code == 0
    assert [(p["inputs"], p["outputs"]) for p in answer.json["parts"]] == [(["x"], ["c"]), (["c"], ["y"])]
    assert [n.op_type for p in (head, tail) for n in onnx.load(p).graph.node] == ["Conv", "Relu"]
    taken = run("tool", "extract", model, "--node", "relu", "-o", part)
    assert taken.code == 0
    assert "part of 1 nodes; inputs c; outputs y" in taken.out
    onnx.checker.check_model(onnx.load(part), full_check=True)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["melt", "{model}"], "freeze"),
        (["melt", "{model}", "-o", "{out}"], "melt"),
        (["cut", "{model}", "--at", "c", "-o", "{out}", "--tail", "{out}"], "Head and tail"),
        (["extract", "{model}", "-o", "{out}"], "--node"),
        (["extract", "{model}", "--to", "yy", "-o", "{out}"], "yy"),
        (["fold", "{model}", "-o", "{model}"], "another"),
        (["opset", "{model}", "-o", "{out}"], "--to"),
    ],
)
def test_wrong_usage(tmp_path, words, named):
    names = {"model": write(conv(), tmp_path / "m.onnx"), "out": tmp_path / "out.onnx"}
    answer = call("tool", *(word.format(**names) for word in words))
    assert answer.code == 2
    assert named in answer.err


def test_help_names_every_tool():
    for language in ("en", "zh_CN"):
        out = call("tool", "--help", "--lang", language).out
        assert all(f"    {name}" in out for name in ("freeze", "fold", "prune", "opset", "rename", "nhwc", "cut"))


def test_weights_larger_than_a_page_survive(tmp_path):
    path, output = write(conv(channels=256), tmp_path / "m.onnx"), tmp_path / "out.onnx"
    assert run("tool", "opset", path, "--to", "17", "-o", output).code == 0
    before, after = (onnx.load(p).graph.initializer[0] for p in (path, output))
    np.testing.assert_array_equal(onnx.numpy_helper.to_array(before), onnx.numpy_helper.to_array(after))
