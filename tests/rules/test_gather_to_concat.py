"""gather-to-concat: rolls, swaps and repeats of a few runs; single runs and long lists are not its business."""

import numpy as np
import pytest
from onnx import TensorProto

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of
from tests.helpers.rule_cases import hold
from tests.rules.test_gather_to_slice import gathered

RULE = "gather-to-concat"


def case(random):
    """A roll, a few runs, or a drawn list of indices."""
    shape = [random.randint(1, 9) for _ in range(random.randint(1, 5))]
    axis = random.randrange(len(shape))
    size = shape[axis]
    shift = random.randrange(size)
    kind = random.choice(("roll", "runs", "any"))
    indices = [*range(shift, size), *range(shift)]
    if kind == "runs":
        starts = [random.randrange(size) for _ in range(random.randint(2, 4))]
        indices = [i for start in starts for i in range(start, random.randint(start + 1, size))]
    elif kind == "any":
        indices = [random.randrange(-size, size) for _ in range(random.randint(1, 12))]
    dtype = random.choice((TensorProto.FLOAT, TensorProto.INT64))
    return gathered(shape, indices, axis, opset=random.choice((7, 10, 11, 13)), dtype=dtype)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("indices", "operators"),
    [
        ([2, 3, 0, 1], ["Slice", "Slice", "Concat"]),
        ([0, 1, 2, 3, 0], ["Slice", "Concat"]),
        ([3, 2], ["Slice"] * 2 + ["Concat"]),
    ],
)
def test_each_run_is_a_slice_and_the_whole_axis_is_none(indices, operators):
    model = opened(gathered((4, 3), indices))
    after = applied(model, RULE, "Gather").after
    assert [n.op.name for n in after.nodes] == operators
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_single_run_is_not_its_business():
    model = opened(gathered((4, 3), [1, 2]))
    assert not rule_of(RULE).match(model, node_of(model, "Gather")).relevant


def test_many_runs_are_refused():
    assert reason_of(opened(gathered((40, 3), np.arange(0, 40, 2)[::-1])), RULE, "Gather") == "gather_runs"
