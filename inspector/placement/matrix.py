"""`Matrix`: which operator runs where, over all platforms, and under which conditions, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from onnx import defs

from inspector.placement.catalog import Catalog, resolve_target
from inspector.placement.table import Clause, Fold, OpRules, Table
from inspector.placement.target import Target
from inspector.placement.verdict import Kernel, Side, Source, Standing


class Support(StrEnum):
    """What a table says about an operator, its parameters left aside."""

    BPU = "bpu"  # without conditions
    CONDITIONAL = "bpu-conditional"
    FOLDED = "folded"  # computed or removed before run time, or a part of the Conv before it
    CPU = "cpu"
    NONE = "none"  # neither processor
    UNKNOWN = "unknown"  # no table says anything


@dataclass(frozen=True, slots=True)
class Column:
    """One platform with its default march and newest toolchain."""

    target: Target
    table: Table


@dataclass(frozen=True, slots=True)
class Cell:
    """One operator on one platform.

    Attributes:
        support: what is said about it.
        standing: how well that is supported.
        source: who says so; for an operator that is not listed, the table.
        rules: the row; None for an operator that is not listed.
    """

    support: Support
    standing: Standing
    source: Source
    rules: OpRules | None


@dataclass(frozen=True, slots=True)
class Condition:
    """One clause, with the platforms that have it in the same words, bounds and source."""

    clause: Clause
    platforms: tuple[str, ...]


@dataclass(frozen=True)
class Matrix:
    """Operators over platforms.

    Attributes:
        columns: platforms, in the order asked for.
        rows: operator (`domain::Name` for a custom one) -> one cell per column, operators in alphabetical order.
    """

    columns: tuple[Column, ...]
    rows: Mapping[str, tuple[Cell, ...]]


def matrix(catalog: Catalog, platforms: Sequence[str] = ()) -> Matrix:
    """All operators that the tables of *platforms* list; of all platforms when none is named.

    Raises:
        UsageError: there is no such platform.
    """
    targets = [resolve_target(catalog, name) for name in platforms or [known.id for known in catalog.platforms]]
    columns = tuple(Column(target, catalog.table(target)) for target in targets)
    listed = sorted({key for column in columns for key in column.table.ops}, key=str.casefold)
    return Matrix(columns, MappingProxyType({key: row(columns, key) for key in listed}))


def row(columns: Sequence[Column], key: str) -> tuple[Cell, ...]:
    """One cell per column for the operator that tables list under *key*."""
    return tuple(_cell(column.table, column.table.ops.get(key)) for column in columns)


def find_operators(found: Matrix, query: str) -> tuple[str, ...]:
    """Keys of the operator called *query* in any letter case; one of ONNX that no table lists counts too."""
    wanted = query.casefold()
    keys = tuple(key for key in found.rows if wanted in (key.casefold(), key.rpartition("::")[2].casefold()))
    if keys:
        return keys
    return tuple(sorted({s.name for s in defs.get_all_schemas() if not s.domain and s.name.casefold() == wanted}))


def conditions(found: Matrix, key: str) -> tuple[Condition, ...]:
    """Clauses about the operator *key*, BPU side first, each with the platforms that share it."""
    groups: dict[tuple[str, str, str, str], tuple[Clause, list[str]]] = {}
    for column in found.columns:
        rules = column.table.ops.get(key)
        for clause in () if rules is None else rules.clauses:
            same = (clause.id, repr((clause.require, clause.when)), repr(clause.source), repr(clause.contradicted))
            groups.setdefault(same, (clause, []))[1].append(column.target.platform)
    listed = [Condition(clause, tuple(platforms)) for clause, platforms in groups.values()]
    return tuple(sorted(listed, key=lambda one: (one.clause.side.value, one.clause.id)))


def _cell(table: Table, rules: OpRules | None) -> Cell:
    if rules is None:
        source = next(iter(table.sources.values()), Source(table.title.en))
        if table.complete:
            return Cell(Support.NONE, Standing.DOCUMENTED, source, None)
        return Cell(Support.UNKNOWN, Standing.INFERRED, source, None)
    standing = Standing.INFERRED if rules.stand_in is not None else rules.source.standing
    return Cell(_support(rules), standing, rules.source, rules)


def _support(rules: OpRules) -> Support:
    if rules.bpu:
        limits = any(not c.id.startswith("general.") for c in rules.clauses if c.side is Side.BPU)
        return Support.CONDITIONAL if limits else Support.BPU
    if rules.fold is not Fold.NO:
        return Support.FOLDED
    return Support.NONE if rules.kernel is Kernel.NONE else Support.CPU
