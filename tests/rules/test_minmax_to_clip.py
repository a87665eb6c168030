"""minmax-to-clip: one limit or both in either order, limits out of order, values that others read."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, reason_of, run
from tests.helpers.rule_cases import hold

RULE = "minmax-to-clip"


def limited(steps, shape=(2, 3), *, opset=13, dtype=TensorProto.FLOAT, shown=(), size=()):
    """x through Min and Max nodes; *steps* are (operator, number, whether the number stands first)."""
    nodes, tensors, value = [], {}, "x"
    for index, (op, number, first) in enumerate(steps):
        tensors[f"k{index}"] = np.full(size, number, helper.tensor_dtype_to_np_dtype(dtype))
        inputs = [f"k{index}", value] if first else [value, f"k{index}"]
        value = f"v{index}"
        nodes.append(helper.make_node(op, inputs, [value], f"n{index}"))
    outs = {name: list(shape) for name in (*shown, value)}
    kinds = {"x": dtype} | dict.fromkeys(outs, dtype)
    return proto(nodes, {"x": list(shape)}, outs, tensors, opset=opset, dtypes=kinds)


def case(random):
    """One to three limits, in order or not."""
    shape = [random.randint(1, 4) for _ in range(random.randint(1, 4))]
    steps = [
        (random.choice(("Min", "Max")), random.uniform(-1.5, 1.5), random.random() < 0.5)
        for _ in range(random.randint(1, 3))
    ]
    dtype = random.choice((TensorProto.FLOAT, TensorProto.DOUBLE))
    return limited(steps, shape, opset=random.choice((10, 11, 12, 13)), dtype=dtype, size=random.choice(((), (1,))))


test_random_cases = hold(RULE, case)

RELU6 = [("Max", 0.0, False), ("Min", 6.0, True)]


@pytest.mark.parametrize("steps", [RELU6, RELU6[::-1]])
def test_two_limits_become_one_clip(steps):
    model = opened(limited(steps))
    anchor = steps[-1][0]
    after = applied(model, RULE, anchor).after
    assert [n.op.name for n in after.nodes] == ["Clip"]
    assert max_rel(model, after, feeds_of(model, scale=9)) == 0.0


def test_limit_that_is_not_set_is_left_out():
    model = opened(limited([("Max", 0.0, False)], (2,)))
    after = applied(model, RULE, "Max").after
    assert len(after.nodes[0].inputs) == 2
    feeds = {"x": np.array([3.4e38, -3.4e38], np.float32)}
    assert np.array_equal(run(after, feeds)[0], run(model, feeds)[0])


def test_limit_that_an_attribute_cannot_hold_is_refused():
    model = opened(limited([("Max", 0.1, False)], opset=10, dtype=TensorProto.DOUBLE))
    assert reason_of(model, RULE, "Max") == "clip_attribute"


def test_limits_out_of_order_are_refused():
    model = opened(limited([("Max", 6.0, False), ("Min", 0.0, False)]))
    assert reason_of(model, RULE, "Min") == "clip_order"


def test_inner_node_that_others_read_stays():
    model = opened(limited(RELU6, shown=["v0"]))
    assert len(match_of(model, RULE, "Min").nodes) == 1


def test_two_computed_values_are_not_its_business():
    node = helper.make_node("Max", ["x", "z"], ["y"], "max")
    model = opened(proto([node], {"x": [2], "z": [2]}, {"y": [2]}))
    assert not rule_of(RULE).match(model, node_of(model, "Max")).relevant


def test_whole_numbers_are_refused():
    model = opened(limited([("Max", 0, False)], dtype=TensorProto.INT32))
    assert reason_of(model, RULE, "Max") == "narrow_float"
