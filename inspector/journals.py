"""`Journals`: the folder in which running windows keep the journals of their models, and what dead ones left there.

Each process has a claim on a name of its own, and its journals are `NAME-NUMBER.json`. Journals whose name nobody
claims were left by a process that was killed. Nothing is ever written beside a model.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from threading import RLock

from inspector.errors import InspectorError, system_reason
from inspector.journal import NO_TIME, Journal, JournalError, read_journal, write_journal
from inspector.model.save import write_atomically
from inspector.state import Claim, state_dir
from inspector.text import Message, say

LARGEST_BYTES = 16_000_000
"""A longer file is no journal of ours."""


@dataclass(frozen=True)
class Left:
    """A journal that a dead process left.

    Attributes:
        path: its file.
        journal: what it says; None when it cannot be read.
        problem: why it cannot be read; None when it can.
    """

    path: Path
    journal: Journal | None
    problem: Message | None = None

    @property
    def owner(self) -> str:
        """Name that the dead process had claimed."""
        return self.path.stem.rpartition("-")[0]


class Journals:
    """Journals of this process and of those before it; safe to use from several threads."""

    def __init__(self, folder: Path | None = None) -> None:
        """Use *folder*; None takes `journals` of the program's state. Nothing is made before the first journal."""
        self.folder = folder or state_dir() / "journals"
        self._lock = RLock()
        self._claim: Claim | None = None
        self._taken: dict[str, Claim] = {}
        self._open: set[Path] = set()

    def write(self, number: int, journal: Journal) -> Path:
        """Write *journal* as that of the document *number*, at once or not at all; its file.

        Raises:
            JournalError: the folder cannot be written, or the disk is full.
        """
        try:
            with self._lock:
                if self._claim is None:
                    self._claim = Claim.fresh(self.folder)
                path = self._path(self._claim, number)
            write_atomically(path, write_journal(journal).encode(), overwrite=True)
        except OSError as error:
            raise _unwritable(self.folder, say("journal.reason", reason=system_reason(error))) from error
        except InspectorError as error:
            raise _unwritable(self.folder, error.message) from error
        return path

    def remove(self, number: int) -> None:
        """Forget the journal of the document *number*, if there is one.

        Raises:
            JournalError: it cannot be removed.
        """
        if self._claim is not None:
            _unlink(self._path(self._claim, number))

    def left(self) -> tuple[Left, ...]:
        """What dead processes left, newest first; locks without a journal are swept on the way.

        Raises:
            JournalError: there is something, but the folder cannot be written.
        """
        found: list[Left] = []
        with self._lock:
            for owner, paths in self._dead():
                claim = self._take(owner)
                if claim is not None:
                    found += [_read(path) for path in paths]
                    claim.release()
        return tuple(sorted(found, key=_age, reverse=True))

    def take(self, left: Left) -> bool:
        """Claim *left*, so that no other process works on it; False when one does or it is gone.

        Raises:
            JournalError: the folder cannot be written.
        """
        with self._lock:
            if left.owner not in self._taken:
                claim = self._take(left.owner)
                if claim is None:
                    return False
                self._taken[left.owner] = claim
            self._open.add(left.path)
            if left.path.exists():
                return True
            self.give_back(left)
            return False

    def give_back(self, left: Left) -> None:
        """End the claim on *left*; the journal, if it is still there, stays for the next start."""
        with self._lock:
            self._open.discard(left.path)
            if left.owner in self._taken and not any(path.stem.startswith(f"{left.owner}-") for path in self._open):
                self._taken.pop(left.owner).release()

    def discard(self, left: Left) -> None:
        """Remove *left* for good.

        Raises:
            JournalError: it cannot be removed.
        """
        _unlink(left.path)
        self.give_back(left)

    def close(self) -> None:
        """End all claims. Journals that are still there are for the next start."""
        with self._lock:
            for claim in (*self._taken.values(), *((self._claim,) if self._claim is not None else ())):
                claim.release()
            self._taken.clear()
            self._open.clear()
            self._claim = None

    def _take(self, owner: str) -> Claim | None:
        try:
            return Claim.take(self.folder, owner)
        except OSError as error:
            raise _unwritable(self.folder, say("journal.reason", reason=system_reason(error))) from error

    def _dead(self) -> Iterator[tuple[str, list[Path]]]:
        """Names with a lock or a journal that are not our own, each with its journals."""
        try:
            entries = sorted(self.folder.iterdir())
        except OSError:
            return
        own = {*self._taken, *((self._claim.name,) if self._claim is not None else ())}
        owners: dict[str, list[Path]] = {}
        for path in entries:
            if path.suffix == ".lock":
                owners.setdefault(path.stem, [])
            elif path.suffix == ".json" and "-" in path.stem and _is_ours(path):
                owners.setdefault(path.stem.rpartition("-")[0], []).append(path)
        yield from ((owner, paths) for owner, paths in owners.items() if owner not in own)

    def _path(self, claim: Claim, number: int) -> Path:
        return self.folder / f"{claim.name}-{number}.json"


def _read(path: Path) -> Left:
    try:
        if path.stat().st_size > LARGEST_BYTES:
            return Left(path, None, say("journal.too_long", limit=LARGEST_BYTES))
        return Left(path, read_journal(path.read_text(encoding="utf-8")))
    except JournalError as error:
        return Left(path, None, error.message)
    except (OSError, UnicodeDecodeError) as error:
        return Left(path, None, say("journal.reason", reason=str(error)))


def _is_ours(path: Path) -> bool:
    """Whether *path* is a regular file of this user: others may write into a state folder that is shared."""
    try:
        info = path.lstat()
    except OSError:
        return False
    return path.is_file() and not path.is_symlink() and (not hasattr(os, "getuid") or info.st_uid == os.getuid())


def _age(left: Left) -> tuple[datetime, str]:
    written = left.journal.written if left.journal is not None else NO_TIME
    return written, left.path.name


def _unlink(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path.parent, say("journal.reason", reason=system_reason(error))) from error


def _unwritable(folder: Path, reason: Message) -> JournalError:
    return JournalError(say("journal.unwritable", folder=str(folder), reason=reason), say("journal.unwritable_help"))
