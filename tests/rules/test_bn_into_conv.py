"""bn-into-conv: groups, kernels, strides; a padded border and other readers are refused."""

import numpy as np
import pytest
from onnx import TensorProto, helper

from inspector.rewrite.registry import rule as rule_of
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, feeds_of, max_rel, node_of, opened, reason_of, run
from tests.helpers.rule_cases import hold

RULE = "bn-into-conv"


def pair(shape=(1, 4, 8, 8), maps=8, kernel=(3, 3), *, bias=True, shown=(), seed=0, weight_of="w", **attributes):
    """BatchNormalization, then a Conv."""
    rng = np.random.default_rng(seed)
    channels, group = shape[1], attributes.get("group", 1)
    tensors = {
        "s": rng.uniform(0.5, 2, channels),
        "b": rng.standard_normal(channels),
        "m": rng.standard_normal(channels),
        "v": rng.uniform(0.5, 2, channels),
        "w": rng.standard_normal((maps, channels // group, *kernel)) / np.sqrt(channels * np.prod(kernel)),
    }
    if bias:
        tensors["c"] = rng.standard_normal(maps)
    nodes = [
        helper.make_node("BatchNormalization", list("xsbmv"), ["n"], "bn"),
        helper.make_node("Conv", ["n", weight_of, *("c" if bias else "")], ["y"], "conv", **attributes),
    ]
    shapes = {"n": list(shape), "y": [None] * len(shape)}
    tensors = {name: array.astype(np.float32) for name, array in tensors.items()}
    return proto(nodes, {"x": list(shape)}, {name: shapes[name] for name in (*shown, "y")}, tensors)


def case(random):
    """A pair with a drawn Conv, now and then with padding."""
    count = random.choice((1, 2, 2, 3))
    group = random.choice((1, 1, 2))
    kernel = [random.randint(1, 3) for _ in range(count)]
    shape = [random.randint(1, 2), group * random.randint(1, 4), *(k + random.randint(0, 4) for k in kernel)]
    attributes = {"group": group, "strides": [random.randint(1, 2) for _ in range(count)]}
    if random.random() < 0.15:
        attributes["pads"] = [random.randint(0, 1) for _ in range(2 * count)]
    return pair(shape, group * 8, kernel, bias=random.random() < 0.6, seed=random.randrange(2**31), **attributes)


test_random_cases = hold(RULE, case)


def test_one_conv_is_left():
    after = applied(opened(pair(group=2)), RULE, "BatchNormalization").after
    assert [n.op.name for n in after.nodes] == ["Conv"]
    assert len(after.nodes[0].inputs) == 3


def test_padded_border_reads_zeros_that_were_not_normalised():
    model = opened(pair(pads=[1, 1, 1, 1]))
    assert reason_of(model, RULE, "BatchNormalization") == "bn_padded"


def test_automatic_padding_counts_as_well():
    model = opened(pair(auto_pad="SAME_UPPER"))
    assert reason_of(model, RULE, "BatchNormalization") == "bn_padded"


def test_value_that_others_read_is_kept():
    assert reason_of(opened(pair(shown=["n"])), RULE, "BatchNormalization") == "graph_output"


def test_other_operators_behind_are_not_its_business():
    nodes = [
        helper.make_node("BatchNormalization", list("xsbmv"), ["n"], "bn"),
        helper.make_node("Relu", ["n"], ["y"], "relu"),
    ]
    tensors = {name: np.ones(4, np.float32) for name in "sbmv"}
    model = opened(proto(nodes, {"x": [1, 4, 3, 3]}, {"y": [1, 4, 3, 3]}, tensors))
    assert not rule_of(RULE).match(model, node_of(model, "BatchNormalization")).relevant


def test_computed_weights_are_refused():
    model = pair()
    kept = [t for t in model.graph.initializer if t.name != "w"]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    model.graph.input.append(helper.make_tensor_value_info("w", TensorProto.FLOAT, [8, 4, 3, 3]))
    assert reason_of(opened(model), RULE, "BatchNormalization") == "not_constant"


@pytest.mark.parametrize("seed", range(3))
def test_values_stay(seed):
    model = opened(pair(seed=seed))
    after = applied(model, RULE, "BatchNormalization").after
    feeds = feeds_of(model, seed=seed)
    assert max_rel(model, after, feeds) <= 1e-6
    assert np.isfinite(run(after, feeds)[0]).all()
