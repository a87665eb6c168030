"""convtranspose3d-to-2d: where it fits, why it refuses, and that the numbers stay."""

import numpy as np
import pytest
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match
from inspector.worker.client import InProcessRunner
from tests.helpers.deconv import LIMIT, deconv, drawn_deconv, equal_in_every_variant
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, opened, reason_of, refusal_of, run
from tests.helpers.rule_cases import hold

RULE = "convtranspose3d-to-2d"


def case(random):
    """A layer whose depth taps do not overlap, and a few others."""
    return drawn_deconv(random, apart=True)


test_random_cases = hold(RULE, case)


SEED_LAYERS = [
    ((128, 64, 5, 2, 2), (5, 2, 2), 320),
    ((64, 48, 2, 2, 2), (2, 2, 2), 96),
    ((48, 32, 2, 2, 2), (2, 2, 2), 64),
]


@pytest.mark.parametrize(("weight", "stride", "widest"), SEED_LAYERS)
def test_occupancy_head_is_bit_equal_and_tells_its_width(weight, stride, widest):
    model = deconv(weight, x=(1, weight[0], 2, 6, 7), kernel_shape=weight[2:], strides=stride)
    feeds = feeds_of(model)
    for variant in rule_of(RULE).variants:
        built = applied(model, RULE, "ConvTranspose", variant.id)
        assert max_rel(model, built.after, feeds) == 0.0
        assert built.cost_after.widest_channels == widest
        assert built.cost_before.widest_channels == weight[1]
        assert built.cost_after.macs == built.cost_before.macs
        for node in built.after.nodes:
            if node.op.name in ("ConvTranspose", "Conv"):
                assert len(built.after.output_values(node)[0].shape) == 4


def test_nodes_carry_the_origin_and_the_texts_of_the_source():
    model = deconv((4, 3, 2, 2, 2), strides=[2, 2, 2])
    built = applied(model, RULE, "ConvTranspose")
    conv = next(n for n in built.after.nodes if n.op.name == "ConvTranspose")
    entries = {e.key: e.value for e in conv.proto.metadata_props}
    assert conv.name == "up/rw/convtranspose3d-to-2d/ConvTranspose"
    assert entries == {"layer": "neck", "inspector.rule": RULE, "inspector.from": "up"}
    assert conv.proto.doc_string == "why"
    assert "w" not in built.after.main.initializers
    assert conv.inputs[1:] == ("w__rw0", "b__rw0")
    assert "up" not in {n.name for n in built.after.nodes}


def test_transposes_keep_the_batch_first_or_stay_within_rank_4():
    model = deconv((4, 3, 2, 3, 2), strides=[2, 3, 2])
    for variant, highest in (("rank-5", 5), ("rank-4", 4), ("batch-1", 4)):
        after = applied(model, RULE, "ConvTranspose", variant).after
        transposes = [n for n in after.nodes if n.op.name == "Transpose"]
        assert len(transposes) == 2
        assert all(len(n.attributes["perm"]) == highest for n in transposes)
        assert variant == "batch-1" or all(n.attributes["perm"][0] == 0 for n in transposes)


def test_form_for_one_batch_is_not_offered_for_two():
    model = deconv((4, 3, 2, 2, 2), x=(2, 4, 3, 4, 5), strides=[2, 2, 2])
    assert "batch-1" not in match_of(model, RULE, "ConvTranspose").variants


def test_the_rule_does_not_fit_its_own_result():
    after = applied(deconv((4, 3, 2, 2, 2), strides=[2, 2, 2]), RULE, "ConvTranspose").after
    assert not [n for n in after.nodes if isinstance(rule_of(RULE).match(after, n.id), Match)]


def test_open_batch_takes_every_size():
    model = deconv((4, 3, 2, 2, 2), symbol="batch", strides=[2, 2, 2])
    for variant in match_of(model, RULE, "ConvTranspose").variants:
        after = applied(model, RULE, "ConvTranspose", variant).after
        for size in (1, 3):
            assert max_rel(model, after, feeds_of(model, batch=size)) <= LIMIT


def test_batch_bound_for_the_analysis_stays_open_in_the_result():
    bound = infer_shapes(deconv((4, 3, 2, 2, 2), symbol="batch", strides=[2, 2, 2]), InProcessRunner(), {"batch": 1})
    assert "batch-1" not in match_of(bound, RULE, "ConvTranspose").variants
    after = applied(bound, RULE, "ConvTranspose").after
    (y,) = run(after, {"x": np.zeros((3, 4, 3, 4, 5), np.float32)})
    assert y.shape[0] == 3


def test_slices_that_output_padding_adds_hold_the_bias_alone():
    model = deconv((4, 3, 2, 2, 2), strides=[2, 2, 2], output_padding=[1, 1, 1])
    after = applied(model, RULE, "ConvTranspose").after
    feeds = feeds_of(model)
    assert max_rel(model, after, feeds) <= LIMIT
    assert np.array_equal(run(after, feeds)[0][0, :, -1, 0, 0], model.constant(0, "b"))


REFUSALS = [
    ({"weight": (4, 3, 3, 2, 2), "strides": [2, 2, 2]}, "depth_overlap"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [3, 2, 2]}, "depth_overlap"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "dilations": [2, 1, 1]}, "depth_dilation"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "initializer_inputs": ("w",)}, "overridable"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "initializer_inputs": ("b",)}, "overridable"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "x": (1, 4, "d", 4, 5)}, "dynamic"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "output_padding": [2, 0, 0]}, "output_padding"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "pads": [0, -1, 0, 0, 0, 0]}, "negative_pads"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "output_shape": [9, 8, 10]}, "auto_pad"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "x": (1, 5, 3, 4, 5)}, "odd_attribute"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "kernel_shape": [2, 2, 3]}, "odd_attribute"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "opset": 6}, "old_opset"),
]


@pytest.mark.parametrize(("layer", "reason"), REFUSALS)
def test_refuses_with_the_reason_and_the_value(layer, reason):
    refusal = refusal_of(deconv(**layer), RULE, "ConvTranspose")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_computed_weight_is_refused():
    nodes = [
        helper.make_node("Relu", ["w"], ["w2"]),
        helper.make_node("ConvTranspose", ["x", "w2"], ["y"], strides=[2, 2, 2]),
    ]
    model = opened(proto(nodes, {"x": [1, 4, 3, 4, 5], "w": [4, 3, 2, 2, 2]}, {"y": [1, 3, 6, 8, 10]}))
    assert reason_of(model, RULE, "ConvTranspose") == "not_constant"


def test_two_dimensional_layer_is_not_its_business():
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2])
    model = opened(proto([node], {"x": [1, 4, 4, 5]}, {"y": [1, 3, 8, 10]}, {"w": np.ones((4, 3, 2, 2), np.float32)}))
    assert not refusal_of(model, RULE, "ConvTranspose").relevant


def test_weight_shared_with_another_layer_is_kept():
    nodes = [
        helper.make_node("ConvTranspose", ["x", "w"], ["a"], "one", strides=[2, 2, 2]),
        helper.make_node("ConvTranspose", ["x", "w"], ["b"], "two", strides=[2, 2, 2]),
        helper.make_node("Add", ["a", "b"], ["y"]),
    ]
    weight = np.random.default_rng(0).standard_normal((4, 3, 2, 2, 2)).astype(np.float32)
    model = opened(proto(nodes, {"x": [1, 4, 3, 4, 5]}, {"y": [1, 3, 6, 8, 10]}, {"w": weight}))
    first = applied(model, RULE, "ConvTranspose")
    assert "w" in first.after.main.initializers
    second = applied(first.after, RULE, "ConvTranspose", index=1)
    assert "w" not in second.after.main.initializers
    assert max_rel(model, second.after, feeds_of(model)) == 0.0


@pytest.mark.parametrize("auto", ["SAME_UPPER", "SAME_LOWER", "VALID"])
def test_automatic_padding_is_resolved(auto):
    equal_in_every_variant(deconv((4, 3, 2, 3, 3), strides=[2, 2, 2], auto_pad=auto), RULE)


@pytest.mark.parametrize("wanted", [[6, 8, 9], [5, 7, 9]])
def test_wanted_output_shape_is_resolved(wanted):
    equal_in_every_variant(deconv((4, 3, 2, 2, 2), strides=[2, 2, 2], output_shape=wanted), RULE)


@pytest.mark.parametrize("opset", [7, 9, 10, 11, 13, 17, 21])
def test_every_opset_gets_its_form(opset):
    equal_in_every_variant(deconv((4, 3, 2, 2, 2), strides=[2, 2, 2], pads=[1, 0, 0, 1, 0, 0], opset=opset), RULE)
