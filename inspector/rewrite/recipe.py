"""Recipes: accepted rewrites as JSON, so that they can be applied again, to the same model or a newer export."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from inspector.errors import UsageError, WorkerError
from inspector.model.graph import Model, Node, NodeId
from inspector.model.reference import NodeRef, resolve
from inspector.placement.verdict import Placement
from inspector.rewrite.find import answer, no_variant
from inspector.rewrite.preview import Placer, preview
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Preview, Refusal, Rule, Safety
from inspector.rewrite.tools.tool import Tool, apply, read_arguments
from inspector.text import say
from inspector.worker.client import InProcessRunner, Runner

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
        graph: path of the graph that holds the anchor; empty for the main graph.
        accepted_error: the error that the user accepted with an approximate rule, as max_rel; None for other rules.
    """

    rule: str
    variant: str
    op: str
    name: str
    outputs: tuple[str, ...]
    graph: str = ""
    accepted_error: float | None = None


def steps_of(previews: Iterable[Preview]) -> tuple[RecipeStep, ...]:
    """The recipe of *previews*, in order."""
    return tuple(_step_of(p, p.before.node(p.match.anchor)) for p in previews)


def _step_of(built: Preview, anchor: Node) -> RecipeStep:
    rule = rule_of(built.match.rule)
    error = rule.limit if rule.safety is Safety.APPROXIMATE else None
    path = built.before.graphs[anchor.graph].path
    return RecipeStep(rule.id, built.variant, str(anchor.op), anchor.name, anchor.outputs, path, error)


def write_recipe(steps: Iterable[RecipeStep]) -> str:
    """Recipe as JSON text: `{schema, steps: [{rule, variant, anchor: {op, name, outputs, graph}, accepted_error}]}`.

    `graph` is left out for the main graph, `accepted_error` for all but approximate rules.
    """
    listed = []
    for step in steps:
        anchor: dict[str, Any] = {"op": step.op, "name": step.name, "outputs": list(step.outputs)}
        if step.graph:
            anchor["graph"] = step.graph
        entry: dict[str, Any] = {"rule": step.rule, "variant": step.variant, "anchor": anchor}
        if step.accepted_error is not None:
            entry["accepted_error"] = step.accepted_error
        listed.append(entry)
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
        path, error = anchor.get("graph", ""), entry.get("accepted_error")
        texts = (entry.get("rule"), entry.get("variant"), anchor.get("op"), anchor.get("name"), *anchor["outputs"])
        if all(isinstance(part, str) for part in (*texts, path)) and isinstance(error, float | int | None):
            return RecipeStep(texts[0], texts[1], texts[2], texts[3], tuple(texts[4:]), path, error)
    raise UsageError(say("rewrite.recipe_step", n=number))


def replay(
    model: Model,
    steps: Iterable[RecipeStep],
    *,
    place: Placer | None = None,
    runner: Runner | None = None,
) -> Iterator[Preview | Refusal]:
    """Apply *steps* one after the other; a step that does not fit any more gives a refusal and is skipped.

    So does one of an approximate rule that states a larger error than the recipe accepts.

    Raises:
        UsageError: a step names a rule that this version does not have.
    """
    current = model
    placement = place(model) if place is not None else None
    for step in steps:
        rule = rule_of(step.rule)
        if _beyond_consent(rule, step):
            yield Refusal(step.rule, NodeId(-1), say("rewrite.refuse.no_consent", error=rule.limit), step.name)
            continue
        if isinstance(rule, Tool):
            made = _replay_tool(current, rule, step, place, placement, runner)
            yield made
            if isinstance(made, Preview):
                current, placement = made.after, made.placement_after
            continue
        node = resolve(current, NodeRef(step.op, step.name, step.outputs, step.graph))
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


def _replay_tool(
    model: Model,
    tool: Tool,
    step: RecipeStep,
    place: Placer | None,
    before: Placement | None,
    runner: Runner | None,
) -> Preview | Refusal:
    try:
        made = apply(model, tool, read_arguments(step.variant), runner or InProcessRunner(), place=place, before=before)
    except WorkerError as error:
        made = error.message
    return made if isinstance(made, Preview) else Refusal(tool.id, NodeId(-1), made, step.variant)


def _beyond_consent(rule: Rule, step: RecipeStep) -> bool:
    if rule.safety is not Safety.APPROXIMATE:
        return False
    return step.accepted_error is None or rule.limit is None or rule.limit > step.accepted_error
