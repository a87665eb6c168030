"""depth-to-space-reshape: any block size, either order, any type, in both forms."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.find import find
from tests.helpers.blocks import block_proto, drawn_block
from tests.helpers.models import before_relu
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, refusal_of, run, run_reference
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "depth-to-space-reshape"
KINDS = (TensorProto.FLOAT, TensorProto.DOUBLE)


def case(random):
    """Blocks of 1 to 4 of either operator and order."""
    return drawn_block(random, dtype=random.choice(KINDS))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("op", "mode", "ranks"),
    [
        ("DepthToSpace", "DCR", [4, 4]),
        ("DepthToSpace", "CRD", [4]),
        ("SpaceToDepth", None, [4, 4]),
    ],
)
def test_low_rank_form_stays_within_rank_4(op, mode, ranks):
    model = opened(block_proto(op, (2, 18, 6, 9), 3, mode=mode))
    after = applied(model, RULE, op, "rank-4").after
    found = [len(n.attributes["perm"]) for n in after.nodes if n.op.name == "Transpose"]
    assert len(found) <= 3
    assert max(found) <= max(ranks)
    assert max_rel(model, after, feeds_of(model)) == 0.0


@pytest.mark.parametrize("op", ["DepthToSpace", "SpaceToDepth"])
def test_whole_numbers_move_too(op):
    """The runtime moves no whole numbers, so that the reference implementation tells what is right."""
    model = opened(block_proto(op, (1, 9, 3, 6), 3, dtype=TensorProto.INT64))
    x = {"x": np.arange(9 * 3 * 6).reshape(1, 9, 3, 6)}
    for variant in ("rank-6", "rank-4"):
        after = applied(model, RULE, op, variant).after
        assert np.array_equal(run(after, x)[0], run_reference(model, x)[0])


def test_open_batch_stays_open():
    for op in ("DepthToSpace", "SpaceToDepth"):
        model = opened(block_proto(op, ("n", 9, 6, 6), 3))
        for variant in ("rank-6", "rank-4"):
            assert max_rel(model, applied(model, RULE, op, variant).after, feeds_of(model, n=3)) == 0.0


@pytest.mark.parametrize(
    ("model", "op", "reason"),
    [
        (block_proto("DepthToSpace", (1, "c", 3, 3), 3), "DepthToSpace", "dynamic"),
        (block_proto("SpaceToDepth", (1, 2, 6, "w"), 3), "SpaceToDepth", "dynamic"),
    ],
)
def test_refuses_with_the_reason_and_the_value(model, op, reason):
    refusal = refusal_of(opened(model), RULE, op)
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


@pytest.mark.parametrize("change", ["block", "mode", "channels"])
def test_node_that_does_not_fit_its_input_is_refused(change):
    model = block_proto("DepthToSpace", (1, 9, 3, 3), 3, mode="DCR")
    attributes = {a.name: a for a in model.graph.node[0].attribute}
    if change == "block":
        attributes["blocksize"].i = 0
    elif change == "mode":
        attributes["mode"].s = b"RCD"
    else:
        attributes["blocksize"].i = 2
    assert refusal_of(opened(model), RULE, "DepthToSpace").reason.key == "rewrite.refuse.odd_attribute"


def test_block_of_3_is_a_fix_between_nodes_of_x5():
    model = block_proto("DepthToSpace", (1, 36, 8, 8), 3, opset=11)
    model.graph.node[0].input[0] = "start"
    model.graph.node.insert(0, helper.make_node("Relu", ["x"], ["start"], "first"))
    model = opened(before_relu(model))
    put = placer("x5")
    before = put(model)
    assert "depth-to-space.blocksize" in {c.clause for v in before.verdicts.values() for c in v.failed}
    found = find(model, before, node_of(model, "DepthToSpace"), place=put)
    assert {o.variant for o in found.fixes if o.rule.id == RULE} == {"rank-6", "rank-4"}
