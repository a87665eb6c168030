"""Settings dialog: everything that is chosen once and for all, shown live; Cancel restores what was before."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.gui.combo import ComboBox
from inspector.gui.fonts import Role
from inspector.gui.i18n import LANGUAGE_NAMES
from inspector.gui.primary_button import PrimaryButton
from inspector.gui.theme import Size, Space
from inspector.gui.widgets import clear, label, row, rule
from inspector.settings import RANGES, Settings

_CONTEXT = "SettingsDialog"
_KEPT = ("platform", "toolchain", "flow", "recent", "unknown")
"""What Reset leaves alone: the last target, the recent files, and keys of other versions."""


@dataclass(frozen=True, slots=True)
class Field:
    """One row of the dialog.

    Attributes:
        name: attribute of `Settings`. `animations` is shown the other way round, as "reduce motion".
        text: what it is, English source text.
        help: what it does, or empty.
        choices: value -> its English source text, for a choice; empty for a switch or a number.
        unit: written after a number, with a space where the language wants one.
        step: by how much an arrow key changes a number.
    """

    name: str
    text: object
    help: object = ""
    choices: Mapping[str | int, object] | None = None
    unit: str = ""
    step: int = 1


@dataclass(frozen=True, slots=True)
class Section:
    """One page of the dialog."""

    title: object
    fields: tuple[Field, ...]


_SYSTEM = QT_TRANSLATE_NOOP("SettingsDialog", "Follow the system")
_LANGUAGES: Mapping[str | int, object] = dict([("", _SYSTEM), *LANGUAGE_NAMES.items()])
_SCALES: Mapping[str | int, object] = {percent: f"{percent} %" for percent in (100, 110, 125, 150, 175, 200)}
SECTIONS: tuple[Section, ...] = (
    Section(
        QT_TRANSLATE_NOOP("SettingsDialog", "Appearance"),
        (
            Field(
                "theme",
                QT_TRANSLATE_NOOP("SettingsDialog", "Theme"),
                choices={
                    "system": _SYSTEM,
                    "light": QT_TRANSLATE_NOOP("SettingsDialog", "Light"),
                    "dark": QT_TRANSLATE_NOOP("SettingsDialog", "Dark"),
                },
            ),
            Field(
                "contrast",
                QT_TRANSLATE_NOOP("SettingsDialog", "Contrast"),
                QT_TRANSLATE_NOOP(
                    "SettingsDialog", "Print is black on white: signs, borders and hatches tell verdicts apart."
                ),
                choices={
                    "standard": QT_TRANSLATE_NOOP("SettingsDialog", "Standard"),
                    "high": QT_TRANSLATE_NOOP("SettingsDialog", "High"),
                    "print": QT_TRANSLATE_NOOP("SettingsDialog", "Print"),
                },
            ),
            Field("language", QT_TRANSLATE_NOOP("SettingsDialog", "Language"), choices=_LANGUAGES),
            Field(
                "ui_scale_percent",
                QT_TRANSLATE_NOOP("SettingsDialog", "Size of everything"),
                QT_TRANSLATE_NOOP("SettingsDialog", "Text, controls and the graph grow together."),
                choices=_SCALES,
            ),
            Field(
                "animations",
                QT_TRANSLATE_NOOP("SettingsDialog", "Reduce motion"),
                QT_TRANSLATE_NOOP(
                    "SettingsDialog", "Nothing glides or fades; nor does it where the system asks for it."
                ),
            ),
            Field(
                "system_fonts",
                QT_TRANSLATE_NOOP("SettingsDialog", "Use the system's fonts"),
                QT_TRANSLATE_NOOP("SettingsDialog", "Otherwise Inter and JetBrains Mono, where they are installed."),
            ),
        ),
    ),
    Section(
        QT_TRANSLATE_NOOP("SettingsDialog", "Canvas"),
        (
            Field(
                "wheel",
                QT_TRANSLATE_NOOP("SettingsDialog", "Mouse wheel"),
                QT_TRANSLATE_NOOP(
                    "SettingsDialog", "When it scrolls, Ctrl + wheel zooms. Shift + wheel moves sideways."
                ),
                choices={
                    "zoom": QT_TRANSLATE_NOOP("SettingsDialog", "Zooms"),
                    "scroll": QT_TRANSLATE_NOOP("SettingsDialog", "Scrolls"),
                },
            ),
            Field(
                "direction",
                QT_TRANSLATE_NOOP("SettingsDialog", "The graph flows"),
                choices={
                    "down": QT_TRANSLATE_NOOP("SettingsDialog", "Downwards"),
                    "right": QT_TRANSLATE_NOOP("SettingsDialog", "To the right"),
                },
            ),
        ),
    ),
    Section(
        QT_TRANSLATE_NOOP("SettingsDialog", "Verification"),
        (
            Field(
                "seed",
                QT_TRANSLATE_NOOP("SettingsDialog", "Seed"),
                QT_TRANSLATE_NOOP("SettingsDialog", "The same seed makes the same inputs."),
            ),
            Field(
                "worker_timeout_s",
                QT_TRANSLATE_NOOP("SettingsDialog", "Time limit"),
                QT_TRANSLATE_NOOP("SettingsDialog", "A computation that takes longer is stopped and gives no result."),
                unit="s",
                step=10,
            ),
            Field(
                "worker_memory_percent",
                QT_TRANSLATE_NOOP("SettingsDialog", "Memory limit"),
                QT_TRANSLATE_NOOP("SettingsDialog", "Share of this computer's memory that a computation may use."),
                unit="%",
                step=5,
            ),
        ),
    ),
    Section(
        QT_TRANSLATE_NOOP("SettingsDialog", "Files"),
        (
            Field(
                "autosave",
                QT_TRANSLATE_NOOP("SettingsDialog", "Keep unsaved work"),
                QT_TRANSLATE_NOOP(
                    "SettingsDialog", "Accepted rewrites are written down and offered again after a crash."
                ),
            ),
            Field("reopen_session", QT_TRANSLATE_NOOP("SettingsDialog", "Open the models of the last session")),
        ),
    ),
)
"""The pages of the dialog, in their order."""


class SettingsDialog(QDialog):
    """Shows the settings page by page and tells every change at once.

    Signals:
        changed: the settings as they stand now (Settings); on Cancel those from before.
    """

    changed = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        """Start with *settings*."""
        super().__init__(parent)
        self._before, self.settings = settings, settings
        self.controls: dict[str, QWidget] = {}
        self._pages, self._stack, self._foot = QListWidget(), QStackedWidget(), QHBoxLayout()
        self._pages.setProperty("role", "pages")
        self._pages.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._pages.currentRowChanged.connect(self._stack.setCurrentIndex)
        body = QHBoxLayout()
        body.setSpacing(Space.L)
        body.addWidget(self._pages)
        body.addWidget(self._stack, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        column.setSpacing(Space.M)
        column.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)  # pages scroll; the size is that of `sizeHint`
        column.addLayout(body, 1)
        column.addWidget(rule())
        column.addLayout(self._foot)
        self._build()

    def sizeHint(self) -> QSize:
        """Wide enough for a page beside the list of pages."""
        return QSize(Size.FIELD + Space.XXL + Size.DIALOG + Space.XXL, Size.DIALOG)

    # Building

    def _build(self) -> None:
        """Make everything anew in the current language and scale; the page that was shown stays."""
        shown = max(self._pages.currentRow(), 0)
        self.setWindowTitle(self.tr("Settings"))
        self._pages.setAccessibleName(self.tr("Pages"))
        self._pages.clear()
        self.controls.clear()
        while (page := self._stack.widget(0)) is not None:
            self._stack.removeWidget(page)
            page.deleteLater()
        for section in SECTIONS:
            item = QListWidgetItem(_text(section.title))
            item.setSizeHint(QSize(0, Size.CONTROL_START))
            self._pages.addItem(item)
            self._stack.addWidget(self._page(section))
        self._pages.setFixedWidth(Size.FIELD + Space.XXL)
        self._pages.setCurrentRow(shown)
        self._fill_foot()
        self.resize(self.sizeHint())

    def _page(self, section: Section) -> QWidget:
        body = QWidget()
        body.setProperty("role", "page")
        column = QVBoxLayout(body)
        column.setContentsMargins(Space.M, 0, Space.M, Space.M)
        column.setSpacing(Space.M)
        column.addWidget(label(_text(section.title), Role.IDENTITY))
        for field in section.fields:
            column.addWidget(rule())
            column.addLayout(self._row(field))
        column.addStretch(1)
        page = QScrollArea()
        page.setWidgetResizable(True)
        page.setFrameShape(QFrame.Shape.NoFrame)
        page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page.setWidget(body)
        return page

    def _row(self, field: Field) -> QHBoxLayout:
        control = self._control(field)
        self.controls[field.name] = control
        texts = QVBoxLayout()
        texts.setSpacing(Space.XXS)
        name, note = _text(field.text), _text(field.help)
        title = label(name, Role.BODY)
        title.setBuddy(control)
        texts.addWidget(title)
        if note:
            texts.addWidget(label(note, Role.SMALL, tone="second", wrap=True))
        control.setAccessibleName(name)
        control.setAccessibleDescription(note)
        made = QHBoxLayout()
        made.setSpacing(Space.L)
        made.addLayout(texts, 1)
        made.addWidget(control, 0, Qt.AlignmentFlag.AlignTop)
        return made

    def _control(self, field: Field) -> QWidget:
        value = getattr(self.settings, field.name)
        if field.choices is not None:
            return self._choice(field, value)
        if isinstance(value, bool):
            return self._switch(field, value)
        number = QSpinBox()
        number.setRange(*RANGES[field.name])
        number.setSingleStep(field.step)
        number.setSuffix(f" {field.unit}" if field.unit else "")
        number.setValue(value)
        number.setFixedWidth(Size.FIELD)
        number.lineEdit().setTextMargins(Space.XS, 0, 0, 0)
        number.setKeyboardTracking(False)
        number.valueChanged.connect(lambda chosen: self._set(field.name, chosen))
        return number

    def _choice(self, field: Field, value: str | int) -> QWidget:
        box = ComboBox()
        choices = dict(field.choices or {})
        if value not in choices:
            choices = dict(sorted({**choices, value: f"{value} %"}.items(), key=lambda entry: entry[0]))
        for known, text in choices.items():
            box.addItem(_text(text), known)
        box.setCurrentIndex(box.findData(value))
        box.setMinimumWidth(Size.FIELD)
        box.activated.connect(lambda index: self._set(field.name, box.itemData(index)))
        return box

    def _switch(self, field: Field, value: bool) -> QWidget:
        inverted = field.name == "animations"
        box = QCheckBox()
        box.setChecked(value is not inverted)
        box.toggled.connect(lambda on: self._set(field.name, on is not inverted))
        return box

    def _fill_foot(self) -> None:
        clear(self._foot)

        def made(text: str, clicked: Callable[[], object]) -> QPushButton:
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(lambda: clicked())
            return button

        reset = made(self.tr("Reset all"), self.reset)
        reset.setToolTip(self.tr("The target, the recent files and the window's layout stay."))
        cancel = made(self.tr("Cancel"), self.reject)
        done = PrimaryButton(self.tr("Done"))
        done.clicked.connect(self.accept)
        done.setDefault(True)
        self._foot.addLayout(row(reset, None, cancel, done))

    # Changing

    def _set(self, name: str, value: object) -> None:
        self._tell(replace(self.settings, **{name: value}))  # type: ignore[arg-type]

    def _tell(self, settings: Settings) -> None:
        if settings != self.settings:
            self.settings = settings
            self.changed.emit(settings)

    def reset(self) -> None:
        """Take every setting of the dialog to its default."""
        kept = {entry.name: getattr(self.settings, entry.name) for entry in fields(Settings) if entry.name in _KEPT}
        self._tell(Settings(**kept))
        self._build()

    def reject(self) -> None:
        """Restore what was before, and close."""
        self._tell(self._before)
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The window's close button cancels, too."""
        self._tell(self._before)
        super().closeEvent(event)

    def accept(self) -> None:
        """Keep the settings as they stand, and close."""
        self._before = self.settings
        super().accept()

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        if event.type() == QEvent.Type.LanguageChange:
            self._build()
        super().changeEvent(event)


def _text(source: object) -> str:
    return QCoreApplication.translate(_CONTEXT, str(source)) if source else ""
