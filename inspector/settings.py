"""`Settings`: what the user chose once and for all, as a frozen value kept in a TOML file.

The file carries `schema_version`. An older file is migrated step by step, after a backup; a newer one is read as far as
it is understood and never overwritten with less: keys that this version does not know are kept and reported.
"""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from inspector.errors import SettingsError, system_reason
from inspector.text import LANGUAGES, Message, say

SCHEMA_VERSION = 1
"""Version that `save_settings` writes."""

FILE_NAME = "settings.toml"
RECENT_FILES = 12
"""Recent files that are kept."""

Migration = Callable[[dict[str, Any]], dict[str, Any]]
MIGRATIONS: Mapping[int, Migration] = MappingProxyType({})
"""Schema version -> function that turns a table of that version into one of the next."""


@dataclass(frozen=True)
class Settings:
    """Choices of the user.

    Attributes:
        language: `en`, `zh_CN`, or empty to follow the system.
        theme: `light`, `dark`, or `system`.
        contrast: `standard`, `high`, or `print` for black on white; `print` is light whatever `theme` says.
        platform: id of the platform to start with.
        toolchain: toolchain version; empty for the newest known one.
        flow: `ptq` or `qat`.
        ui_scale_percent: size of the window's contents, 100..200 %.
        animations: whether things move and fade; where the system asks for less motion, nothing moves all the same.
        system_fonts: whether the system's own fonts are used even where Inter and JetBrains Mono are installed.
        wheel: what the mouse wheel does on the canvas: `zoom`, or `scroll` (then Ctrl + wheel zooms).
        direction: way the graph flows: `down` or `right`.
        seed: seed of the made-up inputs of a verification.
        worker_timeout_s: seconds after which a computation in the worker is stopped.
        worker_memory_percent: share of the machine's memory that the worker may use, in %.
        autosave: whether accepted rewrites are written down as they are made, so that they survive a kill.
        reopen_session: whether the models of the last session are opened at the start.
        recent: model files opened lately, newest first.
        unknown: keys that this version does not know; kept and written back.
    """

    language: str = ""
    theme: str = "system"
    contrast: str = "standard"
    platform: str = "j6p"
    toolchain: str = ""
    flow: str = "ptq"
    ui_scale_percent: int = 100
    animations: bool = True
    system_fonts: bool = False
    wheel: str = "zoom"
    direction: str = "down"
    seed: int = 7
    worker_timeout_s: int = 120
    worker_memory_percent: int = 80
    autosave: bool = True
    reopen_session: bool = False
    recent: tuple[str, ...] = ()
    unknown: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))


_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "language": ("", *LANGUAGES),
        "theme": ("light", "dark", "system"),
        "contrast": ("standard", "high", "print"),
        "flow": ("ptq", "qat"),
        "wheel": ("zoom", "scroll"),
        "direction": ("down", "right"),
    }
)
RANGES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "ui_scale_percent": (100, 200),
        "seed": (0, 2**31 - 1),
        "worker_timeout_s": (1, 86400),
        "worker_memory_percent": (5, 95),
    }
)
"""Least and largest value of the settings that are numbers."""


def config_dir() -> Path:
    """Folder of the program's settings on this system; it may not exist yet."""
    home = Path.home()
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming") / "BPU Graph Inspector"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "BPU Graph Inspector"
    return Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config") / "bpu-graph-inspector"


def settings_path() -> Path:
    """The settings file; it may not exist yet."""
    return config_dir() / FILE_NAME


def load_settings(path: Path | None = None) -> tuple[Settings, tuple[Message, ...]]:
    """Settings from *path* (default: `settings_path()`), and what was odd about the file.

    A missing file gives the defaults. A value that cannot be used is reported and replaced by its default, so that one
    bad line never costs the rest.

    Raises:
        SettingsError: the file exists but cannot be read as TOML.
    """
    path = path or settings_path()
    try:
        text = path.read_text(encoding="utf-8")
        import tomllib  # not before there is a file: a first start is fast without

        table = tomllib.loads(text)
    except FileNotFoundError:
        return Settings(), ()
    except (OSError, ValueError) as error:  # neither UTF-8 nor TOML
        raise SettingsError(
            say("settings.unreadable", path=str(path), reason=system_reason(error)), say("settings.unreadable_help")
        ) from error
    version = table.pop("schema_version", SCHEMA_VERSION)
    if not isinstance(version, int) or isinstance(version, bool):
        raise SettingsError(
            say("settings.version", path=str(path), found=repr(version)), say("settings.unreadable_help")
        )
    if version > SCHEMA_VERSION:
        settings, notes = _parse(table)
        kept = MappingProxyType({"schema_version": version, **settings.unknown})
        return replace(settings, unknown=kept), (say("settings.newer", path=str(path), found=version), *notes)
    return _parse(_migrate(table, version, path))


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write *settings* to *path* (default: `settings_path()`) at once or not at all.

    Raises:
        SettingsError: the file cannot be written.
    """
    path = path or settings_path()
    table: dict[str, object] = {"schema_version": SCHEMA_VERSION, **settings.unknown}
    for entry in fields(Settings):
        if entry.name != "unknown":
            value = getattr(settings, entry.name)
            table[entry.name] = list(value) if isinstance(value, tuple) else value
    import tomli_w

    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(tomli_w.dumps(table), encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise SettingsError(
            say("settings.unwritable", path=str(path), reason=system_reason(error)), say("settings.unwritable_help")
        ) from error


def set_aside(path: Path | None = None) -> Path | None:
    """Copy a settings file that cannot be read to `settings.toml.damaged` beside it, before a new one replaces it.

    Returns:
        The copy; None when it could not be made, or there is nothing to copy.
    """
    path = path or settings_path()
    copy = path.with_name(f"{path.name}.damaged")
    try:
        copy.write_bytes(path.read_bytes())
    except OSError:
        return None
    return copy


def remember_file(settings: Settings, file: Path) -> Settings:
    """*settings* with *file* as the newest of the recent files."""
    name = str(file.absolute())
    recent = (name, *(other for other in settings.recent if other != name))[:RECENT_FILES]
    return replace(settings, recent=recent)


def _migrate(table: dict[str, Any], version: int, path: Path) -> dict[str, Any]:
    if version < SCHEMA_VERSION:
        backup = path.with_name(f"{path.name}.{version}.bak")
        try:
            backup.write_bytes(path.read_bytes())
        except OSError as error:
            raise SettingsError(
                say("settings.unwritable", path=str(backup), reason=system_reason(error)),
                say("settings.unwritable_help"),
            ) from error
    while version < SCHEMA_VERSION:
        table = MIGRATIONS[version](table)
        version += 1
    return table


def _parse(table: Mapping[str, Any]) -> tuple[Settings, tuple[Message, ...]]:
    known = {entry.name: entry.default for entry in fields(Settings) if entry.name != "unknown"}
    values: dict[str, Any] = {}
    notes: list[Message] = []
    for key, value in table.items():
        if key not in known:
            notes.append(say("settings.unknown_key", setting=key))
            continue
        if (reason := _fault(key, value, known[key])) is not None:
            notes.append(reason)
            continue
        values[key] = tuple(value) if key == "recent" else value
    unknown = MappingProxyType({key: value for key, value in table.items() if key not in known})
    return Settings(**values, unknown=unknown), tuple(notes)


def _fault(key: str, value: object, default: object) -> Message | None:
    """What is wrong with the *value* of *key*, or None."""
    if key == "recent":
        good = isinstance(value, list) and all(isinstance(item, str) for item in value)
        return None if good else say("settings.value", setting=key, found=repr(value), expected="[string, ...]")
    if type(value) is not type(default):
        return say("settings.value", setting=key, found=repr(value), expected=type(default).__name__)
    if key in _CHOICES and value not in _CHOICES[key]:
        return say("settings.value", setting=key, found=repr(value), expected=", ".join(map(repr, _CHOICES[key])))
    if key in RANGES and isinstance(value, int) and not RANGES[key][0] <= value <= RANGES[key][1]:
        return say("settings.value", setting=key, found=value, expected="{}..{}".format(*RANGES[key]))
    return None
