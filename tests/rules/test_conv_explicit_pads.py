"""conv-explicit-pads: automatic padding of either kind, uneven padding, and padding that is plain already."""

import pytest

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.conv import conv_proto, drawn_conv
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "conv-explicit-pads"


def case(random):
    """A Conv with any padding."""
    return drawn_conv(random, groups=(1, 1, 2))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("auto", "pads"), [("SAME_UPPER", (0, 0, 1, 1)), ("SAME_LOWER", (1, 1, 0, 0)), ("VALID", (0, 0, 0, 0))]
)
def test_automatic_padding_becomes_numbers(auto, pads):
    model = opened(conv_proto((1, 4, 8, 8), kernel=(3, 3), strides=[2, 2], auto_pad=auto))
    after = applied(model, RULE, "Conv", "attributes").after
    assert after.nodes[0].attributes["pads"] == pads
    assert "auto_pad" not in after.nodes[0].attributes
    assert max_rel(model, after, feeds_of(model)) <= 1e-6


def test_uneven_padding_becomes_a_pad():
    after = applied(opened(conv_proto(pads=[0, 1, 1, 1])), RULE, "Conv").after
    assert [n.op.name for n in after.nodes] == ["Pad", "Conv"]
    assert after.nodes[1].attributes["pads"] == (0, 0, 0, 0)


def test_uneven_automatic_padding_has_both_forms():
    model = opened(conv_proto((1, 4, 8, 8), strides=[2, 2], auto_pad="SAME_UPPER"))
    assert match_of(model, RULE, "Conv").variants == ("attributes", "pad-node")


@pytest.mark.parametrize("options", [{}, {"pads": [1, 1, 1, 1]}, {"auto_pad": "NOTSET", "pads": [1, 0, 1, 0]}])
def test_plain_padding_is_not_its_business(options):
    model = opened(conv_proto(**options))
    assert not rule_of(RULE).match(model, node_of(model, "Conv")).relevant


def test_automatic_padding_of_an_open_size_is_refused():
    assert reason_of(opened(conv_proto((1, 4, 8, "w"), auto_pad="SAME_UPPER")), RULE, "Conv") == "auto_pad"
