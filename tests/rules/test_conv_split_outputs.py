"""conv-split-outputs: halves, quarters, eighths, and numbers of channels that are not divisible."""

import pytest

from tests.helpers.conv import conv_proto, drawn_conv
from tests.helpers.rewriting import applied, match_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "conv-split-outputs"


def case(random):
    """A Conv with channels that can be cut, or cannot."""
    return drawn_conv(random, groups=(1, 1, 1, 1, 2), maps=random.choice((7, 8, 12, 16)))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(("maps", "variants"), [(16, 3), (12, 2), (8, 2), (6, 1)])
def test_variants_follow_the_number_of_channels(maps, variants):
    assert len(match_of(opened(conv_proto(maps=maps)), RULE, "Conv").variants) == variants


def test_parts_are_joined_along_the_channels():
    after = applied(opened(conv_proto(maps=16)), RULE, "Conv", "quarters").after
    assert [n.op.name for n in after.nodes] == ["Conv"] * 4 + ["Concat"]


@pytest.mark.parametrize(
    ("maps", "group", "reason"), [(7, 1, "conv_parts"), (8, 2, "conv_grouped"), (2, 1, "conv_parts")]
)
def test_refusals(maps, group, reason):
    assert reason_of(opened(conv_proto(maps=maps, group=group)), RULE, "Conv") == reason
