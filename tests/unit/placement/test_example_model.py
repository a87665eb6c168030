import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.placement.example_model import NODE, Sample, Tensor, build, from_json, is_valid, tensors
from inspector.placement.example_schema import DTYPES
from inspector.placement.target import Flow, Qtype

SIZES = st.lists(st.integers(0, 9) | st.sampled_from(["N", "d0"]), max_size=5).map(tuple)
TENSORS = st.builds(Tensor, st.sampled_from(["", *DTYPES]), SIZES | st.none())
CONSTANTS = st.integers(0, 4).flatmap(
    lambda n: st.builds(
        Tensor,
        st.just("float32"),
        st.just((n,)),
        st.just(True),
        st.none() | st.tuples(*[st.integers(-9, 9) | st.sampled_from([0.5, 0.25])] * n),
    )
)
SAMPLES = st.builds(
    Sample,
    st.sampled_from(["Conv", "Relu", "Mine"]),
    st.lists(TENSORS | CONSTANTS | st.none(), max_size=12).map(tuple),
    domain=st.sampled_from(["", "horizon"]),
    opset=st.integers(0, 20),
    attributes=st.dictionaries(st.sampled_from(["axis", "mode", "pads"]), st.integers() | st.text(max_size=3)
                               | st.lists(st.integers(), min_size=1, max_size=3).map(tuple)),
    outputs=st.integers(1, 4),
    left_out=st.sampled_from([(), (0,)]),
    result=st.none() | TENSORS,
    follower=st.sampled_from(["", "Relu", "Add"]),
    producer=st.sampled_from(["", "pytorch"]),
    ir_version=st.integers(1, 10),
    qtype=st.sampled_from(Qtype),
    flow=st.sampled_from(Flow),
)  # fmt: skip


@given(SAMPLES)
def test_the_short_form_says_everything(sample):
    assert from_json(json.loads(json.dumps(sample.as_json()))) == sample


def test_the_short_form_reads_as_it_is_described():
    first, second, third, *rest = tensors(["float32[1,N,8]", "=int64[2]{1,2}", "-", "2*?[4]", "float16?"])
    assert first == Tensor("float32", (1, "N", 8))
    assert second == Tensor("int64", (2,), constant=True, values=(1, 2))
    assert third is None
    assert rest == [Tensor("", (4,)), Tensor("", (4,)), Tensor("float16", None)]


@pytest.mark.parametrize("word", ["float32", "float32[1", "[1,2]", "float32[1]{", "=float32[1] "])
def test_another_form_is_refused(word):
    with pytest.raises(ValueError, match=re.escape(word)):
        tensors([word])


def test_a_sample_becomes_a_model_that_onnx_takes():
    model = build(Sample("Conv", tensors(["float32[1,4,8,8]", "=float32[8,4,3,3]"]), follower="Relu"))
    assert is_valid(model)
    assert [node.op_type for node in model.graph.node] == ["Conv", "Relu"]
    assert model.graph.node[0].name == NODE
    assert [i.name for i in model.graph.input] == ["x0"]
    assert [d.dim_value for d in model.graph.output[0].type.tensor_type.shape.dim] == [1, 8, 6, 6]


def test_a_kernel_larger_than_the_map_is_no_valid_model():
    assert not is_valid(build(Sample("Conv", tensors(["float32[1,4,8,8]", "=float32[8,4,30,30]"]))))


def test_a_constant_of_a_terabyte_is_refused():
    with pytest.raises(ValueError, match="float32"):
        build(Sample("Relu", (Tensor(shape=(1 << 38,), constant=True),)))


def test_a_file_without_opset_names_none():
    model = build(Sample("Relu", (Tensor(),), opset=0))
    assert [entry.domain for entry in model.opset_import] == ["com.example"]
