import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.cost import SetCost, cost_of, node_cost
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto


def costs(op, inputs, tensors, **attributes):
    names = [*inputs, *tensors]
    made = [helper.make_node(op, names, ["y"], "n", **attributes)]
    model = infer_shapes(from_proto(proto(made, inputs, {"y": None}, tensors)), InProcessRunner())
    return model, node_cost(model, model.nodes[0])


@pytest.mark.parametrize(
    ("op", "inputs", "tensors", "attributes", "macs", "parameters", "size"),
    [
        # 1x8x8x8 outputs, each 3*3*3 products
        ("Conv", {"x": [1, 3, 8, 8]}, {"w": (8, 3, 3, 3), "b": (8,)}, {"pads": [1] * 4}, 512 * 27, 224, 2048),
        # two groups: 2 of 4 input channels each
        ("Conv", {"x": [1, 4, 4, 4]}, {"w": (6, 2, 1, 1)}, {"group": 2}, 96 * 2, 12, 384),
        # every input element meets 5 outputs x 2x2 kernel
        ("ConvTranspose", {"x": [1, 3, 4, 4]}, {"w": (3, 5, 2, 2)}, {"strides": [2, 2]}, 48 * 20, 60, 5 * 64 * 4),
        ("Gemm", {"x": [2, 32]}, {"w": (32, 10)}, {}, 2 * 32 * 10, 320, 80),
        ("Gemm", {"x": [32, 2]}, {"w": (32, 10)}, {"transA": 1}, 2 * 32 * 10, 320, 80),
        ("MatMul", {"x": [2, 5, 7], "z": [2, 7, 3]}, {}, {}, 2 * 5 * 7 * 3, 0, 120),
        ("AveragePool", {"x": [1, 2, 4, 4]}, {}, {"kernel_shape": [2, 2], "strides": [2, 2]}, 8 * 4, 0, 32),
        ("GlobalAveragePool", {"x": [1, 2, 4, 4]}, {}, {}, 32, 0, 8),
        ("Relu", {"x": [1, 2, 4, 4]}, {}, {}, 32, 0, 128),
        ("Transpose", {"x": [1, 2, 4, 4]}, {}, {}, 0, 0, 128),
        ("NonZero", {"x": [1, 2, 4, 4]}, {}, {}, None, 0, None),
    ],
)
def test_figures(op, inputs, tensors, attributes, macs, parameters, size):
    _, cost = costs(op, inputs, {k: np.ones(s, np.float32) for k, s in tensors.items()}, **attributes)
    assert (cost.macs, cost.parameters, cost.bytes_out) == (macs, parameters, size)


@pytest.mark.parametrize(("mode", "macs"), [("nearest", 0), ("linear", 2 * 64 * 4), ("cubic", 2 * 64 * 16)])
def test_resize_counts_taps(mode, macs):
    made = [helper.make_node("Resize", ["x", "", "s"], ["y"], "n", mode=mode)]
    tensors = {"s": np.array([1, 1, 2, 2], np.float32)}
    model = infer_shapes(from_proto(proto(made, {"x": [1, 2, 4, 4]}, {"y": None}, tensors)), InProcessRunner())
    assert node_cost(model, model.nodes[0]).macs == macs


def test_unknown_shapes_give_unknown_costs():
    _, cost = costs("Conv", {"x": ["N", 3, 8, 8]}, {"w": np.ones((8, 3, 3, 3), np.float32)})
    assert (cost.macs, cost.bytes_out, cost.parameters) == (None, None, 216)


def test_set_takes_the_widest():
    made = [
        helper.make_node("Conv", ["x", "w"], ["a"], "a"),
        helper.make_node("Relu", ["a"], ["b"], "b"),
        helper.make_node("Conv", ["b", "v"], ["c"], "c"),
    ]
    tensors = {"w": np.ones((16, 4, 1, 1), np.float32), "v": np.ones((8, 16, 1, 1), np.float32)}
    model = infer_shapes(from_proto(proto(made, {"x": [1, 4, 2, 2]}, {"c": None}, tensors)), InProcessRunner())
    ids = [n.id for n in model.nodes]
    assert cost_of(model, ids) == SetCost(64 * 4 + 64 + 32 * 16, (64 + 64 + 32) * 4, 16, 256)
    assert cost_of(model, []) == SetCost(0, 0, None, None)


@given(st.integers(1, 4), st.integers(1, 4), st.integers(1, 3), st.integers(3, 6))
def test_conv_and_transposed_conv_mirror_each_other(cin, cout, kernel, size):
    """A stride-1 Conv and the ConvTranspose that undoes its shape do the same products."""
    _, forward = costs("Conv", {"x": [1, cin, size, size]}, {"w": np.ones((cout, cin, kernel, kernel), np.float32)})
    out = size - kernel + 1
    weights = {"w": np.ones((cout, cin, kernel, kernel), np.float32)}
    _, back = costs("ConvTranspose", {"x": [1, cout, out, out]}, weights)
    assert forward.macs == back.macs
