"""`Proposal`: a rewrite under preview, at one site or at all that match, with its proof so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from inspector.errors import InspectorError
from inspector.gui.picture import Picture
from inspector.model.graph import Model, NodeId
from inspector.placement.verdict import Placement
from inspector.rewrite.rule import Cost, Preview, Refusal, Rule
from inspector.verify.result import StageName, Status, Verification
from inspector.workspace import Step, Workspace


class Proof(StrEnum):
    """How far the numerical proof of a proposal is; only PASSED allows Accept."""

    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"
    INCONCLUSIVE = "inconclusive"
    NO_RESULT = "no_result"  # the worker gave no answer, or the user cancelled


@dataclass(frozen=True)
class Site:
    """One place of a proposal.

    Attributes:
        label: name of the anchor node.
        preview: the rewrite there; None when it was refused.
        refusal: why not; None when it was not refused.
    """

    label: str
    preview: Preview | None = None
    refusal: Refusal | None = None


@dataclass(frozen=True)
class Proposal:
    """A rewrite under preview.

    Attributes:
        rule: the rule.
        variant: id of the variant shown.
        anchor: node the user asked about.
        every_site: whether it covers all nodes that match.
        workspace: what it changes.
        sites: at least one; each `preview` starts from the model that the one before it made.
        after: the model after all sites.
        placement_after: its placement.
        variants: ids of variants that fit, in the rule's order.
        picture: boxes of `after`.
        fragments: anchor -> fragment stage of that site, as far as run.
        whole: comparison of the whole models; None until it ran.
        proof: state of the proof.
        failure: why there is no result; None when there is one, or when the user cancelled.
    """

    rule: Rule
    variant: str
    anchor: NodeId
    every_site: bool
    workspace: Workspace
    sites: tuple[Site, ...]
    after: Model
    placement_after: Placement
    variants: tuple[str, ...]
    picture: Picture
    fragments: Mapping[NodeId, Verification] = field(default_factory=lambda: MappingProxyType({}))
    whole: Verification | None = None
    proof: Proof = Proof.RUNNING
    failure: InspectorError | None = None

    @property
    def previews(self) -> tuple[Preview, ...]:
        """The rewrites of the sites that were not refused, in order."""
        return tuple(site.preview for site in self.sites if site.preview is not None)

    @property
    def removed(self) -> frozenset[NodeId]:
        """Nodes of the model before that are gone."""
        after = {node.id for node in self.after.nodes}
        return frozenset(node.id for node in self.workspace.model.nodes if node.id not in after)

    @property
    def added(self) -> tuple[NodeId, ...]:
        """Nodes of the model after that are new, in order."""
        before = {node.id for node in self.workspace.model.nodes}
        return tuple(node.id for node in self.after.nodes if node.id not in before)

    @property
    def costs(self) -> tuple[Cost, Cost]:
        """Cost of what is replaced and of the replacements, over all sites."""
        return (
            _sum(tuple(preview.cost_before for preview in self.previews)),
            _sum(tuple(preview.cost_after for preview in self.previews)),
        )

    @property
    def verifications(self) -> tuple[Verification, ...]:
        """All results so far, fragments first."""
        return (*self.fragments.values(), *((self.whole,) if self.whole is not None else ()))

    @property
    def steps(self) -> tuple[Step, ...]:
        """What accepting would add to the workspace; the whole-model proof stands with each step."""
        whole = (self.whole,) if self.whole is not None else ()
        return tuple(Step(preview, (*self._fragment(preview.match.anchor), *whole)) for preview in self.previews)

    @property
    def accepted(self) -> Workspace:
        """The workspace after accepting."""
        return self.workspace.accepted(self.steps, self.placement_after)

    def _fragment(self, anchor: NodeId) -> tuple[Verification, ...]:
        found = self.fragments.get(anchor)
        return (found,) if found is not None else ()


def proof_of(verifications: tuple[Verification, ...]) -> Proof:
    """State of a finished proof: PASSED only when a whole-model stage was made and every result passed."""
    statuses = {verification.status for verification in verifications}
    if Status.FAILED in statuses:
        return Proof.FAILED
    complete = any(verification.stage is StageName.MODEL for verification in verifications)
    return Proof.PASSED if complete and statuses == {Status.PASSED} else Proof.INCONCLUSIVE


def _sum(costs: tuple[Cost, ...]) -> Cost:
    """Totals and maxima of *costs*; None wherever one of them is unknown."""
    return Cost(
        macs=_total([cost.macs for cost in costs]),
        bytes=_total([cost.bytes for cost in costs]),
        widest_channels=_largest([cost.widest_channels for cost in costs]),
        widest_bytes=_largest([cost.widest_bytes for cost in costs]),
    )


def _total(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _largest(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return max(known, default=None) if len(known) == len(values) else None
