"""Start-up of the window: Qt application, high-DPI, language, theme, log, crash hook."""

import argparse
import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QProcess, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from inspector import __version__
from inspector.errors import InspectorError, SettingsError
from inspector.gui.appearance import apply_appearance
from inspector.gui.crashing import install_hooks
from inspector.gui.i18n import Languages, system_language
from inspector.gui.main_window import MainWindow
from inspector.gui.service import Service
from inspector.gui.session import pull_on_screen
from inspector.log import LEVELS, Ring, catch_faults, own_log, release_faults, set_up, start_line
from inspector.settings import Settings, load_settings, set_aside
from inspector.state import log_path
from inspector.text import LANGUAGES
from inspector.worker.client import WorkerClient, memory_limit

_SWITCH_S = 0.0005
"""Seconds that a job may hold the interpreter while the GUI thread waits for it, ten times less than the default."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Open the window and wait until it is closed.

    Args:
        arguments: `[MODEL…] [--lang L] [--platform P] [--theme light|dark] [--log-level L] [--reset-ui]`; None takes
            those of the process.

    Returns:
        Qt's exit code.
    """
    parser = argparse.ArgumentParser(prog="bpu-inspector")
    parser.add_argument("models", nargs="*", type=Path)
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--platform")
    parser.add_argument("--theme", choices=("light", "dark"))
    parser.add_argument("--log-level", choices=LEVELS, default="info")
    parser.add_argument("--reset-ui", action="store_true")
    options = parser.parse_args(arguments)
    file, claim = own_log(log_path())
    ring = set_up(logging.getLevelNamesMapping()[options.log_level.upper()], file)
    faults, faulted = catch_faults(file.parent, file.stem)
    logging.getLogger("inspector").info(start_line(__version__))
    try:
        return _run(options, ring, faulted)
    finally:
        release_faults(faults)
        if claim is not None:
            claim.release()


def _run(options: argparse.Namespace, ring: Ring, faulted: bool) -> int:
    app = application()
    settings, problem = _settings()
    settings = _overridden(settings, options.platform)
    languages = Languages(app)
    languages.use(options.lang or settings.language or system_language())
    if options.theme is not None:
        settings = replace(settings, theme=options.theme)
    apply_appearance(settings)
    window = make_window(settings, languages, ring)
    install_hooks(window.crashed.emit)
    window.restore_geometry(afresh=options.reset_ui)
    pull_on_screen(window)
    window.show()
    if problem is not None:
        window.show_error(problem)
    if faulted:
        window.habits.tell_fault()
    window.open_all(options.models)
    habits = window.habits
    habits.restart_asked.connect(lambda: _leave(window))
    habits.start(reopen=settings.reopen_session and not options.models)
    code = app.exec()
    if window.isVisible():  # ended from the terminal
        _leave(window)
    elif habits.leaves_work:
        QProcess.startDetached(sys.executable, ["-m", "inspector"])
    return code


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


def make_window(settings: Settings, languages: Languages, ring: Ring, service: Service | None = None) -> MainWindow:
    """A window on *service*; None gives it a worker of its own."""
    if service is None:
        memory = memory_limit(settings.worker_memory_percent)
        service = Service(WorkerClient(time_limit_s=float(settings.worker_timeout_s), memory_limit_bytes=memory))
    return MainWindow(service, settings, languages, ring)


def _settings() -> tuple[Settings, InspectorError | None]:
    try:
        return load_settings()[0], None
    except SettingsError as error:
        set_aside()
        return Settings(), error


def _overridden(settings: Settings, platform: str | None) -> Settings:
    return settings if platform is None else replace(settings, platform=platform, toolchain="")
