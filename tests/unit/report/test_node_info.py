"""The `node_info` entry is what a build configuration takes, and tells of nodes it cannot name."""

import onnx
import yaml
from onnx import TensorProto, helper

from inspector.model.load import load_model
from inspector.placement.target import Device, Qtype
from inspector.report.node_info import node_info

AWKWARD = '/v2/"quoted": {Softmax}, 中文'


def model_of(tmp_path, *names):
    nodes = [helper.make_node("Relu", [f"v{i}"], [f"v{i + 1}"], name=name) for i, name in enumerate(names)]
    ends = [helper.make_tensor_value_info(v, TensorProto.FLOAT, [1, 4]) for v in ("v0", f"v{len(names)}")]
    graph = helper.make_graph(nodes, "chain", ends[:1], ends[1:])
    path = tmp_path / "chain.onnx"
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)]), str(path))
    return load_model(path)


def read_back(info):
    return yaml.safe_load("model_parameters:\n  march: nash-e\n" + info.text + "\ninput_parameters: {}\n")


def test_it_reads_back_under_model_parameters(tmp_path):
    model = model_of(tmp_path, "a", "b", AWKWARD, "d")
    a, b, c, _ = (node.id for node in model.nodes)
    info = node_info(model, {a: Device.CPU, b: Device.BPU}, {b: Qtype.INT16, c: Qtype.INT8})
    assert read_back(info)["model_parameters"]["node_info"] == {
        "a": {"ON": "CPU"},
        "b": {"ON": "BPU", "InputType": "int16", "OutputType": "int16"},
        AWKWARD: {"InputType": "int8", "OutputType": "int8"},
    }
    assert info.unnamed == ()


def test_a_node_on_the_cpu_has_no_number_format(tmp_path):
    model = model_of(tmp_path, "a")
    node = model.nodes[0].id
    info = node_info(model, {node: Device.CPU}, {node: Qtype.INT16})
    assert read_back(info)["model_parameters"]["node_info"] == {"a": {"ON": "CPU"}}


def test_nodes_that_no_name_finds_are_told(tmp_path):
    model = model_of(tmp_path, "", "twice", "twice", "own")
    forced = {node.id: Device.CPU for node in model.nodes}
    info = node_info(model, forced, {})
    assert set(read_back(info)["model_parameters"]["node_info"]) == {"own"}
    assert info.unnamed == tuple(node.id for node in model.nodes[:3])


def test_nothing_to_say_is_no_text(tmp_path):
    model = model_of(tmp_path, "")
    assert node_info(model, {}, {}).text == ""
    assert node_info(model, {model.nodes[0].id: Device.CPU}, {}).text == ""
    assert node_info(model, {model.nodes[0].id + 1000: Device.CPU}, {}).unnamed == ()
