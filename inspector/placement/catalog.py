"""`Catalog`: platforms, toolchain versions and tables, read from `constraints/` and the user's own folder."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar

from inspector.assets import constraints_dir
from inspector.errors import UsageError
from inspector.placement import structure
from inspector.placement.building import TableBuilder
from inspector.placement.reader import read
from inspector.placement.table import Clause, OpRules, Table
from inspector.placement.target import Flow, Qtype, Target
from inspector.placement.toolchains import Difference, Toolchain, find_toolchain, read_difference, read_toolchain
from inspector.text import Message, Text, say


@dataclass(frozen=True, slots=True)
class Platform:
    """A chip or board family that models are deployed to.

    Attributes:
        id: `x5`.
        title: name for a reader.
        chips: chips it stands for.
        marches: architecture names, the default first.
        toolchains: versions, oldest first; the last is the default.
        qtypes: march -> number formats it can compute in, its default first.
        flows: quantisation flows it offers, the default first.
        differences: what is known to differ between its versions, or between revisions of its documents.
    """

    id: str
    title: Text
    chips: tuple[str, ...]
    marches: tuple[str, ...]
    toolchains: tuple[Toolchain, ...]
    qtypes: Mapping[str, tuple[Qtype, ...]]
    flows: tuple[Flow, ...]
    differences: tuple[Difference, ...] = ()

    def toolchain(self, wanted: str) -> Toolchain:
        """The version that *wanted* means (`toolchains.find_toolchain`).

        Raises:
            UsageError: there is none; the message lists those there are.
        """
        return find_toolchain(self.id, self.toolchains, wanted)


@dataclass(frozen=True, slots=True)
class ClauseHit:
    """A clause that `Catalog.clauses` found: the table and operator (`""` for a graph clause) that hold it."""

    table: str
    op: str
    clause: Clause


@dataclass(frozen=True)
class Catalog:
    """All that is known of platforms and their operators.

    Attributes:
        platforms: in the order of `platforms.yaml`.
        tables: id -> table, stand-ins already resolved.
        digest: first 8 hex digits of the SHA-256 over all files read.
    """

    platforms: tuple[Platform, ...]
    tables: Mapping[str, Table]
    digest: str

    def platform(self, platform: str) -> Platform:
        """The platform with this id.

        Raises:
            UsageError: there is none; the message lists those there are.
        """
        for known in self.platforms:
            if known.id == platform:
                return known
        allowed = ", ".join(known.id for known in self.platforms)
        raise UsageError(say("constraints.unknown_platform", found=platform, allowed=allowed), _help())

    def table(self, target: Target) -> Table:
        """The table that *target*'s toolchain version uses for its march.

        Raises:
            UsageError: the platform has no such version or march.
        """
        platform = self.platform(target.platform)
        return self.tables[platform.toolchain(target.toolchain).tables[_march(platform, target.march)]]

    def default_qtype(self, target: Target) -> Qtype:
        """Number format of nodes on *target* without an override: its own `qtype`, else the march's default."""
        return target.qtype or self.platform(target.platform).qtypes[target.march][0]

    def clauses(self, query: str) -> tuple[ClauseHit, ...]:
        """Clauses whose id, operator or document is *query* (any letter case); empty when nothing fits.

        A clause that stands for an operator in two domains, or that another table borrows, counts once per table.
        """
        wanted = query.casefold()
        hits: dict[tuple[str, str, str], ClauseHit] = {}
        for table in self.tables.values():
            rows = [("", table.graph), *((rules.op, rules.clauses) for rules in table.ops.values())]
            for op, clauses in rows:
                for clause in clauses:
                    names = (clause.id.casefold(), op.casefold(), clause.source.document.casefold())
                    if wanted in names:
                        hits.setdefault((table.id, op, clause.id), ClauseHit(table.id, op, clause))
        return tuple(hits.values())

    def operator(self, op: str) -> Mapping[str, OpRules]:
        """Table id -> rules, for every table that lists *op* (any letter case)."""
        wanted = op.casefold()
        found: dict[str, OpRules] = {}
        for table in self.tables.values():
            for key, rules in table.ops.items():
                if wanted in (key.casefold(), rules.op.casefold()):
                    found.setdefault(table.id, rules)
        return MappingProxyType(found)


PLATFORM_FILE: Final = "platforms.yaml"
"""File of platforms, in the shipped folder and in a user's."""

CONTEXT_FOLDER: Final = "context"
"""Folder of findings about whole graphs, which `context_facts` reads."""

_Kind = TypeVar("_Kind", Qtype, Flow)
_REQUIRED: Final = ("chips", "flows", "marches", "qtypes", "title", "toolchains")
_PLATFORM_KEYS: Final = frozenset({*_REQUIRED, "differences"})


def load_catalog(user_dir: Path | None = None) -> Catalog:
    """Read the shipped tables and lay those of *user_dir* (same form) over them.

    A user's table or platform replaces the shipped one of the same id; others are added.

    Raises:
        ConstraintDataError: a file is invalid; the message names file and key.
    """
    folders = [constraints_dir(), *([] if user_dir is None else [user_dir])]
    digest = hashlib.sha256()
    layers: list[Mapping[str, Mapping[str, Any]]] = []
    platforms: dict[str, Any] = {}
    for folder in folders:
        files: dict[str, Mapping[str, Any]] = {}
        for path in sorted(folder.glob("*/*.yaml")):
            name = path.relative_to(folder).with_suffix("").as_posix()
            data, payload = read(path, f"{name}.yaml")
            digest.update(name.encode() + payload)
            if not name.startswith(f"{CONTEXT_FOLDER}/"):
                files[name] = data
        layers.append(files)
        path = folder / PLATFORM_FILE
        if path.exists() or folder is folders[0]:
            data, payload = read(path, PLATFORM_FILE)
            digest.update(payload)
            listed = structure.keys(data, frozenset({"platforms"}), ("platforms",), PLATFORM_FILE, "file")["platforms"]
            platforms.update(structure.keys(listed, frozenset(listed), (), PLATFORM_FILE, "platforms"))
    return _build(_Files(tuple(layers), platforms), digest.hexdigest()[:8])


@dataclass(frozen=True, eq=False)
class _Files:
    """Contents of all files, shipped ones first; told apart by the digest alone."""

    layers: tuple[Mapping[str, Mapping[str, Any]], ...]
    platforms: Mapping[str, Any]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Files)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=4)
def _build(files: _Files, digest: str) -> Catalog:
    tables: dict[str, Table] = {}
    for layer in files.layers:  # a shipped table stands on shipped ones only, whatever a user lays over them
        built = dict(tables)
        independent = [name for name, data in layer.items() if "stand_in" not in data]
        for name in (*independent, *(name for name in layer if name not in independent)):
            built[name] = TableBuilder(name, layer[name], built).build()
        tables = built
    platforms = tuple(_platform(name, data, tables) for name, data in files.platforms.items())
    return Catalog(platforms, MappingProxyType(dict(sorted(tables.items()))), digest)


def _platform(name: str, data: Any, tables: Mapping[str, Table]) -> Platform:
    key = f"platforms.{name}"
    entry = structure.keys(data, _PLATFORM_KEYS, _REQUIRED, PLATFORM_FILE, key)
    title = structure.text_of(entry["title"], PLATFORM_FILE, f"{key}.title")
    marches = tuple(structure.sequence(entry["marches"], PLATFORM_FILE, f"{key}.marches"))
    every = frozenset(marches)
    qtypes = structure.keys(entry["qtypes"], every, marches, PLATFORM_FILE, f"{key}.qtypes")
    formats = {
        march: tuple(_enum(Qtype, value, f"{key}.qtypes") for value in values) for march, values in qtypes.items()
    }
    toolchains = tuple(
        read_toolchain(item, marches, tables, PLATFORM_FILE, f"{key}.toolchains[{index}]")
        for index, item in enumerate(structure.sequence(entry["toolchains"], PLATFORM_FILE, f"{key}.toolchains"))
    )
    differences = structure.sequence(entry.get("differences", []), PLATFORM_FILE, f"{key}.differences")
    return Platform(
        id=name,
        title=Text(title["en"], title["zh_CN"]),
        chips=tuple(structure.sequence(entry["chips"], PLATFORM_FILE, f"{key}.chips")),
        marches=marches,
        toolchains=toolchains,
        qtypes=MappingProxyType(formats),
        flows=tuple(_enum(Flow, value, f"{key}.flows") for value in entry["flows"]),
        differences=tuple(
            read_difference(item, PLATFORM_FILE, f"{key}.differences[{index}]")
            for index, item in enumerate(differences)
        ),
    )


def _enum(kind: type[_Kind], value: Any, key: str) -> _Kind:
    return kind(structure.choice(value, list(kind), PLATFORM_FILE, key))


def _help() -> Message:
    return say("constraints.choose_help")


def _march(platform: Platform, march: str) -> str:
    if march in platform.marches:
        return march
    allowed = ", ".join(platform.marches)
    raise UsageError(say("constraints.unknown_march", platform=platform.id, found=march, allowed=allowed), _help())


def resolve_target(
    catalog: Catalog,
    platform: str,
    *,
    toolchain: str | None = None,
    march: str | None = None,
    flow: Flow = Flow.PTQ,
    qtype: Qtype | None = None,
) -> Target:
    """A `Target` from a user's choices, with defaults filled in: newest toolchain, first march, the march's format.

    *toolchain* may name a version or a component of one (`Platform.toolchain`).

    Raises:
        UsageError: something is not offered; the message lists what is.
    """
    chosen = catalog.platform(platform)
    version = chosen.toolchain(toolchain or chosen.toolchains[-1].version).version
    name = _march(chosen, march or chosen.marches[0])
    if flow not in chosen.flows:
        allowed = ", ".join(chosen.flows)
        raise UsageError(say("constraints.unknown_flow", platform=chosen.id, found=str(flow), allowed=allowed), _help())
    default = chosen.qtypes[name][0]
    offered = default if qtype is None else offered_qtype(chosen, name, qtype)
    return Target(platform=chosen.id, march=name, toolchain=version, flow=flow, qtype=offered)


def offered_qtype(platform: Platform, march: str, qtype: str) -> Qtype:
    """The number format called *qtype*.

    Raises:
        UsageError: *march* does not compute in it; the message lists what it does compute in.
    """
    formats = platform.qtypes[march]
    if qtype not in formats:
        raise UsageError(
            say("constraints.unknown_qtype", march=march, found=str(qtype), allowed=", ".join(formats)), _help()
        )
    return Qtype(qtype)
