"""The table of verdict counts."""

import numpy as np
import onnx
from onnx import helper

from benchmarks.sweep import Row, document, merged, sweep
from inspector.placement.catalog import load_catalog
from tests.helpers.models import proto

CATALOG = load_catalog()


def test_a_model_is_placed_on_every_platform(tmp_path):
    weight = np.zeros((16, 16, 1, 1), np.float32)
    nodes = [helper.make_node("Conv", ["x", "w"], ["a"]), helper.make_node("Abs", ["a"], ["y"])]
    made = proto(nodes, {"x": [1, 16, 8, 8]}, {"y": [1, 16, 8, 8]}, {"w": weight}, opset=12, ir=7)
    onnx.save(made, tmp_path / "m.onnx")
    (tmp_path / "broken.onnx").write_bytes(b"PK")
    broken, row = sweep([tmp_path / "broken.onnx", tmp_path / "m.onnx"], CATALOG)
    assert list(row.cells) == [*(platform.id for platform in CATALOG.platforms), "j6p QAT"]
    assert row.nodes == 2
    assert row.cells["x3"] == "1/1/0/0/0 +1"
    assert row.cells["j6p"] == "2/0/0/0/0"
    assert (broken.cells, broken.nodes) == ({}, None)
    text = document([broken, row], "0123abcd")
    assert "2 models, 13 placements, 1 that could not be made" in text
    assert "| m.onnx | 2 | 1/1/0/0/0 +1 |" in text
    assert str(tmp_path) not in text.replace(broken.reason, "")


def test_columns_that_are_equal_for_every_model_are_one():
    rows = [
        Row("a", 1, {"p": "1", "q": "1", "r": "2"}),
        Row("b", 1, {"p": "1", "q": "2", "r": "2"}),
        Row("c", None, {}),
    ]
    assert merged(rows) == {"p": ["p"], "q": ["q"], "r": ["r"]}
    assert merged(rows[:1]) == {"p": ["p", "q"], "r": ["r"]}
