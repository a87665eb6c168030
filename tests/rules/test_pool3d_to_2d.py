"""pool3d-to-2d: windows of every kind and whole volumes, padding counted or not."""

import pytest
from onnx import TensorProto, helper

from inspector.rewrite.find import find
from tests.helpers.models import before_relu, proto
from tests.helpers.pool import pool_proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, refusal_of
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "pool3d-to-2d"
SHAPE = (1, 3, 6, 7, 8)


def whole(op, shape=SHAPE, *, dtype=TensorProto.FLOAT):
    """x pooled over all positions."""
    node = helper.make_node(op, ["x"], ["y"], "pool")
    return proto([node], {"x": list(shape)}, {"y": [*shape[:2], 1, 1, 1]}, dtypes={"x": dtype, "y": dtype})


def case(random):
    """A window over three axes, or all positions; now and then over two axes or rounded up."""
    count = random.choice((3, 3, 3, 3, 3, 2))
    kernel = [random.randint(1, 4) for _ in range(count)]
    shape = (random.randint(1, 2), random.randint(1, 3), *(k + random.randint(0, 4) for k in kernel))
    kind = random.choice(("MaxPool", "MaxPool", "AveragePool", "AveragePool", "GlobalMaxPool", "GlobalAveragePool"))
    if kind.startswith("Global"):
        return whole(kind, (*shape[:2], *shape[2:], *[2] * (3 - count)))
    attributes = {}
    padding = random.choice(("none", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"))
    if padding == "pads":
        attributes["pads"] = [random.randrange(k) for k in kernel * 2]
    elif padding != "none":
        attributes["auto_pad"] = padding
    if random.random() < 0.7:
        # The runtime refuses automatic padding of windows that leave gaps.
        attributes["strides"] = [random.randint(1, 3 if padding in ("none", "pads") else k) for k in kernel]
    if random.random() < 0.1 and padding in ("none", "pads"):
        attributes["ceil_mode"] = 1
    if kind == "AveragePool" and random.random() < 0.5:
        attributes["count_include_pad"] = 1
    if kind == "MaxPool" and random.random() < 0.3 and padding == "none":
        attributes["dilations"] = [2 if 2 * k - 1 <= n else 1 for k, n in zip(kernel, shape[2:], strict=True)]
    return pool_proto(kind, shape, kernel, opset=random.choice((10, 11, 13, 19)), **attributes)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("kernel", "passes"), [((2, 2, 2), [(2, 2), (2, 1)]), ((1, 2, 2), [(2, 2)]), ((2, 1, 1), [(2, 1)])]
)
def test_pass_of_single_elements_is_left_out(kernel, passes):
    model = opened(pool_proto("MaxPool", SHAPE, kernel, strides=kernel))
    after = applied(model, RULE, "MaxPool").after
    assert [n.attributes["kernel_shape"] for n in after.nodes if n.op.name == "MaxPool"] == passes
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_open_batch_stays_open():
    for model in (whole("GlobalAveragePool", ("n", *SHAPE[1:])), pool_proto("MaxPool", ("n", *SHAPE[1:]), (2, 2, 2))):
        before = opened(model)
        after = applied(before, RULE, before.nodes[0].op.name).after
        assert max_rel(before, after, feeds_of(before, n=3)) <= 1e-6


@pytest.mark.parametrize(
    ("model", "op", "reason"),
    [
        (pool_proto("MaxPool", SHAPE, (2, 2, 2), indices=True), "MaxPool", "pool_indices"),
        (pool_proto("AveragePool", SHAPE, (2, 2, 2), ceil_mode=1), "AveragePool", "pool_ceil"),
        (pool_proto("MaxPool", (1, 3, "d", 7, 8), (2, 2, 2)), "MaxPool", "dynamic"),
        (whole("GlobalMaxPool", (1, 3, "d", 7, 8)), "GlobalMaxPool", "dynamic"),
        (whole("GlobalMaxPool", dtype=TensorProto.FLOAT16), "GlobalMaxPool", "narrow_float"),
    ],
)
def test_refuses_with_the_reason_and_the_value(model, op, reason):
    refusal = refusal_of(opened(model), RULE, op)
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_two_axes_are_not_its_business():
    assert not refusal_of(opened(pool_proto()), RULE, "MaxPool").relevant


@pytest.mark.parametrize("platform", ["x3", "x5"])
def test_volume_is_a_fix_on_chips_with_two_axes(platform):
    model = opened(before_relu(pool_proto("MaxPool", (1, 8, 8, 16, 16), (2, 2, 2), strides=[2] * 3, opset=11)))
    put = placer(platform)
    found = find(model, put(model), node_of(model, "MaxPool"), place=put)
    assert RULE in [offer.rule.id for offer in found.fixes]
