"""gather-to-conv: permutations and choices of channels; infinities spread, as the rule says."""

import numpy as np
import pytest
from onnx import TensorProto

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.rewriting import applied, node_of, opened, reason_of, run
from tests.helpers.rule_cases import hold
from tests.rules.test_gather_to_slice import gathered

RULE = "gather-to-conv"


def case(random):
    """Any choice of channels, now and then of another axis."""
    shape = [random.randint(1, 2), random.randint(1, 12), random.randint(1, 4), random.randint(1, 4)]
    axis = random.choice((1, 1, 1, -3, 2))
    indices = [random.randrange(-shape[axis], shape[axis]) for _ in range(random.randint(1, 12))]
    return gathered(shape, indices, axis, opset=random.choice((7, 11, 13)))


test_random_cases = hold(RULE, case)


def test_one_conv():
    after = applied(opened(gathered((1, 4, 2, 2), [3, 0, 2, 1], 1)), RULE, "Gather").after
    assert [n.op.name for n in after.nodes] == ["Conv"]
    weight = after.tensors.array(after.constant_tensor(0, after.nodes[0].inputs[1]))
    assert weight[:, :, 0, 0].argmax(axis=1).tolist() == [3, 0, 2, 1]
    assert weight.sum() == 4


def test_infinity_spreads_as_the_rule_says():
    model = opened(gathered((1, 2, 1, 1), [1, 0], 1))
    after = applied(model, RULE, "Gather").after
    feeds = {"x": np.array([np.inf, 1], np.float32).reshape(1, 2, 1, 1)}
    assert run(model, feeds)[0].ravel().tolist() == [1, np.inf]
    assert np.isnan(run(after, feeds)[0]).any()


@pytest.mark.parametrize(
    ("indices", "reason"), [([9], "gather_outside"), ([[0, 1]], "gather_indices"), (1, "gather_indices")]
)
def test_indices_that_choose_no_channels_are_refused(indices, reason):
    assert reason_of(opened(gathered((1, 4, 2, 2), indices, 1)), RULE, "Gather") == reason


def test_other_axes_and_types():
    other = opened(gathered((1, 4, 2, 2), [0, 1], 2))
    assert not rule_of(RULE).match(other, node_of(other, "Gather")).relevant
    whole = opened(gathered((1, 4, 2, 2), [0, 1], 1, dtype=TensorProto.INT64))
    assert reason_of(whole, RULE, "Gather") == "narrow_float"
