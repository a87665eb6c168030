"""Start-up of the window: Qt application, high-DPI, language, theme, log, crash hook."""

import argparse
import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QProcess, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from inspector import __version__
from inspector.errors import InspectorError, SettingsError
from inspector.gui.appearance import apply_appearance
from inspector.gui.crashing import install_hooks
from inspector.gui.i18n import Languages, system_language
from inspector.gui.main_window import MainWindow
from inspector.gui.placing import pull_on_screen
from inspector.log import LEVELS, Ring, WrittenLog, set_up, start_line
from inspector.settings import Settings, load_settings, set_aside
from inspector.state import log_path
from inspector.text import LANGUAGES

if TYPE_CHECKING:
    from inspector.gui.service import Service

_SWITCH_S = 0.0005
"""Seconds that a job may hold the interpreter while the GUI thread waits for it, ten times less than the default."""


def main(arguments: Sequence[str] | None = None, *, shown: Callable[[], object] | None = None) -> int:
    """Open the window and wait until it is closed.

    Args:
        arguments: `[MODEL…] [--lang L] [--platform P] [--theme light|dark] [--log-level L] [--reset-ui]`; None takes
            those of the process.
        shown: called when the first picture is on the screen, in place of making the rest of the window.

    Returns:
        Qt's exit code.
    """
    options = _options(arguments)
    ring = set_up(logging.getLevelNamesMapping()[options.log_level.upper()])
    logging.getLogger("inspector").info(start_line(__version__))
    written = WrittenLog(log_path(), ring)
    try:
        return _run(options, ring, written, shown)
    except BaseException:
        written.open()
        raise
    finally:
        written.close()


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bpu-inspector")
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--platform")
    parser.add_argument("--theme", choices=("light", "dark"))
    parser.add_argument("--log-level", choices=LEVELS, default="info")
    parser.add_argument("--reset-ui", action="store_true")
    return parser.parse_args(arguments)


def _run(options: argparse.Namespace, ring: Ring, written: WrittenLog, shown: Callable[[], object] | None) -> int:
    app = application()
    settings, problem = _settings()
    settings = _overridden(settings, options.platform)
    languages = Languages(app)
    languages.use(options.lang or settings.language or system_language())
    if options.theme is not None:
        settings = replace(settings, theme=options.theme)
    apply_appearance(settings)
    window = MainWindow(settings, languages, ring)
    install_hooks(window.crashed.emit)
    window.restore_geometry(afresh=options.reset_ui)
    pull_on_screen(window)
    window.show_first()
    window.first_shown.connect(shown or window.begin)
    window.furnished.connect(lambda: _furnished(window, options, problem, written))
    window.show()
    code = app.exec()
    if not window.is_whole:
        window.close()
    elif window.isVisible():  # ended from the terminal
        _leave(window)
    elif window.habits.leaves_work:
        QProcess.startDetached(sys.executable, ["-m", "inspector"])
    return code


def _furnished(
    window: MainWindow, options: argparse.Namespace, problem: InspectorError | None, written: WrittenLog
) -> None:
    """Go on where the first picture is shown and the window is whole."""
    written.open()
    if problem is not None:
        window.show_error(problem)
    if written.faulted:
        window.habits.tell_fault()
    window.open_all(options.models)
    habits = window.habits
    habits.restart_asked.connect(lambda: _leave(window))
    habits.start(reopen=window.settings.reopen_session and not options.models)


def _leave(window: MainWindow) -> None:
    """Close *window* without a question; its unsaved work is recovered at the next start."""
    window.habits.leaves_work = True
    window.forget_changes()
    window.close()


def application() -> QApplication:
    """The Qt application, made on the first call."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    app = QApplication(["bpu-inspector"])
    app.setApplicationName("BPU Graph Inspector")
    app.setApplicationVersion(__version__)
    app.setStyle("Fusion")
    sys.setswitchinterval(_SWITCH_S)
    return app


def make_window(settings: Settings, languages: Languages, ring: Ring, service: "Service | None" = None) -> MainWindow:
    """A whole window on *service*; None gives it a worker of its own."""
    window = MainWindow(settings, languages, ring, service)
    window.finish()
    return window


def _settings() -> tuple[Settings, InspectorError | None]:
    try:
        return load_settings()[0], None
    except SettingsError as error:
        set_aside()
        return Settings(), error


def _overridden(settings: Settings, platform: str | None) -> Settings:
    return settings if platform is None else replace(settings, platform=platform, toolchain="")
