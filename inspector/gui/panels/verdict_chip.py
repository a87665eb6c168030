"""Verdict chips of the target bar: glyph, name and count, a filter to switch on, and for a moment what has changed."""

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QPushButton, QSizePolicy

from inspector.gui.glyphs import glyph_pixmap
from inspector.gui.look import look
from inspector.gui.theme import EMPTY_CHIP, Motion, Size, Space
from inspector.gui.words import delta_text, verdict_meaning, verdict_name
from inspector.placement.verdict import Verdict

_RATIOS = (1.0, 1.5, 2.0, 3.0)


class VerdictChip(QPushButton):
    """A chip that toggles a filter; Ctrl-click adds to what is chosen.

    Signals:
        chosen: `(verdict, whether Ctrl was held)`.
        resized: the text needs another width than before.
    """

    chosen = Signal(object, bool)
    resized = Signal()

    def __init__(self, verdict: Verdict) -> None:
        """Make the chip of *verdict*, without a count."""
        super().__init__()
        self.verdict = verdict
        self.setProperty("role", "verdict")
        self.setCheckable(True)
        self._add = False
        self._short = False
        self._count: int | None = None
        self._before: int | None = None
        self._delta = QTimer(self, singleShot=True, interval=Motion.DELTA)
        self._delta.timeout.connect(self._settle)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda: self.chosen.emit(self.verdict, self._add))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember whether Ctrl is held."""
        self._add = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        super().mousePressEvent(event)

    def set_short(self, short: bool) -> None:
        """Show glyph and count alone where the bar is narrow."""
        self._short = short
        self._write()

    @property
    def delta(self) -> str:
        """What has changed a moment ago: `−3`; empty when nothing has."""
        return "" if self._before is None or not self._delta.isActive() else delta_text(self._before, self._count)

    def show_count(self, count: int | None, inferred: str, *, changed: bool = False) -> None:
        """Show *count* nodes, None for no model.

        Args:
            count: nodes with the verdict.
            inferred: how many of them rest on inference, for the tooltip; empty for none.
            changed: whether the difference to the count before is to be told for a moment.
        """
        before, self._count = self._count, count
        if not changed:
            self._delta.stop()
        elif before is not None and count is not None and before != count:
            self._before = before
            self._delta.start()
        self.setIcon(_spaced(self.verdict, faint=not count))
        self.setIconSize(QSize(Size.GLYPH + Space.XS, Size.GLYPH))
        lines = (verdict_name(self.verdict), verdict_meaning(self.verdict), inferred)
        self.setToolTip("\n".join(line for line in lines if line))
        self.setProperty("empty", "false" if count else "true")
        self._write()
        self.style().unpolish(self)
        self.style().polish(self)

    def _settle(self) -> None:
        self._write()
        self.resized.emit()

    def _write(self) -> None:
        name, count = verdict_name(self.verdict), "" if self._count is None else str(self._count)
        parts = [*([] if self._short else [name]), count, self.delta]
        self.setText("  ".join(part for part in parts if part))
        self.setAccessibleName(" ".join(part for part in (name, count, self.delta) if part))


def _spaced(verdict: Verdict, *, faint: bool) -> QIcon:
    """The glyph with room at its right, which a button's style does not leave; *faint* for a count of zero."""
    icon = QIcon()
    for ratio in _RATIOS:
        picture = QPixmap(round((Size.GLYPH + Space.XS) * ratio), round(Size.GLYPH * ratio))
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setOpacity(EMPTY_CHIP if faint else 1.0)
        painter.drawPixmap(0, 0, glyph_pixmap(verdict, False, look(), Size.GLYPH, ratio))
        painter.end()
        icon.addPixmap(picture)
    return icon
