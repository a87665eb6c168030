import json
import shlex

import numpy as np
import onnx
import pytest
from onnx import helper

from tests.helpers.cli import ROOT, call, run, validate
from tests.helpers.models import proto

SAMPLE = ROOT / "resources" / "samples" / "occupancy-head.onnx"
HEADLINES = {
    "en": [
        "cpu[conv-transpose.kernel-depth]: `/v2/v2.0/ConvTranspose` (ConvTranspose) falls back to the CPU",
        "cpu[conv-transpose.stride]: `/v2/v2.3/ConvTranspose` (ConvTranspose) falls back to the CPU",
        "cpu[conv-transpose.stride]: `/v2/v2.6/ConvTranspose` (ConvTranspose) falls back to the CPU",
    ],
    "zh_CN": [
        "cpu[conv-transpose.kernel-depth]：`/v2/v2.0/ConvTranspose`（ConvTranspose）回退到 CPU",
        "cpu[conv-transpose.stride]：`/v2/v2.3/ConvTranspose`（ConvTranspose）回退到 CPU",
        "cpu[conv-transpose.stride]：`/v2/v2.6/ConvTranspose`（ConvTranspose）回退到 CPU",
    ],
}
FIGURES = {
    "en": "  attribute kernel_shape[0] is 5, allowed 1..2",
    "zh_CN": "  属性 kernel_shape[0] 为 5，允许 1..2",
}


def save(path, nodes, inputs, outputs, tensors=None, **kwargs):
    onnx.save(proto(nodes, inputs, outputs, tensors, **kwargs), path)
    return path


@pytest.fixture
def relu(tmp_path):
    """Two nodes called `same` and one without a name, on a batch that is open."""
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="same"),
        helper.make_node("Relu", ["a"], ["b"], name="same"),
        helper.make_node("Relu", ["b"], ["y"]),
    ]
    return save(tmp_path / "relu.onnx", nodes, {"x": ["batch", 8, 16, 16]}, {"y": ["batch", 8, 16, 16]})


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_findings_stand_in_graph_order_with_figures_and_help(language):
    answer = run("check", SAMPLE, "--platform", "j6p", "--lang", language)
    assert (answer.code, answer.err) == (1, "")
    lines = answer.out.splitlines()
    assert [line for line in lines if line.startswith("cpu[")] == HEADLINES[language]
    assert lines[1].startswith("BPU 2  CPU 3  UNSUPPORTED 0  UNKNOWN 0  FOLDED 0")
    first = lines.index(HEADLINES[language][0])
    assert lines[first + 1] == FIGURES[language]
    assert "convtranspose3d-to-2d" in lines[first + 3]
    assert lines[first + 4] == lines[first + 3].replace("to-2d", "to-conv3d")
    assert "kernel_shape[0]" in lines[first + 5]
    assert "≤ 2" in lines[first + 5]
    assert lines[first + 6] == ""


@pytest.mark.parametrize("blocked", [False, True])
def test_the_document_is_the_same_with_and_without_qt_and_onnxruntime(blocked):
    answer = run("check", SAMPLE, "--platform", "j6p", "--json", blocked=blocked)
    assert (answer.code, answer.err) == (1, "")
    document = answer.json
    validate(document)
    assert document["schema"] == "bpu-inspector/check/1"
    assert document["target"]["march"] == "nash-p"
    assert document["counts"] == {"BPU": 2, "CPU": 3, "UNSUPPORTED": 0, "UNKNOWN": 0, "FOLDED": 0}
    assert [node["verdict"] for node in document["nodes"]] == ["CPU", "BPU", "CPU", "BPU", "CPU"]
    assert [node["output_shape"][:3] for node in document["nodes"][::2]] == [[1, 64, 5], [1, 48, 10], [1, 32, 20]]
    for node in document["nodes"][::2]:
        failed = [check for check in node["checks"] if check["outcome"] == "FAIL"]
        assert failed
        assert all(check["found"] and check["allowed"] and check["source"] for check in failed)
        assert {fix["rule"] for fix in node["fixes"]} >= {"convtranspose3d-to-2d", "convtranspose3d-to-conv3d"}
        assert all(fix["gain"]["cpu"] == [3, 2] for fix in node["fixes"])


def test_the_same_input_gives_the_same_bytes():
    first, second = (run("check", SAMPLE, "--platform", "x5", "--json") for _ in range(2))
    assert first.out == second.out


def test_a_sentence_follows_the_language_and_a_key_does_not():
    english, chinese = (
        call("check", SAMPLE, "--platform", "j6p", "--json", "--lang", language).json for language in ("en", "zh_CN")
    )
    assert english.keys() == chinese.keys()
    assert english["counts"] == chinese["counts"]
    notes = [document["nodes"][0]["checks"][0]["note"] for document in (english, chinese)]
    assert notes[0] != notes[1]


def test_a_model_without_findings_is_exit_code_0(tmp_path):
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"], name="c", kernel_shape=[3, 3], pads=[1, 1, 1, 1])]
    weight = np.zeros((16, 16, 3, 3), np.float32)
    model = save(
        tmp_path / "m.onnx", nodes, {"x": [1, 16, 32, 32]}, {"y": [1, 16, 32, 32]}, {"w": weight}, opset=11, ir=7
    )
    answer = call("check", model, "--platform", "x5", "--json")
    assert (answer.code, answer.json["counts"]["BPU"]) == (0, 1)


def test_an_open_dimension_can_be_bound(relu):
    open_, bound = (
        call("check", relu, "--platform", "j6p", "--json", *words).json for words in ((), ("--dim", "batch=2"))
    )
    assert open_["nodes"][0]["output_shape"] == ["batch", 8, 16, 16]
    assert bound["nodes"][0]["output_shape"] == [2, 8, 16, 16]
    assert bound["model"]["bound_dims"] == {"batch": 2}


def test_below_the_findings_stands_the_rewrite_that_can_be_typed(tmp_path):
    words = ("--platform", "j6p", "--flow", "qat")
    line = call("check", SAMPLE, *words).out.splitlines()[-1]
    _, *command = shlex.split(line.split("`")[1])
    assert command[:6] == ["rewrite", str(SAMPLE), *words]
    assert command[6:] == ["--all", "-o", str(SAMPLE.with_name("occupancy-head.fixed.onnx"))]
    typed = call(*command[:-1], tmp_path / "fixed.onnx")
    assert (typed.code, typed.err) == (0, "")


def test_an_open_dimension_is_told_until_it_is_bound(relu):
    assert "`--dim batch=1`" in call("check", relu, "--platform", "x5").out
    assert "--dim" not in call("check", relu, "--platform", "x5", "--dim", "batch=1").out


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--dim", "bach=2"), "batch"),
        (("--dim", "batch=zero"), "batch=zero"),
        (("--dim", "batch=2147483648"), "2147483647"),
        (("--force", "#0=cpu", "--force", "y=bpu", "--force", "#0=bpu"), "twice"),
        (("--force", f"#{'9' * 5000}=cpu"), "no node"),
        (("--force", "same=cpu"), "#0, #1"),
        (("--force", "sane=cpu"), "same"),
        (("--force", "y=gpu"), "y=gpu"),
        (("--march", "bayes"), "nash-p"),
        (("--toolchain", "0.0"), "3."),
    ],
)
def test_an_option_that_names_nothing_says_what_there_is(relu, words, named):
    answer = call("check", relu, "--platform", "j6p", *words)
    assert (answer.code, answer.out) == (2, "")
    assert named in answer.err


def test_an_unknown_platform_lists_the_known_ones(relu):
    answer = call("check", relu, "--platform", "x6")
    assert answer.code == 2
    assert "x5" in answer.err


@pytest.mark.parametrize("name", ["y", "2", "#2"])
def test_a_node_is_forced_by_name_output_or_id(relu, name):
    document = call("check", relu, "--platform", "x5", "--dim", "batch=1", "--force", f"{name}=cpu", "--json").json
    assert document["target"]["forced"] == {"2": "cpu"}
    assert document["nodes"][2]["verdict"] == "CPU"
    assert [entry["pass"] for entry in document["nodes"][2]["because"]] == ["forced"]


@pytest.mark.parametrize("content", [b"", b"not a model", b"PK\x03\x04 zip"])
def test_a_file_that_is_no_model_is_exit_code_3(tmp_path, content):
    path = tmp_path / "m.onnx"
    path.write_bytes(content)
    answer = call("check", path, "--platform", "x5", "--json")
    assert (answer.code, answer.out) == (3, "")
    assert "m.onnx" in answer.err
    assert "Traceback" not in answer.err


def test_names_that_are_odd_survive_as_json(tmp_path):
    nodes = [helper.make_node("Relu", ["x"], ["输出"], name="节点 \U0001f600\n\t\"'")]
    model = save(tmp_path / "模型.onnx", nodes, {"x": [1, 8, 4, 4]}, {"输出": [1, 8, 4, 4]})
    answer = run("check", model, "--platform", "x5", "--json", env={"PYTHONIOENCODING": "ascii"})
    document = json.loads(answer.out)
    assert document["nodes"][0]["name"] == "节点 \U0001f600\n\t\"'"
    assert document["model"]["path"].endswith("模型.onnx")


def test_a_name_cannot_steer_the_terminal_or_pass_for_a_line(tmp_path):
    nodes = [helper.make_node("NonZero", ["x"], ["y"], name="a\x1b[31m\nBPU 99\u202e\x07")]
    model = save(tmp_path / "m\nBPU 98.onnx", nodes, {"x": [1, 8, 4, 4]}, {"y": [4, 1]})
    answer = call("check", model, "--platform", "x5")
    assert r"a\x1b[31m\nBPU 99\u202e\x07" in answer.out
    assert not {"\x1b", "\u202e", "\x07"} & set(answer.out)
    assert [line for line in answer.out.splitlines() if line.startswith("BPU 9")] == []
    missing = call("check", tmp_path / "gone\nBPU 97.onnx", "--platform", "x5")
    assert len(missing.err.splitlines()) == 2, "what is wrong, and what to do"


def test_a_function_that_calls_itself_is_opened_with_a_warning(tmp_path):
    body = [helper.make_node("Rec", ["a"], ["b"], domain="local")]
    imports = [helper.make_opsetid("", 13), helper.make_opsetid("local", 1)]
    function = helper.make_function("local", "Rec", ["a"], ["b"], body, imports)
    model = proto([helper.make_node("Rec", ["x"], ["y"], domain="local")], {"x": [1]}, {"y": [1]}, domains=["local"])
    model.functions.append(function)
    onnx.save(model, tmp_path / "recursive.onnx")
    answer = call("check", tmp_path / "recursive.onnx", "--platform", "x5", "--json")
    assert (answer.code, answer.err) == (1, "")
    assert answer.json["model"]["warnings"]
