"""The restricted YAML, its traps, and the compiled copies."""

import json

import pytest

from inspector.errors import ConstraintDataError
from inspector.placement.reader import cache_dir, parse, read


@pytest.fixture
def cache(monkeypatch, tmp_path):
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "cache"))
    monkeypatch.setattr("sys.platform", "linux")
    return cache_dir()


def test_only_jsons_types_are_known():
    data = parse(
        "a: no\nb: 2024-09-26\nc: 1.20.3\nd: 0x10\ne: 012\nf: ~"
        "\ng: 1:30\nh: on\ni: true\nj: null\nk: -3\nl: 1.5\nm: '2'",
        "t.yaml",
    )
    assert data == {
        "a": "no", "b": "2024-09-26", "c": "1.20.3", "d": "0x10", "e": "012", "f": "~", "g": "1:30", "h": "on",
        "i": True, "j": None, "k": -3, "l": 1.5, "m": "2",
    }  # fmt: skip


def test_keys_are_text_whatever_they_look_like():
    assert parse("{1: a, no: b, true: c}", "t.yaml") == {"1": "a", "no": "b", "true": "c"}


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: 1\nb: 2\na: 3\n", "line 3"),
        ("a: {b: 1, b: 2}\n", "line 1"),
        ("a: &x [1]\nb: *x\n", "aliases"),
        ("a: [1, 2\n", "line 2"),
        ("? [1, 2]\n: b\n", "line 1"),
        ("a: !!python/object/apply:os.system [ls]\n", "line 1"),
        ("a: 1\n<<: {b: 2}\nb: 3\n<<: {c: 4}\n", "line 4"),
        ("- 1\n", "list"),
        ("", "NoneType"),
        ("just text", "str"),
    ],
)
def test_traps_name_the_file_and_the_place(text, place):
    with pytest.raises(ConstraintDataError) as error:
        parse(text, "x/t.yaml")
    assert "x/t.yaml" in str(error.value)
    assert place in str(error.value)


def test_deep_nesting_is_an_error_of_the_file():
    with pytest.raises(ConstraintDataError):
        parse("[" * 5000 + "]" * 5000, "t.yaml")


def test_a_file_is_compiled_once(cache, tmp_path, monkeypatch):
    path = tmp_path / "t.yaml"
    path.write_text("a: [1, 中]\n", "utf-8")
    first = read(path, "t.yaml")
    assert first == ({"a": [1, "中"]}, path.read_bytes())
    (compiled,) = cache.glob("*.json")
    assert json.loads(compiled.read_text("utf-8")) == {"a": [1, "中"]}
    monkeypatch.setattr("inspector.placement.reader.parse", lambda *_: pytest.fail("parsed twice"))
    assert read(path, "t.yaml") == first


def test_a_changed_file_is_read_again(cache, tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text("a: 1\n")
    read(path, "t.yaml")
    path.write_text("a: 2\n")
    assert read(path, "t.yaml")[0] == {"a": 2}


@pytest.mark.parametrize("broken", ["", "{", "[1]", "\x00"])
def test_a_broken_copy_is_made_again(cache, tmp_path, broken):
    path = tmp_path / "t.yaml"
    path.write_text("a: 1\n")
    read(path, "t.yaml")
    (compiled,) = cache.glob("*.json")
    compiled.write_text(broken)
    assert read(path, "t.yaml")[0] == {"a": 1}


def test_a_cache_that_cannot_be_written_only_costs_time(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("sys.platform", "linux")
    path = tmp_path / "t.yaml"
    path.write_text("a: 1\n")
    assert read(path, "t.yaml")[0] == {"a": 1}


@pytest.mark.parametrize("payload", [None, b"a: \xff"])
def test_an_unreadable_file_is_named(cache, tmp_path, payload):
    path = tmp_path / "t.yaml"
    if payload is not None:
        path.write_bytes(payload)
    with pytest.raises(ConstraintDataError, match="t\\.yaml"):
        read(path, "t.yaml")


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_the_cache_folder_is_the_systems(monkeypatch, platform):
    monkeypatch.setattr("sys.platform", platform)
    assert cache_dir().parts[-2:] == ("bpu-graph-inspector", "constraints")
