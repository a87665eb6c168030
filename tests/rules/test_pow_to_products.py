"""pow-to-products: each exponent, other exponents, and exponents of more than one number."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of, refusal_of, run
from tests.helpers.rule_cases import hold

RULE = "pow-to-products"
OPERATORS = {
    2: ["Mul"],
    3: ["Mul", "Mul"],
    4: ["Mul", "Mul"],
    0.5: ["Sqrt"],
    -1: ["Reciprocal"],
    -0.5: ["Sqrt", "Reciprocal"],
}


def power(exponent, shape=(1, 2, 3, 4), *, opset=13, dtype=TensorProto.FLOAT, absolute=False, kind=None):
    """x, or |x| + 0.1, to a constant exponent."""
    numbers = np.asarray(exponent, kind or helper.tensor_dtype_to_np_dtype(dtype))
    tensors = {"e": numbers}
    nodes = [helper.make_node("Pow", ["b" if absolute else "x", "e"], ["y"], "power")]
    if absolute:
        tensors["tenth"] = np.asarray(0.1, helper.tensor_dtype_to_np_dtype(dtype))
        nodes = [
            helper.make_node("Abs", ["x"], ["a"], "abs"),
            helper.make_node("Add", ["a", "tenth"], ["b"], "add"),
            *nodes,
        ]
    out = list(np.broadcast_shapes(shape, numbers.shape))
    return proto(nodes, {"x": list(shape)}, {"y": out}, tensors, opset=opset, dtypes={"x": dtype, "y": dtype})


def case(random):
    """A power of a positive number, or of any number when the exponent is whole and positive."""
    exponent = random.choice((2, 2, 3, 4, 0.5, -1, -0.5, 1.5))
    shape = [random.randint(1, 4) for _ in range(random.randint(0, 5))]
    dtype = random.choice((TensorProto.FLOAT, TensorProto.DOUBLE))
    whole = exponent in (2, 3, 4) and random.random() < 0.5
    return power(exponent, shape, opset=random.choice((7, 11, 12, 13, 15)), dtype=dtype, absolute=not whole)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize("exponent", OPERATORS)
def test_operators_of_each_exponent(exponent):
    after = applied(opened(power(exponent)), RULE, "Pow").after
    assert [n.op.name for n in after.nodes] == OPERATORS[exponent]


def test_square_is_bit_equal():
    model = opened(power(2.0))
    assert max_rel(model, applied(model, RULE, "Pow").after, feeds_of(model, scale=100)) == 0.0


def test_exponent_may_be_a_whole_number_of_another_type():
    model = opened(power(2, kind=np.int64))
    assert max_rel(model, applied(model, RULE, "Pow").after, feeds_of(model)) == 0.0


def test_zero_and_negative_bases_give_what_the_power_gives():
    feeds = {"x": np.array([0.0, 4.0, -1.0], np.float32)}
    for exponent in (0.5, -1.0, -0.5):
        model = opened(power(exponent, (3,)))
        a, b = run(model, feeds)[0], run(applied(model, RULE, "Pow").after, feeds)[0]
        assert np.array_equal(a, b, equal_nan=True), exponent


@pytest.mark.parametrize("exponent", [1.5, 5.0, 0.0, 0.49999, 2.0001, np.inf, np.nan])
def test_other_exponents_are_refused_with_their_value(exponent):
    refusal = refusal_of(opened(power(exponent)), RULE, "Pow")
    assert refusal.reason.key.endswith("pow_exponent")
    assert refusal.subject == f"{np.float32(exponent):g}"


def test_exponents_of_more_than_one_number_or_rank_are_refused():
    assert reason_of(opened(power([2.0, 2.0, 2.0, 3.0])), RULE, "Pow") == "pow_exponent_shape"
    assert reason_of(opened(power(np.full((1, 1, 1, 1, 1), 2.0))), RULE, "Pow") == "pow_exponent_shape"


def test_whole_and_half_bases_are_refused():
    for dtype in (TensorProto.INT32, TensorProto.FLOAT16):
        assert reason_of(opened(power(2, dtype=dtype)), RULE, "Pow") == "narrow_float"
