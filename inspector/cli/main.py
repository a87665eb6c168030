"""`main`: picks the command, gives its exit code, and turns expected failures into one clear message.

Exit codes: 0 nothing to report, 1 findings, 2 wrong usage, 3 model unreadable, 4 constraint data invalid, 5 worker or
internal failure, 130 stopped by Ctrl-C.
"""

import errno
import os
import sys
from collections.abc import Sequence
from types import TracebackType

from inspector import __version__

COMMANDS = {
    "check": "inspector.cli.check",
    "rewrite": "inspector.cli.rewrite",
    "tool": "inspector.cli.tool",
    "verify": "inspector.cli.verify",
    "explain": "inspector.cli.explain",
    "ops": "inspector.cli.ops",
    "rules": "inspector.cli.rules",
    "targets": "inspector.cli.targets",
    "demo": "inspector.cli.demo",
}
"""Command -> module with its `run`."""

WINDOW = "inspector.cli.window"
INTERRUPTED = 130
INTERNAL = 5
_OUTPUT_FAULTS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""A full disk, a used-up quota, a file size limit, a device that fails: what a stream may answer to a write."""

_ACCEPTED = (None, "en", "zh", "zh_CN")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line; *argv* defaults to that of the process. Gives the exit code."""
    if argv is None:
        sys.excepthook = _crash
        _open_missing_streams()
        _collect_rarely()
    words = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    language, words, asked = _take_language(words)
    try:
        code = _answer(words, language, asked)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader (`| head`) has seen enough
        _drop_output()
        return 0
    except OSError as error:
        # Only a write to a stream that is open already fails without a file name.
        if error.filename is not None or error.errno not in _OUTPUT_FAULTS:
            raise
        _drop_output()
        _output_failed(error, language)
        return INTERNAL
    if argv is None:
        _leave_garbage()
    return code


def _answer(words: list[str], language: str, asked: str | None) -> int:
    if words[:1] == ["--version"]:
        print(f"bpu-inspector {__version__}")
        return 0
    if words[:1] in (["--help"], ["-h"]):
        print(_help(language), end="")
        return 0
    return _run(words, language, asked)


def _run(words: list[str], language: str, asked: str | None) -> int:
    from importlib import import_module

    from inspector.errors import InspectorError, UsageError
    from inspector.text import LANGUAGES, say

    name = COMMANDS.get(words[0]) if words else None
    rest = words if name is None else words[1:]
    if name is None and asked is not None:
        # The window has a language of its own in its settings, which only an explicit choice overrides.
        rest = ["--lang", language, *words]
    try:
        if asked not in _ACCEPTED:
            found = f"`--lang {asked}`"
            raise UsageError(say("cli.language", found=found), say("cli.language_help", languages=", ".join(LANGUAGES)))
        return int(import_module(name or WINDOW).run(rest, language))
    except InspectorError as error:
        from inspector.cli.common import print_error

        print_error(error, language)
        return error.exit_code


def _collect_rarely() -> None:
    """Look for garbage ten times less often: what start-up and a command make stays, and looking costs a tenth."""
    import gc

    young, *older = gc.get_threshold()
    gc.set_threshold(10 * young, *older)


def _leave_garbage() -> None:
    """Look for none at the end: what is left goes with the process, and looking costs as much as a small command."""
    import gc

    gc.freeze()


def _open_missing_streams() -> None:
    """Give standard streams that the caller closed to the null device, so that no file of ours gets their numbers."""
    from pathlib import Path

    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for the whole process


def _drop_output() -> None:
    """Send what is still to be written to the null device; Python would complain once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _output_failed(error: OSError, language: str) -> None:
    from contextlib import suppress

    from inspector.cli.common import print_error
    from inspector.errors import InspectorError, system_reason
    from inspector.text import say

    reason = system_reason(error)
    with suppress(OSError):  # standard error may stand on the same full disk
        print_error(InspectorError(say("cli.output_failed", reason=reason), say("cli.output_failed_help")), language)


def _crash(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Report a defect of the program. Python's own hook would leave with 1, which means findings."""
    sys.__excepthook__(kind, error, trace)
    try:
        print(f"bpu-inspector {__version__} failed; the lines above belong into a report of it", file=sys.stderr)
        sys.stderr.flush()
    finally:  # standard error may stand on a full disk
        os._exit(INTERNAL)


def _take_language(words: list[str]) -> tuple[str, list[str], str | None]:
    """The language of `--lang`, else of the environment; the words without the option; its value if it was given."""
    rest: list[str] = []
    asked: str | None = None
    items = iter(words)
    for word in items:
        if word == "--":
            rest += [word, *items]
        elif word == "--lang":
            asked = next(items, "")
        elif word.startswith("--lang="):
            asked = word.partition("=")[2]
        else:
            rest.append(word)
    # The order in which gettext looks.
    variables = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    system = next((value for name in variables if (value := os.environ.get(name))), "")
    chosen = asked if asked is not None and asked in _ACCEPTED else system
    return ("zh_CN" if chosen.lower().startswith("zh") else "en"), rest, asked


def _help(language: str) -> str:
    """The list of commands. A plain file, because parsing options for it would double the start-up time."""
    from inspector.assets import resources_dir

    return (resources_dir() / "i18n" / "help" / f"{language}.txt").read_text(encoding="utf-8")
