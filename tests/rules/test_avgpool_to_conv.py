"""avgpool-to-conv: any window; a border that is left out and sizes rounded up are refused."""

import pytest

from tests.helpers.pool import drawn_pool, pool_proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "avgpool-to-conv"


def case(random):
    """An AveragePool of any padding."""
    return drawn_pool(random, "AveragePool", ceil=0.1)


test_random_cases = hold(RULE, case)


def test_equal_weights_for_each_channel():
    model = opened(pool_proto("AveragePool", kernel=(2, 4), pads=[1, 1, 1, 1], count_include_pad=1))
    after = applied(model, RULE, "AveragePool").after
    weight = after.tensors.array(after.constant_tensor(0, after.nodes[0].inputs[1]))
    assert weight.shape == (3, 1, 2, 4)
    assert (weight == 1 / 8).all()
    assert max_rel(model, after, feeds_of(model)) <= 1e-6


@pytest.mark.parametrize(
    ("options", "reason"), [({"pads": [1, 1, 1, 1]}, "pool_border"), ({"ceil_mode": 1}, "pool_ceil")]
)
def test_refusals(options, reason):
    assert reason_of(opened(pool_proto("AveragePool", **options)), RULE, "AveragePool") == reason
