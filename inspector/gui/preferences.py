"""`Preferences`: the settings in force; takes the program from one set of them to another while it runs."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from inspector.gui.appearance import apply_appearance, look_differs, theme_of
from inspector.gui.dialogs.settings import SettingsDialog
from inspector.gui.i18n import Languages, system_language
from inspector.gui.look import look
from inspector.gui.service import Service
from inspector.layout.options import Direction
from inspector.settings import Settings
from inspector.worker.client import memory_limit


class Preferences(QObject):
    """Holds the settings and tells what a change of them is about.

    Attributes:
        settings: the settings in force. Setting them this way changes nothing but what is saved; see `apply`.

    Signals:
        look_changed: theme, scale or fonts are others; what exists is restyled already, pictures are not.
        words_changed: the language is another.
        canvas_changed: the wheel, or whether things move.
        layout_changed: graphs have to be laid out anew, in another direction or for other fonts.
        autosave_changed: whether unsaved work is written down.
    """

    look_changed = Signal()
    words_changed = Signal()
    canvas_changed = Signal()
    layout_changed = Signal()
    autosave_changed = Signal(bool)

    def __init__(self, settings: Settings, languages: Languages, service: Service, window: QWidget) -> None:
        """Start with *settings*, which are in force already; dialogs stand over *window*."""
        super().__init__(window)
        self.settings = settings
        self._languages, self._service, self._window = languages, service, window
        self._enlarged = False
        service.seed, service.direction = settings.seed, Direction(settings.direction)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow)
        hints.accessibility().contrastPreferenceChanged.connect(self._follow)

    def ask(self) -> None:
        """Open the dialog; what it changes is in force at once, and on Cancel what was before."""
        dialog = SettingsDialog(self.settings, self._window)
        dialog.changed.connect(self.apply)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def apply(self, settings: Settings) -> None:
        """Put *settings* in force."""
        before, self.settings = self.settings, settings
        client = self._service.client
        self._service.seed, self._service.direction = settings.seed, Direction(settings.direction)
        if settings.worker_timeout_s != before.worker_timeout_s:
            client.time_limit_s = float(settings.worker_timeout_s)
        if settings.worker_memory_percent != before.worker_memory_percent:
            client.memory_limit_bytes = memory_limit(settings.worker_memory_percent)
        if look_differs(before, settings):
            apply_appearance(settings, enlarged=self._enlarged)
            self.look_changed.emit()
        if settings.language != before.language:
            self._languages.use(settings.language or system_language())
            self.words_changed.emit()
        if (settings.wheel, settings.animations) != (before.wheel, before.animations):
            self.canvas_changed.emit()
        if (settings.direction, settings.system_fonts) != (before.direction, before.system_fonts):
            self.layout_changed.emit()
        if settings.autosave != before.autosave:
            self.autosave_changed.emit(settings.autosave)

    def enlarge_text(self, on: bool) -> None:
        """Show text 2 px larger than the settings say, as for a review, or as they say; the settings stay."""
        if on != self._enlarged:
            self._enlarged = on
            apply_appearance(self.settings, enlarged=on)
            self.look_changed.emit()

    def _follow(self) -> None:
        """The system's brightness or contrast is another."""
        if theme_of(self.settings) is not look().name:
            apply_appearance(self.settings, enlarged=self._enlarged)
            self.look_changed.emit()
