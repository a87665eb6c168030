"""`settle`: the whole-model stage after many steps, of which only those are kept that pass it.

Each step passed its fragment stage alone. Together they may still differ by more than the limit, or one of them may end
in a tensor that proves nothing. Then the first step after which the comparison does not pass is taken out, those behind
it are done again, and the models are compared anew.
"""

from inspector.cli.sequence import RewriteRun
from inspector.text import say
from inspector.verify.result import Status, Verification

MOST_DROPPED = 4
"""Steps that are taken out one by one; after that only those before the next offending one are kept."""


def settle(work: RewriteRun, *, accept_inconclusive: bool = False) -> Verification | None:
    """The whole-model comparison of *work*, after steps that stood in its way were dropped; None without any step.

    It is not PASSED only when dropping would not help: the unchanged model cannot be compared with itself either, no
    step passes, or *accept_inconclusive* is set and nothing FAILED. Then all steps stay as they were.
    """
    whole = work.verify_whole()
    if whole is None or _good(whole, accept_inconclusive) or work.verify_after(0).status is not Status.PASSED:
        return whole
    all_steps = work.state
    found = _without_faults(work, accept_inconclusive)
    if found is None:
        work.state = all_steps
        return whole
    return found


def _without_faults(work: RewriteRun, accept_inconclusive: bool) -> Verification | None:
    """The comparison after offending steps were dropped; None when no step is left."""
    for _ in range(MOST_DROPPED):
        first, proof = _first_bad(work, accept_inconclusive)
        work.drop(first, say("cli.refused_whole", status=proof.status.value, why=proof.reason or ""), proof)
        whole = work.verify_whole()
        if whole is None or _good(whole, accept_inconclusive):
            return whole
    first, proof = _first_bad(work, accept_inconclusive)
    while len(work.steps) > first:
        work.drop(len(work.steps) - 1, say("cli.refused_behind", n=MOST_DROPPED), proof)
    return work.verify_whole()


def _first_bad(work: RewriteRun, accept_inconclusive: bool) -> tuple[int, Verification]:
    """Index of a step after which the comparison does not pass although it does before, found by halving."""
    good, bad = 0, len(work.steps)
    proof = work.verify_after(bad)
    while bad - good > 1:
        middle = (good + bad) // 2
        found = work.verify_after(middle)
        if _good(found, accept_inconclusive):
            good = middle
        else:
            bad, proof = middle, found
    return bad - 1, proof


def _good(result: Verification, accept_inconclusive: bool) -> bool:
    return result.status is Status.PASSED or (accept_inconclusive and result.status is Status.INCONCLUSIVE)
