"""tile-to-concat: repeats of any axis, new axes, too many copies."""

import numpy as np
from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, node_of, opened, reason_of, refusal_of
from tests.helpers.rule_cases import hold

RULE = "tile-to-concat"


def repeated(shape, copies, *, op="Tile", opset=13, dtype=TensorProto.FLOAT):
    """x repeated *copies* times along each axis; Expand may add axes in front."""
    start = [1] * (len(copies) - len(shape)) + list(shape)
    wide = [a * b for a, b in zip(start, copies, strict=True)]
    node = helper.make_node(op, ["x", "target"], ["y"], "repeat")
    target = np.array(wide if op == "Expand" else copies, np.int64)
    kinds = {"x": dtype, "y": dtype}
    return proto([node], {"x": list(shape)}, {"y": wide}, {"target": target}, opset=opset, dtypes=kinds)


def case(random):
    """Drawn repeats of a drawn shape."""
    copies = [random.choice((1, 1, 2, 3)) for _ in range(random.randint(1, 4))]
    op = random.choice(("Tile", "Expand"))
    shape = [1 if op == "Expand" and n > 1 else random.randint(1, 4) for n in copies]
    if op == "Expand":
        shape = shape[random.choice((0, 0, len(shape) - 1)) :]
    dtype = random.choice((TensorProto.FLOAT, TensorProto.INT64))
    return repeated(shape, copies, op=op, opset=random.choice((8, 11, 13)), dtype=dtype)


test_random_cases = hold(RULE, case)


def test_one_concat_for_each_repeated_axis():
    after = applied(opened(repeated((2, 3, 4), (2, 1, 3))), RULE, "Tile").after
    assert [(n.op.name, len(n.inputs), n.attributes["axis"]) for n in after.nodes] == [
        ("Concat", 2, 0),
        ("Concat", 3, 2),
    ]


def test_too_many_copies_are_refused():
    refusal = refusal_of(opened(repeated((1, 3), (17, 1))), RULE, "Tile")
    assert refusal.reason.key.endswith("tile_copies")
    assert refusal.subject == "17"


def test_no_copy_at_all_is_not_its_business():
    model = opened(repeated((2, 3), (1, 1)))
    assert not rule_of(RULE).match(model, node_of(model, "Tile")).relevant


def test_open_sizes_are_refused():
    node = helper.make_node("Tile", ["x", "target"], ["y"], "repeat")
    model = proto([node], {"x": ["n", 3]}, {"y": [None, 3]}, {"target": np.array([2, 1], np.int64)})
    assert reason_of(opened(model), RULE, "Tile") == "dynamic"
