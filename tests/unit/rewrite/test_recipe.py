"""Recipes: written, read and replayed; what does not fit any more is told."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper

from inspector.errors import UsageError
from inspector.rewrite.find import apply_all
from inspector.rewrite.recipe import SCHEMA, RecipeStep, read_recipe, replay, steps_of, write_recipe
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Preview, Refusal
from tests.helpers.models import proto
from tests.helpers.rewriting import opened


def model_of(names=("up0", "up1"), weight=(4, 4, 2, 2, 2)):
    nodes = [
        helper.make_node("ConvTranspose", ["x", "w"], ["a"], names[0], strides=[2, 2, 2]),
        helper.make_node("ConvTranspose", ["a", "w"], ["y"], names[1], strides=[2, 2, 2]),
    ]
    return opened(proto(nodes, {"x": [1, 4, 2, 2, 2]}, {"y": [1, 4, 8, 8, 8]}, {"w": np.ones(weight, np.float32)}))


def recipe_of(model):
    return steps_of(p for p in apply_all(model, rule_of("convtranspose3d-to-2d"), "rank-4") if isinstance(p, Preview))


def test_replay_makes_the_same_model():
    model = model_of()
    previews = [p for p in apply_all(model, rule_of("convtranspose3d-to-2d"), "rank-4") if isinstance(p, Preview)]
    again = list(replay(model, read_recipe(write_recipe(steps_of(previews)))))
    assert all(isinstance(p, Preview) for p in again)
    assert list(again[-1].after.to_proto().graph.node) == list(previews[-1].after.to_proto().graph.node)


def test_recipe_is_plain_json():
    content = json.loads(write_recipe(recipe_of(model_of())))
    assert content["schema"] == SCHEMA
    assert content["steps"][0] == {
        "rule": "convtranspose3d-to-2d",
        "variant": "rank-4",
        "anchor": {"op": "ConvTranspose", "name": "up0", "outputs": ["a"]},
    }


def test_other_names_are_found_by_outputs_and_other_outputs_by_name():
    steps = recipe_of(model_of())
    assert all(isinstance(p, Preview) for p in replay(model_of(names=("p", "q")), steps))
    renamed = [RecipeStep(s.rule, s.variant, s.op, s.name, ("elsewhere",)) for s in steps]
    assert all(isinstance(p, Preview) for p in replay(model_of(), renamed))


def test_step_without_its_node_is_told_and_skipped():
    model = model_of()
    lost = RecipeStep("convtranspose3d-to-2d", "rank-4", "ConvTranspose", "gone", ("nowhere",))
    replies = list(replay(model, [lost, *recipe_of(model)]))
    assert isinstance(replies[0], Refusal)
    assert replies[0].reason.key == "rewrite.refuse.no_anchor"
    assert [type(r) for r in replies[1:]] == [Preview, Preview]


def test_step_whose_variant_is_gone_is_told():
    model = model_of()
    (reply, _) = replay(model, [RecipeStep(s.rule, "batch-9", s.op, s.name, s.outputs) for s in recipe_of(model)])
    assert isinstance(reply, Refusal)
    assert reply.reason.key == "rewrite.refuse.no_variant"


def test_unknown_rule_is_an_error():
    step = RecipeStep("no-such-rule", "v", "ConvTranspose", "up0", ("a",))
    with pytest.raises(UsageError, match="no-such-rule"):
        list(replay(model_of(), [step]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        '{"schema": "other/1", "steps": []}',
        f'{{"schema": "{SCHEMA}"}}',
        f'{{"schema": "{SCHEMA}", "steps": [1]}}',
        f'{{"schema": "{SCHEMA}", "steps": [{{"rule": 1, "variant": "", "anchor": {{"outputs": []}}}}]}}',
        "[" * 100_000,
    ],
)
def test_what_is_no_recipe_is_refused(text):
    with pytest.raises(UsageError):
        read_recipe(text)


WORDS = st.text(max_size=8)


@given(st.lists(st.builds(RecipeStep, WORDS, WORDS, WORDS, WORDS, st.lists(WORDS, max_size=3).map(tuple)), max_size=4))
def test_written_recipe_reads_back(steps):
    assert list(read_recipe(write_recipe(steps))) == steps
