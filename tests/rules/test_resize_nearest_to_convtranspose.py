"""resize-nearest-to-convtranspose: every pair of modes that repeats elements, and those that do not."""

import itertools

import numpy as np
import pytest
from onnx import TensorProto

from inspector.rewrite.find import find
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match
from tests.helpers.resize import resize_proto, upsample_proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of, refusal_of, run
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "resize-nearest-to-convtranspose"
COORDINATES = ("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners", "half_pixel_symmetric")
ROUNDING = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")


def case(random):
    """A nearest Resize or Upsample by whole factors and, now and then, by others."""
    shape = [random.randint(1, 2), random.randint(1, 5), random.randint(1, 6), random.randint(1, 6)]
    factors = [random.choice((1, 2, 2, 3, 4, 5)) for _ in range(2)]
    if random.random() < 0.2:
        return upsample_proto(shape, [1, 1, *factors], opset=random.choice((7, 9)), mode="nearest")
    opset = random.choice((10, 11, 13, 18, 19))
    modes = {}
    if opset > 10:
        coordinates = random.choice(COORDINATES[:4] if opset < 19 else COORDINATES)
        modes = {"coordinate_transformation_mode": coordinates, "nearest_mode": random.choice(ROUNDING)}
    if opset > 10 and random.random() < 0.4:
        sizes = [*shape[:2], *(n * f for n, f in zip(shape[2:], factors, strict=True))]
        return resize_proto(shape, sizes=sizes, opset=opset, mode="nearest", **modes)
    if random.random() < 0.1:
        factors[0] = 1.5
    return resize_proto(shape, scales=[1, 1, *factors], opset=opset, mode="nearest", **modes)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(("coordinates", "rounding"), list(itertools.product(COORDINATES, ROUNDING)))
def test_modes_that_repeat_elements_are_those_that_fit(coordinates, rounding):
    """Whether the rule fits is what the runtime makes of a ramp, for factors 2 to 4."""
    x = np.arange(6 * 6, dtype=np.float32).reshape(1, 1, 6, 6)
    for factor in (2, 3, 4):
        model = opened(
            resize_proto(
                x.shape,
                scales=[1, 1, factor, factor],
                opset=19,
                mode="nearest",
                coordinate_transformation_mode=coordinates,
                nearest_mode=rounding,
            )
        )
        repeated = x.repeat(factor, 2).repeat(factor, 3)
        fits = isinstance(rule_of(RULE).match(model, node_of(model, "Resize")), Match)
        assert not fits or np.array_equal(run(model, {"x": x})[0], repeated)
        if coordinates != "align_corners":
            assert fits == np.array_equal(run(model, {"x": x})[0], repeated)


def test_weights_are_ones_for_every_channel():
    after = applied(opened(resize_proto((1, 3, 4, 4), scales=[1, 1, 2, 3], opset=10)), RULE, "Resize").after
    (node,) = after.nodes
    assert node.op.name == "ConvTranspose"
    assert node.attributes["group"] == 3
    assert np.array_equal(after.constant(0, node.inputs[1]), np.ones((3, 1, 2, 3), np.float32))


def test_open_sizes_stay_open():
    model = opened(resize_proto(("n", 2, "h", "w"), scales=[1, 1, 2, 2], opset=11))
    assert max_rel(model, applied(model, RULE, "Resize").after, feeds_of(model, n=2, h=3, w=5)) == 0.0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"scales": [1, 1, 1.5, 2]}, "resize_factors"),
        ({"scales": [1, 1, 0.5, 2]}, "resize_factors"),
        ({"scales": [1, 1, 1, 1]}, "resize_nothing"),
        ({"scales": [1, 2, 2, 2]}, "resize_batch"),
        ({"scales": [1, 1, 2, 2], "coordinate_transformation_mode": "align_corners"}, "resize_repeats"),
        ({"scales": [1, 1, 2, 2], "nearest_mode": "ceil"}, "resize_repeats"),
        ({"scales": [1, 1, 2, 2], "constant": False}, "resize_not_constant"),
        ({"scales": [1, 1, 2, 2], "overridable": True}, "overridable"),
        ({"scales": [1, 1, 2, 2], "dtype": TensorProto.INT32}, "narrow_float"),
        ({"scales": [1, 1, 2, 2], "x": (1, "c", 4, 5)}, "dynamic"),
        ({"scales": [1, 1, 2, 2], "coordinate_transformation_mode": "tf_crop_and_resize"}, "resize_crop"),
    ],
)
def test_refuses_with_the_reason_and_the_value(options, reason):
    refusal = refusal_of(opened(resize_proto(**{"x": (1, 2, 4, 5), **options})), RULE, "Resize")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


@pytest.mark.parametrize("options", [{"mode": "linear"}, {"x": (1, 2, 3, 4, 5), "scales": [1, 1, 2, 2, 2]}])
def test_other_modes_and_ranks_are_not_its_business(options):
    model = opened(resize_proto(**{"x": (1, 2, 4, 5), "scales": [1, 1, 2, 2], **options}))
    assert not refusal_of(model, RULE, "Resize").relevant


def test_factor_that_is_no_power_of_two_is_a_fix_on_x5():
    model = opened(resize_proto((1, 8, 8, 8), scales=[1, 1, 3, 3], opset=10, mode="nearest"))
    put = placer("x5")
    before = put(model)
    assert "resize.nearest-factor" in {c.clause for v in before.verdicts.values() for c in v.failed}
    found = find(model, before, node_of(model, "Resize"), place=put)
    assert RULE in [offer.rule.id for offer in found.fixes]


def test_broken_scale_attribute_is_refused():
    model = upsample_proto(opset=7)
    for attribute in model.graph.node[0].attribute:
        if attribute.name == "scales":
            attribute.floats.pop()
    assert reason_of(opened(model), RULE, "Upsample") == "resize_axes"
