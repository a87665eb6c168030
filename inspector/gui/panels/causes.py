"""The cause chain of Explain: what decided, one entry each with its glyph, joined by a line; nodes are links."""

from collections.abc import Sequence
from itertools import chain

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.glyphs import glyph_pixmap
from inspector.gui.look import look
from inspector.gui.theme import Size, Space, Stroke, colour
from inspector.gui.widgets import ElidedButton, label
from inspector.gui.words import bytes_text, headline, say_text
from inspector.model.graph import Model, Node, NodeId
from inspector.placement.verdict import Because, NodeVerdict, Placement, Standing, Verdict

_MOST_FOLLOWERS = 3


class CauseChain(QWidget):
    """Entries below each other, joined by a line.

    Signals:
        node_picked: id of the node whose entry was clicked.
    """

    node_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make a chain without entries."""
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(Space.S)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)
        self._last: _Joint | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was added."""
        return self._last is None

    def add(self, verdict: NodeVerdict, title: str, line: str = "", node: NodeId | None = None) -> None:
        """Add an entry with the glyph of *verdict*; *title* leads to *node* when one is given."""
        row = self._grid.rowCount()
        if self._last is not None:
            self._last.join()
        self._last = _Joint(verdict)
        self._grid.addWidget(self._last, row, 0, 2, 1)
        if node is None:
            self._grid.addWidget(label(title, wrap=True), row, 1)
        else:
            link = ElidedButton(title)
            link.clicked.connect(lambda: self.node_picked.emit(node))
            self._grid.addWidget(link, row, 1, Qt.AlignmentFlag.AlignLeft)
        below = label(line, Role.SMALL, tone="second", wrap=True)
        below.setContentsMargins(0, 0, 0, Space.XS)
        self._grid.addWidget(below, row + 1, 1)
        below.setVisible(bool(line))  # a window of its own, which takes the focus, before it has a parent

    def add_cause(self, model: Model, placement: Placement, cause: Because, own: NodeVerdict) -> None:
        """Add *cause* of the verdict *own*."""
        node = model.find_node(cause.node) if cause.node is not None else None
        if node is None:
            self.add(own, say_text(cause.message))
        else:
            self._add_node(node, placement.verdicts.get(node.id, own), say_text(cause.message))

    def add_causes(self, model: Model, placement: Placement, verdict: NodeVerdict) -> None:
        """Why the node of *verdict* has it, the deciding entry first; nothing where the headline says it all."""
        causes = verdict.because
        if causes and causes[0].node is None and say_text(causes[0].message) == headline(verdict):
            causes = causes[1:]
        for cause in causes:
            self.add_cause(model, placement, cause, verdict)

    def add_consequences(self, model: Model, placement: Placement, verdict: NodeVerdict) -> None:
        """What follows from a *verdict* that the node's own clauses decided."""
        self.add(verdict, self.tr("Decided by this node itself"), self.tr("Its neighbours play no part"))
        if verdict.verdict is Verdict.UNSUPPORTED:
            self.add(
                verdict, self.tr("The toolchain stops here"), self.tr("No model is built while this node is in it")
            )
        crossings = [c for c in placement.crossings if verdict.node in (c.source, c.target)]
        if crossings:
            far = crossings[0].target if crossings[0].source == verdict.node else crossings[0].source
            sizes = " + ".join(bytes_text(crossing.bytes) for crossing in crossings)
            text = self.tr("%n crossing(s), {sizes}", "", len(crossings)).format(sizes=sizes)
            self.add(placement.verdicts[far], self.tr("The BPU segment breaks off here"), text)
        self._add_followers(_followers(model, placement, verdict), placement)

    def _add_followers(self, followers: Sequence[Node], placement: Placement) -> None:
        for node in followers[:_MOST_FOLLOWERS]:
            verdict = placement.verdicts[node.id]
            self._add_node(node, verdict, say_text(verdict.because[0].message))
        if len(followers) > _MOST_FOLLOWERS:
            more = followers[_MOST_FOLLOWERS:]
            self.add(placement.verdicts[more[0].id], self.tr("and {n} more").format(n=len(more)))

    def _add_node(self, node: Node, verdict: NodeVerdict, line: str) -> None:
        self.add(verdict, f"{node.op.name}  {node.label}", line, node.id)


class _Joint(QWidget):
    """The glyph of an entry, and the line from it to the next one."""

    def __init__(self, verdict: NodeVerdict) -> None:
        super().__init__()
        self._verdict, self._joined = verdict, False
        self.setFixedWidth(Size.GLYPH)
        self.setMinimumHeight(Size.GLYPH + Space.XS)

    def join(self) -> None:
        """Another entry follows."""
        self._joined = True

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint glyph and line."""
        painter = QPainter(self)
        inferred = self._verdict.standing is Standing.INFERRED
        ratio = max(self.devicePixelRatioF(), 2.0)
        painter.drawPixmap(0, Space.XXS, glyph_pixmap(self._verdict.verdict, inferred, look(), Size.GLYPH, ratio))
        if self._joined:
            painter.setPen(QPen(colour(look().line2), Stroke.THIN))
            top, middle = Size.GLYPH + Space.XS + Space.XXS, self.width() / 2
            painter.drawLine(QPointF(middle, top), QPointF(middle, self.height()))
        painter.end()


def _followers(model: Model, placement: Placement, verdict: NodeVerdict) -> tuple[Node, ...]:
    """Neighbours whose verdict names this node as its cause."""
    node = model.find_node(verdict.node)
    if node is None:
        return ()
    around = {other.id: other for other in chain(model.successors(node), model.predecessors(node))}
    return tuple(
        other
        for other in around.values()
        if other.id in placement.verdicts
        and placement.verdicts[other.id].because
        and placement.verdicts[other.id].because[0].node == node.id
    )
