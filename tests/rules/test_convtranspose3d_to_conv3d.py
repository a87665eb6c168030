"""convtranspose3d-to-conv3d: where it fits, why it refuses, and that the numbers stay."""

import numpy as np
import pytest
from onnx import helper

from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match
from tests.helpers.deconv import LIMIT, deconv, drawn_deconv, equal_in_every_variant
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, opened, refusal_of, run
from tests.helpers.rule_cases import hold

RULE = "convtranspose3d-to-conv3d"


def case(random):
    """A layer whose kernel is its stride, and a few others."""
    return drawn_deconv(random, apart=True, cube=True)


test_random_cases = hold(RULE, case)


SEED_LAYERS = [
    ((128, 64, 5, 2, 2), (5, 2, 2), 1280),
    ((64, 48, 2, 2, 2), (2, 2, 2), 384),
    ((48, 32, 2, 2, 2), (2, 2, 2), 256),
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
                assert len(built.after.output_values(node)[0].shape) == 5


def test_low_rank_form_stays_within_rank_4():
    after = applied(deconv((4, 3, 2, 3, 2), strides=[2, 3, 2]), RULE, "ConvTranspose", "rank-4").after
    assert [len(n.attributes["perm"]) for n in after.nodes if n.op.name == "Transpose"] == [4, 4, 3]


def test_the_rule_does_not_fit_its_own_result():
    after = applied(deconv((4, 3, 2, 2, 2), strides=[2, 2, 2]), RULE, "ConvTranspose").after
    assert not [n for n in after.nodes if isinstance(rule_of(RULE).match(after, n.id), Match)]


def test_open_batch_takes_every_size():
    model = deconv((4, 3, 2, 2, 2), symbol="batch", strides=[2, 2, 2])
    for variant in match_of(model, RULE, "ConvTranspose").variants:
        after = applied(model, RULE, "ConvTranspose", variant).after
        for size in (1, 3):
            assert max_rel(model, after, feeds_of(model, batch=size)) <= LIMIT


def test_slices_that_output_padding_adds_hold_the_bias_alone():
    model = deconv((4, 3, 2, 2, 2), strides=[2, 2, 2], output_padding=[1, 1, 1])
    after = applied(model, RULE, "ConvTranspose").after
    feeds = feeds_of(model)
    assert max_rel(model, after, feeds) <= LIMIT
    assert np.array_equal(run(after, feeds)[0][0, :, -1, 0, 0], model.constant(0, "b"))


REFUSALS = [
    ({"weight": (4, 3, 2, 3, 2), "strides": [2, 2, 2]}, "kernel_is_not_stride"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 1]}, "kernel_is_not_stride"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "dilations": [1, 1, 2]}, "dilation"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "x": (1, 4, 3, "h", 5)}, "dynamic"),
    ({"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "initializer_inputs": ("w",)}, "overridable"),
]


@pytest.mark.parametrize(("layer", "reason"), REFUSALS)
def test_refuses_with_the_reason_and_the_value(layer, reason):
    refusal = refusal_of(deconv(**layer), RULE, "ConvTranspose")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_two_dimensional_layer_is_not_its_business():
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2])
    model = opened(proto([node], {"x": [1, 4, 4, 5]}, {"y": [1, 3, 8, 10]}, {"w": np.ones((4, 3, 2, 2), np.float32)}))
    assert not refusal_of(model, RULE, "ConvTranspose").relevant


@pytest.mark.parametrize("opset", [7, 9, 10, 11, 13, 17, 21])
def test_every_opset_gets_its_form(opset):
    equal_in_every_variant(deconv((4, 3, 2, 2, 2), strides=[2, 2, 2], pads=[1, 0, 1, 1, 0, 0], opset=opset), RULE)
