"""topk-to-reduce: values and indices, ties, either output alone, and counts other than one."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, opened, reason_of, refusal_of, run
from tests.helpers.rule_cases import hold

RULE = "topk-to-reduce"


def top(shape=(2, 3, 4), k=1, axis=-1, *, opset=13, dtype=TensorProto.FLOAT, largest=1, fed=False):
    """The k largest or smallest elements of x along an axis."""
    tensors, inputs, attributes = {}, ["x"], {"axis": axis}
    shapes = {"x": list(shape)}
    if opset < 10:
        attributes["k"] = k
    else:
        inputs.append("k")
        if fed:
            shapes["k"] = [1]
        else:
            tensors["k"] = np.array([k], np.int64)
    if opset >= 11:
        attributes["largest"] = largest
    node = helper.make_node("TopK", inputs, ["v", "i"], "top", **attributes)
    out = list(shape)
    out[axis] = k
    kinds = {"x": dtype, "v": dtype, "i": TensorProto.INT64, "k": TensorProto.INT64}
    return proto([node], shapes, {"v": out, "i": out}, tensors, opset=opset, dtypes=kinds)


def case(random):
    """One or more elements along a drawn axis."""
    shape = [random.randint(1, 4) for _ in range(random.randint(1, 5))]
    axis = random.randrange(-len(shape), len(shape))
    k = 1 if random.random() < 0.9 else min(2, shape[axis])
    dtype = random.choice((TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT32))
    opset = random.choice((10, 11, 13, 18, 20))
    if dtype == TensorProto.INT32 and opset < 11:
        dtype = TensorProto.FLOAT
    return top(shape, k, axis, opset=opset, dtype=dtype, largest=random.choice((0, 1)))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize("largest", [0, 1])
def test_lowest_index_wins_among_equal_elements(largest):
    model = opened(top((2, 5), largest=largest))
    after = applied(model, RULE, "TopK").after
    feeds = {"x": np.array([[1, 3, 3, 1, 2], [0, 0, 0, 0, 0]], np.float32)}
    for a, b in zip(run(model, feeds), run(after, feeds), strict=True):
        assert np.array_equal(a, b)


def test_output_that_nobody_reads_is_not_computed():
    node = helper.make_node("TopK", ["x", "k"], ["v", "i"], "top", axis=1)
    model = proto([node], {"x": [2, 3]}, {"v": [2, 1]}, {"k": np.array([1], np.int64)})
    after = applied(opened(model), RULE, "TopK").after
    assert [n.op.name for n in after.nodes] == ["ReduceMax"]


def test_other_counts_are_refused_with_their_value():
    refusal = refusal_of(opened(top(k=3)), RULE, "TopK")
    assert refusal.reason.key.endswith("topk_count")
    assert refusal.subject == "3"


def test_count_that_is_fed_and_half_floats_are_refused():
    assert reason_of(opened(top(fed=True)), RULE, "TopK") == "not_constant"
    assert reason_of(opened(top(dtype=TensorProto.FLOAT16)), RULE, "TopK") == "topk_type"
