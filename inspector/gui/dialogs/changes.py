"""Changes dialog: what unsaved work holds, and after a recovery what became of each part of it."""

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QVBoxLayout, QWidget

from inspector.errors import UsageError
from inspector.gui.fonts import Role
from inspector.gui.kept import Kept
from inspector.gui.resuming import Resumed
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, Page, button, chip, frame, label, row
from inspector.gui.words import say_text, status_name
from inspector.replay import Outcome, Redone
from inspector.rewrite.recipe import RecipeStep
from inspector.rewrite.registry import rule as rule_of


class ChangesDialog(QDialog):
    """Lists rewrites, requests for nodes, target and sizes."""

    def __init__(self, name: str, kept: Kept, resumed: Resumed | None = None, parent: QWidget | None = None) -> None:
        """List what *kept* holds of the model *name*; *resumed* tells what became of it."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("What changed"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(Size.INSPECTOR_MAX, Size.INSPECTOR)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(label(self.tr("Changes to {name}").format(name=name), Role.HEADLINE, wrap=True))
        column.addWidget(label(self._target(kept), Role.TEXT, tone="second", wrap=True))
        page = Page()
        outcomes: Mapping[int, Redone] = {}
        if resumed is not None and resumed.replayed is not None:
            outcomes = dict(enumerate(resumed.replayed.steps))
            column.addLayout(row(*self._whole(resumed), None))
        for number, step in enumerate(kept.steps):
            page.column.addWidget(self._step(number, step, outcomes.get(number)))
        lost = resumed.lost if resumed is not None else ()
        for wish in kept.wishes:
            asked = [wish.device.value.upper()] if wish.device is not None else []
            asked += [wish.qtype.value] if wish.qtype is not None else []
            text = self.tr("{node}: {wish}").format(node=wish.node.label, wish=self.tr(", ").join(asked))
            card, inner = frame("card")
            gone = (chip(self.tr("node not found"), "inconclusive"),) if wish.node.label in lost else ()
            inner.addLayout(row(label(self.tr("Request"), Role.BODY, weight=600), None, *gone))
            inner.addWidget(Elided(text, Role.SMALL, mono=True))
            page.column.addWidget(card)
        page.close_page()
        column.addWidget(page, 1)
        close = button(self.tr("Close"), self.reject)
        column.addLayout(row(None, close))
        close.setFocus()

    def _target(self, kept: Kept) -> str:
        aim = kept.aim
        sizes = self.tr(", ").join(f"{name}={size}" for name, size in kept.dims.items())
        if sizes:
            text = self.tr("Target {platform}, {toolchain}, {flow}; sizes {sizes}.")
        else:
            text = self.tr("Target {platform}, {toolchain}, {flow}.")
        toolchain = self.tr("newest toolchain")
        if aim.toolchain is not None:
            toolchain = self.tr("toolchain {version}").format(version=aim.toolchain)
        return text.format(platform=aim.platform.upper(), toolchain=toolchain, flow=aim.flow.value.upper(), sizes=sizes)

    def _whole(self, resumed: Resumed) -> tuple[QWidget, ...]:
        whole = resumed.replayed.whole if resumed.replayed is not None else None
        if whole is None:
            return ()
        tone = whole.status.value.lower()
        return (
            label(self.tr("Comparison of the whole models"), Role.TEXT, tone="second"),
            chip(status_name(whole.status), tone),
        )

    def _step(self, number: int, step: RecipeStep, redone: Redone | None) -> QFrame:
        card, column = frame("card")
        head = [label(f"{number + 1}", Role.BODY, tone="third"), label(_title(step.rule), Role.BODY, weight=600)]
        column.addLayout(row(*head, None, *((self._outcome(redone),) if redone is not None else ())))
        column.addWidget(Elided(step.name or ", ".join(step.outputs), Role.SMALL, mono=True))
        if redone is not None and redone.reason is not None:
            column.addWidget(label(say_text(redone.reason), Role.TEXT, tone="second", wrap=True))
        return card

    def _outcome(self, redone: Redone) -> QWidget:
        texts = {
            Outcome.DONE: (self.tr("done again, proven"), "passed"),
            Outcome.REFUSED: (self.tr("does not fit any more"), "failed"),
            Outcome.UNPROVEN: (self.tr("not proven"), "inconclusive"),
            Outcome.NOT_TRIED: (self.tr("not tried"), "second"),
        }
        return chip(*texts[redone.outcome])


def _title(rule: str) -> str:
    """Title of the rule; its id where this version does not have it."""
    try:
        return say_text(rule_of(rule).title)
    except UsageError:
        return rule
