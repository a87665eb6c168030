"""`TensorStore`: where weights are, and how to read them when somebody asks.

A weightless TensorProto whose payload was left in the file says so in the standard way for external data
(`data_location = EXTERNAL`), with the location `inspector:SLOT`. Slots are the store's own; tensors that are external
in the user's file keep their own location. The store is append-only and shared by all versions of a model.
"""

import mmap
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from threading import Lock

import numpy as np
import numpy.typing as npt
import onnx
from onnx import numpy_helper

from inspector.errors import TensorDataError, system_reason
from inspector.model.dtype import from_onnx
from inspector.text import say

Array = npt.NDArray[np.generic]

SLOT_PREFIX = "inspector:"
"""Location prefix that marks a payload held by the store."""

INLINE_LIMIT_BYTES = 1024
"""Payloads up to this size stay inside the proto, because shape inference and rules read them."""


@dataclass(frozen=True, slots=True)
class FileSpan:
    """Payload bytes inside the model file.

    Attributes:
        offset: first byte.
        length: number of bytes.
        field: TensorProto field number that held them (9 raw_data, 4 float_data, 5 int32_data, 7 int64_data,
            10 double_data, 11 uint64_data); packed encoding for all but 9.
    """

    offset: int
    length: int
    field: int


class TensorStore:
    """Reads tensor payloads lazily, from the model file, from external files of its folder, or from memory."""

    def __init__(self, path: Path | None = None) -> None:
        """Make a store for the model file *path*; None for a model that was built in memory."""
        self._path = path
        self._stamp = _stamp(path) if path is not None else None
        self._slots: list[FileSpan | Array] = []
        self._lock = Lock()
        self._maps: dict[Path, mmap.mmap] = {}
        self.keeps_outside = False
        """Whether the model's file keeps weights in other files; set once when it is read."""

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def stamp(self) -> tuple[int, int] | None:
        """Size in bytes and time of change in ns of the model file when it was opened; None when built in memory."""
        return self._stamp

    @property
    def folder(self) -> Path | None:
        """Folder that external data must lie in; None for a model built in memory."""
        return None if self._path is None else self._path.parent

    def add_span(self, span: FileSpan) -> str:
        """Register bytes of the model file; the location string to write into the TensorProto."""
        return self._add(span)

    def add_array(self, name: str, array: Array) -> onnx.TensorProto:
        """A TensorProto *name* with the values of *array*: inline when small, else held by the store.

        The array is copied unless it is already read-only, so a later change of it cannot reach the model.
        """
        if array.nbytes <= INLINE_LIMIT_BYTES or array.dtype.kind in "OUS":
            return numpy_helper.from_array(np.asarray(array), name)
        kept = array if not array.flags.writeable else array.copy()
        kept.flags.writeable = False
        tensor = numpy_helper.from_array(np.empty(0, kept.dtype), name)
        tensor.ClearField("raw_data")
        tensor.dims[:] = kept.shape
        mark(tensor, self._add(kept))
        return tensor

    def array(self, tensor: onnx.TensorProto) -> Array:
        """Values of *tensor*, read-only, in its own dtype and shape.

        Raises:
            TensorDataError: the external file is missing, short, not a regular file or outside the model's folder, the
                bytes do not match dims and dtype, or the model file was changed since it was opened.
        """
        location = location_of(tensor)
        if location is None:
            return self._inline(tensor)
        if not location.startswith(SLOT_PREFIX):
            return _decode(tensor, self._external(tensor), 9)
        slot = self._slots[int(location[len(SLOT_PREFIX) :])]
        if isinstance(slot, np.ndarray):
            return slot.reshape(tuple(tensor.dims))
        return _decode(tensor, self._file_bytes(tensor, slot), slot.field)

    def full_tensor(self, tensor: onnx.TensorProto) -> onnx.TensorProto:
        """A copy of *tensor* that carries its values inline (`raw_data`, or the field the file used).

        Raises:
            TensorDataError: as `array`.
        """
        location = location_of(tensor)
        full = onnx.TensorProto()
        full.CopyFrom(tensor)
        if location is None:
            return full
        full.ClearField("external_data")
        full.ClearField("data_location")
        if not location.startswith(SLOT_PREFIX):
            full.raw_data = bytes(self._external(tensor))
            return full
        slot = self._slots[int(location[len(SLOT_PREFIX) :])]
        if isinstance(slot, np.ndarray):
            full.raw_data = numpy_helper.from_array(slot).raw_data
        elif slot.field == 9:
            full.raw_data = bytes(self._file_bytes(tensor, slot))
        else:
            payload = bytes(self._file_bytes(tensor, slot))
            full.MergeFromString(bytes([slot.field << 3 | 2]) + _varint(len(payload)) + payload)
        return full

    def payload(self, tensor: onnx.TensorProto) -> bytes | memoryview:
        """Raw little-endian bytes of *tensor* as `raw_data` would hold them.

        Raises:
            TensorDataError: as `array`.
        """
        location = location_of(tensor)
        if location is not None and not location.startswith(SLOT_PREFIX):
            return self._external(tensor)
        if location is not None:
            slot = self._slots[int(location[len(SLOT_PREFIX) :])]
            if isinstance(slot, FileSpan) and slot.field == 9:
                return self._file_bytes(tensor, slot)
        elif tensor.HasField("raw_data"):
            return bytes(tensor.raw_data)
        return bytes(numpy_helper.from_array(np.asarray(self.array(tensor))).raw_data)

    def is_new(self, tensor: onnx.TensorProto) -> bool:
        """Whether *tensor* was made by an edit: its payload is held in memory, not in a file of the model."""
        location = location_of(tensor) or ""
        return location.startswith(SLOT_PREFIX) and isinstance(
            self._slots[int(location[len(SLOT_PREFIX) :])], np.ndarray
        )

    def size_bytes(self, tensor: onnx.TensorProto) -> int | None:
        """Bytes that the values of *tensor* take, from dims and dtype; None for strings."""
        dtype = from_onnx(tensor.data_type)
        if dtype is None or dtype.bits is None:
            return None
        count = 1
        for dim in tensor.dims:
            count *= dim
        return (count * dtype.bits + 7) // 8

    def missing_files(self, tensors: Mapping[str, onnx.TensorProto]) -> tuple[str, ...]:
        """External locations of *tensors* that cannot be read as they say, without repeats; no data is touched."""
        missing: dict[str, None] = {}
        paths: dict[str, Path] = {}
        for tensor in tensors.values():
            location = location_of(tensor) or ""
            if location in missing or not is_outside(tensor):
                continue
            try:
                if location not in paths:
                    paths[location] = self._resolve(tensor.name, location)
                self._external_span(tensor, paths[location])
            except TensorDataError:
                missing[location] = None
        return tuple(missing)

    def _add(self, slot: FileSpan | Array) -> str:
        with self._lock:
            self._slots.append(slot)
            return f"{SLOT_PREFIX}{len(self._slots) - 1}"

    @staticmethod
    def _inline(tensor: onnx.TensorProto) -> Array:
        try:
            array: Array = np.asarray(numpy_helper.to_array(tensor))
        except (ValueError, TypeError, OverflowError) as error:
            raise TensorDataError(say("model.tensor_bytes", tensor=tensor.name, reason=str(error))) from error
        array.flags.writeable = False
        return array

    def _file_bytes(self, tensor: onnx.TensorProto, span: FileSpan) -> memoryview:
        if self._path is None:
            raise TensorDataError(say("model.tensor_no_file", tensor=tensor.name))
        if _stamp(self._path) != self._stamp:
            raise TensorDataError(
                say("model.file_changed", tensor=tensor.name, path=str(self._path)), say("model.file_changed_help")
            )
        return self._map(self._path)[span.offset : span.offset + span.length]

    def _external(self, tensor: onnx.TensorProto) -> memoryview:
        path, offset, length = self._external_span(tensor)
        return self._map(path)[offset : offset + length] if length else memoryview(b"")

    def _external_span(self, tensor: onnx.TensorProto, path: Path | None = None) -> tuple[Path, int, int]:
        """File, first byte and number of bytes of an external tensor, checked against the file and the dims.

        *path* is its file, if that was resolved already.
        """
        keys = {entry.key: entry.value for entry in tensor.external_data}
        path = self._resolve(tensor.name, keys.get("location", "")) if path is None else path
        try:
            offset, length = int(keys.get("offset") or 0), int(keys.get("length") or -1)
        except ValueError as error:
            raise TensorDataError(say("model.external_offset", tensor=tensor.name, found=str(error))) from error
        available = path.stat().st_size
        expected = self.size_bytes(tensor)
        length = length if length >= 0 else (expected if expected is not None else available - offset)
        if offset < 0 or offset + length > available:
            needed = offset + length
            raise TensorDataError(
                say("model.external_short", tensor=tensor.name, path=str(path), found=available, needed=needed)
            )
        if expected is not None and length != expected:
            raise TensorDataError(say("model.external_length", tensor=tensor.name, found=length, expected=expected))
        return path, offset, length

    def _resolve(self, tensor: str, location: str) -> Path:
        """Path of an external file, only if it is a regular file inside the model's folder."""
        if self.folder is None:
            raise TensorDataError(say("model.tensor_no_file", tensor=tensor))
        windows, posix = PureWindowsPath(location), PurePosixPath(location)
        if (
            not location
            or "\x00" in location
            or windows.drive
            or windows.root
            or posix.is_absolute()
            or ".." in windows.parts
        ):
            raise TensorDataError(
                say("model.external_outside", tensor=tensor, location=location), say("model.external_outside_help")
            )
        folder = self.folder.resolve()
        try:
            path = (folder / location).resolve()
            mode = os.stat(path).st_mode  # noqa: PTH116 - follows the resolved path once
        except (OSError, RuntimeError, ValueError) as error:
            raise TensorDataError(
                say("model.external_missing", tensor=tensor, location=location), say("model.external_missing_help")
            ) from error
        if not path.is_relative_to(folder):
            raise TensorDataError(
                say("model.external_outside", tensor=tensor, location=location), say("model.external_outside_help")
            )
        if not stat.S_ISREG(mode):
            raise TensorDataError(say("model.external_not_regular", tensor=tensor, location=location))
        return path

    def _map(self, path: Path) -> memoryview:
        with self._lock:
            mapped = self._maps.get(path)
            if mapped is None:
                try:
                    with path.open("rb") as handle:
                        mapped = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
                except (OSError, ValueError) as error:
                    raise TensorDataError(
                        say("model.unreadable", path=str(path), reason=system_reason(error)), say("model.no_file_help")
                    ) from error
                self._maps[path] = mapped
        return memoryview(mapped)


def mark(tensor: onnx.TensorProto, location: str) -> None:
    """Make *tensor* point to *location* instead of carrying values (see the module docstring)."""
    tensor.data_location = onnx.TensorProto.EXTERNAL
    tensor.ClearField("external_data")
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", location


def location_of(tensor: onnx.TensorProto) -> str | None:
    """External location of *tensor*, slot or file; None when its values are inline."""
    if tensor.data_location != onnx.TensorProto.EXTERNAL:
        return None
    return next((entry.value for entry in tensor.external_data if entry.key == "location"), "")


def is_outside(tensor: onnx.TensorProto) -> bool:
    """Whether the values of *tensor* stand in a data file of the user's."""
    location = location_of(tensor)
    return location is not None and not location.startswith(SLOT_PREFIX)


def _decode(tensor: onnx.TensorProto, payload: memoryview, field: int) -> Array:
    """Values from payload bytes; dims and dtype are the tensor's."""
    dtype = from_onnx(tensor.data_type)
    if field == 9 and dtype is not None and dtype.numpy is not None and (dtype.bits or 0) >= 8:
        shape = tuple(tensor.dims)
        expected = int(np.prod(shape, dtype=np.int64)) * dtype.numpy.itemsize
        if expected != len(payload):
            raise TensorDataError(
                say("model.external_length", tensor=tensor.name, found=len(payload), expected=expected)
            )
        array: Array = np.frombuffer(
            payload, dtype.numpy.newbyteorder("<") if dtype.numpy.kind in "iufc" else dtype.numpy
        )
        return array.reshape(shape)
    full = onnx.TensorProto()
    full.CopyFrom(tensor)
    full.ClearField("external_data")
    full.ClearField("data_location")
    if field == 9:
        full.raw_data = bytes(payload)
    else:
        full.MergeFromString(bytes([field << 3 | 2]) + _varint(len(payload)) + bytes(payload))
    return TensorStore._inline(full)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _stamp(path: Path) -> tuple[int, int] | None:
    """Size and change time, to notice that the file is no longer the one that was opened."""
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns
