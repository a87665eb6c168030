"""A node on the clipboard: YAML that reads back, and says what the inspector says."""

import numpy as np
import yaml
from onnx import helper

from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto
from inspector.placement.catalog import load_catalog, resolve_target
from inspector.placement.engine import place
from inspector.report.node_text import attributes_yaml, node_yaml
from inspector.worker.client import InProcessRunner
from tests.helpers.models import proto


def judged(*nodes, tensors=None):
    made = proto(list(nodes), {"x": [1, 4, "rows", 8]}, {"y": [1, 4, "rows", 8]}, tensors)
    model = infer_shapes(from_proto(made), InProcessRunner())
    catalog = load_catalog()
    return model, place(model, catalog, resolve_target(catalog, "x3"))


def test_yaml_reads_back_with_verdict_and_checks():
    node = helper.make_node("LeakyRelu", ["x"], ["y"], "a: 'b'\n#c", alpha=0.1)
    model, placement = judged(node)
    verdict = placement.verdicts[model.nodes[0].id]
    read = yaml.safe_load(node_yaml(model, verdict, "zh_CN"))
    assert read["name"] == "a: 'b'\n#c"
    assert read["op"] == "LeakyRelu"
    assert read["attributes"] == {"alpha": 0.1}
    assert read["inputs"] == [{"name": "x", "dtype": "float32", "shape": [1, 4, "rows", 8]}]
    assert read["verdict"] == verdict.verdict.value
    assert [check["clause"] for check in read["checks"]] == [check.clause for check in verdict.checks]


def test_attributes_alone_stand_on_one_line_each():
    node = helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[3, 3], pads=[1, 1, 1, 1])
    model, _ = judged(node)
    assert attributes_yaml(model.nodes[0]) == "kernel_shape: [3, 3]\npads: [1, 1, 1, 1]\n"


def test_a_node_without_attributes_gives_nothing_to_copy():
    model, _ = judged(helper.make_node("Relu", ["x"], ["y"]))
    assert attributes_yaml(model.nodes[0]) == ""


def test_long_lists_tensors_and_graphs_are_told_by_their_size():
    long = helper.make_node("Custom", ["x"], ["y"], domain="d", many=list(range(100)), tensor=_tensor(), body=_body())
    made = proto([long], {"x": [1]}, {"y": [1]}, domains=["d"])
    read = yaml.safe_load(attributes_yaml(from_proto(made).nodes[0]))
    assert len(read["many"]) == 65
    assert read["many"][-1] == "... 100 entries"
    assert read["tensor"] == "tensor 2x3"
    assert read["body"] == "graph"


def _tensor():
    return helper.make_tensor("t", 1, [2, 3], np.zeros(6, np.float32))


def _body():
    return helper.make_graph([], "g", [], [])
