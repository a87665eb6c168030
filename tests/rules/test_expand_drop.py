"""expand-drop: readers that broadcast, and those that need the expanded value."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, opened, reason_of, refusal_of
from tests.helpers.rule_cases import hold

RULE = "expand-drop"


def expanded(shape, wide, other, *, op="Expand", reader="Add", opset=13, swapped=False, shown=()):
    """The expansion of x from *shape* to *wide*, read by *reader* together with z of the shape *other*."""
    if op == "Expand":
        target = np.array(wide, np.int64)
    else:
        target = np.array([b // a for a, b in zip(shape, wide, strict=True)], np.int64)
    order = ["z", "e"] if swapped else ["e", "z"]
    nodes = [
        helper.make_node(op, ["x", "target"], ["e"], "expand"),
        helper.make_node(reader, order, ["y"], "reader"),
    ]
    out = list(np.broadcast_shapes(tuple(wide), tuple(other)))
    kinds = {"y": TensorProto.BOOL} if reader in ("Greater", "Less") else {}
    outs = {"y": out} | {name: list(wide) for name in shown}
    return proto(nodes, {"x": list(shape), "z": list(other)}, outs, {"target": target}, opset=opset, dtypes=kinds)


def case(random):
    """An expansion of drawn axes, read together with a value that has them or has not."""
    wide = [random.randint(1, 4) for _ in range(random.randint(1, 4))]
    op = random.choice(("Expand", "Tile"))
    shape = [n if random.random() < 0.5 else 1 for n in wide]
    if op == "Expand":
        shape = shape[random.choice((0, 0, len(shape) - 1)) :]
    other = list(wide) if random.random() < 0.7 else [n if random.random() < 0.5 else 1 for n in wide]
    reader = random.choice(("Add", "Sub", "Mul", "Greater"))
    return expanded(
        shape, wide, other, op=op, reader=reader, opset=random.choice((9, 11, 13)), swapped=random.random() < 0.5
    )


test_random_cases = hold(RULE, case)


def test_only_the_reader_is_left():
    after = applied(opened(expanded((1, 3), (4, 3), (4, 3))), RULE, "Expand").after
    assert [n.op.name for n in after.nodes] == ["Add"]
    assert list(after.nodes[0].inputs) == ["x", "z"]


def test_result_that_needs_the_expansion_is_refused():
    refusal = refusal_of(opened(expanded((1, 3), (4, 3), (1, 3))), RULE, "Expand")
    assert refusal.reason.key.endswith("expand_shape")
    assert refusal.subject == "4×3"


def test_tile_of_a_longer_axis_is_refused():
    assert reason_of(opened(expanded((2, 3), (4, 3), (4, 3), op="Tile")), RULE, "Tile") == "expand_repeats"


@pytest.mark.parametrize("reader", ["MatMul"])
def test_reader_that_does_not_broadcast_is_refused(reader):
    assert reason_of(opened(expanded((1, 4), (4, 4), (4, 4), reader=reader)), RULE, "Expand") == "expand_reader"


def test_first_input_of_prelu_is_not_broadcast():
    model = opened(expanded((1, 3), (4, 3), (4, 3), reader="PRelu"))
    assert reason_of(model, RULE, "Expand") == "expand_reader"
    slope = opened(expanded((1, 3), (4, 3), (4, 3), reader="PRelu", swapped=True))
    assert [n.op.name for n in applied(slope, RULE, "Expand").after.nodes] == ["PRelu"]


def test_expansion_that_is_an_output_is_kept():
    assert reason_of(opened(expanded((1, 3), (4, 3), (4, 3), shown=["e"])), RULE, "Expand") == "graph_output"
