"""transpose-low-rank: any permutation of up to eight axes, axes of length 1, an open batch, and few transposes."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

from inspector.rewrite.find import find
from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of, refusal_of, run
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "transpose-low-rank"
KINDS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64, TensorProto.FLOAT16)


def transposed(shape, perm=None, *, opset=13, dtype=TensorProto.FLOAT):
    """x with its axes in the order *perm*."""
    order = tuple(reversed(range(len(shape)))) if perm is None else perm
    node = helper.make_node("Transpose", ["x"], ["y"], "turn", **({} if perm is None else {"perm": list(perm)}))
    out = [shape[axis] for axis in order]
    return proto([node], {"x": list(shape)}, {"y": out}, opset=opset, dtypes={"x": dtype, "y": dtype})


def case(random):
    """A permutation of five to eight axes, some of length 1; now and then of four."""
    width = random.choice((4, 5, 5, 6, 6, 7, 8))
    shape = [random.choice((1, 1, 2, 2, 3)) for _ in range(width)]
    perm = list(range(width))
    random.shuffle(perm)
    return transposed(
        shape, None if random.random() < 0.1 else perm, opset=random.choice((7, 13, 21)), dtype=random.choice(KINDS)
    )


test_random_cases = hold(RULE, case)


def transposes(model):
    return [n.attributes["perm"] for n in model.nodes if n.op.name == "Transpose"]


@pytest.mark.parametrize(
    ("shape", "perm", "made"),
    [
        ((1, 3, 85, 20, 20), (0, 1, 3, 4, 2), [(0, 2, 1)]),
        ((2, 3, 85, 20, 20), (0, 1, 3, 4, 2), [(0, 2, 1)]),
        ((1, 197, 3, 12, 64), (2, 0, 3, 1, 4), [(0, 2, 1, 3)]),
        ((2, 4, 3, 2, 5), (2, 0, 3, 1, 4), [(0, 2, 1, 3), (0, 2, 1, 3)]),
        ((1, 1, 2, 1, 3), (3, 1, 2, 0, 4), []),
        ((2, 3, 4, 5, 6), (3, 4, 0, 1, 2), [(0, 1, 3, 2)]),
    ],
)
def test_axes_that_stay_together_become_one(shape, perm, made):
    model = opened(transposed(shape, perm))
    after = applied(model, RULE, "Transpose").after
    found = transposes(after)
    assert len(found) == len(made)
    assert all(len(order) <= 4 for order in found)
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_axis_0_stays_in_place():
    """Where three runs are enough an axis of length 1 leads, because chips keep the batch where it is."""
    after = applied(opened(transposed((2, 3, 4, 5, 6), (3, 4, 0, 1, 2))), RULE, "Transpose").after
    assert [order[0] for order in transposes(after)] == [0]


@given(st.permutations(range(8)))
def test_eight_axes_need_at_most_five_transposes(perm):
    after = applied(opened(transposed((2,) * 8, perm)), RULE, "Transpose").after
    assert len(transposes(after)) <= 5


def test_every_permutation_of_five_axes_keeps_the_elements():
    x = np.arange(2 * 3 * 4 * 5 * 2, dtype=np.float32).reshape(2, 3, 4, 5, 2)
    for perm in list(itertools.permutations(range(5)))[::7]:
        after = applied(opened(transposed(x.shape, perm)), RULE, "Transpose").after
        assert np.array_equal(run(after, {"x": x})[0], x.transpose(perm))


@pytest.mark.parametrize("perm", [(0, 3, 1, 4, 2), (2, 0, 3, 1, 4), (4, 3, 2, 1, 0)])
def test_open_batch_stays_open(perm):
    model = opened(transposed(("n", 2, 3, 4, 5), perm))
    after = applied(model, RULE, "Transpose").after
    for n in (1, 3):
        assert max_rel(model, after, feeds_of(model, n=n)) == 0.0


def test_refusals():
    assert reason_of(opened(transposed(("n", 2, "m", 4, 5), (0, 3, 1, 4, 2))), RULE, "Transpose") == "dynamic"
    odd = transposed((1, 2, 3, 4, 5), (0, 1, 2, 3, 4))
    odd.graph.node[0].attribute[0].ints[:] = [0, 1, 2, 3, 3]
    assert reason_of(opened(odd), RULE, "Transpose") == "odd_attribute"
    assert not refusal_of(opened(transposed((1, 2, 3, 4), (0, 2, 1, 3))), RULE, "Transpose").relevant
    empty = opened(transposed((0, 2, 3, 4, 5), (0, 3, 1, 4, 2)))
    assert not rule_of(RULE).match(empty, node_of(empty, "Transpose")).reason.key.endswith("other")


def test_is_told_apart_on_x5():
    """X5 takes transposes of any number of axes, so that the rule is no fix there."""
    model = opened(transposed((1, 3, 8, 20, 20), (0, 1, 3, 4, 2)))
    put = placer("x5")
    assert find(model, put(model), node_of(model, "Transpose"), place=put).fixes == ()
