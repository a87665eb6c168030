import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from inspector.worker.arrays import read_arrays, write_arrays

DTYPES = st.sampled_from([np.float32, np.float16, np.float64, np.int8, np.uint16, np.int64, np.bool_, np.complex64])
ARRAYS = DTYPES.flatmap(lambda d: hnp.arrays(d, hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.dictionaries(st.text(max_size=5), ARRAYS, max_size=4), max_size=3))
def test_what_is_written_is_read_back_bit_for_bit(tmp_path, sets):
    path = tmp_path / "t.bin"
    back = read_arrays(path, write_arrays(path, sets))
    assert [list(s) for s in back] == [list(s) for s in sets]
    for before, after in zip(sets, back, strict=True):
        for name, array in before.items():
            assert after[name].dtype == array.dtype
            assert after[name].shape == array.shape
            assert after[name].tobytes() == array.tobytes()
            assert not after[name].flags.writeable


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "int4"])
def test_types_that_numpy_lacks(tmp_path, name):
    array = np.array([[1, 2], [3, -4]]).astype(getattr(ml_dtypes, name))
    (back,) = read_arrays(tmp_path / "t", write_arrays(tmp_path / "t", [{"x": array}]))
    assert back["x"].dtype == array.dtype
    assert back["x"].tobytes() == array.tobytes()


def test_strings_are_text_never_pickles(tmp_path):
    array = np.array([["a", "é"], ["", "\n"]], object)
    table = write_arrays(tmp_path / "t", [{"x": array}])
    (back,) = read_arrays(tmp_path / "t", table)
    assert back["x"].tolist() == array.tolist()
    assert (tmp_path / "t").stat().st_size == 0


def test_parts_of_larger_arrays_are_written_as_seen(tmp_path):
    whole = np.arange(24, dtype=np.float32).reshape(4, 6)
    (back,) = read_arrays(tmp_path / "t", write_arrays(tmp_path / "t", [{"t": whole.T, "s": whole[::2, 1::2]}]))
    np.testing.assert_array_equal(back["t"], whole.T)
    np.testing.assert_array_equal(back["s"], whole[::2, 1::2])


def test_a_file_that_is_too_short_is_refused(tmp_path):
    table = write_arrays(tmp_path / "t", [{"x": np.ones(100, np.float32)}])
    (tmp_path / "t").write_bytes(b"\0" * 10)
    with pytest.raises(ValueError, match="buffer"):
        read_arrays(tmp_path / "t", table)


def test_mapped_tensors_outlive_their_file(tmp_path):
    path = tmp_path / "t"
    (back,) = read_arrays(path, write_arrays(path, [{"x": np.arange(1000)}]))
    path.unlink()
    assert back["x"].sum() == 499500
