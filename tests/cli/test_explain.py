import shlex

import pytest

from inspector.rewrite.registry import rules
from tests.helpers.cli import call, run, validate

PLATFORMS = ["x3", "x5", "ultra", "j5", "s100", "s100p", "s600", "j6e", "j6m", "j6p", "j6h", "j6b"]


def test_every_platform_is_listed_even_without_qt_and_onnxruntime():
    answer = run("targets", "--json", blocked=True)
    assert (answer.code, answer.err) == (0, "")
    validate(answer.json)
    by_id = {platform["id"]: platform for platform in answer.json["platforms"]}
    assert sorted(by_id) == sorted(PLATFORMS)
    assert by_id["x3"]["marches"] == ["bernoulli2"]
    assert by_id["x5"]["marches"] == ["bayes-e"]
    assert by_id["j6p"]["marches"] == ["nash-p"]
    assert set(by_id["j6b"]["marches"]) == {"nash-b-lite", "nash-b", "nash-b-plus"}
    text = call("targets").out
    assert all(f"\n{platform} " in f"\n{text}" for platform in PLATFORMS)


def test_every_rule_is_listed_even_without_qt_and_onnxruntime():
    answer = run("rules", "--json", blocked=True)
    validate(answer.json)
    listed = [rule["id"] for rule in answer.json["rules"]]
    assert listed == sorted(rule.id for rule in rules())
    assert {"bn-fold", "convtranspose3d-to-2d", "resize5d-split", "hardswish"} <= set(listed)
    chinese = call("rules", "--lang", "zh_CN").out
    assert all(f"{rule}: " in chinese for rule in listed)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("conv-transpose.kernel-depth", "[1, 2]"),
        ("convtranspose3d-to-2d", "Why it is equivalent"),
        ("ConvTranspose", "bayes-e"),
        ("convtranspose", "ConvTranspose"),
    ],
)
def test_a_clause_a_rule_or_an_operator_is_explained(name, expected):
    for answer in (call("explain", name, "--lang", "en"), run("explain", name, "--lang", "zh_CN", blocked=True)):
        assert (answer.code, answer.err) == (0, "")
        assert expected in answer.out


@pytest.mark.parametrize("name", ["conv-transpose.kernel-depth", "convtranspose3d-to-2d", "ConvTranspose"])
def test_an_explanation_as_json(name):
    document = call("explain", name, "--json").json
    validate(document)
    assert document["clauses"] or document["operators"] or document["rules"]
    assert all(clause["source"] for clause in document["clauses"])


def test_a_name_that_is_almost_right_gets_the_nearest():
    answer = run("explain", "convtranspose3d-to2d")
    assert (answer.code, answer.out) == (2, "")
    assert "convtranspose3d-to-2d" in answer.err


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("conv_transpose.kernel_depth", "conv-transpose.kernel-depth"),
        ("conv.kernel", "conv.kernel-size"),
        ("DEPTH", "DepthToSpace"),
    ],
)
def test_the_ids_closest_to_an_unknown_one_are_named(name, near):
    answer = call("explain", name)
    assert (answer.code, answer.out) == (2, "")
    assert near in answer.err.rpartition("Close to it: ")[2]


def test_nothing_is_called_close_that_is_not():
    answer = call("explain", "zzzz", "--lang", "zh_CN")
    assert answer.code == 2
    assert "相近" not in answer.err
    assert "`bpu-inspector ops`" in answer.err


def test_an_operator_that_no_table_lists_is_told_apart_from_a_typo():
    document = call("explain", "HardSwish", "--json").json
    validate(document)
    assert document["operators"] == []
    assert document["unlisted"]["bayes-e/op-list"] == "UNSUPPORTED"
    assert document["unlisted"]["nash-p/op-list"] == "UNKNOWN"
    assert document["rewrites"] == ["hardswish"]
    assert "hardswish" in call("explain", "hardSWISH", "--lang", "zh_CN").out


def test_a_clause_comes_with_a_model_that_breaks_it(tmp_path):
    path = tmp_path / "example.onnx"
    answer = run("explain", "conv-transpose.kernel-depth", "--example", path, blocked=True)
    assert (answer.code, answer.err) == (0, "")
    assert "ConvTranspose <strides" in answer.out
    assert str(path) in answer.out
    checked = printed(answer.out, "--json").json
    failed = [check for check in checked["nodes"][0]["checks"] if check["outcome"] == "FAIL"]
    assert [check["clause"] for check in failed] == ["conv-transpose.kernel-depth"]
    assert failed[0]["remedies"][0] == "smallest change: attribute kernel_shape[0]: ≤ 2 (now 3)"
    again = run("explain", "conv-transpose.kernel-depth", "--example", path)
    assert again.code == 5, "an existing file is never overwritten"


def printed(text, *more):
    """Run the `check` line of an explanation, with *more* options."""
    line = next(line.strip() for line in text.splitlines() if line.strip().startswith("bpu-inspector check"))
    return call(*shlex.split(line)[1:], *more)


@pytest.mark.parametrize(
    ("clause", "option", "verdict", "language"),
    [
        ("conv.cpu-dtype", "--force n=cpu", "UNSUPPORTED", "en"),
        ("conv.dilations", "", "CPU", "zh_CN"),
        ("model.output-count", "", None, "en"),
    ],
)
def test_the_line_below_the_example_shows_the_failed_limit(clause, option, verdict, language, tmp_path):
    path = tmp_path / "an example.onnx"
    answer = call("explain", clause, "--example", path, "--lang", language)
    assert option in answer.out
    checked = printed(answer.out, "--json").json
    checks = checked["graph_checks"] if verdict is None else checked["nodes"][0]["checks"]
    assert clause in [check["clause"] for check in checks if check["outcome"] == "FAIL"]
    assert verdict is None or checked["nodes"][0]["verdict"] == verdict
    assert verdict is None or verdict in answer.out


def test_a_platform_picks_its_own_table():
    answer = call("explain", "conv.kernel-size", "--platform", "x3", "--json").json
    validate(answer)
    assert {clause["table"] for clause in answer["clauses"]} == {"bernoulli2/op-list"}
    assert answer["example"]["table"] == "bernoulli2/op-list"
    assert answer["example"]["options"][:2] == ["--platform", "x3"]
    assert call("explain", "conv.kernel-size", "--platform", "x9").code == 2


def test_an_example_with_many_attributes_is_shown_whole():
    text = call("explain", "conv.strides-dilated").out
    assert "Conv <dilations: ints = [2, 2]" in text
    assert "x1 =  {0, ...}" in text, "values of weights are cut short"


@pytest.mark.parametrize(
    ("clause", "lack", "words", "language"),
    [
        ("slice.rank", "always", "no model that can be written breaks it", "en"),
        ("add.same-dtype", "invalid", "ONNX 本身", "zh_CN"),
        ("div.constant-inputs", "folded", "before run time", "en"),
    ],
)
def test_a_limit_without_an_example_says_why(clause, lack, words, language):
    document = call("explain", clause, "--json", "--lang", language).json
    validate(document)
    assert (document["example"]["lack"], document["example"]["model"]) == (lack, None)
    assert words in document["example"]["reason"]


def test_an_example_that_does_not_exist_is_not_written(tmp_path):
    assert "no model that can be written breaks it" in call("explain", "slice.rank").out
    answer = call("explain", "slice.rank", "--example", tmp_path / "example.onnx")
    assert (answer.code, answer.out) == (2, "")
    assert "no model that can be written breaks it" in answer.err
    assert not (tmp_path / "example.onnx").exists()


def test_the_example_stands_in_the_document():
    document = call("explain", "model.opset", "--json").json
    validate(document)
    assert "Relu" in document["example"]["model"]
    assert call("explain", "ConvTranspose", "--json").json["example"] is None, "an operator is not one clause"


def test_a_clause_tells_its_limit_as_the_table_has_it():
    clauses = call("explain", "conv-transpose.kernel-depth", "--json").json["clauses"]
    assert all("kernel_shape" in clause["require"] for clause in clauses)
    notes = [clause for clause in call("explain", "Softmax", "--json").json["clauses"] if not clause["checkable"]]
    assert all(clause["require"] is None for clause in notes)


def test_tables_that_limit_a_thing_differently_stand_in_blocks_of_their_own():
    blocks = call("explain", "model.ir-version").out.split("\n\n")
    heads = [block.splitlines()[0] for block in blocks if block.startswith("model.ir-version (")]
    assert any("bayes-e/op-list" in head and "bernoulli2" not in head for head in heads)
    guarded = [block for block in blocks if "ir_version: {not_in: [9]}" in block]
    assert [block.splitlines()[0] for block in guarded] == ["model.ir-version (bayes-e/op-list)"]
