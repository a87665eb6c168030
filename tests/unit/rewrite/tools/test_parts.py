"""Parts of a model: what crosses a border, what stands in both, and that head and tail together are the model."""

import numpy as np
import onnx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from onnx import TensorProto, helper

from inspector.model.graph import Model
from inspector.model.infer import infer_shapes
from inspector.model.save import full_proto
from inspector.rewrite.tools.parts import between, cut, extract
from inspector.text import Message
from inspector.verify.parts import verify_parts
from inspector.verify.result import Status
from inspector.worker.client import InProcessRunner, WorkerClient
from tests.helpers.models import proto
from tests.helpers.rewriting import opened, run

SHAPE = [1, 4, 6, 6]
info = helper.make_tensor_value_info


@pytest.fixture(scope="module")
def worker():
    with WorkerClient() as client:
        yield client


def tangled(**options):
    """Two Convs that share a weight, a Shape branch, an If whose bodies capture an early tensor, two outputs."""
    then = helper.make_graph([helper.make_node("Add", ["r", "k"], ["t"])], "then", [], [info("t", 1, SHAPE)])
    other = helper.make_graph([helper.make_node("Neg", ["c2"], ["e"])], "other", [], [info("e", 1, SHAPE)])
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["c1"], "conv1", pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["r"], "relu"),
        helper.make_node("Shape", ["r"], ["s"], "shape"),
        helper.make_node("Conv", ["r", "w"], ["c2"], "conv2", pads=[1, 1, 1, 1]),
        helper.make_node("Sigmoid", ["c2"], ["early"], "sigmoid"),
        helper.make_node("If", ["flag"], ["i"], "if", then_branch=then, else_branch=other),
        helper.make_node("Reshape", ["i", "s"], ["m"], "reshape"),
        helper.make_node("Tanh", ["m"], ["late"], "tanh"),
    ]
    rng = np.random.default_rng(0)
    tensors = {"w": rng.standard_normal((4, 4, 3, 3)).astype(np.float32) * 0.2, "k": np.float32(0.5)}
    message = proto(
        nodes,
        {"x": SHAPE, "flag": []},
        {"early": SHAPE, "late": SHAPE},
        tensors,
        dtypes={"flag": TensorProto.BOOL},
        **options,
    )
    if message.ir_version < 4:
        message.graph.input.extend(info(name, 1, array.shape) for name, array in tensors.items())
    return message


def ids(model, *names):
    return [node.id for node in model.main.nodes if node.name in names]


def valid(part):
    assert isinstance(part, Model), part
    onnx.checker.check_model(full_proto(part), full_check=True)
    return infer_shapes(part, InProcessRunner())


def test_what_a_cut_crosses():
    model = opened(tangled())
    head, tail = cut(model, ["c2"])
    valid(head)
    valid(tail)
    assert (head.main.inputs, head.main.outputs) == (("x",), ("r", "c2"))
    assert set(tail.main.inputs) == {"c2", "r", "flag"}
    assert tail.main.outputs == ("early", "late")
    assert set(head.main.initializers) == {"w"}
    assert set(tail.main.initializers) == {"k"}  # read by a body alone


@pytest.mark.parametrize("ir", [3, 8])
@pytest.mark.parametrize("at", [["c1"], ["r"], ["c2"], ["i"], ["early"], ["m", "early"], ["s"]])
def test_head_and_tail_are_bit_equal_to_the_model(worker, at, ir):
    model = opened(tangled(ir=ir))
    parts = cut(model, at)
    assert not isinstance(parts, Message)
    feed = {"x": np.random.default_rng(2).standard_normal(SHAPE).astype(np.float32), "flag": np.array(True)}
    known = dict(feed)
    for part in parts:
        valid(part)
        outputs = run(part, {name: known[name] for name in part.main.inputs})
        known.update(zip(part.main.outputs, outputs, strict=True))
    for name, expected in zip(model.main.outputs, run(model, feed), strict=True):
        np.testing.assert_array_equal(known[name], expected)
    assert verify_parts(model, parts, worker).status is Status.PASSED


def test_a_wrong_part_is_found(worker):
    model = opened(tangled())
    head, _ = cut(model, ["c2"])
    wrong = tangled()
    wrong.graph.node[4].op_type = "Softplus"
    bad = cut(opened(wrong), ["c2"])[1]
    result = verify_parts(model, (head, bad), worker)
    assert result.status is Status.FAILED
    assert result.reason.args["tensor"] == "early"


def test_open_sizes_are_not_proven_but_may_be_given(worker):
    message = proto(
        [helper.make_node("Relu", ["x"], ["r"], "relu"), helper.make_node("Neg", ["r"], ["y"], "neg")],
        {"x": ["n", 4]},
        {"y": ["n", 4]},
    )
    model = opened(message)
    parts = cut(model, ["r"])
    assert parts[0].shell.graph.output[0].type.tensor_type.shape.dim[0].dim_param == "n"
    assert verify_parts(model, parts, worker).status is Status.INCONCLUSIVE
    assert verify_parts(model, parts, worker, dims={"n": 3}).status is Status.PASSED


def test_sizes_bound_for_the_analysis_are_not_written():
    message = proto(
        [helper.make_node("Flatten", ["x"], ["r"], "flat"), helper.make_node("Neg", ["r"], ["y"], "neg")],
        {"x": ["n", 4]},
        {"y": ["n", 4]},
    )
    head, tail = cut(opened(message, {"n": 3}), ["r"])
    for dim in (
        head.shell.graph.output[0].type.tensor_type.shape.dim[0],
        tail.shell.graph.input[0].type.tensor_type.shape.dim[0],
    ):
        assert not dim.HasField("dim_value")


def test_the_selection_becomes_a_model():
    model = opened(tangled())
    part = valid(extract(model, ids(model, "conv2", "sigmoid")))
    assert (part.main.inputs, part.main.outputs) == (("r",), ("c2", "early"))
    assert [n.name for n in part.main.nodes] == ["conv2", "sigmoid"]


def test_nodes_between_tensors():
    model = opened(tangled())
    names = [model.node(n).name for n in between(model, ["r"], ["early"])]
    assert names == ["conv2", "sigmoid"]
    assert between(model, [], ["nothing"]).key == "tool.extract.unknown"


def test_what_cannot_be_taken_is_said():
    model = opened(tangled())
    assert cut(model, ["x"]).key == "tool.cut.not_computed"
    assert cut(model, []).key == "tool.cut.none"
    assert cut(model, ["early", "late"]).key == "tool.cut.nothing_behind"
    assert extract(model, []).key == "tool.extract.none"
    inner = next(n.id for n in model.nodes if n.graph)
    dead = tangled()
    dead.graph.node.append(helper.make_node("Neg", ["x"], ["unread"], "dead"))
    assert extract(opened(dead), ids(opened(dead), "dead")).key == "tool.extract.no_output"
    assert extract(model, [inner]).key == "tool.extract.inner"


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chosen=st.sets(st.integers(0, 7), min_size=1))
def test_any_selection_is_a_valid_model_that_computes_the_same(chosen):
    model = opened(tangled())
    part = extract(model, [model.main.nodes[i].id for i in chosen])
    valid(part)
    whole = full_proto(model)
    present = {o.name for o in whole.graph.output}
    names = [n for n in (*part.main.inputs, *part.main.outputs) if n not in (*present, "x", "flag")]
    whole.graph.output.extend(onnx.ValueInfoProto(name=n) for n in dict.fromkeys(names))
    feed = {"x": np.random.default_rng(3).standard_normal(SHAPE).astype(np.float32), "flag": np.array(False)}
    exposed = opened_outputs(whole, feed) | feed
    found = run(part, {name: exposed[name] for name in part.main.inputs})
    for name, array in zip(part.main.outputs, found, strict=True):
        np.testing.assert_array_equal(array, exposed[name])


def opened_outputs(message, feed):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(message.SerializeToString(), options, providers=["CPUExecutionProvider"])
    names = [o.name for o in session.get_outputs()]
    return dict(zip(names, session.run(None, feed), strict=True))
