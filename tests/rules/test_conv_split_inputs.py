"""conv-split-inputs: halves, quarters, eighths, and numbers of channels that are not divisible."""

import pytest

from tests.helpers.conv import conv_proto, drawn_conv
from tests.helpers.rewriting import applied, match_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "conv-split-inputs"


def case(random):
    """A Conv with channels that can be cut, or cannot."""
    return drawn_conv(random, groups=(1, 1, 1, 1, 2), channels=random.choice((6, 7, 8, 12, 16)))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(("channels", "variants"), [(16, 3), (12, 2), (8, 2), (6, 1)])
def test_variants_follow_the_number_of_channels(channels, variants):
    assert len(match_of(opened(conv_proto((1, channels, 8, 8))), RULE, "Conv").variants) == variants


def test_partial_sums_are_added_and_the_bias_counts_once():
    after = applied(opened(conv_proto((1, 8, 8, 8))), RULE, "Conv", "quarters").after
    assert [n.op.name for n in after.nodes] == ["Split", "Conv", "Conv", "Add", "Conv", "Add", "Conv", "Add"]
    assert [len(n.inputs) for n in after.nodes if n.op.name == "Conv"] == [3, 2, 2, 2]


@pytest.mark.parametrize(
    ("channels", "group", "reason"), [(7, 1, "conv_parts"), (8, 2, "conv_grouped"), (2, 1, "conv_parts")]
)
def test_refusals(channels, group, reason):
    assert reason_of(opened(conv_proto((1, channels, 8, 8), group=group)), RULE, "Conv") == reason
