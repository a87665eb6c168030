"""softmax-axis: every axis by the rules of either version of Softmax."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, reason_of, run
from tests.helpers.rule_cases import hold
from tests.helpers.unary import unary

RULE = "softmax-axis"


def softmax(shape, axis=None, *, opset=13, dtype=TensorProto.FLOAT):
    """Softmax of x; None leaves the axis to the operator."""
    node = helper.make_node("Softmax", ["x"], ["y"], "softmax", **({} if axis is None else {"axis": axis}))
    return proto([node], {"x": list(shape)}, {"y": list(shape)}, opset=opset, dtypes={"x": dtype, "y": dtype})


def case(random):
    """A Softmax of drawn rank and axis, by the rules of either version."""
    shape = [random.randint(1, 5) for _ in range(random.randint(2, 5))]
    axis = random.randrange(-len(shape), len(shape))
    opset = random.choice((10, 11, 13, 13, 18))
    if opset < 13 and random.random() < 0.7:
        axis = -1
    dtype = random.choice((TensorProto.FLOAT, TensorProto.DOUBLE))
    return softmax(shape, axis, opset=opset, dtype=dtype)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("shape", "axis", "opset", "variants"),
    [
        ((1, 8, 4, 4), 3, 13, ("axis-1", "rows")),
        ((1, 8, 4, 4), 2, 13, ("axis-1", "last", "rows")),
        ((1, 8, 4, 4), 1, 13, ("last", "rows")),
        ((1, 8, 4, 4), 3, 11, ("rows",)),
        ((4, 8), 0, 13, ("axis-1", "rows")),
    ],
)
def test_variants_follow_axis_and_opset(shape, axis, opset, variants):
    assert match_of(opened(softmax(shape, axis, opset=opset)), RULE, "Softmax").variants == variants


def test_axis_before_opset_13_runs_over_all_axes_behind():
    old, new = (opened(softmax((2, 3, 4), 1, opset=opset)) for opset in (11, 13))
    feeds = feeds_of(new)
    assert np.abs(run(old, feeds)[0] - run(new, feeds)[0]).max() > 0.1
    assert reason_of(old, RULE, "Softmax") == "softmax_flattens"
    assert max_rel(new, applied(new, RULE, "Softmax", "rows").after, feeds) == 0.0


def test_rows_stand_in_rank_4_on_axis_1():
    after = applied(opened(softmax((1, 8, 4, 16), 3, opset=11)), RULE, "Softmax", "rows").after
    (node,) = (n for n in after.nodes if n.op.name == "Softmax")
    assert node.attributes["axis"] == 1
    assert [d.size for d in after.value(0, node.inputs[0]).shape] == [32, 16, 1, 1]


def test_form_that_stands_already_is_not_offered():
    assert match_of(opened(softmax((3, 8, 1, 1), 1, opset=11)), RULE, "Softmax").variants == ("last",)
    other = opened(unary("Relu"))
    assert not rule_of(RULE).match(other, node_of(other, "Relu")).relevant


def test_default_axis_depends_on_the_version():
    assert match_of(opened(softmax((2, 3, 4))), RULE, "Softmax").variants == ("axis-1", "rows")
    assert reason_of(opened(softmax((2, 3, 4), opset=11)), RULE, "Softmax") == "softmax_flattens"
