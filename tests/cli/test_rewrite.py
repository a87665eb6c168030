import json
from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import helper

from tests.helpers.cli import ROOT, call, run, validate
from tests.helpers.models import proto

SAMPLE = ROOT / "resources" / "samples" / "occupancy-head.onnx"


@pytest.fixture
def output(tmp_path):
    return tmp_path / "out.onnx"


@pytest.fixture
def folding(tmp_path):
    """Two Conv-BatchNormalization pairs; the second Conv is read twice, so that it cannot take its BN in."""
    generator = np.random.default_rng(3)
    tensors = {f"w{i}": generator.normal(size=(4, 4, 1, 1)).astype(np.float32) for i in (0, 1)}
    for name in ("s", "b", "m"):
        tensors[name] = generator.normal(size=4).astype(np.float32)
    tensors["v"] = np.full(4, 1.5, np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w0"], ["c0"], name="conv0"),
        helper.make_node("BatchNormalization", ["c0", "s", "b", "m", "v"], ["n0"], name="bn0"),
        helper.make_node("Conv", ["n0", "w1"], ["c1"], name="conv1"),
        helper.make_node("BatchNormalization", ["c1", "s", "b", "m", "v"], ["n1"], name="bn1"),
        helper.make_node("Add", ["n1", "c1"], ["y"], name="sum"),
    ]
    path = tmp_path / "folding.onnx"
    onnx.save(proto(nodes, {"x": [1, 4, 8, 8]}, {"y": [1, 4, 8, 8]}, tensors), path)
    return path


def operators(path):
    return Counter(node.op_type for node in onnx.load(path).graph.node)


@pytest.mark.parametrize(
    ("words", "rule", "widest"),
    [
        (["--all"], "convtranspose3d-to-2d", [320, 96, 64]),
        (["--rule", "convtranspose3d-to-conv3d"], "convtranspose3d-to-conv3d", [1280, 384, 256]),
    ],
)
def test_the_occupancy_head_leaves_the_cpu(output, words, rule, widest):
    before = SAMPLE.read_bytes()
    answer = run("rewrite", SAMPLE, "--platform", "j6p", *words, "-o", output, "--json")
    assert (answer.code, answer.err) == (0, "")
    document = answer.json
    validate(document)
    assert [step["rule"] for step in document["steps"]] == [rule] * 3
    assert [step["cost_after"]["widest_channels"] for step in document["steps"]] == widest
    assert {step["status"] for step in document["steps"]} == {"PASSED"}
    assert document["counts"]["before"]["CPU"] == 3
    assert document["counts"]["after"]["CPU"] == 0
    assert document["counts"]["after"]["UNKNOWN"] == 0
    assert document["refused"] == []
    assert document["verification"]["status"] == "PASSED"
    assert document["verification"]["outputs"][0]["max_rel"] <= 1e-6
    assert document["output"] == str(output)
    assert SAMPLE.read_bytes() == before
    again = call("verify", SAMPLE, output, "--json")
    validate(again.json)
    assert (again.code, again.json["status"]) == (0, "PASSED")
    assert call("check", output, "--platform", "j6p").code == 0


def test_the_recipe_stands_beside_the_model_and_inside_it(output):
    call("rewrite", SAMPLE, "--platform", "j6p", "--all", "-o", output)
    recipe = json.loads((output.parent / "out.recipe.json").read_text(encoding="utf-8"))
    assert [step["anchor"]["name"] for step in recipe["steps"]] == [f"/v2/v2.{i}/ConvTranspose" for i in (0, 3, 6)]
    model = onnx.load(output)
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    assert json.loads(metadata["inspector.steps"]) == recipe
    source = onnx.load(SAMPLE)
    assert (model.ir_version, model.opset_import) == (source.ir_version, source.opset_import)


def test_a_rule_goes_wherever_it_matches_and_tells_where_it_does_not(folding, output):
    answer = call("rewrite", folding, "--platform", "x5", "--rule", "bn-fold", "-o", output, "--json")
    document = answer.json
    validate(document)
    assert answer.code == 0
    assert [(step["node"], step["status"]) for step in document["steps"]] == [("bn0", "PASSED")]
    assert [entry["node"] for entry in document["refused"]] == ["bn1"]
    assert operators(output) == {"Conv": 2, "BatchNormalization": 1, "Add": 1}


def test_a_refusal_at_the_node_that_was_asked_for_is_exit_code_1(folding, output):
    answer = call("rewrite", folding, "--platform", "x5", "--rule", "bn-fold", "--node", "bn1", "-o", output, "--json")
    assert answer.code == 1
    assert answer.json["output"] is None
    assert [entry["node"] for entry in answer.json["refused"]] == ["bn1"]
    assert not output.exists()


def test_a_clean_up_is_not_a_fix(folding, output):
    answer = call("rewrite", folding, "--platform", "x5", "--all", "-o", output, "--json")
    assert "bn-fold" not in [step["rule"] for step in answer.json["steps"]]


def test_one_node_and_one_variant(output):
    words = ["--rule", "convtranspose3d-to-2d", "--node", "/v2/v2.3/ConvTranspose", "--variant", "rank-4"]
    answer = call("rewrite", SAMPLE, "--platform", "j6p", *words, "-o", output, "--json")
    assert answer.code == 0
    assert [(s["node"], s["variant"]) for s in answer.json["steps"]] == [("/v2/v2.3/ConvTranspose", "rank-4")]
    assert answer.json["counts"]["after"]["CPU"] == 2


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--rule", "bn-foold"], "bn-fold"),
        (["--rule", "bn-fold", "--variant", "none"], "weights"),
        (["--rule", "bn-fold", "--node", "nowhere"], "ConvTranspose"),
    ],
)
def test_a_name_that_does_not_exist_says_what_does(output, words, named):
    answer = call("rewrite", SAMPLE, "--platform", "j6p", *words, "-o", output)
    assert (answer.code, answer.out) == (2, "")
    assert named in answer.err
    assert not output.exists()


@pytest.mark.parametrize("name", ["out.onnx", "out.recipe.json"])
def test_what_exists_is_overwritten_only_when_told(folding, output, name):
    existing = output.with_name(name)
    existing.write_text("precious", encoding="utf-8")
    words = ["rewrite", folding, "--platform", "x5", "--rule", "bn-fold", "-o", output]
    answer = call(*words)
    assert answer.code == 2
    assert name in answer.err
    assert existing.read_text(encoding="utf-8") == "precious"
    assert call(*words, "--force-overwrite").code == 0
    assert existing.read_bytes() != b"precious"


@pytest.mark.parametrize(
    ("language", "passed", "written"),
    [("en", "PASSED: whole model", "Written: "), ("zh_CN", "PASSED：整个模型", "已写出：")],
)
def test_the_text_names_steps_counts_and_files(output, language, passed, written):
    answer = call("rewrite", SAMPLE, "--platform", "j6p", "--all", "-o", output, "--lang", language)
    lines = answer.out.splitlines()
    assert sum("convtranspose3d-to-2d" in line for line in lines) == 3
    # First layer: [1, 64, 5, 12, 16] of float32 before, [1, 320, 12, 16] after; 128 x 64 x 20 products at 48 places.
    assert any("64 -> 320" in line for line in lines)
    assert any("240.0 KiB -> 240.0 KiB" in line and "7,864,320 -> 7,864,320" in line for line in lines)
    assert any(line.startswith(passed) for line in lines)
    assert any("CPU 3 -> 0" in line for line in lines)
    assert f"{written}{output}" in lines


def test_nothing_to_fix_writes_nothing(folding, output):
    answer = call("rewrite", folding, "--platform", "x5", "--rule", "resize5d-split", "-o", output)
    assert answer.code == 1
    assert not output.exists()


def test_a_folder_that_is_missing_is_told_before_any_work(folding, tmp_path):
    answer = call("rewrite", folding, "--platform", "x5", "--rule", "bn-fold", "-o", tmp_path / "none" / "out.onnx")
    assert (answer.code, answer.out) == (2, "")
    assert str(tmp_path / "none") in answer.err


@pytest.fixture
def dead_end(tmp_path):
    """A Conv-BatchNormalization pair whose result is multiplied by zero, so that no output shows it."""
    generator = np.random.default_rng(3)
    tensors = {name: generator.normal(size=4).astype(np.float32) for name in ("s", "b", "m")}
    tensors |= {"v": np.full(4, 1.5, np.float32), "zero": np.zeros(1, np.float32)}
    tensors["w"] = generator.normal(size=(4, 4, 1, 1)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], name="conv"),
        helper.make_node("BatchNormalization", ["c", "s", "b", "m", "v"], ["n"], name="bn"),
        helper.make_node("Mul", ["n", "zero"], ["y"], name="nothing"),
    ]
    path = tmp_path / "dead.onnx"
    onnx.save(proto(nodes, {"x": [1, 4, 8, 8]}, {"y": [1, 4, 8, 8]}, tensors), path)
    return path


def test_an_inconclusive_proof_writes_only_when_told_and_says_so(dead_end, output):
    words = ["rewrite", dead_end, "--platform", "x5", "--rule", "bn-fold", "-o", output, "--json"]
    answer = call(*words)
    assert answer.json["verification"]["status"] == "INCONCLUSIVE"
    assert (answer.code, answer.json["output"], output.exists()) == (1, None, False)
    told = call(*words, "--accept-inconclusive")
    validate(told.json)
    assert (told.code, told.json["output"], output.exists()) == (1, str(output), True)
    assert "--accept-inconclusive" in told.json["steps"][0]["override"]


def test_a_proof_that_cannot_be_made_says_why_and_of_which_variant(dead_end, output):
    model = onnx.load(dead_end)
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_param = "batch"
    del model.graph.output[0].type.tensor_type.shape.dim[:]
    onnx.save(model, dead_end)
    answer = call("rewrite", dead_end, "--platform", "x5", "--rule", "bn-fold", "-o", output)
    assert (answer.code, output.exists()) == (1, False)
    line = next(line for line in answer.out.splitlines() if "bn-fold" in line)
    assert "weights" in line
    assert "INCONCLUSIVE" in line
    assert "batch×4×8×8" in line


def test_a_rule_does_not_rewrite_its_own_work(tmp_path, output):
    nodes = [
        helper.make_node("HardSigmoid", ["x"], ["h"], name="h", alpha=1.0 / 6.0, beta=0.5),
        helper.make_node("Mul", ["x", "h"], ["y"], name="m"),
    ]
    path = tmp_path / "swish.onnx"
    onnx.save(proto(nodes, {"x": [1, 4, 8, 8]}, {"y": [1, 4, 8, 8]}), path)
    answer = call("rewrite", path, "--platform", "x3", "--rule", "hardswish", "-o", output, "--json")
    assert (answer.code, len(answer.json["steps"])) == (0, 1)


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
def test_the_input_is_spared_under_every_name(folding, output, link):
    link(output, folding)
    before = folding.read_bytes()
    answer = call("rewrite", folding, "--platform", "x5", "--rule", "bn-fold", "-o", output, "--force-overwrite")
    assert (answer.code, answer.out) == (2, "")
    assert "never overwritten" in answer.err
    assert folding.read_bytes() == before
