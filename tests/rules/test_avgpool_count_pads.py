"""avgpool-count-pads: borders, uneven and automatic padding."""

import pytest

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.pool import drawn_pool, pool_proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "avgpool-count-pads"


def case(random):
    """An AveragePool of any padding."""
    return drawn_pool(random, "AveragePool", ceil=0.1)


test_random_cases = hold(RULE, case)


def test_map_holds_one_inside_and_more_at_the_border():
    model = opened(pool_proto("AveragePool", (1, 3, 4, 4), (3, 3), pads=[1, 1, 1, 1]))
    after = applied(model, RULE, "AveragePool").after
    ratios = after.tensors.array(after.constant_tensor(0, after.nodes[1].inputs[1]))
    assert ratios.shape == (1, 1, 4, 4)
    assert ratios[0, 0, 1, 1] == 1
    assert ratios[0, 0, 0, 0] == 9 / 4
    assert ratios[0, 0, 0, 1] == 1.5
    assert max_rel(model, after, feeds_of(model)) <= 1e-6


def test_without_padding_only_the_attribute_changes():
    after = applied(opened(pool_proto("AveragePool")), RULE, "AveragePool").after
    assert [(n.op.name, n.attributes["count_include_pad"]) for n in after.nodes] == [("AveragePool", 1)]


def test_average_that_counts_already_is_not_its_business():
    model = opened(pool_proto("AveragePool", count_include_pad=1))
    assert not rule_of(RULE).match(model, node_of(model, "AveragePool")).relevant


@pytest.mark.parametrize(
    ("options", "reason"), [({"ceil_mode": 1}, "pool_ceil"), ({"shape": (1, 3, "h", 9)}, "dynamic")]
)
def test_refusals(options, reason):
    assert reason_of(opened(pool_proto("AveragePool", **options)), RULE, "AveragePool") == reason
