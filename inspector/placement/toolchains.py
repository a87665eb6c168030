"""`Toolchain`: the versions of a platform's toolchain, what is known of each, and which one a user means.

A user may name the OpenExplorer version (`1.2.8`) or the version of a component of it (`hb_mapper=1.24.3`, or just
`1.24.3`), as build logs print it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from inspector.errors import UsageError
from inspector.placement import structure
from inspector.placement.reader import bad
from inspector.placement.table import Table
from inspector.text import Text, say


class Ground(StrEnum):
    """How well it is supported that a toolchain version exists and what it contains."""

    DOCUMENTED = "documented"
    REPORTED = "reported"
    COMMUNITY = "community"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """One toolchain version of a platform.

    Attributes:
        version: OpenExplorer version, `1.2.8`.
        tables: march -> id of the table it uses.
        ground: how well the version is supported.
        source: where it is named, for a reader.
        own_table: whether the table was published for this very version; else the nearest one that is known is used.
        components: component -> version, as far as known (`hbdk`, `hb_mapper`, `hmct`, ...); `>= 1.7.8` is a bound.
        note: what is particular about it; None when nothing is.
    """

    version: str
    tables: Mapping[str, str]
    ground: Ground = Ground.REPORTED
    source: str = ""
    own_table: bool = False
    components: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    note: Text | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is known to differ between versions or revisions.

    Attributes:
        id: kebab case, unique within the platform.
        since: first version of the platform it holds for; empty when it is older than all of them or not tied to one.
        ops: operators it is about; empty when it is about the whole toolchain.
        clauses: ids of clauses of the platform's tables that follow it; empty when it changes no verdict.
        text: what differs, for a reader.
        ground: how well it is supported.
        source: who says so, for a reader.
    """

    id: str
    since: str
    ops: tuple[str, ...]
    clauses: tuple[str, ...]
    text: Text
    ground: Ground
    source: str


_TOOLCHAIN_KEYS: Final = frozenset(
    {"version", "tables", "ground", "source", "own_table", "components", "note"},
)
_DIFFERENCE_KEYS: Final = frozenset({"id", "since", "ops", "clauses", "text", "ground", "source"})


def read_toolchain(data: Any, marches: tuple[str, ...], tables: Mapping[str, Table], file: str, key: str) -> Toolchain:
    """A toolchain version from its entry in *file*.

    Raises:
        ConstraintDataError: the entry breaks a rule of the form.
    """
    entry = structure.keys(data, _TOOLCHAIN_KEYS, ("version", "tables"), file, key)
    used = structure.keys(entry["tables"], frozenset(marches), marches, file, f"{key}.tables")
    for march, table in used.items():
        if table not in tables:
            raise bad(file, f"{key}.tables.{march}", table, ", ".join(sorted(tables)))
    components = entry.get("components", {})
    for component, version in structure.keys(components, frozenset(components), (), file, key).items():
        structure.string(version, file, f"{key}.components.{component}")
    return Toolchain(
        version=structure.string(entry["version"], file, f"{key}.version"),
        tables=MappingProxyType(dict(used)),
        ground=_ground(entry, file, key),
        source=structure.string(entry["source"], file, f"{key}.source") if "source" in entry else "",
        own_table=structure.boolean(entry.get("own_table", False), file, f"{key}.own_table"),
        components=MappingProxyType(dict(components)),
        note=_text(entry["note"], file, f"{key}.note") if "note" in entry else None,
    )


def read_difference(data: Any, file: str, key: str) -> Difference:
    """A difference between versions from its entry in *file*.

    Raises:
        ConstraintDataError: the entry breaks a rule of the form.
    """
    entry = structure.keys(data, _DIFFERENCE_KEYS, ("id", "text", "ground", "source"), file, key)
    return Difference(
        id=structure.string(entry["id"], file, f"{key}.id"),
        since=structure.string(entry["since"], file, f"{key}.since") if "since" in entry else "",
        ops=tuple(structure.sequence(entry.get("ops", []), file, f"{key}.ops")),
        clauses=tuple(structure.sequence(entry.get("clauses", []), file, f"{key}.clauses")),
        text=_text(entry["text"], file, f"{key}.text"),
        ground=_ground(entry, file, key),
        source=structure.string(entry["source"], file, f"{key}.source"),
    )


def _ground(entry: Mapping[str, Any], file: str, key: str) -> Ground:
    return Ground(structure.choice(entry.get("ground", "reported"), list(Ground), file, f"{key}.ground"))


def _text(data: Any, file: str, key: str) -> Text:
    entry = structure.text_of(data, file, key)
    return Text(entry["en"], entry["zh_CN"])


def find_toolchain(platform: str, toolchains: Sequence[Toolchain], wanted: str) -> Toolchain:
    """The version that *wanted* means: an OpenExplorer version, `COMPONENT=VERSION`, or a component's version.

    Versions are compared without a leading `v` and with `_` for `-`; of several that fit the newest is taken.

    Raises:
        UsageError: none fits; the message lists those there are.
    """
    component, equals, version = wanted.rpartition("=")
    named = _plain_name(component)
    version = _plain(version)
    newest_first = toolchains[::-1]
    if not equals:
        for known in newest_first:
            if _plain(known.version) == version:
                return known
    fits = [t for t in newest_first if any(_is_exactly(t, n, version) for n in t.components if _named(n, named))]
    if fits:
        return fits[0]
    allowed = [known.version for known in toolchains]
    for known in toolchains:
        components = known.components.items()
        allowed += [
            f"{name}={text.removeprefix('>=').strip()}" for name, text in components if named and _named(name, named)
        ]
    known_text = ", ".join(dict.fromkeys(allowed))
    message = say("constraints.unknown_toolchain", platform=platform, found=wanted, allowed=known_text)
    raise UsageError(message, say("constraints.choose_help"))


def between(
    toolchains: Sequence[Toolchain], differences: Sequence[Difference], a: str, b: str
) -> tuple[Difference, ...]:
    """Differences that begin after the older and not after the newer of the versions *a* and *b*."""
    order = [known.version for known in toolchains]
    first, last = sorted((order.index(a), order.index(b)))
    return tuple(d for d in differences if d.since in order[first + 1 : last + 1])


def _plain(version: str) -> str:
    return version.strip().lower().removeprefix("oe").removeprefix("v").replace("_", "-")


def _plain_name(component: str) -> str:
    return component.strip().lower().replace("-", "_")


def _named(component: str, wanted: str) -> bool:
    """Whether *component* is what *wanted* names; `hbdk` names `hbdk4` too, and nothing names all of them."""
    name = _plain_name(component)
    return not wanted or name == wanted or (wanted == "hbdk" and name == "hbdk4")


def _is_exactly(toolchain: Toolchain, component: str, version: str) -> bool:
    """Whether *component* has *version*; of a bound only the version that it names counts."""
    return _plain(toolchain.components[component].removeprefix(">=")) == version
