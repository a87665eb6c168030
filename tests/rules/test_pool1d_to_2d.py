"""pool1d-to-2d: windows of every kind and whole axes, along the width and the height."""

import pytest
from onnx import TensorProto, helper

from inspector.rewrite.find import find
from tests.helpers.models import proto
from tests.helpers.pool import pool_proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, refusal_of
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "pool1d-to-2d"


def whole(op, shape=(1, 3, 9), *, opset=13, dtype=TensorProto.FLOAT):
    """x pooled over all positions."""
    node = helper.make_node(op, ["x"], ["y"], "pool")
    return proto([node], {"x": list(shape)}, {"y": [*shape[:2], 1]}, opset=opset, dtypes={"x": dtype, "y": dtype})


def case(random):
    """A window over one axis, or all of it; now and then over two."""
    shape = (random.randint(1, 2), random.randint(1, 4), random.randint(5, 12))
    opset = random.choice((10, 11, 13, 19))
    kind = random.choice(("MaxPool", "MaxPool", "AveragePool", "AveragePool", "GlobalMaxPool", "GlobalAveragePool"))
    if kind.startswith("Global"):
        return whole(kind, shape, opset=opset)
    if random.random() < 0.1:
        return pool_proto(kind, (*shape, 6), (2, 2), opset=opset)
    kernel, attributes = random.randint(1, 5), {}
    padding = random.choice(("none", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID"))
    if padding == "pads":
        attributes["pads"] = [random.randrange(kernel) for _ in range(2)]
    elif padding != "none":
        attributes["auto_pad"] = padding
    if random.random() < 0.7:
        # The runtime refuses automatic padding of windows that leave gaps.
        attributes["strides"] = [random.randint(1, 3 if padding in ("none", "pads") else kernel)]
    if random.random() < 0.3 and padding in ("none", "pads"):
        attributes["ceil_mode"] = 1
    if kind == "AveragePool" and random.random() < 0.4:
        attributes["count_include_pad"] = 1
    if kind == "MaxPool" and random.random() < 0.3 and padding == "none" and 2 * kernel - 1 <= shape[2]:
        attributes["dilations"] = [2]
    return pool_proto(kind, shape, (kernel,), opset=opset, **attributes)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(("variant", "kernel"), [("width", (1, 3)), ("height", (3, 1))])
def test_window_gets_an_axis(variant, kernel):
    model = opened(pool_proto("AveragePool", (1, 3, 9), (3,), pads=[1, 0], count_include_pad=1))
    after = applied(model, RULE, "AveragePool", variant).after
    (pool,) = [n for n in after.nodes if n.op.name == "AveragePool"]
    assert pool.attributes["kernel_shape"] == kernel
    assert pool.attributes["count_include_pad"] == 1
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_one_open_size_stays_open():
    for shape in (("n", 3, 9), (2, 3, "l")):
        for proto_of in (lambda s: whole("GlobalAveragePool", s), lambda s: pool_proto("MaxPool", s, (3,))):
            model = opened(proto_of(shape))
            op = model.nodes[0].op.name
            assert max_rel(model, applied(model, RULE, op).after, feeds_of(model, n=4, l=7)) == 0.0


@pytest.mark.parametrize(
    ("model", "op", "reason"),
    [
        (pool_proto("MaxPool", (1, 3, 9), (3,), indices=True), "MaxPool", "pool_indices"),
        (pool_proto("MaxPool", ("n", 3, "l"), (3,)), "MaxPool", "dynamic"),
        (whole("GlobalMaxPool", dtype=TensorProto.FLOAT16), "GlobalMaxPool", "narrow_float"),
        (pool_proto("AveragePool", (1, 3, 9), (3,), strides=[1, 1]), "AveragePool", "odd_attribute"),
    ],
)
def test_refuses_with_the_reason_and_the_value(model, op, reason):
    refusal = refusal_of(opened(model), RULE, op)
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_two_axes_are_not_its_business():
    assert not refusal_of(opened(pool_proto()), RULE, "MaxPool").relevant
    assert not refusal_of(opened(pool_proto(indices=True)), RULE, "MaxPool").relevant


@pytest.mark.parametrize("op", ["MaxPool", "AveragePool"])
def test_is_a_fix_on_x3(op):
    model = opened(pool_proto(op, (1, 8, 32), (2,), strides=[2], opset=11))
    put = placer("x3")
    found = find(model, put(model), node_of(model, op), place=put)
    assert RULE in [offer.rule.id for offer in found.fixes]
