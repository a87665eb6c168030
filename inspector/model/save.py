"""Write a model: atomically, never over the user's file, and with everything that the rewrite did not touch.

Weights that the file kept outside stay outside: the saved model refers to the same data file when it is written into
the same folder, else the data is copied beside it under a name of its own. New weights go outside too, into the data
file of the saved model, where the model keeps its others there.
"""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import onnx

from inspector.errors import SaveError, system_reason
from inspector.model.graph import Model
from inspector.model.tensors import SLOT_PREFIX, TensorStore, is_outside, location_of, mark
from inspector.text import Message, say

INLINE_LIMIT_BYTES = 1_500_000_000
"""Payload up to which a model is written as one file; protobuf itself ends at 2 GiB."""


DATA_SUFFIX = ".data"
"""What the name of a model's own data file adds to that of the model."""


def save_model(
    model: Model, path: Path, *, metadata: Mapping[str, str] | None = None, overwrite: bool = False
) -> tuple[Path, ...]:
    """Write *model* to *path*; the files that were written, the model first.

    *metadata* entries are added to the model's own (a key that exists is replaced). ir_version, opsets, names, doc
    strings and unknown fields stay as they were. Bound dimensions are not written.

    Raises:
        SaveError: *path* cannot be written; see `check_target`.
        TensorDataError: a weight cannot be read.
    """
    path = Path(path)
    check_target(path, overwrite=overwrite, source=model.origin)
    proto = model.to_proto()
    for file in (path, path.with_name(path.name + DATA_SUFFIX)):
        _spare_data(file, model, proto)
    _add_metadata(proto, metadata or {})
    outside = _External(
        model.tensors,
        path,
        force=_inline_bytes(model, proto) > INLINE_LIMIT_BYTES,
        new_outside=model.tensors.keeps_outside,
    )
    for_each_tensor(proto, outside.place)
    written = outside.finish(overwrite)
    try:
        write_atomically(path, proto.SerializeToString(deterministic=True), overwrite=overwrite)
    except SaveError:
        for extra in written:
            extra.unlink(missing_ok=True)
        raise
    return (path, *written)


def full_proto(model: Model) -> onnx.ModelProto:
    """The model with all weights inline, for small models and fragments.

    Raises:
        TensorDataError: a weight cannot be read.
    """
    proto = model.to_proto()

    def inline(tensor: onnx.TensorProto) -> None:
        if location_of(tensor) is not None:
            tensor.CopyFrom(model.tensors.full_tensor(tensor))

    for_each_tensor(proto, inline)
    return proto


def write_runtime(model: Model, folder: Path, *, extra_outputs: Sequence[str] = ()) -> Path:
    """Write *model* into the private *folder* for one run of the worker; the path of the model file.

    Bound dimensions are written here, since they are what is run. Repeated node names, which mean nothing but which
    the runtime refuses, are left out. *extra_outputs* are exposed as further graph outputs
    (names of main-graph values; those that are outputs already are skipped). Weights stand inline up to
    `INLINE_LIMIT_BYTES`, else in one data file of the same folder.

    Raises:
        SaveError: the folder cannot be written.
        TensorDataError: a weight cannot be read.
    """
    from inspector.model.infer import bind_dims, value_info

    proto = model.to_proto()
    _drop_repeated_names(proto.graph)
    bind_dims(proto, model.dims)
    present = {output.name for output in proto.graph.output}
    proto.graph.output.extend(value_info(model.value(0, name)) for name in extra_outputs if name not in present)
    handle, name = tempfile.mkstemp(suffix=".onnx", dir=folder)
    os.close(handle)
    path = Path(name)
    outside = _External(model.tensors, path, force=_inline_bytes(model, proto) > INLINE_LIMIT_BYTES, keep=False)
    for_each_tensor(proto, outside.place)
    outside.finish(overwrite=True, durable=False)
    write_atomically(path, proto.SerializeToString(), overwrite=True, durable=False)
    return path


def _drop_repeated_names(graph: onnx.GraphProto) -> None:
    seen: set[str] = set()
    for node in graph.node:
        if node.name in seen:
            node.name = ""
        seen.add(node.name)
        for attribute in node.attribute:
            for body in (*((attribute.g,) if attribute.HasField("g") else ()), *attribute.graphs):
                _drop_repeated_names(body)


def write_atomically(path: Path, data: bytes, *, overwrite: bool = False, durable: bool = True) -> None:
    """Write *data* to *path* so that a reader sees either the old file or the whole new one.

    *durable* waits until the disk has it; a file that only the worker reads need not.

    Raises:
        SaveError: *path* exists and *overwrite* is off, or the disk refuses.
    """
    with _replacing(path, overwrite, durable) as handle:
        handle.write(data)


def for_each_tensor(proto: onnx.ModelProto, visit: Callable[[onnx.TensorProto], None]) -> None:
    """Call *visit* with every TensorProto of *proto*: initializers and attributes, bodies and functions included."""
    _visit_graph(proto.graph, visit)
    for function in proto.functions:
        for node in function.node:
            _visit_node(node, visit)


def _visit_graph(graph: onnx.GraphProto, visit: Callable[[onnx.TensorProto], None]) -> None:
    for tensor in graph.initializer:
        visit(tensor)
    for sparse in graph.sparse_initializer:
        visit(sparse.values)
        visit(sparse.indices)
    for node in graph.node:
        _visit_node(node, visit)


def _visit_node(node: onnx.NodeProto, visit: Callable[[onnx.TensorProto], None]) -> None:
    for attribute in node.attribute:
        if attribute.HasField("t"):
            visit(attribute.t)
        for tensor in attribute.tensors:
            visit(tensor)
        if attribute.HasField("g"):
            _visit_graph(attribute.g, visit)
        for graph in attribute.graphs:
            _visit_graph(graph, visit)
        single = (attribute.sparse_tensor,) if attribute.HasField("sparse_tensor") else ()
        for sparse in (*single, *attribute.sparse_tensors):
            visit(sparse.values)
            visit(sparse.indices)


class _External:
    """Decides for each tensor whether it stands inline, keeps its data file, or goes into the model's new data file."""

    def __init__(
        self, store: TensorStore, path: Path, *, force: bool, keep: bool = True, new_outside: bool = False
    ) -> None:
        self._store = store
        self._path = path
        self._force = force
        self._new_outside = new_outside
        self._keep = keep and store.folder is not None and path.parent.resolve() == store.folder.resolve()
        self._inline_files = not keep and not force
        self._queue: list[tuple[onnx.TensorProto, onnx.TensorProto]] = []
        self._offset = 0

    @property
    def data_path(self) -> Path:
        """Data file that belongs to the model file."""
        return self._path.with_name(self._path.name + DATA_SUFFIX)

    def place(self, tensor: onnx.TensorProto) -> None:
        """Settle one tensor of the proto that is being written."""
        if location_of(tensor) is None:
            return
        from_file = is_outside(tensor)
        if from_file and self._keep:
            return
        moved = self._new_outside and self._store.is_new(tensor)
        if self._force or moved or (from_file and not self._inline_files):
            source = onnx.TensorProto()
            source.CopyFrom(tensor)
            self._move(tensor, source)
        else:
            tensor.CopyFrom(self._store.full_tensor(tensor))

    def _move(self, tensor: onnx.TensorProto, source: onnx.TensorProto) -> None:
        length = self._store.size_bytes(source)
        if length is None:
            tensor.CopyFrom(self._store.full_tensor(source))
            return
        mark(tensor, self.data_path.name)
        self._offset = -(-self._offset // 4096) * 4096
        for key, value in (("offset", self._offset), ("length", length)):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)
        self._queue.append((tensor, source))
        self._offset += length

    def finish(self, overwrite: bool, durable: bool = True) -> tuple[Path, ...]:
        """Write the data file, if anything goes there."""
        if not self._queue:
            return ()
        with _replacing(self.data_path, overwrite, durable) as handle:
            for tensor, source in self._queue:
                offset = next(int(e.value) for e in tensor.external_data if e.key == "offset")
                handle.seek(offset)
                handle.write(self._store.payload(source))
        return (self.data_path,)


def _inline_bytes(model: Model, proto: onnx.ModelProto) -> int:
    """Bytes that *proto* would have with the store's payloads inline."""
    total = 0

    def count(tensor: onnx.TensorProto) -> None:
        nonlocal total
        if (location_of(tensor) or "").startswith(SLOT_PREFIX):
            total += model.tensors.size_bytes(tensor) or 0

    for_each_tensor(proto, count)
    return total


def _add_metadata(proto: onnx.ModelProto, metadata: Mapping[str, str]) -> None:
    for key, value in metadata.items():
        entry = next((e for e in proto.metadata_props if e.key == key), None)
        if entry is None:
            entry = proto.metadata_props.add()
        entry.key, entry.value = key, value


def check_target(path: Path, *, overwrite: bool = False, source: Path | None = None) -> None:
    """Whether a file may be written to *path*, as far as that can be told beforehand; *source* is never overwritten.

    Raises:
        SaveError: *path* is a folder, its folder is missing or read-only, the name is impossible, the file exists and
            *overwrite* is off, or it is *source*, by whatever name.
    """
    try:
        _check_place(path, overwrite, source)
    except OSError as error:  # a name that is too long, a folder that may not be looked into
        raise SaveError(_failed(path, error), say("model.save_help")) from error


def _check_place(path: Path, overwrite: bool, source: Path | None) -> None:
    if not path.name or path.is_dir():
        raise SaveError(say("model.is_folder", path=str(path)), say("model.save_help"))
    if not path.parent.is_dir():
        raise SaveError(say("model.no_folder", path=str(path.parent)), say("model.no_folder_help"))
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise SaveError(say("model.read_only", path=str(path.parent)), say("model.no_folder_help"))
    if source is not None and (path.absolute() == source.absolute() or _same_file(path, source)):
        raise SaveError(say("model.save_over_source", path=str(path)), say("model.save_help"))
    if not path.exists():
        return
    if not overwrite or not path.is_file():
        raise SaveError(say("model.save_exists", path=str(path)), say("model.save_help"))


def _spare_data(path: Path, model: Model, proto: onnx.ModelProto) -> None:
    """Refuse a *path* under which the weights of *model* stand: writing there would destroy them.

    Raises:
        SaveError: it is such a file.
    """
    folder = model.tensors.folder
    if folder is None:
        return
    locations: set[str] = set()
    for_each_tensor(proto, lambda tensor: locations.add(location_of(tensor) or ""))
    files = {(folder / name).resolve() for name in locations if name and not name.startswith(SLOT_PREFIX)}
    if path.resolve() in files:
        raise SaveError(say("model.save_over_data", path=str(path)), say("model.save_help"))


def _same_file(a: Path, b: Path) -> bool:
    return a.exists() and b.exists() and a.samefile(b)


def _failed(path: Path, error: OSError) -> Message:
    return say("model.save_failed", path=str(path), reason=system_reason(error))


@contextmanager
def _replacing(path: Path, overwrite: bool, durable: bool = True) -> Iterator[BinaryIO]:
    """A temporary file of the same folder that takes the place of *path* when the block ends well."""
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:80]}.", suffix=".part", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            if durable:
                os.fsync(stream.fileno())
        temporary.chmod(0o666 & ~_umask())
        if overwrite:
            temporary.replace(path)
        else:
            _move_new(temporary, path)
    except FileExistsError as error:
        raise SaveError(say("model.save_exists", path=str(path)), say("model.save_help")) from error
    except OSError as error:
        raise SaveError(_failed(path, error), say("model.save_failed_help")) from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _move_new(temporary: Path, path: Path) -> None:
    """Give *temporary* the name *path* unless that exists; a hard link makes the test and the move one step."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if path.exists():
            raise FileExistsError(path) from None
        temporary.replace(path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
