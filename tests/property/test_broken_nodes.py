"""Rules answer for every node, however broken: attributes and constants of any type and length, inputs left out."""

from contextlib import suppress

import numpy as np
import onnx
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


@st.composite
def nodes(draw):
    """A model of one node whose operator some rule asks about."""
    given_inputs, tensors = ["x"], {}
    for index in range(draw(st.integers(0, 4))):
        array = draw(st.sampled_from((None, *CONSTANTS)))
        given_inputs.append("" if array is None else f"c{index}")
        if array is not None:
            tensors[f"c{index}"] = numpy_helper.from_array(array, f"c{index}")
    attributes = draw(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(ODD), max_size=4))
    outputs = draw(st.sampled_from((["y"], ["y"], ["y", "z"], [""])))
    node = helper.make_node(draw(st.sampled_from(OPERATORS)), given_inputs, outputs, "n", **attributes)
    kind = draw(st.sampled_from(KINDS))
    graph = helper.make_graph(
        [node],
        "g",
        [helper.make_tensor_value_info("x", kind, draw(st.sampled_from(SHAPES)))],
        [helper.make_tensor_value_info("y", kind, None)],
        list(tensors.values()),
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", draw(st.integers(6, 21)))])
    model.ir_version = 8
    return model


@settings(max_examples=600)
@given(nodes())
def test_every_rule_answers_for_every_node(proto: onnx.ModelProto):
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
