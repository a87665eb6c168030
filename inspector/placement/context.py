"""The working state that context passes share: an `Entry` per node they look at, and the `Wiring` of each graph.

Placement is a property of the graph. The engine judges each node alone, then the passes revise entries in this order:
`context_fold` (what is not there at run time), `context_fuse` (what has no row of its own), `context_tail` and
`context_passive` (what follows its neighbours), to a fixed point. Nothing of this leaves the package: the engine turns
entries into `NodeVerdict` values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inspector.model.graph import Model, Node, NodeId
from inspector.placement.context_facts import ContextFacts, Fact
from inspector.placement.local import LocalVerdict
from inspector.placement.target import Device
from inspector.placement.verdict import SEVERITY, Because, Check, Kernel, Outcome, Standing, Verdict
from inspector.placement.wires import Wires
from inspector.text import Message, Text, say

_WEAKNESS = {Standing.DOCUMENTED: 0, Standing.REPORTED: 1, Standing.INFERRED: 2}


def weakest(*standings: Standing) -> Standing:
    """The least supported of several standings."""
    first = standings[0]
    return first if standings.count(first) == len(standings) else max(standings, key=_WEAKNESS.__getitem__)


def worst(*verdicts: Verdict) -> Verdict:
    """The worst of several verdicts, in the order FOLDED < BPU < UNKNOWN < CPU < UNSUPPORTED."""
    return max(verdicts, key=SEVERITY.__getitem__)


def off_bpu(local: LocalVerdict) -> Verdict:
    """Verdict on a node that something keeps off the BPU: CPU if its kernel takes it there."""
    return Verdict.UNSUPPORTED if local.cpu in (Kernel.NONE, Kernel.REFUSES) else Verdict.CPU


FOLDED = LocalVerdict(Verdict.FOLDED, Standing.DOCUMENTED, listed=True, bpu=Outcome.PASS, cpu=Kernel.UNSTATED)
"""Stands for the judgement of a node that is not there at run time: no clause is asked about it."""


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """What is decided about a node before its neighbours are looked at; nodes that are judged alike share it.

    Attributes:
        local: the op-local judgement.
        verdict: its verdict, or what the toolchain's default or folding makes of it.
        standing: support of the verdict.
        because: cause chain, deciding entry first.
    """

    local: LocalVerdict
    verdict: Verdict
    standing: Standing
    because: tuple[Because, ...] = ()


class Entry:
    """What is decided about one node so far.

    Attributes:
        node: which node.
        local: its op-local judgement.
        verdict: verdict so far.
        standing: support so far.
        because: cause chain, deciding entry first.
        forced: device it is forced to; None when it is not.
        host: entry it is fused into; None while it stands alone.
        fused_by: finding that made the two one.
        open_host: entry it would be fused into if a fact that is missing turned out well; None otherwise.
        checks: checks taken over from nodes fused into this one.
        quantised: whether neighbours see it as a BPU node although its own verdict is CPU: the quantiser placed it on
            the BPU and only the compiler moved it.
    """

    # What most entries never change stands in the class, since thousands of them are made.
    forced: Device | None = None
    host: "Entry | None" = None
    fused_by: Fact | None = None
    open_host: "Entry | None" = None
    checks: tuple[Check, ...] = ()
    quantised: bool = False

    def __init__(self, node: Node, start: Start) -> None:
        self.node = node
        self.local = start.local
        self.verdict = start.verdict
        self.standing = start.standing
        self.because = start.because

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
        return off_bpu(self.local)

    def keep_off(self, fact: Fact, neighbour: "Entry | None" = None) -> None:
        """Keep the node off the BPU on the word of *fact*.

        Where the CPU kernel refuses a node that the BPU may take, the answer is UNKNOWN: no build shows what the
        toolchain does then, and that it stops would be more than any source says.
        """
        if self.off_bpu is Verdict.UNSUPPORTED and self.local.bpu is not Outcome.FAIL:
            key = "nowhere-refused" if self.local.cpu is Kernel.REFUSES else "nowhere-none"
            self.explain(fact.pass_name.partition("-")[0], say(f"context.{key}", op=str(self.node.op)))
            self.decide(Verdict.UNKNOWN, fact, neighbour)
            self.standing = Standing.INFERRED
        else:
            self.decide(self.off_bpu, fact, neighbour)

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
        self.because = (Because(pass_name, message, node, None if fact is None else fact.source), *self.because)

    def fuse(self, host: "Entry", fact: Fact) -> None:
        """Make this node a part of *host* on the word of *fact*; its verdict is taken over when all passes are done."""
        self.host = host
        self.fused_by = fact
        self.explain(fact.pass_name.partition("-")[0], fact.text, host, fact)


class Entries(dict[NodeId, Entry]):
    """Node id -> entry; one is made when it is first asked for, since most nodes need none.

    Attributes:
        model: what is placed.
        starts: node id -> what is decided before the passes, for every node of the model in its order.
    """

    def __init__(self, model: Model, starts: dict[NodeId, Start]) -> None:
        super().__init__()
        self.model = model
        self.starts = starts

    def __missing__(self, node_id: NodeId) -> Entry:
        return self.of(self.model.node(node_id))

    def of(self, node: Node) -> Entry:
        """Entry of *node*."""
        entry = self.get(node.id)
        if entry is None:
            entry = self[node.id] = Entry(node, self.starts[node.id])
        return entry


class Wiring:
    """`Wires` of one graph, answering with the entries of one placement."""

    def __init__(self, wires: Wires, entries: Entries) -> None:
        """Lay *entries* over *wires*."""
        self.wires = wires
        self.entries = entries
        self.outputs = frozenset(wires.outputs)
        self.resolve = wires.resolve
        self._at: list[Entry | None] = [None] * len(wires.nodes)

    def at(self, place: int) -> Entry:
        """Entry of the standing node at this position."""
        entry = self._at[place]
        if entry is None:
            entry = self._at[place] = self.entries.of(self.wires.nodes[place])
        return entry

    def of_ops(self, ops: frozenset[str]) -> list[Entry]:
        """Entries of the standing nodes of ONNX's own operators *ops*, in order."""
        return list(map(self.at, self.wires.of_ops(ops)))

    def inputs(self, entry: Entry) -> Sequence[str]:
        """Values that *entry* reads at run time, no-ops seen through, without repeats; captures of bodies included."""
        return self.wires.reads(self.wires.index[entry.node.id])

    def producer(self, name: str) -> Entry | None:
        """Entry that computes *name* (no-ops seen through); None for graph inputs, constants and captures."""
        place = self.wires.made.get(self.resolve(name))
        return None if place is None else self.at(place)

    def producers(self, entry: Entry) -> list[Entry | None]:
        """Producer of each value that *entry* reads; None stands for a graph input or a captured value."""
        return [None if place < 0 else self.at(place) for place in self.wires.sources(self.wires.index[entry.node.id])]

    def readers(self, entry: Entry) -> list[Entry]:
        """Entries that read an output of *entry*."""
        return [self.at(place) for name in entry.node.outputs if name for place in self.wires.readers(name)]

    def ends(self, entry: Entry) -> bool:
        """Whether *entry* is at the model's tail: an output of it leaves the graph and no other node reads it."""
        if self.outputs.isdisjoint(entry.node.outputs):
            return False
        return not any(name and self.wires.readers(name) for name in entry.node.outputs)

    def alone(self, name: str) -> bool:
        """Whether just one node reads *name* and the value does not leave the graph."""
        return self.wires.only_reader(name) >= 0

    def only_reader(self, name: str) -> Entry | None:
        """The one entry that reads *name*, if there is just one and the value does not leave the graph."""
        place = self.wires.only_reader(name)
        return None if place < 0 else self.at(place)


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
        entries: node id -> entry.
    """

    model: Model
    facts: ContextFacts
    structure: Structure
    entries: Entries

    @property
    def constants(self) -> tuple[frozenset[str], ...]:
        """Per graph, values known before run time."""
        return self.structure.constants
