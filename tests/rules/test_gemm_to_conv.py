"""gemm-to-conv: alpha, beta, transB and every form of bias."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "gemm-to-conv"


def gemm(n=2, k=6, m=8, *, bias=(8,), opset=13, dtype=TensorProto.FLOAT, batch=None, **attributes):
    """A Gemm with constant weights; *bias* is the shape of C, None for none."""
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    rng = np.random.default_rng(4)
    tensors = {"b": rng.standard_normal((m, k) if attributes.get("transB") else (k, m)).astype(kind)}
    inputs = ["x", "b"]
    if bias is not None:
        tensors["c"] = rng.standard_normal(bias).astype(kind)
        inputs.append("c")
    shape = [k, n] if attributes.get("transA") else [batch or n, k]
    node = helper.make_node("Gemm", inputs, ["y"], "gemm", **attributes)
    kinds = {"x": dtype, "y": dtype}
    return proto([node], {"x": shape}, {"y": [batch or n, m]}, tensors, opset=opset, dtypes=kinds)


def case(random):
    """A Gemm of drawn sizes, factors and bias, now and then one that is refused."""
    n, k, m = random.randint(1, 4), random.randint(1, 24), random.randint(8, 12)
    opset = random.choice((9, 11, 13))
    biases = [(m,), (1, m), (1,), (), (n, m) if n > 1 else (m,)] + ([None] if opset >= 11 else [])
    attributes = {"transB": random.choice((0, 1))}
    if random.random() < 0.5:
        attributes |= {"alpha": random.uniform(0.1, 3), "beta": random.uniform(-2, 2)}
    if random.random() < 0.1:
        attributes["transA"] = 1
    dtype = random.choice((TensorProto.FLOAT, TensorProto.FLOAT, TensorProto.DOUBLE))
    return gemm(n, k, m, bias=random.choice(biases), opset=opset, dtype=dtype, **attributes)


test_random_cases = hold(RULE, case)


def test_open_batch_stays_open():
    model = opened(gemm(batch="n"))
    assert max_rel(model, applied(model, RULE, "Gemm").after, feeds_of(model, n=5)) <= 1e-6


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"transA": 1}, "gemm_transposed"),
        ({"bias": (2, 8)}, "gemm_bias"),
        ({"bias": (2, 1)}, "gemm_bias"),
        ({"dtype": TensorProto.FLOAT16}, "narrow_float"),
    ],
)
def test_refusals(options, reason):
    assert reason_of(opened(gemm(**options)), RULE, "Gemm") == reason


def test_computed_bias_is_refused():
    node = helper.make_node("Gemm", ["x", "b", "c"], ["y"], "gemm")
    model = proto([node], {"x": [2, 3], "c": [4]}, {"y": [2, 4]}, {"b": np.ones((3, 4), np.float32)})
    assert reason_of(opened(model), RULE, "Gemm") == "not_constant"
