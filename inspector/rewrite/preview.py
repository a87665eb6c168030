"""From a match to a `Preview`: build the changed model, check it, and tell what it costs and what it gains."""

from collections.abc import Callable, Iterable

from inspector.errors import RewriteError
from inspector.model.edit import Editor, new_nodes
from inspector.model.graph import Model, NodeId
from inspector.model.infer import ShapeRunner
from inspector.placement.cost import cost_of
from inspector.placement.verdict import Placement, Verdict
from inspector.rewrite.rule import Cost, Gain, Match, Preview, Rule
from inspector.text import say

Placer = Callable[[Model], Placement]
"""Places a model on the target at hand; made by the caller from the tables and the target."""


def preview(
    model: Model,
    rule: Rule,
    match: Match,
    variant: str | None = None,
    *,
    place: Placer | None = None,
    before: Placement | None = None,
    runner: ShapeRunner | None = None,
) -> Preview:
    """What the rewrite of *match* gives.

    Args:
        model: model that *match* was found in.
        rule: rule of the match.
        match: where.
        variant: one of `match.variants`; None takes the first.
        place: gives the placement of the result; None for a preview without placements.
        before: placement of *model* if it is known already; made with *place* otherwise.
        runner: where shapes of the new nodes are inferred; in this process by default.

    Raises:
        RewriteError: the rule broke an invariant, or *variant* does not fit here.
    """
    chosen = variant if variant is not None else match.variants[0]
    if chosen not in match.variants:
        fitting = ", ".join(match.variants)
        raise RewriteError(say("rewrite.no_variant", rule=rule.id, variant=chosen, variants=fitting))
    graph = model.node(match.anchor).graph
    editor = Editor(model, graph, rule=rule.id, runner=runner)
    rule.rewrite(editor, match, chosen)
    after = editor.finish()
    gone = frozenset(editor.removed)
    removed = tuple(node.id for node in model.graphs[graph].nodes if node.id in gone)
    added = tuple(node.id for node in new_nodes(model, after, graph))
    placed_before = before if before is not None or place is None else place(model)
    placed_after = None if place is None else place(after)
    return Preview(
        before=model,
        after=after,
        match=match,
        variant=chosen,
        removed=removed,
        added=added,
        cost_before=cost(model, removed),
        cost_after=cost(after, added),
        placement_before=placed_before,
        placement_after=placed_after,
        gain=None if placed_before is None or placed_after is None else gain(placed_before, placed_after),
    )


def cost(model: Model, nodes: Iterable[NodeId]) -> Cost:
    """Cost of *nodes* of *model* together."""
    total = cost_of(model, nodes)
    return Cost(total.macs, total.bytes, total.widest_channels, total.widest_bytes)


def gain(before: Placement, after: Placement) -> Gain:
    """What changes from one placement to the other."""
    return Gain(
        cpu=(before.counts[Verdict.CPU], after.counts[Verdict.CPU]),
        unsupported=(before.counts[Verdict.UNSUPPORTED], after.counts[Verdict.UNSUPPORTED]),
        unknown=(before.counts[Verdict.UNKNOWN], after.counts[Verdict.UNKNOWN]),
        segments=(len(before.segments), len(after.segments)),
        crossing_bytes=(_crossing_bytes(before), _crossing_bytes(after)),
    )


def _crossing_bytes(placement: Placement) -> int | None:
    total = 0
    for crossing in placement.crossings:
        if crossing.bytes is None:
            return None
        total += crossing.bytes
    return total
