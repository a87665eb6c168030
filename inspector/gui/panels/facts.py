"""A column of facts, name and figure, as the pages of the inspector show them."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QGridLayout

from inspector.gui.theme import Space
from inspector.gui.widgets import label


def facts_grid(facts: Sequence[tuple[str, str]]) -> QGridLayout:
    """*facts* below each other: what it is, then its figure."""
    grid = QGridLayout()
    grid.setVerticalSpacing(Space.XS)
    grid.setHorizontalSpacing(Space.M)
    grid.setColumnStretch(1, 1)
    for line, (name, value) in enumerate(facts):
        grid.addWidget(label(name, tone="second"), line, 0)
        grid.addWidget(label(value, mono=True, wrap=True, selectable=True), line, 1)
    return grid


def sum_text(values: Sequence[int | None], say: Callable[[int | None], str]) -> str:
    """The sum of what is known of *values* in the words of *say*, and of how many nodes nothing is known."""
    known = [value for value in values if value is not None]
    missing = len(values) - len(known)
    if not known and values:
        return say(None)
    if not missing:
        return say(sum(known))
    text = QCoreApplication.translate("Facts", "{figure}, %n node(s) not counted", "", missing)
    return text.format(figure=say(sum(known)))
