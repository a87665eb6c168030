"""`Tool`, a change of a whole model, and `apply`, which makes a `Preview` of it.

A tool has the face of a rule (title, summary, safety), so that preview, proof, history, recipe and undo treat it like
one; it is never asked at a node. Its arguments stand in the place of a variant, as JSON text.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from inspector.errors import RewriteError, UsageError
from inspector.model.edit import Editor
from inspector.model.graph import Model, NodeId
from inspector.placement.verdict import Placement
from inspector.rewrite.preview import Placer, cost, gain
from inspector.rewrite.rule import Match, Precondition, Preview, Refusal, Safety, Variant
from inspector.text import Message, say
from inspector.worker.client import Runner

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """What a tool made of a model.

    Attributes:
        after: the changed model, with shapes.
        comparable: what computes the outputs of the model before from `after`; None where that is `after` itself.
    """

    after: Model
    comparable: Model | None = None


class Tool(ABC):
    """A change of a whole model; see `Rule` for what the members mean there.

    Attributes:
        id: kebab-case id, of which there is no rule.
        safety: what it may do to the numbers.
    """

    id: ClassVar[str]
    safety: ClassVar[Safety] = Safety.EXACT
    limit: ClassVar[float | None] = None
    anchors: ClassVar[frozenset[str]] = frozenset()
    fixes: ClassVar[frozenset[str]] = frozenset()
    variants: ClassVar[tuple[Variant, ...]] = ()

    @property
    def title(self) -> Message:
        """For buttons and the undo menu."""
        return say(f"tool.{self.id}.title")

    @property
    def summary(self) -> Message:
        """One line of what it does."""
        return say(f"tool.{self.id}.summary")

    def match(self, model: Model, anchor: NodeId) -> Match | Refusal:  # noqa: ARG002 - the face of a rule
        """Never: a tool does not start at a node."""
        return Refusal(self.id, anchor, say("rewrite.refuse.other"), relevant=False)

    def rewrite(self, editor: Editor, match: Match, variant: str) -> None:
        """Never called, because there is no match.

        Raises:
            RewriteError: always.
        """
        raise RewriteError(say("rewrite.no_variant", rule=self.id, variant=variant, variants=match.rule + editor.rule))

    @abstractmethod
    def change(self, model: Model, arguments: Arguments, runner: Runner) -> Change | Message:
        """*model* as the tool makes it, or why it does not: in one sentence with what stands in the way.

        Raises:
            UsageError: *arguments* are not what the tool takes.
            WorkerError: native code gave no answer.
        """

    def taken(self, arguments: Arguments, **kinds: type) -> None:
        """Check that *arguments* has the keys *kinds* with values of those types, and no others.

        Raises:
            UsageError: it has not.
        """
        if set(arguments) != set(kinds) or any(not isinstance(arguments[key], kind) for key, kind in kinds.items()):
            expected = ", ".join(f"{key}: {kind.__name__}" for key, kind in kinds.items()) or "-"
            found = json.dumps(dict(arguments), ensure_ascii=False)
            raise UsageError(say("tool.arguments", tool=self.id, found=found, expected=expected))


def variant_text(arguments: Arguments) -> str:
    """*arguments* as they stand in the place of a variant."""
    return json.dumps(dict(arguments), ensure_ascii=False, sort_keys=True)


def read_arguments(text: str) -> Arguments:
    """The arguments in *text*, as `variant_text` wrote them.

    Raises:
        UsageError: it is no JSON object.
    """
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(say("rewrite.recipe_not_json", reason=str(error))) from error
    if not isinstance(found, dict):
        raise UsageError(say("rewrite.recipe_not_json", reason=text))
    return MappingProxyType(found)


def _given(arguments: Arguments) -> tuple[Precondition, ...]:
    """*arguments* as the preview shows them."""
    return tuple(
        Precondition(say(f"tool.given.{key}"), json.dumps(value, ensure_ascii=False) if value != [] else "*")
        for key, value in arguments.items()
    )


def apply(
    model: Model,
    tool: Tool,
    arguments: Arguments,
    runner: Runner,
    *,
    place: Placer | None = None,
    before: Placement | None = None,
) -> Preview | Message:
    """What *tool* makes of *model*, or why it does nothing; *place* and *before* as for `preview` of a rule.

    Raises:
        UsageError: *arguments* are not what the tool takes.
        WorkerError: native code gave no answer.
    """
    if not model.main.nodes:
        return say("tool.empty")
    made = tool.change(model, arguments, runner)
    if isinstance(made, Message):
        return made
    after = made.after
    removed = tuple(node.id for node in model.nodes if after.find_node(node.id) is None)
    added = tuple(node.id for node in after.nodes if model.find_node(node.id) is None)
    variant = variant_text(arguments)
    placed_before = before if before is not None or place is None else place(model)
    placed_after = None if place is None else place(after)
    return Preview(
        before=model,
        after=after,
        match=Match(tool.id, model.main.nodes[0].id, removed, (variant,), preconditions=_given(arguments)),
        variant=variant,
        removed=removed,
        added=added,
        cost_before=cost(model, removed),
        cost_after=cost(after, added),
        placement_before=placed_before,
        placement_after=placed_after,
        gain=None if placed_before is None or placed_after is None else gain(placed_before, placed_after),
        comparable=made.comparable,
    )
