"""`check --against`, number formats, versions and islands on the command line."""

import numpy as np
import onnx
import pytest
from onnx import helper

from tests.helpers.cli import ROOT, call, run, validate
from tests.helpers.models import proto

SAMPLE = ROOT / "resources" / "samples" / "occupancy-head.onnx"
UP = "/v2/v2.0/ConvTranspose"


@pytest.fixture
def sandwich(tmp_path):
    """Conv -> Abs -> Conv -> PRelu: Abs is a CPU operator on X3."""
    weight = np.zeros((16, 16, 1, 1), np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], name="first"),
        helper.make_node("Abs", ["a"], ["b"], name="island"),
        helper.make_node("Conv", ["b", "w"], ["c"], name="last"),
        helper.make_node("PRelu", ["c", "s"], ["y"], name="prelu"),
    ]
    tensors = {"w": weight, "s": np.full((16, 1, 1), 0.1, np.float32)}
    made = proto(nodes, {"x": [1, 16, 32, 32]}, {"y": [1, 16, 32, 32]}, tensors, opset=11, ir=7)
    path = tmp_path / "sandwich.onnx"
    onnx.save(made, path)
    return path


def test_nodes_that_change_are_told_with_the_clause_on_each_side(sandwich):
    answer = call("check", sandwich, "--platform", "x3", "--against", "x5")
    assert (answer.code, answer.err) == (1, "")
    assert "`island` (Abs): CPU -> BPU" in answer.out
    assert "before: abs.bpu: " in answer.out
    assert "CPU -> BPU: 1 node, by abs.bpu" in answer.out
    document = run("check", sandwich, "--platform", "x3", "--against", "x5@1.2.6", "--json", blocked=True).json
    validate(document)
    assert document["schema"] == "bpu-inspector/compare/1"
    assert document["after"]["target"]["toolchain"] == "1.2.6"
    assert next((c["label"], c["before"]["clauses"], c["after"]["clauses"]) for c in document["changes"]) == (
        "island", ["abs.bpu"], [],
    )  # fmt: skip
    assert document["better"] >= 1


def test_equal_targets_are_exit_code_0(sandwich):
    answer = call(
        "check", sandwich, "--platform", "x5", "--toolchain", "1.1.13", "--against", "@hb_mapper=1.24.3", "--json"
    )
    assert answer.code == 0
    document = answer.json
    validate(document)
    assert document["changes"] == []
    assert {d["id"] for d in document["differences"]} == {"naming-faults", "force-list", "grid-sample-cpu"}


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_versions_say_what_is_known_to_differ(sandwich, language):
    words = ("check", sandwich, "--platform", "x5", "--against", "@1.1.13", "--lang", language)
    text = call(*words).out
    assert "GridSample" in text


def test_the_flow_can_be_compared_and_a_march_chosen(sandwich):
    document = call("check", sandwich, "--platform", "j6p", "--against", "/qat", "--json").json
    assert (document["before"]["target"]["flow"], document["after"]["target"]["flow"]) == ("ptq", "qat")
    document = call("check", sandwich, "--platform", "j6p", "--against", "j6b:nash-b-plus@3.9.0-rc4/qat", "--json").json
    assert document["after"]["target"]["march"] == "nash-b-plus"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--against", "x6"), "x5"),
        (("--against", "x5@9"), "1.2.8"),
        (("--against", "x5/fast"), "x5/fast"),
        (("--against", "x5:nash-p"), "bayes-e"),
        (("--qtype", "float64"), "float16"),
        (("--qtype", "int16", "--against", "x3"), "int16"),
        (("--node-qtype", f"{UP}=int4"), "int4"),
        (("--node-qtype", "int8"), "int8"),
        (("--node-qtype", "nowhere=int8"), "nowhere"),
        (("--toolchain", "hbdk=1.0"), "hbdk4=4.11.2"),
    ],
)
def test_what_is_not_offered_says_what_is(words, named):
    answer = call("check", SAMPLE, "--platform", "j6p", *words)
    assert (answer.code, answer.out) == (2, "")
    assert named in answer.err


def test_x3_computes_in_int8_only(sandwich):
    answer = call("check", sandwich, "--platform", "x3", "--qtype", "int16")
    assert answer.code == 2
    assert "int8" in answer.err


def test_a_format_of_one_node_is_shown_with_its_fallback(sandwich):
    words = ("check", sandwich, "--platform", "x5", "--node-qtype", "prelu=int16", "--node-qtype", "island=int16")
    document = call(*words, "--json").json
    validate(document)
    assert document["target"]["qtypes"] == {"1": "int16", "3": "int16"}
    assert [node["qtype"] for node in document["nodes"]] == ["int8", "int16", "int8", "int8"]
    text = call(*words).out
    assert "`island` (Abs) computes in int16" in text
    assert "`prelu` (PRelu) computes in int8" in text
    assert "falls back to int8" in text
    assert "int8 计算" in call(*words, "--lang", "zh_CN").out


def test_a_component_version_chooses_the_toolchain(sandwich):
    document = call("check", sandwich, "--platform", "x5", "--toolchain", "hb_mapper=1.24.3", "--json").json
    assert document["target"]["toolchain"] == "1.2.8"
    assert document["table"] == {"id": "bayes-e/op-list", "title": document["table"]["title"], "own": False}


def test_a_version_without_a_table_of_its_own_says_whose_is_used():
    own, borrowed = (
        call("check", SAMPLE, "--platform", "j6p", "--toolchain", version).out for version in ("3.5.0", "3.9.0-rc4")
    )
    assert "no table was published" not in own
    assert "no table was published for toolchain 3.9.0-rc4" in borrowed


def test_an_opset_limit_that_a_version_does_not_state_is_inferred():
    found = {}
    for version in ("3.5.0", "3.9.0-rc4"):
        document = call("check", SAMPLE, "--platform", "j6p", "--toolchain", version, "--json").json
        found[version] = {c["clause"]: c["standing"] for c in document["graph_checks"]}["model.opset"]
    assert found == {"3.5.0": "inferred", "3.9.0-rc4": "reported"}


def test_islands_are_ranked_by_what_removing_them_gains(sandwich):
    document = call("check", sandwich, "--platform", "x3", "--json").json
    validate(document)
    first = document["islands"][0]
    assert (first["nodes"], first["joins"], first["copies"], first["bytes"]) == ([1], 2, 2, 2 * 4 * 16 * 32 * 32)
    assert [tensor["value"] for tensor in first["tensors"]] == ["a", "b"]
    text = call("check", sandwich, "--platform", "x3").out
    assert "`island`: CPU; without it 2 BPU segments become one and 2 copies (128.0 KiB) go" in text


def test_targets_lists_ground_and_differences():
    document = call("targets", "--json").json
    validate(document)
    x5 = next(platform for platform in document["platforms"] if platform["id"] == "x5")
    assert {t["version"]: t["ground"] for t in x5["toolchains"]}["1.2.10"] == "community"
    assert x5["differences"]
    text = call("targets").out
    assert "has no table of its own, uses bayes-e/op-list" in text
    assert "with hb_mapper 1.24.3" in text
