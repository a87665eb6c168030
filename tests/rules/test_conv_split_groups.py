"""conv-split-groups: any rank, few groups, and the number that is too many."""

import pytest
from onnx import TensorProto

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.conv import conv_proto, drawn_conv
from tests.helpers.rewriting import applied, node_of, opened, reason_of, refusal_of
from tests.helpers.rule_cases import hold

RULE = "conv-split-groups"


def case(random):
    """A Conv of one to four groups, now and then of more than are split."""
    return drawn_conv(random, groups=(1, 2, 2, 3, 4, 33), maps=random.randint(1, 4))


test_random_cases = hold(RULE, case)


def test_one_conv_for_each_group():
    after = applied(opened(conv_proto(maps=6, group=2)), RULE, "Conv").after
    assert [n.op.name for n in after.nodes] == ["Split", "Conv", "Conv", "Concat"]
    assert [len(after.value(0, n.inputs[1]).shape) for n in after.nodes if n.op.name == "Conv"] == [4, 4]


def test_single_group_is_not_its_business():
    model = opened(conv_proto())
    assert not rule_of(RULE).match(model, node_of(model, "Conv")).relevant


def test_too_many_groups_are_refused():
    refusal = refusal_of(opened(conv_proto((1, 33, 8, 8), 33, group=33)), RULE, "Conv")
    assert refusal.reason.key.endswith("conv_groups")
    assert refusal.subject == "33"


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"fed": True}, "not_constant"),
        ({"overridable": True}, "overridable"),
        ({"dtype": TensorProto.FLOAT16}, "narrow_float"),
    ],
)
def test_what_every_rule_of_convolutions_refuses(options, reason):
    assert reason_of(opened(conv_proto(group=2, **options)), RULE, "Conv") == reason
