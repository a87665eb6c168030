"""`RewriteRun`: rewrites applied one after the other, each proven before the next is built on it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from inspector.cli.analysis import Analysis
from inspector.model.graph import Model, NodeId
from inspector.model.reference import refer, resolve
from inspector.placement.verdict import Placement
from inspector.prove import prove, whole_tolerance
from inspector.rewrite.find import Offer, find, find_all, growth
from inspector.rewrite.preview import preview
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Match, Preview, Refusal, Rule, Safety
from inspector.text import Message, say
from inspector.verify.compare import verify_models
from inspector.verify.result import Status, Verification
from inspector.verify.structure import depth
from inspector.worker.client import Runner
from inspector.workspace import Step


@dataclass(frozen=True, slots=True)
class Refused:
    """A rewrite that was not applied.

    Attributes:
        rule: id of the rule.
        node: label of the node it was meant for.
        reason: why not.
        verification: the proof that did not pass; None when the rule itself refused.
    """

    rule: str
    node: str
    reason: Message
    verification: Verification | None = None


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A rewrite to try: a match and the variant, with the preview if it was built already."""

    rule: Rule
    match: Match
    variant: str
    preview: Preview | None = None


@dataclass
class RewriteRun:
    """The state of one `rewrite` command: current model and placement, proven steps, refusals.

    Attributes:
        analysis: model and placement to start from.
        runner: worker that computes the proofs.
        seed: seed of the inputs.
        approximate: whether `apply_fixes` may take approximate rules.
        model: current model.
        placement: verdicts of the current model.
        steps: proven steps in order; the first verification of each is its fragment stage.
        refused: what was not applied, in order.
    """

    analysis: Analysis
    runner: Runner
    seed: int = 7
    approximate: bool = False
    model: Model = field(init=False)
    placement: Placement = field(init=False)
    steps: list[Step] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    _tried: set[tuple[str, NodeId]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.model = self.analysis.model
        self.placement = self.analysis.placement

    def apply_fixes(self) -> None:
        """Apply the best fix of every problem, round after round until a round changes nothing."""
        done = -1
        while done != len(self.steps):
            done = len(self.steps)
            for node in tuple(find_all(self.model, self.placement, place=self.analysis.place)):
                if self.model.find_node(node) is not None:
                    self._try(self._fixes_at(node))

    def apply_rule(self, rule: Rule, node: NodeId | None = None, variant: str | None = None) -> None:
        """Apply *rule* at *node*, or wherever it matches; without *variant* each site takes the best on the target."""
        if node is not None:
            self._try(self._rule_at(rule, node, variant, asked=True))
            return
        # Nodes that a step made are left alone: a rule with several spellings would rewrite its own work for ever.
        anchors = [n.id for n in self.model.nodes if n.op.name in rule.anchors]
        done = -1
        while done != len(self.steps):
            done = len(self.steps)
            for candidate in anchors:
                if self.model.find_node(candidate) is not None:
                    self._try(self._rule_at(rule, candidate, variant, asked=False))

    def verify_whole(self) -> Verification | None:
        """Compare the current model with the one the run started from; None when nothing was changed."""
        return self.verify_after(len(self.steps)) if self.steps else None

    def verify_after(self, count: int) -> Verification:
        """Compare the model after the first *count* steps with the one the run started from."""
        start, done = self.analysis.model, [step.preview for step in self.steps[:count]]
        return verify_models(
            start,
            done[-1].after if done else start,
            self.runner,
            tolerance=whole_tolerance(done, depth(start)),
            seed=self.seed,
            dims=start.dims,
            changes_proven=True,
        )

    @property
    def state(self) -> tuple[Model, Placement, tuple[Step, ...], tuple[Refused, ...]]:
        """All that `drop` changes; may be set again."""
        return self.model, self.placement, tuple(self.steps), tuple(self.refused)

    @state.setter
    def state(self, state: tuple[Model, Placement, tuple[Step, ...], tuple[Refused, ...]]) -> None:
        self.model, self.placement, self.steps, self.refused = *state[:2], list(state[2]), list(state[3])

    def drop(self, index: int, reason: Message, proof: Verification) -> None:
        """Take step *index* out, because of *proof*, and do those behind it again; what no longer fits is refused."""
        later, gone = self.steps[index + 1 :], self.steps[index].preview
        self.steps = self.steps[:index]
        self.model = gone.before
        self.placement = gone.placement_before or self.analysis.place(gone.before)
        self._refuse(gone.match.rule, gone.match.anchor, reason, proof)
        for step in later:
            built = step.preview
            rule, old = rule_of(built.match.rule), built.before.node(built.match.anchor)
            node = resolve(self.model, refer(built.before, old))
            answer = None if node is None else rule.match(self.model, node.id)
            if isinstance(answer, Match) and built.variant in answer.variants:
                self._try([_Candidate(rule, answer, built.variant)])
            else:
                self.refused.append(Refused(rule.id, old.label, say("cli.refused_stood_on", rule=gone.match.rule)))

    @property
    def overridden(self) -> bool:
        """Whether the steps were accepted although their proof is not complete."""
        return any(step.override is not None for step in self.steps)

    def override(self, reason: Message) -> None:
        """Accept the steps although their proof is not complete; *reason* is kept with each."""
        self.steps = [replace(step, override=reason) for step in self.steps]

    def _fixes_at(self, node: NodeId) -> Iterator[_Candidate]:
        for offer in find(self.model, self.placement, node, place=self.analysis.place).fixes:
            if offer.rule.safety is Safety.APPROXIMATE and not self.approximate:
                continue
            yield _Candidate(offer.rule, offer.match, offer.variant, offer.preview)

    def _rule_at(self, rule: Rule, node: NodeId, variant: str | None, *, asked: bool) -> Iterator[_Candidate]:
        """The rewrite of *rule* at *node*; a refusal is kept when it says something (always when *asked*)."""
        if (rule.id, node) in self._tried:
            return
        answer = rule.match(self.model, node)
        if isinstance(answer, Refusal):
            if asked or answer.relevant:
                self._refuse(rule.id, node, answer.reason)
            return
        if variant is None:
            yield self._best(rule, answer)
        elif variant in answer.variants:
            yield _Candidate(rule, answer, variant)
        else:
            fitting = ", ".join(answer.variants)
            self._refuse(rule.id, node, say("cli.refused_variant", variant=variant, variants=fitting))

    def _best(self, rule: Rule, match: Match) -> _Candidate:
        """The variant of *match* that leaves the fewest problems on the target."""
        if len(match.variants) == 1:
            return _Candidate(rule, match, match.variants[0])
        offers = []
        for variant in match.variants:
            built = preview(self.model, rule, match, variant, place=self.analysis.place, before=self.placement)
            if built.gain is not None:
                offers.append(Offer(rule, variant, match, built.gain, built.cost_after, growth(built), built))
        best = min(offers, key=lambda offer: offer.rank)
        return _Candidate(rule, match, best.variant, best.preview)

    def _try(self, candidates: Iterable[_Candidate]) -> None:
        """Build and prove the candidates in order, until one passes."""
        for candidate in candidates:
            key = (f"{candidate.rule.id}/{candidate.variant}", candidate.match.anchor)
            if key in self._tried:
                continue
            built = candidate.preview or preview(
                self.model,
                candidate.rule,
                candidate.match,
                candidate.variant,
                place=self.analysis.place,
                before=self.placement,
            )
            proofs = prove(
                built, candidate.rule.safety, candidate.rule.limit, self.runner, whole_model=False, seed=self.seed
            )
            failed = next((proof for proof in proofs if proof.status is not Status.PASSED), None)
            if proofs and failed is None and built.placement_after is not None:
                self.steps.append(Step(built, proofs))
                self.model, self.placement = built.after, built.placement_after
                return
            self._tried.add(key)
            self._refuse(candidate.rule.id, candidate.match.anchor, _unproven(candidate.variant, failed), failed)

    def _refuse(self, rule: str, node: NodeId, reason: Message, proof: Verification | None = None) -> None:
        self._tried.add((rule, node))
        self.refused.append(Refused(rule, self.model.node(node).label, reason, proof))


def _unproven(variant: str, proof: Verification | None) -> Message:
    """Why *variant* was not applied: what its *proof* came to, and what stood in the way if it says so."""
    status = Status.INCONCLUSIVE if proof is None else proof.status
    if proof is None or proof.reason is None:
        return say("cli.refused_proof", variant=variant, status=status.value)
    return say("cli.refused_proof_why", variant=variant, status=status.value, why=proof.reason)
