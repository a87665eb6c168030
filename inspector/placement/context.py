"""The working state that context passes share: one `Entry` per node, and the `Wiring` of one graph.

Placement is a property of the graph. The engine judges each node alone, then the passes revise entries in this order:
`context_fold` (what is not there at run time), `context_fuse` (what has no row of its own), `context_tail` and
`context_passive` (what follows its neighbours), to a fixed point. Nothing of this leaves the package: the engine turns
entries into `NodeVerdict` values.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from inspector.model.graph import Graph, Model, Node, NodeId
from inspector.placement.context_facts import ContextFacts, Fact
from inspector.placement.local import LocalVerdict
from inspector.placement.target import Device
from inspector.placement.verdict import SEVERITY, Because, Check, Standing, Verdict
from inspector.text import Message, Text

_WEAKNESS = {Standing.DOCUMENTED: 0, Standing.REPORTED: 1, Standing.INFERRED: 2}


def weakest(*standings: Standing) -> Standing:
    """The least supported of several standings."""
    return max(standings, key=_WEAKNESS.__getitem__)


def worst(*verdicts: Verdict) -> Verdict:
    """The worst of several verdicts, in the order FOLDED < BPU < UNKNOWN < CPU < UNSUPPORTED."""
    return max(verdicts, key=SEVERITY.__getitem__)


@dataclass(slots=True, eq=False)
class Entry:
    """What is decided about one node so far.

    Attributes:
        node: which node.
        local: its op-local judgement.
        verdict: verdict so far.
        standing: support so far.
        forced: device it is forced to; None when it is not.
        because: cause chain, deciding entry first.
        host: entry it is fused into; None while it stands alone.
        fused_by: finding that made the two one.
        checks: checks taken over from nodes fused into this one.
        quantised: whether neighbours see it as a BPU node although its own verdict is CPU: the quantiser placed it on
            the BPU and only the compiler moved it.
    """

    node: Node
    local: LocalVerdict
    verdict: Verdict
    standing: Standing
    forced: Device | None = None
    because: list[Because] = field(default_factory=list)
    host: "Entry | None" = None
    fused_by: Fact | None = None
    checks: tuple[Check, ...] = ()
    quantised: bool = False

    @property
    def top(self) -> "Entry":
        """The entry that stands for it in a build log: itself, or the host at the end of the chain."""
        entry = self
        while entry.host is not None:
            entry = entry.host
        return entry

    @property
    def seen(self) -> Verdict:
        """Verdict as a neighbour sees it."""
        top = self.top
        return Verdict.BPU if top.quantised else top.verdict

    def decide(self, verdict: Verdict, fact: Fact, neighbour: "Entry | None" = None) -> None:
        """Set the verdict on the word of *fact* alone."""
        self.verdict = verdict
        self.standing = fact.source.standing
        self.explain(fact.pass_name.partition("-")[0], fact.text, neighbour, fact)

    def explain(
        self, pass_name: str, message: Message | Text, neighbour: "Entry | None" = None, fact: Fact | None = None
    ) -> None:
        """Put a cause before those there are."""
        node = None if neighbour is None else neighbour.node.id
        self.because.insert(0, Because(pass_name, message, node, None if fact is None else fact.source))

    def fuse(self, host: "Entry", fact: Fact) -> None:
        """Make this node a part of *host* on the word of *fact*; its verdict is taken over when all passes are done."""
        self.host = host
        self.fused_by = fact
        self.explain(fact.pass_name.partition("-")[0], fact.text, host, fact)


class Wiring:
    """Who feeds whom in one graph, after folding: constants are left out and no-ops are seen through."""

    def __init__(self, model: Model, graph: Graph, entries: Mapping[NodeId, Entry], constants: frozenset[str]) -> None:
        """Index *graph*, whose nodes have *entries*; *constants* are the values known before run time."""
        self.model = model
        self.graph = graph
        self.constants = constants
        self.nodes: list[Entry] = []
        self._alias: dict[str, str] = {}
        self._producers: dict[str, Entry] = {}
        self._consumers: dict[str, list[Entry]] = {}
        for node in graph.nodes:
            self._add(entries[node.id])
        self.outputs = frozenset(self.resolve(name) for name in graph.outputs)

    def _add(self, entry: Entry) -> None:
        node = entry.node
        if entry.verdict is Verdict.FOLDED:
            if node.outputs and node.inputs and node.outputs[0] not in self.constants:
                self._alias[node.outputs[0]] = self.resolve(node.inputs[0])
            return
        self.nodes.append(entry)
        for name in node.outputs:
            if name:
                self._producers[name] = entry
        names: Iterable[str] = node.inputs if not node.bodies else (*node.inputs, *self.model.captures(node))
        for name in dict.fromkeys(names):
            if name and name not in self.constants:
                self._consumers.setdefault(self.resolve(name), []).append(entry)

    def resolve(self, name: str) -> str:
        """The value behind *name* with no-ops seen through."""
        return self._alias.get(name, name)

    def inputs(self, entry: Entry) -> list[str]:
        """Values that *entry* reads at run time, no-ops seen through, without repeats; captures of bodies included."""
        names: Iterable[str] = entry.node.inputs
        if entry.node.bodies:
            names = (*names, *self.model.captures(entry.node))
        return list(dict.fromkeys(self.resolve(n) for n in names if n and n not in self.constants))

    def producer(self, name: str) -> Entry | None:
        """Entry that computes *name* (no-ops seen through); None for graph inputs, constants and captures."""
        return self._producers.get(self.resolve(name))

    def consumers(self, name: str) -> list[Entry]:
        """Entries that read *name*, in order."""
        return self._consumers.get(self.resolve(name), [])

    def producers(self, entry: Entry) -> list[Entry | None]:
        """Producer of each value that *entry* reads; None stands for a graph input or a captured value."""
        return [self._producers.get(name) for name in self.inputs(entry)]

    def readers(self, entry: Entry) -> list[Entry]:
        """Entries that read an output of *entry*."""
        return [reader for name in entry.node.outputs if name for reader in self._consumers.get(name, ())]

    def ends(self, entry: Entry) -> bool:
        """Whether *entry* is at the model's tail: an output of it leaves the graph and no other node reads it."""
        return not self.readers(entry) and any(name in self.outputs for name in entry.node.outputs if name)

    def only_reader(self, name: str) -> Entry | None:
        """The one entry that reads *name*, if there is just one and the value does not leave the graph."""
        name = self.resolve(name)
        readers = self._consumers.get(name, [])
        return readers[0] if len(readers) == 1 and name not in self.outputs else None


@dataclass(eq=False)
class Draft:
    """Everything the passes work on.

    Attributes:
        model: what is placed.
        facts: findings about the march.
        entries: node id -> entry, for every node of the model.
        constants: per graph, values known before run time; filled by the folding pass.
    """

    model: Model
    facts: ContextFacts
    entries: dict[NodeId, Entry]
    constants: list[frozenset[str]] = field(default_factory=list)
