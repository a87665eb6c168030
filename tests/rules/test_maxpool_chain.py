"""maxpool-chain: lengths, strides and padding of any kind; indices, dilation and rounding up are refused."""

import pytest

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.pool import drawn_pool, pool_proto
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "maxpool-chain"


def case(random):
    """A MaxPool with a window of up to 13 along an axis."""
    return drawn_pool(random, "MaxPool", most=random.choice((6, 9, 13)), ceil=0.1)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("kernel", "strides", "variant", "lengths"),
    [
        ((13, 13), (1, 1), "side-7", [(7, 7), (7, 7)]),
        ((13, 13), (1, 1), "side-5", [(5, 5)] * 3),
        ((9, 5), (2, 2), "side-5", [(5, 5), (5, 1)]),
        ((6, 6), (2, 2), "side-3", [(3, 3), (3, 3), (2, 2)]),
    ],
)
def test_lengths_and_the_place_of_the_strides(kernel, strides, variant, lengths):
    model = opened(pool_proto(shape=(1, 3, 16, 16), kernel=kernel, strides=strides))
    after = applied(model, RULE, "MaxPool", variant).after
    assert [n.attributes["kernel_shape"] for n in after.nodes] == lengths
    assert [n.attributes["strides"] for n in after.nodes] == [(1, 1)] * (len(lengths) - 1) + [strides]
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_padding_of_a_spatial_pyramid_is_shared_out():
    model = opened(pool_proto(shape=(1, 3, 9, 9), kernel=(13, 13), pads=[6] * 4))
    after = applied(model, RULE, "MaxPool", "side-7").after
    assert [n.attributes["pads"] for n in after.nodes] == [(6,) * 4, (0,) * 4]
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_variants_follow_the_window():
    assert match_of(opened(pool_proto(kernel=(5, 5))), RULE, "MaxPool").variants == ("side-3",)
    small = opened(pool_proto(kernel=(3, 3)))
    assert not rule_of(RULE).match(small, node_of(small, "MaxPool")).relevant


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"indices": True}, "pool_indices"),
        ({"dilations": [2, 2], "shape": (1, 3, 16, 16)}, "dilation"),
        ({"ceil_mode": 1}, "pool_ceil"),
    ],
)
def test_refusals(options, reason):
    assert reason_of(opened(pool_proto(kernel=(5, 5), **options)), RULE, "MaxPool") == reason
