"""Top blockers: the foot of the Problems panel, a row per kind of island with the segments that go with it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from inspector.gui.fonts import Role
from inspector.gui.look import look
from inspector.gui.models.blockers import Blocker
from inspector.gui.theme import Size, Space, colour
from inspector.gui.widgets import ElidedButton, caption, clear, label, row, rule
from inspector.gui.words import bytes_text
from inspector.placement.verdict import Verdict


class Blockers(QFrame):
    """Islands off the BPU, most rewarding first; hidden when there is none.

    Signals:
        node_picked: a row was clicked; its first node.
    """

    node_picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty list."""
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(Space.M, 0, Space.M, Space.M)
        self._column.setSpacing(Space.XS)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._blockers: tuple[Blocker, ...] = ()
        self.hide()

    def retranslate(self) -> None:
        """Show the list in the current language and theme."""
        self.show_blockers(self._blockers)

    def show_blockers(self, blockers: Sequence[Blocker]) -> None:
        """List *blockers*."""
        clear(self._column)
        self._blockers = tuple(blockers)
        self._column.addWidget(rule())
        self._column.addSpacing(Space.S)
        self._column.addLayout(caption(self.tr("Top blockers"), self.tr("by segments saved")))
        most = max((blocker.saved for blocker in blockers), default=0)
        for blocker in blockers:
            self._column.addLayout(self._row(blocker, blocker.saved / most if most else 0.0))
        self.setVisible(bool(blockers))

    def _row(self, blocker: Blocker, share: float) -> QVBoxLayout:
        """Title and gain, and below them a bar as long as the *share* of the best gain that this one has."""
        gain = self.tr("{before} → %n segment(s)", "", blocker.left).format(before=blocker.segments)
        more = self.tr("crossings −{n}").format(n=blocker.copies)
        size = "" if blocker.bytes is None else f" · {bytes_text(blocker.bytes)}"
        link = ElidedButton(blocker.title)
        islands = self.tr("%n island(s)", "", blocker.islands)
        link.show_text(blocker.title, f"{islands} · {more}{size}")
        link.clicked.connect(partial(self.node_picked.emit, blocker.nodes[0]))
        link.setAccessibleName(f"{blocker.title}: {gain}, {more}{size}")
        first = row(link, None, label(gain, Role.SMALL, tone="second"))
        made = QVBoxLayout()
        made.setSpacing(Space.XXS)
        made.addLayout(first)
        made.addWidget(_Bar(blocker.verdict, share))
        return made


class _Bar(QWidget):
    """A bar in the colour of a verdict on the ground of a field."""

    def __init__(self, verdict: Verdict, share: float) -> None:
        super().__init__()
        self._verdict, self._share = verdict, share
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As high as a verdict bar."""
        return QSize(Size.SCOPE_BAR_WIDTH, Size.SCOPE_BAR_HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint ground and bar."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colour(look().sunken, 0.0))
        for share, ink in ((1.0, look().sunken), (self._share, look().of(self._verdict).pattern)):
            painter.setBrush(colour(ink))
            radius = self.height() / 2
            painter.drawRoundedRect(QRectF(0, 0, self.width() * share, self.height()), radius, radius)
        painter.end()
