"""sub-to-add: exact for every type with a sign, on either side."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, opened, reason_of, run
from tests.helpers.rule_cases import hold

RULE = "sub-to-add"


def difference(left, right, *, opset=13, dtype=TensorProto.FLOAT):
    """left - right; a shape is a computed input, an array a constant."""
    inputs, tensors, shapes = {}, {}, []
    for name, side in (("a", left), ("b", right)):
        if isinstance(side, np.ndarray):
            tensors[name] = side.astype(helper.tensor_dtype_to_np_dtype(dtype))
            shapes.append(side.shape)
        else:
            inputs[name] = list(side)
            shapes.append(tuple(side))
    out = list(np.broadcast_shapes(*shapes))
    node = helper.make_node("Sub", ["a", "b"], ["y"], "sub")
    kinds = dict.fromkeys(("a", "b", "y"), dtype)
    return proto([node], inputs, {"y": out}, tensors, opset=opset, dtypes=kinds)


def case(random):
    """A difference of drawn rank and type, computed or constant on either side."""
    shape = tuple(random.randint(1, 4) for _ in range(random.randint(0, 5)))
    kept = tuple(n if random.random() < 0.6 else 1 for n in shape[random.randint(0, len(shape)) :])
    dtype = random.choice((TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT32, TensorProto.INT64))
    sides = [shape, kept]
    if random.random() < 0.6:
        numbers = np.random.default_rng(random.randrange(2**31)).uniform(-9, 9, kept)
        sides[1] = np.asarray(numbers)
    if random.random() < 0.5:
        sides.reverse()
    return difference(*sides, opset=random.choice((7, 11, 13, 14)), dtype=dtype)


test_random_cases = hold(RULE, case)


def test_constant_subtrahend_is_negated_and_gets_the_rank_of_the_feature():
    after = applied(opened(difference((1, 4, 2, 2), np.arange(4.0).reshape(4, 1, 1))), RULE, "Sub").after
    (node,) = after.nodes
    assert node.op.name == "Add"
    assert tuple(d.size for d in after.value(0, node.inputs[1]).shape) == (1, 4, 1, 1)


def test_constant_minuend_is_added_to_the_negated_feature():
    after = applied(opened(difference(np.ones((1,)), (1, 4, 2, 2))), RULE, "Sub").after
    assert [n.op.name for n in after.nodes] == ["Mul", "Add"]


def test_zeros_keep_their_signs():
    model = opened(difference((2, 2), (2, 2)))
    after = applied(model, RULE, "Sub").after
    zeros = np.array([[0.0, -0.0], [0.0, -0.0]], np.float32), np.array([[0.0, 0.0], [-0.0, -0.0]], np.float32)
    feeds = dict(zip("ab", zeros, strict=True))
    assert np.array_equal(np.signbit(run(model, feeds)[0]), np.signbit(run(after, feeds)[0]))


@pytest.mark.parametrize("dtype", [TensorProto.UINT8, TensorProto.UINT32, TensorProto.INT8])
def test_types_without_a_sign_or_without_a_product_are_refused(dtype):
    assert reason_of(opened(difference((2, 2), (2, 2), opset=14, dtype=dtype)), RULE, "Sub") == "arithmetic_type"


def test_two_constants_are_left_to_folding():
    model = opened(difference(np.ones(2), np.ones(2)))
    assert reason_of(model, RULE, "Sub") == "all_constant"
