"""Logging: one logger per package, a ring buffer of the last records for a crash report, and a log file.

Levels: ERROR an operation was given up; WARNING it went on with something missing; INFO one line per action of the
user; DEBUG figures. Tensor contents are never logged: models are confidential.
"""

import logging
from collections import deque
from logging.handlers import RotatingFileHandler
from pathlib import Path

ROOT = "inspector"
"""Parent of all loggers; modules use `logging.getLogger(__name__)`, so that each package can be tuned by itself."""

RING_RECORDS = 500
"""Records kept for a crash report."""

FILE_BYTES = 1_000_000
"""Size at which the log file is rotated; one older file is kept."""

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class Ring(logging.Handler):
    """Keeps the last formatted records in memory."""

    def __init__(self, records: int = RING_RECORDS) -> None:
        super().__init__(logging.DEBUG)
        self._lines: deque[str] = deque(maxlen=records)
        self.setFormatter(logging.Formatter(FORMAT))

    def emit(self, record: logging.LogRecord) -> None:
        """Keep *record*, dropping the oldest when the buffer is full."""
        self._lines.append(self.format(record))

    def lines(self) -> tuple[str, ...]:
        """The records kept, oldest first."""
        return tuple(self._lines)


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
    root = logging.getLogger(ROOT)
    for handler in tuple(root.handlers):
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)
    ring = Ring()
    root.addHandler(ring)
    if console:
        stream = logging.StreamHandler()
        stream.setLevel(logging.WARNING)
        stream.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
        root.addHandler(stream)
    if file is not None:
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            rotating = RotatingFileHandler(file, maxBytes=FILE_BYTES, backupCount=1, encoding="utf-8", delay=False)
        except OSError as error:
            root.warning("no log file: %s", error)
        else:
            rotating.setFormatter(logging.Formatter(FORMAT))
            root.addHandler(rotating)
    return ring
