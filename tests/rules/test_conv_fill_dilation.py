"""conv-fill-dilation: any rank and padding; a dilation that changes nothing."""

import pytest

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.conv import conv_proto, drawn_conv
from tests.helpers.rewriting import applied, node_of, opened
from tests.helpers.rule_cases import hold

RULE = "conv-fill-dilation"


def case(random):
    """A Conv that is dilated more often than not."""
    return drawn_conv(random, groups=(1, 1, 2), dilated=0.9)


test_random_cases = hold(RULE, case)


def test_kernel_holds_zeros_between_its_positions():
    after = applied(opened(conv_proto(kernel=(3, 2), dilations=[2, 3])), RULE, "Conv").after
    (node,) = after.nodes
    assert node.attributes["kernel_shape"] == (5, 4)
    assert node.attributes["dilations"] == (1, 1)
    weight = after.tensors.array(after.constant_tensor(0, node.inputs[1]))
    assert (weight[:, :, 1::2] == 0).all()
    assert (weight[:, :, :, 1:3] == 0).all()
    assert (weight[:, :, ::2, ::3] != 0).all()


@pytest.mark.parametrize("options", [{}, {"dilations": [1, 1]}, {"dilations": [3, 3], "kernel": (1, 1)}])
def test_dilation_that_changes_nothing_is_not_its_business(options):
    model = opened(conv_proto(**options))
    assert not rule_of(RULE).match(model, node_of(model, "Conv")).relevant
