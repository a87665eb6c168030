"""merge-reshapes: any pair, open batch, values that others read."""

import numpy as np
import pytest
from onnx import helper

from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, opened, reason_of
from tests.helpers.rule_cases import hold

RULE = "merge-reshapes"


def step(op, shape, source, made, index, tensors, opset):
    """A node that gives *source* the shape *shape*, and the value's new shape."""
    if op == "Reshape":
        target = [*shape[1:], shape[0]] if len(shape) > 1 else [1, *shape]
        tensors[f"t{index}"] = np.array(target, np.int64)
        return helper.make_node("Reshape", [source, f"t{index}"], [made], f"n{index}"), target
    if op == "Flatten":
        axis = min(1, len(shape))
        return helper.make_node("Flatten", [source], [made], f"n{index}", axis=axis), [
            int(np.prod(shape[:axis])),
            int(np.prod(shape[axis:])),
        ]
    if op == "Unsqueeze":
        target, axes = [1, *shape], [0]
    else:
        axes = [i for i, n in enumerate(shape) if n == 1][:1]
        target = [n for i, n in enumerate(shape) if i not in axes]
    if opset >= 13:
        tensors[f"t{index}"] = np.array(axes, np.int64)
        return helper.make_node(op, [source, f"t{index}"], [made], f"n{index}"), target
    return helper.make_node(op, [source], [made], f"n{index}", axes=axes), target


def chain(operators, shape=(2, 3, 4), opset=13, shown=()):
    """x through *operators*; *shown* lists further outputs."""
    nodes, tensors, value, sizes = [], {}, "x", list(shape)
    shapes = {}
    for index, op in enumerate(operators):
        made = f"v{index}"
        node, sizes = step(op, sizes, value, made, index, tensors, opset)
        nodes.append(node)
        value, shapes[made] = made, sizes
    return proto(nodes, {"x": list(shape)}, {n: shapes[n] for n in (*shown, value)}, tensors, opset=opset)


def case(random):
    """Two or three of the operators on a drawn shape."""
    shape = [random.randint(1, 4) for _ in range(random.randint(1, 4))]
    operators = []
    for _ in range(random.randint(2, 3)):
        operators.append(random.choice(("Reshape", "Flatten", "Unsqueeze")))
    if random.random() < 0.4:
        operators = ["Unsqueeze", "Squeeze", *operators[:1]]
    return chain(operators, shape, random.choice((7, 11, 13)))


test_random_cases = hold(RULE, case)


@pytest.mark.parametrize("pair", [("Reshape", "Reshape"), ("Unsqueeze", "Flatten"), ("Unsqueeze", "Squeeze")])
def test_pair_becomes_one_reshape(pair):
    model = opened(chain(pair))
    after = applied(model, RULE, pair[1], index=int(pair[0] == pair[1])).after
    assert [n.op.name for n in after.nodes] == ["Reshape"]
    assert max_rel(model, after, feeds_of(model)) == 0.0


def test_open_batch_stays_open():
    tensors = {"a": np.array([0, 12], np.int64), "b": np.array([0, 4, 3], np.int64)}
    nodes = [
        helper.make_node("Reshape", ["x", "a"], ["v"], "first"),
        helper.make_node("Reshape", ["v", "b"], ["y"], "second"),
    ]
    model = opened(proto(nodes, {"x": ["n", 3, 4]}, {"y": ["n", 4, 3]}, tensors))
    after = applied(model, RULE, "Reshape", index=1).after
    assert max_rel(model, after, feeds_of(model, n=5)) == 0.0


def test_value_between_that_is_an_output_is_kept():
    assert reason_of(opened(chain(("Reshape", "Reshape"), shown=["v0"])), RULE, "Reshape", 1) == "graph_output"


def test_value_between_that_others_read_is_kept():
    model = chain(("Reshape", "Reshape"))
    model.graph.node.append(helper.make_node("Neg", ["v0"], ["w"], "neg"))
    model.graph.output.append(helper.make_tensor_value_info("w", 1, None))
    assert reason_of(opened(model), RULE, "Reshape", 1) == "other_reader"


def test_two_open_sizes_are_refused():
    tensors = {"a": np.array([0, 0, -1], np.int64), "b": np.array([0, 0, -1], np.int64)}
    nodes = [
        helper.make_node("Reshape", ["x", "a"], ["v"], "first"),
        helper.make_node("Reshape", ["v", "b"], ["y"], "second"),
    ]
    assert (
        reason_of(opened(proto(nodes, {"x": ["n", "m", 4]}, {"y": ["n", "m", 4]}, tensors)), RULE, "Reshape", 1)
        == "dynamic"
    )
