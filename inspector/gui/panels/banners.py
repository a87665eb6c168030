"""Banners over the canvas: what concerns the whole model, and errors that need no dialog."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from inspector.gui.fonts import Role, font
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, button, clear, frame, glyph, label, row
from inspector.placement.verdict import Verdict

_MOST = 2


@dataclass(frozen=True)
class Banner:
    """One line over the canvas.

    Attributes:
        key: a newer banner with the same key replaces it; the user's dismissal is remembered by key and text.
        tone: colours, a tone of `look`.
        title: what was found.
        text: what it means; may be empty.
        action: text of the button that mends it; empty for none.
        run: what the button does.
        other: text of a second button; empty for none.
        run_other: what that does; the banner closes then.
        verdict: glyph at the left; None for none.
        beside: further findings that the same text and buttons are about, shown beside the title.
    """

    key: str
    tone: str
    title: str
    text: str = ""
    action: str = ""
    run: Callable[[], object] | None = None
    other: str = ""
    run_other: Callable[[], object] | None = None
    verdict: Verdict | None = None
    beside: tuple[str, ...] = ()


class Banners(QWidget):
    """Stacks up to two banners, then says how many more there are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Make an empty stack."""
        super().__init__(parent)
        self._banners: tuple[Banner, ...] = ()
        self._added: tuple[Banner, ...] = ()
        self._closed: set[tuple[str, str]] = set()
        self._all = False
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self.hide()

    @property
    def shown(self) -> tuple[Banner, ...]:
        """Banners that the user did not close."""
        every = (*self._added, *self._banners)
        return tuple(b for b in every if (b.key, b.title) not in self._closed)

    def show_banners(self, banners: tuple[Banner, ...]) -> None:
        """Show *banners*, most important first, below those that were added."""
        self._banners = banners
        self._refill()

    def add(self, banner: Banner) -> None:
        """Put *banner* first, in place of one with its key, until it is closed or another model is opened."""
        self._closed.discard((banner.key, banner.title))
        self._added = (banner, *(other for other in self._added if other.key != banner.key))
        self._refill()

    def remove(self, key: str) -> None:
        """Take the banner with *key* away if it was added: what it said is no longer so."""
        self._added = tuple(banner for banner in self._added if banner.key != key)
        self._refill()

    def reset(self) -> None:
        """Forget what was added and which banners were closed, for another model."""
        self._closed.clear()
        self._added = ()
        self._all = False

    def retranslate(self) -> None:
        """Show the banners anew in the theme and at the scale in use; what they say is given."""
        self._refill()

    def _refill(self) -> None:
        clear(self._column)
        shown = self.shown
        limit = len(shown) if self._all else _MOST
        for banner in shown[:limit]:
            self._column.addWidget(self._line(banner))
        if len(shown) > limit:
            made, column = frame("banner", "second", margins=(Space.M, 0, Space.M, 0))
            made.setMinimumHeight(Size.CONTROL)
            count = sum(1 + len(banner.beside) for banner in shown[limit:])
            column.addWidget(button(self.tr("{n} more").format(n=count), self._open, role="link"))
            self._column.addWidget(made)
        self.setVisible(bool(shown))

    def _line(self, banner: Banner) -> QWidget:
        made, column = frame("banner", banner.tone, margins=(Space.M, 0, Space.M, 0))
        made.setMinimumHeight(Size.BANNER)
        titles = [Elided(text, Role.BODY, tone=banner.tone) for text in (banner.title, *banner.beside)]
        for title in titles:
            title.setFont(font(Role.BODY, weight=600))
            title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        text = Elided(banner.text, Role.TEXT, tone="second")
        text.setMinimumWidth(2 * Size.CONTROL if banner.text else 0)
        parts: list[QWidget | None] = [glyph(banner.verdict)] if banner.verdict is not None else []
        for title in titles:
            parts += [label("·", Role.BODY, tone=banner.tone), title] if title is not titles[0] else [title]
        parts.append(text)
        line = row(*parts)
        line.setStretch(len(parts) - 1, 1)
        if banner.run is not None and banner.action:
            line.addWidget(button(banner.action, banner.run))
        if banner.run_other is not None and banner.other:
            line.addWidget(button(banner.other, lambda: self._other(banner)))
        close = button("✕", lambda: self._close(banner), role="link", tip=self.tr("Close"))
        close.setAccessibleName(self.tr("Close"))
        line.addWidget(close)
        column.addLayout(line)
        return made

    def _close(self, banner: Banner) -> None:
        self._closed.add((banner.key, banner.title))
        self._refill()

    def _other(self, banner: Banner) -> None:
        self._close(banner)
        if banner.run_other is not None:
            banner.run_other()

    def _open(self) -> None:
        self._all = True
        self._refill()
