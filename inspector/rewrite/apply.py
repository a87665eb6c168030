"""Applying rules at many sites: one rule wherever it matches, or the best fix of every problem."""

from collections.abc import Iterator

from inspector.model.graph import MAIN, Model
from inspector.model.infer import ShapeRunner
from inspector.placement.verdict import Placement
from inspector.rewrite.find import PROBLEMS, answer, find, site_key
from inspector.rewrite.preview import Placer, preview
from inspector.rewrite.registry import rules
from inspector.rewrite.rule import Match, Preview, Refusal, Rule
from inspector.text import say


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
            node = current.find_node(reply.anchor)
            if node is None:
                yield Refusal(rule.id, reply.anchor, say("rewrite.refuse.replaced", node=model.node(reply.anchor).label))
                continue
            reply = answer(rule, current, reply.anchor)  # noqa: PLW2901 - the site as it is now
        if isinstance(reply, Refusal):
            yield reply
            continue
        if variant is not None and variant not in reply.variants:
            yield no_variant(reply, variant)
            continue
        step = preview(current, rule, reply, variant, place=place, before=placement, runner=runner)
        yield step
        current, placement = step.after, step.placement_after


def fix_all(model: Model, placement: Placement, *, place: Placer) -> Iterator[Preview]:
    """Apply the best fix at every problem node of the main graph that has one, each built on the model before it.

    Sites that look alike take the same fix; it is placed again each time and dropped where it does not help.
    """
    chosen: dict[tuple[object, ...], tuple[str, str] | None] = {}
    current = model
    for node in model.graphs[MAIN].nodes:
        if current.find_node(node.id) is None or placement.verdicts[node.id].verdict not in PROBLEMS:
            continue
        own = [m for m in (answer(r, current, node.id) for r in rules() if node.op.name in r.anchors) if isinstance(m, Match)]
        key = tuple(site_key(current, placement, match) for match in own)
        step = _as_before(current, placement, own, chosen.get(key), place) if own else None
        if step is None and not (own and key in chosen and chosen[key] is None):
            found = find(current, placement, node.id, place=place)
            step = found.fixes[0].preview if found.fixes else None
            if own:
                chosen[key] = None if step is None else (step.match.rule, step.variant)
        if step is None or step.placement_after is None:
            continue
        yield step
        current, placement = step.after, step.placement_after


def no_variant(match: Match, variant: str) -> Refusal:
    """Refusal of a site where the rule fits, but not in the variant that was asked for."""
    reason = say("rewrite.refuse.no_variant", found=variant, variants=", ".join(match.variants))
    return Refusal(match.rule, match.anchor, reason, variant)


def _as_before(
    model: Model, placement: Placement, own: list[Match], choice: tuple[str, str] | None, place: Placer
) -> Preview | None:
    """The fix chosen at a site that looks alike, when it helps here too."""
    if choice is None:
        return None
    rule_id, variant = choice
    match = next((m for m in own if m.rule == rule_id and variant in m.variants), None)
    if match is None:
        return None
    rule = next(r for r in rules() if r.id == rule_id)
    built = preview(model, rule, match, variant, place=place, before=placement)
    return built if built.gain is not None and built.gain.helps else None
