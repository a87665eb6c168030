"""The error families. Expected answers (a refusal, UNKNOWN, INCONCLUSIVE) are values, never exceptions.

An `InspectorError` means a broken promise: it says what was found, what was expected and what to do. Only `cli.main`
and `gui.jobs` catch it; anything else reaches the crash report.
"""

from pathlib import Path

from inspector.text import Message, render


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
