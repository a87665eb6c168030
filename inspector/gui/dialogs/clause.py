"""Clause dialog: one clause in words, with what it asks, who says so, and in which tables it stands."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.i18n import language
from inspector.gui.panels.standing import standing_chip
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Page, caption, frame, label, row, rule
from inspector.gui.words import say_text, verdict_name
from inspector.placement.catalog import ClauseHit
from inspector.placement.source_text import source_text
from inspector.report.specs import clause_yaml
from inspector.text import render


class ClauseDialog(QDialog):
    """Explains one clause id; where tables state it differently, each statement has a block.

    Signals:
        nodes_asked: the user wants to see the nodes that fail it.
    """

    nodes_asked = Signal()

    def __init__(self, hits: Sequence[ClauseHit], failing: int | None, parent: QWidget | None = None) -> None:
        """Explain *hits*, at least one; *failing* nodes of the open model fail the clause (None: no model)."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Clause"))
        self.resize(Size.PALETTE, Size.DIALOG)
        page = Page()
        page.setAccessibleName(self.tr("What the tables say"))
        column = page.column
        column.addWidget(label(hits[0].clause.id, Role.IDENTITY, mono=True, selectable=True))
        for block in _blocks(hits):
            column.addWidget(rule())
            self._block(page, block)
        page.close_page()
        buttons = QDialogButtonBox()
        if failing:
            show = buttons.addButton(
                self.tr("Show %n node(s) that fail it", "", failing), QDialogButtonBox.ButtonRole.ActionRole
            )
            show.clicked.connect(self.nodes_asked)
            show.clicked.connect(self.accept)
        close = buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        close.setDefault(True)
        buttons.rejected.connect(self.reject)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        outer.setSpacing(Space.M)
        outer.addWidget(page, 1)
        if failing == 0:
            outer.addWidget(label(self.tr("No node of the open model fails it."), tone="second"))
        outer.addWidget(buttons)

    def _block(self, page: Page, hits: Sequence[ClauseHit]) -> None:
        clause, column = hits[0].clause, page.column
        operator = hits[0].op or self.tr("whole model")
        page.column.addLayout(caption(operator, ", ".join(dict.fromkeys(hit.table for hit in hits))))
        column.addWidget(label(render(clause.text, language()), Role.BODY, wrap=True, selectable=True))
        ground, yaml = frame("tile")
        yaml.addWidget(label(clause_yaml(clause), Role.SMALL, mono=True, wrap=True, selectable=True))
        column.addWidget(ground)
        files = self.tr("In {files}").format(files=", ".join(dict.fromkeys(_file(hit.table) for hit in hits)))
        column.addWidget(label(files, Role.SMALL, tone="second", wrap=True, selectable=True))
        otherwise = self.tr("If it fails: {verdict}").format(verdict=verdict_name(clause.otherwise))
        column.addWidget(label(otherwise, Role.SMALL, tone="second"))
        source = label(say_text(source_text(clause.source)), Role.SMALL, wrap=True, selectable=True)
        line = row(standing_chip(clause.source.standing), source)
        line.setStretch(1, 1)
        column.addLayout(line)


def _blocks(hits: Sequence[ClauseHit]) -> list[list[ClauseHit]]:
    """Hits that say the same on the same ground, together."""
    groups: dict[tuple[str, str, str], list[ClauseHit]] = {}
    for hit in hits:
        key = (hit.op, render(hit.clause.text, language()), say_text(source_text(hit.clause.source)))
        groups.setdefault(key, []).append(hit)
    return list(groups.values())


def _file(table: str) -> str:
    """The file of a table, from the root of the project."""
    return f"constraints/{table}.yaml"
