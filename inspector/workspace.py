"""`Workspace`: a model, a target, its placement and the accepted steps, as one immutable value."""

from dataclasses import dataclass, field, replace
from typing import Self

from inspector.model.graph import Model
from inspector.placement.target import Target
from inspector.placement.verdict import Placement
from inspector.rewrite.rule import Preview
from inspector.text import Message
from inspector.verify.result import Verification


@dataclass(frozen=True)
class Step:
    """One accepted rewrite.

    Attributes:
        preview: what was changed; `preview.after` is the model after the step.
        verifications: proofs that were run, fragment stage first.
        override: why an unproven step was accepted all the same; None normally.
    """

    preview: Preview
    verifications: tuple[Verification, ...]
    override: Message | None = None


@dataclass(frozen=True)
class Workspace:
    """All that a document is about.

    Attributes:
        original: model as loaded (with shapes).
        model: current model.
        target: what it is placed on.
        placement: verdicts of `model` on `target`.
        groups: accepted steps; each group was accepted at once and is one undo step.
    """

    original: Model
    model: Model
    target: Target
    placement: Placement
    groups: tuple[tuple[Step, ...], ...] = field(default=())

    @property
    def steps(self) -> tuple[Step, ...]:
        """All accepted steps in order."""
        return tuple(step for group in self.groups for step in group)

    def retargeted(self, target: Target, placement: Placement) -> Self:
        """The same work on another target."""
        return replace(self, target=target, placement=placement)

    def accepted(self, steps: tuple[Step, ...], placement: Placement) -> Self:
        """The workspace after *steps* (at least one) were accepted together; *placement* is that of the last model."""
        return replace(self, model=steps[-1].preview.after, placement=placement, groups=(*self.groups, steps))
