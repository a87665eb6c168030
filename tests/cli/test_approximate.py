"""Rewrites that compute another function: only with consent, held to their stated error, told everywhere."""

import json

import numpy as np
import onnx
import pytest
from onnx import helper

from inspector.errors import UsageError
from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.rewrite.recipe import read_recipe, replay, write_recipe
from inspector.rewrite.rule import Preview, Refusal
from inspector.worker.client import InProcessRunner
from tests.helpers.cli import call, validate
from tests.helpers.models import proto

RULE = "gelu-to-tanh"
ERROR = 3e-3


@pytest.fixture
def gelu(tmp_path):
    weight = np.random.default_rng(0).standard_normal((4, 4, 1, 1)).astype(np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], "conv"),
        helper.make_node("Gelu", ["c"], ["y"], "gelu"),
    ]
    path = tmp_path / "gelu.onnx"
    onnx.save(proto(nodes, {"x": [1, 4, 8, 8]}, {"y": [1, 4, 8, 8]}, {"w": weight}, opset=20, ir=9), path)
    return path


def rewrite(path, *words):
    return call("rewrite", path, "--platform", "x5", *words, "-o", path.with_name("out.onnx"))


def test_a_rule_asked_for_by_name_states_its_error_and_is_refused_without_consent(gelu):
    answer = rewrite(gelu, "--rule", RULE)
    assert answer.code == 2
    assert "0.003" in answer.err
    assert "--allow-approximate" in answer.err
    assert not gelu.with_name("out.onnx").exists()


def test_all_fixes_leave_approximate_rules_out_unless_they_are_allowed(gelu):
    plain = rewrite(gelu, "--all", "--json").json
    assert not [step for step in plain["steps"] if step["safety"] == "approximate"]


def test_with_consent_it_is_proven_within_its_error_and_told(gelu):
    answer = rewrite(gelu, "--rule", RULE, "--allow-approximate", "--json")
    validate(answer.json)
    assert answer.code == 0
    (step,) = answer.json["steps"]
    assert (step["safety"], step["limit"]) == ("approximate", ERROR)
    assert step["verification"]["tolerance"]["max_rel"] == ERROR
    whole = answer.json["verification"]
    assert (whole["status"], whole["tolerance"]["max_rel"]) == ("PASSED", ERROR)
    assert 1e-6 < whole["outputs"][0]["max_rel"] < ERROR
    recipe = json.loads(gelu.with_name("out.recipe.json").read_text(encoding="utf-8"))
    assert recipe["steps"][0]["accepted_error"] == ERROR
    words = rewrite(gelu, "--rule", RULE, "--allow-approximate", "--force-overwrite").out
    assert "approximate: another function, within 0.003 of the largest value" in words


@pytest.mark.parametrize(("accepted", "kept"), [(ERROR, True), (2 * ERROR, True), (ERROR / 2, False), (None, False)])
def test_a_recipe_carries_the_consent(gelu, accepted, kept):
    anchor = {"op": "Gelu", "name": "gelu", "outputs": ["y"]}
    entry = {"rule": RULE, "variant": "tanh", "anchor": anchor, "accepted_error": accepted}
    model = infer_shapes(load_model(gelu), InProcessRunner())
    text = json.dumps({"schema": "bpu-graph-inspector/recipe/1", "steps": [entry]})
    (step,) = read_recipe(text)
    assert read_recipe(write_recipe([step])) == (step,)
    (answer,) = replay(model, [step])
    assert isinstance(answer, Preview if kept else Refusal)
    if not kept:
        assert answer.reason.key == "rewrite.refuse.no_consent"


def test_a_consent_that_is_no_number_is_refused():
    anchor = {"op": "Gelu", "name": "gelu", "outputs": ["y"]}
    entry = {"rule": RULE, "variant": "v", "anchor": anchor, "accepted_error": "much"}
    with pytest.raises(UsageError):
        read_recipe(json.dumps({"schema": "bpu-graph-inspector/recipe/1", "steps": [entry]}))
