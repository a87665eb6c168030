"""Whole-model tools: what each changes, what it refuses, and that its proof is the same as that of a rewrite."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from inspector.errors import UsageError
from inspector.model.save import full_proto
from inspector.prove import prove
from inspector.rewrite.recipe import read_recipe, replay, steps_of, write_recipe
from inspector.rewrite.registry import rules
from inspector.rewrite.rule import Preview, Refusal
from inspector.rewrite.tools.registry import TOOLS, tool
from inspector.rewrite.tools.tool import apply
from inspector.text import Message
from inspector.verify.result import Status
from inspector.worker.client import WorkerClient
from inspector.worker.protocol import Transform
from tests.helpers.models import conv, proto
from tests.helpers.rewriting import check_indices, opened, run
from tests.rules.test_in_bodies import branching

INT64 = TensorProto.INT64


@pytest.fixture(scope="module")
def worker():
    with WorkerClient() as client:
        yield client


def used(model, name, worker, **arguments):
    """The preview of a tool that does something, after the checks that hold for all."""
    built = apply(model, tool(name), arguments, worker)
    assert isinstance(built, Preview), built
    check_indices(built.after)
    onnx.checker.check_model(full_proto(built.after), full_check=True)
    return built


def refused(model, name, worker, **arguments):
    answer = apply(model, tool(name), arguments, worker)
    assert isinstance(answer, Message)
    return answer.key.rpartition(".")[2]


def proven(built, worker):
    chosen = tool(built.match.rule)
    (result,) = prove(built, chosen.safety, chosen.limit, worker)
    return result


def ops(model):
    return [node.op.name for node in model.main.nodes]


def dynamic():
    """x [N, 8] -> Reshape to [its own N, 2, 4] by a shape chain -> y."""
    nodes = [
        helper.make_node("Shape", ["x"], ["s"], "shape"),
        helper.make_node("Gather", ["s", "zero"], ["n"], "gather"),
        helper.make_node("Unsqueeze", ["n", "axes"], ["nu"], "unsqueeze"),
        helper.make_node("Concat", ["nu", "rest"], ["t"], "concat", axis=0),
        helper.make_node("Reshape", ["x", "t"], ["r"], "reshape"),
        helper.make_node("Relu", ["r"], ["y"], "relu"),
    ]
    tensors = {"zero": np.int64(0), "axes": np.array([0], np.int64), "rest": np.array([2, 4], np.int64)}
    return proto(nodes, {"x": ["N", 8]}, {"y": ["N", 2, 4]}, tensors)


def test_ids_are_those_of_no_rule():
    assert not {t.id for t in TOOLS} & {r.id for r in rules()}


@pytest.mark.parametrize("chosen", TOOLS, ids=lambda t: t.id)
def test_wrong_arguments_are_refused(chosen, worker):
    with pytest.raises(UsageError):
        apply(opened(conv()), chosen, {"nonsense": 1}, worker)


def test_freezing_then_folding_leaves_no_shape_chain(worker):
    model = opened(dynamic())
    frozen = used(model, "freeze-dims", worker, dims={"N": 3})
    assert [d.size for d in frozen.after.value(0, "x").shape] == [3, 8]
    assert [d.size for d in frozen.after.value(0, "y").shape] == [3, 2, 4]
    assert full_proto(frozen.after).graph.input[0].type.tensor_type.shape.dim[0].dim_value == 3
    assert proven(frozen, worker).status is Status.PASSED
    folded = used(frozen.after, "fold-constants", worker)
    assert ops(folded.after) == ["Reshape", "Relu"]
    assert {n.id for n in folded.after.main.nodes} <= {n.id for n in model.main.nodes}
    assert set(folded.after.main.initializers) == {"t"}
    assert proven(folded, worker).status is Status.PASSED


def test_freezing_says_what_it_cannot(worker):
    model = opened(dynamic())
    assert refused(model, "freeze-dims", worker, dims={}) == "none"
    assert refused(model, "freeze-dims", worker, dims={"M": 1}) == "unknown"
    assert refused(model, "freeze-dims", worker, dims={"N": 0}) == "size"
    assert refused(model, "freeze-dims", worker, dims={"N": "3"}) == "size"


def test_sizes_bound_for_the_analysis_are_not_folded(worker):
    assert refused(opened(dynamic(), {"N": 3}), "fold-constants", worker) == "bound"
    assert refused(opened(conv()), "fold-constants", worker) == "none"


def test_freezing_keeps_other_bound_sizes(worker):
    model = opened(proto([helper.make_node("Relu", ["x"], ["y"])], {"x": ["N", "C"]}, {"y": ["N", "C"]}), {"C": 5})
    frozen = used(model, "freeze-dims", worker, dims={"N": 3})
    assert dict(frozen.after.dims) == {"C": 5}
    assert full_proto(frozen.after).graph.input[0].type.tensor_type.shape.dim[1].dim_param == "C"


@pytest.mark.parametrize("ir", [3, 8])
def test_weights_are_computed_by_the_runtime(worker, ir):
    nodes = [
        helper.make_node("Mul", ["w", "k"], ["wk"], "scale"),
        helper.make_node("Transpose", ["wk"], ["wt"], "turn", perm=[1, 0]),
        helper.make_node("MatMul", ["x", "wt"], ["m"], "product"),
        helper.make_node("Exp", ["w"], ["constant"], "exp"),
    ]
    rng = np.random.default_rng(0)
    tensors = {"w": rng.standard_normal((6, 5)).astype(np.float32), "k": np.float32(0.3)}
    message = proto(nodes, {"x": [2, 5]}, {"m": [2, 6], "constant": [6, 5]}, tensors, ir=ir)
    if ir < 4:
        message.graph.input.extend(helper.make_tensor_value_info(n, 1, a.shape) for n, a in tensors.items())
    model = opened(message)
    built = used(model, "fold-constants", worker)
    assert [op for op in ops(built.after) if op != "Constant"] == ["MatMul", "Exp"]  # an output stays computed
    feed = {"x": np.ones((2, 5), np.float32)}
    for a, b in zip(run(model, feed), run(built.after, feed), strict=True):
        np.testing.assert_array_equal(a, b)


def test_one_of_several_outputs_is_not_folded_alone(worker):
    nodes = [
        helper.make_node("Split", ["w"], ["a", "b"], "split", axis=0),
        helper.make_node("Add", ["x", "a"], ["y"], "add"),
    ]
    model = proto(nodes, {"x": [2, 3]}, {"y": [2, 3], "b": [2, 3]}, {"w": np.ones((4, 3), np.float32)})
    assert refused(opened(model), "fold-constants", worker) == "large"


def test_quantised_weights_stay_quantised(worker):
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s"], ["wf"], "dq"),
        helper.make_node("MatMul", ["x", "wf"], ["y"], "product"),
    ]
    tensors = {"w": np.ones((5, 6), np.int8), "s": np.float32(0.1)}
    assert refused(opened(proto(nodes, {"x": [2, 5]}, {"y": [2, 6]}, tensors)), "fold-constants", worker) == "none"


def test_dead_nodes_and_weights_go_and_captured_ones_stay(worker):
    dead = [helper.make_node("Relu", ["x"], ["r"], "dead"), helper.make_node("Neg", ["r"], ["n"], "deader")]
    message = branching(extra=[helper.make_node("Abs", ["z"], ["x"], "read_by_bodies"), *dead])
    message.graph.input[0].name = "z"
    message.graph.initializer.append(helper.make_tensor("unread", 1, [1], [1.0]))
    built = used(opened(message), "remove-dead", worker)
    assert ops(built.after) == ["Abs", "If"]
    assert not built.after.main.initializers
    assert len(built.removed) == 2
    assert proven(built, worker).status is Status.PASSED
    assert refused(built.after, "remove-dead", worker) == "none"


def test_repeated_names_become_unique_in_bodies_too(worker):
    extra = [helper.make_node("Abs", ["z"], ["a"], "then_div"), helper.make_node("Neg", ["a"], ["x"], "then_div")]
    message = branching(extra=extra)
    message.graph.input[0].name = "z"
    model = opened(message)
    built = used(model, "rename-duplicates", worker)
    assert [n.name for n in built.after.main.nodes] == ["then_div", "then_div_2", "choice"]
    inner = full_proto(built.after).graph.node[2].attribute
    assert {n.name for a in inner for n in a.g.node} == {"then_div_3", "else_neg"}
    assert [n.id for n in built.after.nodes] == [n.id for n in model.nodes]
    assert (built.removed, built.added) == ((), ())
    result = proven(built, worker)  # though the runtime refuses the model with repeated names as it stands
    assert result.status is Status.PASSED
    assert refused(built.after, "rename-duplicates", worker) == "none"


def test_outputs_end_in_nhwc(worker):
    model = opened(conv())
    built = used(model, "nhwc-outputs", worker, outputs=[])
    assert built.after.main.outputs == ("y_nhwc",)
    assert [d.size for d in built.after.value(0, "y_nhwc").shape] == [1, 6, 6, 8]
    feed = {"x": np.random.default_rng(0).standard_normal((1, 3, 8, 8)).astype(np.float32)}
    np.testing.assert_array_equal(run(model, feed)[0].transpose(0, 2, 3, 1), run(built.after, feed)[0])
    result = proven(built, worker)
    assert (result.status, result.outputs[0].max_abs) == (Status.PASSED, 0.0)
    assert refused(model, "nhwc-outputs", worker, outputs=["z"]) == "unknown"


def test_opset_conversion_restores_metadata_and_keeps_ids_and_weights(worker):
    message = conv(channels=128)
    message.graph.node[0].metadata_props.add(key="origin", value="stem")
    message.graph.node[0].doc_string = "first"
    message.metadata_props.add(key="owner", value="us")
    model = opened(message)
    built = used(model, "convert-opset", worker, version=17)
    assert dict(built.after.opsets) == {"": 17}
    node = built.after.main.nodes[0]
    assert (node.proto.metadata_props[0].value, node.proto.doc_string) == ("stem", "first")
    assert [n.id for n in built.after.main.nodes] == [n.id for n in model.main.nodes]
    assert built.after.main.initializers["w"] is model.main.initializers["w"]
    assert {e.key for e in built.after.shell.metadata_props} == {"owner"}
    assert proven(built, worker).status is Status.PASSED


@pytest.mark.parametrize("mode", ["nearest", "linear"])
@pytest.mark.parametrize(("op", "opset"), [("Upsample", 9), ("Resize", 10)])
def test_sampling_stays_where_it_was(worker, op, opset, mode):
    node = helper.make_node(op, ["x", "s"], ["y"], "up", mode=mode)
    model = opened(
        proto([node], {"x": [1, 2, 5, 7]}, {"y": [1, 2, 10, 11]}, {"s": np.float32([1, 1, 2, 1.7])}, opset=opset, ir=4)
    )
    built = used(model, "convert-opset", worker, version=13)
    assert [op for op in ops(built.after) if op != "Constant"] == ["Resize"]
    result = proven(built, worker)
    assert result.status is Status.PASSED, result.reason


def test_an_operator_without_adapter_is_named(worker):
    nodes = [helper.make_node("Relu", ["x"], ["r"], "relu"), helper.make_node("HardSwish", ["r"], ["y"], "swish")]
    model = opened(proto(nodes, {"x": [1, 4]}, {"y": [1, 4]}, opset=14))
    answer = apply(model, tool("convert-opset"), {"version": 13}, worker)
    assert answer.key == "tool.convert-opset.no_operator"
    assert (answer.args["op"], answer.args["node"]) == ("HardSwish", "swish")
    reduce = helper.make_node("ReduceMean", ["x", "axes"], ["y"], "mean", keepdims=0)
    model = opened(proto([reduce], {"x": [1, 4]}, {"y": [1]}, {"axes": np.array([1], np.int64)}, opset=18))
    answer = apply(model, tool("convert-opset"), {"version": 11}, worker)
    assert answer.key == "tool.convert-opset.no_adapter"
    assert answer.args["op"] == "ReduceMean"


def test_opset_conversion_refuses_what_it_would_leave_behind(worker):
    assert refused(opened(branching()), "convert-opset", worker, version=15) == "bodies"
    assert refused(opened(conv()), "convert-opset", worker, version=13) == "same"
    assert refused(opened(conv()), "convert-opset", worker, version=99) == "range"


class Other:
    """A runner whose library gives back another model."""

    def __init__(self, runner, made):
        self._runner, self._made = runner, made
        self.infer_shapes, self.run = runner.infer_shapes, runner.run

    def transform(self, model, how, version=0):
        assert how is Transform.SIMPLIFY
        return self._made.SerializeToString()


def test_what_a_simplifier_says_is_compared(worker, monkeypatch):
    monkeypatch.setattr("inspector.rewrite.tools.simplify.find_spec", lambda _name: True)
    model, wrong = opened(conv()), conv()
    wrong.graph.node[1].op_type = "Abs"
    built = used(model, "simplify", Other(worker, wrong))
    assert proven(built, worker).status is Status.FAILED
    same = used(model, "simplify", Other(worker, conv()))
    assert proven(same, worker).status is Status.PASSED
    wrong.opset_import[0].version = 14
    assert refused(model, "simplify", Other(worker, wrong)) == "opset"
    wrong.graph.output[0].name = "c"
    assert refused(model, "simplify", Other(worker, wrong)) == "outputs"


def test_a_simplifier_is_refused_where_a_caller_may_feed_weights(worker, monkeypatch):
    message = conv()
    monkeypatch.setattr("inspector.rewrite.tools.simplify.find_spec", lambda _name: None)
    assert refused(opened(message), "simplify", worker) == "not_installed"
    message.graph.input.append(helper.make_tensor_value_info("w", 1, [8, 3, 3, 3]))
    assert refused(opened(message), "simplify", worker) == "overridable"


def test_a_recipe_holds_tools_and_their_arguments(worker):
    model = opened(dynamic())
    first = used(model, "freeze-dims", worker, dims={"N": 3})
    second = used(first.after, "fold-constants", worker)
    steps = read_recipe(write_recipe(steps_of([first, second])))
    again = list(replay(model, steps, runner=worker))
    assert [type(step) for step in again] == [Preview, Preview]
    assert full_proto(again[-1].after) == full_proto(second.after)
    (late,) = replay(first.after, steps[:1], runner=worker)
    assert isinstance(late, Refusal)
    assert late.reason.key == "tool.freeze-dims.unknown"
