"""Which inputs an operator takes, by the schemas of onnx."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.signature import misfit
from tests.helpers.models import proto
from tests.helpers.rewriting import opened


def told(op, inputs, tensors=None, *, opset=13, dtype=TensorProto.FLOAT, domain="", **attributes):
    """What does not fit a node *op* over x and the constants *tensors*."""
    node = helper.make_node(op, inputs, ["y"], "n", domain=domain, **attributes)
    kinds = {"x": dtype, "y": dtype}
    domains = [domain] if domain else []
    model = proto([node], {"x": [1, 4, 8]}, {"y": None}, tensors, opset=opset, dtypes=kinds, domains=domains)
    return misfit(opened(model), next(n for n in opened(model).nodes if n.op.name == op))


FITTING = [
    ("Add", ["x", "c"], {"c": np.ones(8, np.float32)}, {}),
    ("Relu", ["x"], {}, {"dtype": TensorProto.INT32}),
    ("ReduceSum", ["x", "c"], {"c": np.array([1])}, {}),
    ("Resize", ["x", "", "c"], {"c": np.array([1, 1, 2], np.float32)}, {}),
    ("Concat", ["x", "x", "c"], {"c": np.ones((1, 4, 8), np.float32)}, {"axis": 0}),
    ("Upsample", ["x", "c"], {"c": np.array([1, 1, 2], np.float32)}, {"opset": 11}),
    ("Special", ["x", "", "x"], {}, {"domain": "own"}),
]


@pytest.mark.parametrize(("op", "inputs", "tensors", "options"), FITTING, ids=[case[0] for case in FITTING])
def test_inputs_that_fit(op, inputs, tensors, options):
    assert told(op, inputs, tensors, **options) == ""


@pytest.mark.parametrize(
    ("op", "inputs", "tensors", "options", "found"),
    [
        ("Add", ["x", "c"], {"c": np.ones(8, np.float16)}, {}, "B: float16"),
        ("ReduceSum", ["x", "c"], {"c": np.ones(1, np.float32)}, {}, "axes: float32"),
        ("ReduceSum", ["x", "c"], {"c": np.array([1])}, {"opset": 11}, "ReduceSum: 2 > 1"),
        ("HardSwish", ["x"], {}, {"opset": 13}, "HardSwish: opset 13"),
        ("Slice", ["x"], {}, {}, "Slice: starts = –"),
        ("Add", ["x", ""], {}, {}, "Add: B = –"),
    ],
)
def test_inputs_that_do_not(op, inputs, tensors, options, found):
    assert told(op, inputs, tensors, **options) == found
