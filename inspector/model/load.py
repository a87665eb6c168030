"""Read a model file: map it, skip weight bytes, and build a `Model`.

Nothing of the file is executed, no weight byte is touched, and what is odd but readable becomes a warning of the model.
"""

import mmap
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError

from inspector.errors import ModelLoadError, system_reason
from inspector.model.build import build
from inspector.model.graph import Model
from inspector.model.tensors import TensorStore, is_outside
from inspector.model.validate import validate
from inspector.model.wire import WireError, skim
from inspector.text import Message, say

_SIGNATURES: tuple[tuple[bytes, int, str], ...] = (
    (b"PK\x03\x04", 0, "zip"),
    (b"PK\x05\x06", 0, "zip"),
    (b"\x1f\x8b", 0, "gzip"),
    (b"\x89PNG", 0, "PNG"),
    (b"\x89HDF", 0, "HDF5"),
    (b"BZh", 0, "bzip2"),
    (b"\xfd7zXZ", 0, "xz"),
    (b"\x7fELF", 0, "ELF"),
    (b"%PDF", 0, "PDF"),
    (b"ORTM", 4, "ORT"),
    (b"TFL3", 4, "TFLite"),
)
"""Magic bytes, where they stand, and what the file then is."""


def load_model(path: Path | str) -> Model:
    """The model in the ONNX file *path*, weights left in the file.

    Raises:
        ModelLoadError: there is no such file, it is a folder or not a regular file, it cannot be read, it is not an
            ONNX model, it is cut short or damaged, or it holds no graph.
    """
    path = Path(path)
    _check_file(path)
    store = TensorStore(path)
    try:
        with path.open("rb") as handle, mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            view = memoryview(mapped)
            try:
                _check_signature(path, bytes(view[:8]))
                weightless = skim(view, store, _forget(mapped))
            finally:
                view.release()
    except WireError as error:
        raise ModelLoadError(path, _not_a_model(path, error), say("model.load_help")) from error
    except OSError as error:
        raise ModelLoadError(
            path, say("model.unreadable", path=str(path), reason=system_reason(error)), say("model.no_file_help")
        ) from error
    return from_bytes(weightless, path, store)


def _forget(mapped: mmap.mmap) -> Callable[[int, int], None] | None:
    """Gives back the pages of a payload that the system mapped along with its neighbours, so that memory stays low."""
    if not hasattr(mmap, "MADV_DONTNEED"):
        return None

    def forget(offset: int, length: int) -> None:
        end = (offset + length) // mmap.PAGESIZE * mmap.PAGESIZE
        if length >= mmap.PAGESIZE and end:
            mapped.madvise(mmap.MADV_DONTNEED, 0, end)

    return forget


def from_bytes(data: bytes, path: Path, store: TensorStore | None = None) -> Model:
    """The model in the serialised ModelProto *data*; *path* is named in errors and becomes `Model.origin`.

    Raises:
        ModelLoadError: the bytes are no ModelProto, or it holds no graph.
    """
    proto = onnx.ModelProto()
    try:
        proto.ParseFromString(data)
    except DecodeError as error:
        raise ModelLoadError(path, say("model.not_onnx", path=str(path)), say("model.load_help")) from error
    if not proto.HasField("graph"):
        raise ModelLoadError(path, say("model.no_graph", path=str(path)), say("model.load_help"))
    return _checked(path, proto, store or TensorStore(path))


def from_proto(proto: onnx.ModelProto, *, store: TensorStore | None = None) -> Model:
    """A model built in memory; *proto* is copied. Its weights stay inline unless a *store* holds them already."""
    copy = onnx.ModelProto()
    copy.CopyFrom(proto)
    return build(copy, store or TensorStore(), origin=None)


def _checked(path: Path, proto: onnx.ModelProto, store: TensorStore) -> Model:
    model = build(proto, store, origin=path)
    if not model.ir_version and not proto.opset_import and not model.nodes and not model.main.outputs:
        raise ModelLoadError(path, say("model.not_onnx", path=str(path)), say("model.load_help"))
    warnings = [*model.warnings, *validate(model)]
    # Names repeat between graphs, so the key names the graph too.
    tensors = {f"{g.index}/{n}": t for g in model.graphs for n, t in g.initializers.items()}
    store.keeps_outside = any(is_outside(tensor) for tensor in tensors.values())
    missing = store.missing_files(tensors)
    if missing:
        warnings.append(say("model.external_files_missing", n=len(missing), files=", ".join(missing[:5])))
    return replace(model, warnings=tuple(warnings))


def _check_file(path: Path) -> None:
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - one call that follows links
    except FileNotFoundError as error:
        raise ModelLoadError(path, say("model.no_file", path=str(path)), say("model.no_file_help")) from error
    except (OSError, ValueError) as error:
        raise ModelLoadError(
            path, say("model.unreadable", path=str(path), reason=system_reason(error)), say("model.no_file_help")
        ) from error
    if stat.S_ISDIR(mode):
        raise ModelLoadError(path, say("model.is_folder", path=str(path)), say("model.is_folder_help"))
    if not stat.S_ISREG(mode):
        raise ModelLoadError(path, say("model.not_regular", path=str(path)), say("model.load_help"))
    if path.stat().st_size == 0:
        raise ModelLoadError(path, say("model.empty_file", path=str(path)), say("model.load_help"))


def _check_signature(path: Path, head: bytes) -> None:
    for signature, offset, kind in _SIGNATURES:
        if head[offset : offset + len(signature)] == signature:
            raise ModelLoadError(path, say("model.other_format", path=str(path), kind=kind), say("model.load_help"))


def _not_a_model(path: Path, error: WireError) -> Message:
    """A damaged model when some of the file could be read, otherwise no model at all."""
    if error.position == 0:
        return say("model.not_onnx", path=str(path))
    return say("model.damaged_file", path=str(path), reason=error.message)
