"""The working state that context passes share: one `Entry` per node, and the `Wiring` of each graph.

Placement is a property of the graph. The engine judges each node alone, then the passes revise entries in this order:
`context_fold` (what is not there at run time), `context_fuse` (what has no row of its own), `context_tail` and
`context_passive` (what follows its neighbours), to a fixed point. Nothing of this leaves the package: the engine turns
entries into `NodeVerdict` values.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from inspector.model.graph import Graph, Model, Node, NodeId
from inspector.placement.context_facts import ContextFacts, Fact
from inspector.placement.cost import value_bytes
from inspector.placement.local import LocalVerdict
from inspector.placement.target import Device
from inspector.placement.verdict import SEVERITY, Because, Check, Kernel, Standing, Verdict
from inspector.text import Message, Text

_WEAKNESS = {Standing.DOCUMENTED: 0, Standing.REPORTED: 1, Standing.INFERRED: 2}


def weakest(*standings: Standing) -> Standing:
    """The least supported of several standings."""
    first = standings[0]
    return first if standings.count(first) == len(standings) else max(standings, key=_WEAKNESS.__getitem__)


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
        open_host: entry it would be fused into if a fact that is missing turned out well; None otherwise.
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
    open_host: "Entry | None" = None
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

    @property
    def off_bpu(self) -> Verdict:
        """Verdict on the node when something keeps it off the BPU: CPU if its kernel takes it there."""
        return Verdict.UNSUPPORTED if self.local.cpu in (Kernel.NONE, Kernel.REFUSES) else Verdict.CPU

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


class Wires:
    """Who feeds whom in one graph, after folding: constants are left out and no-ops are seen through.

    It depends on the model alone (and on what folds), so it is made once per model and shared by all placements of it.
    """

    def __init__(self, model: Model, graph: Graph, constants: frozenset[str], folded: Mapping[NodeId, str]) -> None:
        """Index *graph*; *constants* are the values known before run time, *folded* the nodes that are not there."""
        self._values = partial(model.value, graph.index)
        self._bytes: dict[str, int | None] = {}
        self._of_ops: dict[frozenset[str], tuple[NodeId, ...]] = {}
        self.nodes = tuple([node for node in graph.nodes if node.id not in folded])
        self.alias: dict[str, str] = {}
        self.producer: dict[str, NodeId] = {}
        self.readers: dict[str, list[NodeId]] = {}
        self.inputs: dict[NodeId, tuple[str, ...]] = {}
        alias, producer, readers = self.alias, self.producer, self.readers
        for node in graph.nodes:
            key = node.id
            if key in folded:
                if node.outputs and node.inputs and node.outputs[0] not in constants:
                    alias[node.outputs[0]] = self.resolve(node.inputs[0])
                continue
            names = node.inputs if not node.bodies else (*node.inputs, *model.captures(node))
            read = [name for name in names if name and name not in constants]
            if alias:
                read = [alias.get(name, name) for name in read]
            if len(read) > 1:
                read = list(dict.fromkeys(read))
            self.inputs[key] = tuple(read)
            for name in read:
                if name in readers:
                    readers[name].append(key)
                else:
                    readers[name] = [key]
            for name in node.outputs:
                if name:
                    producer[name] = key
        self.sources = {key: tuple([producer.get(name) for name in read]) for key, read in self.inputs.items()}
        self.outputs = tuple(dict.fromkeys(self.resolve(name) for name in graph.outputs))

    @cached_property
    def index(self) -> Mapping[NodeId, int]:
        """Position in `nodes` of each standing node."""
        return {node.id: number for number, node in enumerate(self.nodes)}

    def of_ops(self, ops: frozenset[str]) -> tuple[NodeId, ...]:
        """Standing nodes of ONNX's own operators *ops*, in order."""
        if ops not in self._of_ops:
            self._of_ops[ops] = tuple([n.id for n in self.nodes if n.op.name in ops and not n.op.domain])
        return self._of_ops[ops]

    def bytes_of(self, name: str) -> int | None:
        """Size of a value of the graph in bytes; None when unknown."""
        if name not in self._bytes:
            self._bytes[name] = value_bytes(self._values(name))
        return self._bytes[name]

    @cached_property
    def only_readers(self) -> Mapping[str, NodeId]:
        """Value -> the one node that reads it, where there is just one and the value does not leave the graph."""
        leaving = frozenset(self.outputs)
        return {name: keys[0] for name, keys in self.readers.items() if len(keys) == 1 and name not in leaving}

    @cached_property
    def edges(self) -> tuple[list[int], list[int], list[str]]:
        """What is read, in the order of `nodes`.

        Three columns: position of the node that computes a value (-1: it comes from outside), position of the node that
        reads it, name of the value.
        """
        index, rows = self.index, [(key, self.sources[key]) for key in self.inputs]
        before = [-1 if source is None else index[source] for _, sources in rows for source in sources]
        after = [index[key] for key, sources in rows for _ in sources]
        return before, after, [name for names in self.inputs.values() for name in names]

    def resolve(self, name: str) -> str:
        """The value behind *name* with no-ops seen through."""
        return self.alias.get(name, name)


class Wiring:
    """`Wires` of one graph, answering with the entries of one placement."""

    def __init__(self, wires: Wires, entries: Mapping[NodeId, Entry]) -> None:
        """Lay *entries* over *wires*."""
        self.wires = wires
        self.entries = entries
        self.outputs = frozenset(wires.outputs)
        self.nodes = [entries[node.id] for node in wires.nodes]
        self.resolve = wires.resolve

    def inputs(self, entry: Entry) -> tuple[str, ...]:
        """Values that *entry* reads at run time, no-ops seen through, without repeats; captures of bodies included."""
        return self.wires.inputs[entry.node.id]

    def producer(self, name: str) -> Entry | None:
        """Entry that computes *name* (no-ops seen through); None for graph inputs, constants and captures."""
        found = self.wires.producer.get(self.resolve(name))
        return None if found is None else self.entries[found]

    def producers(self, entry: Entry) -> list[Entry | None]:
        """Producer of each value that *entry* reads; None stands for a graph input or a captured value."""
        return [None if key is None else self.entries[key] for key in self.wires.sources[entry.node.id]]

    def readers(self, entry: Entry) -> list[Entry]:
        """Entries that read an output of *entry*."""
        table = self.wires.readers
        return [self.entries[key] for name in entry.node.outputs if name for key in table.get(name, ())]

    def ends(self, entry: Entry) -> bool:
        """Whether *entry* is at the model's tail: an output of it leaves the graph and no other node reads it."""
        outputs = [name for name in entry.node.outputs if name]
        return any(name in self.outputs for name in outputs) and not self.readers(entry)

    def only_reader(self, name: str) -> Entry | None:
        """The one entry that reads *name*, if there is just one and the value does not leave the graph."""
        found = self.wires.only_readers.get(self.resolve(name))
        return None if found is None else self.entries[found]


@dataclass(frozen=True)
class Structure:
    """What the passes need to know of a model, whatever it is placed on.

    Attributes:
        constants: per graph, values known before run time.
        folded: node -> folding pass that removes it.
        open_shapes: nodes of shape arithmetic that cannot be computed before run time.
        wires: per graph, who feeds whom.
    """

    constants: tuple[frozenset[str], ...]
    folded: Mapping[NodeId, str]
    open_shapes: frozenset[NodeId]
    wires: tuple[Wires, ...]


@dataclass(frozen=True)
class Draft:
    """Everything the passes work on.

    Attributes:
        model: what is placed.
        facts: findings about the march.
        structure: what is known of the model alone.
        entries: node id -> entry, for every node of the model.
    """

    model: Model
    facts: ContextFacts
    structure: Structure
    entries: Mapping[NodeId, Entry]

    @property
    def constants(self) -> tuple[frozenset[str], ...]:
        """Per graph, values known before run time."""
        return self.structure.constants
