"""Models of one ConvTranspose3d for the tests of the rules that rewrite it."""

import numpy as np
import onnx
from onnx import helper

from inspector.model.graph import Model
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, opened

LIMIT = 1e-6
"""Largest accepted |difference| over the largest |value|."""


def deconv(weight, **options) -> Model:
    """`deconv_proto`, opened."""
    return opened(deconv_proto(weight, **options))


def deconv_proto(
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
) -> onnx.ModelProto:
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
    return model


def drawn_deconv(random, *, apart: bool, cube: bool = False) -> onnx.ModelProto:
    """A layer of drawn sizes, strides, dilations, padding and groups.

    Args:
        random: where from.
        apart: whether the depth kernel is the depth stride and not dilated, but for a few layers to be refused.
        cube: whether the kernel is the stride on all axes.
    """
    group = random.choice((1, 1, 2, 3))
    inner, maps = random.randint(1, 3), random.randint(1, 3)
    strides = [random.randint(1, 3) for _ in range(3)]
    kernel, dilations = list(strides), [1, 1, 1]
    if not cube:
        kernel[1:], dilations[1:] = ([random.randint(1, most) for _ in range(2)] for most in (4, 2))
        if not apart or random.random() < 0.1:
            kernel[0], dilations[0] = random.randint(1, 4), random.randint(1, 3)
    elif random.random() < 0.1:
        kernel[2] += 1
    sizes = [random.randint(1, 4) for _ in range(3)]
    # What the runtime rejects, output_padding not below the stride, is drawn now and then to be refused.
    extra = [random.randint(0, stride - (random.random() < 0.97)) for stride in strides]
    full = [strides[a] * (sizes[a] - 1) + (kernel[a] - 1) * dilations[a] + 1 for a in range(3)]
    begins = [random.randint(0, min(2, full[a] - 1)) for a in range(3)]
    ends = [random.randint(0, min(2, full[a] + extra[a] - begins[a] - 1)) for a in range(3)]
    return deconv_proto(
        (group * inner, maps, *kernel),
        x=(random.randint(1, 2), group * inner, *sizes),
        bias=random.random() < 0.6,
        group=group,
        strides=strides,
        dilations=dilations,
        pads=[*begins, *ends],
        output_padding=extra,
        opset=random.choice((10, 11, 13, 17)),
    )


def equal_in_every_variant(model: Model, rule: str) -> None:
    """Every variant of *rule* that fits gives the outputs of *model*."""
    feeds = feeds_of(model, seed=3)
    for variant in match_of(model, rule, "ConvTranspose").variants:
        assert max_rel(model, applied(model, rule, "ConvTranspose", variant).after, feeds) <= LIMIT
