"""Cheat sheet: every command with its keys, in both languages, made from the action table; a field narrows it down."""

from collections.abc import Sequence

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from inspector.gui.action_table import MENUS, ActionSpec, Context
from inspector.gui.actions import keys_text, title_of, without_mnemonic
from inspector.gui.fonts import Role
from inspector.gui.fuzzy import NONE
from inspector.gui.i18n import in_language, language
from inspector.gui.palette_entries import Entry, Kind, Titles
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import Elided, Page, caption, label, row
from inspector.text import LANGUAGES

_MOUSE = (
    (QT_TRANSLATE_NOOP("CheatSheet", "Zoom at the pointer"), QT_TRANSLATE_NOOP("CheatSheet", "Wheel")),
    (QT_TRANSLATE_NOOP("CheatSheet", "Move sideways"), QT_TRANSLATE_NOOP("CheatSheet", "Shift + wheel")),
    (QT_TRANSLATE_NOOP("CheatSheet", "Move the graph"), QT_TRANSLATE_NOOP("CheatSheet", "Drag, or Space + drag")),
    (QT_TRANSLATE_NOOP("CheatSheet", "Add a verdict to the filter"), QT_TRANSLATE_NOOP("CheatSheet", "Ctrl + click")),
    (QT_TRANSLATE_NOOP("CheatSheet", "Cancel, reject, clear"), QT_TRANSLATE_NOOP("CheatSheet", "Esc")),
)
_MOUSE_MENU = QT_TRANSLATE_NOOP("CheatSheet", "Pointer and Esc")


class CheatSheet(QDialog):
    """A list in the order of the menus."""

    def __init__(self, specs: Sequence[ActionSpec], parent: QWidget | None = None) -> None:
        """List *specs*, those that have keys."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Keyboard cheat sheet"))
        self.resize(Size.PALETTE, Size.WINDOW_MIN_HEIGHT - Size.HEADER * 2)
        self.field = QLineEdit()
        self.field.setClearButtonEnabled(True)
        self.field.setPlaceholderText(self.tr("Find a command or a key"))
        self.field.setAccessibleName(self.tr("Find a command or a key"))
        self.field.textChanged.connect(self._narrow)
        self._groups = _groups(specs)
        self._page = Page()
        self._page.setAccessibleName(self.tr("Commands and keys"))
        self._nothing = self.tr("No command has these letters.")
        buttons = QDialogButtonBox()
        close = buttons.addButton(self.tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        close.setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        outer.setSpacing(Space.M)
        for widget in (self.field, self._page, buttons):
            outer.addWidget(widget)
        self._narrow()
        self.field.setFocus()

    def shown(self) -> tuple[str, ...]:
        """Ids of what is listed now."""
        return self._shown

    def _narrow(self) -> None:
        self._page.restart()
        words = self.field.text().casefold().split()
        found: list[str] = []
        for title, titles in self._groups:
            entries = [entry for entry in titles.entries if _fits(titles, entry, words)]
            found += [entry.id for entry in entries]
            if entries:
                self._group(title, entries)
        if not found:
            self._page.sentence(self._nothing)
        self._shown = tuple(found)
        self._page.close_page()

    def _group(self, title: str, entries: Sequence[Entry]) -> None:
        self._page.column.addSpacing(Space.S)
        self._page.column.addLayout(caption(title))
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.M)
        grid.setVerticalSpacing(Space.XS)
        for column, stretch in enumerate((5, 4, 3)):
            grid.setColumnStretch(column, stretch)
        for line, entry in enumerate(entries):
            grid.addWidget(Elided(entry.title, Role.TEXT), line, 0)
            grid.addWidget(Elided(entry.other, Role.SMALL, tone="third"), line, 1)
            keys = [label(key, Role.SMALL, tone="second") for key in entry.keys.split(", ")]
            for key in keys:
                key.setProperty("role", "kbd")
            grid.addLayout(row(None, *keys, spacing=Space.XS), line, 2)
        self._page.column.addLayout(grid)


def _groups(specs: Sequence[ActionSpec]) -> list[tuple[str, Titles]]:
    """Title of each menu with its commands that have keys; numbered ones once, with the range of their keys."""
    other = next(spoken for spoken in LANGUAGES if spoken != language())
    made: list[tuple[str, Titles]] = []
    for name, title in MENUS.items():
        rows = [spec for spec in specs if spec.menu_name == name and keys_text(spec) and spec.number in (None, 1)]
        entries = [
            Entry(Kind.COMMAND, spec.id, _title(spec, language()), _title(spec, other), _keys(spec)) for spec in rows
        ]
        if entries:
            text = without_mnemonic(QCoreApplication.translate("Actions", str(title)))
            made.append((text, Titles(tuple(entries))))
    pointer = tuple(
        Entry(
            Kind.COMMAND,
            f"pointer.{number}",
            in_language(language(), "CheatSheet", str(title)),
            in_language(other, "CheatSheet", str(title)),
            in_language(language(), "CheatSheet", str(keys)),
        )
        for number, (title, keys) in enumerate(_MOUSE)
    )
    made.append((in_language(language(), "CheatSheet", str(_MOUSE_MENU)), Titles(pointer)))
    return made


def _title(spec: ActionSpec, spoken: str) -> str:
    title = title_of(spec, spoken) if spec.number is None else title_of(spec, spoken, number="1–9")
    if spec.context is Context.WINDOW:
        return title
    return in_language(spoken, "CheatSheet", _ON_CANVAS).format(title=title)


_ON_CANVAS = str(QT_TRANSLATE_NOOP("CheatSheet", "{title} (on the canvas)"))


def _keys(spec: ActionSpec) -> str:
    """The keys; of numbered commands the range, `Ctrl+1–9`."""
    if spec.number is None:
        return keys_text(spec)
    return QKeySequence(str(spec.keys)).toString(QKeySequence.SequenceFormat.NativeText) + "–9"


def _fits(titles: Titles, entry: Entry, words: Sequence[str]) -> bool:
    """Whether the titles of *entry* hold *words*, or its keys are they."""
    if not words:
        return True
    keys = [key.casefold() for key in entry.keys.split(", ")]
    if " ".join(words) in keys or "".join(words) in keys:
        return True
    return bool(titles.score(words)[titles.entries.index(entry)] > NONE)
