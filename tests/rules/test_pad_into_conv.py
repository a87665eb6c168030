"""pad-into-conv: counts in every form of Pad, padding that stands there already, and everything that is no zero."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.find import find
from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "pad-into-conv"


def padded(
    shape=(1, 4, 8, 8), counts=(0, 0, 1, 2, 0, 0, 3, 0), *, opset=13, value=None, mode="constant", axes=None,
    kernel=3, twice=False, shown=False, fed=False, overridable=False, **attributes,
):  # fmt: skip
    """x -> Pad -> Conv; *counts* are for all axes or for *axes*."""
    spatial = len(shape) - 2
    weight = np.random.default_rng(1).standard_normal((8, shape[1], *[kernel] * spatial)).astype(np.float32)
    tensors = {"w": weight / np.float32(np.sqrt(weight[0].size))}
    if opset < 11:
        given = {} if value is None else {"value": float(value)}
        nodes = [helper.make_node("Pad", ["x"], ["p"], "pad", mode=mode, pads=list(counts), **given)]
    else:
        tensors["counts"] = np.array(counts, np.int64)
        names = ["x", "counts", "" if value is None else "value"]
        if value is not None:
            tensors["value"] = np.array(value, np.float32)
        if axes is not None:
            tensors["axes"] = np.array(axes, np.int64)
            names.append("axes")
        nodes = [helper.make_node("Pad", names, ["p"], "pad", mode=mode)]
    nodes.append(helper.make_node("Conv", ["p", "w"], ["y"], "conv", **attributes))
    outputs = {"y": [None] * len(shape)}
    if twice:
        nodes.append(helper.make_node("Relu", ["p"], ["r"], "other"))
        outputs["r"] = [None] * len(shape)
    if shown:
        outputs["p"] = [None] * len(shape)
    inputs = {"x": list(shape)}
    if fed:
        inputs["counts"] = list(tensors.pop("counts").shape)
    model = proto(nodes, inputs, outputs, tensors, opset=opset, dtypes={"counts": TensorProto.INT64})
    if overridable:
        model.graph.input.append(helper.make_tensor_value_info("counts", TensorProto.INT64, [len(counts)]))
    return model


def case(random):
    """A Pad of zeros or, now and then, of something else, before a Conv with padding of its own."""
    spatial = random.choice((1, 2, 2, 2, 3))
    opset = random.choice((7, 10, 11, 13, 18, 21))
    shape = (random.randint(1, 2), random.randint(1, 4), *(random.randint(3, 7) for _ in range(spatial)))
    ends = [[random.randint(0, 3) for _ in range(spatial)] for _ in range(2)]
    counts = [0, 0, *ends[0], 0, 0, *ends[1]]
    axes = None
    if opset >= 18 and random.random() < 0.5:
        axes, counts = [a - spatial for a in range(spatial)], [*ends[0], *ends[1]]
    attributes = {}
    padding = random.choice(("none", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"))
    if padding == "pads":
        attributes["pads"] = [random.randint(0, 2) for _ in range(2 * spatial)]
    elif padding != "none":
        attributes["auto_pad"] = padding
    if random.random() < 0.5:
        attributes["strides"] = [random.randint(1, 2) for _ in range(spatial)]
    value = random.choice((None, None, 0.0, 0.0, 0.5))
    return padded(shape, counts, opset=opset, value=value, axes=axes, kernel=random.randint(1, 3), **attributes)


test_random_cases = hold(RULE, case)


def test_counts_are_added_to_the_padding():
    model = opened(padded(pads=[1, 0, 0, 1], strides=[2, 1]))
    after = applied(model, RULE, "Conv").after
    (conv,) = after.nodes
    assert conv.attributes["pads"] == (2, 2, 3, 1)
    assert conv.inputs == ("x", "w")
    assert max_rel(model, after, feeds_of(model)) <= 1e-6


def test_automatic_padding_follows_the_padded_sizes():
    model = opened(padded(auto_pad="SAME_UPPER", strides=[2, 2]))
    after = applied(model, RULE, "Conv").after
    assert "auto_pad" not in after.nodes[0].attributes
    assert max_rel(model, after, feeds_of(model)) <= 1e-6


def test_open_sizes_stay_open():
    model = opened(padded(("n", 4, "h", "w")))
    assert max_rel(model, applied(model, RULE, "Conv").after, feeds_of(model, n=2, h=5, w=6)) <= 1e-6


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"value": 1.0}, "pad_value"),
        ({"value": -1.0, "opset": 10}, "pad_value"),
        ({"mode": "edge"}, "pad_mode"),
        ({"counts": (0, 1, 1, 1, 0, 0, 1, 1)}, "pad_axes"),
        ({"counts": (0, 0, -1, 1, 0, 0, 1, 1)}, "negative_pads"),
        ({"twice": True}, "other_reader"),
        ({"shown": True}, "graph_output"),
        ({"fed": True}, "not_constant"),
        ({"overridable": True}, "overridable"),
        ({"strides": [1, 1, 1]}, "odd_attribute"),
    ],
)
def test_refusals(options, reason):
    assert reason_of(opened(padded(**options)), RULE, "Conv") == reason


def test_conv_without_a_pad_is_not_its_business():
    model = opened(padded())
    after = applied(model, RULE, "Conv").after
    assert not rule_of(RULE).match(after, node_of(after, "Conv")).relevant


def test_pad_of_channels_stays_where_the_bpu_takes_it_not():
    """On X3 a Pad of zeros on H and W is the chip's own business, so that folding it is no fix but a clean-up."""
    model = opened(padded(opset=11))
    put = placer("x3")
    found = find(model, put(model), node_of(model, "Pad"), place=put)
    assert RULE in [offer.rule.id for offer in (*found.fixes, *found.cleanups)]
