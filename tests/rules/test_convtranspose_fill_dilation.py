"""convtranspose-fill-dilation: any rank, groups, strides and padding."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, node_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "convtranspose-fill-dilation"


def deconv(shape=(1, 4, 5, 5), maps=4, kernel=(3, 3), *, dtype=TensorProto.FLOAT, bias=True, opset=13, **attributes):
    """A ConvTranspose with seeded weights."""
    rng = np.random.default_rng(8)
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    weight = rng.standard_normal((shape[1], maps, *kernel)) / np.sqrt(shape[1])
    tensors = {"w": weight.astype(kind)}
    if bias:
        tensors["b"] = rng.standard_normal(maps * attributes.get("group", 1)).astype(kind)
    node = helper.make_node("ConvTranspose", ["x", *tensors], ["y"], "up", **attributes)
    kinds = {"x": dtype, "y": dtype}
    return proto([node], {"x": list(shape)}, {"y": [None] * len(shape)}, tensors, opset=opset, dtypes=kinds)


def case(random):
    """A ConvTranspose that is dilated more often than not."""
    count, group = random.choice((1, 2, 2, 3)), random.choice((1, 1, 2))
    kernel = [random.randint(1, 3) for _ in range(count)]
    dilations = [random.choice((1, 2, 3)) for _ in range(count)]
    attributes = {"group": group, "dilations": dilations, "strides": [random.randint(1, 3) for _ in range(count)]}
    if random.random() < 0.5:
        attributes["pads"] = [random.randint(0, min(1, k - 1)) for k in kernel * 2]
    shape = (random.randint(1, 2), group * random.randint(1, 3), *(random.randint(2, 5) for _ in range(count)))
    return deconv(shape, 4, kernel, bias=random.random() < 0.5, opset=random.choice((10, 11, 13)), **attributes)


test_random_cases = hold(RULE, case)


def test_kernel_holds_zeros_between_its_positions():
    after = applied(opened(deconv(dilations=[2, 3])), RULE, "ConvTranspose").after
    assert after.nodes[0].attributes["kernel_shape"] == (5, 7)
    assert after.nodes[0].attributes["dilations"] == (1, 1)


@pytest.mark.parametrize("options", [{}, {"dilations": [1, 1]}, {"dilations": [2, 2], "kernel": (1, 1)}])
def test_dilation_that_changes_nothing_is_not_its_business(options):
    model = opened(deconv(**options))
    assert not rule_of(RULE).match(model, node_of(model, "ConvTranspose")).relevant


def test_half_floats_are_refused():
    model = opened(deconv(dilations=[2, 2], dtype=TensorProto.FLOAT16))
    assert reason_of(model, RULE, "ConvTranspose") == "narrow_float"
