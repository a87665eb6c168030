"""From problems to offers: which rules fit where, whether they help on the target, and every site of one rule."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from inspector.model.graph import MAIN, Model, Node, NodeId
from inspector.placement.verdict import Placement, Verdict
from inspector.rewrite.preview import Placer, preview
from inspector.rewrite.registry import rules
from inspector.rewrite.rule import Gain, Match, Preview, Refusal, Rule
from inspector.text import say

PROBLEMS = frozenset({Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN})
"""Verdicts for which a fix is looked for."""

_REACH = 6
"""How many nodes downstream of the asked one an anchor may stand: the longest spelling of a pattern."""


@dataclass(frozen=True)
class Offer:
    """One variant of one rule that fits at a node.

    Attributes:
        rule: the rule.
        variant: id of the variant.
        match: where it fits.
        gain: what it changes on the target.
        preview: the rewrite as built; None when the gain was taken over from an identical site (build it with
            `inspector.rewrite.preview.preview`).
        widest_bytes: bytes of the largest tensor that the replacement makes; None when unknown.
    """

    rule: Rule
    variant: str
    match: Match
    gain: Gain
    preview: Preview | None
    widest_bytes: int | None = None


@dataclass(frozen=True)
class Found:
    """What can be done at one node.

    Attributes:
        node: node that was asked about.
        fixes: offers that remove a violation on the target, best first.
        cleanups: offers that fit but remove none.
        refusals: rules for this kind of node that do not fit, with their reasons.
    """

    node: NodeId
    fixes: tuple[Offer, ...] = ()
    cleanups: tuple[Offer, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """Fixes, then clean-ups."""
        return (*self.fixes, *self.cleanups)


def find(model: Model, placement: Placement, node_id: NodeId, *, place: Placer) -> Found:
    """Offers and refusals at one node, each offer placed on the target.

    A rule counts as a fix at a node only when the node has a problem and the replacement removes a violation; ranked by
    violations left, unknown nodes, segments, and the largest new tensor.
    """
    raise NotImplementedError


def find_all(model: Model, placement: Placement, *, place: Placer) -> Mapping[NodeId, Found]:
    """`find` for every problem node of the main graph that some rule may fit; nodes without any answer are left out.

    Sites that look alike (operators, attributes, shapes, verdicts around) are placed once, and the others take over the
    gain; so the time follows the number of different sites.
    """
    raise NotImplementedError


def sites(model: Model, rule: Rule) -> Iterator[Match | Refusal]:
    """Answer of *rule* at every node of the model that it may anchor on, in order; irrelevant refusals are left out."""
    raise NotImplementedError


def apply_all(
    model: Model, rule: Rule, variant: str | None = None, *, place: Placer | None = None
) -> Iterator[Preview | Refusal]:
    """Apply *rule* wherever it matches, one preview per site, each built on the model that the one before it made.

    A site that an earlier application changed is matched again; when it no longer fits, the answer is its refusal.
    Without *variant* each site takes its first one. Sites that do not have *variant* give a refusal.
    """
    raise NotImplementedError


def fix_all(model: Model, placement: Placement, *, place: Placer) -> Iterator[Preview]:
    """Apply the best fix at every problem node that has one, each preview built on the model before it."""
    raise NotImplementedError
