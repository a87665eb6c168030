"""Tensors in one binary file per direction, with their names, dtypes and offsets in the message beside it.

One file, not one per tensor: a mapped file holds a descriptor, and a whole-model comparison moves thousands of tensors.
"""

import mmap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

from inspector.worker.protocol import Array, readonly

_ALIGN = 64
_EXTENSIONS = ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu",
               "float4_e2m1fn", "int2", "int4", "uint2", "uint4")  # fmt: skip
_DTYPES: Mapping[str, np.dtype[Any]] = {name: np.dtype(getattr(ml_dtypes, name)) for name in _EXTENSIONS}


def write_arrays(path: Path, sets: Iterable[Mapping[str, Array]]) -> list[list[dict[str, Any]]]:
    """Write all tensors of all *sets* to *path*; the table that `read_arrays` needs, as JSON types.

    Strings go into the table itself, since they have no fixed size.

    Raises:
        OSError: the file cannot be written, for instance because the disk is full.
    """
    table: list[list[dict[str, Any]]] = []
    with path.open("wb") as handle:
        for arrays in sets:
            rows: list[dict[str, Any]] = []
            table.append(rows)
            for name, array in arrays.items():
                row: dict[str, Any] = {"name": name, "dtype": array.dtype.name, "shape": list(array.shape)}
                rows.append(row)
                if array.dtype.kind in "OUS":
                    row |= {"dtype": "string", "text": [_text(v) for v in array.ravel().tolist()]}
                    continue
                handle.write(b"\0" * (-handle.tell() % _ALIGN))
                row["offset"] = handle.tell()
                if array.size:
                    handle.write(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return table


def read_arrays(path: Path, table: list[list[dict[str, Any]]]) -> tuple[dict[str, Array], ...]:
    """The tensors of *table*, read-only; their bytes are mapped from *path* and read as they are used.

    Raises:
        ValueError: the table does not fit the file.
        OSError: the file cannot be read.
    """
    with path.open("rb") as handle:
        handle.seek(0, 2)
        buffer: Any = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) if handle.tell() else b""
    return tuple({row["name"]: readonly(_array(buffer, row)) for row in rows} for rows in table)


def _array(buffer: Any, row: Mapping[str, Any]) -> Array:
    shape = tuple(row["shape"])
    if row["dtype"] == "string":
        return np.array(row["text"], dtype=object).reshape(shape)
    dtype = _DTYPES.get(row["dtype"]) or np.dtype(row["dtype"])
    count = int(np.prod(shape, dtype=np.int64))
    if not count:
        return np.empty(shape, dtype)
    return np.frombuffer(buffer, np.uint8, count * dtype.itemsize, row["offset"]).view(dtype).reshape(shape)


def _text(value: object) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else str(value)
