"""The contract of a rewrite rule, and the values that matching and previewing give."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Protocol

from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.placement.verdict import Placement
from inspector.text import Message


class Safety(StrEnum):
    """What a rule may do to the numbers."""

    EXACT = "exact"  # data moves only: bit-equal
    EQUIVALENT = "equivalent"  # same mathematics, other order of rounding
    APPROXIMATE = "approximate"  # another function within a stated error; asks first
    BOUNDARY = "boundary"  # changes inputs or outputs of the model


@dataclass(frozen=True, slots=True)
class Variant:
    """One of several ways in which a rule can build its replacement.

    Attributes:
        id: kebab-case name, unique within the rule; the first variant of a rule is its default.
        title: for buttons.
    """

    id: str
    title: Message


@dataclass(frozen=True, slots=True)
class Precondition:
    """One condition that a match met, shown in the preview.

    Attributes:
        text: what had to hold.
        found: the value that held, `5 = 5`.
    """

    text: Message
    found: str


@dataclass(frozen=True, slots=True)
class Match:
    """A place where a rule fits.

    Attributes:
        rule: id of the rule.
        anchor: node that was asked about.
        nodes: nodes that the rewrite replaces, in topological order, anchor included.
        variants: ids of the variants that fit here, best guess first; never empty.
        bindings: what the matcher found, for the rewriter; not for other readers.
        preconditions: what was checked, with the values found.
    """

    rule: str
    anchor: NodeId
    nodes: tuple[NodeId, ...]
    variants: tuple[str, ...]
    bindings: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    preconditions: tuple[Precondition, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """An ordinary answer: the rule does not fit here, and why.

    Attributes:
        rule: id of the rule.
        anchor: node that was asked about.
        reason: one sentence with the value that was in the way.
        subject: that value by itself, `group = 2`; empty when there is none.
        relevant: False when the operator is simply not the rule's business, so that the answer is not shown.
    """

    rule: str
    anchor: NodeId
    reason: Message
    subject: str = ""
    relevant: bool = True


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of a set of nodes.

    Attributes:
        macs: multiply-accumulate operations; None when a shape is unknown.
        bytes: sum of the output tensors in bytes, as float32 stands in the file; None when unknown.
        widest_channels: largest channel count (axis 1 of rank >= 3) of any tensor they make; None when unknown.
        widest_bytes: bytes of the largest tensor they make; None when unknown.
    """

    macs: int | None
    bytes: int | None
    widest_channels: int | None
    widest_bytes: int | None


@dataclass(frozen=True, slots=True)
class Gain:
    """What a rewrite changes on the target: the model's figures before and after.

    Attributes:
        cpu: CPU nodes (before, after).
        unsupported: UNSUPPORTED nodes.
        unknown: UNKNOWN nodes.
        segments: runs on one processor.
        crossing_bytes: bytes copied between processors; None when unknown.
    """

    cpu: tuple[int, int]
    unsupported: tuple[int, int]
    unknown: tuple[int, int]
    segments: tuple[int, int]
    crossing_bytes: tuple[int | None, int | None]

    @property
    def helps(self) -> bool:
        """Whether it removes a violation.

        That is: fewer UNSUPPORTED nodes (the toolchain refuses those), else as many and fewer CPU and UNKNOWN nodes.
        Trading a CPU node for an UNKNOWN one does not help.
        """
        before = (self.unsupported[0], self.cpu[0] + self.unknown[0])
        after = (self.unsupported[1], self.cpu[1] + self.unknown[1])
        return after < before

    @property
    def harms(self) -> bool:
        """Whether it makes a violation: more UNSUPPORTED nodes, or as many and more CPU and UNKNOWN nodes."""
        return (self.unsupported[1], self.cpu[1] + self.unknown[1]) > (
            self.unsupported[0],
            self.cpu[0] + self.unknown[0],
        )


@dataclass(frozen=True)
class Preview:
    """A rewrite that was built and checked for form, not yet proven by numbers.

    Attributes:
        before: model it was built from.
        after: the changed model, with shapes.
        match: what was replaced.
        variant: which variant.
        removed: nodes of `before` that are gone.
        added: nodes of `after` that are new, in topological order.
        cost_before: cost of the removed nodes.
        cost_after: cost of the added nodes.
        placement_before: placement of `before`, None when none was asked for.
        placement_after: placement of `after`, likewise.
        gain: difference of the two placements; None without placements.
        comparable: what is compared with `before` where the interface of `after` is another; None takes `after`.
    """

    before: Model
    after: Model
    match: Match
    variant: str
    removed: tuple[NodeId, ...]
    added: tuple[NodeId, ...]
    cost_before: Cost
    cost_after: Cost
    placement_before: Placement | None = None
    placement_after: Placement | None = None
    gain: Gain | None = None
    comparable: Model | None = None


class Rule(Protocol):
    """A rewrite rule: one public class per file of `inspector.rewrite.rules`, found by the registry.

    The module docstring has the headings *What it does*, *When it applies*, *Why it is equivalent*, *Safety*, *Costs*,
    *Source*.
    """

    @property
    def id(self) -> str:
        """Kebab-case id."""

    @property
    def title(self) -> Message:
        """For buttons and the undo menu."""

    @property
    def summary(self) -> Message:
        """One line of what it does."""

    @property
    def anchors(self) -> frozenset[str]:
        """Operator names (ONNX domain) of nodes worth asking about."""

    @property
    def fixes(self) -> frozenset[str]:
        """Clause ids that it can remove; a trailing `*` matches any ending. Empty for a clean-up."""

    @property
    def safety(self) -> Safety:
        """What it may do to the numbers."""

    @property
    def limit(self) -> float | None:
        """Max rel that the rule declares for EQUIVALENT with its measurement (<= 1e-5); None takes the default 1e-6."""

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The ways to build the replacement, default first."""

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:
        """Whether the rule fits at *anchor*. Reads only; never raises for a model that does not fit."""

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """Build the replacement through *editor*."""
