"""Measuring placements against real ones."""

import gzip
import json

import numpy as np
from onnx import helper

from benchmarks.truth import document, run
from inspector.placement.catalog import load_catalog
from tests.helpers.models import proto

CATALOG = load_catalog()


def folder(tmp_path, **placed):
    """A folder with one graph, Conv -> Abs -> Conv on X3, and its real placement."""
    weight = np.zeros((16, 16, 1, 1), np.float32)
    nodes = [
        helper.make_node("Conv", ["x", "w"], ["a"], name="first"),
        helper.make_node("Abs", ["a"], ["b"], name="abs"),
        helper.make_node("Conv", ["b", "w"], ["y"], name="last"),
    ]
    made = proto(nodes, {"x": [1, 16, 8, 8]}, {"y": [1, 16, 8, 8]}, {"w": weight}, opset=11, ir=7)
    (tmp_path / "models").mkdir()
    (tmp_path / "truth").mkdir()
    (tmp_path / "models" / "g.onnx.gz").write_bytes(gzip.compress(made.SerializeToString()))
    real = {name: {"op": "Op", **entry} for name, entry in placed.items()}
    (tmp_path / "truth" / "g.json").write_text(json.dumps({"march": "bernoulli2", "nodes": real}))
    return tmp_path


def test_agreement_has_no_reasons(tmp_path, capsys):
    graphs = run(folder(tmp_path, first={"on": "BPU"}, abs={"on": "CPU"}, last={"on": "unknown"}), [], CATALOG, 20)
    assert "wrong nodes: {'bernoulli2': 0}" in capsys.readouterr().out
    text = document(graphs, "0123abcd")
    assert "2 of 2 nodes agree. 1 of 1 real CPU nodes are found; 0 BPU nodes" in text
    assert "| g | bernoulli2 | 2 | 2 | 1 | 1 of 1 | 0 | 0 | 0 | 1 | 0 |" in text
    assert text.endswith("## Disagreements\n\nNone.\n")


def test_every_disagreement_names_what_decided(tmp_path):
    real = {"abs": {"on": "BPU"}, "first": {"on": "CPU"}, "gone": {"on": "BPU"}}
    text = document(run(folder(tmp_path, **real), [], CATALOG, 0), "0123abcd")
    assert "0 of 3 nodes agree. 0 of 1 real CPU nodes are found; 2 BPU nodes" in text
    assert "- g: abs (Op): BPU, predicted CPU. What decided: abs.bpu: " in text
    assert "- g: first (Op): CPU, predicted BPU. What decided: every limit is met" in text
    assert "- g: gone (Op): BPU, predicted UNKNOWN. What decided: the graph has no such node" in text


def test_a_compiler_message_outranks_the_row_and_a_host_on_the_cpu_excuses(tmp_path):
    real = {"abs": {"on": "BPU", "cpu_notice": True}, "first": {"on": "absent", "into": "abs"}}
    (graph,) = run(folder(tmp_path, **real), ["g"], CATALOG, 0)
    assert graph.score.wrong == []
