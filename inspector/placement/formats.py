"""Number formats: which one each node is asked to compute in, and what becomes of a request that a node cannot meet.

A request is the target's default, or the node's own. Three findings change it (`format-*` in `constraints/context/`):
operators that stay in int8 whatever the default (a Conv for a reason of its own, `format-float-conv`), passive
neighbours that a request spreads to, and the fallback to int8 where the format alone stands in a node's way. Nothing
but the last touches a verdict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from inspector.model.graph import Model, Node, NodeId
from inspector.placement.context import Structure
from inspector.placement.context_facts import ContextFacts, Fact
from inspector.placement.local import LocalVerdict, judge
from inspector.placement.table import OpRules, Spec, Table
from inspector.placement.target import Qtype, Target
from inspector.placement.verdict import Because, Outcome, Side
from inspector.placement.wires import Wires
from inspector.text import say


@dataclass(frozen=True)
class Formats:
    """What nodes are asked to compute in.

    Attributes:
        target: the target with a format of its own for each node that deviates from the default.
        causes: node -> why its format is not the one that was asked for, or that nobody asked it for.
    """

    target: Target
    causes: Mapping[NodeId, Because]

    def of(self, node: NodeId) -> Qtype:
        """Number format that *node* is asked to compute in."""
        return self.target.qtypes.get(node) or self.target.qtype or Qtype.INT8


def ask_formats(model: Model, structure: Structure, facts: ContextFacts, target: Target) -> Formats:
    """The requests of *target*, with what stays in int8 and what a request spreads to."""
    qtypes: dict[NodeId, Qtype] = dict(target.qtypes)
    causes: dict[NodeId, Because] = {}
    stays, in_float = facts.get("format-int8"), facts.get("format-float-conv")
    if stays is not None and Qtype.FLOAT16 in (target.qtype, *target.qtypes.values()):
        for node in model.nodes:
            if node.op.name not in stays.ops or node.op.domain or node.id in structure.folded:
                continue
            if qtypes.get(node.id, target.qtype) is Qtype.FLOAT16:
                if node.id in target.qtypes:
                    fact = in_float if in_float is not None and node.op.name in in_float.ops else stays
                    causes[node.id] = Because("format", fact.text, None, fact.source)
                qtypes[node.id] = Qtype.INT8
    spreads = facts.get("format-spread")
    if spreads is not None and target.qtypes:
        for wires in structure.wires:
            _spread(wires, spreads, target, qtypes, causes)
    if qtypes == target.qtypes:
        return Formats(target, causes)
    return Formats(replace(target, qtypes=MappingProxyType(qtypes)), causes)


def _spread(
    wires: Wires, fact: Fact, target: Target, qtypes: dict[NodeId, Qtype], causes: dict[NodeId, Because]
) -> None:
    """Hand int16 requests on to passive neighbours, before and behind, that have no request of their own."""
    waiting = [place for place, node in enumerate(wires.nodes) if target.qtypes.get(node.id) is Qtype.INT16]
    while waiting:
        here = waiting.pop(0)
        for place in _neighbours(wires, here):
            node = wires.nodes[place]
            if node.id in qtypes or node.op.name not in fact.ops or node.op.domain:
                continue
            qtypes[node.id] = Qtype.INT16
            causes[node.id] = Because("format", fact.text, wires.nodes[here].id, fact.source)
            waiting.append(place)


def _neighbours(wires: Wires, place: int) -> list[int]:
    before = [source for source in wires.sources(place) if source >= 0]
    return [*before, *(key for name in wires.nodes[place].outputs if name for key in wires.readers(name))]


def fall_back(
    model: Model,
    structure: Structure,
    facts: ContextFacts,
    table: Table,
    formats: Formats,
    judged: Mapping[NodeId, LocalVerdict],
) -> tuple[Formats, Mapping[NodeId, LocalVerdict]]:
    """Judge nodes again in int8 that the BPU refuses for the format they are asked for and for nothing else.

    Only where the toolchain is known, or inferred, to fall back; else the refusal stands.
    """
    fact = facts.get("format-fallback")
    plain = formats.target.qtype in (None, Qtype.INT8) and not formats.target.qtypes
    if fact is None or plain or formats.target.flow.value not in fact.options.get("flows", ("ptq", "qat")):
        return formats, judged
    found: dict[NodeId, LocalVerdict] = {}
    causes = dict(formats.causes)
    refused: dict[int, bool] = {}  # equal nodes share their judgement
    for key, local in judged.items():
        asked = formats.of(key)
        if asked is Qtype.INT8 or local.bpu is not Outcome.FAIL:
            continue
        node = model.node(key)
        if id(local) not in refused:
            refused[id(local)] = _format_alone(table, node, local)
        if not refused[id(local)]:
            continue
        lower = replace(formats.target, qtypes=MappingProxyType({key: Qtype.INT8}))
        again = judge(model, node, table, lower, constants=structure.constants[node.graph])
        if again.bpu is not Outcome.FAIL:
            found[key] = again
            message = say("context.format-fallback", op=str(node.op), qtype=asked.value)
            causes[key] = Because("format", message, None, fact.source)
    if not found:
        return formats, judged
    qtypes = {**formats.target.qtypes, **dict.fromkeys(found, Qtype.INT8)}
    settled = Formats(replace(formats.target, qtypes=MappingProxyType(qtypes)), causes)
    return settled, {**judged, **found}


def _format_alone(table: Table, node: Node, local: LocalVerdict) -> bool:
    """Whether every BPU limit that refuses *node* asks for its number format."""
    domain = "" if node.op.domain == "ai.onnx" else node.op.domain
    rules = table.rules(domain, node.op.name)
    if rules is None or not rules.bpu:
        return False
    asking = _asking(rules)
    failed = [c for c in local.checks if c.outcome is Outcome.FAIL and c.side is Side.BPU and c.contradicted is None]
    return bool(failed) and all(check.clause in asking for check in failed)


def _asking(rules: OpRules) -> frozenset[str]:
    specs: Sequence[tuple[str, Spec | None]] = [(c.id, spec) for c in rules.clauses for spec in (c.require, c.when)]
    return frozenset(name for name, spec in specs if spec is not None and _asks(spec))


def _asks(spec: Any) -> bool:
    """Whether a predicate depends on the number format."""
    if isinstance(spec, Mapping):
        return any(key in ("quant", "qtype") or _asks(value) for key, value in spec.items())
    if isinstance(spec, list | tuple):
        return any(map(_asks, spec))
    return isinstance(spec, str) and "qtype" in spec
