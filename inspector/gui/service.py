"""`Service`: the core as the window uses it, one method per kind of job. Nothing here knows a widget.

Every method but the constructor may run in a thread. Texts for progress come from `tr`, everything else from the core.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from threading import Lock
from types import MappingProxyType

from PySide6.QtCore import QCoreApplication

from inspector.errors import InspectorError, RewriteError
from inspector.garbage import release, uncollected
from inspector.gui.canvas.scene import Scene, build_scene, kept_boxes
from inspector.gui.jobs import JobContext
from inspector.gui.measures import Measure
from inspector.gui.overrides import Overrides
from inspector.gui.picture import Picture
from inspector.gui.proposal import Proof, Proposal, Site, proof_of
from inspector.gui.witness import Witness
from inspector.layout.layout import lay_out
from inspector.layout.options import Direction, LayoutOptions
from inspector.layout.relayout import relayout
from inspector.layout.result import GraphLayout
from inspector.model.graph import Model, Node, NodeId
from inspector.model.infer import infer_shapes
from inspector.model.load import load_model
from inspector.model.save import save_model
from inspector.model.shape import static
from inspector.model.tensors import TensorStore
from inspector.placement.catalog import Catalog, load_catalog, resolve_target
from inspector.placement.compare import Comparison, compare
from inspector.placement.cost import node_cost
from inspector.placement.engine import PlacementCache, place
from inspector.placement.remedies import Remedies, node_remedies
from inspector.placement.target import Flow, Qtype, Target
from inspector.placement.toolchains import Difference, between
from inspector.placement.verdict import Placement, Verdict
from inspector.prove import proof_tolerance, prove, whole_tolerance
from inspector.replay import Replayed, replay_proven
from inspector.report.output import save_with_recipe
from inspector.rewrite.find import Found, apply_all, find, find_all
from inspector.rewrite.preview import preview
from inspector.rewrite.recipe import RecipeStep
from inspector.rewrite.registry import rule as rule_of
from inspector.rewrite.rule import Preview, Refusal, Rule
from inspector.rewrite.tools.registry import is_tool
from inspector.text import Message
from inspector.verify.compare import verify_models
from inspector.verify.observe import observe_shapes
from inspector.verify.result import StageName, Status, Verification
from inspector.verify.structure import depth
from inspector.worker.client import Runner, WorkerClient
from inspector.workspace import Workspace

translate = QCoreApplication.translate

_CACHES = 8
"""Models for which the findings of earlier placements are kept."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What the user chose in the target bar.

    Attributes:
        platform: platform id.
        toolchain: version; None takes the newest known one.
        march: architecture; None takes the platform's default.
        flow: quantisation flow.
        overrides: what is asked of single nodes.
    """

    platform: str
    toolchain: str | None = None
    march: str | None = None
    flow: Flow = Flow.PTQ
    overrides: Overrides = field(default_factory=Overrides)


@dataclass(frozen=True)
class Opened:
    """A freshly opened model."""

    workspace: Workspace
    picture: Picture


class Service:
    """Gives answers of the core to the window's jobs.

    Attributes:
        seed: seed of the made-up inputs of proofs and verifications.
        direction: way in which graphs are laid out.
    """

    def __init__(self, client: WorkerClient | None = None) -> None:
        """Use *client* for native code; None makes one of its own."""
        self.client = client or WorkerClient()
        self.seed = 7
        self.direction = Direction.DOWN
        self._placing = Lock()
        self._caches: dict[int, tuple[TensorStore, PlacementCache]] = {}

    @cached_property
    def catalog(self) -> Catalog:
        """Platforms and tables, read at first use."""
        return load_catalog()

    def close(self) -> None:
        """End the worker process."""
        self.client.close()

    def target(self, choice: Choice) -> Target:
        """The target of a choice."""
        target = resolve_target(
            self.catalog, choice.platform, toolchain=choice.toolchain, march=choice.march, flow=choice.flow
        )
        return choice.overrides.on(target, self.formats(target))

    def formats(self, target: Target) -> tuple[Qtype, ...]:
        """Number formats that the march of *target* computes in, its default first."""
        return self.catalog.platform(target.platform).qtypes[target.march]

    def remedies(self, model: Model, placement: Placement, node: NodeId) -> Remedies:
        """What would satisfy the failed checks of *node*, by clause; empty for a node on the BPU."""
        verdict = placement.verdicts[node]
        if verdict.verdict not in (Verdict.CPU, Verdict.UNSUPPORTED):
            return {}
        return node_remedies(model, verdict, self.catalog.table(placement.target), placement.target)

    def compare(self, workspace: Workspace, choice: Choice) -> Comparison:
        """The placement of *workspace* beside that of its model on *choice*."""
        here, there = workspace.target, self.target(choice)
        platform = self.catalog.platform(here.platform)
        known: tuple[Difference, ...] = ()
        if here.platform == there.platform:
            known = between(platform.toolchains, platform.differences, here.toolchain, there.toolchain)
        return compare(workspace.placement, self.place(workspace.model, there), known)

    def open(self, path: Path, choice: Choice, dims: Mapping[str, int], context: JobContext) -> Opened:
        """Read *path*, infer shapes, place and lay out.

        Raises:
            ModelLoadError: the file cannot be read as a model.
        """
        context.progress(0.05, translate("Service", "Reading the file"))
        with uncollected(keep=True):
            model = load_model(path)
            context.check()
            context.progress(0.2, translate("Service", "Inferring shapes"))
            model = infer_shapes(model, self.runner(context), dims)
            return self._opened(model, choice, context)

    def place_with_sizes(self, path: Path, choice: Choice, dims: Mapping[str, int], context: JobContext) -> Placement:
        """Verdicts of the model *path* on *choice* with *dims* bound; nothing of it is kept.

        Raises:
            InspectorError: the file cannot be read, or the sizes contradict it.
        """
        model = infer_shapes(load_model(path), self.runner(context), dims)
        context.check()
        return self.place(model, self.target(choice))

    def run_once(self, model: Model, choice: Choice, context: JobContext) -> Opened:
        """The same model with the shapes of one run in the worker.

        Raises:
            InspectorError: no inputs could be made up, or the run gave no answer.
        """
        context.progress(-1.0, translate("Service", "Running the model"))
        seen = observe_shapes(model, self.runner(context))
        if isinstance(seen, Message):
            raise InspectorError(seen)
        return self._opened(seen, choice, context)

    def place(self, model: Model, target: Target) -> Placement:
        """Verdicts of *model* on *target*; what they found out is kept as long as the model is open."""
        with self._placing:
            _, cache = self._caches.get(id(model.tensors), (None, None))
            return place(model, self.catalog, target, cache=cache)

    def forget(self, model: Model) -> None:
        """Drop what placements of *model*, and of the models edited from it, found out."""
        with self._placing:
            self._caches.pop(id(model.tensors), None)
        release()

    def draw(self, model: Model, context: JobContext, before: Picture | None = None) -> Picture:
        """Boxes and positions of *model*; what was there *before*, when that is given, stays where it was."""
        context.progress(0.5, translate("Service", "Laying out the graph"))
        scene = build_scene(model)
        context.check()
        layout = _lay_out(scene, before, _options(self.direction), context)
        costs = MappingProxyType({node.id: node_cost(model, node) for node in model.nodes})
        incomplete = tuple(node for node in model.main.nodes if _incomplete(model, node))
        return Picture(model, scene, layout, costs, incomplete)

    def retarget(
        self, workspace: Workspace, proposal: Proposal | None, choice: Choice
    ) -> tuple[Workspace, Proposal | None]:
        """The workspace, and the proposal on it, on another target."""
        target = self.target(choice)
        moved = workspace.retargeted(target, self.place(workspace.model, target))
        if proposal is None:
            return moved, None
        after = self.place(proposal.after, target)
        return moved, replace(proposal, workspace=moved, placement_after=after)

    def find(self, workspace: Workspace, node: NodeId, _context: JobContext) -> Found:
        """Fixes, clean-ups and refusals at *node*."""
        return find(workspace.model, workspace.placement, node, place=self._placer(workspace))

    def fixes(self, workspace: Workspace, context: JobContext) -> Mapping[NodeId, Found]:
        """Fixes at every node that has a problem."""
        found = find_all(workspace.model, workspace.placement, place=self._placer(workspace))
        context.check()
        return MappingProxyType(dict(found))

    def propose(
        self,
        workspace: Workspace,
        rule_id: str,
        anchor: NodeId,
        variant: str | None,
        every_site: bool,
        context: JobContext,
        before: Picture | None = None,
    ) -> Proposal:
        """Build the rewrite *rule_id* at *anchor* or at every site, without its proof.

        Its picture looks like *before*, the one of the workspace's model, as far as nothing changed.

        Raises:
            RewriteError: the rule does not fit at *anchor*, or broke an invariant.
        """
        rule, model, place = rule_of(rule_id), workspace.model, self._placer(workspace)
        match = rule.match(model, anchor)
        if isinstance(match, Refusal):
            raise RewriteError(match.reason)
        chosen = variant if variant in match.variants else match.variants[0]
        if every_site:
            sites = _all_sites(model, rule, chosen, context)
        else:
            single = preview(model, rule, match, chosen, place=place, before=workspace.placement)
            sites = (Site(model.node(anchor).label, single),)
        previews = [site.preview for site in sites if site.preview is not None]
        after = previews[-1].after if previews else model
        placement = previews[-1].placement_after if previews else workspace.placement
        return Proposal(
            rule=rule,
            variant=chosen,
            anchor=anchor,
            every_site=every_site,
            workspace=workspace,
            sites=sites,
            after=after,
            placement_after=placement if placement is not None else place(after),
            variants=tuple(v.id for v in rule.variants if v.id in match.variants),
            picture=self.draw(after, context, before),
        )

    def prove(self, proposal: Proposal, context: JobContext) -> Proposal:
        """Prove every site by itself, then the whole model; tells what it has after each stage.

        Raises:
            WorkerError: the worker gave no answer.
        """
        rule, runner = proposal.rule, self._witness(proposal.workspace, context)
        proved = replace(proposal, fragments=MappingProxyType({}), whole=None, proof=Proof.RUNNING, failure=None)
        context.partial(proved)
        if is_tool(rule.id):
            progress = _steps(context, 0.0, 1.0)
            whole = prove(proposal.previews[0], rule.safety, rule.limit, runner, seed=self.seed, progress=progress)[0]
            runner.answered(whole)
            return replace(proved, whole=whole, proof=proof_of((whole,)))
        fragments: dict[NodeId, Verification] = {}
        for index, one in enumerate(proposal.previews):
            context.check()
            context.progress(0.5 * index / len(proposal.previews), translate("Service", "Fragment"))
            fragments[one.match.anchor] = prove(
                one, rule.safety, rule.limit, runner, seed=self.seed, whole_model=False
            )[0]
            runner.answered(fragments[one.match.anchor])
            proved = replace(proved, fragments=MappingProxyType(dict(fragments)))
            context.partial(proved)
        if proof_of(tuple(fragments.values())) is not Proof.FAILED:
            context.progress(0.5, translate("Service", "Whole model"))
            whole = self._whole(proved, runner, context)
            runner.answered(whole)
            proved = replace(proved, whole=whole)
        return replace(proved, proof=proof_of(proved.verifications))

    def _whole(self, proposal: Proposal, runner: Runner, context: JobContext) -> Verification:
        rule, model = proposal.rule, proposal.workspace.model
        tolerance = proof_tolerance(rule.safety, rule.limit, StageName.MODEL, depth=depth(model))
        proven = all(fragment.status is Status.PASSED for fragment in proposal.fragments.values())
        return verify_models(
            model,
            proposal.after,
            runner,
            tolerance=tolerance,
            seed=self.seed,
            changes_proven=proven,
            progress=_steps(context, 0.5, 1.0),
        )

    def verify(self, workspace: Workspace, context: JobContext) -> Verification:
        """Compare the current model with the one that was opened.

        Raises:
            WorkerError: the worker gave no answer.
        """
        runner = self._witness(workspace, context)
        result = verify_models(
            workspace.original,
            workspace.model,
            runner,
            tolerance=whole_tolerance([step.preview for step in workspace.steps], depth(workspace.original)),
            seed=self.seed,
            changes_proven=_proven(workspace),
            progress=_steps(context, 0.0, 1.0),
        )
        runner.answered(result)
        return result

    def replay(
        self, workspace: Workspace, steps: Sequence[RecipeStep], groups: Sequence[int], context: JobContext
    ) -> Replayed:
        """Do *steps* again on *workspace*, which has none, in undo steps of the sizes *groups*; see `replay_proven`."""

        def progress(share: float) -> None:
            context.check()
            context.progress(share, translate("Service", "Rewriting and proving"))

        return replay_proven(workspace, steps, groups, self.runner(context), self._placer(workspace), progress=progress)

    def save(self, workspace: Workspace, path: Path, context: JobContext) -> None:
        """Write the model of *workspace* to *path* with its recipe beside it.

        Raises:
            SaveError: it cannot be written; an existing file is as it was.
        """
        context.check()
        if workspace.steps:
            save_with_recipe(workspace.model, workspace.steps, path, overwrite=True)
        else:
            save_model(workspace.model, path, overwrite=True)

    def _opened(self, model: Model, choice: Choice, context: JobContext) -> Opened:
        context.check()
        context.progress(0.4, translate("Service", "Placing"))
        target = self.target(choice)
        with ExitStack() as unopened:
            if self._keep(model):
                unopened.callback(self.forget, model)
            placement = self.place(model, target)
            context.check()
            opened = Opened(Workspace(model, model, target, placement), self.draw(model, context))
            unopened.pop_all()
        return opened

    def _keep(self, model: Model) -> bool:
        """Keep from now on what placements of *model* find out; False when that is so already.

        Versions of a model share their weights, and with them what is kept; of too many models the oldest gives way.
        Only opening begins it: a job that was cancelled may still ask for a placement of a model that was forgotten.
        """
        key = id(model.tensors)
        with self._placing:
            if key in self._caches:
                return False
            while len(self._caches) >= _CACHES:
                del self._caches[next(iter(self._caches))]
            self._caches[key] = (model.tensors, PlacementCache())
        return True

    def _placer(self, workspace: Workspace) -> Callable[[Model], Placement]:
        return lambda model: self.place(model, workspace.target)

    def _witness(self, workspace: Workspace, context: JobContext) -> Witness:
        origin = workspace.model.origin
        return Witness(self.runner(context), origin.name if origin is not None else "?")

    def runner(self, context: JobContext) -> Runner:
        """Where native code runs for the job of *context*; cancelling that stops it."""
        job = self.client.job()
        context.on_cancel(job.cancel)
        return job


def _proven(workspace: Workspace) -> bool:
    """Whether the fragment stage of every accepted step passed."""
    return bool(workspace.steps) and all(
        any(v.stage is StageName.FRAGMENT and v.status is Status.PASSED for v in step.verifications)
        for step in workspace.steps
    )


def _options(direction: Direction) -> LayoutOptions:
    """Distances of a graph: where it flows right, the labels of edges stand between the columns."""
    if direction is Direction.RIGHT:
        return LayoutOptions(direction=direction, rank_gap=Measure.COLUMN_GAP)
    return LayoutOptions(direction=direction)


def _lay_out(scene: Scene, before: Picture | None, options: LayoutOptions, context: JobContext) -> GraphLayout:
    def progress(share: float) -> None:
        context.progress(0.5 + share / 2)

    graph = scene.layout_graph()
    if before is None or before.scene.graph != scene.graph:
        return lay_out(graph, options=options, cancelled=context.cancelled, progress=progress)
    kept = kept_boxes(before.scene, scene)
    return relayout(graph, before.layout, kept, options=options, cancelled=context.cancelled, progress=progress)


def _incomplete(model: Model, node: Node) -> bool:
    return any(value.name and static(value.shape) is None for value in model.output_values(node))


def _all_sites(model: Model, rule: Rule, variant: str, context: JobContext) -> tuple[Site, ...]:
    made: list[Site] = []
    for answer in apply_all(model, rule, variant):
        context.check()
        anchor = answer.match.anchor if isinstance(answer, Preview) else answer.anchor
        node = model.find_node(anchor)
        name = node.label if node is not None else f"#{anchor}"
        made.append(Site(name, preview=answer) if isinstance(answer, Preview) else Site(name, refusal=answer))
    return tuple(made)


def _steps(context: JobContext, start: float, stop: float) -> Callable[[int, int], None]:
    """A progress callback of the core that moves the job from *start* to *stop* and leaves when cancelled."""

    def report(done: int, total: int) -> None:
        context.check()
        context.progress(start + (stop - start) * done / max(total, 1))

    return report
