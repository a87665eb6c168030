"""The error families. Expected answers (a refusal, UNKNOWN, INCONCLUSIVE) are values, never exceptions.

An `InspectorError` means a broken promise: it says what was found, what was expected and what to do. Only `cli.main`
and `gui.jobs` catch it; anything else reaches the crash report.
"""

import errno
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from inspector.text import Message, render, say


class InspectorError(Exception):
    """Base of all expected failures.

    Attributes:
        message: what was found and what was expected.
        help: what to do about it, or None.
        exit_code: process exit code of the command line (ARCHITECTURE: 2 usage, 3 model, 4 constraints, 5 internal).
    """

    exit_code = 5

    def __init__(self, message: Message, help: Message | None = None) -> None:  # noqa: A002 - the field's public name
        super().__init__(message, help)
        self.message = message
        self.help = help

    def text(self, language: str = "en") -> str:
        """Message and help as one or two lines in *language*."""
        lines = [render(self.message, language)]
        if self.help is not None:
            lines.append(render(self.help, language))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()


class UsageError(InspectorError):
    """The command line or an option value cannot be used."""

    exit_code = 2


class ModelLoadError(InspectorError):
    """A file cannot be read as an ONNX model."""

    exit_code = 3

    def __init__(self, path: Path, message: Message, help: Message | None = None) -> None:  # noqa: A002
        super().__init__(message, help)
        self.path = path


class TensorDataError(InspectorError):
    """A tensor's values cannot be read: external file missing, short, outside the folder, or changed since opening."""

    exit_code = 3


class SaveError(InspectorError):
    """A model or report cannot be written."""

    exit_code = 5


class ConstraintDataError(InspectorError):
    """A constraint table or platform file is invalid."""

    exit_code = 4


class RewriteError(InspectorError):
    """A rule broke an invariant of the rewrite engine: a defect of the rule, never of the user's model."""


class WorkerError(InspectorError):
    """The worker process gave no answer."""


class WorkerCrashed(WorkerError):  # noqa: N818 - reads as what happened
    """The worker process died."""


class WorkerTimeout(WorkerError):  # noqa: N818
    """The worker process was stopped at its time limit."""


class WorkerCancelled(WorkerError):  # noqa: N818
    """The user cancelled the job."""


class SettingsError(InspectorError):
    """The settings file cannot be used."""


_REASONS: Mapping[int, Message] = MappingProxyType(
    {
        errno.EACCES: say("system.denied"),
        errno.EPERM: say("system.denied"),
        errno.ENOSPC: say("system.full"),
        errno.EDQUOT: say("system.quota"),
        errno.EFBIG: say("system.too_large"),
        errno.EROFS: say("system.read_only"),
        errno.EIO: say("system.device"),
        errno.ENOENT: say("system.missing"),
        errno.EEXIST: say("system.exists"),
        errno.EISDIR: say("system.folder"),
        errno.ENOTDIR: say("system.no_folder"),
        errno.ENAMETOOLONG: say("system.long_name"),
        errno.ELOOP: say("system.link_loop"),
        errno.EBUSY: say("system.busy"),
        errno.EMFILE: say("system.too_many_open"),
        errno.ENFILE: say("system.too_many_open"),
        errno.ENOMEM: say("system.memory"),
    }
)
"""Error number -> what it means. The system's own words are English whatever the reader's language is."""


def system_reason(error: OSError | ValueError) -> Message | str:
    """Why the system refused, for a message that names the file itself; rare causes stay in the system's own words."""
    if not isinstance(error, OSError):
        return str(error)
    return _REASONS.get(error.errno or 0) or error.strerror or str(error)
