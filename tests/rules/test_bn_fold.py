"""bn-fold: what it folds, what it refuses and why, and that the numbers stay."""

from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.model.load import load_model
from inspector.rewrite.find import apply_all, sites
from inspector.rewrite.preview import preview
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Preview, Refusal
from tests.helpers.models import proto
from tests.helpers.rewriting import applied, difference, feeds_of, match_of, max_rel, opened, reason_of, refusal_of, run
from tests.helpers.rule_cases import hold

RULE = "bn-fold"
LIMIT = 1e-6
DATA = Path(__file__).resolve().parents[1] / "data"


def bn_tensors(channels, name="", seed=0, variance=None):
    rng = np.random.default_rng(seed)
    made = {
        "g": rng.standard_normal(channels),
        "h": rng.standard_normal(channels),
        "m": rng.standard_normal(channels),
        "v": rng.uniform(0.1, 2, channels) if variance is None else np.full(channels, variance),
    }
    return {key + name: value.astype(np.float32) for key, value in made.items()}


def norm(x, y, name="", **attributes):
    return helper.make_node("BatchNormalization", [x, *(k + name for k in "ghmv")], [y], f"bn{name}", **attributes)


def conv_bn(
    *, op="Conv", weight=(4, 3, 3, 3), bias=True, x=(1, 3, 8, 8), tail=(), outputs=None, variance=None, **attributes
):
    """x -> Conv or ConvTranspose -> c -> BatchNormalization -> y, with more nodes after it in *tail*."""
    rng = np.random.default_rng(1)
    channels = weight[0] if op == "Conv" else weight[1] * attributes.get("group", 1)
    tensors = {"w": rng.standard_normal(weight).astype(np.float32), **bn_tensors(channels, variance=variance)}
    if bias:
        tensors["b"] = rng.standard_normal(channels).astype(np.float32)
    nodes = [
        helper.make_node(op, ["x", "w", *(["b"] if bias else [])], ["c"], "lin", **attributes),
        norm("c", "y"),
        *tail,
    ]
    return proto(nodes, {"x": list(x)}, outputs or {"y": [None] * len(x)}, tensors)


def test_conv_takes_over_the_name_of_the_output():
    model = opened(conv_bn(pads=[1, 1, 1, 1]))
    built = applied(model, RULE, "BatchNormalization")
    assert [n.op.name for n in built.after.nodes] == ["Conv"]
    assert built.after.nodes[0].outputs == ("y",)
    assert built.after.nodes[0].attributes["pads"] == (1, 1, 1, 1)
    assert set(built.after.main.initializers) == {"w__rw0", "b__rw0"}
    assert max_rel(model, built.after, feeds_of(model)) <= LIMIT
    assert not list(sites(built.after, rule_of(RULE)))


def test_missing_bias_is_made():
    model = opened(conv_bn(bias=False))
    built = applied(model, RULE, "BatchNormalization")
    assert len(built.after.nodes[0].inputs) == 3
    assert max_rel(model, built.after, feeds_of(model)) <= LIMIT


@pytest.mark.parametrize("group", [1, 2, 4])
def test_transposed_conv_folds_within_its_groups(group):
    model = opened(conv_bn(op="ConvTranspose", weight=(8, 3, 2, 2), x=(1, 8, 4, 4), group=group, strides=[2, 2]))
    assert max_rel(model, applied(model, RULE, "BatchNormalization").after, feeds_of(model)) <= LIMIT


def test_across_an_add_before_the_activation():
    tail = [helper.make_node("Add", ["y", "r"], ["s"]), helper.make_node("Relu", ["s"], ["z"])]
    model = conv_bn(tail=tail, outputs={"z": [1, 4, 6, 6]})
    model.graph.input.append(helper.make_tensor_value_info("r", 1, [1, 4, 6, 6]))
    model = opened(model)
    after = applied(model, RULE, "BatchNormalization").after
    assert [n.op.name for n in after.nodes] == ["Conv", "Add", "Relu"]
    assert max_rel(model, after, feeds_of(model)) <= LIMIT


@pytest.mark.parametrize("bias", [None, (), (1,), (5,), (1, 5), (3, 5), (3, 1)])
@pytest.mark.parametrize("transposed", [0, 1])
def test_gemm_with_every_bias(bias, transposed):
    rng = np.random.default_rng(2)
    tensors = {"w": rng.standard_normal((5, 4) if transposed else (4, 5)).astype(np.float32), **bn_tensors(5)}
    if bias is not None:
        tensors["b"] = rng.standard_normal(bias).astype(np.float32)
    gemm = helper.make_node(
        "Gemm", ["x", "w", *(["b"] if bias is not None else [])], ["c"], "fc", alpha=0.5, beta=1.5, transB=transposed
    )
    model = opened(proto([gemm, norm("c", "y")], {"x": [3, 4]}, {"y": [3, 5]}, tensors))
    assert max_rel(model, applied(model, RULE, "BatchNormalization").after, feeds_of(model)) <= LIMIT


@pytest.mark.parametrize("order", [None, ("c", "b"), ("b", "c")])
def test_matmul_with_and_without_an_add(order):
    rng = np.random.default_rng(2)
    tensors = {"w": rng.standard_normal((4, 5)).astype(np.float32), **bn_tensors(5)}
    nodes = [helper.make_node("MatMul", ["x", "w"], ["c"], "mm")]
    if order:
        tensors["b"] = rng.standard_normal(5).astype(np.float32)
        nodes.append(helper.make_node("Add", list(order), ["d"], "plus"))
    nodes.append(norm("d" if order else "c", "y"))
    model = opened(proto(nodes, {"x": [3, 4]}, {"y": [3, 5]}, tensors))
    after = applied(model, RULE, "BatchNormalization").after
    assert [n.op.name for n in after.nodes] == ["MatMul", "Add"]
    assert max_rel(model, after, feeds_of(model)) <= LIMIT


def test_matmul_of_rank_3_has_its_channels_elsewhere():
    tensors = {"w": np.ones((4, 5), np.float32), **bn_tensors(3)}
    nodes = [helper.make_node("MatMul", ["x", "w"], ["c"]), norm("c", "y")]
    model = opened(proto(nodes, {"x": [2, 3, 4]}, {"y": [2, 3, 5]}, tensors))
    assert reason_of(model, RULE, "BatchNormalization") == "bn_rank"


def test_shared_weight_is_copied_and_each_norm_goes_into_its_own():
    rng = np.random.default_rng(3)
    tensors = {"w": rng.standard_normal((4, 3, 3, 3)).astype(np.float32), **bn_tensors(4, "1"), **bn_tensors(4, "2", 9)}
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c1"], "one"),
        norm("c1", "y1", "1"),
        helper.make_node("Conv", ["x", "w"], ["c2"], "two"),
        norm("c2", "y2", "2"),
    ]
    outputs = {"y1": [1, 4, 6, 6], "y2": [1, 4, 6, 6]}
    model = opened(proto(nodes, {"x": [1, 3, 8, 8]}, outputs, tensors))
    first, second = apply_all(model, rule_of(RULE))
    assert isinstance(first, Preview)
    assert isinstance(second, Preview)
    assert "w" in first.after.main.initializers
    assert "w" not in second.after.main.initializers
    assert max_rel(model, second.after, feeds_of(model)) <= LIMIT
    assert set(model.main.initializers) == set(tensors)


def test_weight_shared_through_identity_counts_as_constant():
    tensors = {"w": np.ones((4, 3, 3, 3), np.float32), **bn_tensors(4)}
    nodes = [
        helper.make_node("Identity", ["w"], ["w2"]),
        helper.make_node("Conv", ["x", "w2"], ["c"]),
        norm("c", "y"),
    ]
    model = opened(proto(nodes, {"x": [1, 3, 8, 8]}, {"y": [1, 4, 6, 6]}, tensors))
    after = applied(model, RULE, "BatchNormalization").after
    assert [n.op.name for n in after.nodes] == ["Conv"]
    assert max_rel(model, after, feeds_of(model)) <= LIMIT


def test_conv_read_by_others_or_by_the_caller_stays():
    relu = helper.make_node("Relu", ["c"], ["z"], "relu")
    read = opened(conv_bn(tail=[relu], outputs={"y": [1, 4, 6, 6], "z": [1, 4, 6, 6]}))
    shown = opened(conv_bn(outputs={"y": [1, 4, 6, 6], "c": [1, 4, 6, 6]}))
    assert reason_of(read, RULE, "BatchNormalization") == "other_reader"
    assert refusal_of(read, RULE, "BatchNormalization").reason.args["node"] == "relu"
    assert reason_of(shown, RULE, "BatchNormalization") == "graph_output"


def test_conv_captured_by_a_body_stays():
    body = helper.make_graph(
        [helper.make_node("Relu", ["c"], ["t"])], "b", [], [helper.make_tensor_value_info("t", 1, None)]
    )
    other = helper.make_graph(
        [helper.make_node("Neg", ["c"], ["e"])], "e", [], [helper.make_tensor_value_info("e", 1, None)]
    )
    choose = helper.make_node("If", ["cond"], ["z"], "if", then_branch=body, else_branch=other)
    model = conv_bn(tail=[choose], outputs={"y": [1, 4, 6, 6], "z": [1, 4, 6, 6]})
    model.graph.input.append(helper.make_tensor_value_info("cond", TensorProto.BOOL, []))
    assert reason_of(opened(model), RULE, "BatchNormalization") == "captured"


def test_node_inside_a_body_takes_weights_from_around_it():
    inner = [helper.make_node("Conv", ["x", "w"], ["c"]), norm("c", "t")]
    body = helper.make_graph(inner, "b", [], [helper.make_tensor_value_info("t", 1, None)])
    other = helper.make_graph(
        [helper.make_node("Identity", ["x"], ["e"])], "e", [], [helper.make_tensor_value_info("e", 1, None)]
    )
    choose = helper.make_node("If", ["cond"], ["z"], "if", then_branch=body, else_branch=other)
    tensors = {"w": np.ones((3, 3, 1, 1), np.float32), **bn_tensors(3)}
    model = opened(
        proto([choose], {"x": [1, 3, 8, 8], "cond": []}, {"z": None}, tensors, dtypes={"cond": TensorProto.BOOL})
    )
    match = match_of(model, RULE, "BatchNormalization")
    after = preview(model, rule_of(RULE), match).after
    assert "BatchNormalization" not in {n.op.name for n in after.nodes}
    feeds = {"x": np.random.default_rng(0).standard_normal((1, 3, 8, 8)).astype(np.float32), "cond": np.array(True)}
    assert difference(run(model, feeds)[0], run(after, feeds)[0]) <= 1e-6


def overridable(name):
    model = conv_bn()
    shape = next(t.dims for t in model.graph.initializer if t.name == name)
    model.graph.input.append(helper.make_tensor_value_info(name, 1, shape))
    return model


def with_node(index, **attributes):
    model = conv_bn()
    model.graph.node[index].attribute.extend(helper.make_attribute(k, v) for k, v in attributes.items())
    return model


def changed(name, array):
    model = conv_bn()
    tensor = next(t for t in model.graph.initializer if t.name == name)
    tensor.CopyFrom(numpy_helper.from_array(array, name))
    return model


def with_opset(opset, **attributes):
    model = with_node(1, **attributes)
    model.opset_import[0].version = opset
    return model


def half_statistics():
    """Mean and variance in another type than the data, which opset 15 allows."""
    model = with_opset(15)
    for name in "mv":
        tensor = next(t for t in model.graph.initializer if t.name == name)
        tensor.CopyFrom(numpy_helper.from_array(np.ones(4, np.float16), name))
    return model


REFUSALS = [
    (overridable("w"), "overridable"),
    (overridable("v"), "overridable"),
    (with_opset(15, training_mode=1), "bn_training"),
    (with_opset(7, spatial=0), "bn_spatial"),
    (with_opset(6), "old_opset"),
    (changed("v", np.array([1, 1, -0.5, 1], np.float32)), "bn_variance"),
    (changed("v", np.array([1, np.nan, 1, 1], np.float32)), "bn_variance"),
    (changed("g", np.array([1, np.inf, 1, 1], np.float32)), "bn_not_finite"),
    (changed("g", np.array([1, 3e38, 1, 1], np.float32)), "bn_not_finite"),
    (changed("m", np.ones(3, np.float32)), "bn_channels"),
    (half_statistics(), "narrow_float"),
    (changed("h", np.ones(4, np.float16)), "odd_attribute"),
]


@pytest.mark.parametrize(("model", "reason"), REFUSALS, ids=[f"{i}-{r[1]}" for i, r in enumerate(REFUSALS)])
def test_refuses_with_the_reason_and_the_value(model, reason):
    refusal = refusal_of(opened(model), RULE, "BatchNormalization")
    assert refusal.reason.key == f"rewrite.refuse.{reason}"
    assert refusal.relevant
    assert refusal.subject


def test_other_outputs_of_the_norm_are_refused():
    model = conv_bn()
    model.graph.node[1].output.extend(["mean", "var"])
    assert reason_of(opened(model), RULE, "BatchNormalization") == "bn_outputs"


def test_norm_behind_something_else_is_refused():
    nodes = [helper.make_node("Relu", ["x"], ["c"]), norm("c", "y")]
    model = opened(proto(nodes, {"x": [1, 4, 6, 6]}, {"y": [1, 4, 6, 6]}, bn_tensors(4)))
    assert reason_of(model, RULE, "BatchNormalization") == "bn_no_linear"
    first = opened(proto([norm("x", "y")], {"x": [1, 4, 6, 6]}, {"y": [1, 4, 6, 6]}, bn_tensors(4)))
    assert reason_of(first, RULE, "BatchNormalization") == "bn_no_linear"


def test_tiny_variance_with_epsilon_stays_accurate():
    model = opened(conv_bn(variance=0.0))
    assert max_rel(model, applied(model, RULE, "BatchNormalization").after, feeds_of(model)) <= LIMIT


def test_every_condition_is_listed():
    match = match_of(opened(conv_bn()), RULE, "BatchNormalization")
    assert {p.text.key.rpartition(".")[2] for p in match.preconditions} == {
        "bn_inference",
        "bn_constant",
        "sole_reader",
        "constant_weight",
    }
    assert all(p.found for p in match.preconditions)


def case(random):
    """A Conv or ConvTranspose of drawn rank, groups and bias before the BatchNormalization, now and then a Gemm."""
    if random.random() < 0.2:
        rng = np.random.default_rng(random.randrange(2**31))
        tensors = {"w": rng.standard_normal((6, 8)).astype(np.float32), **bn_tensors(8, seed=random.randrange(2**31))}
        node = helper.make_node("Gemm", ["x", "w"], ["c"], "fc", alpha=random.uniform(0.5, 2))
        return proto([node, norm("c", "y")], {"x": [random.randint(1, 3), 6]}, {"y": [None, 8]}, tensors)
    count, group = random.choice((1, 2, 2, 3)), random.choice((1, 1, 2))
    kernel = [random.randint(1, 3) for _ in range(count)]
    op = random.choice(("Conv", "Conv", "ConvTranspose"))
    channels = group * random.randint(1, 3)
    weight = (group * 4, channels // group, *kernel) if op == "Conv" else (channels, 4, *kernel)
    attributes = {"group": group, "strides": [random.randint(1, 2) for _ in range(count)]}
    if op == "Conv":
        attributes["pads"] = [random.randint(0, 1) for _ in range(2 * count)]
    x = (random.randint(1, 2), channels, *(k + random.randint(0, 4) for k in kernel))
    return conv_bn(op=op, weight=weight, bias=random.random() < 0.5, x=x, **attributes)


test_random_cases = hold(RULE, case)


def test_undo_is_the_model_before():
    model = opened(conv_bn())
    data = model.to_proto().SerializeToString(deterministic=True)
    nodes, values = model.nodes, model.values
    built = applied(model, RULE, "BatchNormalization")
    assert built.before is model
    assert model.nodes is nodes
    assert model.values is values
    assert model.to_proto().SerializeToString(deterministic=True) == data


def wiring(model):
    """Operator of each node, and where each of its inputs is made: (node, output); None for inputs and weights."""
    made = {name: (i, k) for i, n in enumerate(model.main.nodes) for k, name in enumerate(n.outputs)}
    return [(n.op.name, [made.get(name) for name in n.inputs]) for n in model.main.nodes]


def test_detector_with_24_kept_norms_gets_the_structure_of_the_folded_export():
    from inspector.model.infer import infer_shapes
    from inspector.worker.client import InProcessRunner

    kept = infer_shapes(load_model(DATA / "secdet24_bn_kept_ts11.onnx"), InProcessRunner())
    folded = load_model(DATA / "secdet24_bn_folded_ts11.onnx")
    answers = list(apply_all(kept, rule_of(RULE)))
    assert len(answers) == 24
    assert all(isinstance(a, Preview) for a in answers)
    after = answers[-1].after
    assert wiring(after) == wiring(folded)
    assert sum(n.op.name == "BatchNormalization" for n in after.nodes) == 0
    assert max_rel(kept, after, feeds_of(kept)) <= LIMIT


def test_model_of_traps_folds_what_may_be_folded():
    from inspector.model.infer import infer_shapes
    from inspector.worker.client import InProcessRunner

    model = infer_shapes(load_model(DATA / "bn_traps_ts13.onnx"), InProcessRunner())
    answers = list(apply_all(model, rule_of(RULE)))
    refused = {model.node(a.anchor).name: a.reason.key.rpartition(".")[2] for a in answers if isinstance(a, Refusal)}
    previews = [a for a in answers if isinstance(a, Preview)]
    assert refused == {"/b3/BatchNormalization": "other_reader", "/pre/BatchNormalization": "bn_no_linear"}
    assert len(previews) == 6
    assert max_rel(model, previews[-1].after, feeds_of(model)) <= LIMIT
    assert np.isfinite(run(previews[-1].after, feeds_of(model))[0]).all()
