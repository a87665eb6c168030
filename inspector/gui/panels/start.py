"""Start page: what to do without a model. Open one, choose the chip, try a sample, go on with a recent file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.fonts import Role
from inspector.gui.i18n import language
from inspector.gui.icons import icon
from inspector.gui.look import look
from inspector.gui.measures import scale_percent
from inspector.gui.panels.recent import RecentCard
from inspector.gui.panels.start_cards import PlatformButton, Sample, sample_card
from inspector.gui.plain_words import verdict_meaning, verdict_name
from inspector.gui.theme import Size, Space, colour
from inspector.gui.widgets import button, clear, frame, glyph, label, row
from inspector.placement.kinds import Verdict
from inspector.recent import Glance

_CHIPS_A_ROW = 4


@dataclass(frozen=True)
class StartContent:
    """What the page offers.

    Attributes:
        samples: models that come with the program.
        recent: paths of files opened lately, newest first.
        glances: what those looked like.
        platforms: id, title and architecture of each platform; empty until the tables are read.
        platform: id of the one that is chosen.
    """

    samples: tuple[Sample, ...] = ()
    recent: tuple[str, ...] = ()
    glances: Mapping[str, Glance] = field(default_factory=lambda: MappingProxyType({}))
    platforms: tuple[tuple[str, str, str], ...] = ()
    platform: str = ""


class StartPage(QScrollArea):
    """The page of an empty tab.

    Attributes:
        cards: makes what stands above everything else: unsaved work of earlier runs, the last session.

    Signals:
        open_asked: let the user choose a file.
        file_asked: open this path.
        platform_asked: the platform with this id was chosen.
        clear_asked: forget the recent files.
    """

    open_asked = Signal()
    file_asked = Signal(object)
    platform_asked = Signal(str)
    clear_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty page; call `show_start`."""
        super().__init__(parent)
        self.cards: Callable[[], Sequence[QWidget]] = tuple
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("role", "start")
        self._shown: tuple[object, ...] = ()
        self._columns: QBoxLayout | None = None
        body = QWidget()
        self._body = body
        outer = QHBoxLayout(body)
        outer.addStretch(1)
        inner = QWidget()
        inner.setMaximumWidth(2 * Size.START_COLUMN + Space.XXL)
        self._column = QVBoxLayout(inner)
        self._column.setContentsMargins(Space.XXL, Space.XXL, Space.XXL, Space.XXL)
        self._column.setSpacing(Space.L)
        outer.addWidget(inner, 20)
        outer.addStretch(1)
        self.setWidget(body)

    def show_start(self, content: StartContent, *, anew: bool = False, brief: bool = False) -> None:
        """Offer *content* in the language and look in use; what is shown already is only made *anew* if asked to.

        What the colours mean is left out when it is to be *brief*.
        """
        shown = (content, language(), look(), scale_percent(), brief)
        if shown == self._shown and not anew:
            return
        self._shown = shown
        focused = self.isAncestorOf(QApplication.focusWidget() or self)
        clear(self._column)
        ground = self._body.palette()
        ground.setColor(self._body.backgroundRole(), colour(look().canvas))
        self._body.setPalette(ground)
        self._body.setAutoFillBackground(True)
        self._column.addStretch(1)
        self._column.addWidget(
            label(self.tr("See where every node runs, why, and what fixes it"), Role.PAGE, wrap=True)
        )
        lead = self.tr(
            "Open an ONNX model. Nothing leaves this computer, and your file is never changed until you save."
        )
        self._column.addWidget(label(lead, Role.BODY, tone="second", wrap=True))
        for card in self.cards():
            self._column.addWidget(card)
        self._columns = columns = QHBoxLayout()
        columns.setSpacing(Space.XXL)
        left, right = QVBoxLayout(), QVBoxLayout()
        for side in (left, right):
            side.setSpacing(Space.M)
            columns.addLayout(side, 1)
        left.addWidget(self._drop())
        if content.platforms:
            left.addWidget(self._platforms(content))
        self._samples(left, content.samples)
        left.addStretch(1)
        if content.recent:
            recent = RecentCard(content.recent, content.glances)
            recent.file_asked.connect(self.file_asked)
            recent.clear_asked.connect(self.clear_asked)
            right.addWidget(recent)
        if not brief:
            right.addWidget(label(self.tr("What the colours mean"), Role.HEADLINE))
            right.addWidget(self._meanings())
        right.addStretch(1)
        self._column.addLayout(columns)
        self._column.addStretch(3)
        self._fit()
        if focused:
            self.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the two columns below each other where there is no room for both."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        if self._columns is not None:
            side_by_side = self.width() >= 2 * Size.INSPECTOR
            way = QBoxLayout.Direction.LeftToRight if side_by_side else QBoxLayout.Direction.TopToBottom
            self._columns.setDirection(way)

    def _drop(self) -> QFrame:
        card, column = frame("drop", margins=(Space.XL, Space.XL, Space.XL, Space.XL))
        column.setSpacing(Space.S)
        picture = QLabel()
        side = Size.CONTROL
        picture.setPixmap(icon("download", "accent", side).pixmap(QSize(side, side), self.devicePixelRatioF()))
        title = label(self.tr("Drop a model here"), Role.HEADLINE)
        note = label(self.tr(".onnx, with or without external data"), Role.SMALL, tone="second")
        for line in (picture, title, note):
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            column.addWidget(line)
        open_ = button(self.tr("Open model…"), self.open_asked.emit, role="primary")
        open_.setMinimumHeight(Size.CONTROL_START)
        self.setFocusProxy(open_)
        keys = QKeySequence(QKeySequence.StandardKey.Open).toString(QKeySequence.SequenceFormat.NativeText)
        column.addLayout(row(None, open_, label(keys, Role.SMALL, tone="second"), None))
        return card

    def _platforms(self, content: StartContent) -> QFrame:
        card, column = frame("card", margins=(Space.L, Space.M, Space.L, Space.M))
        column.addWidget(label(self.tr("Which chip do you deploy to?"), Role.HEADLINE))
        note = self.tr("You can change it at any time; the colours follow at once.")
        column.addWidget(label(note, Role.SMALL, tone="second", wrap=True))
        grid = QGridLayout()
        grid.setSpacing(Space.S)
        for index, (platform, title, march) in enumerate(content.platforms):
            one = PlatformButton(title, march, partial(self.platform_asked.emit, platform))
            one.setChecked(platform == content.platform)
            grid.addWidget(one, *divmod(index, _CHIPS_A_ROW))
        for place in range(_CHIPS_A_ROW):
            grid.setColumnStretch(place, 1)
        column.addLayout(grid)
        return card

    def _samples(self, column: QVBoxLayout, samples: Sequence[Sample]) -> None:
        if not samples:
            return
        column.addWidget(label(self.tr("Try a sample"), Role.HEADLINE))
        line = QHBoxLayout()
        line.setSpacing(Space.M)
        for sample in samples:
            line.addWidget(sample_card(sample, partial(self.file_asked.emit, sample.path)), 1)
        column.addLayout(line)

    def _meanings(self) -> QFrame:
        card, column = frame("card", margins=(Space.L, Space.M, Space.L, Space.M))
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        grid.setVerticalSpacing(Space.M)
        grid.setColumnStretch(2, 1)
        rows = [(verdict, False, verdict_name(verdict), verdict_meaning(verdict)) for verdict in Verdict]
        inferred = self.tr("Holds, but a clause is our reading and not a document.")
        rows.insert(1, (Verdict.BPU, True, self.tr("BPU, inferred"), inferred))
        for line, (verdict, hatched, name, meaning) in enumerate(rows):
            grid.addWidget(glyph(verdict, hatched), line, 0)
            grid.addWidget(label(name, Role.BODY, weight=600), line, 1)
            grid.addWidget(label(meaning, Role.TEXT, tone="second", wrap=True), line, 2)
        column.addLayout(grid)
        return card
