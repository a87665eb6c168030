"""What the settings and the system together say about the look: theme, scale, fonts, motion."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from inspector.gui.look import apply_look
from inspector.gui.theme import Theme, ThemeName, theme, theme_name
from inspector.settings import Settings

_ENLARGED_PERCENT, _LARGEST_PERCENT = 17, 200
"""What makes text of 12 px one of 14, and the largest scale."""


def theme_of(settings: Settings) -> ThemeName:
    """The theme for *settings*; where they leave it to the system, the system's brightness and contrast decide."""
    strong = settings.theme == "system" and system_wants_contrast()
    return theme_name(settings.theme, settings.contrast, system_dark=system_is_dark(), system_contrast=strong)


def system_is_dark() -> bool:
    """Whether the system is set to dark; False where it does not say."""
    return QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark


def system_wants_contrast() -> bool:
    """Whether the system is set to more contrast; False where it does not say."""
    hints = QGuiApplication.styleHints()  # held on to: what it hands out does not outlive it
    return hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast


def system_reduces_motion() -> bool:
    """Whether the system is set to less motion; False where it does not say."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return False
    from PySide6.QtWidgets import QStyle  # takes longer to load than the rest of this module

    return app.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0


def with_theme(settings: Settings, name: ThemeName) -> Settings:
    """*settings* that ask for the theme *name*, whatever the system is set to."""
    if name is ThemeName.PRINT:
        return replace(settings, contrast="print")
    high = name in (ThemeName.CONTRAST_LIGHT, ThemeName.CONTRAST_DARK)
    return replace(settings, theme="dark" if theme(name).dark else "light", contrast="high" if high else "standard")


def brightness_toggled(settings: Settings, *, dark: bool) -> Settings:
    """*settings* that ask for a dark or a light theme and keep their contrast; print becomes standard."""
    contrast = "standard" if settings.contrast == "print" else settings.contrast
    return replace(settings, theme="dark" if dark else "light", contrast=contrast)


def reduces_motion(settings: Settings) -> bool:
    """Whether nothing may move: the user or the system wants it so."""
    return not settings.animations or system_reduces_motion()


def look_differs(one: Settings, other: Settings) -> bool:
    """Whether the two ask for another theme, scale or font."""
    names = ("theme", "contrast", "ui_scale_percent", "system_fonts")
    return any(getattr(one, name) != getattr(other, name) for name in names)


def apply_appearance(settings: Settings, *, enlarged: bool = False) -> Theme:
    """Take the application to the theme, scale and fonts of *settings*; *enlarged* adds 2 px to the size of text."""
    percent = min(settings.ui_scale_percent + (_ENLARGED_PERCENT if enlarged else 0), _LARGEST_PERCENT)
    return apply_look(theme_of(settings), percent, system_fonts=settings.system_fonts)
