"""Names that expressions may use."""

import numpy as np
import pytest

from inspector.placement.variables import axis_of, resize_scales, spatial_index, variable
from tests.helpers.facts import facts_of

GROUPED = facts_of(
    "Conv", [[2, 6, 8, 9], np.zeros((4, 3, 5, 7), np.float32)], [[2, 4, 4, 3]], group=2, pads=[1, 2, 3, 0],
    strides=[1, 2], dilations=[2, 1],
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("N", 2), ("C", 6), ("H", 8), ("W", 9), ("D", None), ("CO", 4), ("kh", 5), ("kw", 7), ("kd", None), ("k_h", 5),
        ("stride_w", 2), ("dilation_h", 2), ("pad_h", 3), ("pad_w", 2), ("cin", 6), ("cout", 4), ("group", 2),
        ("cin_per_group", 3), ("cout_per_group", 2), ("weight_c", 3), ("max_dilations", 2), ("rank", 4), ("opset", 11),
        ("n_inputs", 2), ("n_outputs", 1), ("qtype", "int8"), ("flow", "ptq"), ("auto_pad", "NOTSET"),
        ("nothing", None),
    ],
)  # fmt: skip
def test_of_a_grouped_convolution(name, value):
    assert variable(GROUPED, name) == value


def test_of_a_transposed_convolution():
    facts = facts_of("ConvTranspose", [[1, 6, 2, 2], np.zeros((6, 4, 2, 2), np.float32)], group=2)
    assert [variable(facts, name) for name in ("cin", "cout", "weight_c")] == [6, 8, 4]


def test_depth_of_a_volume():
    facts = facts_of("Conv", [[1, 3, 4, 8, 8], np.zeros((2, 3, 1, 3, 3), np.float32)])
    assert [variable(facts, name) for name in ("D", "kd", "stride_d", "pad_d")] == [4, 1, 1, 0]


def test_an_input_left_out_before_another_keeps_its_place():
    scales = np.array([1, 1, 2, 2], np.float32)
    by_scales = facts_of("Resize", [[1, 8, 4, 4], None, scales], [[1, 8, 8, 8]])
    assert variable(by_scales, "n_inputs") == 3
    assert variable(facts_of("Resize", [[1, 8, 4, 4], scales, None]), "n_inputs") == 2, "at the end it has none"


@pytest.mark.parametrize("transposed", [0, 1])
def test_a_gemm_is_a_1x1_convolution(transposed):
    weight = np.zeros((5, 7) if transposed else (7, 5), np.float32)
    facts = facts_of("Gemm", [[1, 7], weight], [[1, 5]], transB=transposed)
    assert [variable(facts, name) for name in ("cin", "cout", "kh", "H", "W", "C")] == [7, 5, 1, 1, 1, 7]


@pytest.mark.parametrize(
    ("inputs", "output", "scales"),
    [
        ([[1, 2, 4, 4], None, np.array([1, 1, 2, 3], np.float32)], [1, 2, 8, 12], (1, 1, 2, 3)),
        ([[1, 2, 4, 4], None, None, np.array([1, 2, 8, 2])], [1, 2, 8, 2], (1, 1, 2, 0.5)),
        ([[1, 2, 4, 4], None, [4]], [1, 2, 8, 4], (1, 1, 2, 1)),
        ([[1, 2, 4, None], None, [4]], [1, 2, 8, 4], None),
        ([[1, 2, 4, 4], None, [4]], [1, 2, 8, None], None),
        ([[1, 2, 4, 0], None, [4]], [1, 2, 8, 0], None),
    ],
)
def test_scales(inputs, output, scales):
    facts = facts_of("Resize", inputs, [output])
    assert resize_scales(facts) == scales
    assert variable(facts, "scale_h") == (None if scales is None else scales[2])


def test_axis_letters():
    assert [axis_of(letter, 4) for letter in "NCHWD"] == [0, 1, 2, 3, None]
    assert [axis_of(letter, 5) for letter in "NCDHW"] == [0, 1, 2, 3, 4]
    assert axis_of("H", 7) is None
    assert [spatial_index(letter, 3) for letter in "DHW"] == [0, 1, 2]
    assert spatial_index("D", 2) is None
