"""conv3d-to-2d: strides, dilations, groups and padding of any kind, in each of its three forms."""

import pytest
from onnx import TensorProto

from inspector.rewrite.find import find
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match
from tests.helpers.conv import conv_proto, drawn_conv
from tests.helpers.models import before_relu
from tests.helpers.rewriting import applied, feeds_of, match_of, max_rel, node_of, opened, refusal_of
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "conv3d-to-2d"
LIMIT = 1e-6


def case(random):
    """A Conv over three axes, now and then over two."""
    return drawn_conv(random, axes=(3, 3, 3, 3, 2), groups=(1, 1, 2, 3))


test_random_cases = hold(RULE, case)


def ops(model):
    return [n.op.name for n in model.nodes]


@pytest.mark.parametrize(
    ("variant", "operators"),
    [
        ("stack", ["Reshape", "Pad", *["Slice"] * 3, "Concat", "Reshape", "Transpose", "Reshape", "Conv"]),
        ("slices", ["Reshape", "Pad", *["Slice", "Reshape", "Conv", "Reshape"] * 5, "Concat", "Reshape"]),
        ("taps", ["Reshape", "Pad", "Transpose", *["Slice", "Reshape", "Conv"] * 3, "Add", "Add"]),
    ],
)
def test_form(variant, operators):
    model = opened(conv_proto((1, 4, 5, 6, 7), kernel=(3, 3, 3), pads=[1] * 6))
    after = applied(model, RULE, "Conv", variant).after
    if variant == "stack":
        assert ops(after) == [*operators, "Reshape", "Transpose", "Reshape"]
    elif variant == "slices":
        assert sorted(ops(after)) == sorted(operators)
        assert len({n.inputs[1] for n in after.nodes if n.op.name == "Conv"}) == 1
    else:
        assert sorted(ops(after)) == sorted([*operators, "Reshape", "Transpose", "Reshape"])
    for node in after.nodes:
        if node.op.name == "Conv":
            assert len(after.output_values(node)[0].shape) == 4
    assert max_rel(model, after, feeds_of(model)) <= LIMIT


@pytest.mark.parametrize("opset", [7, 9, 10, 11, 13, 18, 21])
def test_every_opset_gets_its_form(opset):
    model = opened(conv_proto((2, 4, 5, 6, 7), kernel=(3, 2, 3), opset=opset, group=2, pads=[1, 0, 1, 2, 0, 1]))
    for variant in match_of(model, RULE, "Conv").variants:
        assert max_rel(model, applied(model, RULE, "Conv", variant).after, feeds_of(model)) <= LIMIT


def test_channels_stay_in_their_group():
    model = opened(conv_proto((1, 6, 5, 6, 7), maps=9, kernel=(2, 3, 3), group=3, strides=[2, 1, 2]))
    for variant in match_of(model, RULE, "Conv").variants:
        assert max_rel(model, applied(model, RULE, "Conv", variant).after, feeds_of(model)) <= LIMIT


def test_open_batch_takes_every_size():
    model = opened(conv_proto(("n", 4, 5, 6, 7), kernel=(3, 3, 3)))
    for variant in match_of(model, RULE, "Conv").variants:
        after = applied(model, RULE, "Conv", variant).after
        for n in (1, 3):
            assert max_rel(model, after, feeds_of(model, n=n)) <= LIMIT


def test_one_depth_position_needs_no_concat():
    model = opened(conv_proto((1, 4, 5, 6, 7), kernel=(1, 3, 3)))
    assert match_of(model, RULE, "Conv").variants == ("stack", "slices")
    assert "Concat" not in ops(applied(model, RULE, "Conv", "stack").after)
    deep = opened(conv_proto((1, 2, 24, 4, 4), kernel=(2, 1, 1)))
    assert match_of(deep, RULE, "Conv").variants == ("stack", "taps")


def test_the_rule_does_not_fit_its_own_result():
    after = applied(opened(conv_proto((1, 4, 5, 6, 7), kernel=(3, 3, 3))), RULE, "Conv").after
    assert not [n for n in after.nodes if isinstance(rule_of(RULE).match(after, n.id), Match)]


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"shape": (1, 4, "d", 6, 7)}, "dynamic"),
        ({"shape": (1, 4, 5, 6, "w")}, "dynamic"),
        ({"fed": True}, "not_constant"),
        ({"overridable": True}, "overridable"),
        ({"dtype": TensorProto.FLOAT16}, "narrow_float"),
        ({"opset": 9, "strides": [2, 1, 1]}, "conv3d_step"),
    ],
)
def test_refuses_with_the_reason_and_the_value(options, reason):
    refusal = refusal_of(opened(conv_proto(**{"shape": (1, 4, 5, 6, 7), "kernel": (3, 3, 3), **options})), RULE, "Conv")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_two_axes_are_not_its_business():
    assert not refusal_of(opened(conv_proto()), RULE, "Conv").relevant


@pytest.mark.parametrize(
    ("options", "clause"),
    [({"strides": [1, 1, 2]}, "conv.depth-stride-pair"), ({"group": 2}, "conv.depth-group")],
)
def test_limits_of_three_axes_on_x5_are_cleared(options, clause):
    model = opened(before_relu(conv_proto((1, 4, 6, 16, 16), kernel=(3, 3, 3), opset=11, **options)))
    put = placer("x5")
    before = put(model)
    assert clause in {c.clause for v in before.verdicts.values() for c in v.failed}
    found = find(model, before, node_of(model, "Conv"), place=put)
    assert RULE in [offer.rule.id for offer in found.fixes]
