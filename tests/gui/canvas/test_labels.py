"""Texts in boxes, read off real ONNX nodes."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import TensorProto, helper

from inspector.gui.canvas.labels import attribute_text, header_fact, medium_shape
from inspector.model.graph import Model, Node, NodeId, OpKey
from inspector.model.load import load_model
from tests.helpers.drawing import loaded
from tests.helpers.models import proto

F32 = np.float32


def one(
    tmp_path: Path,
    op: str,
    shape: list[int | str],
    *,
    weights: dict[str, np.ndarray] | None = None,
    outputs: int = 1,
    opset: int = 13,
    **attributes: object,
) -> tuple[Model, Node]:
    """A model of one node whose constant inputs are *weights*, in order."""
    names = ["y"] if outputs == 1 else [f"y{i}" for i in range(outputs)]
    node = helper.make_node(op, ["x", *(weights or {})], names, "n", **attributes)
    built = proto(
        [node], {"x": shape}, dict.fromkeys(names), {k: v for k, v in (weights or {}).items() if k}, opset=opset
    )
    model = loaded(built, tmp_path)
    return model, model.main.nodes[0]


@pytest.mark.parametrize(
    ("weight", "attributes", "expected"),
    [
        ((16, 3, 3, 3), {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}, "k3  s2  p1  3→16"),
        ((16, 3, 3, 3), {"kernel_shape": [3, 3], "strides": [1, 1], "dilations": [1, 1], "group": 1}, "k3  3→16"),
        ((16, 1, 3, 3), {"kernel_shape": [3, 3], "group": 16}, "k3  g16  16→16"),
        ((8, 4, 1, 3), {"kernel_shape": [1, 3], "pads": [0, 1, 0, 1]}, "k1,3  p0,1  4→8"),
        ((8, 4, 3, 3), {"kernel_shape": [3, 3], "pads": [0, 0, 1, 1]}, "k3  p0,0,1,1  4→8"),
        ((8, 4, 3, 3), {"kernel_shape": [3, 3], "dilations": [2, 2]}, "k3  d2  4→8"),
        ((8, 4, 3, 3), {"kernel_shape": [3, 3], "auto_pad": "SAME_UPPER"}, "k3  auto_pad SAME_UPPER  4→8"),
    ],
)
def test_conv(tmp_path: Path, weight: tuple[int, ...], attributes: dict[str, object], expected: str) -> None:
    channels = weight[1] * int(attributes.get("group", 1))  # type: ignore[call-overload]
    model, node = one(tmp_path, "Conv", [1, channels, 16, 16], weights={"w": np.ones(weight, F32)}, **attributes)
    assert attribute_text(model, node) == expected


def test_conv_transpose_of_the_occupancy_head(tmp_path: Path) -> None:
    weight = np.ones((128, 64, 5, 2, 2), F32)
    model, node = one(
        tmp_path, "ConvTranspose", [1, 128, 1, 6, 8], weights={"w": weight}, kernel_shape=[5, 2, 2], strides=[5, 2, 2]
    )
    assert attribute_text(model, node) == "k5,2,2  s5,2,2  128→64"
    assert medium_shape(model, node) == "64·5·12·16"


def test_resize_says_mode_and_factors(tmp_path: Path) -> None:
    weights = {"": np.zeros(0, F32), "s": np.array([1, 1, 2, 2, 2], F32)}
    model, node = one(tmp_path, "Resize", [1, 8, 5, 26, 26], weights=weights, mode="linear")
    assert attribute_text(model, node) == "linear  ×2"


def test_transpose_concat_softmax_and_cast(tmp_path: Path) -> None:
    assert attribute_text(*one(tmp_path, "Transpose", [1, 2, 3], perm=[0, 2, 1])) == "perm 0,2,1"
    assert attribute_text(*one(tmp_path, "Softmax", [1, 2, 3], axis=1)) == "axis 1"
    assert attribute_text(*one(tmp_path, "Softmax", [1, 2, 3], axis=-1)) == ""
    assert attribute_text(*one(tmp_path, "Cast", [1, 2, 3], to=TensorProto.FLOAT16)) == "→ float16"
    assert attribute_text(*one(tmp_path, "LeakyRelu", [1, 2], alpha=0.1)) == "alpha 0.1"


def test_constant_operands_are_told(tmp_path: Path) -> None:
    bounds = {"lo": np.array(0, F32), "hi": np.array(6, F32)}
    assert attribute_text(*one(tmp_path, "Clip", [1, 2], weights=bounds)) == "0…6"
    parts = {k: np.array([v], np.int64) for k, v in (("b", 0), ("e", 2**63 - 1), ("a", 2))}
    assert attribute_text(*one(tmp_path, "Slice", [1, 4, 8], weights=parts)) == "axis 2  [0:]"
    assert attribute_text(*one(tmp_path, "ReduceMean", [1, 4, 8], axes=[2])) == "axes 2"
    assert attribute_text(*one(tmp_path, "Gemm", [1, 4], weights={"w": np.ones((4, 9), F32)})) == "4→9"
    turned = one(tmp_path, "Gemm", [1, 4], weights={"w": np.ones((9, 4), F32)}, transB=1)
    assert attribute_text(*turned) == "transB 1  4→9"


def test_header_facts(tmp_path: Path) -> None:
    target = {"s": np.array([1, 64], np.int64)}
    assert header_fact(*one(tmp_path, "Reshape", [1, 4, 16], weights=target)) == "3→2-D"
    same = {"s": np.array([1, 16, 4], np.int64)}
    assert header_fact(*one(tmp_path, "Reshape", [1, 4, 16], weights=same)) == ""
    split = {"s": np.array([64, 4], np.int64)}
    assert header_fact(*one(tmp_path, "Split", [1, 68, 8], weights=split, outputs=2, axis=1)) == "64 + 4"
    assert header_fact(*one(tmp_path, "Relu", [1, 2])) == ""


def test_unknown_shapes_are_not_guessed(tmp_path: Path) -> None:
    node = helper.make_node("Mystery", ["x"], ["y"], "n", domain="their.own", knob=3)
    model = loaded(proto([node], {"x": [1, 2]}, {"y": None}, domains=["their.own"]), tmp_path)
    only = model.main.nodes[0]
    assert attribute_text(model, only) == "knob 3"
    assert medium_shape(model, only) == ""
    assert header_fact(model, only) == ""


def test_long_attributes_end_in_an_ellipsis(tmp_path: Path) -> None:
    model, node = one(tmp_path, "Transpose", [1] * 30, perm=list(range(30)))
    text = attribute_text(model, node)
    assert text.endswith("…")
    assert len(text) <= 40


@given(
    name=st.text(max_size=12),
    values=st.lists(st.integers(-(2**63), 2**63 - 1), max_size=9),
    op=st.sampled_from(["Conv", "Split", "Slice", "Resize", "Reshape", "Gather", "Clip", "ReduceSum", "Gemm", "Odd"]),
)
def test_hostile_attributes_make_a_text_and_no_error(name: str, values: list[int], op: str) -> None:
    made = Node(NodeId(0), 0, OpKey("", op, 13), "", ("", "nowhere"), ("",), {name: tuple(values), "axis": 99})
    empty = _EMPTY
    assert isinstance(attribute_text(empty, made), str)
    assert header_fact(empty, made) == ""
    assert medium_shape(empty, made) == ""


@pytest.fixture(scope="module", autouse=True)
def _empty_model(tmp_path_factory: pytest.TempPathFactory) -> None:
    global _EMPTY
    path = tmp_path_factory.mktemp("m") / "e.onnx"
    path.write_bytes(proto([], {"x": [1]}, {}).SerializeToString())
    _EMPTY = load_model(path)


_EMPTY: Model
