"""`Controller`: brings the document to the panels and the panels' intents to the document."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from inspector.gui.banner_texts import BannerTexts
from inspector.gui.document import Document
from inspector.gui.jobs import JobContext
from inspector.gui.models.blockers import Blocker, top_blockers
from inspector.gui.models.problems import ProblemGroup, group_problems, ordered_problems, worst_verdict
from inspector.gui.navigation import Navigator
from inspector.gui.node_menu import NodeMenu
from inspector.gui.offers import BestOffer, Offers
from inspector.gui.palette_entries import NodeTitles
from inspector.gui.panels.diff import DiffView
from inspector.gui.places import Places
from inspector.gui.proposal import Proof, Proposal
from inspector.gui.workbench import Workbench
from inspector.model.graph import Model, NodeId
from inspector.placement.query import NodeIndex
from inspector.placement.verdict import Placement, Verdict


class Controller(QObject):
    """Keeps the workbench true to the document.

    Attributes:
        menu: the context menus of nodes, rows, edges and the ground.
        navigator: history of the selection, bookmarks, tracing.
        titles: the nodes of the open model, prepared for search; None until they are.

    Signals:
        sizes_asked: the user wants to bind dynamic dimensions.
        state_changed: something that decides which actions are on has changed.
    """

    sizes_asked = Signal()
    state_changed = Signal()

    def __init__(self, document: Document, bench: Workbench, parent: QObject | None = None) -> None:
        """Connect *document* and *bench*."""
        super().__init__(parent)
        self._document = document
        self._bench = bench
        self._banners = BannerTexts(self)
        self.places = Places(document, bench, self)
        self.navigator = Navigator(document, bench.graph, self)
        self.menu = NodeMenu(document, bench, self.navigator, self)
        self.titles: NodeTitles | None = None
        self._groups: tuple[ProblemGroup, ...] = ()
        self._ordered: tuple[NodeId, ...] = ()
        self._offers = Offers(document)
        self._filter: frozenset[Verdict] = frozenset()
        self._pane_node: tuple[NodeId, bool] | None = None
        self._connect_document()
        self._connect_bench()

    def _connect_document(self) -> None:
        document = self._document
        document.opened.connect(self._opened)
        # The outline's own objects outlive the tab for a while; they must not keep its model.
        document.closed.connect(lambda: self._bench.outline.model.show(None, ""))
        document.picture_changed.connect(self._picture)
        document.placement_changed.connect(self._recoloured)
        document.selection_changed.connect(self._selection)
        document.found_changed.connect(self._found)
        document.fixes_changed.connect(self._fixes)
        document.proposal_changed.connect(self._proposal)
        document.verification_changed.connect(self._verification)
        document.undo_stack.indexChanged.connect(lambda: self._history())
        document.undo_stack.cleanChanged.connect(lambda: self._history())

    def _connect_bench(self) -> None:
        bench, document = self._bench, self._document
        bench.target_bar.choice_changed.connect(document.retarget)
        bench.target_bar.filter_changed.connect(self._set_filter)
        for panel in (bench.problems, bench.outline, bench.nodes, bench.search):
            panel.node_picked.connect(self.go_to)
        for panel in (bench.problems, bench.outline, bench.nodes):
            panel.node_activated.connect(self.go_to)
        bench.problems.menu_asked.connect(self.menu.show)
        bench.nodes.menu_asked.connect(self.menu.show_row)
        bench.search.hits_changed.connect(bench.graph.set_search_hits)
        bench.graph.nodePicked.connect(document.select)
        bench.graph.contextMenuAsked.connect(self.menu.show)
        bench.graph.edgeMenuAsked.connect(self.menu.show_edge)
        bench.graph.nodeActivated.connect(bench.graph.centre_on)
        self.navigator.go_asked.connect(self.go_to)
        self.navigator.changed.connect(self.state_changed)
        self.navigator.ended.connect(lambda: bench.graph.show_only(self._filter))
        self.places.several_changed.connect(lambda: document.in_turns("several", self._selection))
        for page in (bench.explain, bench.fixes, bench.summary, bench.several):
            page.preview_asked.connect(self._propose)
        for panel_ in (bench.explain, bench.node, bench.summary):
            panel_.node_picked.connect(self.go_to)
        bench.summary.clear_asked.connect(self.menu.overriding.clear)
        bench.summary.copy_asked.connect(self.menu.overriding.copy)
        bench.identity.copied.connect(lambda text: QApplication.clipboard().setText(text))
        preview = bench.preview
        preview.variant_asked.connect(self._variant)
        preview.reject_asked.connect(document.reject)
        preview.site_changed.connect(lambda: self._rewrite())
        preview.node_picked.connect(self._pane_picked)
        bench.rewrite.site_picked.connect(preview.show_site)
        bench.diff.retry_asked.connect(document.verify)
        bench.diff.cancel_asked.connect(document.cancel_proof)
        bench.history.undo_asked.connect(document.undo)
        bench.history.redo_asked.connect(document.redo)

    # Intents

    def go_to(self, node: NodeId) -> None:
        """Select *node* and bring it into view."""
        if self._document.proposal is not None:
            self._bench.preview.before.select(node)
            self._bench.preview.before.centre_on(node)
            self._pane_picked(node, False)
            return
        workspace = self._document.workspace
        if workspace is None or workspace.model.find_node(node) is None:
            return  # a list that still shows the model of a moment ago
        self._document.select(node)
        self._bench.graph.centre_on(node)

    def go_to_problem(self, step: int) -> None:
        """Select the next problem, or with *step* -1 the previous one; wraps round."""
        nodes = self._ordered
        if nodes:
            current = self._document.selected
            if self._document.proposal is not None and self._pane_node is not None:
                current = self._pane_node[0]
            place = nodes.index(current) + step if current in nodes else 0 if step > 0 else -1
            self.go_to(nodes[place % len(nodes)])

    def preview_best(self, *, every_site: bool = False) -> None:
        """Preview the best fix of the selected node, or of the worst problem that has one."""
        offer = self.best_offer()
        if offer is not None:
            node, rule, variant = offer
            self._document.propose(rule, node, variant=variant, every_site=every_site)

    def best_offer(self) -> BestOffer | None:
        """Node, rule and variant that `preview_best` would take; None when no fix applies."""
        return self._offers.best(self._ordered)

    def _propose(self, rule: str, node: NodeId, variant: str, every_site: bool) -> None:
        self._document.propose(rule, node, variant=variant, every_site=every_site)

    def _variant(self, variant: str) -> None:
        proposal = self._document.proposal
        if proposal is not None:
            self._propose(proposal.rule.id, proposal.anchor, variant, proposal.every_site)

    def _set_filter(self, verdicts: frozenset[Verdict]) -> None:
        self._filter = verdicts
        self.navigator.end()
        self._bench.graph.show_only(verdicts)
        self._bench.nodes.set_verdicts(verdicts)
        self._problems()

    # Document to panels

    def restyle(self) -> None:
        """Show in the colours of another theme what does not follow by itself."""
        workspace = self._document.workspace
        if workspace is None:
            self._bench.summary.show_colours()
            return
        self._inspect()
        if self._document.proposal is not None:
            self._proposal()
        self._history()

    def refresh(self) -> None:
        """Show everything anew, after a change of language."""
        if self._document.workspace is None:
            self._bench.summary.show_colours()
            return
        for show in (self._colour, self._list, self._tell, self._selection):
            show()
        if self._document.proposal is not None:
            self._proposal()
        self._history()

    def _opened(self) -> None:
        self._bench.banners.reset()
        self._bench.target_bar.start_over()
        self._history()

    def _picture(self) -> None:
        bench, picture, workspace = self._bench, self._document.picture, self._document.workspace
        if picture is None or workspace is None:
            return
        same_file = bench.graph.scene is not None and bool(workspace.groups or self._document.undo_stack.canRedo())
        bench.graph.set_scene(picture.scene, picture.layout, placement=workspace.placement, keep_camera=same_file)
        if self._document.selected is not None:
            bench.graph.reveal(self._document.selected, animated=False)
        self._recoloured()

    def _make_titles(self, model: Model) -> None:
        """Prepare the nodes of *model* for search, off the GUI thread."""

        def done(titles: NodeTitles) -> None:
            workspace = self._document.workspace
            if workspace is not None and workspace.model is model:
                self.titles = titles
                self._bench.search.set_index(titles.index, workspace.placement)
                self.places.set_index(titles.index)

        self._document.beside("titles", lambda _context: NodeTitles(NodeIndex(model)), done)

    def _recoloured(self) -> None:
        """Show other verdicts: the canvas now, and the rest bit by bit."""
        self._colour()
        self._document.in_turns("views", self._list, self._tell, self._selection)

    def _colour(self) -> None:
        bench, workspace = self._bench, self._document.workspace
        if workspace is not None:
            bench.graph.set_placement(workspace.placement, self._offers.counts())
            bench.graph.show_only(self._filter)
            self.navigator.renew()
            bench.target_bar.show_placement(workspace.placement)

    def _list(self) -> None:
        """Fill the lists, unless the picture of the model is still to come: they are filled with it."""
        bench, workspace, picture = self._bench, self._document.workspace, self._document.picture
        if workspace is not None and picture is not None and picture.model is workspace.model:
            if bench.nodes.model.nodes is workspace.model.nodes:
                bench.nodes.recolour(workspace.placement)
            else:
                bench.nodes.show_model(workspace.model, workspace.placement, picture.costs)
                self._make_titles(workspace.model)
            bench.set_count(bench.nodes, len(workspace.model.nodes))
            bench.search.set_index(self.titles.index if self.titles is not None else None, workspace.placement)
            self.places.renew()
            bench.problems.show_fixes(self._offers.counts())
            self._problems()

    def _tell(self) -> None:
        bench, workspace, picture = self._bench, self._document.workspace, self._document.picture
        if workspace is not None:
            unknown = picture.incomplete if picture is not None else ()
            told = self._banners.of(workspace, unknown, self.sizes_asked.emit, self._document.run_once)
            bench.banners.show_banners(told)

    def _problems(self) -> None:
        """List the problems anew; long models are grouped off the GUI thread."""
        workspace, wanted = self._document.workspace, self._filter
        if workspace is None:
            return
        model, placement = workspace.model, workspace.placement

        def work(_context: JobContext) -> tuple[tuple[ProblemGroup, ...], tuple[Blocker, ...]]:
            return group_problems(model, placement, wanted), top_blockers(model, placement, wanted)

        def done(found: tuple[tuple[ProblemGroup, ...], tuple[Blocker, ...]]) -> None:
            if self._document.workspace is workspace and self._filter == wanted:
                self._show_problems(found[0], placement)
                self._bench.problems.blockers.show_blockers(found[1])

        self._document.beside("problems", work, done)

    def _show_problems(self, groups: tuple[ProblemGroup, ...], placement: Placement) -> None:
        bench = self._bench
        self._groups, self._ordered = groups, ordered_problems(groups)
        nothing = self.tr("Every node of this model is placed on the BPU. {n} verdicts rest on inference.")
        if self._filter or any(placement.counts[v] for v in (Verdict.CPU, Verdict.UNSUPPORTED, Verdict.UNKNOWN)):
            nothing = self.tr("No problem among the verdicts chosen.")
        bench.problems.show_groups(groups, placement, nothing.format(n=sum(placement.inferred.values())))
        count = len(self._ordered)
        bench.set_count(bench.problems, count)
        bench.rail.show_problems(count, worst_verdict(self._groups))
        self.state_changed.emit()

    def _selection(self) -> None:
        bench, workspace, node_id = self._bench, self._document.workspace, self._document.selected
        if workspace is None:
            return
        bench.graph.select(node_id)
        bench.problems.show_selected(node_id)
        if not self.places.several:
            bench.nodes.show_selected(node_id)
        self._inspect()
        self.state_changed.emit()

    def _inspect(self) -> None:
        """Show in the inspector the node that is selected, in the canvas or in a pane of the preview."""
        bench, workspace, proposal = self._bench, self._document.workspace, self._document.proposal
        if workspace is None or self._document.is_in_turn("views"):
            return  # in the latter case it is shown when everything else is
        model, placement, node_id = workspace.model, workspace.placement, self._document.selected
        if proposal is not None and self._pane_node is not None:
            node_id, after = self._pane_node
            model, placement = (proposal.after, proposal.placement_after) if after else (model, placement)
        node = model.find_node(node_id) if node_id is not None else None
        if node is None:
            self._inspect_nothing(model, placement, proposal)
            return
        verdict = placement.verdicts[node.id]
        bench.inspector_pages.setCurrentWidget(bench.inspector_tabs)
        bench.identity.show_node(node, verdict)
        remedies = self._document.remedies(model, placement, node.id)
        bench.explain.show_node(model, placement, node, self._document.found, fixes=proposal is None, remedies=remedies)
        bench.node.show_node(model, node, verdict, placement.target)
        bench.fixes.show_node(node, verdict, self._document.found)
        found = self._document.found
        bench.set_count(bench.fixes, len(found.fixes) if found is not None else 0)

    def _inspect_nothing(self, model: Model, placement: Placement, proposal: Proposal | None) -> None:
        bench = self._bench
        if proposal is not None:
            bench.identity.show_text(self.tr("Rewrite"))
            bench.inspector_pages.setCurrentWidget(bench.inspector_tabs)
            bench.inspector_tabs.setCurrentWidget(bench.rewrite)
            return
        picture, several = self._document.picture, self.places.several
        costs = picture.costs if picture is not None else {}
        if several:
            bench.identity.show_text(self.tr("%n nodes selected", "", len(several)), self.places.scope)
            bench.several.show_nodes(several, placement, costs, self._document.fixes)
            bench.inspector_pages.setCurrentWidget(bench.several)
            return
        origin = model.origin.name if model.origin is not None else self.tr("model")
        bench.identity.show_text(origin, self.tr("Select a node to see where it runs and why."))
        bench.summary.show_model(model, placement, self._document.fixes, costs, self._document.choice.overrides)
        bench.inspector_pages.setCurrentWidget(bench.summary)

    def _found(self) -> None:
        self._inspect()
        self.state_changed.emit()

    def _fixes(self) -> None:
        counts = self._offers.counts()
        had = bool(self._bench.problems.fixes)
        self._bench.graph.set_fixes(counts)
        self._bench.problems.show_fixes(counts)
        if self._document.selected is None and (counts or had):
            self._inspect()
        self.state_changed.emit()

    def _proposal(self) -> None:
        bench, proposal, picture = self._bench, self._document.proposal, self._document.picture
        fresh = proposal is not None and bench.pages.currentWidget() is not bench.preview
        bench.show_preview(proposal is not None)
        if proposal is None or picture is None:
            self._pane_node = None
            bench.preview.leave()
            self._selection()
            self._verification()
            return
        if fresh:
            self._pane_node = (proposal.anchor, False)
        bench.preview.show_proposal(proposal, picture)
        self._rewrite()
        if fresh:
            self._inspect()
        running = proposal.proof is Proof.RUNNING
        cancelled = proposal.proof is Proof.NO_RESULT and proposal.failure is None
        bench.diff.show_view(DiffView(proposal.verifications, running, proposal.failure, cancelled))
        self.state_changed.emit()

    def _rewrite(self) -> None:
        if self._document.proposal is not None:
            self._bench.rewrite.show_proposal(self._document.proposal, self._bench.preview.site)

    def _pane_picked(self, node: NodeId | None, after: bool) -> None:
        self._pane_node = None if node is None else (node, after)
        if node is not None and self._bench.inspector_tabs.currentWidget() is self._bench.rewrite:
            self._bench.inspector_tabs.setCurrentWidget(self._bench.explain)
        self._inspect()

    def _verification(self) -> None:
        if self._document.proposal is not None:
            return
        result = self._document.verification
        error = self._document.verification_error
        self._bench.diff.show_view(DiffView((result,) if result is not None else (), failure=error))

    def _history(self) -> None:
        stack = self._document.undo_stack
        workspace = self._document.workspace
        self._bench.history.show_workspace(workspace, can_redo=stack.canRedo(), unsaved=self._document.unsaved)
        self._bench.set_count(self._bench.history, len(workspace.groups) if workspace is not None else 0)
        self.state_changed.emit()
