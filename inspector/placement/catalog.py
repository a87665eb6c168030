"""`Catalog`: platforms, toolchain versions and tables, read from `constraints/` and the user's own folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from inspector.placement.table import Clause, OpRules, Table
from inspector.placement.target import Flow, Qtype, Target
from inspector.text import Text


@dataclass(frozen=True, slots=True)
class Toolchain:
    """One toolchain version of a platform.

    Attributes:
        version: OpenExplorer version, `1.2.8`.
        tables: march -> id of the table it uses.
        components: component -> version, as far as known (`hbdk`, `hb_mapper`, `hmct`, ...).
        note: what is particular about it; None when nothing is.
    """

    version: str
    tables: Mapping[str, str]
    components: Mapping[str, str]
    note: Text | None = None


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
    """

    id: str
    title: Text
    chips: tuple[str, ...]
    marches: tuple[str, ...]
    toolchains: tuple[Toolchain, ...]
    qtypes: Mapping[str, tuple[Qtype, ...]]
    flows: tuple[Flow, ...]


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
        raise NotImplementedError

    def table(self, target: Target) -> Table:
        """The table that *target*'s toolchain version uses for its march."""
        raise NotImplementedError

    def default_qtype(self, target: Target) -> Qtype:
        """Number format of nodes on *target* without an override: its own `qtype`, else the march's default."""
        raise NotImplementedError

    def clauses(self, query: str) -> tuple[ClauseHit, ...]:
        """Clauses whose id, operator or document is *query* (any letter case); empty when nothing fits."""
        raise NotImplementedError

    def operator(self, op: str) -> Mapping[str, OpRules]:
        """Table id -> rules, for every table that lists *op* (any letter case)."""
        raise NotImplementedError


def load_catalog(user_dir: Path | None = None) -> Catalog:
    """Read the shipped tables and lay those of *user_dir* (same form) over them.

    Raises:
        ConstraintDataError: a file is invalid; the message names file and key.
    """
    raise NotImplementedError


def resolve_target(
    catalog: Catalog,
    platform: str,
    *,
    toolchain: str | None = None,
    march: str | None = None,
    flow: Flow = Flow.PTQ,
    qtype: Qtype | None = None,
) -> Target:
    """A `Target` from a user's choices, with defaults filled in.

    Raises:
        UsageError: something is not offered; the message lists what is.
    """
    raise NotImplementedError
