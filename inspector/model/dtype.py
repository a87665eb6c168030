"""Element types, under the names used in ONNX and numpy."""

from enum import StrEnum

import ml_dtypes
import numpy as np
import numpy.typing as npt
from onnx import TensorProto


class DType(StrEnum):
    """Element type of a tensor. Values are the names used in constraint tables, reports and JSON."""

    FLOAT32 = "float32"
    FLOAT16 = "float16"
    BFLOAT16 = "bfloat16"
    FLOAT64 = "float64"
    FLOAT8E4M3FN = "float8e4m3fn"
    FLOAT8E4M3FNUZ = "float8e4m3fnuz"
    FLOAT8E5M2 = "float8e5m2"
    FLOAT8E5M2FNUZ = "float8e5m2fnuz"
    FLOAT8E8M0 = "float8e8m0"
    FLOAT6E2M3 = "float6e2m3"
    FLOAT6E3M2 = "float6e3m2"
    FLOAT4E2M1 = "float4e2m1"
    INT2 = "int2"
    INT4 = "int4"
    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    UINT2 = "uint2"
    UINT4 = "uint4"
    UINT8 = "uint8"
    UINT16 = "uint16"
    UINT32 = "uint32"
    UINT64 = "uint64"
    BOOL = "bool"
    STRING = "string"
    COMPLEX64 = "complex64"
    COMPLEX128 = "complex128"

    @property
    def bits(self) -> int | None:
        """Bits per element as stored; None for strings, which have no fixed size."""
        return _BITS[self]

    @property
    def numpy(self) -> np.dtype[np.generic] | None:
        """Numpy type of one unpacked element; None where numpy (with ml_dtypes) has none."""
        return _NUMPY.get(self)

    @property
    def is_float(self) -> bool:
        """Whether the type holds real floating-point numbers."""
        return self.value.startswith(("float", "bfloat"))


def from_onnx(code: int) -> DType | None:
    """Element type of a `TensorProto.DataType` *code*; None for UNDEFINED and for codes this version does not know."""
    return _FROM_ONNX.get(code)


def to_onnx(dtype: DType) -> int:
    """`TensorProto.DataType` code of *dtype*."""
    return _TO_ONNX[dtype]


def from_numpy(dtype: npt.DTypeLike) -> DType:
    """Element type of a numpy *dtype*.

    Raises:
        KeyError: numpy's type has no ONNX counterpart.
    """
    resolved = np.dtype(dtype)
    if resolved.kind in "OUS":
        return DType.STRING
    return _FROM_NUMPY[resolved]


_TO_ONNX: dict[DType, int] = {
    dtype: TensorProto.DataType.Value(name)
    for dtype in DType
    for name in [{"float32": "FLOAT", "float64": "DOUBLE"}.get(dtype.value, dtype.value.upper())]
    if name in TensorProto.DataType.keys()  # noqa: SIM118 - an enum wrapper, not a dict
}
_FROM_ONNX = {code: dtype for dtype, code in _TO_ONNX.items()}
_ODD_BITS = {"float6e2m3": 6, "float6e3m2": 6, "float4e2m1": 4, "bool": 8, "bfloat16": 16}


def _bits(dtype: DType) -> int | None:
    if dtype is DType.STRING:
        return None
    if dtype.value in _ODD_BITS:
        return _ODD_BITS[dtype.value]
    if dtype.value.startswith("float8"):
        return 8
    return int("".join(c for c in dtype.value if c.isdigit()))


_BITS = {dtype: _bits(dtype) for dtype in DType}
_ML_NAMES = {
    "bfloat16": "bfloat16",
    "float8e4m3fn": "float8_e4m3fn",
    "float8e4m3fnuz": "float8_e4m3fnuz",
    "float8e5m2": "float8_e5m2",
    "float8e5m2fnuz": "float8_e5m2fnuz",
    "float8e8m0": "float8_e8m0fnu",
    "float6e2m3": "float6_e2m3fn",
    "float6e3m2": "float6_e3m2fn",
    "float4e2m1": "float4_e2m1fn",
    "int2": "int2",
    "int4": "int4",
    "uint2": "uint2",
    "uint4": "uint4",
}
_NUMPY: dict[DType, np.dtype[np.generic]] = {
    dtype: np.dtype(getattr(ml_dtypes, _ML_NAMES[dtype.value]) if dtype.value in _ML_NAMES else dtype.value)
    for dtype in DType
    if dtype is not DType.STRING
}
_FROM_NUMPY = {numpy_type: dtype for dtype, numpy_type in _NUMPY.items()}
