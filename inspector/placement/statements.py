"""What the ids of a placement mean that are no clause of a table, and who says so.

A check may state what holds of an operator as a whole: `abs.bpu` (the BPU does not run it), `einsum.cpu-kernel` (no
kernel is integrated), `gelu.listed` (no row), `conv.operands` and `conv.inputs` (a node that nothing could run). A
cause names the pass that decided: `passive`, `tail`, `default-cpu`.
"""

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from inspector.placement.building import kebab, words
from inspector.placement.catalog import Catalog
from inspector.placement.context_facts import context_facts
from inspector.placement.malformed import CHECKED
from inspector.placement.table import OpRules, Table
from inspector.placement.target import Device
from inspector.placement.verdict import Kernel, Source
from inspector.text import Message, Text, say


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a statement holds, and who says so.

    Attributes:
        tables: ids of the tables whose targets it holds on.
        text: what is said there.
        source: who says it; None where it is this program's own reading of a node.
    """

    tables: tuple[str, ...]
    text: Text | Message
    source: Source | None


@dataclass(frozen=True, slots=True)
class Statement:
    """An id that is no clause.

    Attributes:
        id: as a placement shows it.
        text: what it states.
        grounds: where it holds; empty for a statement that rests on no table.
        operator: the operator it is about; empty for a pass.
    """

    id: str
    text: Text | Message
    grounds: tuple[Ground, ...] = ()
    operator: str = ""


CAUSES: Final = MappingProxyType(
    {
        "clause": ("compiler-cpu",),
        "default-cpu": (),
        "fold": ("fold-constant", "fold-no-op", "fold-shape"),
        "forced": (),
        "format": ("format-int8", "format-float-conv", "format-spread", "format-fallback"),
        "fuse": (
            "fuse-bn",
            "fuse-bn-concat",
            "fuse-relu",
            "fuse-add",
            "fuse-silu",
            "fuse-gelu",
            "fuse-gemm-layout",
        ),
        "kernel-refuses": (),
        "no-kernel": (),
        "passive": ("passive",),
        "stand-in": (),
        "tail": (
            "tail-relu",
            "tail-transpose",
            "tail-reshape",
            "tail-pool",
            "tail-gemm",
            "tail-conv",
            "tail-other",
        ),
        "unlisted": (),
    }
)
"""Name of each cause (`Because.pass_name`) -> the findings that it reads."""


def statement(catalog: Catalog, query: str) -> Statement | None:
    """What *query* states, an id in any letter case; None when it is no such id, or holds nowhere."""
    name = query.casefold()
    if name in CAUSES:
        return Statement(name, say(f"context.cause-{name}"), tuple(_cause_grounds(catalog, name)))
    prefix, _, suffix = name.rpartition(".")
    if not prefix or suffix not in _CHECKS:
        return None
    entry, holds = _CHECKS[suffix]
    grounds = _merged((table.id, *ground) for table in catalog.tables.values() for ground in holds(table, prefix))
    if not grounds:
        return None
    rows = (rules.op for table in catalog.tables.values() for rules in _rows(table, prefix))
    return Statement(name, words(f"text.{entry}"), grounds, next(rows, ""))


def only_in(stated: Statement, tables: AbstractSet[str]) -> Statement | None:
    """*stated* as far as it holds in *tables*; None when it rests on tables and holds in none of these."""
    grounds = tuple(
        replace(ground, tables=tuple(table for table in ground.tables if table in tables))
        for ground in stated.grounds
        if not tables.isdisjoint(ground.tables)
    )
    return replace(stated, grounds=grounds) if grounds or not stated.grounds else None


def _rows(table: Table, prefix: str) -> list[OpRules]:
    """What *table* says about the operators whose ids begin with *prefix*."""
    return [rules for rules in table.ops.values() if kebab(rules.op) == prefix]


_Ground = tuple[Text | Message, Source | None]
_Holds = Callable[[Table, str], Iterator[_Ground]]


def _no_bpu(table: Table, prefix: str) -> Iterator[_Ground]:
    yield from ((words("text.no_bpu"), rules.source) for rules in _rows(table, prefix) if not rules.bpu)


def _no_kernel(table: Table, prefix: str) -> Iterator[_Ground]:
    for rules in _rows(table, prefix):
        if rules.kernel is Kernel.NONE:
            yield words("text.no_kernel"), rules.kernel_source


def _unlisted(table: Table, prefix: str) -> Iterator[_Ground]:
    if not _rows(table, prefix):
        entry = "unlisted" if table.complete else "unlisted_open"
        yield words(f"text.{entry}"), next(iter(table.sources.values()), None)


def _no_inputs(table: Table, prefix: str) -> Iterator[_Ground]:
    yield from ((say("context.no-inputs"), None) for rules in _rows(table, prefix) if rules.bpu)


def _misfits(table: Table, prefix: str) -> Iterator[_Ground]:
    for rules in _rows(table, prefix):
        if rules.bpu and rules.op in CHECKED:
            yield say("context.misfit"), None


_CHECKS: Final[MappingProxyType[str, tuple[str, _Holds]]] = MappingProxyType(
    {
        "bpu": ("no_bpu", _no_bpu),
        "cpu-kernel": ("no_kernel", _no_kernel),
        "inputs": ("n_inputs", _no_inputs),
        "listed": ("listed", _unlisted),
        "operands": ("operands", _misfits),
    }
)
"""Last part of the id -> phrase, and where it holds."""


def _cause_grounds(catalog: Catalog, name: str) -> Iterator[Ground]:
    if name == "default-cpu":
        yield from _defaults(catalog)
    if name == "stand-in":
        titles = ((t.id, rules.stand_in) for t in catalog.tables.values() for rules in t.ops.values())
        found = dict.fromkeys((table, title) for table, title in titles if title is not None)
        yield from (Ground((table,), title, None) for table, title in found)
    toolchains = [toolchain for platform in catalog.platforms for toolchain in platform.toolchains]
    tables = dict.fromkeys(pair for toolchain in toolchains for pair in toolchain.tables.items())
    rows = ((table, context_facts(march).get(fact)) for fact in CAUSES[name] for march, table in tables)
    yield from _merged((table, fact.text, fact.source) for table, fact in rows if fact is not None)


def _defaults(catalog: Catalog) -> Iterator[Ground]:
    for table in catalog.tables.values():
        kept = [rules for rules in table.ops.values() if rules.default_device is Device.CPU]
        if kept:
            yield Ground((table.id,), say("context.kept", ops=", ".join(sorted({r.op for r in kept}))), kept[0].source)


def _merged(rows: Iterable[tuple[str, Text | Message, Source | None]]) -> tuple[Ground, ...]:
    """The same words of the same source once, with all the tables that they hold for."""
    found: dict[tuple[object, ...], tuple[Text | Message, Source | None, dict[str, None]]] = {}
    for table, text, source in rows:
        found.setdefault((repr(text), source), (text, source, {}))[2][table] = None
    return tuple(Ground(tuple(tables), text, source) for text, source, tables in found.values())
