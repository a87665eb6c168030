"""What real toolchains do beyond one operator's own limits, read from `constraints/context/`.

One file covers the marches it names. Each fact says which context pass reads it (`pass`), on which operators it acts
(`ops`), with which parameters, in which words it is explained, and who says so. The passes are code
(`context_fold`, `context_fuse`, `context_passive`, `formats`); whether one acts on a march is data.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from inspector.assets import constraints_dir
from inspector.errors import ConstraintDataError
from inspector.placement.reader import read
from inspector.placement.verdict import Source, Standing
from inspector.text import Text, say

PASSES = frozenset(
    {
        "fold-constant",
        "fold-no-op",
        "fold-shape",
        "fuse-bn",
        "fuse-bn-concat",
        "fuse-relu",
        "fuse-add",
        "fuse-silu",
        "fuse-gelu",
        "fuse-gemm-layout",
        "passive",
        "compiler-cpu",
        "tail-relu",
        "tail-transpose",
        "tail-reshape",
        "tail-pool",
        "tail-gemm",
        "tail-conv",
        "tail-other",
        "format-int8",
        "format-float-conv",
        "format-spread",
        "format-fallback",
    }
)
"""Names that a fact's `pass` may have."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One finding about a march.

    Attributes:
        pass_name: pass that reads it, one of `PASSES`.
        ops: ONNX operators it is about; empty where the pass needs none.
        hosts: operators that take the others in, for a fusion; empty otherwise.
        options: further parameters of the pass.
        text: what happens, for a reader.
        source: who says so; its standing is the finding's.
    """

    pass_name: str
    ops: frozenset[str]
    hosts: frozenset[str]
    options: Mapping[str, Any]
    text: Text
    source: Source


@dataclass(frozen=True)
class ContextFacts:
    """All findings about one march, by the pass that reads them."""

    march: str
    facts: Mapping[str, Fact]

    def get(self, pass_name: str) -> Fact | None:
        """The finding that *pass_name* reads; None when the pass does not act on this march."""
        return self.facts.get(pass_name)


@cache
def context_facts(march: str) -> ContextFacts:
    """Findings about *march*; none at all for a march that no file names.

    Raises:
        ConstraintDataError: a file of `constraints/context/` is invalid.
    """
    for path in sorted((constraints_dir() / "context").glob("*.yaml")):
        marches, facts = _read(path)
        if march in marches:
            return ContextFacts(march, facts)
    return ContextFacts(march, MappingProxyType({}))


@cache
def _read(path: Path) -> tuple[frozenset[str], Mapping[str, Fact]]:
    data, _ = read(path, f"context/{path.name}")
    try:
        sources = {key: _source(entry) for key, entry in data["sources"].items()}
        facts: dict[str, Fact] = {}
        for entry in data["facts"]:
            fact = _fact(entry, sources)
            if fact.pass_name not in PASSES or fact.pass_name in facts:
                raise ValueError(f"pass {fact.pass_name}")
            facts[fact.pass_name] = fact
        return frozenset(data["marches"]), MappingProxyType(facts)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        message = say("context.bad-file", file=path.name, error=str(error))
        raise ConstraintDataError(message, say("context.bad-file-help")) from error


def _source(entry: Mapping[str, str]) -> Source:
    return Source(
        entry["document"],
        entry.get("section", ""),
        entry.get("version", ""),
        entry.get("read_on", ""),
        Standing(entry["standing"]),
    )


def _fact(entry: Mapping[str, Any], sources: Mapping[str, Source]) -> Fact:
    options = {k: v for k, v in entry.items() if k not in ("pass", "ops", "hosts", "text", "source")}
    return Fact(
        pass_name=entry["pass"],
        ops=frozenset(entry.get("ops", ())),
        hosts=frozenset(entry.get("hosts", ())),
        options=MappingProxyType(options),
        text=Text(entry["text"]["en"], entry["text"]["zh_CN"]),
        source=sources[entry["source"]],
    )
