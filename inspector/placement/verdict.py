"""`Verdict`, `Check`, `NodeVerdict`, `Placement`: the answer of placement, as values."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from inspector.model.graph import NodeId
from inspector.placement.kinds import SEVERITY as SEVERITY
from inspector.placement.kinds import Standing as Standing
from inspector.placement.kinds import Verdict as Verdict
from inspector.placement.target import Qtype, Target
from inspector.text import Message, Text


class Outcome(StrEnum):
    """Answer of one check."""

    PASS = "PASS"  # noqa: S105 - not a password
    FAIL = "FAIL"
    UNKNOWN = "UNKNOWN"


class Side(StrEnum):
    """Whose limit a check tests."""

    BPU = "bpu"
    CPU = "cpu"
    GRAPH = "graph"


class Kernel(StrEnum):
    """What is known of the CPU kernel for an operator, or for one node of it."""

    EXISTS = "exists"
    REFUSES = "refuses"  # exists, but not with these parameters
    NONE = "none"  # the vendor says that none is integrated
    UNSTATED = "unstated"  # the table leaves the cell empty; taken as existing, INFERRED
    UNKNOWN = "unknown"  # a fact about the node is missing, so that it may refuse


@dataclass(frozen=True, slots=True)
class Source:
    """Where a statement comes from.

    Attributes:
        document: what it is called, for a reader.
        section: chapter, table row or line; empty when the whole document is meant.
        version: toolchain or document version it was read for; empty when not stated.
        read_on: ISO date on which it was read; empty when not recorded.
        standing: how well it supports the statement.
    """

    document: str
    section: str = ""
    version: str = ""
    read_on: str = ""
    standing: Standing = Standing.DOCUMENTED

    def __str__(self) -> str:
        return ", ".join(part for part in (self.document, self.section, self.version) if part)


@dataclass(frozen=True, slots=True)
class Check:
    """One clause held against one node (or against the whole graph).

    Attributes:
        clause: id of the clause, `conv-transpose.kernel-depth`.
        side: whose limit it is.
        outcome: whether it holds; UNKNOWN when a fact is missing.
        subject: what was looked at, `attribute kernel_shape[0]` or `rank of X`; operator and attribute names stay as
            they are in every language.
        found: what the model has, `5`; never empty, `?` when unknown.
        allowed: what the clause takes, `1..2`; never empty.
        source: who says so.
        note: the clause's own words for a reader, or None.
        contradicted: counts from real builds that contradict the clause, which then does not fire; None otherwise.
    """

    clause: str
    side: Side
    outcome: Outcome
    subject: Message | Text | str
    found: Message | Text | str
    allowed: Message | Text | str
    source: Source
    note: Text | None = None
    contradicted: Text | None = None


@dataclass(frozen=True, slots=True)
class Because:
    """The decision behind a verdict that the node's own clauses do not explain.

    Attributes:
        pass_name: context pass or rule that decided: `fold`, `fuse`, `passive`, `tail`, `default-cpu`, `forced`,
            `stand-in`, `no-kernel`, `kernel-refuses`, `unlisted`, `format`, `clause`.
        message: one sentence for a reader.
        node: neighbour that decided, or None when the node decided itself.
        source: who says so, or None.
    """

    pass_name: str
    message: Message | Text
    node: NodeId | None = None
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class NodeVerdict:
    """The verdict on one node.

    Attributes:
        node: which node.
        verdict: where it runs.
        standing: the weakest support among the statements that decided.
        checks: every clause that applies, passes too: failed first, then unknown, then passed; in each, limits of the
            BPU before those of the CPU kernel, clauses that stop the toolchain first, then by clause id.
        because: cause chain, deciding entry first; empty when the node's own clauses say it all.
        fused_into: node it is fused into, so that it has no row of its own in a build log; None otherwise.
        qtype: number format that its BPU limits were asked in, and that it computes in on the BPU; None when it is not
            there at run time.
        kernel: what is known of a CPU kernel for this very node, wherever it runs; None when it is not there at run
            time or part of another node.
    """

    node: NodeId
    verdict: Verdict
    standing: Standing
    checks: tuple[Check, ...] = ()
    because: tuple[Because, ...] = ()
    fused_into: NodeId | None = None
    qtype: Qtype | None = None
    kernel: Kernel | None = None

    @property
    def failed(self) -> tuple[Check, ...]:
        """Checks that failed, BPU side first."""
        return tuple(c for c in self.checks if c.outcome is Outcome.FAIL and c.contradicted is None)


class NodeVerdicts(Mapping[NodeId, NodeVerdict]):
    """Node id -> verdict, for every node of a model in order; what stands behind one is put together when asked for.

    Attributes:
        verdict: node id -> where it runs.
        standing: node id -> support of that.
    """

    __slots__ = ("_made", "_make", "standing", "verdict")

    def __init__(
        self,
        verdict: Mapping[NodeId, Verdict],
        standing: Mapping[NodeId, Standing],
        make: Callable[[NodeId], NodeVerdict],
    ) -> None:
        """Columns of equal keys, and *make*, which gives the same answer whenever it is asked."""
        self.verdict = verdict
        self.standing = standing
        self._make = make
        self._made: dict[NodeId, NodeVerdict] = {}

    def __getitem__(self, node_id: NodeId) -> NodeVerdict:
        found = self._made.get(node_id)
        if found is None:
            found = self._made[node_id] = self._make(node_id)
        return found

    def __iter__(self) -> Iterator[NodeId]:
        return iter(self.verdict)

    def __len__(self) -> int:
        return len(self.verdict)

    def __contains__(self, node_id: object) -> bool:
        return node_id in self.verdict


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of connected nodes on one processor.

    Attributes:
        index: number within the placement, in topological order of the first node, from 0.
        verdict: BPU or CPU (UNSUPPORTED and UNKNOWN nodes stand in segments of their own kind).
        nodes: its nodes in topological order; fused nodes stand with their host, folded ones nowhere.
        inputs: tensors that enter it from another segment or the graph's inputs.
        outputs: tensors that leave it.
        bytes_in: their size in bytes; None when a shape is unknown.
        bytes_out: likewise.
    """

    index: int
    verdict: Verdict
    nodes: tuple[NodeId, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    bytes_in: int | None
    bytes_out: int | None


@dataclass(frozen=True, slots=True)
class Crossing:
    """A tensor that is copied between processors.

    Attributes:
        value: its name.
        source: producing node.
        target: first consuming node on the other processor.
        bytes: size in bytes; None when its shape or dtype is unknown.
    """

    value: str
    source: NodeId
    target: NodeId
    bytes: int | None


@dataclass(frozen=True)
class Placement:
    """Verdicts of all nodes of one model for one target.

    Attributes:
        target: for what.
        verdicts: node id -> verdict, for every node of the model, bodies and functions included.
        graph_checks: clauses about the whole model (opset, IR version, static inputs, ...); a failed one means that the
            toolchain refuses the file, and nodes are judged as if it did not.
        segments: runs on one processor in the main graph.
        crossings: tensors copied between BPU and CPU.
        catalog_digest: digest of the tables that were used, 8 hex digits.
    """

    target: Target
    verdicts: Mapping[NodeId, NodeVerdict]
    graph_checks: tuple[Check, ...] = ()
    segments: tuple[Segment, ...] = ()
    crossings: tuple[Crossing, ...] = ()
    catalog_digest: str = ""

    @cached_property
    def verdict(self) -> Mapping[NodeId, Verdict]:
        """Node id -> where it runs, without what stands behind it: what a view of all nodes should ask for."""
        if isinstance(self.verdicts, NodeVerdicts):
            return self.verdicts.verdict
        return {node_id: verdict.verdict for node_id, verdict in self.verdicts.items()}

    @cached_property
    def standing(self) -> Mapping[NodeId, Standing]:
        """Node id -> how well its verdict is supported."""
        if isinstance(self.verdicts, NodeVerdicts):
            return self.verdicts.standing
        return {node_id: verdict.standing for node_id, verdict in self.verdicts.items()}

    @cached_property
    def counts(self) -> Mapping[Verdict, int]:
        """Number of nodes per verdict, zeros included."""
        return dict.fromkeys(Verdict, 0) | Counter(self.verdict.values())

    @cached_property
    def inferred(self) -> Mapping[Verdict, int]:
        """Of `counts`, how many rest on inference."""
        pairs = zip(self.verdict.values(), self.standing.values(), strict=True)
        return dict.fromkeys(Verdict, 0) | Counter(v for v, standing in pairs if standing is Standing.INFERRED)

    @cached_property
    def graph_failures(self) -> tuple[Check, ...]:
        """Graph checks that failed."""
        return tuple(c for c in self.graph_checks if c.outcome is Outcome.FAIL and c.contradicted is None)
