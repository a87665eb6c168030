"""The legend: glyph, word and count of every verdict; a click on its title folds it away."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from inspector.gui.canvas.lettering import Lettering, lettering
from inspector.gui.fonts import Role
from inspector.gui.glyphs import paint_glyph
from inspector.gui.theme import Radius, Size, Space, Stroke, Theme, ThemeName, colour, theme
from inspector.gui.words import verdict_name
from inspector.placement.verdict import Verdict

_NO_COUNTS: Mapping[Verdict, int] = dict.fromkeys(Verdict, 0)


class Legend(QWidget):
    """What the colours, signs and borders mean, with the number of nodes of each verdict."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start unfolded, with zero counts."""
        super().__init__(parent)
        self._look = theme(ThemeName.LIGHT)
        self._counts, self._inferred = _NO_COUNTS, _NO_COUNTS
        self._open = True
        self._chosen = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._fit()

    @property
    def unfolded(self) -> bool:
        """Whether the rows are shown."""
        return self._open

    def set_unfolded(self, unfolded: bool) -> None:
        """Show or hide the rows."""
        self._open = unfolded
        self._fit()

    def fold_for(self, *, narrow: bool) -> None:
        """Fold or unfold for a *narrow* or wide canvas, until the user has chosen."""
        if not self._chosen and self._open is narrow:
            self.set_unfolded(not narrow)

    def _toggle(self) -> None:
        self._chosen = True
        self.set_unfolded(not self._open)

    def set_counts(self, counts: Mapping[Verdict, int], inferred: Mapping[Verdict, int]) -> None:
        """Show *counts* per verdict, and how many of them are *inferred*."""
        self._counts, self._inferred = counts, inferred
        self._fit()

    def set_theme(self, look: Theme) -> None:
        """Paint in the colours of *look*, at the present scale."""
        self._look = look
        self._fit()

    def rows(self) -> tuple[tuple[Verdict, bool, str, str], ...]:
        """The rows: verdict, whether it is the hatched glyph, its words, its count."""
        rows = [(v, False, verdict_name(v), str(self._counts[v])) for v in Verdict]
        some = sum(self._inferred.values())
        rows.insert(1, (Verdict.BPU, True, self.tr("Hatched: inferred"), str(some)))
        return tuple(rows)

    def _fonts(self) -> tuple[Lettering, Lettering]:
        return lettering(Role.SMALL.size, weight=600), lettering(Role.TEXT.size)

    def _fit(self) -> None:
        title, text = self._fonts()
        wide = max(text.width(words) + text.width(count) for _, _, words, count in self.rows())
        width = max(wide + Size.GLYPH + 2 * Space.M + 2 * Space.M, title.width(self._title()) + 4 * Space.L)
        height = Size.ROW_TREE + (Size.ROW_LEGEND * len(self.rows()) + Space.S if self._open else 0.0)
        bottom = self.geometry().bottom()
        self.resize(QSize(round(width), round(height)))
        self.move(self.x(), bottom - self.height() + 1)
        self._describe()
        self.update()

    def _title(self) -> str:
        return self.tr("Legend")

    def _describe(self) -> None:
        self.setAccessibleName(self._title())
        self.setAccessibleDescription(", ".join(f"{words} {count}" for _, _, words, count in self.rows()))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: D102
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look = self._look
        painter.setPen(
            QPen(colour(look.accent), Size.FOCUS_RING) if self.hasFocus() else QPen(colour(look.line2), Stroke.HAIR)
        )
        painter.setBrush(colour(look.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), Radius.BOX, Radius.BOX)
        title, text = self._fonts()
        painter.setFont(title.font)
        painter.setPen(colour(look.text2))
        title.draw(painter, Space.M, Size.ROW_TREE / 2, self._title())
        self._paint_arrow(painter)
        if self._open:
            painter.setFont(text.font)
            for number, row in enumerate(self.rows()):
                self._paint_row(painter, text, Size.ROW_TREE + Size.ROW_LEGEND * (number + 0.5) - Space.XXS, row)
        painter.end()

    def _paint_arrow(self, painter: QPainter) -> None:
        x, y, reach = self.width() - Space.M - Space.XS, Size.ROW_TREE / 2, Space.XS
        side = reach / 2 if self._open else -reach / 2
        painter.setPen(QPen(colour(self._look.text2), Stroke.THIN))
        painter.drawPolyline(
            QPolygonF([QPointF(x - reach, y - side), QPointF(x, y + side), QPointF(x + reach, y - side)])
        )

    def _paint_row(
        self, painter: QPainter, text: Lettering, middle: float, row: tuple[Verdict, bool, str, str]
    ) -> None:
        verdict, inferred, words, count = row
        glyph = QRectF(Space.M, middle - Size.GLYPH / 2, Size.GLYPH, Size.GLYPH)
        paint_glyph(painter, glyph, verdict, inferred, self._look)
        painter.setPen(colour(self._look.text if count != "0" else self._look.text3))
        text.draw(painter, Space.M + Size.GLYPH + Space.S, middle, words)
        text.draw(painter, self.width() - Space.M - text.width(count), middle, count)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if event.position().y() <= Size.ROW_TREE:
            self._toggle()
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return):
            self._toggle()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        if event.type() == QEvent.Type.LanguageChange:
            self._fit()
        super().changeEvent(event)
