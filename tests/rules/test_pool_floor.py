"""pool-floor: windows that reach beyond the input; an average that counts its padding is refused."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.pool import drawn_pool, pool_proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, reason_of, run
from tests.helpers.rule_cases import hold

RULE = "pool-floor"


def case(random):
    """Pooling that rounds up more often than not."""
    return drawn_pool(random, random.choice(("MaxPool", "AveragePool")), ceil=0.95)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize("op", ["MaxPool", "AveragePool"])
def test_axis_that_was_rounded_up_gets_padding_behind(op):
    model = opened(pool_proto(op, (1, 3, 8, 9), (3, 3), strides=[2, 2], ceil_mode=1))
    after = applied(model, RULE, op, "attributes").after
    assert after.nodes[0].attributes["pads"] == (0, 0, 1, 0)
    assert "ceil_mode" not in after.nodes[0].attributes
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_average_that_counts_its_padding_divides_by_what_no_padding_says():
    model = opened(pool_proto("AveragePool", (1, 1, 4, 4), (3, 3), strides=[2, 2], ceil_mode=1, count_include_pad=1))
    ones = {"x": np.ones((1, 1, 4, 4), np.float32)}
    assert (run(model, ones)[0] == 1).all(), "the runtime divides by the part within the input"
    assert reason_of(model, RULE, "AveragePool") == "pool_divisor"


def test_pad_for_a_maximum_holds_the_lowest_number():
    model = opened(pool_proto("MaxPool", (1, 2, 4, 4), (3, 3), strides=[2, 2], pads=[1, 1, 0, 0], ceil_mode=1))
    after = applied(model, RULE, "MaxPool", "pad-node").after
    assert [n.op.name for n in after.nodes] == ["Pad", "MaxPool"]
    low = {"x": np.full((1, 2, 4, 4), -3e38, np.float32)}
    assert np.array_equal(run(model, low)[0], run(after, low)[0])


def test_dilated_window():
    model = opened(pool_proto("MaxPool", (1, 2, 10, 10), (3, 3), strides=[2, 2], dilations=[2, 2], ceil_mode=1))
    for variant in match_of(model, RULE, "MaxPool").variants:
        assert max_rel(model, applied(model, RULE, "MaxPool", variant).after, feeds_of(model)) == 0.0


def test_rounding_down_is_not_its_business():
    model = opened(pool_proto())
    assert not rule_of(RULE).match(model, node_of(model, "MaxPool")).relevant


def test_open_size_is_refused():
    node = helper.make_node("MaxPool", ["x"], ["y"], "pool", kernel_shape=[3, 3], ceil_mode=1)
    model = proto([node], {"x": [1, 3, "h", 8]}, {"y": [1, 3, None, None]}, dtypes={"x": TensorProto.FLOAT})
    assert reason_of(opened(model), RULE, "MaxPool") == "dynamic"


def test_window_that_starts_behind_the_input_is_refused():
    model = opened(pool_proto("MaxPool", (1, 1, 4, 4), (1, 1), strides=[2, 2], ceil_mode=1))
    assert reason_of(model, RULE, "MaxPool") == "pool_idle"
