"""The three rules for ConvTranspose3d: where they fit, why they refuse, and that the numbers stay."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from onnx import helper

from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, opened, reason_of, refusal_of, run

TO_2D, TO_CONV, TAPS = "convtranspose3d-to-2d", "convtranspose3d-to-conv3d", "convtranspose3d-taps"
LIMIT = 1e-6


def deconv(
    weight,
    *,
    x=(1, 4, 3, 4, 5),
    bias=True,
    opset=11,
    ir=8,
    inputs=None,
    symbol=None,
    initializer_inputs=(),
    **attributes,
):
    """A model of one ConvTranspose with random values; *weight* is the shape of the weight."""
    rng = np.random.default_rng(5)
    group = attributes.get("group", 1)
    tensors = {"w": rng.standard_normal(weight).astype(np.float32)}
    if bias:
        tensors["b"] = rng.standard_normal(weight[1] * group).astype(np.float32)
    node = helper.make_node(
        "ConvTranspose", inputs or ["x", "w", *(["b"] if bias else [])], ["y"], "up", doc_string="why", **attributes
    )
    entry = node.metadata_props.add()
    entry.key, entry.value = "layer", "neck"
    shape = [symbol or x[0], *x[1:]]
    model = proto([node], {"x": shape}, {"y": [None] * len(x)}, tensors, opset=opset, ir=ir)
    for name in initializer_inputs:
        model.graph.input.append(helper.make_tensor_value_info(name, 1, tensors[name].shape))
    return opened(model)


SEED_LAYERS = [
    ((128, 64, 5, 2, 2), (5, 2, 2), 320, 1280),
    ((64, 48, 2, 2, 2), (2, 2, 2), 96, 384),
    ((48, 32, 2, 2, 2), (2, 2, 2), 64, 256),
]


@pytest.mark.parametrize(("weight", "stride", "narrow", "wide"), SEED_LAYERS)
def test_occupancy_head_is_bit_equal_and_tells_its_width(weight, stride, narrow, wide):
    model = deconv(weight, x=(1, weight[0], 2, 6, 7), kernel_shape=weight[2:], strides=stride)
    feeds = feeds_of(model)
    for rule, channels in ((TO_2D, narrow), (TO_CONV, wide)):
        for variant in rule_of(rule).variants:
            built = applied(model, rule, "ConvTranspose", variant.id)
            assert max_rel(model, built.after, feeds) == 0.0
            assert built.cost_after.widest_channels == channels
            assert built.cost_before.widest_channels == weight[1]
            assert built.cost_after.macs == built.cost_before.macs
            assert "ConvTranspose" not in {n.op.name for n in built.after.nodes} or all(
                len(v.shape) == 4
                for n in built.after.nodes
                if n.op.name == "ConvTranspose"
                for v in built.after.output_values(n)
            )


def test_nodes_carry_the_origin_and_the_texts_of_the_source():
    model = deconv((4, 3, 2, 2, 2), strides=[2, 2, 2])
    built = applied(model, TO_2D, "ConvTranspose")
    conv = next(n for n in built.after.nodes if n.op.name == "ConvTranspose")
    entries = {e.key: e.value for e in conv.proto.metadata_props}
    assert conv.name == "up/rw/convtranspose3d-to-2d/ConvTranspose"
    assert entries == {"layer": "neck", "inspector.rule": TO_2D, "inspector.from": "up"}
    assert conv.proto.doc_string == "why"
    assert "w" not in built.after.main.initializers
    assert conv.inputs[1:] == ("w__rw0", "b__rw0")
    assert not any(n.op.name == "ConvTranspose" and len(n.outputs) == 1 and n.name == "up" for n in built.after.nodes)


def test_transposes_of_the_low_rank_forms_stay_within_rank_4():
    model = deconv((4, 3, 2, 3, 2), strides=[2, 3, 2], x=(1, 4, 3, 4, 5))
    for rule, variant in ((TO_2D, "rank-4"), (TO_2D, "batch-1"), (TO_CONV, "rank-4")):
        after = applied(model, rule, "ConvTranspose", variant).after
        ranks = [len(after.input_values(n)[0].shape) for n in after.nodes if n.op.name == "Transpose"]
        assert max(ranks) <= 4
    kept = [n for n in applied(model, TO_2D, "ConvTranspose", "rank-5").after.nodes if n.op.name == "Transpose"]
    assert all(n.attributes["perm"][0] == 0 for n in kept)


def test_form_for_one_batch_is_not_offered_for_two():
    assert (
        "batch-1"
        not in match_of(deconv((4, 3, 2, 2, 2), x=(2, 4, 3, 4, 5), strides=[2, 2, 2]), TO_2D, "ConvTranspose").variants
    )


def test_the_rule_does_not_fit_its_own_result():
    model = deconv((4, 3, 2, 2, 2), strides=[2, 2, 2])
    for rule in (TO_2D, TO_CONV):
        after = applied(model, rule, "ConvTranspose").after
        assert not [n for n in after.nodes if isinstance(rule_of(rule).match(after, n.id), Match)]


@pytest.mark.parametrize("rule", [TO_2D, TO_CONV])
def test_open_batch_takes_every_size(rule):
    model = deconv((4, 3, 2, 2, 2), symbol="batch", strides=[2, 2, 2])
    for variant in match_of(model, rule, "ConvTranspose").variants:
        after = applied(model, rule, "ConvTranspose", variant).after
        for size in (1, 3):
            assert max_rel(model, after, feeds_of(model, batch=size)) <= LIMIT


def test_batch_bound_for_the_analysis_stays_open_in_the_result():
    from inspector.model.infer import infer_shapes
    from inspector.worker.client import InProcessRunner

    bound = infer_shapes(deconv((4, 3, 2, 2, 2), symbol="batch", strides=[2, 2, 2]), InProcessRunner(), {"batch": 1})
    assert "batch-1" not in match_of(bound, TO_2D, "ConvTranspose").variants
    after = applied(bound, TO_2D, "ConvTranspose").after
    (y,) = run(after, {"x": np.zeros((3, 4, 3, 4, 5), np.float32)})
    assert y.shape[0] == 3


def test_padding_that_output_padding_adds_holds_the_bias_alone():
    model = deconv((4, 3, 2, 2, 2), strides=[2, 2, 2], output_padding=[1, 1, 1])
    for rule in (TO_2D, TO_CONV):
        after = applied(model, rule, "ConvTranspose").after
        feeds = feeds_of(model)
        assert max_rel(model, after, feeds) <= LIMIT
        bias = model.constant(0, "b")
        assert np.array_equal(run(after, feeds)[0][0, :, -1, 0, 0], bias)


REFUSALS = [
    (TO_2D, {"weight": (4, 3, 3, 2, 2), "strides": [2, 2, 2]}, "depth_overlap"),
    (TO_2D, {"weight": (4, 3, 2, 2, 2), "strides": [3, 2, 2]}, "depth_overlap"),
    (TO_2D, {"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "dilations": [2, 1, 1]}, "depth_dilation"),
    (TO_CONV, {"weight": (4, 3, 2, 3, 2), "strides": [2, 2, 2]}, "kernel_is_not_stride"),
    (TO_CONV, {"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "dilations": [1, 1, 2]}, "dilation"),
    (TAPS, {"weight": (4, 3, 2, 3, 3), "strides": [2, 1, 1]}, "depth_apart"),
    (TO_2D, {"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "initializer_inputs": ("w",)}, "overridable"),
    (TO_2D, {"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "x": (1, 4, "d", 4, 5)}, "dynamic"),
    (TO_2D, {"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "output_padding": [2, 0, 0]}, "output_padding"),
    (TO_2D, {"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "pads": [0, -1, 0, 0, 0, 0]}, "negative_pads"),
    (TO_2D, {"weight": (4, 3, 2, 2, 2), "strides": [2, 2, 2], "output_shape": [9, 8, 10]}, "auto_pad"),
]


@pytest.mark.parametrize(("rule", "layer", "reason"), REFUSALS)
def test_refuses_with_the_reason_and_the_value(rule, layer, reason):
    weight = layer["weight"]
    model = deconv(weight, **{key: value for key, value in layer.items() if key != "weight"})
    refusal = refusal_of(model, rule, "ConvTranspose")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_computed_weight_is_refused():
    nodes = [
        helper.make_node("Relu", ["w"], ["w2"]),
        helper.make_node("ConvTranspose", ["x", "w2"], ["y"], strides=[2, 2, 2]),
    ]
    model = opened(proto(nodes, {"x": [1, 4, 3, 4, 5], "w": [4, 3, 2, 2, 2]}, {"y": [1, 3, 6, 8, 10]}))
    assert reason_of(model, TO_2D, "ConvTranspose") == "not_constant"


def test_two_dimensional_layer_is_not_its_business():
    node = helper.make_node("ConvTranspose", ["x", "w"], ["y"], strides=[2, 2])
    model = opened(proto([node], {"x": [1, 4, 4, 5]}, {"y": [1, 3, 8, 10]}, {"w": np.ones((4, 3, 2, 2), np.float32)}))
    for rule in (TO_2D, TO_CONV, TAPS):
        assert not refusal_of(model, rule, "ConvTranspose").relevant


def test_weight_shared_with_another_layer_is_kept():
    nodes = [
        helper.make_node("ConvTranspose", ["x", "w"], ["a"], "one", strides=[2, 2, 2]),
        helper.make_node("ConvTranspose", ["x", "w"], ["b"], "two", strides=[2, 2, 2]),
        helper.make_node("Add", ["a", "b"], ["y"]),
    ]
    weight = np.random.default_rng(0).standard_normal((4, 3, 2, 2, 2)).astype(np.float32)
    model = opened(proto(nodes, {"x": [1, 4, 3, 4, 5]}, {"y": [1, 3, 6, 8, 10]}, {"w": weight}))
    first = applied(model, TO_2D, "ConvTranspose")
    assert "w" in first.after.main.initializers
    second = applied(first.after, TO_2D, "ConvTranspose", index=1)
    assert "w" not in second.after.main.initializers
    assert max_rel(model, second.after, feeds_of(model)) == 0.0


@pytest.mark.parametrize("auto", ["SAME_UPPER", "SAME_LOWER", "VALID"])
@pytest.mark.parametrize("rule", [TO_2D, TAPS])
def test_automatic_padding_is_resolved(auto, rule):
    depth = 2 if rule == TO_2D else 3
    model = deconv((4, 3, depth, 3, 3), strides=[2, 2, 2], auto_pad=auto)
    after = applied(model, rule, "ConvTranspose").after
    assert max_rel(model, after, feeds_of(model)) <= LIMIT


@pytest.mark.parametrize("opset", [7, 9, 10, 11, 13, 17, 21])
def test_every_opset_gets_its_form(opset):
    flat = deconv((4, 3, 2, 2, 2), strides=[2, 2, 2], pads=[1, 0, 0, 1, 0, 0], opset=opset)
    taps = deconv((4, 3, 3, 2, 2), strides=[2, 2, 2], pads=[1, 0, 0, 2, 0, 0], output_padding=[1, 0, 0], opset=opset)
    for model, rule in ((flat, TO_2D), (flat, TO_CONV), (taps, TAPS)):
        assert max_rel(model, applied(model, rule, "ConvTranspose").after, feeds_of(model)) <= LIMIT


@st.composite
def layers(draw, *, apart, cube=False):
    """Random layers; *apart*: depth kernel = depth stride; *cube*: so on all axes."""
    group = draw(st.sampled_from([1, 1, 2, 3]))
    inner, maps = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    strides = [draw(st.integers(1, 3)) for _ in range(3)]
    if cube:
        kernel, dilations = list(strides), [1, 1, 1]
    else:
        kernel = [strides[0] if apart else draw(st.integers(1, 4)), *(draw(st.integers(1, 4)) for _ in range(2))]
        dilations = [1 if apart else draw(st.integers(1, 3)), *(draw(st.integers(1, 2)) for _ in range(2))]
    pads = [draw(st.integers(0, 2)) for _ in range(6)]
    extra = [draw(st.integers(0, stride - 1)) for stride in strides]
    sizes = [draw(st.integers(1, 4)) for _ in range(3)]
    for axis in range(3):
        full = strides[axis] * (sizes[axis] - 1) + (kernel[axis] - 1) * dilations[axis] + 1
        assume(pads[axis] < full and full + extra[axis] - pads[axis] - pads[axis + 3] > 0)
    if not apart and not cube:
        assume(kernel[0] != strides[0] or (dilations[0] > 1 and kernel[0] > 1))
    return deconv(
        (group * inner, maps, *kernel),
        x=(draw(st.integers(1, 2)), group * inner, *sizes),
        bias=draw(st.booleans()),
        group=group,
        strides=strides,
        dilations=dilations,
        pads=pads,
        output_padding=extra,
        opset=draw(st.sampled_from([10, 11, 13, 17])),
    )


def equal_in_every_variant(model, rule):
    feeds = feeds_of(model, seed=3)
    for variant in match_of(model, rule, "ConvTranspose").variants:
        assert max_rel(model, applied(model, rule, "ConvTranspose", variant).after, feeds) <= LIMIT


@settings(max_examples=60)
@given(layers(apart=True))
def test_any_layer_without_depth_overlap_is_equal_in_two_dimensions(model):
    equal_in_every_variant(model, TO_2D)


@settings(max_examples=60)
@given(layers(apart=True, cube=True))
def test_any_layer_without_overlap_is_equal_as_a_1x1x1_conv(model):
    equal_in_every_variant(model, TO_CONV)


@settings(max_examples=60)
@given(layers(apart=False))
def test_any_other_layer_is_equal_as_a_sum_of_taps(model):
    equal_in_every_variant(model, TAPS)
