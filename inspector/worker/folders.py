"""The process's private temporary folder: made on first use, locked while the process lives, gone afterwards.

Models are confidential, so nothing of them may stay on the disk. The folder goes at exit; if the process is killed, the
worker removes it as soon as its input closes; and if both are killed, the next start sweeps it, because nobody holds
the lock of its `owner` file any more.
"""

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO

from inspector.state import try_lock

PREFIX = "bpu-inspector-"
"""Start of the folder's name within the system's temporary folder."""

_OWNER = "owner"
_lock = Lock()
_root: Path | None = None
_owner: IO[bytes] | None = None


def private_folder() -> Path:
    """The folder of this process, readable by its user alone. The first call sweeps what dead processes left."""
    global _root, _owner
    with _lock:
        if _root is None or not _root.is_dir():
            if _root is None:
                atexit.register(remove_private_folder)
            elif _owner is not None:
                _owner.close()
            sweep()
            _root = Path(tempfile.mkdtemp(prefix=PREFIX))
            _owner = (_root / _OWNER).open("wb")
            try_lock(_owner)
        return _root


def remove_private_folder() -> None:
    """Remove the folder of this process and all that is in it."""
    global _root, _owner
    with _lock:
        if _owner is not None:
            _owner.close()
            _owner = None
        if _root is not None:
            shutil.rmtree(_root, ignore_errors=True)
            _root = None
            atexit.unregister(remove_private_folder)


@contextmanager
def scratch(prefix: str = "scratch-") -> Iterator[Path]:
    """A fresh folder inside the private one, removed afterwards."""
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=private_folder()))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(parent: Path | None = None) -> tuple[Path, ...]:
    """Remove private folders whose process is dead; those removed. *parent* defaults to the temporary folder."""
    removed = []
    for folder in sorted((parent or Path(tempfile.gettempdir())).glob(f"{PREFIX}*")):
        if _is_stale(folder):
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder)
    return tuple(removed)


def _is_stale(folder: Path) -> bool:
    """Whether the owner's lock is free. A folder that cannot be read (another user's) or has no owner file is kept."""
    if folder.is_symlink() or not folder.is_dir():
        return False
    try:
        with (folder / _OWNER).open("r+b") as handle:
            return bool(try_lock(handle))
    except OSError:
        return False
