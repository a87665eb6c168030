"""`ops`: operators over platforms."""

import re

import pytest

from tests.helpers.cli import call, run, validate


def test_the_matrix_has_a_line_per_operator():
    answer = run("ops", blocked=True)
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[2].split() == [
        "operator",
        "x3",
        "x5",
        "ultra",
        "j5",
        "s100",
        "s100p",
        "s600",
        "j6e",
        "j6m",
        "j6p",
        "j6h",
        "j6b",
    ]
    softmax = next(line for line in lines if line.startswith("Softmax "))
    assert softmax.split()[1:3] == ["BPU*", "BPU*"]
    assert len(lines) > 160


def test_platforms_can_be_chosen_and_repeated():
    lines = call("ops", "--platform", "x5", "--platform", "x3", "--platform", "x5").out.splitlines()
    assert lines[2].split() == ["operator", "x5", "x3"]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_one_operator_shows_its_conditions_with_source_and_standing(language):
    answer = call("ops", "softmax", "--platform", "x3", "--platform", "x5", "--lang", language)
    assert (answer.code, answer.err) == (0, "")
    assert "softmax.axis" in answer.out
    assert "attr: {name: axis, eq: 1, normalise: first}" in answer.out
    assert ("documented" if language == "en" else "文档") in answer.out
    assert bool(re.search(r"[\u4e00-\u9fff]", answer.out)) is (language == "zh_CN")


@pytest.mark.parametrize("words", [(), ("Conv",), ("LayerNormalization",), ("gridsample", "--platform", "x5")])
def test_the_document_keeps_to_its_schema(words):
    document = call("ops", *words, "--json").json
    validate(document)
    assert document["schema"] == "bpu-inspector/ops/1"
    assert all(("conditions" in entry) is bool(words) for entry in document["operators"])


def test_an_operator_that_no_table_lists_has_a_row_all_the_same():
    document = call("ops", "layernormalization", "--json").json
    (entry,) = document["operators"]
    assert entry["op"] == "LayerNormalization"
    assert entry["platforms"]["x5"]["support"] == "none"
    assert entry["platforms"]["j6p"]["support"] == "unknown"


@pytest.mark.parametrize(("words", "named"), [(("Convv",), "Conv"), (("Conv", "--platform", "x6"), "x5")])
def test_what_there_is_not_says_what_there_is(words, named):
    answer = call("ops", *words)
    assert (answer.code, answer.out) == (2, "")
    assert named in answer.err


def test_columns_stand_below_each_other_in_chinese_too():
    lines = call("ops", "--lang", "zh_CN").out.splitlines()
    head, first = lines[2], lines[3]
    assert head.startswith("算子")
    assert head.index("x5") + 2 == first.index("BPU*"), "two characters of double width stand before"
