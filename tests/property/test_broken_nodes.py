"""Rules answer for every node, however broken: attributes and constants of any type and length, inputs left out."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper, numpy_helper

from inspector.errors import InspectorError
from inspector.rewrite.preview import preview
from inspector.rewrite.registry import rules
from inspector.rewrite.rule import Match, Refusal
from tests.helpers.rewriting import opened

OPERATORS = sorted(set().union(*(rule.anchors for rule in rules())))
SHAPES = ([], [3], [1, 4, 8], [1, 4, 8, 8], ["n", 4, "h", 8], [1, 4, 4, 6, 6], [2, 4, 3, 2, 2, 2], [0, 4, 8, 8], None)
KINDS = (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE, TensorProto.INT64, TensorProto.STRING)
NAMES = (
    "kernel_shape", "strides", "dilations", "pads", "group", "auto_pad", "output_padding", "output_shape", "perm",
    "mode", "blocksize", "scales", "axes", "axis", "coordinate_transformation_mode", "nearest_mode", "ceil_mode",
    "antialias", "keepdims", "alpha", "beta", "epsilon", "equation", "transA", "transB", "split", "starts", "ends",
    "value", "to", "batch_dims", "approximate", "min", "max", "k", "largest", "training_mode", "count_include_pad",
)  # fmt: skip
ODD = (
    0, 1, 2, -1, 10**6, 1.5, float("nan"), "SAME_UPPER", "linear", "nearest", "x", "edge", [1], [1, 1], [2, 2, 2],
    [4, 3, 2, 1, 0], [-1, -1], [0] * 6, [1.0, 1.0, 2.0, 2.0], ["a", "b"], [1] * 8,
)  # fmt: skip
CONSTANTS = (
    np.array([1, 1, 2, 2], np.float32), np.array([1, 4, 6, 6]), np.array([0, 0, 1, 1, 0, 0, 1, 1]), np.array(3),
    np.array([np.nan, np.inf], np.float32), np.array(["a", "b"], object), np.array([True, False]),
    np.zeros(0, np.float32), np.ones((4, 4, 3), np.float32), np.ones((4, 4, 3, 3), np.float32),
    np.ones((2, 4, 3, 3, 3), np.float32), np.ones((4, 1, 2, 2), np.float16), np.array([-9, 7]),
)  # fmt: skip


def broken(op, shape, kind, constants, attributes, outputs=("y",), opset=13):
    """A model of one node that reads x and *constants*, None for one left out."""
    names = ["x", *("" if array is None else f"c{i}" for i, array in enumerate(constants))]
    tensors = [numpy_helper.from_array(a, f"c{i}") for i, a in enumerate(constants) if a is not None]
    graph = helper.make_graph(
        [helper.make_node(op, names, outputs, "n", **attributes)],
        "g",
        [helper.make_tensor_value_info("x", kind, shape)],
        [helper.make_tensor_value_info("y", kind, None)],
        tensors,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 8
    return model


def every_rule_answers(proto):
    """Every rule gives a match or a refusal, and what it then builds is built or refused with a message."""
    try:
        model = opened(proto)
    except InspectorError:
        return
    for node in model.nodes:
        for rule in rules():
            if node.op.name not in rule.anchors:
                continue
            reply = rule.match(model, node.id)
            assert isinstance(reply, Match | Refusal)
            for variant in reply.variants if isinstance(reply, Match) else ():
                # onnx may refuse what is made of a broken node; the program tells so.
                with suppress(InspectorError):
                    preview(model, rule, reply, variant)


@pytest.mark.parametrize("op", OPERATORS)
def test_odd_constants(op):
    for array in CONSTANTS:
        for opset in (11, 18):
            every_rule_answers(broken(op, [1, 4, 8, 8], TensorProto.FLOAT, (array,), {}, opset=opset))
            every_rule_answers(broken(op, [1, 4, 8, 8], TensorProto.FLOAT, (None, array, array), {}, opset=opset))


@st.composite
def nodes(draw):
    """A node whose operator some rule asks about, with anything beside it."""
    count = draw(st.integers(0, 4))
    return broken(
        draw(st.sampled_from(OPERATORS)),
        draw(st.sampled_from(SHAPES)),
        draw(st.sampled_from(KINDS)),
        [draw(st.sampled_from((None, *CONSTANTS))) for _ in range(count)],
        draw(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(ODD), max_size=4)),
        draw(st.sampled_from((["y"], ["y", "z"], [""]))),
        draw(st.integers(6, 21)),
    )


@settings(max_examples=400)
@given(nodes())
def test_anything(proto):
    every_rule_answers(proto)
