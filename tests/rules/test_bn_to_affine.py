"""bn-to-affine: every rank, both forms, and parameters that are no constants."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "bn-to-affine"


def norm(shape=(1, 4, 5, 5), *, opset=13, dtype=TensorProto.FLOAT, fed=False, seed=0, variance=None, **attributes):
    """A BatchNormalization with seeded parameters."""
    rng = np.random.default_rng(seed)
    channels = shape[1]
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    tensors = {
        "s": rng.uniform(0.5, 2, channels),
        "b": rng.standard_normal(channels),
        "m": rng.standard_normal(channels),
        "v": rng.uniform(0.5, 2, channels) if variance is None else np.full(channels, variance),
    }
    tensors = {name: array.astype(kind) for name, array in tensors.items()}
    inputs = {"x": list(shape)}
    if fed:
        inputs["s"] = list(tensors.pop("s").shape)
    node = helper.make_node("BatchNormalization", list("xsbmv"), ["y"], "bn", **attributes)
    return proto([node], inputs, {"y": list(shape)}, tensors, opset=opset, dtypes=dict.fromkeys("xys", dtype))


def case(random):
    """A BatchNormalization of drawn rank and parameters."""
    shape = [random.randint(1, 3), random.randint(1, 6), *(random.randint(1, 5) for _ in range(random.randint(0, 3)))]
    return norm(shape, opset=random.choice((9, 11, 13, 15)), seed=random.randrange(2**31))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(("variant", "operators"), [("depthwise-conv", ["Conv"]), ("mul-add", ["Mul", "Add"])])
def test_forms(variant, operators):
    model = opened(norm())
    after = applied(model, RULE, "BatchNormalization", variant).after
    assert [n.op.name for n in after.nodes] == operators
    assert max_rel(model, after, feeds_of(model)) <= 1e-6


def test_table_has_no_conv():
    assert match_of(opened(norm((3, 4))), RULE, "BatchNormalization").variants == ("mul-add",)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"fed": True}, "not_constant"),
        ({"variance": -1.0}, "bn_variance"),
        ({"dtype": TensorProto.FLOAT16}, "narrow_float"),
    ],
)
def test_refusals(options, reason):
    assert reason_of(opened(norm(**options)), RULE, "BatchNormalization") == reason
