"""Core texts: complete in both languages, with the same arguments, and every key that the code says exists."""

import ast
import string
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from inspector.text import LANGUAGES, catalogue

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "i18n" / "core"
PACKAGES = sorted(path.stem for path in (FOLDER / "en").glob("*.toml"))
FULL_WIDTH = {",", ";", "!", "?"}


def fields(entry):
    """Names of the arguments of a catalogue entry."""
    text = entry if isinstance(entry, str) else "".join(entry.values())
    return {name.split(".")[0].split("[")[0] for _, name, _, _ in string.Formatter().parse(text) if name}


def said():
    """(key pattern, argument names or None, place) of every `say(...)` and `Message(...)` in the sources."""
    for path in sorted((ROOT / "inspector").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say"):
                continue
            names = [keyword.arg for keyword in node.keywords]
            arguments = None if None in names else set(names)
            for key in keys_of(node.args[0]):
                yield key, arguments, f"{path.relative_to(ROOT)}:{node.lineno}"


def keys_of(node):
    """Keys that an expression can stand for: a constant, a choice, or an f-string as a pattern with `*`."""
    if isinstance(node, ast.Constant):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from keys_of(node.body)
        yield from keys_of(node.orelse)
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "*" for part in node.values)


def matches(pattern, entries):
    import fnmatch

    return [name for name in entries if fnmatch.fnmatchcase(name, pattern)]


def test_both_languages_have_the_same_files():
    english, chinese = (
        {path.relative_to(FOLDER / language) for path in (FOLDER / language).rglob("*.toml")} for language in LANGUAGES
    )
    assert english == chinese


def test_every_rule_has_a_file_of_its_own_words():
    rules = {path.stem for path in (ROOT / "inspector" / "rewrite" / "rules").glob("*.py")} - {"__init__"}
    assert {path.stem for path in (FOLDER / "en" / "rewrite").glob("*.toml")} == rules


def test_an_entry_stands_in_one_file_only(tmp_path, monkeypatch):
    folder = tmp_path / "i18n" / "core" / "en"
    (folder / "some").mkdir(parents=True)
    (folder / "some.toml").write_text('a = "A"\n')
    (folder / "some" / "more.toml").write_text('a = "B"\n')
    monkeypatch.setattr("inspector.text.resources_dir", lambda: tmp_path)
    with pytest.raises(ValueError, match=r"more\.toml: a "):
        catalogue("some", "en")


@pytest.mark.parametrize("package", PACKAGES)
def test_both_languages_say_the_same_things(package):
    english, chinese = (catalogue(package, language) for language in LANGUAGES)
    assert set(english) == set(chinese)
    for name, entry in english.items():
        assert fields(entry) == fields(chinese[name]), name
        assert isinstance(entry, str) == isinstance(chinese[name], str), name


@pytest.mark.parametrize("package", PACKAGES)
def test_chinese_uses_full_width_punctuation(package):
    for name, entry in catalogue(package, "zh_CN").items():
        for text in [entry] if isinstance(entry, str) else entry.values():
            for left, right in pairwise(text):
                if right in FULL_WIDTH:
                    assert not "\u4e00" <= left <= "\u9fff", f"{name}: half-width {right!r} in {text!r}"


def test_every_key_that_is_said_exists_with_its_arguments():
    calls = list(said())
    assert len(calls) > 100
    for pattern, arguments, place in calls:
        package, _, name = pattern.partition(".")
        assert package in PACKAGES, f"{place}: {pattern}"
        found = matches(name, catalogue(package, "en"))
        assert found, f"{place}: {pattern} is in no catalogue"
        if arguments is not None and "*" not in pattern:
            wanted = fields(catalogue(package, "en")[name])
            missing = wanted - arguments
            assert not missing, f"{place}: {pattern} needs {missing}"


def test_files_are_valid_utf8_toml():
    for path in FOLDER.rglob("*.toml"):
        assert tomllib.loads(path.read_text(encoding="utf-8")), path
