"""conv-tile-kernel: tiles of any side, strides, dilations, groups and uneven padding."""

import pytest

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.conv import conv_proto, drawn_conv
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "conv-tile-kernel"


def case(random):
    """A Conv with a kernel of up to 11 positions along an axis."""
    return drawn_conv(random, axes=(2,), groups=(1, 1, 2), most=random.choice((5, 9, 11)), dilated=0.2)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("kernel", "variants"),
    [((11, 9), ("side-7", "side-5", "side-3")), ((7, 7), ("side-5", "side-3")), ((1, 4), ("side-3",))],
)
def test_variants_follow_the_kernel(kernel, variants):
    assert match_of(opened(conv_proto((1, 4, 16, 16), kernel=kernel)), RULE, "Conv").variants == variants


def test_kernel_of_eleven_by_nine_with_uneven_padding():
    model = opened(conv_proto((1, 4, 20, 17), kernel=(11, 9), group=2, strides=[2, 1], pads=[5, 4, 3, 0]))
    after = applied(model, RULE, "Conv", "side-5").after
    assert sum(n.op.name == "Conv" for n in after.nodes) == 6
    assert max_rel(model, after, feeds_of(model)) <= 1e-6


def test_small_kernel_is_not_its_business():
    model = opened(conv_proto(kernel=(3, 3)))
    assert not rule_of(RULE).match(model, node_of(model, "Conv")).relevant


def test_open_size_and_too_many_tiles_are_refused():
    open_size = conv_proto((1, 4, 16, "w"), kernel=(5, 5))
    assert reason_of(opened(open_size), RULE, "Conv") == "dynamic"
    assert reason_of(opened(conv_proto((1, 1, 64, 64), kernel=(43, 43))), RULE, "Conv") == "conv_tiles"
