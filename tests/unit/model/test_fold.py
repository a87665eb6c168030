"""Partial evaluation agrees with the reference implementation of ONNX, or stays silent."""

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

from inspector.model.fold import MAX_ELEMENTS, fold_constants
from inspector.model.load import from_proto
from tests.helpers.models import proto
from tests.helpers.rewriting import opened

N = helper.make_node
I = np.int64  # noqa: E741 - short in the tables below


def folded(node, tensors, *, opset=13):
    """Results of *node* on constant operands by our evaluator (None when it stays silent) and by the reference."""
    outputs = dict.fromkeys(node.output)
    model = proto([node], {}, outputs, tensors, opset=opset)
    loaded = from_proto(model)
    ours = fold_constants(loaded, loaded.values[0])
    theirs = ReferenceEvaluator(model).run(None, {})
    return [ours.get(o) for o in node.output], theirs


CASES = {
    "gather": (N("Gather", ["a", "i"], ["y"], axis=0), {"a": np.array([3, 4, 5], I), "i": np.array([2, -1], I)}),
    "concat": (N("Concat", ["a", "b"], ["y"], axis=0), {"a": np.array([3], I), "b": np.array([-1, 7], I)}),
    "slice": (
        N("Slice", ["a", "s", "e", "x", "t"], ["y"]),
        {
            "a": np.arange(9),
            "s": np.array([7], I),
            "e": np.array([-99], I),
            "x": np.array([0], I),
            "t": np.array([-2], I),
        },
    ),
    "slice open end": (
        N("Slice", ["a", "s", "e"], ["y"]),
        {"a": np.arange(9), "s": np.array([-3], I), "e": np.array([2**62], I)},
    ),
    "div truncates": (N("Div", ["a", "b"], ["y"]), {"a": np.array([-7, 7, -8], I), "b": np.array([2], I)}),
    "unsqueeze": (N("Unsqueeze", ["a", "x"], ["y"]), {"a": np.array([1, 2], I), "x": np.array([0, 2], I)}),
    "squeeze": (N("Squeeze", ["a"], ["y"]), {"a": np.array([[5]], I)}),
    "cast": (N("Cast", ["a"], ["y"], to=onnx.TensorProto.FLOAT), {"a": np.array([1, 2], I)}),
    "cast floor": (N("Cast", ["a"], ["y"], to=onnx.TensorProto.INT64), {"a": np.array([1.9, -1.9], np.float32)}),
    "range": (N("Range", ["a", "b", "c"], ["y"]), {"a": I(3), "b": I(12), "c": I(4)}),
    "reshape": (N("Reshape", ["a", "s"], ["y"]), {"a": np.arange(12), "s": np.array([0, -1], I)}),
    "expand": (N("Expand", ["a", "s"], ["y"]), {"a": np.array([[1], [2]], I), "s": np.array([3, 1, 4], I)}),
    "where": (N("Where", ["c", "a", "b"], ["y"]), {"c": np.array([True, False]), "a": np.array([1, 1], I), "b": I(9)}),
    "equal": (N("Equal", ["a", "b"], ["y"]), {"a": np.array([1, 2], I), "b": I(2)}),
    "split": (N("Split", ["a", "s"], ["y", "z"], axis=0), {"a": np.arange(5), "s": np.array([2, 3], I)}),
    "reduce": (N("ReduceProd", ["a"], ["y"], axes=[0], keepdims=0), {"a": np.array([2, 3, 4], I)}),
    "min": (N("Min", ["a", "b"], ["y"]), {"a": np.array([4, 1], I), "b": np.array([2, 2], I)}),
    "tile": (N("Tile", ["a", "r"], ["y"]), {"a": np.array([4, 1], I), "r": np.array([3], I)}),
    "transpose": (N("Transpose", ["a"], ["y"], perm=[1, 0]), {"a": np.arange(6).reshape(2, 3)}),
    "constant of shape": (
        N("ConstantOfShape", ["s"], ["y"], value=helper.make_tensor("v", onnx.TensorProto.INT64, [1], [5])),
        {"s": np.array([2, 2], I)},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_evaluates_as_the_reference_does(name):
    node, tensors = CASES[name]
    ours, theirs = folded(node, tensors)
    for a, b in zip(ours, theirs, strict=True):
        assert a is not None
        assert a.dtype == b.dtype
        assert np.array_equal(a, b)


@given(
    st.lists(st.integers(-5, 9), min_size=1, max_size=8),
    st.integers(-12, 12),
    st.integers(-12, 12),
    st.integers(-3, 3).filter(bool),
)
def test_slice_agrees_with_the_reference(data, start, end, step):
    node = N("Slice", ["a", "s", "e", "x", "t"], ["y"])
    tensors = {"a": np.array(data, I), "s": np.array([start], I), "e": np.array([end], I)}
    tensors |= {"x": np.array([0], I), "t": np.array([step], I)}
    ours, theirs = folded(node, tensors)
    assert np.array_equal(ours[0], theirs[0])


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=6), st.integers(-4, 4).filter(bool))
def test_integer_division_agrees_with_the_reference(data, divisor):
    ours, theirs = folded(N("Div", ["a", "b"], ["y"]), {"a": np.array(data, I), "b": np.array([divisor], I)})
    assert np.array_equal(ours[0], theirs[0])


def silent(node, tensors, *, inputs=None, opset=13):
    model = from_proto(proto([node], inputs or {}, dict.fromkeys(node.output), tensors, opset=opset))
    return fold_constants(model, model.values[0]) == {}


def test_stays_silent_about_what_it_cannot_know():
    assert silent(N("Add", ["x", "b"], ["y"]), {"b": I(1)}, inputs={"x": [1]})
    assert silent(N("Div", ["a", "b"], ["y"]), {"a": np.array([1], I), "b": np.array([0], I)})
    assert silent(N("Gather", ["a", "i"], ["y"]), {"a": np.array([1], I), "i": np.array([5], I)})
    assert silent(N("Mystery", ["a"], ["y"]), {"a": np.array([1], I)})
    assert silent(N("Expand", ["a", "s"], ["y"]), {"a": I(1), "s": np.array([MAX_ELEMENTS + 1], I)})
    assert silent(N("Identity", ["a"], ["y"]), {"a": np.zeros(MAX_ELEMENTS + 1, I)})
    assert silent(N("ConstantOfShape", ["s"], ["y"]), {"s": np.array([1 << 40, 1 << 40], I)})


@pytest.mark.parametrize(
    "op", ["Slice", "Gather", "Squeeze", "Unsqueeze", "Shape", "Size", "Cast", "Concat", "Reshape"]
)
@pytest.mark.parametrize(("inputs", "outputs"), [([], ["o"]), ([], []), ([""], ["o"]), (["x", ""], [""])])
def test_operator_without_its_inputs_or_outputs_is_opened(op, inputs, outputs):
    nodes = [helper.make_node(op, inputs, outputs, "odd"), helper.make_node("Shape", ["x"], ["z"], "shape")]
    model = opened(proto(nodes, {"x": [2, 3]}, {"z": [2]}, dtypes={"z": TensorProto.INT64}))
    assert [n.name for n in model.nodes] == ["odd", "shape"]
