import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

from inspector.model.dtype import DType
from inspector.model.load import load_model
from inspector.text import Message
from inspector.verify.feeds import KINDS, InputSpec, input_specs, kind_of, make_feed, make_input
from tests.helpers import models

ALL = range(len(KINDS))


def spec(shape=(2, 3), dtype=DType.FLOAT32, low=None, high=None, name="x"):
    return InputSpec(name, shape, dtype, low, high)


@given(
    st.sampled_from([DType.FLOAT32, DType.FLOAT16, DType.INT8, DType.UINT8, DType.BOOL, DType.INT64]),
    st.integers(0, 30),
)
def test_same_seed_same_bits_whatever_else_is_fed(dtype, index):
    one, other = spec(dtype=dtype), spec(dtype=dtype, name="other")
    alone = make_feed([one], index, 7)["x"]
    together = make_feed([other, one], index, 7)["x"]
    assert alone.tobytes() == together.tobytes()
    assert alone.dtype == dtype.numpy
    assert alone.shape == (2, 3)


def test_seed_set_and_name_change_the_values():
    base = make_input(spec(), 0, 7)
    assert not np.array_equal(base, make_input(spec(), 0, 8))
    assert not np.array_equal(base, make_input(spec(), len(KINDS), 7))
    assert not np.array_equal(base, make_input(spec(name="y"), 0, 7))


def test_known_bits():
    rng = np.random.default_rng([7, 0, 0x8CDC1683])  # crc32 of "x"
    np.testing.assert_array_equal(make_input(spec(), 0, 7), rng.standard_normal((2, 3), np.float32))


def test_what_the_kinds_mean():
    values = {KINDS[i]: make_input(spec((50, 40)), i, 7) for i in ALL}
    assert 0.9 < values["normal x1"].std() < 1.1
    assert 90 < values["normal x100"].std() < 110
    assert 0.0009 < values["normal x0.001"].std() < 0.0011
    assert -1 <= values["uniform -1..1"].min() < -0.9
    assert 0.9 < values["uniform -1..1"].max() <= 1
    assert (values["all negative"] < 0).all()
    assert not values["zeros"].any()
    assert (values["ones"] == 1).all()
    assert set(np.unique(values["extremes"])) == {-1e4, 1e4}
    np.testing.assert_array_equal(np.sort(values["even -4..4"].ravel()), np.linspace(-4, 4, 2000, dtype=np.float32))
    assert kind_of(0) == "normal x1"
    assert kind_of(len(KINDS)) == "normal x1 #2"


@pytest.mark.parametrize("index", ALL)
def test_every_kind_stays_in_range_and_copes_with_scalars_and_empty(index):
    for shape in ((), (0, 3), (1,)):
        assert make_input(spec(shape), index, 7).shape == shape
    limited = make_input(spec((100,), DType.INT64, 0, 4), index, 7)
    assert limited.min() >= 0
    assert limited.max() <= 4
    assert np.isfinite(make_input(spec((100,), DType.FLOAT16), index, 7)).all()


def loaded(tmp_path, nodes, inputs, outputs, tensors=None, dtypes=None):
    proto = models.proto(nodes, inputs, outputs, tensors, dtypes=dtypes)
    return load_model(models.write(proto, tmp_path / "m.onnx"))


INT = {"ids": TensorProto.INT64, "mask": TensorProto.BOOL}


def test_an_index_is_bounded_by_what_it_indexes(tmp_path):
    model = loaded(
        tmp_path,
        [helper.make_node("Unsqueeze", ["ids", "axes"], ["u"]), helper.make_node("Gather", ["table", "u"], ["y"])],
        {"ids": [4]},
        {"y": [1, 4, 3]},
        {"table": np.zeros((5, 3), np.float32), "axes": np.array([0])},
        INT,
    )
    (found,) = input_specs(model)
    assert (found.low, found.high) == (0, 4)


def test_an_index_along_another_axis(tmp_path):
    model = loaded(
        tmp_path,
        [helper.make_node("Gather", ["table", "ids"], ["y"], axis=-1)],
        {"ids": [4]},
        {"y": [5, 4]},
        {"table": np.zeros((5, 3), np.float32)},
        INT,
    )
    assert input_specs(model)[0].high == 2


def test_an_input_that_makes_a_shape_gives_a_reason(tmp_path):
    model = loaded(
        tmp_path, [helper.make_node("Reshape", ["x", "ids"], ["y"])], {"x": [4], "ids": [2]}, {"y": None}, None, INT
    )
    reason = input_specs(model)
    assert isinstance(reason, Message)
    assert reason.key == "verify.input_shapes"


def test_a_dynamic_dimension_must_be_bound(tmp_path):
    model = loaded(tmp_path, [helper.make_node("Relu", ["x"], ["y"])], {"x": ["n", 3]}, {"y": ["n", 3]})
    reason = input_specs(model)
    assert isinstance(reason, Message)
    assert reason.args["shape"] == "n×3"
    assert input_specs(model, {"n": 2})[0].shape == (2, 3)


def test_strings_give_a_reason(tmp_path):
    model = loaded(
        tmp_path, [helper.make_node("Identity", ["s"], ["y"])], {"s": [2]}, {"y": [2]},
        dtypes={"s": TensorProto.STRING, "y": TensorProto.STRING},
    )  # fmt: skip
    assert input_specs(model).key == "verify.input_dtype"


@pytest.mark.parametrize(("side", "made_up"), [(1 << 14, True), (1 << 15, False)])
def test_inputs_that_no_memory_holds_are_not_made_up(tmp_path, side, made_up):
    node = helper.make_node("Relu", ["x"], ["y"])
    path = models.write(models.proto([node], {"x": [1, side, side]}, {"y": None}), tmp_path / "m.onnx")
    answer = input_specs(load_model(path))
    assert isinstance(answer, Message) is not made_up
    if isinstance(answer, Message):
        assert answer.key == "verify.feed_too_large"
