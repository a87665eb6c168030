"""Languages of the window: which there are, and how to switch at run time.

Window texts go through Qt's `tr()` and `QCoreApplication.translate`; their catalogues are
`resources/i18n/app_LANGUAGE.ts`, compiled to `.qm` by `scripts/translations.py`. Core texts are `Message` values that
`words.say_text` renders in the current language.
"""

from functools import cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator

from inspector.assets import resources_dir
from inspector.text import LANGUAGES

LANGUAGE_NAMES = {"en": "English", "zh_CN": "中文"}
"""Own names of the languages, never translated."""


class Languages(QObject):
    """Installs the translators of one language at a time."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start in English without a catalogue; call `use`."""
        super().__init__(parent)
        self._catalogues: list[bytes] = []

    def use(self, language: str) -> None:
        """Switch every window text to *language*, one of `LANGUAGES`; widgets get a LanguageChange event."""
        global _current
        app = QCoreApplication.instance()
        if app is None:
            return
        # Those of an earlier object too: an English catalogue has plural forms only, so another would shine through.
        for translator in app.findChildren(QTranslator):
            app.removeTranslator(translator)
            translator.deleteLater()
        self._catalogues = []
        _current = language if language in LANGUAGES else "en"
        QLocale.setDefault(QLocale(_current))
        folders = (
            ("qtbase", Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))),
            ("app", resources_dir() / "i18n"),
        )
        for name, folder in folders:
            file = folder / f"{name}_{_current}.qm"
            if file.is_file():
                # Read, not mapped as `load` would: an update that rewrites a mapped file ends the program (SIGBUS).
                self._catalogues.append(file.read_bytes())
                translator = QTranslator(self)
                translator.load(self._catalogues[-1])
                app.installTranslator(translator)


_current = "en"


def language() -> str:
    """The language the window speaks now, `en` or `zh_CN`."""
    return _current


def in_language(wanted: str, context: str, source: str) -> str:
    """The window text *source* of *context* in the language *wanted*, whichever one the window speaks."""
    if wanted == _current:
        return QCoreApplication.translate(context, source)
    translator = _catalogue(wanted)
    return (translator.translate(context, source) if translator is not None else "") or source


@cache
def _catalogue(wanted: str) -> QTranslator | None:
    """The catalogue of a language that the window does not speak now; None without one."""
    file = resources_dir() / "i18n" / f"app_{wanted}.qm"
    if not file.is_file():
        return None
    _kept[wanted] = file.read_bytes()
    translator = QTranslator()
    translator.load(_kept[wanted])
    return translator


_kept: dict[str, bytes] = {}
"""Bytes of the catalogues that `_catalogue` made; a translator reads them as long as it lives."""


def system_language() -> str:
    """The language to start in when the user chose none: Chinese for a Chinese system, else English."""
    return "zh_CN" if QLocale.system().language() == QLocale.Language.Chinese else "en"
