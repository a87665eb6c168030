"""Shapes read off one run in the worker."""

from pathlib import Path

import pytest
from onnx import TensorProto, helper

from inspector.model.graph import MAIN, ShapeOrigin
from inspector.model.infer import infer_shapes
from inspector.model.load import from_bytes
from inspector.text import Message
from inspector.verify.observe import observe_shapes
from inspector.worker.client import WorkerClient


@pytest.fixture(scope="module")
def client():
    made = WorkerClient()
    yield made
    made.close()


def model(client, shape):
    nodes = [helper.make_node("NonZero", ["x"], ["n"]), helper.make_node("Transpose", ["n"], ["y"])]
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.INT64, None)],
    )
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    return infer_shapes(from_bytes(proto.SerializeToString(), Path("nonzero.onnx")), client)


def test_every_value_becomes_known_and_says_where_from(client):
    seen = observe_shapes(model(client, [2, 3]), client)
    assert [dim.size for dim in seen.value(MAIN, "n").shape] == [2, 6]
    assert [dim.size for dim in seen.value(MAIN, "y").shape] == [6, 2]
    assert seen.value(MAIN, "y").origin is ShapeOrigin.RUN
    assert observe_shapes(seen, client) is seen


def test_unbound_dimension_is_a_reason_not_a_guess(client):
    answer = observe_shapes(model(client, ["batch", 3]), client)
    assert isinstance(answer, Message)
