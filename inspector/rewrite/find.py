"""From problems to offers: which rules fit where, whether they help on the target, and applying them at every site."""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf
from types import MappingProxyType

from inspector.errors import RewriteError, TensorDataError
from inspector.model.graph import GraphKind, Model, Node, NodeId, Value
from inspector.model.infer import ShapeRunner
from inspector.model.shape import elements
from inspector.placement.verdict import Placement, Verdict
from inspector.rewrite.pattern import constant
from inspector.rewrite.preview import Placer, preview
from inspector.rewrite.registry import rules
from inspector.rewrite.rule import Cost, Gain, Match, Preview, Refusal, Rule, Safety
from inspector.text import say

_LOG = logging.getLogger("inspector.rewrite")

PROBLEMS = frozenset({Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN})
"""Verdicts for which a fix is looked for."""

_REACH = 6
"""How many nodes downstream of the asked one an anchor may stand: the longest spelling of a pattern."""

_SHORT = 8
"""Constants of up to so many elements are compared by value when sites are held to look alike."""

_LOOK_AT = 24
"""How many nodes downstream are looked at in all, for values that very many nodes read."""


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
        cost: cost of the replacement.
        growth: how many nodes the replacement has more than what it replaces, Constant nodes aside.
    """

    rule: Rule
    variant: str
    match: Match
    gain: Gain
    cost: Cost
    growth: int
    preview: Preview | None = None

    @property
    def rank(self) -> tuple[float, ...]:
        """Smaller is better.

        In this order: exact or equivalent before approximate, violations left, refused nodes, unknown nodes, segments,
        widest tensor in bytes and in channels, products, exact before equivalent, nodes added. Equal offers stay in the
        order of the rules' ids and of each match's own variants.
        """
        left = self.gain.unsupported[1] + self.gain.cpu[1]
        widest = inf if self.cost.widest_bytes is None else self.cost.widest_bytes
        channels = self.cost.widest_channels or 0
        approximate = self.rule.safety is Safety.APPROXIMATE
        placed = approximate, left, self.gain.unsupported[1], self.gain.unknown[1], self.gain.segments[1]
        rounds = self.rule.safety is not Safety.EXACT
        return *placed, widest, channels, self.cost.macs or 0, rounds, self.growth


@dataclass(frozen=True)
class Found:
    """What can be done at one node.

    Attributes:
        node: node that was asked about.
        fixes: offers that remove a violation on the target, best first.
        cleanups: offers that remove none but leave fewer nodes, and no more problems than before.
        unhelpful: the other offers: they fit, but on this target nothing gets better.
        refusals: rules for this kind of node that do not fit, with their reasons.
    """

    node: NodeId
    fixes: tuple[Offer, ...] = ()
    cleanups: tuple[Offer, ...] = ()
    unhelpful: tuple[Offer, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """All of them: fixes, clean-ups, then those that do not help on the target."""
        return (*self.fixes, *self.cleanups, *self.unhelpful)


def find(model: Model, placement: Placement, node_id: NodeId, *, place: Placer) -> Found:
    """Offers and refusals at one node, each offer placed on the target.

    An offer is a fix when one of the nodes that it replaces has a problem and the replacement removes a violation.
    Patterns that contain the node but end further down are found too.
    """
    return _Finder(model, placement, place).at(node_id)


def find_all(model: Model, placement: Placement, *, place: Placer) -> Mapping[NodeId, Found]:
    """`find` for every problem node of the main graph and of bodies; nodes without any answer are left out.

    Sites that look alike (operators, attributes, shapes, verdicts around) are placed once, and the others take over the
    gain; so the time follows the number of different sites.
    """
    finder = _Finder(model, placement, place)
    found = {
        node.id: finder.at(node.id)
        for graph in model.graphs
        if graph.kind is not GraphKind.FUNCTION
        for node in graph.nodes
        if placement.verdicts[node.id].verdict in PROBLEMS
    }
    return MappingProxyType({node_id: f for node_id, f in found.items() if f.offers or f.refusals})


def answer(rule: Rule, model: Model, node_id: NodeId) -> Match | Refusal:
    """What *rule* says at a node; weights that cannot be read make a refusal."""
    try:
        return rule.match(model, node_id)
    except TensorDataError as error:
        return Refusal(rule.id, node_id, error.message)


def site_key(model: Model, placement: Placement, match: Match) -> tuple[object, ...]:
    """What decides the gain of a match: equal keys mean sites that look alike, so that the gain is the same."""
    nodes = [model.node(node_id) for node_id in match.nodes]
    around = {n.id: n for node in nodes for n in (*model.predecessors(node), *model.successors(node))}
    neighbours = sorted(
        f"{n.op} {placement.verdicts[n.id].verdict}" for n in around.values() if n.op.name != "Constant"
    )
    return (match.rule, match.variants, tuple(_describe(model, placement, n) for n in nodes), tuple(neighbours))


def _describe(model: Model, placement: Placement, node: Node) -> tuple[object, ...]:
    attributes = tuple(sorted(attribute.SerializeToString() for attribute in node.proto.attribute))
    tensors = tuple(_form(model, node, value) for value in (*model.input_values(node), *model.output_values(node)))
    return str(node.op), attributes, tensors, placement.verdicts[node.id].verdict


def _form(model: Model, node: Node, value: Value) -> tuple[object, ...]:
    """Type, shape and constness of a tensor; of short constants the numbers, because clauses read scales and limits."""
    if not value.name or not model.is_constant(node.graph, value.name):
        return value.dtype, value.shape, None
    count = elements(value.shape)
    short = constant(model, node.graph, value.name) if count is not None and count <= _SHORT else None
    return value.dtype, value.shape, () if short is None else tuple(short.reshape(-1).tolist())


def sites(model: Model, rule: Rule) -> Iterator[Match | Refusal]:
    """Answer of *rule* at every node of the model that it may anchor on, in order; irrelevant refusals are left out."""
    for node in model.nodes:
        if node.op.name in rule.anchors and not node.op.domain:
            reply = answer(rule, model, node.id)
            if isinstance(reply, Match) or reply.relevant:
                yield reply


def apply_all(
    model: Model,
    rule: Rule,
    variant: str | None = None,
    *,
    place: Placer | None = None,
    before: Placement | None = None,
    runner: ShapeRunner | None = None,
) -> Iterator[Preview | Refusal]:
    """Apply *rule* wherever it matches, one preview per site, each built on the model that the one before it made.

    Sites are those of *model*; each is matched again before it is applied, because an earlier one may have changed it.
    When it no longer fits, the answer is its refusal. Without *variant* each site takes its first one; a site that does
    not have *variant* gives a refusal.

    Args:
        model: model to start from.
        rule: the rule.
        variant: id of a variant.
        place: gives the placements of the previews; None for previews without.
        before: placement of *model*, if known.
        runner: as `preview`.
    """
    current, placement = model, before
    for reply in tuple(sites(model, rule)):
        if isinstance(reply, Match):
            node = current.find_node(reply.anchor) or _renumbered(current, model.node(reply.anchor))
            if node is None:
                yield Refusal(
                    rule.id, reply.anchor, say("rewrite.refuse.replaced", node=model.node(reply.anchor).label)
                )
                continue
            reply = answer(rule, current, node.id)
        if isinstance(reply, Refusal):
            yield reply
            continue
        if variant is not None and variant not in reply.variants:
            yield no_variant(reply, variant)
            continue
        step = preview(current, rule, reply, variant, place=place, before=placement, runner=runner)
        yield step
        current, placement = step.after, step.placement_after


def no_variant(match: Match, variant: str) -> Refusal:
    """Refusal of a site where the rule fits, but not in the variant that was asked for."""
    reason = say("rewrite.refuse.no_variant", found=variant, variants=", ".join(match.variants))
    return Refusal(match.rule, match.anchor, reason, variant)


class _Finder:
    """Answers for one model and placement; keeps the gains of sites that it has placed."""

    def __init__(self, model: Model, placement: Placement, place: Placer) -> None:
        self._model = model
        self._placement = placement
        self._place = place
        self._offers: dict[tuple[object, ...], tuple[Offer, ...]] = {}
        self._answers: dict[tuple[str, NodeId], Match | Refusal] = {}

    def at(self, node_id: NodeId) -> Found:
        """See `find`."""
        node = self._model.node(node_id)
        offers: list[Offer] = []
        refusals: list[Refusal] = []
        downstream = [n for n in self._downstream(node) if not n.op.domain]
        ops = {n.op.name for n in downstream}
        for rule in rules():
            if rule.anchors.isdisjoint(ops):
                continue
            for anchor in (n for n in downstream if n.op.name in rule.anchors):
                reply = self._answer(rule, anchor.id)
                if isinstance(reply, Refusal):
                    if reply.relevant and anchor.id == node_id:
                        refusals.append(reply)
                elif node_id in reply.nodes:
                    found, failures = self._placed(rule, reply)
                    offers += found
                    refusals += failures
        fixes = sorted((o for o in offers if self._is_fix(o)), key=lambda offer: offer.rank)
        rest = [o for o in offers if not self._is_fix(o)]
        cleanups = tuple(o for o in rest if o.growth < 0 and not o.gain.harms)
        unhelpful = tuple(o for o in rest if o not in cleanups)
        return Found(node_id, tuple(fixes), cleanups, unhelpful, tuple(refusals))

    def _downstream(self, node: Node) -> list[Node]:
        """The node, then those after it that a pattern with it may end at; nearest first."""
        seen = {node.id: node}
        level = [node]
        for _ in range(_REACH):
            after = {s.id: s for n in level for s in self._model.successors(n) if s.id not in seen}
            seen.update(after)
            level = list(after.values())
            if not level or len(seen) > _LOOK_AT:
                break
        return list(seen.values())

    def _answer(self, rule: Rule, anchor: NodeId) -> Match | Refusal:
        key = (rule.id, anchor)
        if key not in self._answers:
            self._answers[key] = answer(rule, self._model, anchor)
        return self._answers[key]

    def _is_fix(self, offer: Offer) -> bool:
        verdicts = self._placement.verdicts
        return offer.gain.helps and any(verdicts[n].verdict in PROBLEMS for n in offer.match.nodes)

    def _placed(self, rule: Rule, match: Match) -> tuple[tuple[Offer, ...], tuple[Refusal, ...]]:
        key = site_key(self._model, self._placement, match)
        known = self._offers.get(key)
        if known is not None:
            same = known[0].match.anchor == match.anchor if known else False
            shown = known if same else tuple(Offer(rule, o.variant, match, o.gain, o.cost, o.growth) for o in known)
            return shown, ()
        offers: list[Offer] = []
        failures: list[Refusal] = []
        for variant in match.variants:
            try:
                built = preview(self._model, rule, match, variant, place=self._place, before=self._placement)
            except RewriteError as error:
                _LOG.error("rule %s, variant %s: %s", rule.id, variant, error)
                failures.append(Refusal(rule.id, match.anchor, error.message, variant))
                continue
            if built.gain is not None:
                offers.append(Offer(rule, variant, match, built.gain, built.cost_after, growth(built), built))
        self._offers[key] = tuple(offers)
        return tuple(offers), tuple(failures)


def growth(built: Preview) -> int:
    """How many nodes the replacement has more than what it replaces, Constant nodes aside."""
    added = sum(built.after.node(n).op.name != "Constant" for n in built.added)
    return added - sum(built.before.node(n).op.name != "Constant" for n in built.removed)


def _renumbered(model: Model, node: Node) -> Node | None:
    """The node of *model* that an earlier step let read or make other values: same name and operator, another id."""
    if not node.name:
        return None
    graph = model.graphs[node.graph]
    return next((n for n in graph.nodes if n.name == node.name and n.op == node.op), None)
