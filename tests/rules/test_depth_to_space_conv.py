"""depth-to-space-conv: bit-equal for finite values, groups for CRD, and what an infinity does."""

import numpy as np
import pytest
from onnx import TensorProto

from inspector.rewrite.find import find
from tests.helpers.blocks import block_proto, drawn_block
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, refusal_of, run
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "depth-to-space-conv"


def case(random):
    """Blocks of 1 to 4 of either operator and order."""
    return drawn_block(random)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("op", "mode", "made", "group"),
    [
        ("DepthToSpace", "DCR", "ConvTranspose", 1),
        ("DepthToSpace", "CRD", "ConvTranspose", 2),
        ("SpaceToDepth", None, "Conv", 1),
    ],
)
def test_form_moves_without_rounding(op, mode, made, group):
    model = opened(block_proto(op, (2, 18, 6, 9), 3, mode=mode))
    after = applied(model, RULE, op).after
    (node,) = after.nodes
    assert (node.op.name, node.attributes["group"]) == (made, group)
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_infinity_spoils_what_it_is_multiplied_by_0_for():
    """The rule is therefore not called exact."""
    model = opened(block_proto("DepthToSpace", (1, 4, 2, 2), 2, mode="CRD"))
    x = np.ones((1, 4, 2, 2), np.float32)
    x[0, 0, 0, 0] = np.inf
    (before,), (after,) = run(model, {"x": x}), run(applied(model, RULE, "DepthToSpace").after, {"x": x})
    assert np.isinf(before).sum() == 1
    assert np.isnan(after).any()


def test_open_sizes():
    model = opened(block_proto("DepthToSpace", ("n", 18, 2, 2), 3))
    assert max_rel(model, applied(model, RULE, "DepthToSpace").after, feeds_of(model, n=3)) == 0.0


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (block_proto("DepthToSpace", (1, 4, 2, 2), 1), "block_one"),
        (block_proto("DepthToSpace", (1, 1040, 1, 1), 4), "block_weights"),
        (block_proto("DepthToSpace", (1, 9, 2, 2), 3, dtype=TensorProto.FLOAT16), "narrow_float"),
        (block_proto("DepthToSpace", (1, 9, "h", 2), 3), "dynamic"),
    ],
)
def test_refuses_with_the_reason_and_the_value(model, reason):
    refusal = refusal_of(opened(model), RULE, "DepthToSpace")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


@pytest.mark.parametrize(
    ("op", "shape", "block"), [("SpaceToDepth", (1, 4, 9, 9), 3), ("DepthToSpace", (1, 64, 4, 4), 4)]
)
def test_is_a_fix_on_x3_where_transposes_run_on_the_cpu(op, shape, block):
    model = opened(block_proto(op, shape, block, opset=11))
    put = placer("x3")
    found = find(model, put(model), node_of(model, op), place=put)
    assert [offer.rule.id for offer in found.fixes] == [RULE]
