"""div-to-mul: the reciprocal, the rank of the constant, and divisors without a reciprocal."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of, refusal_of
from tests.helpers.rule_cases import hold

RULE = "div-to-mul"


def divided(divisor, shape=(1, 4, 3, 5), *, opset=13, dtype=TensorProto.FLOAT, overridable=False):
    """x of *shape* over a constant."""
    node = helper.make_node("Div", ["x", "c"], ["y"], "scale")
    kinds = {"x": dtype, "y": dtype}
    array = np.asarray(divisor, helper.tensor_dtype_to_np_dtype(dtype))
    out = list(np.broadcast_shapes(shape, array.shape))
    model = proto([node], {"x": list(shape)}, {"y": out}, {"c": array}, opset=opset, dtypes=kinds)
    if overridable:
        model.graph.input.append(helper.make_tensor_value_info("c", dtype, array.shape))
    return model


def case(random):
    """A division of a float32 or float64 tensor of rank 0 to 5 by a constant that broadcasts."""
    shape = [random.randint(1, 4) for _ in range(random.randint(0, 5))]
    kept = shape[random.randint(0, len(shape)) :]
    divisor = [n if random.random() < 0.5 else 1 for n in kept]
    numbers = np.random.default_rng(random.randrange(2**31)).uniform(0.01, 50, divisor)
    signs = np.random.default_rng(random.randrange(2**31)).choice([-1.0, 1.0], divisor)
    dtype = random.choice((TensorProto.FLOAT, TensorProto.DOUBLE))
    if random.random() < 0.1:
        numbers = np.zeros(divisor)
    return divided(numbers * signs, shape, opset=random.choice((7, 11, 13, 14)), dtype=dtype)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize("divisor", [4.0, 0.125, -2.0, [1.0, 2.0, 0.5, 8.0]])
def test_powers_of_two_stay_bit_equal(divisor):
    array = np.reshape(divisor, (-1, 1, 1)) if isinstance(divisor, list) else divisor
    model = opened(divided(array))
    after = applied(model, RULE, "Div").after
    assert [n.op.name for n in after.nodes] == ["Mul"]
    assert max_rel(model, after, feeds_of(model)) == 0.0


@pytest.mark.parametrize(
    ("divisor", "shape"),
    [(3.0, (1, 1, 1, 1)), (np.full((4, 1, 1), 3.0), (1, 4, 1, 1)), (np.full(1, 3.0), (1, 1, 1, 1))],
)
def test_constant_gets_the_rank_of_the_feature(divisor, shape):
    after = applied(opened(divided(divisor)), RULE, "Div").after
    (node,) = after.nodes
    assert tuple(d.size for d in after.value(0, node.inputs[1]).shape) == shape


@pytest.mark.parametrize("divisor", [0.0, 1e-45, 3e38, np.inf, np.nan, [1.0, 0.0, 2.0, 3.0, 4.0]])
def test_divisor_without_a_reciprocal_is_refused(divisor):
    with np.errstate(all="ignore"):
        model = opened(divided(divisor))
    assert reason_of(model, RULE, "Div") == "div_reciprocal"


def test_value_in_the_way_is_named():
    assert refusal_of(opened(divided([1.0, 0.0, 2.0, 3.0, 4.0])), RULE, "Div").subject == "0"


def test_whole_numbers_and_half_floats_are_refused():
    for dtype in (TensorProto.INT32, TensorProto.FLOAT16):
        assert reason_of(opened(divided(2, dtype=dtype)), RULE, "Div") == "narrow_float"


def test_computed_overridable_and_folded_divisors_are_refused():
    node = helper.make_node("Div", ["x", "d"], ["y"], "scale")
    computed = proto([node], {"x": [2, 3], "d": [2, 3]}, {"y": [2, 3]})
    assert reason_of(opened(computed), RULE, "Div") == "not_constant"
    assert reason_of(opened(divided(2.0, overridable=True)), RULE, "Div") == "overridable"
    both = proto(
        [helper.make_node("Div", ["a", "b"], ["y"], "scale")],
        {"x": [1]},
        {"y": [1]},
        {"a": np.ones(1, np.float32), "b": np.ones(1, np.float32)},
    )
    assert reason_of(opened(both), RULE, "Div") == "all_constant"
