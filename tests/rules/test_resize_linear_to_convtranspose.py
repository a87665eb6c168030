"""resize-linear-to-convtranspose: factors and coordinates, the border, and coordinates whose weights wander."""

import numpy as np
import pytest

from inspector.rewrite.find import find
from inspector.rewrite.registry import rule as rule_of
from tests.helpers.resize import resize_proto, upsample_proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, refusal_of, run
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "resize-linear-to-convtranspose"
COORDINATES = ("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners", "half_pixel_symmetric")


def case(random):
    """A linear Resize or Upsample by whole factors and, now and then, by others."""
    shape = [random.randint(1, 2), random.randint(1, 4), random.randint(1, 6), random.randint(1, 6)]
    factors = [random.choice((1, 2, 2, 3, 4, 5)) for _ in range(2)]
    if random.random() < 0.2:
        return upsample_proto(shape, [1, 1, *factors], opset=random.choice((7, 9)), mode="linear")
    opset = random.choice((10, 11, 13, 18, 19))
    modes = {}
    if opset > 10:
        modes["coordinate_transformation_mode"] = random.choice(COORDINATES[:4] if opset < 19 else COORDINATES)
    if opset > 10 and random.random() < 0.4:
        sizes = [*shape[:2], *(n * f for n, f in zip(shape[2:], factors, strict=True))]
        return resize_proto(shape, sizes=sizes, opset=opset, mode="linear", **modes)
    return resize_proto(shape, scales=[1, 1, *factors], opset=opset, mode="linear", **modes)


test_random_cases = hold(RULE, case)


def test_kernel_of_factor_2_has_four_taps():
    after = applied(opened(resize_proto((1, 2, 4, 4), scales=[1, 1, 2, 2], mode="linear")), RULE, "Resize").after
    conv = next(n for n in after.nodes if n.op.name == "ConvTranspose")
    assert conv.attributes["pads"] == (3, 3, 3, 3)
    taps = np.array([0.25, 0.75, 0.75, 0.25], np.float32)
    assert np.array_equal(after.constant(0, conv.inputs[1])[1, 0], np.outer(taps, taps))
    assert sum(n.op.name == "Slice" for n in after.nodes) == 4


@pytest.mark.parametrize("factor", [2, 3, 4])
def test_border_is_not_darker(factor):
    model = opened(resize_proto((1, 1, 3, 4), scales=[1, 1, factor, factor], mode="linear"))
    after = applied(model, RULE, "Resize").after
    (y,) = run(after, {"x": np.ones((1, 1, 3, 4), np.float32)})
    assert np.allclose(y, 1, atol=1e-6)


def test_asymmetric_repeats_the_last_element_alone():
    model = opened(upsample_proto((1, 2, 3, 4), (1, 1, 3, 1), mode="linear"))
    after = applied(model, RULE, "Upsample").after
    assert [n.op.name for n in after.nodes] == ["Slice", "Concat", "ConvTranspose"]
    assert max_rel(model, after, feeds_of(model)) <= 1e-6


def test_open_batch_stays_open():
    model = opened(resize_proto(("n", 2, 3, 4), scales=[1, 1, 2, 2], mode="linear"))
    assert max_rel(model, applied(model, RULE, "Resize").after, feeds_of(model, n=3)) <= 1e-6


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"coordinate_transformation_mode": "align_corners"}, "resize_coordinates"),
        ({"scales": [1, 1, 1.5, 2]}, "resize_factors"),
        ({"antialias": 1, "opset": 18}, "resize_antialias"),
        ({"x": (1, 2, 4, "w")}, "dynamic"),
        ({"scales": [2, 1, 2, 2]}, "resize_batch"),
    ],
)
def test_refuses_with_the_reason_and_the_value(options, reason):
    given = {"x": (1, 2, 4, 5), "scales": [1, 1, 2, 2], "mode": "linear", **options}
    refusal = refusal_of(opened(resize_proto(**given)), RULE, "Resize")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_nearest_is_not_its_business():
    model = opened(resize_proto((1, 2, 4, 5), scales=[1, 1, 2, 2]))
    assert not rule_of(RULE).match(model, node_of(model, "Resize")).relevant


def test_coordinates_that_x5_does_not_list_are_a_fix():
    mode = "half_pixel_symmetric"
    model = opened(
        resize_proto((1, 8, 8, 8), scales=[1, 1, 2, 2], opset=19, mode="linear", coordinate_transformation_mode=mode)
    )
    put = placer("x5")
    before = put(model)
    assert "resize.coordinate-mode" in {c.clause for v in before.verdicts.values() for c in v.failed}
    found = find(model, before, node_of(model, "Resize"), place=put)
    assert RULE in [offer.rule.id for offer in found.fixes]
