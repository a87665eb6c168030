"""External data: only regular files inside the model's folder, only when asked, and only if the sizes agree."""

import os

import numpy as np
import onnx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from onnx import TensorProto, numpy_helper

from inspector.errors import TensorDataError
from inspector.model.dtype import DType, from_numpy
from inspector.model.load import load_model
from inspector.model.tensors import INLINE_LIMIT_BYTES, TensorStore, location_of
from tests.helpers.models import conv, write

WEIGHT = numpy_helper.to_array(conv().graph.initializer[0])


def external(folder, **entries):
    """conv() with its weight in another file, described by *entries*."""
    model = conv()
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in entries.items():
        entry = tensor.external_data.add()
        entry.key, entry.value = key, str(value)
    return write(model, folder / "m.onnx")


def test_external_data_is_read_lazily(tmp_path):
    path = external(tmp_path, location="w.bin", offset=16, length=WEIGHT.nbytes)
    (tmp_path / "w.bin").write_bytes(b"0" * 16 + WEIGHT.tobytes())
    model = load_model(path)
    assert not model.warnings
    (tmp_path / "w.bin").write_bytes(b"1" * 16 + (WEIGHT * 2).tobytes())
    assert np.array_equal(model.constant(0, "w"), WEIGHT * 2)


def test_missing_data_file_opens_with_a_warning(tmp_path):
    model = load_model(external(tmp_path, location="gone.bin"))
    assert [w.key for w in model.warnings] == ["model.external_files_missing"]
    with pytest.raises(TensorDataError, match=r"gone\.bin"):
        model.constant(0, "w")


OUTSIDE = ["../secret.bin", "/etc/passwd", "..\\..\\secret.bin", "C:\\secret.bin", "sub/../../secret.bin", "", "a\x00b"]


@pytest.mark.parametrize("location", OUTSIDE)
def test_files_outside_the_folder_are_never_opened(tmp_path, location):
    inside = tmp_path / "model"
    inside.mkdir()
    (tmp_path / "secret.bin").write_bytes(WEIGHT.tobytes())
    model = load_model(external(inside, location=location))
    with pytest.raises(TensorDataError) as refused:
        model.constant(0, "w")
    assert refused.value.message.key == "model.external_outside"


def test_links_out_of_the_folder_folders_and_pipes_are_refused(tmp_path):
    inside = tmp_path / "model"
    (inside / "folder").mkdir(parents=True)
    (tmp_path / "secret.bin").write_bytes(WEIGHT.tobytes())
    (inside / "link.bin").symlink_to(tmp_path / "secret.bin")
    os.mkfifo(inside / "pipe.bin")
    for location, key in (
        ("link.bin", "model.external_outside"),
        ("folder", "model.external_not_regular"),
        ("pipe.bin", "model.external_not_regular"),
    ):
        model = load_model(external(inside, location=location))
        with pytest.raises(TensorDataError) as refused:
            model.constant(0, "w")
        assert refused.value.message.key == key


@pytest.mark.parametrize(
    ("entries", "key"),
    [
        ({"offset": 100_000}, "model.external_short"),
        ({"offset": -8}, "model.external_short"),
        ({"length": 16}, "model.external_length"),
        ({"length": 1 << 62}, "model.external_short"),
        ({"offset": "many"}, "model.external_offset"),
    ],
)
def test_offsets_and_lengths_must_agree_with_file_and_dims(tmp_path, entries, key):
    (tmp_path / "w.bin").write_bytes(WEIGHT.tobytes())
    model = load_model(external(tmp_path, location="w.bin", **entries))
    assert model.warnings
    with pytest.raises(TensorDataError) as refused:
        model.constant(0, "w")
    assert refused.value.message.key == key


def test_a_model_file_that_changed_gives_an_error_not_other_numbers(tmp_path):
    path = write(conv(channels=64), tmp_path / "m.onnx")
    model = load_model(path)
    path.write_bytes(path.read_bytes()[:-10] + b"0123456789" * 2)
    with pytest.raises(TensorDataError) as refused:
        model.constant(0, "w")
    assert refused.value.message.key == "model.file_changed"


ARRAYS = hnp.arrays(
    st.sampled_from([np.float32, np.float16, np.float64, np.int8, np.uint8, np.int64, np.int32, np.bool_]),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=12),
)


@given(ARRAYS)
def test_arrays_put_into_the_store_come_back_bit_for_bit(array):
    store = TensorStore()
    tensor = store.add_array("t", array)
    back = store.array(tensor)
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert back.tobytes() == array.tobytes()
    assert (location_of(tensor) is not None) == (array.nbytes > INLINE_LIMIT_BYTES)
    full = store.full_tensor(tensor)
    assert numpy_helper.to_array(full).tobytes() == array.tobytes()
    assert bytes(store.payload(tensor)) == array.tobytes()
    assert store.size_bytes(tensor) == array.nbytes


def test_a_stored_array_cannot_be_changed_from_outside():
    store = TensorStore()
    array = np.zeros(1000, np.float32)
    tensor = store.add_array("t", array)
    array[:] = 1
    assert not store.array(tensor).any()
    assert not store.array(tensor).flags.writeable


def test_every_dtype_of_onnx_has_a_name_and_a_size():
    codes = set(TensorProto.DataType.values()) - {TensorProto.UNDEFINED}
    from inspector.model.dtype import from_onnx, to_onnx

    known = {from_onnx(code) for code in codes}
    assert None not in known
    assert {to_onnx(d) for d in known} == codes
    assert DType.INT4.bits == 4
    assert DType.STRING.bits is None
    assert from_numpy(np.float16) is DType.FLOAT16
    assert from_onnx(0) is None


def test_four_bit_weights_are_unpacked(tmp_path):
    values = (np.arange(4096) % 16 - 8).reshape(64, 64)
    tensor = onnx.helper.make_tensor("q", TensorProto.INT4, [64, 64], values)
    model = conv()
    model.graph.initializer.append(tensor)
    loaded = load_model(write(model, tmp_path / "m.onnx"))
    assert np.array_equal(loaded.constant(0, "q").astype(np.int64), values)
