"""Logging: one logger per package, a ring buffer of the last records for the window and for reports, and a log file.

Levels: ERROR an operation was given up; WARNING it went on with something missing; INFO one line per action of the
user; DEBUG figures. Tensor contents are never logged: models are confidential. What Qt and Python's own warnings say
goes the same way, through the loggers `qt` and `py.warnings`.
"""

import faulthandler
import logging
import os
import re
import sys
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from inspector.state import Claim

if TYPE_CHECKING:
    from logging.handlers import RotatingFileHandler

ROOT = "inspector"
"""Parent of all loggers; modules use `logging.getLogger(__name__)`, so that each package can be tuned by itself."""

OTHERS = ("qt", "py.warnings")
"""Loggers of what is not ours."""

LEVELS = ("debug", "info", "warning", "error")
"""Names of the levels, lowest first."""

RING_RECORDS = 500
"""Records kept for a crash report."""

FILE_BYTES = 1_000_000
"""Size at which the log file is rotated; three older files are kept."""

OLDER_FILES = 3
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"

_LOG_FILES = 20
_FAULTS = "faults"


@dataclass(frozen=True, slots=True)
class Record:
    """One record of the ring.

    Attributes:
        number: place among all records since the start, from 0 on.
        level: as in `logging`.
        text: the formatted record; several lines when it has a trace.
    """

    number: int
    level: int
    text: str


class Ring(logging.Handler):
    """Keeps the last formatted records in memory."""

    def __init__(self, records: int = RING_RECORDS) -> None:
        super().__init__(logging.DEBUG)
        self._records: deque[Record] = deque(maxlen=records)
        self.count = 0
        """Records since the start, those that were dropped included."""
        self.setFormatter(logging.Formatter(FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep *record*, dropping the oldest when the buffer is full."""
        self._records.append(Record(self.count, record.levelno, self.format(record)))
        self.count += 1

    def records(self, level: int = logging.DEBUG, text: str = "") -> tuple[Record, ...]:
        """The records kept, oldest first: those from *level* on that contain *text*, whatever its case."""
        wanted = text.casefold()
        self.acquire()  # another thread may log meanwhile
        try:
            kept = tuple(self._records)
        finally:
            self.release()
        return tuple(r for r in kept if r.level >= level and (not wanted or wanted in r.text.casefold()))

    def lines(self) -> tuple[str, ...]:
        """The records kept, oldest first."""
        return tuple(record.text for record in self.records())


def set_up(level: int = logging.INFO, file: Path | None = None, *, console: bool = False) -> Ring:
    """Send the program's records to a ring buffer and, if asked, to *file* and to standard error (warnings only).

    Calling it again replaces what an earlier call set up. A log file that cannot be written is no reason to stop: the
    program goes on without it and says so in the log.

    Args:
        level: lowest level that is kept.
        file: log file; its folder is made when missing.
        console: whether warnings and errors also go to standard error.

    Returns:
        The ring buffer.
    """
    ring = Ring()
    handlers: list[logging.Handler] = [ring]
    if console:
        stream = logging.StreamHandler()
        stream.setLevel(logging.WARNING)
        stream.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        handlers.append(stream)
    failure: OSError | None = None
    if file is not None:
        try:
            handlers.append(_file_handler(file))
        except OSError as error:
            failure = error
    for logger in map(logging.getLogger, (ROOT, *OTHERS)):
        for handler in tuple(logger.handlers):
            logger.removeHandler(handler)
            handler.close()
        logger.setLevel(level)
        for handler in handlers:
            logger.addHandler(handler)
    if failure is not None:
        logging.getLogger(ROOT).warning("no log file: %s", failure)
    return ring


def own_log(file: Path) -> tuple[Path, Claim | None]:
    """The log file of this process: *file*, or `NAME-2.log` and so on beside it while other processes have those.

    Two processes must not rotate one file. The claim is to be kept as long as the file is written; it is None, and the
    file *file*, where the folder cannot be written.
    """
    try:
        file.parent.mkdir(0o700, parents=True, exist_ok=True)
        for number in range(1, _LOG_FILES):
            path = file if number == 1 else file.with_name(f"{file.stem}-{number}{file.suffix}")
            claim = Claim.take(path.parent, path.stem)
            if claim is not None:
                return path, claim
    except OSError:
        return file, None
    return file, None


def catch_faults(folder: Path, name: str) -> tuple[IO[str] | None, bool]:
    """Let a crash in native code write its traces to `NAME.faults` in *folder*.

    What an earlier process of that name left there is written into the log, so that it is not lost.

    Returns:
        The open file, None where it cannot be written, for `release_faults`; and whether an earlier process left any.
    """
    path = folder / f"{name}.{_FAULTS}"
    try:
        earlier = path.read_text(encoding="utf-8", errors="replace").strip() if path.is_file() else ""
        handle = path.open("w", encoding="utf-8")
    except OSError as error:
        logging.getLogger(ROOT).warning("no file for crashes of native code: %s", error)
        return None, False
    if earlier:
        logging.getLogger(ROOT).error("the last run ended in native code:\n%s", earlier)
    faulthandler.enable(handle)
    return handle, bool(earlier)


def release_faults(handle: IO[str] | None) -> None:
    """End `catch_faults`; the file goes, because nothing crashed."""
    if handle is None:
        return
    faulthandler.disable()
    handle.close()
    with suppress(OSError):
        Path(handle.name).unlink()


class WrittenLog:
    """The log file of this process, opened when there is time for it; what was told before is written first.

    Attributes:
        faulted: whether an earlier process of this name ended in native code; known once the file is open.
    """

    def __init__(self, file: Path, ring: Ring) -> None:
        """Write what *ring* gets to *file*, or to one beside it that no other process has."""
        self._file, self._ring = file, ring
        self._claim: Claim | None = None
        self._faults: IO[str] | None = None
        self._is_open = False
        self.faulted = False

    def open(self) -> None:
        """Open the file, unless it is open. One that cannot be written is no reason to stop; the log says so."""
        if self._is_open:
            return
        self._is_open = True
        file, self._claim = own_log(self._file)
        try:
            handler = _file_handler(file)
        except OSError as error:
            logging.getLogger(ROOT).warning("no log file: %s", error)
        else:
            if handler.stream is not None:
                handler.stream.writelines(f"{line}\n" for line in self._ring.lines())
            for logger in map(logging.getLogger, (ROOT, *OTHERS)):
                logger.addHandler(handler)
        self._faults, self.faulted = catch_faults(file.parent, file.stem)

    def close(self) -> None:
        """End; the file of crashes goes, because nothing crashed."""
        release_faults(self._faults)
        if self._claim is not None:
            self._claim.release()
        self._claim = self._faults = None


def hide_paths(text: str, private: Iterable[str] = ()) -> str:
    """*text* without paths of this computer, the user's name and what else is *private*, for a report.

    Places within the program and its libraries stay, because a trace is worth nothing without them.
    """
    names = sorted({name for name in private if len(name) > 1}, key=len, reverse=True)
    for number, name in enumerate(names, 1):
        text = text.replace(name, f"<name {number}>")
    text = re.sub(_QUOTED, lambda found: f'"{_short(found[1])}"', text)
    text = re.sub(_BARE, lambda found: _short(found[0]), text)
    home, user = str(Path.home()), _user()
    text = text.replace(home, "<path>") if len(home) > 1 else text
    return re.sub(rf"\b{re.escape(user)}\b", "<user>", text) if len(user) > 2 else text


_QUOTED = r"""["']((?:[A-Za-z]:|[/\\~])[^"'\n]*[/\\][^"'\n]*)["']"""
_BARE = r"""(?<![\w./\\<])(?:[A-Za-z]:[\\/]|\\\\|~?/)(?:[^\s"'<>:;,()|]+[\\/])*[^\s"'<>:;,()|]+"""
_PROGRAM = r"(?:^|[/\\])((?:inspector|site-packages|lib[/\\]python[\d.]+|Lib)[/\\].*\.py)$"


def _short(path: str) -> str:
    found = re.search(_PROGRAM, path)
    return found[1] if found is not None else "<path>"


def _user() -> str:
    from getpass import getuser

    try:
        return getuser()
    except (KeyError, OSError, ImportError):  # an account without a name
        return ""


def _file_handler(file: Path) -> "RotatingFileHandler":
    from logging.handlers import (
        RotatingFileHandler,  # as costly as the rest of logging, and a first picture needs no file
    )

    file.parent.mkdir(0o700, parents=True, exist_ok=True)
    made = RotatingFileHandler(file, maxBytes=FILE_BYTES, backupCount=OLDER_FILES, encoding="utf-8", delay=False)
    made.setFormatter(logging.Formatter(FORMAT))
    return made


def start_line(version: str) -> str:
    """First line of a run in the log: what runs where, and when."""
    when = time.strftime("%Y-%m-%dT%H:%M:%S%z")
    return f"bpu-inspector {version}, Python {sys.version.split()[0]}, {sys.platform}, process {os.getpid()}, {when}"
