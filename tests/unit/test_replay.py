"""Replay: steps are done again in their undo steps, each proven anew; what does not hold is told and not taken."""

from dataclasses import replace

import numpy as np
import pytest
from onnx import helper

from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.replay import Outcome, replay_proven
from inspector.rewrite.find import apply_all
from inspector.rewrite.recipe import RecipeStep, steps_of
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Preview
from inspector.verify.result import Status
from inspector.worker.client import WorkerClient
from inspector.workspace import Workspace
from tests.helpers.models import proto
from tests.helpers.rewriting import opened

RULE = "convtranspose3d-to-2d"
CATALOG = load_catalog()
TARGET = resolve_target(CATALOG, "j6p")


@pytest.fixture(scope="module")
def runner():
    with WorkerClient() as client:
        yield client


def put(model):
    return place(model, CATALOG, TARGET)


def start(weight=1.0, last="up2"):
    nodes = [
        helper.make_node("ConvTranspose", ["x", "w"], ["a"], "up0", strides=[2, 2, 2]),
        helper.make_node("ConvTranspose", ["a", "w"], ["b"], "up1", strides=[2, 2, 2]),
        helper.make_node("ConvTranspose", ["b", "w"], ["y"], last, strides=[2, 2, 2]),
    ]
    weights = {"w": np.full((2, 2, 2, 2, 2), weight, np.float32)}
    model = opened(proto(nodes, {"x": [1, 2, 1, 2, 2]}, {"y": [1, 2, 8, 16, 16]}, weights))
    return Workspace(model, model, TARGET, put(model))


def recipe():
    return steps_of(p for p in apply_all(start().model, rule_of(RULE), "rank-4") if isinstance(p, Preview))


def test_all_steps_are_done_in_their_groups_and_proven(runner):
    shares = []
    done = replay_proven(start(), recipe(), (1, 2), runner, put, progress=shares.append)
    assert [step.outcome for step in done.steps] == [Outcome.DONE] * 3
    assert [len(workspace.groups) for workspace in done.workspaces] == [1, 2]
    assert [len(group) for group in done.workspaces[-1].groups] == [1, 2]
    assert done.complete
    for step in done.workspaces[-1].steps:
        assert [v.status for v in step.verifications] == [Status.PASSED] * 2
        assert step.override is None
    assert not [n for n in done.workspaces[-1].model.nodes if n.op.name == "ConvTranspose" and n.name == "up1"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_a_step_without_its_node_is_left_out_and_the_others_are_done(runner):
    lost, *others = recipe()
    lost = replace(lost, name="gone", outputs=("nowhere",))
    done = replay_proven(start(), (lost, *others), (1, 2), runner, put)
    assert [step.outcome for step in done.steps] == [Outcome.REFUSED, Outcome.DONE, Outcome.DONE]
    assert done.steps[0].reason.key == "rewrite.refuse.no_anchor"
    assert [len(group) for group in done.workspaces[-1].groups] == [2], "the group that is empty now is no undo step"
    assert not done.complete


def test_a_step_that_cannot_be_proven_ends_the_replay(runner):
    done = replay_proven(start(weight=np.nan), recipe(), (1, 1, 1), runner, put)
    assert [step.outcome for step in done.steps] == [Outcome.UNPROVEN, Outcome.NOT_TRIED, Outcome.NOT_TRIED]
    assert all(step.reason is not None for step in done.steps)
    assert done.workspaces == ()
    assert not done.complete


def test_a_rule_of_another_version_ends_the_replay_with_its_reason(runner):
    first, second, _ = recipe()
    unknown = RecipeStep("rule-of-the-future", "v", second.op, second.name, second.outputs)
    done = replay_proven(start(), (first, unknown, second), (3,), runner, put)
    assert [step.outcome for step in done.steps] == [Outcome.DONE, Outcome.REFUSED, Outcome.NOT_TRIED]
    assert len(done.workspaces) == 1
    assert done.done == 1


def test_no_steps_is_complete(runner):
    done = replay_proven(start(), (), (), runner, put)
    assert done.complete
    assert done.workspaces == ()


def test_leaving_in_between_is_possible(runner):
    def leave(_share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replay_proven(start(), recipe(), (3,), runner, put, progress=leave)
