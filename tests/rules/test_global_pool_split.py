"""global-pool-split: maps with divisors, and prime ones."""

import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, match_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "global-pool-split"


def pooled(shape=(1, 8, 64, 64), *, dtype=TensorProto.FLOAT, opset=13):
    """The global average of x."""
    node = helper.make_node("GlobalAveragePool", ["x"], ["y"], "pool")
    out = [*shape[:2], *[1] * (len(shape) - 2)]
    return proto([node], {"x": list(shape)}, {"y": out}, opset=opset, dtypes={"x": dtype, "y": dtype})


def case(random):
    """A map of eight channels or more, of drawn height and width."""
    shape = (random.randint(1, 3), random.randint(8, 12), random.randint(1, 40), random.randint(1, 40))
    return pooled(shape, opset=random.choice((7, 11, 13)))


test_random_cases = hold(RULE, case)


def test_windows_divide_the_map():
    model = opened(pooled((1, 8, 64, 48)))
    windows = {v: applied(model, RULE, "GlobalAveragePool", v).after.nodes[0].attributes["kernel_shape"]
               for v in match_of(model, RULE, "GlobalAveragePool").variants}  # fmt: skip
    assert windows == {"window-7": (4, 6), "window-16": (16, 16)}


@pytest.mark.parametrize(("shape", "reason"), [((1, 8, 17, 23), "pool_divisors"), ((1, 8, "h", 8), "dynamic")])
def test_refusals(shape, reason):
    assert reason_of(opened(pooled(shape)), RULE, "GlobalAveragePool") == reason
