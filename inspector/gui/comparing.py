"""`Comparing`: the comparison with another target, from the dialog to the tab, kept true to the document."""

from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from inspector.errors import InspectorError
from inspector.gui.controller import Controller
from inspector.gui.dialogs.compare import CompareDialog
from inspector.gui.document import Document
from inspector.gui.i18n import language
from inspector.gui.jobs import Jobs
from inspector.gui.panels.compare import ComparePanel
from inspector.gui.service import Choice, Service
from inspector.gui.workbench import Workbench
from inspector.placement.compare import Comparison
from inspector.placement.verdict import Verdict


class Comparing(QObject):
    """Opens, renews and closes the Compare tab; it is there only while a comparison is open.

    Attributes:
        panel: the tab's page.
        comparison: what the page shows; None while none is open or it is under way.
    """

    def __init__(
        self,
        service: Service,
        jobs: Jobs,
        document: Document,
        bench: Workbench,
        controller: Controller,
        window: QWidget,
    ) -> None:
        """Compare what *document* shows with what the user chooses in a dialog over *window*."""
        super().__init__(controller)
        self._service, self._jobs, self._document, self._bench, self._window = service, jobs, document, bench, window
        self._with: Choice | None = None
        self.comparison: Comparison | None = None
        self._filter: frozenset[Verdict] = frozenset()
        self.panel = ComparePanel(bench)
        self.panel.hide()
        self.panel.node_picked.connect(controller.go_to)
        self.panel.menu_asked.connect(controller.menu.show)
        self.panel.target_asked.connect(self.ask)
        self.panel.dim_changed.connect(lambda: self._dim())
        self.panel.closed.connect(self.close)
        controller.navigator.ended.connect(self._dim)
        document.picture_changed.connect(self._renew)
        document.placement_changed.connect(self._renew)
        document.selection_changed.connect(lambda: self.panel.show_selected(document.selected))
        bench.target_bar.filter_changed.connect(self._filtered)

    def ask(self) -> None:
        """Let the user choose the other target."""
        if self._document.workspace is None:
            return
        dialog = CompareDialog(self._service.catalog, self._with or self._suggested(), self._window)
        dialog.accepted.connect(lambda: self.compare(dialog.choice))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def compare(self, choice: Choice) -> None:
        """Open the tab with a comparison of the present target with *choice*."""
        self._with = choice
        bottom = self._bench.bottom
        if bottom.indexOf(self.panel) < 0:
            bottom.insertTab(bottom.indexOf(self._bench.diff) + 1, self.panel, self.tr("Compare"))
        self._bench.open(self.panel)
        self._renew()

    def close(self) -> None:
        """Take the tab away."""
        self._jobs.cancel("compare")
        self._with = self.comparison = None
        index = self._bench.bottom.indexOf(self.panel)
        if index >= 0:
            self._bench.bottom.removeTab(index)
        self.panel.hide()
        self.panel.show_waiting()
        self._dim()

    def retranslate(self) -> None:
        """Show all texts in the current language."""
        self.panel.retranslate()
        self.panel.show_selected(self._document.selected)
        index = self._bench.bottom.indexOf(self.panel)
        if index >= 0:
            self._bench.bottom.setTabText(index, self.tr("Compare"))
        self._dim()

    def _suggested(self) -> Choice:
        """The platform after the present one, so that there is a difference to see."""
        ids = [platform.id for platform in self._service.catalog.platforms]
        place = ids.index(self._document.choice.platform) + 1
        return Choice(ids[place % len(ids)])

    def _renew(self) -> None:
        """Compare again what the document shows now; answers about what it showed before are dropped."""
        workspace, other = self._document.workspace, self._with
        if other is None or workspace is None:
            return
        choice = replace(other, overrides=self._document.choice.overrides)
        self.comparison = None
        self.panel.show_waiting()

        def done(comparison: Comparison) -> None:
            if self._document.workspace is not workspace:
                return
            self.comparison = comparison
            self.panel.show_comparison(workspace.model, comparison)
            self.panel.show_selected(self._document.selected)
            self._dim()

        def failed(error: InspectorError) -> None:
            self.panel.show_failure(error.text(language()))

        self._jobs.run(
            self.tr("Comparing"),
            "compare",
            lambda _context: self._service.compare(workspace, choice),
            done,
            failed=failed,
            ended=self._ended,
        )

    def _ended(self) -> None:
        """Nothing compares any more: say so if there is no answer."""
        if self.panel.is_waiting and self._with is not None and not self._jobs.is_awaited("compare"):
            self.panel.show_failure(self.tr("It was cancelled."))

    def _filtered(self, verdicts: frozenset[Verdict]) -> None:
        self._filter = verdicts
        self._dim()

    def _dim(self) -> None:
        """Draw nodes with the same verdict on both sides faint if that is wanted; a filter by verdict comes first."""
        graph, comparison = self._bench.graph, self.comparison
        if comparison is None or self._filter or not self.panel.dim.isChecked():
            graph.show_only(self._filter)
            return
        changed = {change.node for change in comparison.changes}
        graph.set_dimmed(lambda node: node not in changed)
