"""History: the accepted rewrites of the document, newest last, with their proof."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from inspector.gui.fonts import Role
from inspector.gui.widgets import Page, button, chip, frame, label, row
from inspector.gui.words import figure, say_text, status_name
from inspector.rewrite.registry import rule as rule_of
from inspector.verify.result import Status
from inspector.workspace import Step, Workspace

_TONES = {Status.PASSED: "passed", Status.FAILED: "failed", Status.INCONCLUSIVE: "inconclusive"}


class HistoryPanel(Page):
    """Lists groups of accepted steps.

    Signals:
        undo_asked: the last rewrite should be undone.
        redo_asked: the next rewrite should be done again.
    """

    undo_asked = Signal()
    redo_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty panel."""
        super().__init__(parent)

    def show_workspace(self, workspace: Workspace | None, *, can_redo: bool, unsaved: bool) -> None:
        """List the accepted steps of *workspace*."""
        self.restart()
        groups = workspace.groups if workspace is not None else ()
        if not groups:
            self.sentence(self.tr("No rewrite was accepted yet. The file on disk stays as it is until you save."))
        for number, group in enumerate(groups, 1):
            self._group(number, group)
        if groups and unsaved:
            self.sentence(self.tr("Not saved. The file on disk stays as it is until you save."), "inconclusive")
        undo = button(self.tr("Undo last"), self.undo_asked.emit)
        redo = button(self.tr("Redo"), self.redo_asked.emit)
        self.column.addLayout(row(undo, redo, None))
        undo.setVisible(bool(groups))
        redo.setVisible(can_redo)
        self.close_page()

    def _group(self, number: int, group: tuple[Step, ...]) -> None:
        first = group[0]
        title = say_text(rule_of(first.preview.match.rule).title)
        card, column = frame("card")
        head = [label(f"{number}", Role.BODY, tone="third"), label(title, Role.BODY, weight=600)]
        sites = chip(self.tr("%n site(s)", "", len(group)))
        column.addLayout(row(*head, sites, None, *self._proof(group)))
        for step in group:
            anchor = step.preview.before.find_node(step.preview.match.anchor)
            name = anchor.label if anchor is not None else ""
            change = self.tr("%n node(s) replaced by {added}", "", len(step.preview.removed))
            change = change.format(added=len(step.preview.added))
            parts = label(name, Role.SMALL, mono=True), label(change, Role.SMALL, tone="second")
            column.addLayout(row(*parts, None))
        self.column.addWidget(card)

    def _proof(self, group: tuple[Step, ...]) -> tuple[QWidget, ...]:
        results = [verification for step in group for verification in step.verifications]
        if not results:
            return ()
        order = (Status.FAILED, Status.INCONCLUSIVE, Status.PASSED)
        worst = min(results, key=lambda verification: order.index(verification.status))
        largest = [diff.max_abs for result in results for diff in result.outputs if diff.max_abs is not None]
        text = self.tr("max abs {figure}").format(figure=figure(max(largest))) if largest else ""
        return (label(text, Role.SMALL, tone="second"), chip(status_name(worst.status), _TONES[worst.status]))
