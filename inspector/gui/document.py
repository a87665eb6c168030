"""`Document`: one open model with its target, verdicts, selection, preview and undo history.

Holds a `Workspace` and turns intents of the views into jobs. Every answer of a job is a new immutable value; the views
read it from here after the signal. A result that belongs to an older workspace or proposal is dropped by its job key.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from inspector.errors import InspectorError
from inspector.gui.commands import AcceptStep
from inspector.gui.finder import Finder
from inspector.gui.i18n import language
from inspector.gui.jobs import JobContext, Jobs
from inspector.gui.overrides import Overrides
from inspector.gui.picture import Picture
from inspector.gui.proposal import Proof, Proposal
from inspector.gui.service import Choice, Opened, Service
from inspector.gui.words import say_text
from inspector.model.graph import Model, NodeId
from inspector.placement.remedies import Remedies
from inspector.placement.target import Qtype
from inspector.placement.verdict import Placement
from inspector.rewrite.find import Found
from inspector.rewrite.registry import rule as rule_of
from inspector.text import preload
from inspector.verify.result import Verification
from inspector.workspace import Workspace

_T = TypeVar("_T")

Build = Callable[[Workspace, JobContext, Picture | None], Proposal]
"""Makes a preview of a workspace, drawn like the picture of its model; runs in a job."""

_OF_ONE_MODEL = ("propose", "prove", "verify", "replay", "place", "draw", "find", "fixes", "views")
"""Keys of jobs whose answer is about the model that was open when they started."""

_log = logging.getLogger("inspector.gui")


class Document(QObject):
    """The state behind one tab of the window.

    Attributes:
        in_turns: lets a view do steps one by one (`Jobs.in_turns`); `is_in_turn` tells whether they wait.
        saved_as: file that the model was last saved to; None since it was opened.

    Signals:
        opened: another file is shown; selection and history are empty.
        picture_changed: another model is shown, so scene and layout are new.
        placement_changed: the same model has other verdicts; layout and camera stay.
        selection_changed: `selected` is another node or None.
        found_changed: `found` holds what can be done about the selected node.
        fixes_changed: `fixes` holds the fixes of the whole model.
        proposal_changed: a preview was opened, moved on or closed.
        verification_changed: `verification` holds the comparison with the original model.
        saved: the model was written to this path.
        failed: an `InspectorError` to show.
        closed: the model was forgotten.
    """

    opened = Signal()
    picture_changed = Signal()
    placement_changed = Signal()
    selection_changed = Signal()
    found_changed = Signal()
    fixes_changed = Signal()
    proposal_changed = Signal()
    verification_changed = Signal()
    saved = Signal(object)
    failed = Signal(object)
    closed = Signal()

    def __init__(self, service: Service, jobs: Jobs, parent: QObject | None = None) -> None:
        """Make an empty document."""
        super().__init__(parent)
        self._service = service
        self._jobs = jobs
        self.in_turns, self.is_in_turn = jobs.in_turns, jobs.is_in_turn
        self.undo_stack = QUndoStack(self)
        self.choice = Choice("j6p")
        self.workspace: Workspace | None = None
        self.picture: Picture | None = None
        self.proposal: Proposal | None = None
        self.selected: NodeId | None = None
        self._finder = Finder(service, jobs, self.failed.emit, self)
        self._finder.found_changed.connect(self.found_changed)
        self._finder.fixes_changed.connect(self.fixes_changed)
        self.verification: Verification | None = None
        self.verification_error: InspectorError | None = None
        self.saved_as: Path | None = None
        self._pictures: dict[int, Picture] = {}

    @property
    def found(self) -> Found | None:
        """What can be done about the selected node; None while that is looked up, or without a selection."""
        return self._finder.found

    @property
    def fixes(self) -> Mapping[NodeId, Found]:
        """What can be done about every node that has a problem, as far as it is looked up."""
        return self._finder.fixes

    @property
    def formats(self) -> tuple[Qtype, ...]:
        """Number formats that the march of the target computes in, its default first; none without a model."""
        return () if self.workspace is None else self._service.formats(self.workspace.target)

    def remedies(self, model: Model, placement: Placement, node: NodeId) -> Remedies:
        """What would satisfy the failed checks of *node*, by clause."""
        return self._service.remedies(model, placement, node)

    # Opening and target

    def open(self, path: Path, dims: Mapping[str, int] | None = None) -> None:
        """Open the model file *path*; *dims* binds dynamic dimensions. The present model stays until it succeeds.

        What is asked of single nodes is asked of those of one file, so it is dropped unless only *dims* are new.
        """
        choice = self.choice if dims is not None else replace(self.choice, overrides=Overrides())

        def work(context: JobContext) -> Opened:
            return self._service.open(path, choice, dims or {}, context)

        title = self.tr("Opening {name}").format(name=path.name)
        self._jobs.run(title, "open", work, lambda opened: self._take(opened, choice), failed=self.failed.emit)
        self.beside("texts", lambda _context: preload(language()), lambda _nothing: None)

    def close(self) -> None:
        """Forget the model."""
        self._jobs.cancel()
        self._leave_model()
        self.choice = replace(self.choice, overrides=Overrides())
        self.closed.emit()

    def bind(self, dims: Mapping[str, int]) -> None:
        """Bind dynamic dimensions of the open model; accepted rewrites stay only if there are none."""
        if self.workspace is not None and self.workspace.model.origin is not None:
            self.open(self.workspace.model.origin, dims)

    def run_once(self) -> None:
        """Run the model once in the worker to read off the shapes that inference does not find."""
        workspace, choice = self.workspace, self.choice
        if workspace is None or workspace.groups:
            return
        self._jobs.run(
            self.tr("Running the model once"),
            "open",
            lambda context: self._service.run_once(workspace.model, choice, context),
            lambda opened: self._take(opened, choice),
            failed=self.failed.emit,
        )

    def retarget(self, choice: Choice) -> None:
        """Place the model, and the preview if one is open, on another target; what is asked of single nodes stays."""
        self.override(self.choice.overrides, choice)

    def override(self, overrides: Overrides, choice: Choice | None = None) -> None:
        """Place again with *overrides* in place of all that was asked of single nodes, and on *choice* if given."""
        self.choice = choice = replace(choice or self.choice, overrides=overrides)
        workspace, proposal = self.workspace, self.proposal
        if workspace is None:
            return

        def work(_context: JobContext) -> tuple[Workspace, Proposal | None]:
            return self._service.retarget(workspace, proposal, choice)

        self._jobs.run(self.tr("Placing"), "place", work, self._retargeted, failed=self.failed.emit)

    # Selection and what can be done about it

    def select(self, node: NodeId | None) -> None:
        """Select *node*, or nothing; asks for its fixes and refusals."""
        if node == self.selected:
            return
        self.selected = node
        self._find_selected()
        self.selection_changed.emit()

    # Preview

    def propose(self, rule: str, anchor: NodeId, *, variant: str | None = None, every_site: bool = False) -> None:
        """Preview *rule* at *anchor*, or at every node it matches; then prove it."""
        asked, propose = (rule, anchor, variant, every_site), self._service.propose
        self.propose_with(lambda workspace, *drawn: propose(workspace, *asked, *drawn))

    def propose_with(self, build: Build) -> None:
        """Preview what *build* makes; then prove it."""
        workspace = self.workspace
        if workspace is None:
            return
        self._jobs.cancel("prove")
        before = self._pictures.get(id(workspace.model))
        self._jobs.run(
            self.tr("Building the preview"),
            "propose",
            lambda context: build(workspace, context, before),
            lambda proposal: self._proposed(proposal, build),
            failed=self.failed.emit,
            ended=self._prove_ended,
        )

    def prove(self) -> None:
        """Run the proof of the open preview (again)."""
        proposal = self.proposal
        if proposal is None:
            return
        self._jobs.run(
            self.tr("Verifying"),
            "prove",
            lambda context: self._service.prove(proposal, context),
            self._proved,
            partial=self._proved,
            failed=self._no_result,
            ended=self._prove_ended,
        )

    def cancel_proof(self) -> None:
        """Stop the running comparison; a preview stays open without a result."""
        self._jobs.stop("prove")
        self._jobs.stop("verify")

    def reject(self) -> None:
        """Close the preview without a change."""
        for key in ("propose", "prove"):
            self._jobs.cancel(key)
        self._set_proposal(None)

    def accept(self) -> bool:
        """Take the proposal as one undo step; False when its proof has not passed."""
        proposal, workspace = self.proposal, self.workspace
        if proposal is None or workspace is None or proposal.proof is not Proof.PASSED:
            return False
        title = say_text(proposal.rule.title)
        self._pictures[id(proposal.after)] = proposal.picture
        self._set_proposal(None)
        self.undo_stack.push(AcceptStep(title, workspace, proposal.accepted, self._show))
        _log.info("accepted %s at %d sites", proposal.rule.id, len(proposal.previews))
        return True

    def take(self, workspaces: Sequence[Workspace]) -> None:
        """Take *workspaces*, each one undo step further than the one before, unless the model is another one by now."""
        self._set_proposal(None)
        for after in workspaces:
            before, step = self.workspace, after.groups[-1][0]
            if before is None or before.model is not step.preview.before:
                return
            title = say_text(rule_of(step.preview.match.rule).title)
            self.undo_stack.push(AcceptStep(title, before, after, self._show))

    # The whole model

    def undo(self) -> None:
        """Take back the last accepted rewrite; not while a preview is open, which builds on it."""
        if self.proposal is None:
            self.undo_stack.undo()

    def redo(self) -> None:
        """Take the last undone rewrite again; not while a preview is open."""
        if self.proposal is None:
            self.undo_stack.redo()

    def verify(self) -> None:
        """Compare the model with the one that was opened; with a preview open, prove that instead."""
        workspace = self.workspace
        if self.proposal is not None:
            self.prove()
            return
        if workspace is None:
            return
        self.verification_error = None
        self._jobs.run(
            self.tr("Verifying"),
            "verify",
            lambda context: self._service.verify(workspace, context),
            self._verified,
            failed=self._verify_failed,
        )

    def save_as(self, path: Path, then: Callable[[], None] | None = None) -> None:
        """Write the model to *path*, at once or not at all; *then* is called if that leaves nothing unsaved."""
        workspace = self.workspace
        if workspace is None:
            return

        def done(_answer: object) -> None:
            if self.workspace is not None and self.workspace.model is workspace.model:
                self.undo_stack.setClean()
                self.saved_as = path
            self.saved.emit(path)
            if then is not None and not self.unsaved:
                then()

        self._jobs.run(
            self.tr("Saving {name}").format(name=path.name),
            "save",
            lambda context: self._service.save(workspace, path, context),
            done,
            failed=self.failed.emit,
        )

    @property
    def unsaved(self) -> bool:
        """Whether an accepted rewrite is in no file yet."""
        return not self.undo_stack.isClean()

    def beside(self, key: str, work: Callable[[JobContext], _T], done: Callable[[_T], None]) -> None:
        """Compute something for a view off the GUI thread; a newer call with *key* replaces one that still runs."""
        self._jobs.run(self.tr("Preparing a view"), key, work, done, failed=self.failed.emit, quiet=True)

    # Answers of jobs

    def _take(self, opened: Opened, choice: Choice) -> None:
        """Show *opened*, which was placed on *choice*; what still runs was asked about the model before it."""
        for key in _OF_ONE_MODEL:
            self._jobs.cancel(key)
        self._leave_model(opened.workspace.model)
        self.workspace, self.picture = opened.workspace, opened.picture
        self._pictures = {id(opened.picture.model): opened.picture}
        self.choice = replace(self.choice, overrides=choice.overrides)
        self.opened.emit()
        self.picture_changed.emit()
        self.selection_changed.emit()
        if choice == self.choice:
            self._find_fixes()
        else:
            self.retarget(self.choice)

    def _leave_model(self, taken: Model | None = None) -> None:
        """Forget what is shown, and all that was found out about it unless *taken* is a version of it."""
        self._set_proposal(None)
        self.undo_stack.clear()
        if self.workspace is not None and (taken is None or taken.tensors is not self.workspace.model.tensors):
            self._service.forget(self.workspace.model)
        self.workspace = self.picture = self.selected = self.saved_as = None
        self.verification = self.verification_error = None
        self._pictures = {}
        self._finder.forget()

    def _show(self, workspace: Workspace) -> None:
        """Show *workspace*, on the target chosen now; undo, redo and accept come here."""
        old = self.workspace
        self._jobs.cancel("verify")
        self.workspace = workspace
        self.verification = self.verification_error = None
        self.verification_changed.emit()
        if old is not None and old.target != workspace.target:
            self.retarget(self.choice)
        if self.selected is not None and workspace.model.find_node(self.selected) is None:
            self.selected = None
        self._draw(workspace.model)

    def redraw(self) -> None:
        """Lay the graph out from scratch, as after a change of the direction in which graphs flow."""
        self._pictures.clear()
        self.picture = None
        if self.proposal is not None:
            self.reject()
        if self.workspace is not None:
            self._draw(self.workspace.model)

    def _draw(self, model: Model) -> None:
        known = self._pictures.get(id(model))
        if known is not None:
            self._drawn(known)
            return
        before = self.picture
        self._jobs.run(
            self.tr("Laying out"),
            "draw",
            lambda context: self._service.draw(model, context, before),
            self._drawn,
            failed=self.failed.emit,
        )

    def _drawn(self, picture: Picture) -> None:
        if self.workspace is None or self.workspace.model is not picture.model:
            return
        self._pictures[id(picture.model)] = picture
        self.picture = picture
        self._finder.forget()
        self.picture_changed.emit()
        self.selection_changed.emit()
        self._find_fixes()
        self._find_selected()

    def _retargeted(self, answer: tuple[Workspace, Proposal | None]) -> None:
        """Take the new verdicts, unless the model or the preview is another one by now: then they are asked for again.

        The proof may have moved on meanwhile, so only the placement of the preview is taken over.
        """
        (workspace, moved), current, proposal = answer, self.workspace, self.proposal
        if current is None:
            return
        if current.model is not workspace.model or (proposal and (moved is None or moved.after is not proposal.after)):
            self.retarget(self.choice)
            return
        self.workspace = workspace
        self._finder.forget()
        if proposal is not None and moved is not None:
            self._set_proposal(replace(proposal, workspace=workspace, placement_after=moved.placement_after))
        self.placement_changed.emit()
        self._find_fixes()
        self._find_selected()

    def _find_fixes(self) -> None:
        if self.workspace is not None:
            self._finder.ask_all(self.workspace)

    def _find_selected(self) -> None:
        if self.workspace is not None:
            self._finder.ask(self.workspace, self.selected)

    def _proposed(self, proposal: Proposal, build: Build) -> None:
        if self.workspace is None or self.workspace.model is not proposal.workspace.model:
            return
        if self.workspace is not proposal.workspace:  # placed on another target meanwhile
            self.propose_with(build)
            return
        self._set_proposal(proposal)
        if proposal.previews:
            self.prove()

    def _set_proposal(self, proposal: Proposal | None) -> None:
        if proposal is not self.proposal:
            self.proposal = proposal
            self.proposal_changed.emit()

    def _proved(self, proved: Proposal) -> None:
        """Take the results of *proved* into the open proposal, which may stand on another target by now."""
        if self.proposal is not None:
            self._set_proposal(_with_proof(self.proposal, proved))

    def _no_result(self, error: InspectorError) -> None:
        if self.proposal is not None:
            self._set_proposal(replace(self.proposal, proof=Proof.NO_RESULT, failure=error))

    def _prove_ended(self) -> None:
        """Nothing proves the open preview any more: say so if it has no result."""
        waiting = self.proposal is not None and self.proposal.proof is Proof.RUNNING
        if self.proposal is not None and waiting and not self._jobs.is_awaited("prove"):
            self._set_proposal(replace(self.proposal, proof=Proof.NO_RESULT, failure=None))

    def _verified(self, verification: Verification) -> None:
        self.verification = verification
        self.verification_changed.emit()

    def _verify_failed(self, error: InspectorError) -> None:
        self.verification, self.verification_error = None, error
        self.verification_changed.emit()


def _with_proof(proposal: Proposal, proved: Proposal) -> Proposal:
    """*proposal* with the results of *proved*."""
    return replace(proposal, fragments=proved.fragments, whole=proved.whole, proof=proved.proof, failure=proved.failure)
