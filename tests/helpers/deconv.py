"""Models of one ConvTranspose3d for the tests of the rules that rewrite it."""

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from onnx import helper

from inspector.model.graph import Model
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, opened

LIMIT = 1e-6
"""Largest accepted |difference| over the largest |value|."""


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


def equal_in_every_variant(model: Model, rule: str) -> None:
    """Every variant of *rule* that fits gives the outputs of *model*."""
    feeds = feeds_of(model, seed=3)
    for variant in match_of(model, rule, "ConvTranspose").variants:
        assert max_rel(model, applied(model, rule, "ConvTranspose", variant).after, feeds) <= LIMIT
