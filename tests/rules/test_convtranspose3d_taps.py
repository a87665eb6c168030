"""convtranspose3d-taps: where it fits, why it refuses, and that the numbers stay."""

import numpy as np
import pytest
from onnx import helper

from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match
from tests.helpers.deconv import LIMIT, deconv, drawn_deconv, equal_in_every_variant
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, opened, reason_of, refusal_of
from tests.helpers.rule_cases import hold

RULE = "convtranspose3d-taps"


def case(random):
    """Any layer; those without overlap are refused."""
    return drawn_deconv(random, apart=False)


test_random_cases = hold(RULE, case)


WALKS = {
    "overlap": {"weight": (4, 3, 3, 2, 2), "strides": [2, 2, 2]},
    "dilated": {"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "dilations": [3, 1, 1]},
    "gaps": {"weight": (4, 3, 2, 2, 2), "strides": [3, 2, 2]},
    "stride 1": {"weight": (4, 3, 3, 3, 3), "strides": [1, 1, 1], "pads": [1, 1, 1, 1, 1, 1]},
    "one tap": {"weight": (4, 3, 1, 2, 2), "strides": [2, 2, 2]},
}


@pytest.mark.parametrize("name", WALKS)
def test_depth_that_the_two_dimensional_rule_does_not_take(name):
    model = deconv(**WALKS[name])
    assert not isinstance(rule_of("convtranspose3d-to-2d").match(model, model.nodes[0].id), Match)
    equal_in_every_variant(model, RULE)
    after = applied(model, RULE, "ConvTranspose").after
    conv = next(n for n in after.nodes if n.op.name == "ConvTranspose")
    assert len(after.output_values(conv)[0].shape) == 4


def test_the_rule_does_not_fit_its_own_result():
    after = applied(deconv(**WALKS["overlap"]), RULE, "ConvTranspose").after
    assert not [n for n in after.nodes if isinstance(rule_of(RULE).match(after, n.id), Match)]


def test_open_batch_takes_every_size():
    model = deconv(symbol="batch", **WALKS["overlap"])
    for variant in match_of(model, RULE, "ConvTranspose").variants:
        after = applied(model, RULE, "ConvTranspose", variant).after
        for size in (1, 3):
            assert max_rel(model, after, feeds_of(model, batch=size)) <= LIMIT


def test_half_floats_are_refused():
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2, 2])
    tensors = {"w": np.ones((4, 3, 3, 2, 2), np.float16)}
    model = opened(proto([node], {"x": [1, 4, 3, 4, 5]}, {"y": [1, 3, 7, 8, 10]}, tensors, dtypes={"x": 10, "y": 10}))
    assert reason_of(model, RULE, "ConvTranspose") == "narrow_float"


REFUSALS = [
    ({"weight": (4, 3, 2, 3, 3), "strides": [2, 1, 1]}, "depth_apart"),
    ({"weight": (4, 3, 1, 3, 3), "strides": [1, 2, 2], "dilations": [2, 1, 1]}, "depth_apart"),
    ({"weight": (4, 3, 3, 2, 2), "strides": [2, 2, 2], "x": (1, 4, 3, 4, "w")}, "dynamic"),
    ({"weight": (4, 3, 3, 2, 2), "strides": [2, 2, 2], "initializer_inputs": ("w",)}, "overridable"),
    ({"weight": (4, 3, 3, 2, 2), "strides": [2, 2, 2], "pads": [7, 0, 0, 0, 0, 0]}, "no_elements"),
]


@pytest.mark.parametrize(("layer", "reason"), REFUSALS)
def test_refuses_with_the_reason_and_the_value(layer, reason):
    refusal = refusal_of(deconv(**layer), RULE, "ConvTranspose")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


@pytest.mark.parametrize("auto", ["SAME_UPPER", "SAME_LOWER", "VALID"])
def test_automatic_padding_is_resolved(auto):
    equal_in_every_variant(deconv((4, 3, 3, 3, 3), strides=[2, 2, 2], auto_pad=auto), RULE)


def test_two_dimensional_layer_is_not_its_business():
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2])
    model = opened(proto([node], {"x": [1, 4, 4, 5]}, {"y": [1, 3, 8, 10]}, {"w": np.ones((4, 3, 2, 2), np.float32)}))
    assert not refusal_of(model, RULE, "ConvTranspose").relevant


@pytest.mark.parametrize("opset", [7, 9, 10, 11, 13, 17, 21])
def test_every_opset_gets_its_form(opset):
    equal_in_every_variant(
        deconv((4, 3, 3, 2, 2), strides=[2, 2, 2], pads=[1, 0, 0, 2, 0, 0], output_padding=[1, 0, 0], opset=opset), RULE
    )
