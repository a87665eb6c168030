"""Opening files: what is read, what is left in the file, and what a damaged file is told."""

import os
import zipfile

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.errors import ModelLoadError
from inspector.model.graph import GraphKind
from inspector.model.load import from_proto, load_model
from inspector.model.tensors import SLOT_PREFIX, location_of
from tests.helpers.models import conv, proto, write


def keys(model):
    return [w.key for w in model.warnings]


def test_opens_with_nodes_values_and_opsets(tmp_path):
    model = load_model(write(conv(), tmp_path / "m.onnx"))
    assert [(n.op.name, n.op.version, n.name) for n in model.nodes] == [("Conv", 13, "conv"), ("Relu", 13, "relu")]
    assert model.nodes[0].attributes["kernel_shape"] == (3, 3)
    assert [d.size for d in model.value(0, "w").shape] == [8, 3, 3, 3]
    assert model.producer(0, "c") is model.nodes[0]
    assert model.consumers(0, "c") == (model.nodes[1],)
    assert not model.warnings


def test_large_weights_stay_in_the_file_and_are_read_on_demand(tmp_path):
    model = load_model(write(conv(channels=64), tmp_path / "m.onnx"))
    tensor = model.main.initializers["w"]
    assert location_of(tensor).startswith(SLOT_PREFIX)
    assert len(model.to_proto().SerializeToString()) < 2000
    expected = numpy_helper.to_array(conv(channels=64).graph.initializer[0])
    assert np.array_equal(model.constant(0, "w"), expected)


@pytest.mark.parametrize("field", ["float_data", "int32_data", "int64_data", "double_data"])
def test_payloads_outside_raw_data_are_skipped_and_found_again(tmp_path, field):
    kind = {
        "float_data": TensorProto.FLOAT,
        "int32_data": TensorProto.INT32,
        "int64_data": TensorProto.INT64,
        "double_data": TensorProto.DOUBLE,
    }[field]
    values = np.arange(600) * 3
    tensor = helper.make_tensor("t", kind, [20, 30], values)
    assert getattr(tensor, field)
    model = proto([helper.make_node("Identity", ["x"], ["y"])], {"x": [1]}, {"y": [1]})
    model.graph.initializer.append(tensor)
    loaded = load_model(write(model, tmp_path / "m.onnx"))
    assert location_of(loaded.main.initializers["t"]).startswith(SLOT_PREFIX)
    assert np.array_equal(loaded.constant(0, "t"), values.reshape(20, 30))


def test_constants_and_bodies_are_skimmed_too(tmp_path):
    big = numpy_helper.from_array(np.arange(1000, dtype=np.float32), "big")
    body = helper.make_graph(
        [helper.make_node("Constant", [], ["k"], value=big), helper.make_node("Add", ["k", "outer"], ["b"])],
        "then",
        [],
        [helper.make_tensor_value_info("b", 1, [1000])],
    )
    model = proto(
        [
            helper.make_node("Relu", ["x"], ["outer"]),
            helper.make_node("If", ["c"], ["y"], "choice", then_branch=body, else_branch=body),
        ],
        {"x": [1000], "c": []},
        {"y": [1000]},
        dtypes={"c": TensorProto.BOOL},
    )
    loaded = load_model(write(model, tmp_path / "m.onnx"))
    assert [g.kind for g in loaded.graphs] == [GraphKind.MAIN, GraphKind.BODY, GraphKind.BODY]
    assert {g.path for g in loaded.graphs[1:]} == {"choice/then_branch", "choice/else_branch"}
    assert len(loaded.tensors) == 2
    choice = loaded.main.nodes[1]
    assert loaded.captures(choice) == ("outer",)
    assert choice in loaded.consumers(0, "outer")
    assert np.array_equal(loaded.constant(1, "k"), np.arange(1000, dtype=np.float32))
    assert loaded.value(1, "outer").name == "outer"


def test_local_functions_are_graphs_of_the_model():
    function = helper.make_function(
        "my", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])], [helper.make_opsetid("", 13)]
    )
    model = proto([helper.make_node("Twice", ["x"], ["y"], domain="my")], {"x": [2]}, {"y": [2]}, domains=["my"])
    model.functions.append(function)
    loaded = from_proto(model)
    assert loaded.graphs[1].kind is GraphKind.FUNCTION
    assert loaded.graphs[1].nodes[0].op.name == "Add"


def test_overridable_initializer_is_not_constant():
    model = conv()
    model.graph.input.append(helper.make_tensor_value_info("w", 1, [8, 3, 3, 3]))
    loaded = from_proto(model)
    assert loaded.main.inputs == ("x",)
    assert loaded.constant(0, "w") is None
    model.ir_version = 3  # where all initializers stand among the inputs
    assert from_proto(model).constant(0, "w") is not None


def test_names_that_are_not_utf8_become_readable(tmp_path):
    raw = conv().SerializeToString().replace(b"relu", b"r\xfflu")
    path = tmp_path / "m.onnx"
    path.write_bytes(raw)
    model = load_model(path)
    assert model.nodes[1].name == r"r\xfflu"
    assert keys(model) == ["model.names_not_utf8"]


def test_unsorted_nodes_are_sorted_and_said_so():
    model = conv()
    nodes = list(model.graph.node)[::-1]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    loaded = from_proto(model)
    assert [n.op.name for n in loaded.nodes] == ["Conv", "Relu"]
    assert keys(loaded) == ["model.not_sorted"]


@pytest.mark.parametrize(
    ("nodes", "key"),
    [
        ([("Relu", "b", "y"), ("Relu", "y", "b")], "model.cycle"),
        ([("Relu", "ghost", "y")], "model.dangling"),
        ([("Relu", "x", "y"), ("Abs", "x", "y")], "model.produced_twice"),
    ],
)
def test_broken_graphs_open_with_a_warning(nodes, key):
    made = [helper.make_node(op, [i], [o]) for op, i, o in nodes]
    assert key in keys(from_proto(proto(made, {"x": [1]}, {"y": [1]})))


def test_repeated_and_empty_names_are_labels_only():
    made = [helper.make_node("Relu", ["x"], ["a"], "n"), helper.make_node("Relu", ["a"], ["y"], "n")]
    made.append(helper.make_node("Relu", ["y"], ["z"]))
    model = from_proto(proto(made, {"x": [1]}, {"z": [1]}))
    assert keys(model) == ["model.repeated_names"]
    assert [n.label for n in model.nodes] == ["n", "n", "z"]
    assert len({n.id for n in model.nodes}) == 3


def _zip(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.onnx", b"x")


GOOD = conv(channels=64).SerializeToString()
NOT_MODELS = {
    "empty_file": (b"", "model.empty_file"),
    "text": (b"hello, this is not a protobuf\n" * 20, "model.damaged_file"),
    "noise": (np.random.default_rng(0).bytes(4096), "model.not_onnx"),
    "half": (GOOD[: len(GOOD) // 2], "model.damaged_file"),
    "last byte missing": (GOOD[:-1], "model.damaged_file"),
    "garbage behind": (GOOD + b"\xff\xff\xff\xffgarbage", "model.damaged_file"),
    "tensor": (numpy_helper.from_array(np.arange(6.0), "t").SerializeToString(), "model.not_onnx"),
    "no graph": (b"\x08\x08", "model.no_graph"),
    "json": (b'{"irVersion":"8"}', "model.not_onnx"),
    "length of 4 GiB": (b"\x08\x08\x3a\xff\xff\xff\xff\x0f", "model.damaged_file"),
    "PNG": (b"\x89PNG\r\n\x1a\n" + b"0" * 100, "model.other_format"),
}


@pytest.mark.parametrize("name", NOT_MODELS)
def test_what_is_not_a_model_is_refused_with_a_reason(tmp_path, name):
    data, key = NOT_MODELS[name]
    path = tmp_path / "m.onnx"
    path.write_bytes(data)
    with pytest.raises(ModelLoadError) as refused:
        load_model(path)
    assert refused.value.message.key == key
    assert str(path) in refused.value.text("en")
    assert str(path) in refused.value.text("zh_CN")
    assert refused.value.exit_code == 3


def test_folder_missing_file_archive_pipe_and_link_loop(tmp_path):
    _zip(tmp_path / "z.onnx")
    os.mkfifo(tmp_path / "pipe.onnx")
    (tmp_path / "a.onnx").symlink_to("b.onnx")
    (tmp_path / "b.onnx").symlink_to("a.onnx")
    for name, key in (
        (".", "model.is_folder"),
        ("none.onnx", "model.no_file"),
        ("z.onnx", "model.other_format"),
        ("pipe.onnx", "model.not_regular"),
        ("a.onnx", "model.unreadable"),
    ):
        with pytest.raises(ModelLoadError) as refused:
            load_model(tmp_path / name)
        assert refused.value.message.key == key


def test_deep_nesting_is_refused_not_crashed(tmp_path):
    inner = b"\x12" + b"\x04" + b"deep"
    filler = b"\x52" + bytes([0x80, 0x10]) + b"d" * 2048  # doc_string, so that every level is large enough to descend
    for _ in range(300):
        graph = inner + filler
        attribute = b"\x32" + _length(graph) + graph
        node = b"\x2a" + _length(attribute) + attribute
        inner = b"\x0a" + _length(node) + node
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x08\x3a" + _length(inner) + inner)
    with pytest.raises(ModelLoadError):
        load_model(path)


def _length(data):
    value, out = len(data), bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def test_odd_headers_are_warned_about():
    model = conv()
    model.ir_version = 99
    model.opset_import[0].version = 999
    assert keys(from_bytes(model)) == ["model.ir_future", "model.opset_unknown"]


def from_bytes(model):
    from pathlib import Path

    from inspector.model.load import from_bytes as read

    return read(model.SerializeToString(), Path("m.onnx"))


def test_unproduced_output_unknown_dtype_and_impossible_sizes_are_warned_about():
    model = conv()
    model.graph.output[0].name = "ghost"
    model.graph.initializer.append(onnx.TensorProto(name="odd", data_type=77, dims=[1]))
    model.graph.initializer.append(onnx.TensorProto(name="huge", data_type=1, dims=[1 << 40, 1 << 20]))
    assert keys(from_bytes(model)) == ["model.output_not_produced", "model.dtype_unknown", "model.tensor_size_odd"]


def test_an_initializer_that_is_stored_twice_is_warned_about():
    model = conv()
    model.graph.initializer.append(model.graph.initializer[0])
    assert keys(from_bytes(model)) == ["model.produced_twice"]
