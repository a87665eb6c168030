"""`prove`: the numerical proof of a previewed rewrite, fragment first, then the whole model."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Preview, Safety
from inspector.rewrite.tools.registry import is_tool
from inspector.text import say
from inspector.verify.compare import verify_fragment, verify_models
from inspector.verify.engine import no_result
from inspector.verify.result import StageName, Status, Tolerance, Verification
from inspector.verify.structure import depth
from inspector.verify.tolerance import stated_tolerance, tolerance_for, user_tolerance
from inspector.worker.client import Runner
from inspector.worker.protocol import Array


def prove(
    preview: Preview,
    rule_safety: Safety,
    rule_limit: float | None,
    runner: Runner,
    *,
    whole_model: bool = True,
    limit: float | None = None,
    seed: int = 7,
    samples: int = 3,
    dims: Mapping[str, int] | None = None,
    feeds: Sequence[Mapping[str, Array]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Verification, ...]:
    """Verifications of *preview*: the fragment stage, then the whole model.

    The rewrite is proven when every one is PASSED. The whole model is not run when the fragment FAILED; that stage is
    then INCONCLUSIVE and says so. A tool, which changes the whole model, has that stage alone.

    Args:
        preview: the rewrite.
        rule_safety: what the rule may do to the numbers.
        rule_limit: max_rel that the rule declares; None takes the class's own.
        runner: where models run.
        whole_model: whether the second stage is wanted.
        limit: max_rel chosen by the user, in place of the rule's; None keeps that.
        seed: seed of the made-up inputs.
        samples: input sets of the whole-model stage, at least 1.
        dims: sizes for dynamic dimensions, beside those bound in the model.
        feeds: the user's input sets for the whole-model stage; None makes some up.
        progress: called with (done, total) within each stage.

    Raises:
        WorkerCancelled: the user cancelled.
    """
    if is_tool(preview.match.rule):
        return (_prove_tool(preview, rule_safety, rule_limit, runner, limit, seed, samples, dims, progress),)
    fragment = verify_fragment(
        preview.before,
        preview.after,
        preview.removed,
        preview.added,
        runner,
        tolerance=proof_tolerance(rule_safety, rule_limit, StageName.FRAGMENT, limit=limit),
        seed=seed,
        progress=progress,
    )
    if not whole_model:
        return (fragment,)
    tolerance = proof_tolerance(rule_safety, rule_limit, StageName.MODEL, limit=limit, depth=depth(preview.before))
    if fragment.status is Status.FAILED:
        skipped = no_result(StageName.MODEL, tolerance, seed, say("verify.fragment_failed"))
        return fragment, skipped
    whole = verify_models(
        preview.before,
        preview.after,
        runner,
        tolerance=tolerance,
        seed=seed,
        samples=samples,
        dims=dims,
        feeds=feeds,
        changes_proven=fragment.status is Status.PASSED,
        progress=progress,
    )
    return fragment, whole


def _prove_tool(
    preview: Preview,
    safety: Safety,
    declared: float | None,
    runner: Runner,
    limit: float | None,
    seed: int,
    samples: int,
    dims: Mapping[str, int] | None,
    progress: Callable[[int, int], None] | None,
) -> Verification:
    held = Safety.EXACT if safety is Safety.BOUNDARY else safety  # the interface changes, the numbers do not
    tolerance = proof_tolerance(held, declared, StageName.MODEL, limit=limit, depth=depth(preview.before))
    return verify_models(
        preview.before,
        preview.comparable or preview.after,
        runner,
        tolerance=tolerance,
        seed=seed,
        samples=samples,
        dims=dims,
        progress=progress,
    )


def proof_tolerance(
    safety: Safety, declared: float | None, stage: StageName, *, limit: float | None = None, depth: int = 1
) -> Tolerance:
    """The limit for a rule: the user's, else the error an approximate rule states, else that of its safety class."""
    if limit is not None:
        return user_tolerance(limit)
    if safety is Safety.APPROXIMATE and declared is not None:
        return stated_tolerance(declared)
    return tolerance_for(safety is Safety.EXACT, declared, stage, depth=depth)


def whole_tolerance(previews: Iterable[Preview], depth: int) -> Tolerance:
    """The limit for two whole models between which *previews* lie, *depth* nodes on the longest path.

    That of equivalent rewrites, or the largest error that an approximate one among them states.
    """
    rules = [rule_of(name) for name in dict.fromkeys(preview.match.rule for preview in previews)]
    stated = [r.limit for r in rules if r.safety is Safety.APPROXIMATE and r.limit is not None]
    return stated_tolerance(max(stated)) if stated else tolerance_for(False, None, StageName.MODEL, depth=depth)
