"""split-to-slices: pieces given, equal, last one shorter; outputs that nobody reads."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "split-to-slices"


def split(shape, pieces, axis=0, *, opset=13, equal=False, read=None, dtype=TensorProto.FLOAT, fed=False):
    """x cut into *pieces* along *axis*; *equal* leaves them to the operator, *read* lists the graph's outputs."""
    names = [f"y{i}" for i in range(len(pieces))]
    inputs, tensors, attributes, shapes = ["x"], {}, {"axis": axis}, {"x": list(shape)}
    if fed:
        inputs.append("pieces")
        shapes["pieces"] = [len(pieces)]
    elif not equal:
        if opset < 13:
            attributes["split"] = list(pieces)
        else:
            inputs.append("pieces")
            tensors["pieces"] = np.array(pieces, np.int64)
    elif opset >= 18:
        attributes["num_outputs"] = len(pieces)
    node = helper.make_node("Split", inputs, names, "split", **attributes)
    outs = {}
    for name, piece in zip(names, pieces, strict=True):
        out = list(shape)
        out[axis] = piece
        outs[name] = out
    kinds = {"x": dtype, "pieces": TensorProto.INT64} | dict.fromkeys(names, dtype)
    shown = {name: outs[name] for name in (read or names)}
    return proto([node], shapes, shown, tensors, opset=opset, dtypes=kinds)


def case(random):
    """Drawn pieces of a drawn axis, or equal ones."""
    shape = [random.randint(1, 4) for _ in range(random.randint(1, 5))]
    axis = random.randrange(len(shape))
    opset = random.choice((7, 10, 11, 13, 18))
    equal = random.random() < 0.4
    count = random.randint(1, 4)
    pieces = [random.randint(1, 3)] * count if equal else [random.randint(1, 4) for _ in range(count)]
    if equal and opset >= 18 and pieces[0] > 1 and random.random() < 0.5:
        pieces[-1] -= 1
        # The operator rounds the part up; pieces that would come out otherwise are given instead.
        equal = -(-sum(pieces) // count) == pieces[0] and pieces[-1] > 0
    shape[axis] = sum(pieces)
    at = axis - len(shape) if opset >= 11 and random.random() < 0.3 else axis
    return split(
        shape, pieces, at, opset=opset, equal=equal, dtype=random.choice((TensorProto.FLOAT, TensorProto.INT64))
    )


test_random_cases = hold(RULE, case)


def test_output_that_nobody_reads_is_not_cut_out():
    after = applied(opened(split((6, 2), (1, 2, 3), read=["y1"])), RULE, "Split").after
    assert [n.op.name for n in after.nodes] == ["Slice"]


def test_open_batch_stays_open():
    model = opened(split(("n", 6), (2, 4), 1))
    assert max_rel(model, applied(model, RULE, "Split").after, feeds_of(model, n=3)) == 0.0


@pytest.mark.parametrize("opset", [11, 13])
def test_pieces_that_do_not_make_up_the_axis_are_refused(opset):
    model = split((6, 2), (1, 2, 3), opset=opset)
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 7
    for output in model.graph.output:
        output.type.tensor_type.ClearField("shape")
    assert reason_of(opened(model), RULE, "Split") == "split_pieces"


def test_fed_pieces_and_open_axis_are_refused():
    assert reason_of(opened(split((6, 2), (2, 4), fed=True)), RULE, "Split") == "not_constant"
    node = helper.make_node("Split", ["x"], ["a", "b"], "split")
    model = proto([node], {"x": ["n", 2]}, {"a": [None, 2], "b": [None, 2]})
    assert reason_of(opened(model), RULE, "Split") == "dynamic"
