"""Core texts: a `Message` is a key with arguments; `render` makes the English or Chinese sentence.

Catalogues are `resources/i18n/core/LANGUAGE/PACKAGE.toml`, one file per package so that each package owns its words;
the part of a key before the first dot names the file (`placement.rank` -> `placement.toml`, entry `rank`). A package
may keep entries in further files, `PACKAGE/NAME.toml`, as the rewrite rules do: one file for each rule. An entry is a
string in `str.format` syntax, or a table `{one = "...", other = "..."}` chosen by the argument `n`. Core code never
joins strings into a sentence. Numbers, shapes, operator and attribute names are not translated.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from string import Formatter
from types import MappingProxyType
from typing import Any

from inspector.assets import resources_dir

LANGUAGES = ("en", "zh_CN")
"""Languages with complete catalogues; a test compares their keys and arguments."""

_CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
_NO_ARGS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Message:
    """One sentence of the core, not yet in any language.

    Attributes:
        key: `package.entry` in the catalogues.
        args: values for the entry's fields; a value may itself be a `Message` or a `Text`.
    """

    key: str
    args: Mapping[str, object] = field(default_factory=lambda: _NO_ARGS)


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence that carries its own languages, as the constraint tables do (`text: {en: ..., zh_CN: ...}`)."""

    en: str
    zh_CN: str  # noqa: N815 - named as the language tag is


def say(key: str, /, **args: object) -> Message:
    """Short form of `Message(key, args)`."""
    return Message(key, MappingProxyType(args))


def render(message: Message | Text | str, language: str = "en") -> str:
    """The sentence of *message* in *language* (one of `LANGUAGES`; another language falls back to English).

    A plain string is returned as it is: names and figures need no translation.

    Raises:
        KeyError: the catalogue has no such entry; a test over all keys keeps this from reaching a user.
    """
    if isinstance(message, str):
        return message
    if isinstance(message, Text):
        return message.zh_CN if language == "zh_CN" else message.en
    entry = _entry(message.key, language if language in LANGUAGES else "en")
    if isinstance(entry, dict):
        entry = entry["one" if message.args.get("n") == 1 else "other"]
    arguments = {k: _argument(v, language) for k, v in message.args.items()}
    return _filled(str(entry), arguments) if language == "zh_CN" else str(entry).format(**arguments)


def _filled(entry: str, arguments: Mapping[str, object]) -> str:
    """The Chinese *entry* with its *arguments*, without a space where Chinese meets Chinese.

    An entry has spaces around its fields, because most of them take figures and names; some arguments are words.
    """
    formatter, text = Formatter(), ""
    for literal, name, form, conversion in formatter.parse(entry):
        text = _joined(text, literal)
        if name is not None:
            value = formatter.convert_field(formatter.get_field(name, (), arguments)[0], conversion)
            text = _joined(text, formatter.format_field(value, form or ""))
    return text


def _joined(left: str, right: str) -> str:
    if _CHINESE.match(left.rstrip()[-1:]) and _CHINESE.match(right.lstrip()[:1]):
        return left.removesuffix(" ") + right.removeprefix(" ")
    return left + right


def _argument(value: object, language: str) -> object:
    return render(value, language) if isinstance(value, Message | Text) else value


def _entry(key: str, language: str) -> Any:
    package, _, name = key.partition(".")
    return catalogue(package, language)[name]


@cache
def catalogue(package: str, language: str) -> Mapping[str, Any]:
    """All entries of one package in one language, keyed by the part of the key after the first dot (dots are kept).

    Raises:
        ValueError: two files of the package have the same entry.
    """
    folder = resources_dir() / "i18n" / "core" / language
    entries: dict[str, Any] = {}
    for path in (folder / f"{package}.toml", *sorted((folder / package).glob("*.toml"))):
        with path.open("rb") as handle:
            import tomllib

            found = _flatten(tomllib.load(handle))
        repeated = entries.keys() & found.keys()
        if repeated:
            raise ValueError(f"{path.name}: {', '.join(sorted(repeated))} is an entry of another file already")
        entries |= found
    return MappingProxyType(entries)


def preload(language: str) -> None:
    """Read all entries of *language*, so that whoever may not wait finds them read."""
    folder = resources_dir() / "i18n" / "core" / (language if language in LANGUAGES else "en")
    for path in sorted(folder.glob("*.toml")):
        catalogue(path.stem, folder.name)


def _flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in table.items():
        if isinstance(value, dict) and set(value) != {"one", "other"}:
            flat.update(_flatten(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat
