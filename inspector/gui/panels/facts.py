"""A column of facts, name and figure, as the pages of the inspector show them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QGridLayout

from inspector.gui.theme import Space
from inspector.gui.widgets import label


@dataclass(frozen=True, slots=True)
class Fact:
    """One line: what it is, its figure, and the tone of that (see `look`)."""

    name: str
    value: str
    tone: str = "plain"


def facts_grid(facts: Sequence[Fact]) -> QGridLayout:
    """*facts* below each other."""
    grid = QGridLayout()
    grid.setVerticalSpacing(Space.XS)
    grid.setHorizontalSpacing(Space.M)
    grid.setColumnStretch(1, 1)
    for line, fact in enumerate(facts):
        grid.addWidget(label(fact.name, tone="second"), line, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(label(fact.value, tone=fact.tone, mono=True, wrap=True, selectable=True), line, 1)
    return grid


class SumTexts(QObject):
    """Says sums of figures that are not known for every node."""

    def of(self, values: Sequence[int | None], told: Callable[[int | None], str]) -> str:
        """The sum of what is known of *values* in the words of *told*, and of how many nodes nothing is known."""
        known = [value for value in values if value is not None]
        missing = len(values) - len(known)
        if not known and values:
            return told(None)
        if not missing:
            return told(sum(known))
        return self.tr("{figure}, %n node(s) not counted", "", missing).format(figure=told(sum(known)))
