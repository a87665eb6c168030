"""Files of a model: the external ones as the model names them, and whether a file is still the same."""

import hashlib
import os

import numpy as np
import onnx
from onnx import helper

from inspector.model.files import external_files, sha256, stamp
from inspector.model.load import from_proto, load_model
from tests.helpers.models import conv, proto


def save_outside(path, location="w.bin"):
    model = proto(
        [helper.make_node("Add", ["x", "w"], ["y"], "add")],
        {"x": [64, 64]},
        {"y": [64, 64]},
        {"w": np.ones((64, 64), np.float32)},
    )
    onnx.save(model, str(path), save_as_external_data=True, location="w.bin", size_threshold=0)
    if location != "w.bin":
        raw = onnx.load(str(path), load_external_data=False)
        raw.graph.initializer[0].external_data[0].value = location
        onnx.save(raw, str(path))
    return path


def test_external_files_are_named_once(tmp_path):
    model = load_model(save_outside(tmp_path / "m.onnx"))
    assert external_files(model) == (tmp_path / "w.bin",)
    (tmp_path / "w.bin").unlink()
    assert external_files(load_model(tmp_path / "m.onnx")) == (tmp_path / "w.bin",), "missing ones too"


def test_files_outside_the_folder_are_not_looked_at(tmp_path):
    (tmp_path / "sub").mkdir()
    model = load_model(save_outside(tmp_path / "sub" / "m.onnx", "../../etc/passwd"))
    assert external_files(model) == ()
    assert external_files(from_proto(conv())) == ()


def test_stamp_and_hash(tmp_path):
    path = tmp_path / "a"
    assert stamp(path) is None
    path.write_bytes(b"abc" * 700_000)
    before = stamp(path)
    os.utime(path, ns=(1, 1))
    assert stamp(path) != before
    assert sha256(path) == hashlib.sha256(path.read_bytes()).hexdigest()
    assert sha256(path, lambda: True) == ""
