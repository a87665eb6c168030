"""Recipes: accepted rewrites as JSON, so that they can be applied again to the same model or to a newer export of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from inspector.model.graph import Model
from inspector.rewrite.preview import Placer
from inspector.rewrite.rule import Preview, Refusal

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
    raise NotImplementedError


def write_recipe(steps: Iterable[RecipeStep]) -> str:
    """Recipe as JSON text: `{schema, steps: [{rule, variant, anchor: {op, name, outputs}}]}`."""
    raise NotImplementedError


def read_recipe(text: str) -> tuple[RecipeStep, ...]:
    """Steps of a recipe.

    Raises:
        UsageError: *text* is no recipe, or one of a schema that this version does not know.
    """
    raise NotImplementedError


def replay(model: Model, steps: Iterable[RecipeStep], *, place: Placer | None = None) -> Iterator[Preview | Refusal]:
    """Apply *steps* one after the other; a step that does not fit any more gives a refusal and is skipped."""
    raise NotImplementedError
