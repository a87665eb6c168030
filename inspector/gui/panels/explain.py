"""Explain: what the verdict is, how large the values are, why, and what to do about it, in this order."""

from collections.abc import Sequence
from types import MappingProxyType

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QSizePolicy, QToolButton, QWidget

from inspector.gui.fonts import Role
from inspector.gui.icons import icon
from inspector.gui.panels.causes import CauseChain
from inspector.gui.panels.fixes import FixList
from inspector.gui.panels.standing import standing_chip, unlisted_chip
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import (
    ElidedButton,
    Page,
    breakable,
    button,
    caption,
    chip,
    clear,
    frame,
    glyph_of,
    label,
    row,
    rule,
)
from inspector.gui.words import decisive_check, headline, plain_tip, say_text, verdict_headline
from inspector.model.graph import Model, Node
from inspector.placement.remedies import Remedies, in_order
from inspector.placement.sentence import own_note
from inspector.placement.source_text import source_text
from inspector.placement.verdict import Check, NodeVerdict, Outcome, Placement, Side, Source, Standing, Verdict
from inspector.report.remedies import is_way
from inspector.report.text import kernel_words
from inspector.rewrite.find import Found
from inspector.text import Message, say

_SIGNS = {Outcome.FAIL: ("✕", "failed"), Outcome.UNKNOWN: ("?", "unknown"), Outcome.PASS: ("✓", "passed")}
_PASSIVE, _UNLISTED = "passive", "unlisted"
_MOST_PASSES = 2
_LONG = 42
_NONE: Remedies = MappingProxyType({})


class ExplainPanel(Page):
    """Shows one node's verdict.

    Signals:
        node_picked: a node of the cause chain was clicked.
        clause_asked: id of the clause whose source was clicked.
        preview_asked: `(rule id, node id, variant id, every site)`.
    """

    node_picked = Signal(object)
    clause_asked = Signal(str)
    preview_asked = Signal(str, object, str, bool)

    def show_node(
        self,
        model: Model,
        placement: Placement,
        node: Node,
        found: Found | None,
        *,
        fixes: bool = True,
        remedies: Remedies = _NONE,
    ) -> None:
        """Explain *node*; *found* is None while its *fixes* are looked for. A node of a preview is shown without.

        *remedies* are those of its failed checks.
        """
        verdict = placement.verdicts[node.id]
        self.restart()
        self._headline(verdict)
        self._checks(verdict, remedies)
        self._kernel(verdict)
        self._source(verdict, placement)
        self._causes(model, placement, verdict)
        self._ways(remedies)
        if fixes:
            self._fixes(node, verdict, found)
        self.close_page()

    def _fixes(self, node: Node, verdict: NodeVerdict, found: Found | None) -> None:
        self.column.addWidget(rule())
        cards = FixList()
        cards.preview_asked.connect(self.preview_asked)
        cards.show_found(node, verdict, found)
        self.column.addWidget(cards)

    def _headline(self, verdict: NodeVerdict) -> None:
        card, column = frame("headline", verdict.verdict.value.lower())
        title = verdict_headline(verdict.verdict)
        if verdict.because and verdict.because[0].pass_name == _PASSIVE:
            title = self.tr("{verdict}, following its neighbours").format(verdict=title)
        column.addWidget(label(title, Role.SMALL, tone=verdict.verdict.value.lower(), weight=600))
        column.addWidget(label(headline(verdict), Role.HEADLINE, wrap=True))
        card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.column.addWidget(card)

    def _ways(self, remedies: Remedies) -> None:
        """Ways to meet the limits other than by the values themselves, in the order in which they are tried."""
        ways = [say_text(message) for message in in_order(remedies) if is_way(message)]
        if not ways:
            return
        self.column.addWidget(rule())
        self.column.addLayout(caption(self.tr("Ways around it")))
        for way in ways:
            self.sentence(_capital(way))

    def _checks(self, verdict: NodeVerdict, remedies: Remedies) -> None:
        checks = verdict.checks
        if not checks:
            self.sentence(self.tr("No clause of the table applies to this node."))
            return
        self.column.addLayout(caption(self.tr("Checks"), self._tally(checks)))
        table = CheckTable()
        table.show_checks(checks, remedies, tone=verdict.verdict.value.lower())
        self.column.addWidget(table)

    def _kernel(self, verdict: NodeVerdict) -> None:
        """What is known of the CPU kernel, for a node that needs one or may."""
        if verdict.kernel is not None and verdict.verdict is not Verdict.BPU:
            self.sentence(say_text(kernel_words(verdict.kernel)))

    def _tally(self, checks: Sequence[Check]) -> str:
        fired = [check for check in checks if check.contradicted is None or check.outcome is Outcome.PASS]
        counts = {outcome: sum(check.outcome is outcome for check in fired) for outcome in Outcome}
        contradicted = len(checks) - len(fired)
        texts = (
            (Outcome.FAIL, self.tr("{n} failed")),
            (Outcome.UNKNOWN, self.tr("{n} unknown")),
            (Outcome.PASS, self.tr("{n} passed")),
        )
        parts = [text.format(n=counts[outcome]) for outcome, text in texts if counts[outcome]]
        parts += [self.tr("{n} contradicted by builds").format(n=contradicted)] if contradicted else []
        return " · ".join(parts)

    def _source(self, verdict: NodeVerdict, placement: Placement) -> None:
        check = None if verdict.because else decisive_check(verdict) or next(iter(verdict.checks), None)
        source = verdict.because[0].source if verdict.because else check.source if check is not None else None
        unlisted = bool(verdict.because) and verdict.because[0].pass_name == _UNLISTED
        if unlisted and verdict.verdict is Verdict.UNKNOWN:
            self.column.addLayout(row(unlisted_chip(), None))
        elif source is not None:
            line = row(standing_chip(source.standing), label(_source_text(source), wrap=True))
            line.setStretch(1, 1)
            self.column.addLayout(line)
        elif verdict.standing is Standing.INFERRED:
            self.column.addLayout(row(standing_chip(verdict.standing), None))
        self._table_line(check, verdict, placement)
        note = own_note(check) if check is not None else None
        if note is not None:
            self.sentence(say_text(note))

    def _table_line(self, check: Check | None, verdict: NodeVerdict, placement: Placement) -> None:
        """Clause and table; the clause leads to what the table says."""
        target = placement.target
        table = f"{target.march} {target.toolchain}"
        if check is None:
            name = verdict.because[0].pass_name if verdict.because else ""
            text = " · ".join(part for part in (name, table) if part)
            self.column.addWidget(label(text, Role.SMALL, tone="third", mono=True, wrap=True, selectable=True))
            return
        clause = check.clause
        link = ElidedButton(clause)
        link.show_text(clause, self.tr("Show the clause as the table has it"))
        link.clicked.connect(lambda: self.clause_asked.emit(clause))
        self.column.addLayout(row(link, label(table, Role.SMALL, tone="third", mono=True), None))

    def _causes(self, model: Model, placement: Placement, verdict: NodeVerdict) -> None:
        causes = CauseChain()
        causes.node_picked.connect(self.node_picked)
        own = not verdict.because and verdict.verdict in (Verdict.CPU, Verdict.UNSUPPORTED)
        if own:
            causes.add_consequences(model, placement, verdict)
        else:
            causes.add_causes(model, placement, verdict)
        if causes.is_empty:
            causes.deleteLater()
            return
        self.column.addWidget(rule())
        self.column.addLayout(caption(self.tr("What follows") if own else self.tr("Why")))
        self.column.addWidget(causes)


class CheckTable(QFrame):
    """Clauses with what was found and what is allowed; passes beyond two fold into one row that opens."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty table."""
        super().__init__(parent)
        self.setProperty("role", "card")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(1, 1, 1, Space.XS)
        self._grid.setHorizontalSpacing(0)
        self._grid.setVerticalSpacing(0)
        for column, stretch in ((1, 44), (2, 25), (3, 28)):
            self._grid.setColumnStretch(column, stretch)
        self._checks: tuple[Check, ...] = ()
        self._tone = ""

    def show_checks(
        self, checks: Sequence[Check], remedies: Remedies = _NONE, *, tone: str = "unsupported", opened: bool = False
    ) -> None:
        """List *checks*, worst first as given, the smallest of *remedies* below.

        Failed ones stand on the soft ground of *tone*, that of the verdict. *opened* shows all passes.
        """
        clear(self._grid)
        self._tone = tone
        self._checks = tuple(checks)
        for column, text in ((1, self.tr("clause")), (2, self.tr("found")), (3, self.tr("allowed"))):
            self._grid.addWidget(_padded(label(text, Role.SMALL, tone="third")), 0, column)
        self._grid.setRowMinimumHeight(0, Size.ROW_CHECK)
        passed = [check for check in checks if check.outcome is Outcome.PASS]
        shown = [check for check in checks if check.outcome is not Outcome.PASS]
        folded = [] if opened or len(passed) <= _MOST_PASSES else passed[_MOST_PASSES:]
        shown += [check for check in passed if check not in folded]
        line = 0
        for check in shown:
            line += 1
            self._row(line, check)
            if check.contradicted is not None and check.outcome is Outcome.FAIL:
                line += 1
                self._remark(line, say_text(check.contradicted))
            elif check.outcome is Outcome.FAIL:
                for remedy in remedies.get(check.clause, ()):
                    if not is_way(remedy):
                        line += 1
                        self._remedy(line, _capital(say_text(remedy)))
        if folded:
            line += 1
            text = self.tr("{n} more passed").format(n=len(folded))
            more = button(text, lambda: self.show_checks(self._checks, remedies, tone=tone, opened=True), role="link")
            more.setContentsMargins(Space.XS, 0, 0, 0)
            self._grid.addWidget(frame("row")[0], line, 0, 1, 4)
            self._grid.addWidget(more, line, 1, 1, 3)
            self._grid.setRowMinimumHeight(line, Size.ROW_CHECK)

    def _remark(self, line: int, text: str) -> None:
        """Why the check above does not count: what builds show."""
        self._grid.addWidget(
            _padded(label(text, Role.SMALL, tone="inconclusive", wrap=True, selectable=True)), line, 1, 1, 3
        )

    def _remedy(self, line: int, text: str) -> None:
        """What would satisfy the check above."""
        ground, _column = frame("check", self._tone)
        self._grid.addWidget(ground, line, 0, 1, 4)
        self._grid.addWidget(_padded(label(text, Role.SMALL, wrap=True, selectable=True)), line, 1, 1, 3)

    def _row(self, line: int, check: Check) -> None:
        failed = check.outcome is Outcome.FAIL and check.contradicted is None
        sign, tone = _SIGNS[check.outcome]
        contradicted = check.contradicted if check.outcome is not Outcome.PASS else None
        if contradicted is not None:
            sign, tone = "≠", "inconclusive"
        mark = label(sign, Role.BODY, tone=tone, weight=700)
        if contradicted is not None:
            mark.setToolTip(plain_tip(say_text(contradicted)))
        mark.setFixedWidth(Space.XL)
        mark.setAlignment(Qt.AlignmentFlag.AlignCenter)
        ground, _column = frame("check", self._tone if failed else "")
        self._grid.addWidget(ground, line, 0, 1, 4)
        self._grid.addWidget(mark, line, 0)
        self._grid.setRowMinimumHeight(line, Size.ROW_CHECK)
        texts = (_subject_text(check), say_text(check.found), say_text(check.allowed).replace("..", " … "))
        for column, text in enumerate(texts, 1):
            short = text if len(text) <= _LONG else self._short(text)
            weight = 700 if failed and column == 2 else None
            cell = label(
                breakable(short),
                Role.SMALL,
                mono=True,
                wrap=True,
                weight=weight,
                tone="second" if column == 3 else "plain",
            )
            cell.setToolTip(plain_tip(f"{check.clause}\n{text}\n{check.source}"))
            self._grid.addWidget(_padded(cell), line, column)

    def _short(self, text: str) -> str:
        parts = text.split(", ")
        return self.tr("{n} values").format(n=len(parts)) if len(parts) > 4 else text


def _capital(text: str) -> str:
    """A line of a list as a sentence of its own."""
    return text[:1].upper() + text[1:]


def _subject_text(check: Check) -> str:
    """What was looked at, and by whom where it is the CPU kernel."""
    text = _plain_subject(check)
    return say_text(say("report.cpu_subject", subject=text)) if check.side is Side.CPU else text


def _plain_subject(check: Check) -> str:
    """What was looked at; an attribute by its name alone, since the column says what it is."""
    subject = check.subject
    if isinstance(subject, Message) and subject.key == "constraints.subject_attribute":
        return str(subject.args["name"])
    if isinstance(subject, Message) and subject.key == "constraints.subject_attribute_element":
        return f"{subject.args['name']}[{subject.args['index']}]"
    return say_text(subject)


def _padded(cell: QLabel) -> QLabel:
    cell.setContentsMargins(Space.XS, Space.XS, Space.XS, Space.XS)
    return cell


class Identity(QFrame):
    """The block above the inspector's tabs: glyph, operator, opset, name."""

    copied = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty block."""
        super().__init__(parent)
        self.setProperty("role", "page")
        _frame, self._column = frame("page", margins=(Space.PANEL, Space.M, Space.PANEL, Space.XS))
        self.setLayout(self._column)

    def show_node(self, node: Node, verdict: NodeVerdict) -> None:
        """Name *node*."""
        clear(self._column)
        opset = chip(self.tr("opset {version}").format(version=node.op.version)) if node.op.version else None
        parts = [glyph_of(verdict, Size.GLYPH_LARGE), label(str(node.op), Role.IDENTITY)]
        parts += [opset] if opset is not None else []
        self._column.addLayout(row(*parts, None, self._copy(node.label)))
        self._column.addWidget(label(node.label, Role.SMALL, tone="second", mono=True, wrap=True, selectable=True))

    def _copy(self, name: str) -> QToolButton:
        made = QToolButton()
        made.setIcon(icon("copy"))
        made.setIconSize(QSize(Size.ICON, Size.ICON))
        made.setFixedSize(Size.CONTROL, Size.CONTROL)
        made.setToolTip(self.tr("Copy name"))
        made.setAccessibleName(self.tr("Copy name"))
        made.clicked.connect(lambda: self.copied.emit(name))
        return made

    def show_text(self, title: str, line: str = "") -> None:
        """Show a title where no node is selected."""
        clear(self._column)
        self._column.addWidget(label(title, Role.IDENTITY, wrap=True))
        if line:
            self._column.addWidget(label(line, Role.SMALL, tone="second", wrap=True))


def _source_text(source: Source) -> str:
    return " · ".join(part for part in (say_text(source_text(source)), source.read_on) if part)
