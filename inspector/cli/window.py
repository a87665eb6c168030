"""No command: open the window, on the models that are named."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from inspector.errors import InspectorError, UsageError
from inspector.text import say


def run(argv: Sequence[str], language: str) -> int:
    """Open the window and wait until it is closed; gives Qt's exit code.

    Raises:
        UsageError: a word is neither a command nor a file, or there is no display.
        InspectorError: Qt is not installed.
    """
    words = _words(argv, language) if argv else []
    headless = not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if sys.platform == "linux" and headless and not os.environ.get("QT_QPA_PLATFORM"):
        raise UsageError(say("cli.no_display"), say("cli.no_display_help"))
    try:
        from inspector.gui.app import main
    except ImportError as error:
        raise InspectorError(say("cli.no_qt", reason=str(error)), say("cli.no_qt_help")) from error
    return main(words)


def _words(argv: Sequence[str], language: str) -> list[str]:
    """The arguments of the window's own `main`; apart, so that a start without any need not load a parser."""
    from inspector.cli.common import Parser, nearest
    from inspector.cli.main import COMMANDS
    from inspector.log import LEVELS

    parser = Parser("", language)
    parser.positional("model", nargs="*")
    parser.option("--platform", metavar="P")
    parser.option("--log-level", choices=LEVELS)
    parser.option("--reset-ui", action="store_true")
    args = parser.parse_args(argv)
    unknown = next((word for word in args.model if not Path(word).exists()), None)
    if unknown is not None:
        names = nearest(unknown, list(COMMANDS))
        raise UsageError(say("cli.no_command", word=unknown), say("cli.no_command_help", names=names))
    words: list[str] = []
    for name in ("platform", "lang", "log_level"):
        if getattr(args, name) is not None:
            words += [f"--{name.replace('_', '-')}", getattr(args, name)]
    words += ["--reset-ui"] if args.reset_ui else []
    return [*words, "--", *args.model]
