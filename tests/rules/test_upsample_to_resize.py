"""upsample-to-resize: the same function in every opset that has Resize, and the refusal where there is none.

The runtime refuses Upsample since opset 10, so that what it means is what the runtime makes of it at opset 9.
"""

import numpy as np
import pytest
from onnx import TensorProto

from tests.helpers.resize import upsample_proto
from tests.helpers.rewriting import applied, feeds_of, opened, refusal_of, run
from tests.helpers.rule_cases import hold

RULE = "upsample-to-resize"


def case(random):
    """An Upsample by whole and broken factors in every opset, before 10 to be refused."""
    shape = [random.randint(1, 2), random.randint(1, 3), random.randint(1, 4), random.randint(1, 4)]
    scales = [1.0, 1.0, *(random.choice((1.0, 2.0, 3.0, 1.5, 2.5)) for _ in range(2))]
    mode = random.choice(("nearest", "linear"))
    return upsample_proto(shape, scales, opset=random.choice((9, 10, 10, 11, 12, 13, 18)), mode=mode)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize("opset", [10, 11, 12, 13, 19])
@pytest.mark.parametrize(
    ("mode", "scales"), [("nearest", (1, 1, 1.5, 1.7)), ("nearest", (1, 1, 2, 3)), ("linear", (1, 1, 2, 3))]
)
def test_coordinates_of_upsample_are_kept(opset, mode, scales):
    """Half-pixel coordinates, the default of Resize, would be off by whole elements."""
    shape = (1, 2, 5, 6)
    old = opened(upsample_proto(shape, scales, opset=9, mode=mode))
    after = applied(opened(upsample_proto(shape, scales, opset=opset, mode=mode)), RULE, "Upsample").after
    (node,) = after.nodes
    assert node.op.name == "Resize"
    assert node.attributes.get("coordinate_transformation_mode", "asymmetric") == "asymmetric"
    feeds = feeds_of(old)
    assert np.allclose(run(old, feeds)[0], run(after, feeds)[0], rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"opset": 9}, "upsample_opset"),
        ({"opset": 7}, "upsample_opset"),
        ({"opset": 11, "mode": "cubic"}, "upsample_form"),
        ({"opset": 11, "scales": (1, 1, 0.5, 1)}, "upsample_form"),
        ({"opset": 11, "dtype": TensorProto.INT32}, "narrow_float"),
    ],
)
def test_refuses_with_the_reason_and_the_value(options, reason):
    refusal = refusal_of(opened(upsample_proto(**options)), RULE, "Upsample")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_scales_that_are_not_constant_are_refused():
    model = upsample_proto(opset=11)
    model.graph.input.append(model.graph.input[0])
    model.graph.input[1].name = "scales"
    model.graph.input[1].type.tensor_type.shape.ClearField("dim")
    model.graph.input[1].type.tensor_type.shape.dim.add().dim_value = 4
    assert refusal_of(opened(model), RULE, "Upsample").reason.key == "rewrite.refuse.overridable"
