"""where-to-arithmetic: exact for finite branches; a mask of minus infinity is refused."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, match_of, opened, reason_of, refusal_of, run
from tests.helpers.rule_cases import hold

RULE = "where-to-arithmetic"


def chosen(condition, a, b, *, dtype=TensorProto.FLOAT, opset=13):
    """where(x > 0, a, b); a shape is a computed branch, an array a constant."""
    inputs, tensors, shapes = {"x": list(condition)}, {}, [tuple(condition)]
    for name, side in (("a", a), ("b", b)):
        if isinstance(side, np.ndarray):
            tensors[name] = side.astype(helper.tensor_dtype_to_np_dtype(dtype))
            shapes.append(side.shape)
        else:
            inputs[name] = list(side)
            shapes.append(tuple(side))
    tensors["zero"] = np.zeros((), np.float32)
    nodes = [
        helper.make_node("Greater", ["x", "zero"], ["c"], "greater"),
        helper.make_node("Where", ["c", "a", "b"], ["y"], "where"),
    ]
    kinds = dict.fromkeys(("a", "b", "y"), dtype)
    return proto(nodes, inputs, {"y": list(np.broadcast_shapes(*shapes))}, tensors, opset=opset, dtypes=kinds)


def case(random):
    """Branches that broadcast, computed or constant, now and then zero."""
    shape = tuple(random.randint(1, 4) for _ in range(random.randint(1, 4)))
    sides = []
    for _ in range(2):
        kept = tuple(n if random.random() < 0.7 else 1 for n in shape[random.choice((0, 0, 1)) :])
        numbers = np.random.default_rng(random.randrange(2**31)).uniform(-1e9, 1e9, kept)
        sides.append(random.choice((kept, shape, np.asarray(numbers), np.zeros(kept))))
    dtype = random.choice((TensorProto.FLOAT, TensorProto.DOUBLE))
    return chosen(shape, *sides, dtype=dtype, opset=random.choice((9, 11, 13, 16)))


test_random_cases = hold(RULE, case)


def test_zero_branch_leaves_one_product():
    model = opened(chosen((2, 3), (2, 3), np.zeros(())))
    after = applied(model, RULE, "Where", "product").after
    assert [n.op.name for n in after.nodes] == ["Greater", "Cast", "Mul"]


def test_zero_branch_that_stretches_the_result_is_kept():
    model = opened(chosen((1, 3), (1, 3), np.zeros((4, 3))))
    assert match_of(model, RULE, "Where").variants == ("sum-of-products",)


def test_large_finite_mask_is_exact():
    model = opened(chosen((4,), (4,), np.full((), -3e38)))
    after = applied(model, RULE, "Where", "sum-of-products").after
    feeds = {"x": np.array([1, -1, 1, -1], np.float32), "a": np.array([1e-3, 5, -7, 1e30], np.float32)}
    assert np.array_equal(run(model, feeds)[0], run(after, feeds)[0])


@pytest.mark.parametrize("value", [-np.inf, np.inf, np.nan])
def test_mask_that_is_not_finite_is_refused(value):
    refusal = refusal_of(opened(chosen((2, 3), (2, 3), np.full((2, 3), value))), RULE, "Where")
    assert refusal.reason.key.endswith("where_infinite")
    assert refusal.subject == "b"


def test_whole_numbers_are_refused():
    assert reason_of(opened(chosen((2,), (2,), (2,), dtype=TensorProto.INT64)), RULE, "Where") == "narrow_float"


def test_constant_condition_is_left_to_folding():
    node = helper.make_node("Where", ["c", "a", "a"], ["y"], "where")
    model = proto([node], {"a": [2]}, {"y": [2]}, {"c": np.array([True, False])})
    assert reason_of(opened(model), RULE, "Where") == "where_constant"
