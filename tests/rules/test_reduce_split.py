"""reduce-split: every reduction, every form of its axes, dropped axes, and one axis alone."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of, run
from tests.helpers.rule_cases import hold

RULE = "reduce-split"
OPERATORS = ("ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin")


def reduced(op, shape=(2, 3, 4, 5), axes=(2, 3), *, keepdims=1, opset=13, dtype=TensorProto.FLOAT, fed=False, sym=None):
    """A reduction of x over *axes*; None stands for all of them."""
    inputs, tensors, attributes = ["x"], {}, {"keepdims": keepdims}
    shapes = {"x": [sym or shape[0], *shape[1:]] if shape else []}
    if axes is not None:
        if opset >= (13 if op == "ReduceSum" else 18):
            inputs.append("axes")
            if fed:
                shapes["axes"] = [len(axes)]
            else:
                tensors["axes"] = np.array(axes, np.int64)
        else:
            attributes["axes"] = list(axes)
    gone = {axis % len(shape) for axis in (range(len(shape)) if axes is None else axes)}
    out = [1 if i in gone else shapes["x"][i] for i in range(len(shape)) if keepdims or i not in gone]
    node = helper.make_node(op, inputs, ["y"], "reduce", **attributes)
    kinds = {"x": dtype, "y": dtype, "axes": TensorProto.INT64}
    return proto([node], shapes, {"y": out}, tensors, opset=opset, dtypes=kinds)


def case(random):
    """A reduction over drawn axes of a drawn rank, to eight numbers or more.

    A single mean may come out near zero by chance; its relative error then tells nothing about the rewrite.
    """
    chosen = random.sample(range(5), random.randint(1, 4))
    shape = [random.randint(1, 6) if axis in chosen else 2 for axis in range(5)]
    shape[next(axis for axis in range(5) if axis not in chosen)] = 8
    axes = [axis - 5 if random.random() < 0.3 else axis for axis in chosen]
    dtype = random.choice((TensorProto.FLOAT, TensorProto.FLOAT, TensorProto.DOUBLE))
    opset = random.choice((10, 11, 13, 18, 20))
    return reduced(random.choice(OPERATORS), shape, axes, keepdims=random.choice((0, 1)), opset=opset, dtype=dtype)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize("op", ["ReduceMax", "ReduceMin"])
def test_largest_and_smallest_are_bit_equal(op):
    for dtype in (TensorProto.FLOAT, TensorProto.INT32):
        model = opened(reduced(op, axes=(1, 2, 3), dtype=dtype, opset=18))
        after = applied(model, RULE, op).after
        for a, b in zip(run(model, feeds_of(model)), run(after, feeds_of(model)), strict=True):
            assert np.array_equal(a, b)


def test_longest_axis_goes_first():
    after = applied(opened(reduced("ReduceMean", (1, 2, 9, 5), (1, 2, 3))), RULE, "ReduceMean").after
    assert [n.attributes["axes"] for n in after.nodes] == [(2,), (3,), (1,)]


def test_open_batch_stays_open():
    model = opened(reduced("ReduceMean", axes=(2, 3), keepdims=0, sym="n"))
    after = applied(model, RULE, "ReduceMean").after
    assert max_rel(model, after, feeds_of(model, n=3)) <= 1e-6


def test_open_size_that_must_be_written_is_refused():
    model = proto(
        [helper.make_node("ReduceMean", ["x"], ["y"], "reduce", axes=[2, 3], keepdims=0)],
        {"x": [1, "c", 4, 4]},
        {"y": [1, "c"]},
    )
    assert reason_of(opened(model), RULE, "ReduceMean") == "dynamic"


def test_one_axis_is_not_its_business():
    model = opened(reduced("ReduceMean", axes=(2,)))
    assert not rule_of(RULE).match(model, node_of(model, "ReduceMean")).relevant


def test_axes_that_are_fed_and_whole_numbers_are_refused():
    assert reason_of(opened(reduced("ReduceSum", fed=True)), RULE, "ReduceSum") == "not_constant"
    assert reason_of(opened(reduced("ReduceSum", dtype=TensorProto.INT32)), RULE, "ReduceSum") == "narrow_float"


def test_empty_axes_that_mean_nothing_are_left_alone():
    node = helper.make_node("ReduceSum", ["x", "axes"], ["y"], "reduce", noop_with_empty_axes=1)
    model = opened(proto([node], {"x": [2, 3]}, {"y": [2, 3]}, {"axes": np.zeros(0, np.int64)}))
    assert not rule_of(RULE).match(model, node_of(model, "ReduceSum")).relevant


def test_all_axes_when_none_are_named():
    model = opened(reduced("ReduceSum", axes=None, keepdims=0))
    after = applied(model, RULE, "ReduceSum").after
    assert [n.op.name for n in after.nodes] == ["ReduceSum"] * 4 + ["Reshape"]
    feeds = {"x": np.arange(120, dtype=np.float32).reshape(2, 3, 4, 5)}
    assert max_rel(model, after, feeds) == 0.0
