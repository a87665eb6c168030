"""resize5d-split: where it fits, why it refuses, and that the numbers stay."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.resize import linear_matrix
from inspector.rewrite.rule import Match
from tests.helpers.models import proto
from tests.helpers.resize import resize_proto
from tests.helpers.rewriting import (
    applied,
    difference,
    feeds_of,
    match_of,
    max_rel,
    opened,
    reason_of,
    refusal_of,
    run,
    run_reference,
)
from tests.helpers.rule_cases import hold

RULE = "resize5d-split"
LIMIT = 1e-6
MODES = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric")


def resize(x=(1, 2, 3, 4, 5), **options):
    """`resize_proto`, opened."""
    return opened(resize_proto(x, **options))


def equal_in_every_variant(model, limit=LIMIT):
    feeds = feeds_of(model, seed=2)
    for variant in match_of(model, RULE, "Resize").variants:
        assert max_rel(model, applied(model, RULE, "Resize", variant).after, feeds) <= limit


def test_trilinear_of_the_quantised_interpolate_becomes_rank_4():
    model = resize((1, 256, 5, 26, 26), scales=[1, 1, 2, 2, 2], opset=11, mode="linear")
    assert match_of(model, RULE, "Resize").variants == ("d-then-hw", "hw-then-d", "depth-conv")
    feeds = feeds_of(model)
    for variant in rule_of(RULE).variants:
        built = applied(model, RULE, "Resize", variant.id)
        assert max_rel(model, built.after, feeds) <= LIMIT
        resizes = [n for n in built.after.nodes if n.op.name == "Resize"]
        assert all(len(built.after.input_values(n)[0].shape) == 4 for n in resizes)
        assert built.cost_before.macs is not None
        assert built.cost_after.macs is not None
        assert not [n for n in built.after.nodes if isinstance(rule_of(RULE).match(built.after, n.id), Match)]


def test_the_cheaper_order_comes_first():
    grows = resize(scales=[1, 1, 3, 1.5, 1.5], mode="linear")
    shrinks = resize((1, 2, 6, 8, 8), scales=[1, 1, 0.5, 2, 2], mode="linear")
    assert match_of(grows, RULE, "Resize").variants[0] == "hw-then-d"
    assert match_of(shrinks, RULE, "Resize").variants[0] == "d-then-hw"


@pytest.mark.parametrize("coordinates", MODES)
@pytest.mark.parametrize("form", ["scales", "sizes"])
def test_linear_in_every_coordinate_mode(coordinates, form):
    given_as = {"scales": [1, 1, 2, 1.5, 2.5]} if form == "scales" else {"sizes": [1, 2, 7, 6, 11]}
    opset = 19 if coordinates == "half_pixel_symmetric" else 13
    model = resize(opset=opset, mode="linear", coordinate_transformation_mode=coordinates, **given_as)
    assert "depth-conv" in match_of(model, RULE, "Resize").variants
    equal_in_every_variant(model)


@pytest.mark.parametrize("nearest", ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
@pytest.mark.parametrize("coordinates", ["half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn"])
def test_nearest_is_bit_equal(nearest, coordinates):
    opset = 11 if coordinates == "tf_half_pixel_for_nn" else 13
    model = resize(
        scales=[1, 1, 2, 1.5, 3],
        opset=opset,
        mode="nearest",
        nearest_mode=nearest,
        coordinate_transformation_mode=coordinates,
    )
    assert "depth-conv" not in match_of(model, RULE, "Resize").variants
    equal_in_every_variant(model, limit=0.0)


def test_nearest_moves_whole_numbers_too():
    model = resize(scales=[1, 1, 2, 2, 2], mode="nearest", dtype=TensorProto.UINT8)
    after = applied(model, RULE, "Resize").after
    x = {"x": np.random.default_rng(0).integers(0, 255, (1, 2, 3, 4, 5), np.uint8)}
    assert np.array_equal(run(model, x)[0], run(after, x)[0])


@pytest.mark.parametrize("attributes", [{}, {"antialias": 1}, {"cubic_coeff_a": -0.5}, {"exclude_outside": 1}])
def test_cubic_is_equal_in_the_reference_implementation(attributes):
    """onnxruntime has no cubic Resize over three axes, so that both sides run in the reference implementation."""
    model = resize((1, 1, 4, 5, 6), scales=[1, 1, 1.5, 0.8, 2], opset=19, mode="cubic", **attributes)
    feeds = feeds_of(model)
    (before,) = run_reference(model, feeds)
    for variant in ("hw-then-d", "d-then-hw"):
        (after,) = run_reference(applied(model, RULE, "Resize", variant).after, feeds)
        assert difference(before, after) <= LIMIT


@pytest.mark.parametrize("opset", [10, 11, 12, 13, 17, 18, 19, 21])
def test_every_opset_gets_its_form(opset):
    model = resize(scales=[1, 1, 2, 2, 3], opset=opset, mode="linear")
    equal_in_every_variant(model)


def test_axes_and_an_open_batch():
    by_sizes = resize(sizes=[7, 8, 9], opset=18, mode="linear", axes=[2, 3, -1], symbol="n")
    by_scales = resize(scales=[1, 1, 2, 2, 3], mode="linear", symbol="n")
    for model in (by_sizes, by_scales):
        for variant in match_of(model, RULE, "Resize").variants:
            after = applied(model, RULE, "Resize", variant).after
            assert max_rel(model, after, feeds_of(model, n=3)) <= LIMIT


def test_one_pass_suffices_when_the_other_keeps_its_sizes():
    only_hw = resize(scales=[1, 1, 1, 2, 2], mode="linear")
    only_d = resize(sizes=[1, 2, 6, 4, 5], mode="linear")
    for model, variants in ((only_hw, ("hw-then-d",)), (only_d, ("hw-then-d", "depth-conv"))):
        assert match_of(model, RULE, "Resize").variants == variants
        assert sum(n.op.name == "Resize" for n in applied(model, RULE, "Resize").after.nodes) == 1
        equal_in_every_variant(model)


def test_shape_chain_that_only_fed_the_resize_goes_with_it():
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Slice", ["s", "zero", "two"], ["nc"]),
        helper.make_node("Concat", ["nc", "dhw"], ["sizes"], axis=0),
        helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode="linear"),
    ]
    tensors = {"zero": np.array([0]), "two": np.array([2]), "dhw": np.array([6, 8, 10])}
    model = opened(proto(nodes, {"x": [1, 2, 3, 4, 5]}, {"y": [1, 2, 6, 8, 10]}, tensors))
    built = applied(model, RULE, "Resize")
    assert {n.op.name for n in built.after.nodes} == {"Reshape", "Resize"}
    assert len(built.removed) == 4
    assert max_rel(model, built.after, feeds_of(model)) <= LIMIT


def test_copying_runtime_is_a_reason_to_refuse():
    """The runtime copies an axis that keeps its size, 7 -> 7 with scale 1.1, alone; in a larger Resize it resamples."""
    model = resize((1, 1, 4, 7, 7), scales=[1, 1, 2, 1.1, 1.1], mode="linear")
    assert reason_of(model, RULE, "Resize") == "resize_copy"
    depth = resize((1, 1, 7, 4, 4), scales=[1, 1, 1.1, 2, 2], mode="linear")
    assert match_of(depth, RULE, "Resize").variants == ("depth-conv",)
    equal_in_every_variant(depth)
    nearest = resize((1, 1, 7, 4, 4), scales=[1, 1, 1.1, 2, 2], mode="nearest")
    assert reason_of(nearest, RULE, "Resize") == "resize_copy"
    all_kept = resize((1, 1, 7, 4, 4), scales=[1, 1, 1.1, 1, 1], mode="linear")
    assert reason_of(all_kept, RULE, "Resize") == "resize_copy"


def test_scales_stay_scales_and_sizes_stay_sizes():
    """With 5 x 1.3 = 6.5 half-pixel coordinates differ between the two forms."""
    for given_as, kind in (({"scales": [1, 1, 1.3, 1.3, 1.3]}, 2), ({"sizes": [1, 2, 6, 6, 6]}, 3)):
        model = resize((1, 2, 5, 5, 5), mode="linear", **given_as)
        after = applied(model, RULE, "Resize", "hw-then-d").after
        for node in (n for n in after.nodes if n.op.name == "Resize"):
            assert [bool(name) for name in node.inputs] == [True, *[False] * (kind - 1), True]
        equal_in_every_variant(model)


REFUSALS = [
    ({"scales": [1, 2, 2, 2, 2]}, "resize_batch"),
    ({"scales": [1, 1, 1, 1, 1]}, "resize_nothing"),
    ({"scales": [1, 1, 2, 2, 2], "coordinate_transformation_mode": "tf_crop_and_resize"}, "resize_crop"),
    ({"sizes": [1, 2, 6, 8, 10], "opset": 18, "keep_aspect_ratio_policy": "not_larger"}, "resize_policy"),
    ({"scales": [1, 1, 2, 2, 2], "constant": False}, "resize_not_constant"),
    ({"scales": [1, 1, 2, 2, 2], "overridable": True}, "overridable"),
    ({"scales": [1, 1, 2, 2, 2], "x": (1, 2, "d", 4, 5)}, "dynamic"),
    ({"sizes": [1, 2, 6, 8, 10], "symbol": "n"}, "resize_axes"),
    ({"scales": [1, 1, 2, 2, 2], "mode": "linear", "dtype": TensorProto.FLOAT16}, "narrow_float"),
]


@pytest.mark.parametrize(("case", "reason"), REFUSALS)
def test_refuses_with_the_reason_and_the_value(case, reason):
    refusal = refusal_of(resize(**{"mode": "linear", **case}), RULE, "Resize")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_rank_4_is_not_its_business():
    assert not refusal_of(resize((1, 2, 4, 5), scales=[1, 1, 2, 2], mode="linear"), RULE, "Resize").relevant


@st.composite
def resizes(draw):
    x = (draw(st.integers(1, 2)), draw(st.integers(1, 3)), *(draw(st.integers(1, 7)) for _ in range(3)))
    coordinates = draw(st.sampled_from(MODES[:4]))
    mode = draw(st.sampled_from(["linear", "nearest"]))
    given_as = {}
    if draw(st.booleans()):
        scales = [draw(st.sampled_from([0.5, 0.7, 1.0, 1.25, 1.3, 2.0, 3.0])) for _ in range(3)]
        assume(all(int(np.floor(np.float32(n) * np.float32(s))) > 0 for n, s in zip(x[2:], scales, strict=True)))
        given_as["scales"] = [1.0, 1.0, *scales]
    else:
        given_as["sizes"] = [*x[:2], *(draw(st.integers(1, 9)) for _ in range(3))]
    opset = draw(st.sampled_from([11, 13, 18]))
    return resize(x, opset=opset, mode=mode, coordinate_transformation_mode=coordinates, **given_as), mode


@settings(max_examples=150)
@given(resizes())
def test_any_resize_is_equal_or_refused_because_the_runtime_copies(case):
    model, mode = case
    reply = rule_of(RULE).match(model, model.nodes[-1].id)
    if not isinstance(reply, Match):
        assert reply.reason.key in ("rewrite.refuse.resize_copy", "rewrite.refuse.resize_nothing")
        return
    equal_in_every_variant(model, LIMIT if mode == "linear" else 0.0)


@given(st.integers(1, 9), st.integers(1, 12), st.sampled_from(MODES))
def test_interpolation_weights_sum_to_one(size, out, coordinates):
    matrix = linear_matrix(size, out, out / size, coordinates)
    assert matrix.shape == (out, size)
    assert np.allclose(matrix.sum(1), 1)
    assert matrix.min() >= 0


def test_unknown_coordinate_mode_has_no_matrix():
    assert linear_matrix(3, 6, 2.0, "tf_half_pixel_for_nn") is None


def case(random):
    """A Resize of rank 5 of drawn sizes, mode and coordinates, by sizes or by whole or broken scales."""
    shape = [random.randint(1, 2), random.randint(1, 3), *(random.randint(1, 6) for _ in range(3))]
    mode = random.choice(("linear", "linear", "nearest"))
    opset = random.choice((11, 13, 18))
    coordinates = random.choice(MODES[:4])
    attributes = {"mode": mode, "coordinate_transformation_mode": coordinates}
    if mode == "nearest":
        attributes["nearest_mode"] = random.choice(("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    if random.random() < 0.5:
        sizes = [*shape[:2], *(random.randint(1, 9) for _ in range(3))]
        return resize_proto(shape, sizes=sizes, opset=opset, **attributes)
    factors = [random.choice((1.0, 2.0, 0.5, 3.0, 1.5)) for _ in range(3)]
    return resize_proto(shape, scales=[1.0, 1.0, *factors], opset=opset, **attributes)


test_random_cases = hold(RULE, case)
