"""A plain, accepted form of every operator: where the search for an example starts.

Operators that ONNX defines with one data input need no entry; the others are written in the short form of
`example_model`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import onnx

from inspector.placement.example_model import Sample, Tensor, tensors

_MAP: Final = "float32[1,4,8,8]"
_PAIR: Final = f"{_MAP} {_MAP}"
_LSTM: Final = (
    "float32[5,1,8] =float32[1,32,8] =float32[1,32,8] =float32[1,64] =int32[1]{5} =float32[1,1,8] =float32[1,1,8]"
)
_POOLED: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    (_MAP, {"kernel_shape": (2, 2), "strides": (2, 2)}),
    ("float32[1,4,8]", {"kernel_shape": (2,), "strides": (2,)}),
    ("float32[1,4,8,8,8]", {"kernel_shape": (2, 2, 2), "strides": (2, 2, 2)}),
)
_REDUCED: Final = ("ReduceMax", "ReduceSum", "ReduceLogSum", "ReduceLogSumExp")

_FORMS: Final[Mapping[str, tuple[tuple[str, Mapping[str, Any]], ...]]] = {
    "Conv": (
        (f"{_MAP} =float32[8,4,3,3]", {"pads": (1, 1, 1, 1)}),
        (f"{_MAP} =float32[8,4,3,3]", {"dilations": (2, 2), "pads": (2, 2, 2, 2)}),
        (f"{_MAP} =float32[4,1,3,3]", {"group": 4}),
        (f"{_MAP} =float32[8,4,1,1]", {}),
        ("float32[1,4,4,8,8] =float32[8,4,3,3,3]", {"pads": (1, 1, 1, 1, 1, 1)}),
        ("float32[1,8192,1,8,256] =float32[1,8192,1,1,1]", {}),
        ("float32[1,1,1,1,1] =float32[1,1,1,1,1]", {}),
    ),
    "ConvTranspose": (
        (f"{_MAP} =float32[4,4,2,2]", {"strides": (2, 2)}),
        (f"{_MAP} =float32[4,4,4,4]", {"strides": (2, 2), "pads": (1, 1, 1, 1)}),
        (f"{_MAP} =float32[4,4,5,5]", {"strides": (3, 3), "pads": (1, 1, 1, 1)}),
        ("float32[1,4,4,8,8] =float32[4,4,2,2,2]", {"strides": (1, 2, 2)}),
        ("float32[1,4,4,8,8] =float32[4,4,2,2,2]", {"strides": (2, 2, 2)}),
        ("float32[1,4,8] =float32[4,4,2]", {"strides": (2,)}),
        (f"{_MAP} =float32[4,4,5,5]", {"strides": (3, 3), "pads": (2, 2, 2, 2)}),
    ),
    "Gemm": (
        ("float32[1,16] =float32[16,8] =float32[8]", {}),
        ("float32[1,16] =float32[8,16]", {"transB": 1}),
        ("float32[1,16,2,2] =float32[16,8]", {}),
    ),
    "MatMul": (
        ("float32[1,4,8,16] =float32[16,8]", {}),
        ("float32[1,4,8,16] =float32[1,1,16,8]", {}),
        ("float32[1,4,8,16] =float32[1,4,16,8]", {}),
        ("float32[1,4,8,16] float32[1,4,16,8]", {}),
        ("float32[1,4,8,16] float32[1,1,16,8]", {}),
        ("float32[8,16] =float32[16,8]", {}),
        ("float32[2,3,4,8,16] float32[2,3,4,16,8]", {}),
        ("float32[2,1,4,8,16] float32[2,3,4,16,8]", {}),
        ("float32[2,3,4,8,16] float32[1,3,4,16,8]", {}),
        ("float32[2,3,4,8,16] float32[2,1,4,16,8]", {}),
        ("float32[2,1,4,8,16] float32[1,3,4,16,8]", {}),
        ("float32[1,8,16] float32[1,16,8]", {}),
        ("float32[16] =float32[16,8]", {}),
        ("float32[16] =float32[1,16,8]", {}),
        ("float32[16] =float32[1,1,16,8]", {}),
        ("float32[8,16] =float32[16]", {}),
        ("float32[1,8,16] =float32[16]", {}),
        ("float32[1,1,8,16] =float32[16]", {}),
        ("float32[1,1,8,16] =float32[1,16,8]", {}),
        ("=float32[2,2,8,16] =float32[16,8]", {}),
        ("=float32[1,1,8,16] float32[1,1,16,8]", {}),
        ("=float32[1,4,16,16] float32[1,4,16,16]", {}),
        ("=float32[8,1] float32[1,1]", {}),
    ),
    "AveragePool": _POOLED,
    "MaxPool": _POOLED,
    "LpPool": _POOLED,
    "BatchNormalization": ((_MAP + " =float32[4] =float32[4] =float32[4] =float32[4]", {}),),
    "InstanceNormalization": ((_MAP + " =float32[4] =float32[4]", {}),),
    "LRN": ((_MAP, {"size": 3}),),
    "Cast": ((_MAP, {"to": 1}), (_MAP, {"to": 6})),
    "Clip": ((_MAP + " =float32[] =float32[]{6}", {}),),
    "Concat": ((_PAIR, {"axis": 1}), ("float32[1,4] float32[1,4]", {"axis": 1}), (_MAP, {"axis": 1})),
    "ConstantOfShape": (("=int64[4]{1,4,8,8}", {"value": "=float32[1]{1}"}), ("=int64[4]{1,4,8,8}", {}),
                        ("int64[4]", {"value": "=float32[1]{1}"})),
    "CumSum": ((_MAP + " =int32[]{1}", {}), (_MAP + " =int64[]{1}", {})),
    "DepthToSpace": (("float32[1,16,8,8]", {"blocksize": 2}),),
    "SpaceToDepth": ((_MAP, {"blocksize": 2}),),
    "Expand": ((_MAP + " =int64[4]{1,4,8,8}", {}), ("float32[1,4,1,8] =int64[4]{1,4,8,8}", {}),
               ("float32[1,1,1,8] =int64[4]{1,4,8,8}", {}), ("float32[4,8,8] =int64[4]{1,4,8,8}", {})),
    "Flatten": ((_MAP, {"axis": 1}), ("float32[4]", {"axis": 0})),
    "Gather": (("float32[1,4,8] =int64[2]", {"axis": 1}), ("float32[1,4,8] int32[2]", {"axis": 1}),
               ("float32[1,4,8] int64[2]", {"axis": 1}), ("float32[1,4,8] =int32[2]", {"axis": 1}),
               ("float32[1,4,8] =int64[1,1]", {"axis": 1}), ("float32[1,4] =int64[1,1,1,1]", {"axis": 1})),
    "GatherElements": ((_MAP + " int64[1,4,8,4]", {"axis": 3}), (_MAP + " int64[1,4,8,9]", {"axis": 3})),
    "GatherND": ((_MAP + " int64[2,4]", {}),),
    "GRU": (
        ("float32[5,1,8] =float32[1,24,8] =float32[1,24,8]", {"hidden_size": 8}),
        ("float32[5,1,8] =float32[1,24,8] =float32[1,24,8] =float32[1,48]", {"hidden_size": 8}),
        ("float32[5,1,8] =float32[1,24,8] =float32[1,24,8] =float32[1,48] - =float32[1,1,8]", {"hidden_size": 8}),
    ),
    "LSTM": (
        ("float32[5,1,8] =float32[1,32,8] =float32[1,32,8]", {"hidden_size": 8}),
        ("float32[5,1,8] =float32[1,32,8] =float32[1,32,8] =float32[1,64]", {"hidden_size": 8}),
        (_LSTM + " =float32[1,24]", {"hidden_size": 8}),
        (_LSTM, {"hidden_size": 8}),
    ),
    "RNN": (("float32[5,1,8] =float32[1,8,8] =float32[1,8,8]", {"hidden_size": 8}),
            ("float32[5,1,8] =float32[1,8,8] =float32[1,8,8] =float32[1,16]", {"hidden_size": 8})),
    "PRelu": ((_MAP + " =float32[4,1,1]", {}), (_PAIR, {}), (_MAP + " =float32[1]", {}),
              (_MAP + " =float32[1,4,1,1]", {}), (_MAP + " =float32[1,4,8,1]", {}),
              (_MAP + " =float32[1,4,1,8]", {}), (_MAP + " =float32[8]", {}), (_MAP + " =float32[1,1,8,8]", {})),
    "Pad": (
        (_MAP + " =int64[8]{0,0,1,1,0,0,1,1}", {}),
        (_MAP + " =int64[8]{0,0,1,1,0,0,1,1} =float32[]", {}),
        ("float32[1,4,4,8,8] =int64[10]{0,0,1,1,1,0,0,1,1,1}", {}),
        ("float32[4,8,8] =int64[6]{0,1,1,0,1,1}", {}),
    ),
    "Pow": ((_MAP + " =float32[]{2}", {}), (_MAP + " =float32[1]{2}", {}), (_PAIR, {})),
    "Range": (("float32[] float32[] float32[]", {}),),
    "Reshape": ((_MAP + " =int64[2]{1,256}", {}), (_MAP + " =int64[0]", {})),
    "Resize": (
        (_MAP + " =float32[8]{0,0,0,0,1,1,1,1} =float32[4]{1,1,2,2}", {}),
        (_MAP + " - =float32[4]{1,1,2,2}", {}),
        (_MAP + " =float32[0] =float32[4]{1,1,2,2}", {"mode": "linear"}),
        (_MAP + " =float32[0] =float32[4]{1,1,2,2}", {"mode": "cubic"}),
        (_MAP + " =float32[0] =float32[4]{1,1,0.5,0.5}", {}),
        (_MAP + " =float32[0] =float32[4]{1,1,3,3}", {}),
        (_MAP + " =float32[0] =float32[4]{1,1,4,2}", {}),
        (_MAP + " =float32[0] =float32[4]{1,1,2,4}", {}),
        (_MAP + " =float32[0] =float32[4]{1,2,2,2}", {}),
        (_MAP + " =float32[0] =float32[4]{2,1,2,2}", {}),
        ("float32[1,4,8,8] =float32[8]{0,0,0,0,1,1,1,1} =float32[4]{1,1,2,2}",
         {"coordinate_transformation_mode": "tf_crop_and_resize"}),
        ("float32[1,4,8,8] =float32[8]{0,0,0.3,0,1,1,1,1} =float32[4]{1,1,2,2}",
         {"coordinate_transformation_mode": "tf_crop_and_resize"}),
        ("float32[1,4,8] =float32[0] =float32[3]{1,1,2}", {}),
        ("float32[1,4,4,8,8] =float32[0] =float32[5]{1,1,2,2,2}", {}),
        (_MAP + " =float32[4]{1,1,2,2}", {}),
    ),
    "Upsample": ((_MAP + " =float32[4]{1,1,2,2}", {}), (_MAP + " - =float32[4]{1,1,2,2}", {}),
                 ("float32[1,4,8] =float32[3]{1,1,2}", {}), ("float32[1,4,4,8,8] =float32[5]{1,1,1,2,2}", {})),
    "ScatterElements": ((_MAP + " int64[1,4,8,8] " + _MAP, {}), (_MAP + " int32[1,4,8,8] " + _MAP, {})),
    "ScatterND": ((_MAP + " int64[2,4] float32[2]", {}),),
    "Slice": ((_MAP + " =int64[1]{0} =int64[1]{4} =int64[1]{3}", {}),),
    "Softmax": ((_MAP, {"axis": 1}), (_MAP, {"axis": 3}), ("float32[1,8,16]", {"axis": 2})),
    "LogSoftmax": ((_MAP, {"axis": 1}),),
    "ArgMax": ((_MAP, {"axis": 1}),),
    "ArgMin": ((_MAP, {"axis": 1}),),
    "Split": ((_MAP, {"axis": 1, "split": (2, 2)}), (_MAP, {"axis": 1}), ("float32[1,5,8,8]", {"axis": 1}),
              ("float32[1,5,8,8]", {"axis": 1, "split": (2, 3)})),
    "Squeeze": (("float32[1,4,8,8]", {"axes": (0,)}),),
    "Unsqueeze": (("float32[1,4,8]", {"axes": (0,)}),),
    "Tile": ((_MAP + " =int64[4]{1,1,1,2}", {}),
             (_MAP + " =int64[4]{1,1,2,2}", {}), (_MAP + " =int64[4]{1,1,1,1}", {}),
             ("float32[4,8,8] =int64[3]{1,1,2}", {}), ("float32[1,4,4,8,8] =int64[5]{1,1,1,1,2}", {})),
    "TopK": ((_MAP + " =int64[1]{2}", {}),),
    "Where": (("bool[1,4,8,8] " + _PAIR, {}), ("bool[1,4,1,1] " + _PAIR, {}), ("bool[1,4,8,1] " + _PAIR, {}),
              ("bool[1,4,1,8] " + _PAIR, {}), ("bool[1,1,8,8] " + _PAIR, {})),
    "GridSample": ((_MAP + " float32[1,8,8,2]", {}),),
    "LpNormalization": ((_MAP, {}),),
    "ReduceMean": ((_MAP, {"axes": (2, 3)}), (_MAP, {"axes": (1,)})),
    **{op: ((_MAP, {"axes": (1,)}), (_MAP, {})) for op in _REDUCED},
    "Constant": (("", {"value": "=float32[1]{1}"}),),
    "NonZero": ((_MAP, {}), ("float32[4]", {})),
    "Max": ((_PAIR, {}), (_MAP, {})),
    "Min": ((_PAIR, {}), (_MAP, {})),
    "Sum": ((_PAIR, {}), (_PAIR + " " + _MAP, {})),
}  # fmt: skip
"""Operator -> forms that start a search, the plainest first."""

_OUTPUTS: Final[Mapping[str, int]] = {"Split": 2, "TopK": 2, "GRU": 2, "LSTM": 2, "RNN": 2}
_LEFT_OUT: Final[Mapping[str, tuple[int, ...]]] = {"RNN": (0,)}

BROADCASTING: Final = frozenset({
    "Add", "And", "Div", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Max", "Min", "Mul", "Or", "Pow",
    "Sub", "Sum",
})  # fmt: skip
"""Operators whose inputs broadcast."""

_SHAPES_OF_PAIRS: Final = (
    ("[1,4,8,8]", "[1,4,8,8]"),
    ("[1,4,8,8]", "[1,4,1,1]"),
    ("[1,4,1,1]", "[1,4,8,8]"),
    ("[1,4,8,8]", "[1,1,1,1]"),
    ("[1,4,8,8]", "[1,1,8,8]"),
    ("[1,4,1,8]", "[1,4,8,1]"),
    ("[1,4,8,8]", "[8]"),
    ("[2,4,8,8]", "[1,4,8,8]"),
    ("[2,4,8,8]", "[1,4,8,1]"),
    ("[1,2,4,8,8]", "[1,2,4,8,8]"),
    ("[2,3,2,3,2]", "[2,1,2,1,2]"),
    ("[2,3,2,3]", "[2,1,2,1]"),
    ("[2,3,2,3,2,3]", "[2,1,2,1,2,1]"),
    ("[2,3,4,3,2]", "[2,1,1,3,2]"),
    ("[2,3,4,3,2,2]", "[2,1,1,3,1,2]"),
    ("[2,3,1,4,3,2]", "[2,1,1,1,3,2]"),
    ("[1,2,3,2,3]", "[1,2,1,2,1]"),
)


def seeds(op: str, domain: str = "") -> Iterator[Sample]:
    """Forms of *op*, the plainest first; at least one. The last ones are of an old and of a new opset."""
    forms = list(_forms(op, domain))
    yield from forms
    if op == "Pad":
        for rank in (4, 5):
            pads = (*(0, 0, *[1] * (rank - 2)), *(0, 0, *[1] * (rank - 2)))
            yield Sample(op, (Tensor(shape=(1, 4, 8, 8, 8)[:rank]),), opset=10, attributes={"pads": pads})
    yield from _OTHERS.get(op, ()) if not domain else ()
    if not domain and forms[0].opset < _LATE:
        yield replace(forms[0], opset=_LATE)


_OTHERS: Final[Mapping[str, tuple[Sample, ...]]] = {
    "Clip": (Sample("Clip", (Tensor(),), opset=10, attributes={"min": 0.0, "max": 6.0}),
             Sample("Clip", (Tensor("float64"),), opset=10, attributes={"min": 0.0, "max": 6.0})),
    "Pow": (Sample("Pow", tensors([_MAP, "float64[1,4,8,8]"]), opset=13),),
    "GridSample": (Sample("GridSample", tensors(["float32[1,4,8,8,8]", "float32[1,8,8,8,3]"]), opset=20),),
    "Softmax": (Sample("Softmax", (Tensor(shape=(1, 8, 16)),), attributes={"axis": 2}, follower="Transpose"),),
    "Split": (
        Sample("Split", (Tensor(shape=(1, 2, 8, 4)),), attributes={"axis": 2, "split": (2, 2, 4)}, outputs=3),
        Sample("Split", (Tensor(shape=(1, 3, 4, 4, 85)),), attributes={"axis": 4, "split": (2, 2, 81)}, outputs=3),
        Sample("Split", (Tensor(shape=(1, 3, 4, 4, 6)),), attributes={"axis": 4, "split": (2, 2, 2)}, outputs=3),
        Sample("Split", (Tensor(shape=(1, 3, 4, 4, 8)),), attributes={"axis": 4, "split": (2, 2, 4)}, outputs=3),
        Sample("Split", (Tensor(shape=(1, 3, 4, 4, 10)),), attributes={"axis": 4, "split": (2, 2, 3, 3)}, outputs=4),
        Sample("Split", (Tensor(shape=(1, 1, 3, 4, 4, 8)),), attributes={"axis": 5, "split": (2, 3, 3)}, outputs=3),
    ),
}  # fmt: skip
"""Forms that an operator has in one opset only, or with another number of outputs or another neighbour."""

_LATE: Final = 18


def _forms(op: str, domain: str) -> Iterator[Sample]:
    opset = _opset(op)
    if op in BROADCASTING:
        yield from _pairs(op, opset)
    for words, attributes in _FORMS.get(op, ()):
        sample = Sample(op, tensors(words.split()), domain=domain, opset=opset, attributes=dict(attributes),
                        outputs=_OUTPUTS.get(op, 1), left_out=_LEFT_OUT.get(op, ()))  # fmt: skip
        yield replace(sample, result=Tensor()) if domain else sample
    if op not in _FORMS and op not in BROADCASTING:
        yield _plain(op, domain, opset)


def _opset(op: str) -> int:
    """Opset 11, or the first one that has *op*."""
    for opset in (11, 10, 9, *range(12, onnx.defs.onnx_opset_version() + 1)):
        try:
            if not onnx.defs.get_schema(op, opset, "").deprecated:
                return int(opset)
        except onnx.defs.SchemaError:
            continue
    return 11


def _pairs(op: str, opset: int) -> Iterator[Sample]:
    logical = op in ("And", "Or")
    dtype = "bool" if logical else "float32"
    for first, second in _SHAPES_OF_PAIRS:
        yield Sample(op, tensors([dtype + first, dtype + second]), opset=opset)


def _plain(op: str, domain: str, opset: int) -> Sample:
    """Every required input of *op* as a feature map of a type that ONNX allows."""
    try:
        schema = onnx.defs.get_schema(op, opset, "")
    except onnx.defs.SchemaError:
        return Sample(op, (Tensor(),), domain=domain, opset=opset, result=Tensor())
    needed = [p for p in schema.inputs if p.option != onnx.defs.OpSchema.FormalParameterOption.Optional]
    return Sample(op, tuple(Tensor(_first_type(p.types)) for p in needed), domain=domain, opset=opset)


def _first_type(types: Any) -> str:
    plain = {word.removeprefix("tensor(").removesuffix(")") for word in types}
    plain = {{"float": "float32", "double": "float64"}.get(word, word) for word in plain}
    return next((one for one in ("float32", "int64", "bool", "int32") if one in plain), "float32")
