"""A graph that makes onnx abort costs its shapes, not the program."""

import pytest
from onnx import ModelProto, helper

from inspector.errors import WorkerCrashed
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.model.shape import static
from inspector.worker.client import InProcessRunner, ModelRefused
from inspector.worker.forked import ForkedRunner
from tests.helpers.models import conv, proto


def contradiction():
    """Split into two outputs that says it has one: native code of onnx up to 1.23 ends the process on it."""
    nodes = [
        helper.make_node("Split", ["x"], ["a", "b"], "split", num_outputs=1, axis=0),
        helper.make_node("Relu", ["x"], ["y"], "relu"),
    ]
    return proto(nodes, {"x": [4]}, {"y": [4]}, opset=18)


def test_the_answer_is_that_of_the_call_in_process():
    model = conv().SerializeToString()
    assert ForkedRunner().infer_shapes(model) == InProcessRunner().infer_shapes(model)


def test_a_refusal_keeps_its_reason():
    broken = conv()
    broken.graph.node[0].domain = "nobody.imports.it"
    with pytest.raises(ModelRefused) as inside:
        InProcessRunner().infer_shapes(broken.SerializeToString())
    with pytest.raises(ModelRefused) as outside:
        ForkedRunner().infer_shapes(broken.SerializeToString())
    assert outside.value.text() == inside.value.text()


def test_a_model_that_ends_the_process_is_told_and_opens_without_shapes():
    with pytest.raises(WorkerCrashed) as crashed:
        ForkedRunner().infer_shapes(contradiction().SerializeToString())
    assert "SIGABRT" in crashed.value.text()
    model = infer_shapes(from_proto(contradiction()), ForkedRunner())
    assert [w.key for w in model.warnings] == ["model.inference_failed"]
    assert static(model.value(0, "y").shape) == (4,)


def test_large_answers_come_through():
    nodes = [helper.make_node("Relu", [f"v{i}"], [f"v{i + 1}"]) for i in range(3000)]
    model = proto(nodes, {"v0": [1, 2]}, {"v3000": [1, 2]}).SerializeToString()
    assert len(ModelProto.FromString(ForkedRunner().infer_shapes(model)).graph.value_info) == 2999
