"""clip-to-minmax: limits as attributes and inputs, one of them or both."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, node_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "clip-to-minmax"


def clip(low=None, high=None, shape=(2, 3), *, opset=13, dtype=TensorProto.FLOAT, fed=False):
    """Clip of x; None leaves a limit out."""
    limits = {"min": low, "max": high}
    kind = helper.tensor_dtype_to_np_dtype(dtype)
    inputs, tensors, attributes, shapes = ["x"], {}, {}, {"x": list(shape)}
    if opset < 11:
        attributes = {name: float(value) for name, value in limits.items() if value is not None}
    else:
        for name, value in limits.items():
            inputs.append("" if value is None else name)
            if value is not None:
                tensors[name] = np.array(value, kind)
        if fed:
            shapes["min"] = list(tensors.pop("min").shape)
    while not inputs[-1]:
        inputs.pop()
    node = helper.make_node("Clip", inputs, ["y"], "clip", **attributes)
    kinds = dict.fromkeys(("x", "y", "min"), dtype)
    return proto([node], shapes, {"y": list(shape)}, tensors, opset=opset, dtypes=kinds)


def case(random):
    """Drawn limits, either of which may be missing; the lower one is at most the upper one."""
    shape = [random.randint(1, 4) for _ in range(random.randint(1, 4))]
    low, high = sorted(random.uniform(-1.5, 1.5) for _ in range(2))
    limits = random.choice(((low, high), (low, None), (None, high), (None, None)))
    opset = random.choice((10, 11, 13))
    return clip(*limits, shape, opset=opset, dtype=TensorProto.FLOAT)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("limits", "operators"), [((0, 6), ["Max", "Min"]), ((0, None), ["Max"]), ((None, 6), ["Min"])]
)
@pytest.mark.parametrize("opset", [10, 13])
def test_limit_that_is_not_set_is_left_out(limits, operators, opset):
    after = applied(opened(clip(*limits, opset=opset)), RULE, "Clip").after
    assert [n.op.name for n in after.nodes] == operators


def test_clip_without_limits_is_not_its_business():
    model = opened(clip())
    assert not rule_of(RULE).match(model, node_of(model, "Clip")).relevant


def test_fed_limit_and_whole_numbers_are_refused():
    assert reason_of(opened(clip(0, 6, fed=True)), RULE, "Clip") == "not_constant"
    assert reason_of(opened(clip(0, 6, dtype=TensorProto.INT32)), RULE, "Clip") == "narrow_float"
