"""The title of a source in both languages.

The constraint data names documents, sections and versions in English, in parts with commas between them. The parts that
are words have an entry in the catalogue `sources`; what has none is a name (`HorizonRobotics OE-Skills`) and stays.
"""

import re
from functools import cache

from inspector.placement.verdict import Source
from inspector.text import Text, catalogue, render, say

_FIELD = re.compile(r"\\\{(\w+)\\\}")


def source_text(source: Source) -> Text:
    """Document, section and version in one line; the standing when the source has no title."""
    title = str(source)
    if not title:
        return Text(source.standing.value, render(say(f"report.standing.{source.standing.value}"), "zh_CN"))
    parts = title.split(", ")
    chinese = [_chinese(part) for part in parts]
    return Text(title, title if chinese == parts else "，".join(chinese))


def is_known(part: str) -> bool:
    """Whether the catalogue has an entry for *part* of a title."""
    return any(pattern.fullmatch(part) for pattern, _ in _entries())


@cache
def _chinese(part: str) -> str:
    for pattern, entry in _entries():
        match = pattern.fullmatch(part)
        if match is not None:
            return render(say(f"sources.{entry}", **match.groupdict()), "zh_CN")
    return part


@cache
def _entries() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The English wording of every entry as a pattern, those without fields first."""
    texts = sorted(catalogue("sources", "en").items(), key=lambda item: "{" in item[1])
    return tuple((re.compile(_FIELD.sub(r"(?P<\1>.+)", re.escape(text))), entry) for entry, text in texts)
