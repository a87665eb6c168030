"""Which files a model was read from, and whether they are still the same."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from inspector.model.graph import Model
from inspector.model.tensors import is_outside, location_of

_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class FileStamp:
    """What the file system says of a file's content without reading it.

    Attributes:
        size: bytes.
        mtime_ns: time of the last change, in nanoseconds since 1970.
    """

    size: int
    mtime_ns: int


def stamp(path: Path) -> FileStamp | None:
    """The stamp of *path*; None when there is no such file or it cannot be asked."""
    try:
        info = path.stat()
    except (OSError, ValueError):
        return None
    return FileStamp(info.st_size, info.st_mtime_ns)


def external_files(model: Model) -> tuple[Path, ...]:
    """Files beside the model that hold its weights, as its initializers name them; they may be missing.

    Names that lead out of the model's folder are left out: they are never read either.
    """
    folder = model.tensors.folder
    if folder is None:
        return ()
    places = dict.fromkeys(
        location_of(tensor) or ""
        for graph in model.graphs
        for tensor in graph.initializers.values()
        if is_outside(tensor)
    )
    return tuple(folder / place for place in places if place and "\x00" not in place and _inside(folder, place))


def sha256(path: Path, cancelled: Callable[[], bool] = lambda: False) -> str:
    """SHA-256 of the content of *path* in hexadecimal; empty when *cancelled* said so meanwhile.

    Raises:
        OSError: the file cannot be read.
    """
    digest = hashlib.sha256()
    with path.open("rb") as handle:
        while block := handle.read(_BLOCK_BYTES):
            if cancelled():
                return ""
            digest.update(block)
    return digest.hexdigest()


def _inside(folder: Path, place: str) -> bool:
    try:
        return (folder / place).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):
        return False
