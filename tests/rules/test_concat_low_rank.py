"""concat-low-rank: any axis of five to seven, any type, constants among the inputs, an open batch."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.find import find
from tests.helpers.models import before_relu, proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, refusal_of
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "concat-low-rank"
KINDS = (TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT64, TensorProto.FLOAT16)


def joined(shapes, axis, *, opset=13, dtype=TensorProto.FLOAT, constant=None):
    """Inputs of *shapes* joined along *axis*, and the array *constant* behind them."""
    names = [f"x{i}" for i in range(len(shapes))]
    every = [*shapes, *([] if constant is None else [constant.shape])]
    out = list(shapes[0])
    out[axis] = sum(shape[axis] for shape in every) if all(isinstance(s[axis], int) for s in every) else None
    node = helper.make_node("Concat", [*names, *(["c"] if constant is not None else [])], ["y"], "join", axis=axis)
    tensors = {} if constant is None else {"c": constant}
    inputs = {name: list(shape) for name, shape in zip(names, shapes, strict=True)}
    return proto([node], inputs, {"y": out}, tensors, opset=opset, dtypes=dict.fromkeys((*names, "y"), dtype))


def case(random):
    """One to three inputs joined along a drawn axis of four to seven."""
    width = random.choice((4, 5, 5, 6, 7))
    axis = random.randrange(width)
    shape = [random.randint(1, 3) for _ in range(width)]
    shapes = [
        [random.randint(1, 3) if a == axis else n for a, n in enumerate(shape)] for _ in range(random.randint(1, 3))
    ]
    axis = axis - width if random.random() < 0.3 else axis
    return joined(shapes, axis, opset=random.choice((7, 11, 13)), dtype=random.choice(KINDS))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("axis", "view", "at"),
    [(0, (2, 1, 1, 360), 0), (1, (2, 1, 3, 120), 2), (2, (2, 3, 4, 30), 2), (-1, (2, 60, 6, 1), 2)],
)
def test_four_axes(axis, view, at):
    model = opened(joined([(2, 3, 4, 5, 6)] * 2, axis))
    after = applied(model, RULE, "Concat").after
    (node,) = [n for n in after.nodes if n.op.name == "Concat"]
    assert node.attributes["axis"] == at
    assert tuple(dim.size for dim in after.value(0, node.inputs[0]).shape) == view
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_constant_among_the_inputs():
    model = opened(joined([(1, 2, 3, 4, 5)], 1, constant=np.ones((1, 1, 3, 4, 5), np.float32)))
    assert max_rel(model, applied(model, RULE, "Concat").after, feeds_of(model)) == 0.0


def test_open_batch_stays_open():
    model = opened(joined([("n", 2, 3, 4, 5)] * 2, 2))
    assert max_rel(model, applied(model, RULE, "Concat").after, feeds_of(model, n=3)) == 0.0


@pytest.mark.parametrize(
    ("shapes", "axis"), [([("n", 2, 3, 4, 5)] * 2, 0), ([(1, 2, "d", 4, 5)] * 2, 1), ([(1, 2, 3, 4, "w")] * 2, 4)]
)
def test_open_sizes_are_refused(shapes, axis):
    refusal = refusal_of(opened(joined(shapes, axis)), RULE, "Concat")
    assert refusal.reason.key == "rewrite.refuse.dynamic"
    assert refusal.relevant
    assert refusal.subject


def test_four_axes_are_not_its_business():
    assert not refusal_of(opened(joined([(1, 2, 3, 4)] * 2, 1)), RULE, "Concat").relevant


def test_is_a_fix_on_x5():
    model = joined([(1, 8, 4, 16, 16)] * 2, 1, opset=11)
    for name in ("x0", "x1"):
        model.graph.node.insert(0, helper.make_node("Relu", [name], [f"r_{name}"], f"relu_{name}"))
    model.graph.node[2].input[:] = ["r_x0", "r_x1"]
    model = opened(before_relu(model))
    put = placer("x5")
    before = put(model)
    assert "concat.general-rank" in {c.clause for v in before.verdicts.values() for c in v.failed}
    found = find(model, before, node_of(model, "Concat"), place=put)
    assert RULE in [offer.rule.id for offer in found.fixes]
