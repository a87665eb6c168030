"""Passive operators and the tail of a graph: where a node runs because of what stands around it.

A passive operator (Reshape, Transpose, Concat, ...) carries no quantisation of its own. Which of them end up on the
BPU is a least fixed point: a node joins the BPU only because a neighbour that is already there takes it along; what
could still be taken along by a neighbour that is UNKNOWN stays UNKNOWN; the rest is CPU.
"""

from inspector.model.graph import NodeId
from inspector.placement.context import Draft, Entry, Wiring, worst
from inspector.placement.context_facts import Fact
from inspector.placement.target import Device
from inspector.placement.verdict import Standing, Verdict
from inspector.text import say

_NHWC = (0, 2, 3, 1)
_LAYOUT = "tail-transpose"


def settle_neighbours(draft: Draft, wiring: Wiring) -> None:
    """Decide the passive operators and the tail of one graph."""
    _tail_relu(draft, wiring)
    for name in ("tail-reshape", "tail-pool"):
        _tail_off_bpu(draft, wiring, name)
    _passive(draft, wiring)
    _tail_transpose(draft, wiring)
    _notes(draft, wiring)


def _passive(draft: Draft, wiring: Wiring) -> None:
    fact = draft.facts.get("passive")
    if fact is None:
        return
    waiting = [e for e in _concerned(wiring, fact) if e.forced is None and e.verdict is Verdict.BPU]
    opens = bool(fact.options["opens_subgraph"])
    left = _spread(wiring, waiting, opens, Verdict.BPU, fact)
    left = _spread(wiring, left, opens, Verdict.UNKNOWN, fact)
    for entry in left:
        entry.keep_off(fact, _deciding(wiring, entry))


def _spread(wiring: Wiring, waiting: list[Entry], opens: bool, verdict: Verdict, fact: Fact) -> list[Entry]:
    """Move nodes out of *waiting* to *verdict* while a neighbour takes one along; those left are returned in order."""
    undecided = {entry.node.id: entry for entry in waiting}
    sweep = waiting
    while True:
        moved = False
        for entry in sweep:
            if entry.node.id not in undecided:
                continue
            neighbour = _takes_along(wiring, entry, opens, verdict, undecided)
            if neighbour is None:
                continue
            del undecided[entry.node.id]
            moved = True
            if verdict is Verdict.UNKNOWN:
                entry.verdict, entry.standing = Verdict.UNKNOWN, Standing.INFERRED
                entry.explain("passive", fact.text, neighbour, fact)
        if not moved:
            return [entry for entry in waiting if entry.node.id in undecided]
        sweep = sweep[::-1]


def _takes_along(
    wiring: Wiring, entry: Entry, opens: bool, verdict: Verdict, undecided: dict[NodeId, Entry]
) -> Entry | None:
    """The neighbour that gives *entry* this verdict, or None.

    BPU: all its producers are on the BPU, or one of its consumers is and the march lets a passive operator open a
    subgraph. UNKNOWN: the same could still come true, because the neighbours in the way are UNKNOWN.
    """
    accepted = (Verdict.BPU,) if verdict is Verdict.BPU else (Verdict.BPU, Verdict.UNKNOWN)

    def stands(neighbour: Entry) -> bool:
        return neighbour.top.node.id not in undecided and neighbour.seen in accepted

    producers = wiring.producers(entry)
    inside = [producer for producer in producers if producer is not None]
    complete = opens or len(inside) == len(producers)
    if inside and complete and all(stands(producer) for producer in inside):
        return inside[0]
    if opens:
        return next((reader for reader in wiring.readers(entry) if stands(reader)), None)
    return None


def _deciding(wiring: Wiring, entry: Entry) -> Entry | None:
    """The neighbour to blame for a passive operator on the CPU: a producer on the CPU, else a consumer there."""
    neighbours = [producer for producer in wiring.producers(entry) if producer is not None] + wiring.readers(entry)
    return next((n for n in neighbours if n.seen not in (Verdict.BPU, Verdict.FOLDED)), None)


def _concerned(wiring: Wiring, fact: Fact) -> list[Entry]:
    """Standing entries of the operators that *fact* is about."""
    return [entry for entry in wiring.of_ops(fact.ops) if entry.host is None]


def _tail_relu(draft: Draft, wiring: Wiring) -> None:
    """The last Relu behind a Conv: the Conv keeps its int32 output, so that the Relu is not fused."""
    fact = draft.facts.get("tail-relu")
    if fact is None:
        return
    for entry in _concerned(wiring, fact):
        feeding = wiring.producer(entry.node.inputs[0]) if wiring.ends(entry) and entry.node.inputs else None
        if feeding is None:
            continue
        behind = feeding.top.node.op.name in fact.hosts
        if not behind and feeding.open_host is None:
            continue
        host = feeding.top.verdict if behind else Verdict.UNKNOWN
        if host is Verdict.BPU and entry.forced is Device.BPU:
            entry.verdict, entry.standing = Verdict.BPU, fact.source.standing
        elif host is Verdict.BPU and entry.verdict is not Verdict.UNSUPPORTED:
            entry.keep_off(fact, feeding)
        elif host is Verdict.UNKNOWN and entry.verdict in (Verdict.BPU, Verdict.UNKNOWN):
            entry.decide(Verdict.UNKNOWN, fact, feeding)


def _tail_off_bpu(draft: Draft, wiring: Wiring, name: str) -> None:
    """The last reshaping or pooling before an output stays on the CPU unless it is forced."""
    fact = draft.facts.get(name)
    if fact is None:
        return
    for entry in _concerned(wiring, fact):
        open_to_bpu = entry.forced is None and entry.verdict in (Verdict.BPU, Verdict.UNKNOWN)
        if open_to_bpu and wiring.ends(entry):
            entry.keep_off(fact, next((p for p in wiring.producers(entry) if p is not None), None))


def _tail_transpose(draft: Draft, wiring: Wiring) -> None:
    """The last NCHW -> NHWC Transpose behind a BPU node is the layout of that node's output, not a node."""
    fact = draft.facts.get(_LAYOUT)
    if fact is None:
        return
    for entry in _concerned(wiring, fact):
        if entry.forced is not None or entry.node.attributes.get("perm") != _NHWC or not wiring.ends(entry):
            continue
        feeding = wiring.producer(entry.node.inputs[0])
        if feeding is None:
            continue
        if feeding.seen is Verdict.BPU:
            entry.fuse(feeding, fact)
        elif feeding.seen is Verdict.UNKNOWN and entry.verdict is not Verdict.UNSUPPORTED:
            entry.decide(Verdict.UNKNOWN, fact, feeding)


def _notes(draft: Draft, wiring: Wiring) -> None:
    """What happens at the tail without changing a verdict: the format of the output, a Reshape added after a Gemm."""
    facts = [fact for name in ("tail-conv", "tail-gemm") if (fact := draft.facts.get(name)) is not None]
    other = draft.facts.get("tail-other")
    for output in wiring.outputs:
        entry = wiring.producer(output)
        while entry is not None and entry.fused_by is not None and entry.fused_by.pass_name == _LAYOUT:
            entry = entry.host
        if entry is None or entry.node.op.domain or entry.host is not None or entry.verdict is not Verdict.BPU:
            continue
        dtype = draft.model.value(entry.node.graph, output).dtype
        in_float = dtype is not None and dtype.is_float
        fact = next((fact for fact in facts if entry.node.op.name in fact.ops), other if in_float else None)
        if fact is not None:
            entry.explain("tail", fact.text, None, fact)


def clamp_body(owner: Entry, entry: Entry) -> None:
    """A node in the body of a control-flow node runs with that node: never better than it."""
    verdict = worst(owner.verdict, entry.verdict)
    if entry.verdict is Verdict.FOLDED or verdict is entry.verdict:
        return
    entry.verdict, entry.standing = verdict, owner.standing
    entry.explain("clause", say("context.body", op=owner.node.op.name), owner)
