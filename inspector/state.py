"""The folder of what the program keeps between runs (journals, session, log), and locks on files of it.

A lock belongs to a process and goes with it, however it ends: the system releases it. So a file whose lock is free was
left by a process that is dead, on Linux, macOS and Windows alike and whatever the clock says. Some network folders know
no locks; there the process id in the name of the lock decides.
"""

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

_FOLDER = "bpu-graph-inspector"
_TITLE = "BPU Graph Inspector"


def state_dir() -> Path:
    """Folder of the program's state on this system; it may not exist yet."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / _TITLE
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / _TITLE / "State"
    return Path(os.environ.get("XDG_STATE_HOME") or home / ".local" / "state") / _FOLDER


def log_path() -> Path:
    """The log file of the window."""
    return state_dir() / "log" / "inspector.log"


_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS)
"""What a file system answers that knows no locks."""

if sys.platform == "win32":
    import msvcrt

    def try_lock(handle: IO[bytes]) -> bool | None:
        """Lock the open file *handle* for this process; False when another has it, None where there are no locks."""
        try:
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _lives(_process: int) -> bool:
        return True
else:
    import fcntl

    def try_lock(handle: IO[bytes]) -> bool | None:
        """Lock the open file *handle* for this process; False when another has it, None where there are no locks."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return None if error.errno in _NO_LOCKS else False
        return True

    def _lives(process: int) -> bool:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return False
        except (PermissionError, OverflowError):
            return True  # somebody else's; not ours to judge
        return True


class Claim:
    """The lock file `NAME.lock` of a folder, held until `release` or the end of the process.

    Attributes:
        name: what is claimed.
    """

    def __init__(self, name: str, path: Path, handle: IO[bytes]) -> None:
        """Keep *handle*, which is locked, on *path*; made by `take` and `fresh`."""
        self.name = name
        self._path = path
        self._handle = handle

    @classmethod
    def take(cls, folder: Path, name: str) -> Self | None:
        """Claim *name* in *folder*; None when a living process has it.

        Raises:
            OSError: the lock file cannot be written.
        """
        path = folder / f"{name}.lock"
        handle = path.open("ab")
        locked = try_lock(handle)
        free = not _other_lives(name) if locked is None else locked
        if free and _stands(handle, path):
            return cls(name, path, handle)
        handle.close()
        return None

    @classmethod
    def fresh(cls, folder: Path) -> Self:
        """Claim a name that nobody had; it starts with the id of this process. A missing folder is made private.

        Raises:
            OSError: the folder or the lock file cannot be written.
        """
        folder.mkdir(0o700, parents=True, exist_ok=True)
        claim = cls.take(folder, f"{os.getpid()}-{os.urandom(6).hex()}")
        if claim is None:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(folder))
        return claim

    def release(self) -> None:
        """Give the name back; the lock file goes."""
        if sys.platform == "win32":  # removes no open files
            self._handle.close()
        with suppress(OSError):
            self._path.unlink()
        self._handle.close()


def _other_lives(name: str) -> bool:
    number = name.partition("-")[0]
    return number.isdecimal() and int(number) != os.getpid() and _lives(int(number))


def _stands(handle: IO[bytes], path: Path) -> bool:
    """Whether *path* still names the locked file: another process may have swept it before it was locked."""
    try:
        return sys.platform == "win32" or os.path.samestat(os.fstat(handle.fileno()), path.stat())
    except FileNotFoundError:
        return False
