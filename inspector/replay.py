"""`replay_proven`: accepted steps done again on a model, each proven anew before the next is built on it.

Reached after a kill, and after the file of a model changed on disk: the recipe is the same, the model may not be, so no
proof of before counts. A step that no longer fits is left out; one that cannot be proven ends the replay, because all
later ones would stand on it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from inspector.errors import UsageError
from inspector.prove import prove, whole_tolerance
from inspector.rewrite.preview import Placer
from inspector.rewrite.recipe import RecipeStep, replay
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Preview, Refusal
from inspector.text import Message, say
from inspector.verify.compare import verify_models
from inspector.verify.result import Status, Verification
from inspector.verify.structure import depth
from inspector.worker.client import Runner
from inspector.workspace import Step, Workspace

_FRAGMENTS_SHARE = 0.7


class Outcome(StrEnum):
    """What became of one step."""

    DONE = "done"
    REFUSED = "refused"  # the rule does not fit any more
    UNPROVEN = "unproven"  # its proof did not pass
    NOT_TRIED = "not_tried"  # it would stand on one that is unproven


@dataclass(frozen=True, slots=True)
class Redone:
    """One step of the recipe and what became of it.

    Attributes:
        step: the step.
        outcome: what became of it.
        reason: why it was not done; None when it was.
    """

    step: RecipeStep
    outcome: Outcome
    reason: Message | None = None


@dataclass(frozen=True)
class Replayed:
    """Steps done again.

    Attributes:
        start: workspace they were done on.
        workspaces: the workspace after each undo step, in order; empty when no step was done.
        steps: every step of the recipe with its outcome, in order.
        whole: comparison of the first model with the last; None when no step was done.
    """

    start: Workspace
    workspaces: tuple[Workspace, ...]
    steps: tuple[Redone, ...]
    whole: Verification | None = None

    @property
    def done(self) -> int:
        """Number of steps that were done again."""
        return sum(step.outcome is Outcome.DONE for step in self.steps)

    @property
    def complete(self) -> bool:
        """Whether every step was done again, and the comparison of the whole models passed."""
        passed = self.whole is None or self.whole.status is Status.PASSED
        return passed and self.done == len(self.steps)


def replay_proven(
    start: Workspace,
    steps: Sequence[RecipeStep],
    groups: Sequence[int],
    runner: Runner,
    place: Placer,
    *,
    progress: Callable[[float], None] = lambda _share: None,
) -> Replayed:
    """Do *steps* again on *start*, in undo steps of the sizes *groups*, whose sum is the number of steps.

    Args:
        start: workspace without steps.
        steps: what to do.
        groups: number of steps of each undo step, in order.
        runner: where models run.
        place: placement on the target of *start*.
        progress: called with the share 0..1 that is done; may raise to leave.

    Raises:
        WorkerCancelled: the user cancelled.
    """
    outcomes, made = _redo(start, steps, runner, place, progress)
    previews = [preview for preview, _ in made.values()]
    if not previews:
        return Replayed(start, (), outcomes)
    progress(_FRAGMENTS_SHARE)
    whole = verify_models(
        start.model,
        previews[-1].after,
        runner,
        tolerance=whole_tolerance(previews, depth(start.model)),
        dims=start.model.dims or None,
        changes_proven=True,
    )
    override = None if whole.status is Status.PASSED else say("journal.whole", status=whole.status.value)
    proven = {index: Step(preview, (fragment, whole), override) for index, (preview, fragment) in made.items()}
    progress(1.0)
    return Replayed(start, _workspaces(start, proven, groups, place), outcomes, whole)


def _redo(
    start: Workspace,
    steps: Sequence[RecipeStep],
    runner: Runner,
    place: Placer,
    progress: Callable[[float], None],
) -> tuple[tuple[Redone, ...], dict[int, tuple[Preview, Verification]]]:
    """Outcomes of all steps, and of those that were done the preview and its fragment stage, by their place."""
    outcomes: list[Redone] = []
    made: dict[int, tuple[Preview, Verification]] = {}
    answers = replay(start.model, steps, place=place, runner=runner)
    try:
        for index, answer in enumerate(islice(answers, len(steps))):
            progress(_FRAGMENTS_SHARE * index / len(steps))
            if isinstance(answer, Refusal):
                outcomes.append(Redone(steps[index], Outcome.REFUSED, answer.reason))
                continue
            rule = rule_of(steps[index].rule)
            (fragment,) = prove(answer, rule.safety, rule.limit, runner, whole_model=False)
            if fragment.status is not Status.PASSED:
                reason = fragment.reason or say("journal.unproven", status=fragment.status.value)
                outcomes.append(Redone(steps[index], Outcome.UNPROVEN, reason))
                break
            outcomes.append(Redone(steps[index], Outcome.DONE))
            made[index] = answer, fragment
    except UsageError as error:  # a rule that this version does not have
        outcomes.append(Redone(steps[len(outcomes)], Outcome.REFUSED, error.message))
    rest = (Redone(step, Outcome.NOT_TRIED, say("journal.not_tried")) for step in steps[len(outcomes) :])
    return (*outcomes, *rest), made


def _workspaces(
    start: Workspace, proven: dict[int, Step], groups: Sequence[int], place: Placer
) -> tuple[Workspace, ...]:
    """The workspace after each group of which a step was done."""
    made: list[Workspace] = []
    current, first = start, 0
    for size in groups:
        steps = tuple(proven[index] for index in range(first, first + size) if index in proven)
        first += size
        if steps:
            last = steps[-1].preview
            placement = last.placement_after if last.placement_after is not None else place(last.after)
            current = current.accepted(steps, placement)
            made.append(current)
    return tuple(made)
