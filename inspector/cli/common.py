"""What the commands share: options, target and model from them, output as JSON, messages for errors."""

import argparse
import difflib
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from inspector.cli.usage import usage_reason
from inspector.errors import InspectorError, UsageError
from inspector.text import render, say

_STEERING = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What a terminal obeys instead of showing it; a tabulator is harmless."""


class Parser(argparse.ArgumentParser):
    """An argument parser that speaks the user's language and raises `UsageError` instead of leaving the process."""

    def __init__(self, command: str, language: str) -> None:
        """Make the parser of *command*; its description is the text `cli.about.COMMAND`."""
        self.language = language
        super().__init__(
            prog=f"bpu-inspector {command}".strip(),
            description=self._say(f"about.{command}"),
            add_help=False,
            allow_abbrev=False,
            formatter_class=_Formatter,
        )
        self.options = self.add_argument_group(self._say("options"))
        self.options.add_argument("-h", "--help", action="help", help=self._say("option.help"))
        # `main` has taken it out of the words already, because errors of the parser speak it too.
        self.options.add_argument("--lang", metavar="en|zh_CN", help=self._say("option.lang"))

    def positional(self, name: str, **kwargs: Any) -> None:
        """Add a positional argument; its help is the text `cli.option.NAME`."""
        self.options.add_argument(name, metavar=name.upper(), help=self._say(f"option.{name}"), **kwargs)

    def option(self, *flags: str, text: str = "", **kwargs: Any) -> None:
        """Add an option; its help is the text `cli.option.NAME`, NAME being *text* or the long flag."""
        name = text or flags[-1].lstrip("-").replace("-", "_")
        self.options.add_argument(*flags, help=self._say(f"option.{name}"), **kwargs)

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing and leaving.

        Raises:
            UsageError: always.
        """
        raise UsageError(say("cli.usage", reason=usage_reason(message)), say("cli.usage_help", command=self.prog))

    def format_usage(self) -> str:
        """The usage line, under a translated heading."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups, self._say("usage_heading"))
        return formatter.format_help()

    def format_help(self) -> str:
        """The help text, under translated headings."""
        formatter = self._get_formatter()
        formatter.add_text(self.description)
        formatter.start_section(self.options.title)
        formatter.add_arguments(self.options._group_actions)
        formatter.end_section()
        return self.format_usage() + "\n" + formatter.format_help()

    def _say(self, entry: str) -> str:
        return render(say(f"cli.{entry}"), self.language)


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30, width=100)


def add_target_options(parser: Parser) -> None:
    """The options that choose what a model is placed on."""
    parser.option("--platform", required=True, metavar="P")
    parser.option("--toolchain", metavar="V")
    parser.option("--march", metavar="M")
    parser.option("--flow", choices=("ptq", "qat"), default="ptq")
    parser.option("--qtype", metavar="TYPE")
    parser.option("--node-qtype", action="append", default=[], metavar="NODE=TYPE")
    parser.option("--dim", action="append", default=[], metavar="NAME=N")
    parser.option("--force", action="append", default=[], metavar="NODE=bpu|cpu")


def target_defaults(platform: str, language: str) -> argparse.Namespace:
    """What `add_target_options` gives when nothing but the platform was named."""
    parser = Parser("check", language)
    add_target_options(parser)
    return parser.parse_args(["--platform", platform])


def parse_dims(words: Sequence[str]) -> dict[str, int]:
    """Sizes of dynamic dimensions from `NAME=N` words.

    Raises:
        UsageError: a word has another form, a size is no whole number of at least 1, or a name has two sizes.
    """
    dims: dict[str, int] = {}
    for word in words:
        name, equals, size = word.rpartition("=")
        # Python itself refuses to read numbers of thousands of digits.
        if not equals or not name or not size.isascii() or not size.isdigit() or len(size) > 10 or int(size) < 1:
            raise UsageError(say("cli.dim", found=word), say("cli.dim_help"))
        if dims.setdefault(name, int(size)) != int(size):
            raise UsageError(say("cli.twice", name=name, first=dims[name], second=size), say("cli.twice_help"))
    return dims


def nearest(word: str, known: Sequence[str]) -> str:
    """The known words closest to *word*, for a message; all of them when few are known and none is close."""
    close = difflib.get_close_matches(word, known, n=3, cutoff=0.5)
    return ", ".join(close or known[:8]) or "-"


def print_json(document: Mapping[str, Any]) -> None:
    """Print *document* as the only thing on standard output."""
    # Outside UTF-8 only JSON's own escapes are sure to stay valid.
    plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
    json.dump(document, sys.stdout, ensure_ascii=plain, indent=1, allow_nan=False)
    sys.stdout.write("\n")


def print_lines(lines: Iterable[str]) -> None:
    """Print *lines*. Names come from the model: none may move the cursor, turn the text around or begin a line."""
    print("\n".join(map(plain, lines)))


def plain(line: str) -> str:
    """*line* with its control characters and those that change the direction of text as escapes."""
    return _STEERING.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), line)


def print_error(error: InspectorError, language: str) -> None:
    """Tell on standard error what went wrong and what to do."""
    head = render(say("cli.error", message=error.message), language)
    lines = [head]
    if error.help is not None:
        lines.append(render(say("cli.error_help", message=error.help), language))
    print("\n".join(map(plain, lines)), file=sys.stderr)
