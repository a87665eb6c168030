import numpy as np
import onnx
import pytest
from onnx import helper

from tests.helpers.cli import call, run, validate
from tests.helpers.models import proto


def scaled(path, factor):
    nodes = [helper.make_node("Mul", ["x", "k"], ["y"], name="mul")]
    onnx.save(proto(nodes, {"x": [1, 8]}, {"y": [1, 8]}, {"k": np.array(factor, np.float32)}), path)
    return path


@pytest.fixture
def one(tmp_path):
    return scaled(tmp_path / "one.onnx", 1.0)


@pytest.mark.parametrize(
    ("factor", "words", "status", "code"),
    [(1.0, (), "PASSED", 0), (1.1, (), "FAILED", 1), (1.1, ("--max-rel", "0.2"), "PASSED", 0)],
)
def test_a_factor_of_ten_percent_is_seen(tmp_path, one, factor, words, status, code):
    answer = run("verify", one, scaled(tmp_path / "other.onnx", factor), *words, "--json")
    assert (answer.code, answer.err) == (code, "")
    validate(answer.json)
    assert answer.json["status"] == status
    assert answer.json["outputs"][0]["max_rel"] == pytest.approx(factor - 1.0, rel=1e-2, abs=1e-12)
    assert answer.json["runtime"]["name"] == "onnxruntime"
    assert answer.json["seed"] == 7


def test_a_comparison_that_proves_nothing_is_not_passed(tmp_path):
    dead = scaled(tmp_path / "dead.onnx", 0.0)
    other = tmp_path / "other.onnx"
    onnx.save(proto([helper.make_node("Sub", ["x", "x"], ["y"], name="sub")], {"x": [1, 8]}, {"y": [1, 8]}), other)
    answer = call("verify", dead, other, "--json")
    assert (answer.code, answer.json["status"]) == (1, "INCONCLUSIVE")


@pytest.mark.parametrize(("language", "word"), [("en", "FAILED: "), ("zh_CN", "FAILED：")])
def test_the_text_starts_with_the_verdict(tmp_path, one, language, word):
    answer = call("verify", one, scaled(tmp_path / "other.onnx", 2.0), "--lang", language)
    assert answer.code == 1
    assert answer.out.startswith(word)


def test_a_missing_file_is_exit_code_3(tmp_path, one):
    answer = call("verify", one, tmp_path / "none.onnx", "--json")
    assert (answer.code, answer.out) == (3, "")
    assert "none.onnx" in answer.err


@pytest.mark.parametrize("limit", ["-1", "nan", "inf"])
def test_a_limit_that_is_none_is_wrong_usage(one, limit):
    answer = call("verify", one, one, f"--max-rel={limit}")
    assert (answer.code, answer.out) == (2, "")
    assert "--max-rel" in answer.err


def test_an_open_dimension_is_told_until_it_is_bound(tmp_path):
    nodes = [helper.make_node("Relu", ["x"], ["y"], name="relu")]
    path = tmp_path / "open.onnx"
    onnx.save(proto(nodes, {"x": ["batch", 8]}, {"y": ["batch", 8]}), path)
    answer = call("verify", path, path)
    assert (answer.code, answer.out.splitlines()[-1].count("`--dim batch=1`")) == (1, 1)
    assert call("verify", path, path, "--dim", "batch=2").code == 0
