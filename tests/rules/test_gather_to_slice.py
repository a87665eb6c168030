"""gather-to-slice: one index, rising indices, negative ones, and everything that no Slice picks."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.find import find
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of, refusal_of
from tests.helpers.rule_cases import hold
from tests.rules.test_on_targets import placer

RULE = "gather-to-slice"


def gathered(shape, indices, axis=0, *, opset=13, dtype=TensorProto.FLOAT, fed=False, overridable=False):
    """Elements of x at *indices* along *axis*."""
    indices = np.asarray(indices, np.int64)
    at = axis % len(shape)
    out = [*shape[:at], *indices.shape, *shape[at + 1 :]]
    node = helper.make_node("Gather", ["x", "i"], ["y"], "pick", axis=axis)
    shapes = {"x": list(shape)} | ({"i": list(indices.shape)} if fed else {})
    kinds = {"x": dtype, "y": dtype, "i": TensorProto.INT64}
    model = proto([node], shapes, {"y": out}, {} if fed else {"i": indices}, opset=opset, dtypes=kinds)
    if overridable:
        model.graph.input.append(helper.make_tensor_value_info("i", TensorProto.INT64, indices.shape))
    return model


def case(random):
    """One index, an even row of indices, or a drawn list, along a drawn axis."""
    shape = [random.randint(1, 6) for _ in range(random.randint(1, 5))]
    axis = random.randrange(len(shape))
    size = shape[axis]
    kind = random.choice(("one", "one", "row", "row", "any"))
    if kind == "one":
        indices = random.randrange(-size, size)
    elif kind == "row":
        indices = list(range(random.randrange(size), size, random.randint(1, 3)))
        indices = [i - size if random.random() < 0.3 else i for i in indices]
    else:
        indices = [random.randrange(-size, size) for _ in range(random.randint(1, 4))]
    dtype = random.choice((TensorProto.FLOAT, TensorProto.INT64, TensorProto.FLOAT16))
    axis = axis - len(shape) if random.random() < 0.3 else axis
    return gathered(shape, indices, axis, opset=random.choice((7, 10, 11, 13)), dtype=dtype)


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize(
    ("indices", "operators"),
    [(1, ["Slice", "Reshape"]), ([1], ["Slice"]), ([0, 2], ["Slice"]), (-1, ["Slice", "Reshape"])],
)
def test_operators(indices, operators):
    after = applied(opened(gathered((2, 3, 4), indices, 1)), RULE, "Gather").after
    assert [n.op.name for n in after.nodes] == operators


def test_open_batch_stays_open():
    model = opened(gathered(("n", 3, 4), 1, 2))
    assert max_rel(model, applied(model, RULE, "Gather").after, feeds_of(model, n=3)) == 0.0


@pytest.mark.parametrize("indices", [[2, 1, 0], [0, 0], [0, 1, 3], [[0, 1]]])
def test_indices_that_no_slice_picks_are_refused(indices):
    assert reason_of(opened(gathered((4, 2), indices)), RULE, "Gather") == "gather_indices"


@pytest.mark.parametrize("indices", [[1, 7], [-9]])
def test_indices_outside_the_axis_are_refused(indices):
    assert reason_of(opened(gathered((4, 2), indices)), RULE, "Gather") == "gather_outside"


def test_long_list_in_the_way_is_told_in_short():
    assert refusal_of(opened(gathered((20, 2), [0] * 9)), RULE, "Gather").subject == "0, 0, 0, 0, 0, 0, … (9)"


def test_other_refusals():
    assert reason_of(opened(gathered((4, 2), [0, 2], opset=9)), RULE, "Gather") == "gather_step"
    assert reason_of(opened(gathered((4, 2), [0, 1], fed=True)), RULE, "Gather") == "not_constant"
    assert reason_of(opened(gathered((4, 2), [0, 1], overridable=True)), RULE, "Gather") == "overridable"
    assert reason_of(opened(gathered(("n", 2), [0, 1])), RULE, "Gather") == "dynamic"
    assert reason_of(opened(gathered((4, "n", "m"), 0)), RULE, "Gather") == "dynamic"


def test_is_a_fix_on_x3():
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c"], "conv"),
        helper.make_node("Gather", ["c", "i"], ["g"], "pick", axis=1),
        helper.make_node("Conv", ["g", "v"], ["y"], "next"),
    ]
    tensors = {"w": np.ones((8, 4, 1, 1), np.float32), "i": np.arange(4), "v": np.ones((4, 4, 1, 1), np.float32)}
    model = opened(proto(nodes, {"x": [1, 4, 8, 8]}, {"y": [1, 4, 8, 8]}, tensors, opset=11))
    put = placer("x3")
    found = find(model, put(model), node_of(model, "Gather"), place=put)
    assert [offer.rule.id for offer in found.fixes] == [RULE, "gather-to-conv"], "a Slice costs no products"
    assert found.fixes[0].gain.cpu == (1, 0)
