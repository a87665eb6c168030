"""matmul-to-conv: ranks 2 to 4, open batch, shared weights, and factors that are no constant matrix."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of, run
from tests.helpers.rule_cases import hold

RULE = "matmul-to-conv"


def product(shape, weight, *, opset=13, dtype=TensorProto.FLOAT, twice=False):
    """x @ w for a constant w of the shape *weight*."""
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    array = np.random.default_rng(3).standard_normal(weight).astype(kind)
    out = [*shape[:-1], weight[-1]]
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"], "product")]
    shown = {"y": out}
    if twice:
        nodes.append(helper.make_node("MatMul", ["x", "w"], ["z"], "again"))
        shown["z"] = out
    kinds = dict.fromkeys("xyz", dtype)
    return proto(nodes, {"x": list(shape)}, shown, {"w": array}, opset=opset, dtypes=kinds)


def case(random):
    """A product of rank 2 to 4, now and then of a rank that is refused."""
    rank = random.choice((1, 2, 2, 3, 3, 4, 4, 5))
    shape = [random.randint(1, 4) for _ in range(rank - 1)] + [random.randint(1, 24)]
    dtype = random.choice((TensorProto.FLOAT, TensorProto.FLOAT, TensorProto.DOUBLE))
    return product(shape, (shape[-1], random.randint(8, 12)), opset=random.choice((9, 11, 13)), dtype=dtype)


test_random_cases = hold(RULE, case)


def test_open_batch_stays_open():
    for shape in (("n", 6), ("n", 5, 6), ("n", 2, 5, 6)):
        model = opened(product(shape, (6, 8)))
        assert max_rel(model, applied(model, RULE, "MatMul").after, feeds_of(model, n=3)) <= 1e-6


def test_shared_weight_stays_for_the_other_product():
    model = opened(product((2, 6), (6, 8), twice=True))
    after = applied(model, RULE, "MatMul").after
    assert "w" in after.main.initializers
    for a, b in zip(run(model, feeds_of(model)), run(after, feeds_of(model)), strict=True):
        assert np.allclose(a, b, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("shape", "weight", "reason"),
    [
        ((2, 3, 6), (2, 6, 8), "matmul_weight"),
        ((1, 2, 3, 4, 6), (6, 8), "matmul_rank"),
        (("n", "l", 6), (6, 8), "dynamic"),
    ],
)
def test_refusals(shape, weight, reason):
    assert reason_of(opened(product(shape, weight)), RULE, "MatMul") == reason


def test_computed_factor_and_half_floats_are_refused():
    node = helper.make_node("MatMul", ["x", "w"], ["y"], "product")
    computed = proto([node], {"x": [2, 3], "w": [3, 4]}, {"y": [2, 4]})
    assert reason_of(opened(computed), RULE, "MatMul") == "not_constant"
    assert reason_of(opened(product((2, 6), (6, 8), dtype=TensorProto.FLOAT16)), RULE, "MatMul") == "narrow_float"
