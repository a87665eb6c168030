"""Saving: nothing lost, nothing overwritten, weights where they were."""

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from inspector.errors import SaveError
from inspector.model.edit import Editor
from inspector.model.infer import infer_shapes
from inspector.model.load import from_proto, load_model
from inspector.model.save import full_proto, save_model, write_runtime
from inspector.worker.client import InProcessRunner
from tests.helpers.models import conv, proto, write

WEIGHT = conv(channels=64).graph.initializer[0].raw_data


def rich():
    """A model with everything that a save must keep."""
    model = conv(channels=64)
    model.doc_string = "about"
    model.producer_name, model.producer_version, model.domain, model.model_version = "p", "1.2", "d", 7
    helper.set_model_props(model, {"author": "me"})
    model.graph.doc_string = "graph doc"
    model.graph.node[0].doc_string = "node doc"
    entry = model.graph.node[0].metadata_props.add()
    entry.key, entry.value = "pkg.torch.onnx.name_scopes", "['a', 'b']"
    model.graph.value_info.append(helper.make_tensor_value_info("c", 1, [1, 64, 6, 6]))
    big = numpy_helper.from_array(np.arange(1000, dtype=np.float32), "big")
    model.graph.node.append(helper.make_node("Constant", [], ["k"], value=big))
    return model


def test_load_then_save_gives_the_same_model(tmp_path):
    original = rich()
    model = load_model(write(original, tmp_path / "m.onnx"))
    written = save_model(model, tmp_path / "out.onnx")
    assert written == (tmp_path / "out.onnx",)
    assert onnx.load(tmp_path / "out.onnx") == original


def test_metadata_is_added_and_replaced(tmp_path):
    model = load_model(write(rich(), tmp_path / "m.onnx"))
    save_model(model, tmp_path / "out.onnx", metadata={"author": "you", "steps": "[]"})
    saved = {e.key: e.value for e in onnx.load(tmp_path / "out.onnx").metadata_props}
    assert saved == {"author": "you", "steps": "[]"}


def test_source_and_existing_files_are_never_overwritten(tmp_path):
    source = write(conv(), tmp_path / "m.onnx")
    model = load_model(source)
    other = tmp_path / "other.onnx"
    other.write_bytes(b"mine")
    (tmp_path / "alias.onnx").hardlink_to(source)
    before = source.read_bytes()
    for target, overwrite in ((source, False), (source, True), (tmp_path / "alias.onnx", True), (other, False)):
        with pytest.raises(SaveError):
            save_model(model, target, overwrite=overwrite)
    assert source.read_bytes() == before
    assert other.read_bytes() == b"mine"
    save_model(model, other, overwrite=True)
    assert onnx.load(other) == conv()
    with pytest.raises(SaveError) as refused:
        save_model(model, tmp_path / "no" / "folder.onnx")
    assert refused.value.message.key == "model.no_folder"


def test_a_failed_save_leaves_nothing_behind(tmp_path, monkeypatch):
    model = load_model(write(conv(channels=64), tmp_path / "m.onnx"))
    folder = tmp_path / "out"
    folder.mkdir()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("inspector.model.save.os.fsync", full)
    with pytest.raises(SaveError, match="no space left") as refused:
        save_model(model, folder / "m.onnx")
    assert "another folder" in refused.value.text("en")
    assert not list(folder.iterdir())


def external_model(folder):
    model = conv(channels=64)
    onnx.save(model, folder / "m.onnx", save_as_external_data=True, location="m.weights", size_threshold=0)
    return folder / "m.onnx"


def test_external_layout_is_kept_in_the_same_folder(tmp_path):
    model = load_model(external_model(tmp_path))
    assert save_model(model, tmp_path / "out.onnx") == (tmp_path / "out.onnx",)
    tensor = onnx.load(tmp_path / "out.onnx", load_external_data=False).graph.initializer[0]
    assert {e.key: e.value for e in tensor.external_data}["location"] == "m.weights"
    assert onnx.load(tmp_path / "out.onnx").graph.initializer[0].raw_data == WEIGHT


@pytest.mark.parametrize("elsewhere", [False, True])
def test_new_weights_go_outside_where_the_others_are(tmp_path, elsewhere):
    model = load_model(external_model(tmp_path))
    conv_node = model.nodes[0]
    editor = Editor(model, rule="r")
    editor.remove(conv_node.id)
    doubled = editor.tensor(np.asarray(model.constant(0, "w")) * 2, "w")
    editor.node("Conv", ("x", doubled), conv_node.outputs, base=conv_node, kernel_shape=[3, 3])
    folder = tmp_path / "other" if elsewhere else tmp_path
    folder.mkdir(exist_ok=True)
    written = save_model(editor.finish(), folder / "out.onnx")
    assert written == (folder / "out.onnx", folder / "out.onnx.data")
    bare = onnx.load(folder / "out.onnx", load_external_data=False)
    assert all(t.data_location == TensorProto.EXTERNAL for t in bare.graph.initializer)
    weights = numpy_helper.to_array(onnx.load(folder / "out.onnx").graph.initializer[0])
    assert np.array_equal(weights, np.asarray(model.constant(0, "w")) * 2)


def test_external_data_moves_along_into_another_folder(tmp_path):
    model = load_model(external_model(tmp_path))
    other = tmp_path / "other"
    other.mkdir()
    written = save_model(model, other / "out.onnx")
    assert written == (other / "out.onnx", other / "out.onnx.data")
    assert onnx.load(other / "out.onnx").graph.initializer[0].raw_data == WEIGHT


def test_runtime_file_binds_dims_and_exposes_values(tmp_path):
    dynamic = proto(
        [helper.make_node("Relu", ["x"], ["a"]), helper.make_node("Neg", ["a"], ["y"])],
        {"x": ["n", 2]},
        {"y": ["n", 2]},
    )
    model = infer_shapes(from_proto(dynamic), InProcessRunner(), {"n": 4})
    written = onnx.load(write_runtime(model, tmp_path, extra_outputs=["a", "y"]))
    assert written.graph.input[0].type.tensor_type.shape.dim[0].dim_value == 4
    assert [o.name for o in written.graph.output] == ["y", "a"]
    onnx.checker.check_model(written, full_check=True)


def test_runtime_file_above_the_inline_limit_uses_a_data_file(tmp_path, monkeypatch):
    monkeypatch.setattr("inspector.model.save.INLINE_LIMIT_BYTES", 100)
    model = load_model(write(conv(channels=64), tmp_path / "m.onnx"))
    folder = tmp_path / "run"
    folder.mkdir()
    path = write_runtime(model, folder)
    assert len(list(folder.iterdir())) == 2
    assert onnx.load(path).graph.initializer[0].raw_data == WEIGHT


def test_full_proto_has_every_weight_inline():
    assert full_proto(from_proto(rich())) == rich()


def test_tensors_in_bodies_and_sparse_ones_are_restored(tmp_path):
    big = numpy_helper.from_array(np.arange(1000, dtype=np.float32), "big")
    body = helper.make_graph(
        [helper.make_node("Identity", ["big"], ["b"])], "t", [], [helper.make_tensor_value_info("b", 1, [1000])], [big]
    )
    model = proto(
        [helper.make_node("If", ["c"], ["y"], then_branch=body, else_branch=body)],
        {"c": []},
        {"y": [1000]},
        dtypes={"c": TensorProto.BOOL},
    )
    loaded = load_model(write(model, tmp_path / "m.onnx"))
    assert len(loaded.tensors) == 2
    save_model(loaded, tmp_path / "out.onnx")
    assert onnx.load(tmp_path / "out.onnx") == model


def test_a_file_that_holds_weights_is_never_overwritten(tmp_path):
    onnx.save(conv(), tmp_path / "m.onnx", save_as_external_data=True, location="weights.bin", size_threshold=0)
    before = (tmp_path / "weights.bin").read_bytes()
    with pytest.raises(SaveError) as caught:
        save_model(load_model(tmp_path / "m.onnx"), tmp_path / "weights.bin", overwrite=True)
    assert caught.value.message.key == "model.save_over_data"
    assert (tmp_path / "weights.bin").read_bytes() == before


@pytest.mark.parametrize("name", ["", "..", "o" * 300, "missing/m.onnx"])
def test_a_place_that_takes_no_file_is_refused_with_a_reason(tmp_path, name):
    with pytest.raises(SaveError):
        save_model(from_proto(conv()), tmp_path / name)
    assert not list(tmp_path.iterdir())
