"""Saved models as onnx 1.15, which the oldest toolchains ship, reads them: its own message types, IR and opset kept.

`onnx-1.15-descriptor.pb` is the serialised descriptor out of that version's `onnx_ml_pb2.py` (Apache-2.0). What it does
not know is skipped by protobuf, so that the part it does know must be a whole model by itself.
"""

from pathlib import Path

import onnx
import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

from inspector.model.load import load_model
from inspector.model.save import save_model
from tests.property.test_undo import DATA, STORED, accepted, opened

KNOWN_LATER = {("NodeProto", "overload"), ("NodeProto", "metadata_props")}


@pytest.fixture(scope="module")
def old_model():
    """The class `ModelProto` of onnx 1.15."""
    file = descriptor_pb2.FileDescriptorProto.FromString((DATA / "onnx-1.15-descriptor.pb").read_bytes())
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("onnx.ModelProto"))


def later_fields(new, old):
    """(message, field) pairs of *new*, a message of today, that the old descriptor does not have; nested ones too."""
    known = old.fields_by_name
    for field, value in new.ListFields():
        if field.name not in known:
            yield new.DESCRIPTOR.name, field.name
        elif field.message_type is not None:
            for item in value if field.is_repeated else (value,):
                yield from later_fields(item, known[field.name].message_type)


@pytest.mark.parametrize("pick", [0, 1, 5])
@pytest.mark.parametrize("name", STORED)
def test_a_saved_model_is_whole_for_an_old_reader(name, pick, tmp_path, old_model):
    after = accepted(opened(name), pick)
    assert after is not None
    path = tmp_path / "saved.onnx"
    save_model(after.model, path)
    source, saved = onnx.load(DATA / name), onnx.load(path)
    read = old_model.FromString(path.read_bytes())
    assert read.ir_version == source.ir_version
    assert [(o.domain, o.version) for o in read.opset_import] == [(o.domain, o.version) for o in source.opset_import]
    assert [(n.op_type, list(n.input), list(n.output)) for n in read.graph.node] == [
        (n.op_type, list(n.input), list(n.output)) for n in saved.graph.node
    ]
    assert set(later_fields(saved, old_model.DESCRIPTOR)) <= KNOWN_LATER
    read.DiscardUnknownFields()
    bare = onnx.ModelProto.FromString(read.SerializeToString())
    onnx.checker.check_model(bare, full_check=True)


def test_the_old_descriptor_is_the_old_one(old_model):
    assert "metadata_props" not in old_model.DESCRIPTOR.fields_by_name["graph"].message_type.fields_by_name
    assert Path(DATA / STORED[0]).is_file()
    assert load_model(DATA / STORED[0]).ir_version == old_model.FromString((DATA / STORED[0]).read_bytes()).ir_version
