"""Recipes: accepted rewrites as JSON, so that they can be applied again, to the same model or a newer export."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from inspector.errors import UsageError
from inspector.model.graph import Model, NodeId
from inspector.model.infer import ShapeRunner
from inspector.model.reference import NodeRef, resolve
from inspector.rewrite.find import answer, no_variant
from inspector.rewrite.preview import Placer, preview
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Preview, Refusal
from inspector.text import say

SCHEMA = "bpu-graph-inspector/recipe/1"
"""Value of `schema` in a recipe; the number rises when older readers would go wrong."""


@dataclass(frozen=True, slots=True)
class RecipeStep:
    """One rewrite of a recipe.

    Attributes:
        rule: id of the rule.
        variant: id of the variant.
        op: operator of the anchor.
        name: name of the anchor; may be empty.
        outputs: output names of the anchor, which identify it.
    """

    rule: str
    variant: str
    op: str
    name: str
    outputs: tuple[str, ...]


def steps_of(previews: Iterable[Preview]) -> tuple[RecipeStep, ...]:
    """The recipe of *previews*, in order."""
    anchors = ((p, p.before.node(p.match.anchor)) for p in previews)
    return tuple(RecipeStep(p.match.rule, p.variant, str(n.op), n.name, n.outputs) for p, n in anchors)


def write_recipe(steps: Iterable[RecipeStep]) -> str:
    """Recipe as JSON text: `{schema, steps: [{rule, variant, anchor: {op, name, outputs}}]}`."""
    listed = [
        {
            "rule": step.rule,
            "variant": step.variant,
            "anchor": {"op": step.op, "name": step.name, "outputs": list(step.outputs)},
        }
        for step in steps
    ]
    return json.dumps({"schema": SCHEMA, "steps": listed}, ensure_ascii=False, indent=2) + "\n"


def read_recipe(text: str) -> tuple[RecipeStep, ...]:
    """Steps of a recipe.

    Raises:
        UsageError: *text* is no recipe, or one of a schema that this version does not know.
    """
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(say("rewrite.recipe_not_json", reason=str(error))) from error
    schema = content.get("schema") if isinstance(content, dict) else None
    if schema != SCHEMA or not isinstance(content.get("steps"), list):
        raise UsageError(say("rewrite.recipe_schema", found=str(schema), expected=SCHEMA))
    return tuple(_step(number, entry) for number, entry in enumerate(content["steps"]))


def _step(number: int, entry: Any) -> RecipeStep:
    anchor = entry.get("anchor") if isinstance(entry, dict) else None
    if isinstance(anchor, dict) and isinstance(anchor.get("outputs"), list):
        texts = (entry.get("rule"), entry.get("variant"), anchor.get("op"), anchor.get("name"), *anchor["outputs"])
        if all(isinstance(part, str) for part in texts):
            return RecipeStep(texts[0], texts[1], texts[2], texts[3], tuple(texts[4:]))
    raise UsageError(say("rewrite.recipe_step", n=number))


def replay(
    model: Model,
    steps: Iterable[RecipeStep],
    *,
    place: Placer | None = None,
    runner: ShapeRunner | None = None,
) -> Iterator[Preview | Refusal]:
    """Apply *steps* one after the other; a step that does not fit any more gives a refusal and is skipped.

    Raises:
        UsageError: a step names a rule that this version does not have.
    """
    current = model
    placement = place(model) if place is not None else None
    for step in steps:
        rule = rule_of(step.rule)
        node = resolve(current, NodeRef(step.op, step.name, step.outputs))
        if node is None:
            label = step.name or ", ".join(step.outputs)
            yield Refusal(step.rule, NodeId(-1), say("rewrite.refuse.no_anchor", node=label, op=step.op), label)
            continue
        reply = answer(rule, current, node.id)
        if isinstance(reply, Refusal):
            yield reply
            continue
        if step.variant not in reply.variants:
            yield no_variant(reply, step.variant)
            continue
        built = preview(current, rule, reply, step.variant, place=place, before=placement, runner=runner)
        yield built
        current, placement = built.after, built.placement_after
