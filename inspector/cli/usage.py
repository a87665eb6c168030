"""What argparse finds wrong, in the user's language: it says so in English sentences, which are recognised here."""

import re
from typing import Final

from inspector.text import Message, say

_KNOWN: Final = (
    (re.compile(r"unrecognized arguments: (?P<words>.+)", re.DOTALL), "unknown"),
    (re.compile(r"the following arguments are required: (?P<words>.+)"), "missing"),
    (re.compile(r"argument (?P<name>[^:]+): expected (one|at least one|\d+) arguments?"), "value"),
    (
        re.compile(
            r"argument (?P<name>[^:]+): invalid choice: (?P<found>.+) \(choose from (?P<allowed>.+)\)", re.DOTALL
        ),
        "choice",
    ),
    (re.compile(r"argument (?P<name>[^:]+): invalid \w+ value: (?P<found>.+)", re.DOTALL), "number"),
    (re.compile(r"argument (?P<name>[^:]+): ignored explicit argument (?P<found>.+)", re.DOTALL), "flag"),
    (re.compile(r"argument (?P<name>[^:]+): not allowed with argument (?P<other>.+)"), "together"),
)


def usage_reason(message: str) -> Message | str:
    """What *message* of argparse says, for a reader in any language; *message* itself when it is another sentence."""
    for pattern, entry in _KNOWN:
        match = pattern.fullmatch(message)
        if match is not None:
            return say(f"cli.usage_{entry}", **match.groupdict())
    return message
