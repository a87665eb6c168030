import dataclasses
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector import settings as module
from inspector.errors import SettingsError
from inspector.settings import (
    RANGES,
    RECENT_FILES,
    SCHEMA_VERSION,
    Settings,
    load_settings,
    remember_file,
    save_settings,
    set_aside,
    settings_path,
)
from inspector.text import render


def test_without_a_file_the_defaults_apply(tmp_path):
    assert load_settings(tmp_path / "none.toml") == (Settings(), ())


@given(
    language=st.sampled_from(["", "en", "zh_CN"]),
    theme=st.sampled_from(["light", "dark", "system"]),
    scale=st.integers(100, 200),
    recent=st.lists(st.text(st.characters(blacklist_categories=("Cs",))), max_size=4).map(tuple),
)
def test_what_is_saved_is_read_back(tmp_path_factory, language, theme, scale, recent):
    path = tmp_path_factory.mktemp("settings") / "settings.toml"
    chosen = Settings(language=language, theme=theme, ui_scale_percent=scale, recent=recent)
    save_settings(chosen, path)
    assert load_settings(path) == (chosen, ())
    assert tomllib.loads(path.read_text(encoding="utf-8"))["schema_version"] == SCHEMA_VERSION


def test_unknown_keys_are_kept_and_reported(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('schema_version = 1\ntheme = "dark"\nfuture = { depth = 3 }\n', encoding="utf-8")
    settings, notes = load_settings(path)
    assert settings.theme == "dark"
    assert [note.args["setting"] for note in notes] == ["future"]
    save_settings(settings, path)
    assert tomllib.loads(path.read_text(encoding="utf-8"))["future"] == {"depth": 3}


def test_a_newer_file_keeps_its_version(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('schema_version = 99\ntheme = "dark"\nfuture = 1\n', encoding="utf-8")
    settings, notes = load_settings(path)
    assert [note.key for note in notes] == ["settings.newer", "settings.unknown_key"]
    save_settings(settings, path)
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    assert (table["schema_version"], table["future"], table["theme"]) == (99, 1, "dark")


@pytest.mark.parametrize(
    "line",
    ['theme = "blue"', "theme = 3", "ui_scale_percent = 99", "ui_scale_percent = true", 'recent = "x"', "recent = [1]"],
)
def test_one_bad_value_never_costs_the_rest(tmp_path, line):
    path = tmp_path / "settings.toml"
    path.write_text(f'schema_version = 1\nplatform = "x5"\n{line}\n', encoding="utf-8")
    settings, notes = load_settings(path)
    assert settings == dataclasses.replace(Settings(), platform="x5")
    assert len(notes) == 1
    for language in ("en", "zh_CN"):
        assert line.split(" = ")[0] in render(notes[0], language)


@pytest.mark.parametrize("content", [b"theme = ", b"\xff\xfe\x00", b'schema_version = "one"'])
def test_a_broken_file_is_named_in_the_error(tmp_path, content):
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    with pytest.raises(SettingsError) as caught:
        load_settings(path)
    assert str(path) in caught.value.text("en")
    assert str(path) in caught.value.text("zh_CN")
    assert path.read_bytes() == content


def test_an_older_file_is_migrated_after_a_backup(tmp_path, monkeypatch):
    def darker(table):
        return {"theme": table.pop("mode"), **table}

    monkeypatch.setattr(module, "SCHEMA_VERSION", 2)
    monkeypatch.setattr(module, "MIGRATIONS", {1: darker})
    path = tmp_path / "settings.toml"
    path.write_text('schema_version = 1\nmode = "dark"\n', encoding="utf-8")
    settings, notes = load_settings(path)
    assert (settings.theme, notes) == ("dark", ())
    assert 'mode = "dark"' in (tmp_path / "settings.toml.1.bak").read_text(encoding="utf-8")


def test_a_failed_save_leaves_the_old_file(tmp_path):
    folder = tmp_path / "file-in-the-way"
    folder.write_text("not a folder", encoding="utf-8")
    with pytest.raises(SettingsError):
        save_settings(Settings(), folder / "settings.toml")
    assert folder.read_text(encoding="utf-8") == "not a folder"


def test_saving_leaves_no_partial_file(tmp_path):
    save_settings(Settings(), tmp_path / "deep" / "settings.toml")
    assert [entry.name for entry in (tmp_path / "deep").iterdir()] == ["settings.toml"]


def test_recent_files_are_newest_first_without_repeats():
    settings = Settings()
    for name in [*"abc", "a", *map(str, range(20))]:
        settings = remember_file(settings, Path("/models") / name)
    assert len(settings.recent) == RECENT_FILES
    assert settings.recent[0].endswith("19")
    assert len(set(settings.recent)) == RECENT_FILES


@pytest.mark.parametrize(
    ("platform", "variable", "part"),
    [("win32", "APPDATA", "BPU Graph Inspector"), ("linux", "XDG_CONFIG_HOME", "bpu-graph-inspector")],
)
def test_the_folder_follows_the_system(monkeypatch, tmp_path, platform, variable, part):
    monkeypatch.setattr(module.sys, "platform", platform)
    monkeypatch.setenv(variable, str(tmp_path))
    assert settings_path() == tmp_path / part / "settings.toml"


def test_on_macos_the_folder_is_in_the_library(monkeypatch, tmp_path):
    monkeypatch.setattr(module.sys, "platform", "darwin")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert settings_path().parent == tmp_path / "Library" / "Application Support" / "BPU Graph Inspector"


def test_a_broken_file_is_kept_beside_the_new_one(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_bytes(b"theme = ")
    copy = set_aside(path)
    save_settings(Settings(theme="dark"), path)
    assert copy is not None
    assert copy.read_bytes() == b"theme = "
    assert load_settings(path)[0].theme == "dark"


def test_nothing_to_set_aside(tmp_path):
    assert set_aside(tmp_path / "settings.toml") is None


@pytest.mark.parametrize("name", RANGES)
def test_defaults_lie_within_their_ranges(name):
    low, high = RANGES[name]
    assert low <= getattr(Settings(), name) <= high
