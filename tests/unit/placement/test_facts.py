"""What is gathered about a node: defaults, parameters from inputs, roles of operands, and gaps that stay gaps."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.model.dtype import DType
from inspector.model.load import from_proto
from inspector.placement.facts import context_flags, node_facts, parameter, zeros
from inspector.placement.operators import UNKNOWN
from inspector.placement.target import Flow, Qtype
from tests.helpers.facts import facts_of, one_node
from tests.helpers.models import proto


def test_attribute_defaults_come_from_onnx():
    facts = facts_of("LeakyRelu", [[1, 2]])
    assert facts.attribute("alpha") == pytest.approx(0.01)
    assert "alpha" not in facts.explicit
    assert facts.attribute("no_such") is None


def test_windows_are_filled_from_the_weight():
    facts = facts_of("Conv", [[1, 3, 9, 9], np.zeros((4, 3, 5, 3), np.float32)])
    assert facts.attribute("kernel_shape") == (5, 3)
    assert facts.attribute("strides") == facts.attribute("dilations") == (1, 1)
    assert facts.attribute("pads") == (0, 0, 0, 0)


def test_windows_of_an_unknown_weight_are_unknown():
    facts = facts_of("Conv", [[1, 3, 9, 9], [4, 3, None, 3]])
    assert facts.attribute("kernel_shape") is UNKNOWN
    assert facts.attribute("strides") is UNKNOWN


@pytest.mark.parametrize(
    ("auto_pad", "pads"),
    [("SAME_UPPER", (0, 1, 1, 1)), ("SAME_LOWER", (1, 1, 0, 1)), ("VALID", (0, 0, 0, 0))],
)
def test_auto_pad_is_worked_out(auto_pad, pads):
    weight = np.zeros((4, 3, 2, 3), np.float32)
    facts = facts_of("Conv", [[1, 3, 8, 8], weight], auto_pad=auto_pad)
    assert facts.attribute("pads") == pads


def test_auto_pad_of_an_unknown_size_is_unknown():
    facts = facts_of("Conv", [[1, 3, None, 8], np.zeros((4, 3, 3, 3), np.float32)], auto_pad="SAME_UPPER")
    assert facts.attribute("pads") is UNKNOWN


def test_auto_pad_of_a_transposed_convolution():
    facts = facts_of("ConvTranspose", [[1, 3, 8, 8], np.zeros((3, 4, 3, 3), np.float32)], auto_pad="SAME_UPPER")
    assert facts.attribute("pads") == (1, 1, 1, 1)


@pytest.mark.parametrize("opset", [10, 11])
def test_pads_are_found_as_attribute_or_as_input(opset):
    if opset == 10:
        facts = facts_of("Pad", [[1, 2, 3, 4]], opset=10, pads=[0, 0, 1, 1, 0, 0, 1, 1])
    else:
        facts = facts_of("Pad", [[1, 2, 3, 4], np.array([0, 0, 1, 1, 0, 0, 1, 1])], opset=11)
    assert facts.attribute("pads") == (0, 0, 1, 1, 0, 0, 1, 1)
    assert "pads" in facts.explicit


def test_resize_of_opset_10_has_scales_second():
    facts = facts_of("Resize", [[1, 1, 2, 2], np.array([1, 1, 2, 2], np.float32)], opset=10)
    assert facts.attribute("scales") == (1.0, 1.0, 2.0, 2.0)


def test_empty_parameters_are_not_given():
    empty = np.array([], np.float32)
    facts = facts_of("Resize", [[1, 1, 2, 2], empty, np.array([1, 1, 2, 2], np.float32)])
    assert facts.attribute("roi") is None


def test_a_computed_parameter_is_unknown():
    facts = facts_of("Pad", [[1, 2, 3, 4], [8]], dtypes={1: TensorProto.INT64})
    assert facts.attribute("pads") is UNKNOWN


def test_attributes_and_parameters_of_a_wrong_type_are_unknown():
    assert facts_of("Concat", [[1, 2]], axis="x").attribute("axis") is UNKNOWN
    assert facts_of("Pad", [[4], np.array([1.5, 2.5], np.float32)]).attribute("pads") is UNKNOWN
    assert facts_of("Resize", [[4], None, np.array([1, 2])]).attribute("scales") is UNKNOWN


def test_an_attribute_that_onnx_does_not_define_means_nothing():
    facts = facts_of("ArgMax", [[4]], axes=3)
    assert facts.attribute("axes") is None
    assert "axes" in facts.explicit


def test_large_parameters_are_not_read(monkeypatch):
    model, node = one_node("Pad", [[4], np.zeros(5000, np.int64)])
    monkeypatch.setattr(type(model), "constant", lambda *_: pytest.fail("weights must not be read"))
    assert parameter(model, node, 1) is UNKNOWN


def test_weights_are_never_read(monkeypatch):
    model, node = one_node("Conv", [[1, 3, 9, 9], np.zeros((4, 3, 3, 3), np.float32)])
    monkeypatch.setattr(type(model), "constant", lambda *_: pytest.fail("weights must not be read"))
    facts = node_facts(model, node, qtype=Qtype.INT8, flow=Flow.PTQ, context={})
    assert facts.inputs[1].sizes == (4, 3, 3, 3)
    assert facts.inputs[1].constant is True


def test_operands_by_role_and_by_formal_name():
    facts = facts_of("TopK", [[4, 9], np.array([3])], [[4, 3], [4, 3]])
    assert [o.name for o in facts.operands("all")] == ["X", "Values"]
    assert [o.name for o in facts.operands("input,indices,output")] == ["X", "Indices", "Values"]
    assert facts.operands("input")[0].dtype is DType.FLOAT32
    assert facts.operands("no such operand") == ()


def test_a_condition_is_no_data():
    facts = facts_of("Where", [[4], [4], [4]], dtypes={0: TensorProto.BOOL})
    assert [o.name for o in facts.operands("inputs")] == ["X", "Y"]


def test_variadic_inputs_are_all_data():
    facts = facts_of("Concat", [[1, 2], [1, 3], [1, 4]], axis=1)
    assert len(facts.operands("inputs")) == 3
    assert len({o.name for o in facts.inputs}) == 3


def test_a_left_out_input_is_not_present():
    facts = facts_of("Clip", [[4], None, np.array(6, np.float32)])
    assert [o.name for o in facts.operands("inputs")] == ["input", "max"]


def test_a_vendor_operator_takes_the_names_of_its_onnx_namesake():
    facts = facts_of("GridSample", [[1, 2, 3, 4], [1, 3, 4, 2]], domain="horizon")
    assert [o.name for o in facts.inputs] == ["X", "grid"]


def test_an_operator_nobody_knows_has_generic_names():
    facts = facts_of("Decode", [[1, 2], [3]], domain="my.custom")
    assert [o.name for o in facts.operands("inputs")] == ["input", "input[1]"]


def test_context_flags_from_the_graph():
    nodes = [
        helper.make_node("Relu", ["x"], ["r"], "r"),
        helper.make_node("Sigmoid", ["x"], ["s"], "s"),
        helper.make_node("Add", ["r", "s"], ["y"], "a"),
    ]
    message = proto(nodes, {"x": [1, 2]}, {"y": [1, 2]})
    message.producer_name = "PyTorch"
    model = from_proto(message)
    relu, add = (context_flags(model, next(n for n in model.nodes if n.name == name)) for name in "ra")
    assert relu["followed_by_shortcut_Add"]
    assert relu["consumer_on_bpu"]
    assert not relu["output_is_graph_output"]
    assert relu["exported_from_pytorch"]
    assert add["output_is_graph_output"]
    assert add["last_op_of_quantised_subgraph"]
    assert not add["followed_by_shortcut_Add"]


def test_an_add_of_a_constant_is_no_shortcut():
    nodes = [helper.make_node("Relu", ["x"], ["r"], "r"), helper.make_node("Add", ["r", "k"], ["y"], "a")]
    model = from_proto(proto(nodes, {"x": [1, 2]}, {"y": [1, 2]}, {"k": np.ones(2, np.float32)}))
    assert not context_flags(model, model.nodes[0])["followed_by_shortcut_Add"]


def turned(after, outputs, consumers=()):
    nodes = [
        helper.make_node("Transpose", ["x"], ["t"], "t"),
        helper.make_node("Softmax", ["t"], ["s"], "s", axis=2),
        *(helper.make_node("Transpose", ["s"], [name], name) for name in after),
        *consumers,
    ]
    model = from_proto(proto(nodes, {"x": [1, 2, 3]}, dict.fromkeys(outputs), opset=11))
    return {node.name: context_flags(model, node)["between_transposes"] for node in model.nodes}


def test_a_transpose_on_both_sides_and_no_other_reader():
    assert turned("ab", "ab") == {"t": False, "s": True, "a": False, "b": False}
    assert not turned("a", "as")["s"]  # the result is an output as well
    assert not turned("a", "ab", [helper.make_node("Relu", ["s"], ["b"], "b")])["s"]
    assert not turned("", "b", [helper.make_node("Relu", ["s"], ["b"], "b")])["s"]


@pytest.mark.parametrize(
    ("op", "constant", "expected"),
    [
        ("Mul", np.array([1, 0, 2], np.float32), (None, True)),
        ("Mul", np.array([1, -1, np.nan], np.float32), (None, False)),
        ("Mul", np.array([1, -0.0], np.float16), (None, True)),
        ("Mul", np.array([], np.float32), (None, False)),
        ("Mul", np.zeros((1 << 16) + 1, np.float32), (None, None)),  # too large to be searched
        ("Add", np.array([0], np.float32), ()),  # no clause asks
    ],
)
def test_zeros_of_constants(op, constant, expected):
    model, node = one_node(op, [[1, 3], constant])
    assert zeros(model, node) == expected
