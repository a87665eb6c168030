"""conv1d-to-2d: Conv and ConvTranspose over one axis with every attribute, along the width and the height."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.find import find
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match
from tests.helpers.conv import conv_proto, drawn_conv
from tests.helpers.models import before_relu, proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, refusal_of
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "conv1d-to-2d"
LIMIT = 1e-6


def deconv(shape=(1, 4, 7), maps=3, kernel=3, *, opset=13, bias=True, overridable=False, **attributes):
    """x through a ConvTranspose over one axis; *maps* are those of one group."""
    rng = np.random.default_rng(3)
    group = attributes.get("group", 1)
    weight = rng.standard_normal((shape[1], maps, kernel)).astype(np.float32)
    tensors = {"w": weight} | ({"b": rng.standard_normal(maps * group).astype(np.float32)} if bias else {})
    node = helper.make_node("ConvTranspose", ["x", *("wb" if bias else "w")], ["y"], "up", **attributes)
    model = proto([node], {"x": list(shape)}, {"y": [None] * 3}, tensors, opset=opset)
    if overridable:
        model.graph.input.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, weight.shape))
    return model


def drawn_deconv(random):
    """A ConvTranspose of drawn strides, dilations, padding, groups and output_padding."""
    group, kernel, stride = random.choice((1, 1, 2, 3)), random.randint(1, 4), random.randint(1, 3)
    length, dilation = random.randint(1, 6), random.choice((1, 1, 2))
    full = stride * (length - 1) + (kernel - 1) * dilation + 1
    attributes = {"group": group, "strides": [stride], "dilations": [dilation]}
    kind = random.choice(("pads", "auto", "shape", "none"))
    if kind == "auto":
        attributes |= {"auto_pad": random.choice(("SAME_UPPER", "SAME_LOWER", "VALID"))}
        if full < length * stride:
            attributes["auto_pad"] = "VALID"
    elif kind == "shape":
        attributes["output_shape"] = [random.randint(max(full - 2, 1), full)]
    else:
        before = random.randint(0, min(2, full - 1)) if kind == "pads" else 0
        attributes |= {"pads": [before, random.randint(0, full - 1 - before) % 3 if kind == "pads" else 0]}
        attributes["output_padding"] = [random.randint(0, stride - 1)]
    return deconv(
        (random.randint(1, 2), 2 * group, length),
        random.randint(1, 3),
        kernel,
        opset=random.choice((10, 11, 13, 18)),
        bias=random.random() < 0.6,
        **attributes,
    )


def case(random):
    """Either operator over one axis, now and then a Conv over two."""
    if random.random() < 0.5:
        return drawn_deconv(random)
    return drawn_conv(random, axes=(1, 1, 1, 1, 2), groups=(1, 1, 2, 4), most=5)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("variant", "kernel", "pads"), [("width", (1, 3), (0, 1, 0, 2)), ("height", (3, 1), (1, 0, 2, 0))]
)
def test_lists_get_an_entry_for_the_new_axis(variant, kernel, pads):
    model = opened(conv_proto((1, 4, 9), kernel=(3,), kernel_shape=[3], strides=[2], dilations=[2], pads=[1, 2]))
    after = applied(model, RULE, "Conv", variant).after
    (conv,) = [n for n in after.nodes if n.op.name == "Conv"]
    assert conv.attributes["kernel_shape"] == kernel
    assert conv.attributes["pads"] == pads
    assert sorted(conv.attributes["strides"]) == [1, 2]
    assert after.constant(0, conv.inputs[1]).shape[2:] == kernel
    assert max_rel(model, after, feeds_of(model)) <= LIMIT


def test_output_padding_holds_the_bias_alone():
    model = opened(deconv(strides=[3], output_padding=[2], group=2))
    for variant in ("width", "height"):
        assert max_rel(model, applied(model, RULE, "ConvTranspose", variant).after, feeds_of(model)) <= LIMIT


@pytest.mark.parametrize("shape", [("n", 4, 9), (1, 4, "l")])
def test_one_open_size_stays_open(shape):
    model = opened(conv_proto(shape, kernel=(3,)))
    after = applied(model, RULE, "Conv").after
    for size in (5, 8):
        assert max_rel(model, after, feeds_of(model, n=size, l=size)) <= LIMIT


def test_weight_shared_with_another_conv_is_kept():
    nodes = [helper.make_node("Conv", [x, "w"], [y], y, pads=[1, 1]) for x, y in (("x", "a"), ("a", "y"))]
    weight = np.random.default_rng(0).standard_normal((4, 4, 3)).astype(np.float32)
    model = opened(proto(nodes, {"x": [1, 4, 9]}, {"y": [1, 4, 9]}, {"w": weight}))
    first = applied(model, RULE, "Conv").after
    assert "w" in first.main.initializers
    second = applied(first, RULE, "Conv", index=1).after
    assert "w" not in second.main.initializers
    assert max_rel(model, second, feeds_of(model)) <= LIMIT


def test_the_rule_does_not_fit_its_own_result():
    after = applied(opened(conv_proto((1, 4, 9), kernel=(3,))), RULE, "Conv").after
    assert not [n for n in after.nodes if isinstance(rule_of(RULE).match(after, n.id), Match)]


@pytest.mark.parametrize(
    ("model", "op", "reason"),
    [
        (conv_proto(("n", 4, "l"), kernel=(3,)), "Conv", "dynamic"),
        (conv_proto((1, 4, 9), kernel=(3,), fed=True), "Conv", "not_constant"),
        (conv_proto((1, 4, 9), kernel=(3,), dtype=TensorProto.FLOAT16), "Conv", "narrow_float"),
        (deconv(("n", 4, "l")), "ConvTranspose", "dynamic"),
        (deconv(strides=[2], output_padding=[2]), "ConvTranspose", "output_padding"),
        (deconv(strides=[2, 2]), "ConvTranspose", "odd_attribute"),
        (deconv(overridable=True), "ConvTranspose", "overridable"),
    ],
)
def test_refuses_with_the_reason_and_the_value(model, op, reason):
    refusal = refusal_of(opened(model), RULE, op)
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_two_axes_are_not_its_business():
    assert not refusal_of(opened(conv_proto()), RULE, "Conv").relevant


@pytest.mark.parametrize("platform", ["x3", "x5"])
def test_is_a_fix_on_chips_with_two_axes(platform):
    model = opened(before_relu(conv_proto((1, 8, 64), kernel=(3,), opset=11)))
    put = placer(platform)
    found = find(model, put(model), node_of(model, "Conv"), place=put)
    assert RULE in [offer.rule.id for offer in found.fixes]
    assert match_of(model, RULE, "Conv").variants == ("width", "height")
